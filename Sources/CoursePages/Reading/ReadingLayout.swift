package import LearningModel
import Mathematics
package import TextCanvas

/// Lays out the blocks of a text in lines of a given width.
///
/// The browser, `waymark show` and `waymark render` use the same layout.
package struct ReadingLayout: Sendable {
  /// The default maximum line length in columns, chosen for comfortable reading.
  package static let maximumLineLength = 74
  /// The maximum line lengths that can be set. A page has no more columns.
  package static let measures = 40...94
  /// The width for lines that are never wrapped.
  package static let unlimited = Int.max / 4

  /// The width of running text in columns.
  package let width: Int
  /// The available width in columns, which tables and code may use.
  package let availableColumns: Int
  package let theme: Theme
  package let symbols: Symbols
  package let imageStyle: ImageStyle
  /// Whether the output has text only, without styles.
  package let isPlain: Bool
  /// Whether code and addresses that are longer than a line are not broken.
  package let overflows: Bool
  /// The contents of the footnotes that are shown below their references, by number.
  private(set) var expandedNotes: [Int: [Block]] = [:]
  /// The first visible column of each unwrapped block, by the block's index in ``ReadingText/selectableBlocks``.
  private(set) var unwrapped: [Int: Int] = [:]

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - width: The available width in columns, at least 1. Tables and code may use all of it.
  ///   - measure: The maximum length of a line of running text, in columns.
  ///   - theme: The styles of the roles.
  ///   - symbols: The symbols for bullets, bars and rules.
  ///   - imageStyle: The display of images that are stored with the course.
  ///   - isPlain: Whether the output is plain text without styles, as in a pipe. In plain text, struck-out text is
  ///     enclosed in tildes, because it would otherwise look valid, and links that lead out of the course are followed
  ///     by their addresses.
  ///   - overflows: Whether code and addresses that are longer than a line are not broken, so that they can be copied.
  ///     Intended for output that is not limited to a screen.
  package init(
    width: Int, measure: Int = ReadingLayout.maximumLineLength, theme: Theme, symbols: Symbols,
    imageStyle: ImageStyle = .descriptions, isPlain: Bool = false, overflows: Bool = false
  ) {
    availableColumns = max(1, width)
    self.width = min(availableColumns, measure)
    self.overflows = overflows
    self.theme = theme
    self.symbols = symbols
    self.imageStyle = imageStyle
    self.isPlain = isPlain
  }

  /// Lays out a text.
  ///
  /// - Parameter expanded: The open footnotes and the unwrapped blocks.
  package func text(_ blocks: [Block], expanded: ExpandedSections = ExpandedSections()) -> ReadingText {
    var layout = self
    layout.expandedNotes = expanded.notes.isEmpty ? [:] : blocks.notes.filter { expanded.notes.contains($0.key) }
    layout.unwrapped = expanded.unwrapped
    return layout.laidOut(blocks)
  }

  /// Lays out a single line of a text, such as a question, in the given style.
  package func text(_ line: [Inline], _ style: Style) -> ReadingText {
    var text = ReadingText()
    appendParagraph(line, style, to: &text, margin: Margin())
    text.findLinks(to: line.linkDestinations + text.images.indices.map(ImageLink.destination))
    return text
  }

  /// Returns a copy of the layout with a different image style or width.
  package func with(imageStyle: ImageStyle? = nil, width: Int? = nil) -> ReadingLayout {
    ReadingLayout(
      width: width ?? availableColumns, measure: width ?? self.width, theme: theme, symbols: symbols,
      imageStyle: imageStyle ?? self.imageStyle, isPlain: isPlain, overflows: overflows)
  }

  private func laidOut(_ blocks: [Block]) -> ReadingText {
    var text = ReadingText()
    append(blocks, to: &text, margin: Margin())
    text.findLinks(to: blocks.linkDestinations + text.images.indices.map(ImageLink.destination))
    return text
  }
}

// MARK: - Blocks

