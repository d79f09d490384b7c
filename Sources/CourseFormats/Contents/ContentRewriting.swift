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
        case .emphasis(let inner): .emphasis(inner.mapLinks(replace))
        case .strong(let inner): .strong(inner.mapLinks(replace))
        case .strikethrough(let inner): .strikethrough(inner.mapLinks(replace))
        case .text, .code, .key, .math, .image, .lineBreak, .target: piece
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
    mapChildren(
      line: { $0.contains(where: \.mayContainTargets) ? $0.mapTargets(replace) : $0 },
      blocks: { $0.map { $0.mapTargets(replace) } })
  }
}

extension [Block] {
  /// The anchors of all headings and the names of all other link targets, at every depth.
  var linkTargets: Set<String> {
    var names: Set<String> = []
    for block in self {
      if case .heading(_, _, let anchor) = block { names.insert(anchor) }
      for child in block.children {
        switch child {
        case .line(let line): names.formUnion(line.targetNames)
        case .blocks(let blocks): names.formUnion(blocks.linkTargets)
        }
      }
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

extension Inline {
  fileprivate var mayContainTargets: Bool {
    switch self {
    case .target, .emphasis, .strong, .strikethrough, .link: true
    case .text, .code, .key, .math, .image, .lineBreak: false
    }
  }
}

extension [Inline] {
  fileprivate func mapTargets(_ replace: (String) -> String) -> [Inline] {
    map { piece in
      switch piece {
      case .target(let name): .target(replace(name))
      case .emphasis(let inner): .emphasis(inner.mapTargets(replace))
      case .strong(let inner): .strong(inner.mapTargets(replace))
      case .strikethrough(let inner): .strikethrough(inner.mapTargets(replace))
      case .link(let destination, let text): .link(destination: destination, text: text.mapTargets(replace))
      case .text, .code, .key, .math, .image, .lineBreak: piece
      }
    }
  }

  /// Returns the line with each image replaced, at every depth.
  func mapImages(_ replace: (Inline) throws -> Inline) rethrows -> [Inline] {
    try map { piece in
      switch piece {
      case .image: try replace(piece)
      case .emphasis(let inner): .emphasis(try inner.mapImages(replace))
      case .strong(let inner): .strong(try inner.mapImages(replace))
      case .strikethrough(let inner): .strikethrough(try inner.mapImages(replace))
      case .link(let destination, let text): .link(destination: destination, text: try text.mapImages(replace))
      case .text, .code, .key, .math, .lineBreak, .target: piece
      }
    }
  }

  /// Whether the line contains an image, at any depth.
  var hasImages: Bool {
    contains { piece in
      switch piece {
      case .image: true
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner): inner.hasImages
      case .text, .code, .key, .math, .lineBreak, .target: false
      }
    }
  }
}

extension [Block] {
  /// Returns the blocks with each line of text replaced, at every depth.
  func mapLines(_ replace: ([Inline]) throws -> [Inline]) rethrows -> [Block] {
    try map { block in try block.mapChildren(line: replace, blocks: { try $0.mapLines(replace) }) }
  }

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
  /// Returns the content with each line of text replaced.
  func mapLines(_ replace: ([Inline]) throws -> [Inline]) rethrows -> ActivityContent {
    switch self {
    case .reading(let blocks): .reading(try blocks.mapLines(replace))
    case .link(let destination, let text): .link(destination: destination, text: try text.mapLines(replace))
    case .flashcards(let introduction, let cards):
      .flashcards(
        introduction: try introduction.mapLines(replace),
        cards: try cards.map {
          Flashcard(
            key: $0.key, front: try replace($0.front), back: try $0.back.mapLines(replace), tags: $0.tags,
            isReversed: $0.isReversed, isLiteral: $0.isLiteral)
        })
    case .quiz(let introduction, let questions, let pass):
      .quiz(
        introduction: try introduction.mapLines(replace), questions: try questions.map { try $0.mapLines(replace) },
        pass: pass)
    }
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
    _ = mapLinks {
      found = true
      return .link(destination: $0, text: $1)
    }
    return found
  }
}

extension QuizQuestion {
  fileprivate func mapLines(_ replace: ([Inline]) throws -> [Inline]) rethrows -> QuizQuestion {
    QuizQuestion(
      question: try replace(question), details: try details.mapLines(replace),
      choices: try choices.map { Choice(text: try replace($0.text), isRight: $0.isRight) },
      explanation: try explanation.mapLines(replace))
  }
}
