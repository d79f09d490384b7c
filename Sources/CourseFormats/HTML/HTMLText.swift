import LearningModel

/// Converts HTML to blocks. Markdown is converted to HTML first, so HTML inside Markdown has the same meaning as in a
/// browser.
struct HTMLText {
  let file: String
  private let firstLine: Int
  let limits: SourceLimits
  let dialect: TextDialect
  var result = ParsedText()
  private var anchors = Anchor.names
  /// The number of top-level blocks so far.
  private var topCount = 0
  /// The titles of frames that were read already.
  var readTitles: Set<HTMLNode> = []
  /// Whether a footnote is being read.
  var isInNote = false
  /// The line number at which the current top-level block begins, or `nil` if it is unknown.
  private(set) var line: Int?

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - html: A document or a fragment.
  ///   - file: The file name for errors.
  ///   - firstLine: The line number of the first line. The lines in `data-sourcepos` attributes are relative to it.
  ///   - limits: The maximum nesting depth and size of tables.
  ///   - dialect: The extensions of HTML in the format.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the text exceeds a limit.
  static func parse(
    _ html: String, file: String, firstLine: Int = 1, limits: SourceLimits, dialect: TextDialect = .plain
  ) throws -> ParsedText {
    var anchors = Anchor.names
    return try parse(html, file: file, firstLine: firstLine, limits: limits, dialect: dialect, anchors: &anchors)
  }

  /// Parses one of several texts that are joined later.
  ///
  /// - Parameter anchors: The anchors of the previous texts, which are not used again. The new anchors are added.
  static func parse(
    _ html: String, file: String, firstLine: Int, limits: SourceLimits, dialect: TextDialect,
    anchors: inout UniqueNames
  ) throws -> ParsedText {
    var text = HTMLText(file: file, firstLine: firstLine, limits: limits, dialect: dialect)
    // Swapped instead of copied, because a long text may have many anchors.
    swap(&text.anchors, &anchors)
    defer { swap(&text.anchors, &anchors) }
    try HTMLDocument.withBody(of: html) { body in
      if let body { try text.readAll(body.children) }
    }
    return text.result
  }

  /// Converts nodes of a parsed document.
  ///
  /// - Parameters:
  ///   - nodes: The top-level nodes.
  ///   - file: The file name for errors.
  ///   - limits: The maximum nesting depth and size of tables.
  ///   - dialect: The extensions of HTML in the format.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the text exceeds a limit.
  static func parse(
    _ nodes: [HTMLNode], file: String, limits: SourceLimits, dialect: TextDialect
  ) throws -> ParsedText {
    var text = HTMLText(file: file, firstLine: 1, limits: limits, dialect: dialect)
    try text.readAll(nodes)
    return text.result
  }

  private mutating func readAll(_ nodes: [HTMLNode]) throws {
    var flow = Flow(isTop: true)
    for node in nodes { try readNode(node, into: &flow, depth: 0) }
    close(&flow)
    result.blocks = flow.blocks
  }

  private init(file: String, firstLine: Int, limits: SourceLimits, dialect: TextDialect) {
    self.file = file
    self.firstLine = firstLine
    self.limits = limits
    self.dialect = dialect
  }

  /// A sequence of blocks and the current unfinished line.
  struct Flow {
    let isTop: Bool
    var blocks: [LocatedBlock] = []
    var open = LineBuilder()
    /// The number of blocks after the last tab or definition was appended. If the number is still the same, the next
    /// tab or definition is joined with it.
    var joinIndex = 0

    init(isTop: Bool = false) {
      self.isTop = isTop
    }
  }

  // MARK: Blocks