/// The prefix of the lines of a block: blanks, and the bars of enclosing quotations.
struct Margin {
  var runs: [StyledRun] = []
  /// Replaces ``runs`` on the first line of the block, for example with a bullet.
  var first: [StyledRun]?
  var quoteDepth = 0
  /// Whether the last run is the bar of a quotation that contains only a code block. If `true`, the code is drawn
  /// without its own vertical line.
  var isCodeBar = false

  var width: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }
}

extension ReadingLayout {
  func append(_ blocks: [Block], to text: inout ReadingText, margin: Margin) {
    var margin = margin
    let isItem = margin.first != nil
    var previousLines = 0..<0
    // The targets in paragraphs that contain nothing else. They are on the first line of the next block.
    var targets: [String] = []
    for (index, block) in blocks.enumerated() {
      if block.isTarget, case .paragraph(let line) = block {
        if margin.runs.isEmpty { text.blockLines.append(text.lines.count) }
        targets += line.targetNames
        continue
      }
      let previous = blocks[..<index].last { !$0.isTarget }
      if let previous, needsSpacing(between: previous, and: block, margin: margin) {
        text.lines.append(spacingLine(margin))
      }
      let start = text.lines.count
      if margin.runs.isEmpty { text.blockLines.append(start) }
      text.addTargets(targets, at: start)
      targets = []
      append(block, to: &text, margin: margin)
      appendFootnotes(of: block, to: &text, margin: margin)
      let lines = start..<text.lines.count
      if let previous, let first = firstLine(of: previous, in: previousLines, leadingTo: block, in: lines) {
        text.addUnbreakable(first..<start + 1)
      } else if index == 1, isItem, previousLines.count == 1 {
        // Keeps the first line of an item together with the following block.
        text.addUnbreakable(previousLines.lowerBound..<start + 1)
      }
      previousLines = lines
      margin.first = nil
    }
    text.addTargets(targets, at: max(0, text.lines.count - 1))
  }

  /// Returns the first line of a block that must be on the same page as the beginning of the next block, or `nil` if no
  /// line must be.
  private func firstLine(
    of block: Block, in lines: Range<Int>, leadingTo next: Block, in nextLines: Range<Int>
  ) -> Int? {
    switch (block, next) {
    case (.heading, _), (.rule, _): lines.lowerBound
    case (.paragraph(let inlines), _) where inlines.last?.plainText.last == ":": lines.upperBound - 1
    case (.paragraph, .code) where nextLines.count == 1: lines.upperBound - 1
    default: nil
    }
  }

  /// The style of a heading, which differs from text at every level, also without colours. It is not underlined, because
  /// matches and links are.
  private func headingStyle(_ level: Int) -> Style {
    switch level {
    case ...2: theme.bold(.strong)
    case 3: theme.bold(.strong).with(.italic)
    default: theme[.foreground].with(.italic)
    }
  }

  /// The maximum number of lines of a code block or table row that are kept on one page.
  static let maximumKeptLines = 4

