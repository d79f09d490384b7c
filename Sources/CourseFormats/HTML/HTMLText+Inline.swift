import LearningModel

extension HTMLText {
  /// Returns the content of an element as a line of text.
  mutating func lineOf(_ node: HTMLNode, depth: Int) throws -> [Inline] {
    var builder = LineBuilder()
    try addChildren(of: node, to: &builder, depth: depth)
    return builder.line
  }

  private mutating func addChildren(of node: HTMLNode, to line: inout LineBuilder, depth: Int) throws {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: self.line)
    }
    for child in node.children {
      if let text = child.text {
        add(text, to: &line)
      } else if let name = child.name {
        noteAnchor(of: child)
        guard try !handlesOutOfPlace(child, depth: depth) else { continue }
        try addInline(child, HTMLRole.of(name), to: &line, depth: depth)
      } else if child.isUnknownEntity {
        result.findings.countLoss("entity", "left out")
      }
    }
  }

  mutating func addInline(_ node: HTMLNode, _ role: HTMLRole, to line: inout LineBuilder, depth: Int) throws {
    func inner() throws -> LineBuilder {
      var builder = LineBuilder(isAtSpace: line.isAtSpace)
      try addChildren(of: node, to: &builder, depth: depth + 1)
      return builder
    }
    switch role {
    case .emphasis: line.add(try inner(), as: Inline.emphasis)
    case .strong: line.add(try inner(), as: Inline.strong)
    case .strikethrough: line.add(try inner(), as: Inline.strikethrough)
    case .code:
      if let role = SphinxRole.inline(node) { return line.add(role) }
      let text = node.textContent.map { $0.isNewline ? " " : $0 }
      if !text.isEmpty { line.add(.code(String(text).withoutControls)) }
    case .key:
      // `<kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd>` are two keys.
      guard !node.children.contains(where: { $0.name == "kbd" }) else {
        return try addChildren(of: node, to: &line, depth: depth + 1)
      }
      let name = node.textContent.withoutControls.onOneLine
      if !name.isEmpty { line.add(.key(name)) }
    case .quotation:
      line.add("“")
      try addChildren(of: node, to: &line, depth: depth + 1)
      line.add("”")
    case .superscript where node.classes.contains("footnote-ref") || node.classes.contains("footnote"):
      let reference = node.children.first { $0.name == "a" }?.attribute("href") ?? ""
      line.add(.link(destination: reference, text: [.text("[\(node.textContent.filter { !"[]".contains($0) })]")]))
    case .superscript:
      let raised = try lineOf(node, depth: depth + 1)
      if raised.contains(where: \.isLink) {
        addRaised(raised, to: &line)
      } else {
        let words = raised.plainText.onOneLine
        if !line.raise(words) { line.add(words.superscripted) }
      }
    case .`subscript`:
      let words = try lineOf(node, depth: depth + 1).plainText.onOneLine
      if !line.lower(words) { line.add(words.subscripted) }
    case .link: try addLink(node, inner(), to: &line)
    case .image: addImage(node, to: &line)
    case .svg: try addDrawing(node, to: &line, depth: depth)
    case .mathematics:
      line.add(try formula(node))
    case .rubyText: line.add("(\(try lineOf(node, depth: depth + 1).plainText))")
    case .lineBreak: line.add(.lineBreak)
    case .input:
      if node.attribute("type") != "checkbox" { result.findings.countLoss("form field", "left out") }
    case .embedded(let what): addEmbedded(node, what, to: &line)
    case .dropped(let counted): if let counted { result.findings.countLoss(counted, "left out") }
    case .formula:
      if let source = node.formulaSource { line.add(.math(source)) }
    default:
      if node.classes.contains("math"), let source = node.formulaSource {
        line.add(.math(source))
      } else if !dialect.stressedClasses.isDisjoint(with: node.classes.map(String.init)) {
        line.add(try inner(), as: Inline.emphasis)
      } else {
        try addChildren(of: node, to: &line, depth: depth + 1)
        // If an element can only be one line, such as a heading, the paragraphs in it are separated by a space.
        if role.isBlock { line.add(" ") }
      }
    }
  }

  private mutating func addLink(_ node: HTMLNode, _ inner: LineBuilder, to line: inout LineBuilder) throws {
    guard let written = node.attribute("href"), !written.isEmpty, dialect.publication != nil || !written.isDataURL
    else {
      if node.attribute("href")?.isDataURL == true { result.findings.countLoss("linked file", "shown as text") }
      for piece in inner.inlines { line.add(piece) }
      return
    }
    // The link from a footnote back to its reference is omitted, because the footnote is shown below the section that
    // contains the reference.
    if isInNote, isBacklink(node) { return }
    if let note = notes.references[node] {
      if node.isNoteReference, PublicationPage.noteLabel(of: node) == nil {
        for piece in inner.inlines { line.add(piece) }
      }
      return line.add(.link(destination: "#" + note.name, text: [.text("[\(note.label)]")]))
    }
    let destination = dialect.publication?.destination(written) ?? written
    if inner.inlines.isEmpty {
      if node.attribute("id") == nil { line.add(.link(destination: destination, text: [.text(written)])) }
    } else {
      line.add(inner) { .link(destination: destination, text: $0) }
    }
  }

  /// Returns whether a link in a footnote leads back to its reference.
  ///
  /// Source: the output of pandoc, cmark-gfm, kramdown and Docutils.
  private func isBacklink(_ node: HTMLNode) -> Bool {
    let names: Set<Substring> = ["footnote-backref", "footnote-back", "reversefootnote", "fn-backref"]
    return notes.backlinks.contains(node) || node.isOf("backlink", role: "doc-backlink")
      || !names.isDisjoint(with: node.classes)
  }

  /// Adds the content of a superscript that contains links.
  private func addRaised(_ raised: [Inline], to line: inout LineBuilder) {
    for (index, piece) in raised.enumerated() {
      if case .link(let destination, let words) = piece {
        line.add(.link(destination: destination, text: [.text(words.plainText.onOneLine.superscripted)]))
        continue
      }
      // Brackets around a footnote reference are dropped, because the text of the reference already has brackets.
      let besides = [index - 1, index + 1].filter(raised.indices.contains).map { raised[$0] }
      let isBracket = piece.plainText.allSatisfy { "[]() ".contains($0) }
      let isAtMark = besides.contains { $0.isLink && $0.plainText.hasPrefix("[") }
      if !isBracket || !isAtMark { line.add(piece) }
    }
  }

  private mutating func addEmbedded(_ node: HTMLNode, _ what: String, to line: inout LineBuilder) {
    let inside = node.children.first { $0.name == "source" }?.attribute("src")
    let title = node.attribute("title") ?? what.prefix(1).uppercased() + what.dropFirst()
    let address = node.attribute("src") ?? node.attribute("data") ?? inside ?? ""
    if dialect.publication != nil, case .file(let name, _) = LinkTarget(address), !name.isEmpty {
      // Only pages of the course can be opened. For any other file, only the name is shown.
      result.findings.countLoss(what, "shown as its name")
      line.add(.emphasis([.text("\(title.onOneLine): \(SourcePath.name(of: name).onOneLine)")]))
    } else if dialect.publication != nil, LinkTarget(address) == .unsafe {
      result.findings.countLoss(what, "left out")
    } else if !address.isEmpty {
      result.findings.countLoss(what, "shown as a link")
      line.add(.link(destination: address, text: [.text(title.onOneLine)]))
    } else {
      result.findings.countLoss(what, "left out")
    }
  }
}

extension Inline {
  fileprivate var isLink: Bool { if case .link = self { true } else { false } }
}

extension String {
  /// Whether the text is a `data:` URL.
  ///
  /// Source: RFC 2397.
  var isDataURL: Bool { prefix(6).lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix("data:") }
}
