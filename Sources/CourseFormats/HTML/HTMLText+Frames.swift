import LearningModel

/// Frames, tabs and lists of definitions.
extension HTMLText {
  /// The classes of the element that a frame's title stands in.
  ///
  /// Sources: what Sphinx, Python-Markdown, GitHub and mdBook make of an admonition.
  private static let titleClasses: Set<Substring> = [
    Substring(Alerts.titleClass), "markdown-alert-title", "blockquote-tag-title",
  ]

  /// The classes of elements that are frames in every format.
  private static let frameClasses: Set<String> = ["admonition", "markdown-alert"]

  /// What an element's classes say of the frame that it is; `nil` where it is none.
  func frameName(of node: HTMLNode) -> String? {
    let classes = node.classes.map { $0.lowercased() }
    guard classes.contains(where: { Self.frameClasses.contains($0) || dialect.frameClasses.contains($0) }) else {
      return nil
    }
    let names = classes.map { name in
      ["markdown-alert-", "blockquote-tag-"].first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) }
        ?? name
    }
    return names.first { !Self.frameClasses.contains($0) } ?? ""
  }

  /// A frame of that name, with the title that stands in it.
  mutating func frame(_ node: HTMLNode, named name: String, depth: Int) throws -> Block {
    let title = try takeTitle(of: node, depth: depth)
    return .admonition(
      Admonition(named: name, title: title.words, blocks: try blocksOf(node, depth: depth + 1)))
  }

  /// A quotation, or the alert that it is.
  mutating func quote(_ node: HTMLNode, depth: Int) throws -> Block? {
    guard let kind = titleNode(in: node)?.attribute(Alerts.kind) else {
      let blocks = try blocksOf(node, depth: depth + 1)
      return blocks.isEmpty ? nil : .quote(blocks)
    }
    let title = try takeTitle(of: node, depth: depth)
    let frame = Admonition(named: kind, title: title.words, blocks: try blocksOf(node, depth: depth + 1))
    return title.isClosed ? .details(summary: frame.heading, blocks: frame.blocks) : .admonition(frame)
  }

  /// A text to choose, by its label.
  mutating func tab(_ node: HTMLNode, depth: Int) throws -> Tab {
    var label = try takeTitle(of: node, depth: depth).words
    if label.isEmpty {
      let names = ["label", "title", "name", "header", "value"].lazy.compactMap(node.attribute)
      label = [.text(names.first { !$0.isEmpty }?.onOneLine ?? "Tab")]
    }
    return Tab(label: label, blocks: try blocksOf(node, depth: depth + 1))
  }

  /// The words of a list and what they mean; empty where it has no words.
  mutating func definitions(_ node: HTMLNode, depth: Int) throws -> [Definition] {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: line)
    }
    var all: [Definition] = []
    for child in node.children where child.name != nil {
      noteAnchor(of: child)
      guard try !isElsewhere(child, depth: depth) else { continue }
      if child.name == "dt" {
        all.append(Definition(term: try lineOf(child, depth: depth + 1), blocks: []))
      } else if child.name == "div" {
        all += try definitions(child, depth: depth + 1)
      } else if let last = all.popLast() {
        all.append(Definition(term: last.term, blocks: last.blocks + (try blocksOf(child, depth: depth + 1))))
      }
    }
    return all
  }

  /// Takes the title out of a frame: it is not read again with the rest.
  private mutating func takeTitle(of node: HTMLNode, depth: Int) throws -> (words: [Inline], isClosed: Bool) {
    guard let title = titleNode(in: node) else { return ([], false) }
    let words = try lineOf(title, depth: depth + 1)
    titlesTaken.insert(title)
    return (words, title.attribute(Alerts.closed) != nil)
  }

  /// What an element begins with where that is a title, also inside a paragraph.
  private func titleNode(in node: HTMLNode) -> HTMLNode? {
    func first(in node: HTMLNode) -> HTMLNode? {
      node.children.first { $0.name != nil || !($0.text ?? "").allSatisfy(\.isWhitespace) }
    }
    guard let child = first(in: node) else { return nil }
    return [child, child.name == "p" ? first(in: child) : nil].compactMap(\.self).first { node in
      !Self.titleClasses.isDisjoint(with: node.classes)
    }
  }
}

extension Admonition {
  /// A frame as its author names it: the five kinds by their names, any other as a box whose title begins with its name.
  ///
  /// - Parameter name: Such as `note`, `seealso`, `exercise`; empty where its title says everything.
  init(named name: String, title: [Inline], blocks: [Block]) {
    let name = name.lowercased()
    let kind = Kind.allCases.first { $0.names.contains(name) }
    let words = title.plainText
    let isBox = name.isEmpty || name == Kind.box.rawValue
    let word =
      isBox
      ? "" : DirectiveRole.of(name)?.word ?? name.prefix(1).uppercased() + name.dropFirst().replacing("-", with: " ")
    let isSaid = word.isEmpty || words.lowercased().hasPrefix(word.lowercased())
    let own: [Inline]
    if kind?.word == word {
      own = words == word ? [] : title
    } else if isSaid {
      own = title
    } else {
      own = words.isEmpty ? [.text(word)] : [.text(word + ": ")] + title
    }
    self.init(kind: kind ?? .box, title: own, blocks: blocks)
  }
}
