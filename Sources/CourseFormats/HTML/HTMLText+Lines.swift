import LearningModel

extension HTMLText {
  /// The line that an element's words make.
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
        guard try !isElsewhere(child, depth: depth) else { continue }
        try addInline(child, HTMLRole.of(name), to: &line, depth: depth)
      } else if child.isUnknownEntity {
        result.findings.lose("entity", "left out")
      }
    }
  }

  /// Adds what an element inside a line makes.
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
    case .raised where node.classes.contains("footnote-ref") || node.classes.contains("footnote"):
      let reference = node.children.first { $0.name == "a" }?.attribute("href") ?? ""
      line.add(.link(destination: reference, text: [.text("[\(node.textContent.filter { !"[]".contains($0) })]")]))
    case .raised:
      let raised = try lineOf(node, depth: depth + 1)
      if case .link(let destination, let words) = raised.first, raised.count == 1 {
        line.add(.link(destination: destination, text: [.text(words.plainText.onOneLine.raised)]))
      } else {
        let words = raised.plainText.onOneLine
        if !line.raise(words) { line.add(words.raised) }
      }
    case .lowered:
      let words = try lineOf(node, depth: depth + 1).plainText.onOneLine
      if !line.lower(words) { line.add(words.lowered) }
    case .link: try addLink(node, inner(), to: &line)
    case .image: addImage(node, to: &line)
    case .drawing: try addDrawing(node, to: &line, depth: depth)
    case .mathematics:
      line.add(try formula(node))
    case .spoken: line.add("(\(try lineOf(node, depth: depth + 1).plainText))")
    case .lineBreak: line.add(.lineBreak)
    case .input:
      if node.attribute("type") != "checkbox" { result.findings.lose("form field", "left out") }
    case .embedded(let what): addEmbedded(node, what, to: &line)
    case .dropped(let counted): if let counted { result.findings.lose(counted, "left out") }
    case .formula:
      if let source = node.formulaSource { line.add(.math(source)) }
    default:
      if node.classes.contains("math"), let source = node.formulaSource {
        line.add(.math(source))
      } else if !dialect.stressedClasses.isDisjoint(with: node.classes.map(String.init)) {
        line.add(try inner(), as: Inline.emphasis)
      } else {
        try addChildren(of: node, to: &line, depth: depth + 1)
        // Two paragraphs in what can only be a line, such as a heading, stay apart.
        if role.isBlock { line.add(" ") }
      }
    }
  }

  private mutating func addLink(_ node: HTMLNode, _ inner: LineBuilder, to line: inout LineBuilder) throws {
    guard let written = node.attribute("href"), !written.isEmpty, dialect.publication != nil || !written.isData else {
      if node.attribute("href")?.isData == true { result.findings.lose("linked file", "its words are kept") }
      for piece in inner.pieces { line.add(piece) }
      return
    }
    // The way back from a footnote leads nowhere once it stands below the text that it belongs to.
    if node.classes.contains("footnote-backref") || node.classes.contains("footnote-back") { return }
    // Source: pandoc's HTML writer.
    if node.classes.contains("footnote-ref") {
      return line.add(.link(destination: written, text: [.text("[\(node.textContent.onOneLine)]")]))
    }
    if let page = dialect.publication {
      if isInNote, page.isWayBack(node) { return }
      if let note = page.note(of: node) {
        if PublicationPage.mark(of: node) == nil {
          for piece in inner.pieces { line.add(piece) }
        }
        return line.add(.link(destination: "#" + note.name, text: [.text("[\(note.mark)]")]))
      }
    }
    let destination = dialect.publication?.destination(written) ?? written
    if inner.pieces.isEmpty {
      if node.attribute("id") == nil { line.add(.link(destination: destination, text: [.text(written)])) }
    } else {
      line.add(inner) { .link(destination: destination, text: $0) }
    }
  }

  private mutating func addEmbedded(_ node: HTMLNode, _ what: String, to line: inout LineBuilder) {
    let inside = node.children.first { $0.name == "source" }?.attribute("src")
    let title = node.attribute("title") ?? what.prefix(1).uppercased() + what.dropFirst()
    let address = node.attribute("src") ?? node.attribute("data") ?? inside ?? ""
    if dialect.publication != nil, case .file(let name, _) = LinkTarget(address), !name.isEmpty {
      // Only pages of a book can be opened, so what it carries is named.
      result.findings.lose(what, "its name is shown")
      line.add(.emphasis([.text("\(title.onOneLine): \(SourcePath.name(of: name).onOneLine)")]))
    } else if dialect.publication != nil, LinkTarget(address) == .unsafe {
      result.findings.lose(what, "left out")
    } else if !address.isEmpty {
      result.findings.lose(what, "linked to")
      line.add(.link(destination: address, text: [.text(title.onOneLine)]))
    } else {
      result.findings.lose(what, "left out")
    }
  }
}

extension String {
  /// Whether it is an address that holds in itself what it leads to.
  ///
  /// Source: RFC 2397.
  var isData: Bool { prefix(6).lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix("data:") }
}
