import LearningModel

extension HTMLText {
  /// The classes of elements with the title of a frame.
  ///
  /// Sources: the output of Sphinx, Python-Markdown, GitHub and mdBook for admonitions.
  private static let titleClasses: Set<Substring> = [
    Substring(Alerts.titleClass), "markdown-alert-title", "blockquote-tag-title",
  ]

  /// The classes of frames (admonitions) in all formats.
  private static let frameClasses: Set<String> = ["admonition", "markdown-alert"]

  /// Returns the name of the frame that the classes of an element indicate, or `nil` if the element is not a frame.
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

  /// Reads a frame with its title.
  ///
  /// - Parameter name: The name of the frame.
  mutating func frame(_ node: HTMLNode, named name: String, depth: Int) throws -> Block {
    let title = try removeTitle(of: node, depth: depth)
    return .admonition(
      Admonition(named: name, title: title.words, blocks: try blocksOf(node, depth: depth + 1)))
  }

  /// Reads a block quote. If the quote represents an alert, returns a frame.
  mutating func quote(_ node: HTMLNode, depth: Int) throws -> Block? {
    guard let kind = titleNode(in: node)?.attribute(Alerts.kind) else {
      let blocks = try blocksOf(node, depth: depth + 1)
      return blocks.isEmpty ? nil : .quote(blocks)
    }
    let title = try removeTitle(of: node, depth: depth)
    let frame = Admonition(named: kind, title: title.words, blocks: try blocksOf(node, depth: depth + 1))
    return title.isClosed ? .details(summary: frame.heading, blocks: frame.blocks) : .admonition(frame)
  }

  mutating func tab(_ node: HTMLNode, depth: Int) throws -> ContentTab {
    var label = try removeTitle(of: node, depth: depth).words
    if label.isEmpty {
      let names = ["label", "title", "name", "header", "value"].lazy.compactMap(node.attribute)
      label = [.text(names.first { !$0.isEmpty }?.onOneLine ?? "Tab")]
    }
    label += takeTargets()
    return ContentTab(label: label, blocks: try blocksOf(node, depth: depth + 1))
  }

  /// Reads the terms of a list with their definitions. Empty if the list has no terms.
  mutating func definitions(_ node: HTMLNode, depth: Int) throws -> [Definition] {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: line)
    }
    var all: [Definition] = []
    for child in node.children where child.name != nil {
      noteAnchor(of: child)
      guard try !handlesOutOfPlace(child, depth: depth) else { continue }
      if child.name == "dt" {
        all.append(Definition(term: try lineOf(child, depth: depth + 1) + takeTargets(), blocks: []))
      } else if child.name == "div" {
        all += try definitions(child, depth: depth + 1)
      } else if let last = all.popLast() {
        all.append(Definition(term: last.term, blocks: last.blocks + (try blocksOf(child, depth: depth + 1))))
      }
    }
    return all
  }

  /// Reads the title of a frame and marks it, so that it is not read again with the content.
  private mutating func removeTitle(of node: HTMLNode, depth: Int) throws -> (words: [Inline], isClosed: Bool) {
    guard let title = titleNode(in: node) else { return ([], false) }
    let words = try lineOf(title, depth: depth + 1)
    readTitles.insert(title)
    return (words, title.attribute(Alerts.closed) != nil)
  }

  /// Returns the first child of an element if it is the title of a frame. The title may be inside a paragraph.
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
  /// Makes a frame with the name that its author used. The five standard kinds are recognised by name; other frames
  /// become boxes whose title begins with the author's name for them.
  ///
  /// - Parameters:
  ///   - name: The name, such as `note`, `seealso` or `exercise`; empty if the title is sufficient.
  ///   - title: The title as written.
  ///   - blocks: The content.
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