  private mutating func read(_ parent: HTMLNode, into flow: inout Flow, depth: Int) throws {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: line)
    }
    for node in parent.children { try readNode(node, into: &flow, depth: depth) }
  }

  private mutating func readNode(_ node: HTMLNode, into flow: inout Flow, depth: Int) throws {
    if let text = node.text {
      try add(text, to: &flow)
    } else if let name = node.name {
      noteAnchor(of: node)
      if isDisplayedFormula(node), let source = try source(ofFormula: node) {
        close(&flow)
        return append(.math(source), to: &flow)
      }
      guard try !handlesOutOfPlace(node, depth: depth) else { return }
      try read(node, HTMLRole.of(name), into: &flow, depth: depth)
    } else if node.isUnknownEntity {
      result.findings.countLoss("entity", "left out")
    }
  }

  private mutating func read(_ node: HTMLNode, _ role: HTMLRole, into flow: inout Flow, depth: Int) throws {
    if let caption = dialect.caption(node.name!, node.attributes) {
      close(&flow)
      append(.paragraph(caption), to: &flow)
      try read(node, into: &flow, depth: depth + 1)
      return close(&flow)
    }
    guard role.isBlock || holdsBlock(node, role, depth: depth) else {
      return try addInline(node, role, to: &flow.open, depth: depth)
    }
    close(&flow)
    if flow.isTop, let start = node.attribute("data-sourcepos")?.prefix(while: \.isNumber), let number = Int(start) {
      line = number + firstLine - 1
    }
    switch role {
    case .heading(let level): append(try heading(node, level: level, depth: depth), to: &flow)
    case .label where dialect.webPage != nil && node.first(where: { HTMLRole.of($0.name ?? "").isHeading }) != nil:
      try read(node, into: &flow, depth: depth + 1)
      close(&flow)
    case .label(let isStrong):
      let text = try lineOf(node, depth: depth + 1)
      if !text.isEmpty { append(.paragraph([isStrong ? .strong(text) : .emphasis(text)]), to: &flow) }
    case .list(let isOrdered):
      if let list = try list(node, isOrdered: isOrdered, depth: depth) { append(list, to: &flow) }
    case .quote:
      if let quote = try quote(node, depth: depth) { append(quote, to: &flow) }
    case .tabs:
      for block in try blocksOf(node, depth: depth + 1) { append(block, to: &flow) }
    case .tab: join(.tabs([try tab(node, depth: depth)]), to: &flow)
    case .definitions:
      let definitions = try definitions(node, depth: depth)
      if definitions.isEmpty {
        for block in try blocksOf(node, depth: depth + 1) { append(block, to: &flow) }
      } else {
        join(.definitions(definitions), to: &flow)
      }
    case .preformatted: append(preformatted(node), to: &flow)
    case .table: for block in try table(node, depth: depth) { append(block, to: &flow) }
    case .rule: append(.rule, to: &flow)
    case .details where dialect.webPage != nil && node.attribute("open") != nil:
      try read(node, into: &flow, depth: depth + 1)
      close(&flow)
    case .details: append(try details(node, depth: depth), to: &flow)
    default:
      if dialect.webPage != nil, let frame = try admonition(node, depth: depth) {
        append(frame, to: &flow)
      } else if node.name == "section", node.classes.contains("footnotes") {
        try readFootnotes(node, depth: depth)
      } else if let name = frameName(of: node) {
        append(try frame(node, named: name, depth: depth), to: &flow)
      } else if dialect.publication != nil && node.name == "aside" {
        append(.quote(try blocksOf(node, depth: depth + 1)), to: &flow)
      } else {
        try read(node, into: &flow, depth: depth + 1)
        close(&flow)
      }
    }
  }

  /// Adds text to the current line. On a web page, a formula between delimiters of displayed formulas is a block and
  /// ends the line.
  private mutating func add(_ text: String, to flow: inout Flow) throws {
    guard dialect.webPage != nil else { return flow.open.add(text) }
    for piece in TeXText.segments(of: text) {
      switch piece {
      case .displayed(let source):
        close(&flow)
        append(.math(source), to: &flow)
      default: add(piece, to: &flow.open)
      }
    }
  }

  /// Ends the current line, which becomes a paragraph.
  private mutating func close(_ flow: inout Flow) {
    let text = flow.open.line
    flow.open = LineBuilder()
    if !text.isEmpty { append(.paragraph(text), to: &flow) }
  }

  private mutating func append(_ block: Block, to flow: inout Flow) {
    flow.blocks.append(LocatedBlock(block: block, line: line))
    if flow.isTop { topCount += 1 }
  }

  /// Appends a tab or a definition. If the previous block is of the same kind and directly precedes it, the two are
  /// joined.
  private mutating func join(_ block: Block, to flow: inout Flow) {
    if flow.joinIndex == flow.blocks.count, let last = flow.blocks.last?.block.joined(to: block) {
      flow.blocks[flow.blocks.count - 1].block = last
    } else {
      append(block, to: &flow)
    }
    flow.joinIndex = flow.blocks.count
  }

  /// Returns the blocks inside an element.
  mutating func blocksOf(_ node: HTMLNode, depth: Int) throws -> [Block] {
    var flow = Flow()
    try read(node, into: &flow, depth: depth)
    close(&flow)
    return flow.blocks.map(\.block)
  }

  private mutating func heading(_ node: HTMLNode, level: Int, depth: Int) throws -> Block {
    var text = try lineOf(node, depth: depth + 1).map { $0 == .lineBreak ? .text(" ") : $0 }
    var wanted = node.attribute("id") ?? ""
    if dialect.hasHeadingAttributes, let attributes = text.removeHeadingAttributes() {
      wanted = attributes.anchor ?? wanted
    }
    let anchor = Anchor.unique(wanted.isEmpty ? Anchor.make(from: text.plainText) : wanted, among: &anchors)
    result.anchors[anchor] = topCount
    return .heading(level: level, text: text, anchor: anchor)
  }

  /// Reads a collapsed section. If there is no `summary` element, the summary is "Details", as in browsers.
  private mutating func details(_ node: HTMLNode, depth: Int) throws -> Block {
    let summary = try node.children.first { $0.name == "summary" }.map { try lineOf($0, depth: depth + 1) } ?? []
    var flow = Flow()
    for child in node.children where child.name != "summary" {
      try readNode(child, into: &flow, depth: depth + 1)
    }
    close(&flow)
    return .details(summary: summary.isEmpty ? [.text("Details")] : summary, blocks: flow.blocks.map(\.block))
  }

  /// Reads a list. Returns `nil` if all its items are shown in another place.
  private mutating func list(_ node: HTMLNode, isOrdered: Bool, depth: Int) throws -> Block? {
    var items: [ListItem] = []
    var isElsewhere = false
    for child in node.children where child.name != nil {
      noteAnchor(of: child)
      guard try !self.handlesOutOfPlace(child, depth: depth) else {
        isElsewhere = true
        continue
      }
      items.append(ListItem(isTicked: tick(of: child), blocks: try blocksOf(child, depth: depth + 1)))
    }
    if items.isEmpty, isElsewhere { return nil }
    guard isOrdered else { return .bulletList(items: items) }
    let start = node.attribute("start").flatMap { Int($0) } ?? 1
    return .orderedList(start: min(max(start, 0), 999_999_999), items: items)
  }

  /// Returns whether the check box at the beginning of an item is ticked, or `nil` if there is no check box.
  private func tick(of item: HTMLNode) -> Bool? {
    func first(in node: HTMLNode) -> HTMLNode? {
      node.children.first { $0.name != nil || !($0.text ?? "").allSatisfy(\.isWhitespace) }
    }
    var node = first(in: item)
    if node?.name == "p" { node = node.flatMap(first) }
    guard let node, node.name == "input", node.attribute("type") == "checkbox" else { return nil }
    return node.attribute("checked") != nil
  }

  private func preformatted(_ node: HTMLNode) -> Block {
    let code = node.children.first { $0.name == "code" } ?? node
    let language =
      (code.classes + node.classes).first { $0.hasPrefix("language-") }?.dropFirst("language-".count)
      ?? (dialect.webPage == nil ? nil : WebPage.language(of: node))
    var text = node.textContent
    if text.hasSuffix("\n") { text.removeLast() }
    if language == "math" { return .math(text.withoutControls) }
    return .code(language: language.flatMap { $0.isEmpty ? nil : String($0) }, text: text.withoutControls)
  }

  private mutating func table(_ node: HTMLNode, depth: Int) throws -> [Block] {
    var reader = HTMLTable()
    try reader.gather(node, depth: depth, limits: limits, file: file)
    var rows: [[[Inline]]] = []
    for row in reader.rows {
      rows.append(try row.map { try blocksOf($0, depth: depth + 1).asLine })
    }
    var blocks: [Block] = []
    if let caption = reader.caption {
      let text = try lineOf(caption, depth: depth + 1)
      if !text.isEmpty { blocks.append(.paragraph([.emphasis(text)])) }
    }
    return blocks + (try reader.table(of: rows, limits: limits, file: file))
  }

  private mutating func readFootnotes(_ section: HTMLNode, depth: Int) throws {
    for list in section.children where list.name == "ol" {
      for item in list.children where item.name == "li" {
        result.footnotes.append(
          Footnote(
            anchor: item.attribute("id") ?? "", label: String(result.footnotes.count + 1),
            blocks: try blocksOf(item, depth: depth + 2)))
      }
    }
  }

  // MARK: Examining elements

  mutating func noteAnchor(of node: HTMLNode) {
    guard let anchor = node.attribute("id") ?? (node.name == "a" ? node.attribute("name") : nil), !anchor.isEmpty else {
      return
    }
    if result.anchors[anchor] == nil { result.anchors[anchor] = topCount }
  }

  /// Returns whether an inline element contains a block, for example if it is a link around a paragraph.
  private func holdsBlock(_ node: HTMLNode, _ role: HTMLRole, depth: Int) -> Bool {
    switch role {
    case .unknown, .link, .emphasis, .strong, .strikethrough:
      // If the maximum depth is reached, returns `true`, so that reading the content reports the exceeded limit.
      return depth > limits.nestingDepth
        || node.children.contains { child in
          child.name.map { name in
            let role = HTMLRole.of(name)
            return role.isBlock || holdsBlock(child, role, depth: depth + 1)
          } ?? false
        }
    default: return false
    }
  }
}

