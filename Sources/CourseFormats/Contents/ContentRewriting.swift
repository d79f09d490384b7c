package import LearningModel

extension [Inline] {
  /// Returns the line with each link replaced. If links are nested, the outer one is replaced. Replacements that are
  /// plain text are joined with adjacent text.
  func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> [Inline] {
    var result: [Inline] = []
    // The text at the end of the new line, to which further text may be appended. It is kept separately, so that each
    // element is copied only once.
    var words: String?
    var joins = false
    for piece in self {
      let wasJoining = joins
      if case .link = piece { joins = true } else { joins = false }
      let mapped: Inline =
        switch piece {
        case .link(let destination, let text): replace(destination, text)
        default: piece.mapChildren { $0.mapLinks(replace) }
        }
      if let open = words, !(joins || wasJoining) || mapped.plainWords == nil {
        result.append(.text(open))
        words = nil
      }
      if let more = mapped.plainWords {
        words = words ?? ""
        words?.append(more)
      } else {
        result.append(mapped)
      }
    }
    return result + (words.map { [.text($0)] } ?? [])
  }
}

extension Inline {
  /// The text of an element that is plain text; otherwise `nil`.
  fileprivate var plainWords: String? {
    if case .text(let words) = self { words } else { nil }
  }
}

extension Block {
  /// Returns the block with the name of each link target replaced, at every depth.
  func mapTargets(_ replace: (String) -> String) -> Block {
    mapChildren(line: { $0.mapTargets(replace) }, blocks: { $0.map { $0.mapTargets(replace) } })
  }
}

extension [Block] {
  /// The anchors of all headings and the names of all other link targets, at every depth.
  var linkTargets: Set<String> {
    var names: Set<String> = []
    visit {
      if case .heading(_, _, let anchor) = $0 { names.insert(anchor) }
    } inline: {
      if case .target(let name) = $0 { names.insert(name) }
    }
    return names
  }

  /// The blocks without link targets other than headings, at every depth.
  var withoutTargets: [Block] {
    filter { !$0.isTarget }.map { block in
      block.mapChildren(line: { $0.filter { !$0.isTarget } }, blocks: { $0.withoutTargets })
    }
  }
}

extension [Inline] {
  fileprivate func mapTargets(_ replace: (String) -> String) -> [Inline] {
    guard contains(where: { $0.isTarget || !$0.children.isEmpty }) else { return self }
    return map { piece in
      if case .target(let name) = piece { return .target(replace(name)) }
      return piece.mapChildren { $0.mapTargets(replace) }
    }
  }

  /// Returns the line with each image replaced, at every depth.
  func mapImages(_ replace: (Inline) throws -> Inline) rethrows -> [Inline] {
    try map { piece in
      if case .image = piece { return try replace(piece) }
      return try piece.mapChildren { try $0.mapImages(replace) }
    }
  }

  /// Whether the line contains an image, at any depth.
  var hasImages: Bool {
    contains { if case .image = $0 { true } else { $0.children.hasImages } }
  }
}

extension [Block] {
  func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> [Block] {
    mapLines { $0.mapLinks(replace) }
  }

  /// Returns the blocks with each block of code replaced, at every depth.
  func mapCode(_ replace: (_ language: String?, _ text: String) -> Block) -> [Block] {
    map { block in
      if case .code(let language, let text) = block { return replace(language, text) }
      return block.mapChildren(line: { $0 }, blocks: { $0.mapCode(replace) })
    }
  }
}

extension ActivityContent {
  private func mapLines(_ replace: ([Inline]) throws -> [Inline]) rethrows -> ActivityContent {
    try mapChildren(line: replace, blocks: { try $0.mapLines(replace) })
  }

  /// Returns the content with each link in its texts replaced. The destination of a link activity is unchanged.
  package func mapLinks(_ replace: (_ destination: String, _ text: [Inline]) -> Inline) -> ActivityContent {
    mapLines { $0.mapLinks(replace) }
  }

  /// Returns the content with each image in its texts replaced.
  package func mapImages(_ replace: (Inline) throws -> Inline) rethrows -> ActivityContent {
    try mapLines { $0.hasImages ? try $0.mapImages(replace) : $0 }
  }

  /// Whether the texts contain a link.
  package var hasLinks: Bool {
    var found = false
    children.visit { if case .link = $0 { found = true } }
    return found
  }
}