  private func append(_ block: Block, to text: inout ReadingText, margin: Margin) {
    let start = text.lines.count
    switch block {
    case .heading(let level, let title, let anchor):
      text.headings.append(.init(line: text.lines.count, level: level, title: title.plainText, anchor: anchor))
      text.addTargets(title.targetNames, at: start)
      append(styled(title, headingStyle(level)), to: &text, margin: margin)
    case .paragraph(let inlines):
      text.addTargets(inlines.targetNames, at: start)
      if let formula = formulaInRows(inlines, margin: margin) { return append(formula, to: &text, margin: margin) }
      appendParagraph(inlines, theme[.foreground], to: &text, margin: margin)
      text.addBlock(block, from: start)
    case .bulletList(let items):
      let isLoose = hasSpacedItems(items)
      for (index, item) in items.enumerated() {
        let bullet = symbols.bullets[min(margin.quoteDepth, symbols.bullets.count - 1)]
        let checkbox = item.isTicked.map { "[\($0 ? symbols.done : " ")]" }
        append(item, marker: checkbox ?? bullet, to: &text, margin: margin)
        if index < items.count - 1, isLoose { text.lines.append(spacingLine(margin)) }
      }
    case .orderedList(let start, let items):
      let isLoose = hasSpacedItems(items)
      let numbers = items.numbers(from: start)
      let digits = numbers.map(\.count).max() ?? 0
      for (index, item) in items.enumerated() {
        let number = numbers[index]
        append(
          item, marker: String(repeating: " ", count: digits - number.count) + number + ".", to: &text, margin: margin)
        if index < items.count - 1, isLoose { text.lines.append(spacingLine(margin)) }
      }
    case .quote(let blocks):
      var inner = margin
      var bar = symbols.bar
      if blocks.count == 1, case .code(let language, _) = blocks[0] {
        inner.isCodeBar = !isPlain
        if language == nil, text.followsProgram(at: start) { bar = symbols.outputLine }
      }
      inner.runs += [StyledRun(bar + " ", style: theme[.faint])]
      inner.first = margin.first.map { $0 + [StyledRun(bar + " ", style: theme[.faint])] }
      append(blocks, to: &text, margin: inner)
    case .details(let summary, let blocks):
      // Output that is not interactive shows the content of all sections.
      append(.quote([.paragraph([.strong(summary)])] + blocks), to: &text, margin: margin)
    case .admonition(let box):
      append(box, to: &text, margin: margin)
    case .definitions(let all):
      append(all, to: &text, margin: margin)
    case .tabs(let all):
      append(all, to: &text, margin: margin)
    case .code(let language, let code):
      appendCode(code, in: language, to: &text, margin: margin)
    case .table(let alignments, let header, let rows):
      text.addTargets(([header] + rows).flatMap { $0.flatMap(\.targetNames) }, at: start)
      let tableColumns = max(8, availableColumns - margin.width)
      let overflow = max(0, naturalWidth(of: [header] + rows) - tableColumns)
      let column = overflow > 0 ? unwrapped[text.selectableBlocks.count] : nil
      let lines =
        column.map {
          unwrappedTable(alignments: alignments, header: header, rows: rows, columns: tableColumns, from: $0)
        }
        ?? table(alignments: alignments, header: header, rows: rows, columns: tableColumns)
      appendTable(lines, to: &text, margin: margin)
      text.addBlock(block, from: start, overflow: overflow)
    case .math(let source):
      append(Formula(latex: source), to: &text, margin: margin)
      text.addBlock(block, from: start)
    case .rule:
      let rule = String(repeating: symbols.horizontal, count: max(1, min(24, width - margin.width)))
      text.lines.append(StyledLine(margin.runs + [StyledRun(rule, style: theme[.faint])]))
    }
  }

  private func appendTable(
    _ table: (lines: [StyledLine], together: [Range<Int>]), to text: inout ReadingText, margin: Margin
  ) {
    var prefixRuns = margin.first ?? margin.runs
    let start = text.lines.count
    for together in table.together {
      // Only the first lines of a tall row are kept on one page.
      let lines = together.prefix(Self.maximumKeptLines + 2)
      text.addUnbreakable(lines.lowerBound + start..<lines.upperBound + start)
    }
    for line in table.lines {
      let indent = line.indent > 0 ? [StyledRun(spaces(line.indent))] : []
      text.lines.append(line.runs.isEmpty ? spacingLine(margin) : StyledLine(prefixRuns + indent + line.runs))
      prefixRuns = margin.runs
    }
    text.tables.append(start..<text.lines.count)
  }

