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
  /// The footnotes of the page.
  var notes = PageNotes()
  /// The elements of footnotes that were read already.
  var readNotes: Set<HTMLNode> = []
  /// Whether a footnote is being read.
  var isInNote = false
  /// The names of the link targets to add to the next block.
  var pendingTargets: [String] = []
  /// The line number at which the current top-level block begins, or `nil` if it is unknown.
  private(set) var line: Int?

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - html: A document or a fragment.
  ///   - file: The file name for errors.
  ///   - firstLine: The line of the file at which the text begins. The lines in `data-sourcepos` attributes are
  ///     relative to it.
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
    try HTMLDocument.check(html, file: file, limits: limits)
    try HTMLDocument.withBody(of: html) { body in
      guard let body else { return }
      // Only a text with links to its own anchors can contain footnotes.
      if html.contains("href=\"#") {
        text.notes = PageNoteScan(body.children, depth: limits.nestingDepth).notes { $0 }
      }
      try text.readAll(body.children)
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
  ///   - notes: The footnotes of the page.
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the text exceeds a limit.
  static func parse(
    _ nodes: [HTMLNode], file: String, limits: SourceLimits, dialect: TextDialect, notes: PageNotes
  ) throws -> ParsedText {
    var text = HTMLText(file: file, firstLine: 1, limits: limits, dialect: dialect)
    text.notes = notes
    try text.readAll(nodes)
    return text.result
  }

  private mutating func readAll(_ nodes: [HTMLNode]) throws {
    var flow = Flow(isTop: true)
    for node in nodes { try readNode(node, into: &flow, depth: 0) }
    close(&flow)
    for block in unreferencedNotes(in: flow.blocks.map(\.block)) { append(block, to: &flow) }
    let targets = takeTargets()
    if !targets.isEmpty, let last = flow.blocks.last?.block {
      if let block = last.adding(targets) {
        flow.blocks[flow.blocks.count - 1].block = block
      } else {
        append(.paragraph(targets), to: &flow)
      }
    }
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
    /// The number of blocks when the last tab or definition was appended, including that block. If the number has not
    /// changed, the next tab or definition is joined with that block.
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

  mutating func readNode(_ node: HTMLNode, into flow: inout Flow, depth: Int) throws {
    if let text = node.text {
      try add(text, to: &flow)
    } else if let name = node.name {
      noteAnchor(of: node)
      if isDisplayedFormula(node), let source = try source(ofFormula: node) {
        closeLine(of: &flow, before: node)
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
      closeLine(of: &flow, before: node)
      append(.paragraph(caption), to: &flow)
      try read(node, into: &flow, depth: depth + 1)
      return close(&flow)
    }
    guard role.isBlock || holdsBlock(node, role, depth: depth) else {
      return try addInline(node, role, to: &flow.open, depth: depth)
    }
    closeLine(of: &flow, before: node)
    if flow.isTop, let start = node.attribute("data-sourcepos")?.prefix(while: \.isNumber), let number = Int32(start) {
      line = Int(number) + firstLine - 1
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
      appendTargets(to: &flow)
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
    case .details:
      appendTargets(to: &flow)
      append(try details(node, depth: depth), to: &flow)
    default:
      if dialect.webPage != nil, isAdmonition(node) {
        appendTargets(to: &flow)
        if let frame = try admonition(node, depth: depth) { append(frame, to: &flow) }
      } else if node.attribute("data-footnotes") != nil {
        // Source: cmark-gfm, `html.c`.
        try readFootnotes(node, into: &flow, depth: depth)
      } else if let name = frameName(of: node) {
        appendTargets(to: &flow)
        append(try frame(node, named: name, depth: depth), to: &flow)
      } else if dialect.publication != nil && node.name == "aside" {
        appendTargets(to: &flow)
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
  mutating func close(_ flow: inout Flow) {
    let text = flow.open.line
    flow.open = LineBuilder()
    if !text.isEmpty { append(.paragraph(text), to: &flow) }
  }

  /// Ends the current line before an element. The identifier of the element is not a target in that line.
  private mutating func closeLine(of flow: inout Flow, before node: HTMLNode) {
    guard let own = pendingTargets.last, own == node.attribute("id") ?? node.attribute("name") else {
      return close(&flow)
    }
    pendingTargets.removeLast()
    close(&flow)
    pendingTargets.append(own)
  }

  /// Appends a block with the pending targets. If the block has no line for them, they become a paragraph above it.
  private mutating func append(_ block: Block, to flow: inout Flow) {
    var block = block
    if !pendingTargets.isEmpty {
      let targets = takeTargets()
      if let marked = block.adding(targets) { block = marked } else { push(.paragraph(targets), to: &flow) }
    }
    push(block, to: &flow)
  }

  /// Appends the pending targets as a paragraph, so that they lead to the beginning of a box and not into it.
  private mutating func appendTargets(to flow: inout Flow) {
    let targets = takeTargets()
    if !targets.isEmpty { push(.paragraph(targets), to: &flow) }
  }

  /// Removes and returns the pending targets.
  mutating func takeTargets() -> [Inline] {
    defer { pendingTargets = [] }
    return pendingTargets.map(Inline.target)
  }

  private mutating func push(_ block: Block, to flow: inout Flow) {
    flow.blocks.append(LocatedBlock(block: block, line: line))
    if flow.isTop { topCount += 1 }
  }

  /// Appends a tab or a definition. If the previous block is of the same kind and directly precedes it, the two are
  /// joined.
  private mutating func join(_ block: Block, to flow: inout Flow) {
    let isNext = flow.joinIndex == flow.blocks.count
    if !isNext || flow.blocks.isEmpty || !flow.blocks[flow.blocks.count - 1].block.join(block) {
      append(block, to: &flow)
    }
    flow.joinIndex = flow.blocks.count
  }

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
    pendingTargets.removeAll { $0 == anchor }
    return .heading(level: level, text: text, anchor: anchor)
  }

  /// Reads a collapsed section. If there is no `summary` element, the summary is "Details", as in browsers.
  private mutating func details(_ node: HTMLNode, depth: Int) throws -> Block {
    var summary: [Inline] = []
    if let line = node.children.first(where: { $0.name == "summary" }) {
      noteAnchor(of: line)
      summary = try lineOf(line, depth: depth + 1)
    }
    if summary.isEmpty { summary = [.text("Details")] }
    summary += takeTargets()
    var flow = Flow()
    for child in node.children where child.name != "summary" {
      try readNode(child, into: &flow, depth: depth + 1)
    }
    close(&flow)
    return .details(summary: summary, blocks: flow.blocks.map(\.block))
  }

  /// Reads a list. Returns `nil` if all its items are shown in another place.
  private mutating func list(_ node: HTMLNode, isOrdered: Bool, depth: Int) throws -> Block? {
    var items: [ListItem] = []
    var isElsewhere = false
    var numbering = ListNumbering(node)
    for child in node.children where child.name != nil {
      noteAnchor(of: child)
      guard try !self.handlesOutOfPlace(child, depth: depth) else {
        isElsewhere = true
        continue
      }
      let number = isOrdered ? numbering.number(of: child) : nil
      items.append(
        ListItem(isTicked: tick(of: child), number: number, blocks: try blocksOf(child, depth: depth + 1)))
    }
    if items.isEmpty, isElsewhere { return nil }
    return isOrdered ? .orderedList(start: numbering.start, items: items) : .bulletList(items: items)
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
    var blocks: [Block] = []
    if let caption = reader.caption {
      noteAnchor(of: caption)
      let text = try lineOf(caption, depth: depth + 1)
      if !text.isEmpty { blocks.append(.paragraph([.emphasis(text)] + takeTargets())) }
    }
    for row in try reader.grid(limits: limits, file: file) {
      rows.append(
        try row.map { cell in
          guard let cell else { return [] }
          if let row = cell.parent, row.name == "tr" { noteAnchor(of: row) }
          noteAnchor(of: cell)
          return try blocksOf(cell, depth: depth + 1).asLine
        })
    }
    return blocks + reader.table(of: rows)
  }

  // MARK: Examining elements

  mutating func noteAnchor(of node: HTMLNode) {
    guard let anchor = node.attribute("id") ?? (node.name == "a" ? node.attribute("name") : nil), !anchor.isEmpty else {
      return
    }
    guard result.anchors[anchor] == nil, node.attribute("data-footnote-ref") == nil else { return }
    result.anchors[anchor] = topCount
    pendingTargets.append(anchor)
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
  /// Returns the block with targets in its line or in the first cell of its table, or `nil` for other blocks.
  fileprivate func adding(_ targets: [Inline]) -> Block? {
    switch self {
    case .paragraph(let line): return .paragraph(line + targets)
    case .heading(let level, let text, let anchor):
      return .heading(level: level, text: text + targets.filter { $0 != .target(anchor) }, anchor: anchor)
    case .table(let alignments, var header, let rows) where !header.isEmpty:
      header[0] += targets
      return .table(alignments: alignments, header: header, rows: rows)
    default: return nil
    }
  }

  /// Appends the content of another block of the same kind. Returns `false` if the blocks cannot be joined.
  fileprivate mutating func join(_ other: Block) -> Bool {
    // `self` is replaced first, because appending to a list with two references would copy it.
    if case .tabs(let more) = other, case .tabs(var all) = self {
      self = .rule
      all += more
      self = .tabs(all)
    } else if case .definitions(let more) = other, case .definitions(var all) = self {
      self = .rule
      all += more
      self = .definitions(all)
    } else {
      return false
    }
    return true
  }
}