extension Block {
  /// Returns this block with the content of another block of the same kind appended, or `nil` if they cannot be
  /// joined.
  fileprivate func joined(to other: Block) -> Block? {
    switch (self, other) {
    case (.tabs(let some), .tabs(let more)): .tabs(some + more)
    case (.definitions(let some), .definitions(let more)): .definitions(some + more)
    default: nil
    }
  }
}

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

  /// Adds an inline element to a line.
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
    case .superscript where node.classes.contains("footnote-ref") || node.classes.contains("footnote"):
      let reference = node.children.first { $0.name == "a" }?.attribute("href") ?? ""
      line.add(.link(destination: reference, text: [.text("[\(node.textContent.filter { !"[]".contains($0) })]")]))
    case .superscript:
      let raised = try lineOf(node, depth: depth + 1)
      if case .link(let destination, let words) = raised.first, raised.count == 1 {
        line.add(.link(destination: destination, text: [.text(words.plainText.onOneLine.superscripted)]))
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
      if node.attribute("href")?.isDataURL == true { result.findings.countLoss("linked file", "its text is kept") }
      for piece in inner.inlines { line.add(piece) }
      return
    }
    // The link from a footnote back to its reference is omitted, because the footnote is shown below the section that
    // contains the reference.
    if node.classes.contains("footnote-backref") || node.classes.contains("footnote-back") { return }
    // Source: pandoc's HTML writer.
    if node.classes.contains("footnote-ref") {
      return line.add(.link(destination: written, text: [.text("[\(node.textContent.onOneLine)]")]))
    }
    if let page = dialect.publication {
      if isInNote, page.isBacklink(node) { return }
      if let note = page.note(of: node) {
        if PublicationPage.noteLabel(of: node) == nil {
          for piece in inner.inlines { line.add(piece) }
        }
        return line.add(.link(destination: "#" + note.name, text: [.text("[\(note.mark)]")]))
      }
    }
    let destination = dialect.publication?.destination(written) ?? written
    if inner.inlines.isEmpty {
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
      // Only pages of the course can be opened. For any other file, only the name is shown.
      result.findings.countLoss(what, "its name is shown")
      line.add(.emphasis([.text("\(title.onOneLine): \(SourcePath.name(of: name).onOneLine)")]))
    } else if dialect.publication != nil, LinkTarget(address) == .unsafe {
      result.findings.countLoss(what, "left out")
    } else if !address.isEmpty {
      result.findings.countLoss(what, "linked to")
      line.add(.link(destination: address, text: [.text(title.onOneLine)]))
    } else {
      result.findings.countLoss(what, "left out")
    }
  }
}

extension String {
  /// Whether the text is a `data:` URL.
  ///
  /// Source: RFC 2397.
  var isDataURL: Bool { prefix(6).lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix("data:") }
}