  private func append(_ item: ListItem, marker: String, to text: inout ReadingText, margin: Margin) {
    // In a narrow column, the gap after a bullet is smaller, so that deeply nested lists keep more width for text.
    let gap = width - margin.width >= 24 ? 2 : 1
    let indent = marker.displayWidth + gap
    var inner = margin
    inner.quoteDepth += 1
    inner.first = (margin.first ?? margin.runs) + [StyledRun(marker, style: theme[.quiet]), StyledRun(spaces(gap))]
    inner.runs += [StyledRun(spaces(indent))]
    if item.blocks.isEmpty { text.lines.append(StyledLine(inner.first!)) }
    append(item.blocks, to: &text, margin: inner)
  }

  func append(_ styled: StyledText, to text: inout ReadingText, margin: Margin) {
    let lines = wrapped(styled, to: max(8, width - margin.width))
    // The first two lines of a paragraph are kept on one page.
    text.addUnbreakable(text.lines.count..<text.lines.count + min(2, lines.count))
    for (index, line) in lines.enumerated() {
      let prefixRuns = index == 0 ? margin.first ?? margin.runs : margin.runs
      text.lines.append(StyledLine(prefixRuns + line.runs))
    }
  }

  /// Returns the lines of a text that is wrapped to a width. Unbreakable words may be longer.
  package func wrapped(_ text: StyledText, to width: Int, indent: Int = 0, hangingIndent: Int? = nil) -> [StyledLine] {
    text.wrapped(to: width, indent: indent, hangingIndent: hangingIndent, overflowing: overflows)
  }

  private func needsSpacing(between previous: Block, and next: Block, margin: Margin) -> Bool {
    guard margin.quoteDepth > 0 else { return true }
    // Inside a list item, a nested list directly follows the sentence above it, without a blank line.
    switch next {
    case .bulletList, .orderedList: return false
    default: return true
    }
  }

  /// Returns whether the items of a list are separated by blank lines. This is the case if an item contains several
  /// blocks other than lists.
  private func hasSpacedItems(_ items: [ListItem]) -> Bool {
    items.contains { item in
      item.blocks.dropFirst().contains { block in
        switch block {
        case .bulletList, .orderedList: false
        default: true
        }
      }
    }
  }

  func spacingLine(_ margin: Margin) -> StyledLine {
    // The bar of a quotation or frame continues through blank lines. Trailing blanks are omitted.
    let bars = [symbols.bar, symbols.outputLine, String(symbols.vertical)]
    guard let bar = margin.runs.lastIndex(where: { run in bars.contains { run.text.hasPrefix($0) } }) else {
      return StyledLine()
    }
    return StyledLine(
      margin.runs[..<bar] + [StyledRun(String(margin.runs[bar].text.prefix(1)), style: margin.runs[bar].style)])
  }

  func spaces(_ count: Int) -> String {
    String(repeating: " ", count: count)
  }

  /// Returns the styled text of inline elements. `base` is the style of plain text.
  package func styled(_ inlines: [Inline], _ base: Style) -> StyledText {
    var text = StyledText()
    append(inlines, base, to: &text)
    return text
  }

  func append(_ inlines: [Inline], _ style: Style, to text: inout StyledText) {
    for inline in inlines {
      switch inline {
      case .text(let string):
        text.append(overflows ? string.withoutBreaksInAddresses : string, style: style)
      case .emphasis(let inner):
        append(inner, style.with(.italic), to: &text)
      case .strong(let inner):
        append(inner, style.with(.bold), to: &text)
      case .strikethrough(let inner):
        if isPlain { text.append("~~", style: style) }
        append(inner, style.with(.strikethrough), to: &text)
        if isPlain { text.append("~~", style: style) }
      case .code(let code):
        var styled = theme[.code]
        styled.attributes.formUnion(style.attributes)
        styled.link = style.link
        text.append(overflows ? code.withoutBreaks : code, style: styled)
      case .key(let name):
        let (open, close) = symbols.isAscii ? ("<", ">") : ("‹", "›")
        text.append(open + name.withoutBreaks + close, style: style.with(.bold))
      case .math(let source):
        let formula = Formula(latex: source)
        text.append(symbols.isAscii ? formula.ascii : formula.line, style: style)
      case .link(let destination, let inner):
        var linked = style.with(.underline)
        linked.foreground = theme[.accent].foreground
        linked.link = Hyperlink(destination)
        append(inner.isEmpty ? [.text(destination)] : inner, linked, to: &text)
        // Links in plain output cannot be clicked, so links that lead out of the course need their addresses. Links to
        // places of the course are identified by their titles.
        let leadsOut = !destination.hasPrefix(CourseLink.scheme) && !destination.hasPrefix("#")
        if isPlain, leadsOut, !destination.hasSuffix(inner.plainText) {
          text.append(" (\(overflows ? destination.withoutBreaks : destination))", style: style)
        }
      case .image where inline.soundName != nil:
        text.append(symbols.sound + " " + (inline.soundName ?? ""), style: theme[.quiet].with(.italic))
      case .image(_, let alternative, _):
        let label = alternative.isEmpty ? "Image" : "Image: " + alternative
        text.append("[" + label + "]", style: theme[.quiet].with(.italic))
      case .lineBreak:
        text.append("\n", style: style)
      case .target: break
      }
    }
  }
}

extension StringProtocol {
  /// The text with a word joiner between each two characters. Word joiners are invisible and prevent line breaks.
  ///
  /// Source: Unicode Standard Annex 14, class WJ.
  fileprivate var withoutBreaks: String { map(String.init).joined(separator: "\u{2060}") }

  /// The text with word joiners inside everything that looks like an address, so that addresses are not broken.
  fileprivate var withoutBreaksInAddresses: String {
    guard contains("://") else { return String(self) }
    return split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.contains("://") ? $0.withoutBreaks : String($0) }.joined(separator: " ")
  }
}

extension Style {
  package func with(_ attribute: Attributes) -> Style {
    var style = self
    style.attributes.insert(attribute)
    return style
  }
}

extension ReadingLayout {
  /// Appends a formula that is a block: in several rows if they fit, otherwise as a line that is wrapped like text.
  func append(_ formula: Formula, to text: inout ReadingText, margin: Margin) {
    let (indent, columns) = availableColumns(forFormulasIn: margin)
    guard let rows = rows(of: formula, margin: margin) else {
      let line = symbols.isAscii ? formula.ascii : formula.line
      let lines = wrapped(StyledText(line, style: theme[.foreground]), to: columns)
      return append(lines.map { [StyledRun(spaces(indent))] + $0.runs }, to: &text, margin: margin)
    }
    append(
      rows.map { [StyledRun(spaces(indent)), StyledRun($0, style: theme[.foreground])] }, to: &text, margin: margin)
  }

  /// Returns a formula block for a paragraph that consists of one formula with several rows, such as a matrix, or `nil`
  /// for any other paragraph.
  func formulaInRows(_ paragraph: [Inline], margin: Margin) -> Block? {
    guard case .math(let source)? = paragraph.first, paragraph.dropFirst().allSatisfy(\.isTarget),
      let rows = rows(of: Formula(latex: source), margin: margin), rows.count > 1
    else { return nil }
    return .math(source)
  }

  private func rows(of formula: Formula, margin: Margin) -> [String]? {
    guard !symbols.isAscii else { return nil }
    return formula.rows(columns: availableColumns(forFormulasIn: margin).columns) { String($0).displayWidth }?.lines
  }

  private func availableColumns(forFormulasIn margin: Margin) -> (indent: Int, columns: Int) {
    let indent = width - margin.width >= 24 ? 4 : 0
    return (indent, max(8, width - margin.width - indent))
  }

  private func append(_ lines: [[StyledRun]], to text: inout ReadingText, margin: Margin) {
    let first = text.lines.count
    for (number, runs) in lines.enumerated() {
      text.lines.append(StyledLine((number == 0 ? margin.first ?? margin.runs : margin.runs) + runs))
    }
    text.addUnbreakable(first..<text.lines.count)
  }
}
