package import LearningModel
package import TextCanvas

/// Draws the side pane: a header like that of a page and as many rows of content as fit.
///
/// If the pane is below a list, it begins with a rule and omits what the selected card already shows.
package struct SidePaneDrawing {
  package let theme: Theme
  package let symbols: Symbols
  package let metrics: PageMetrics
  /// The key that moves the focus to the pane's rows, as shown on screen, or `nil` if the pane cannot have the focus.
  package var key: String?
  /// The width of the text, in columns.
  package let width: Int
  /// The number of rows below the header and its spacing.
  package let height: Int
  /// The first row of the content.
  private let bodyTop: Int

  private var lines: LineDrawing { LineDrawing(theme: theme, symbols: symbols) }

  /// Creates a drawing of the pane next to the page.
  package init(theme: Theme, symbols: Symbols, metrics: PageMetrics) {
    (self.theme, self.symbols, self.metrics) = (theme, symbols, metrics)
    (width, height, bodyTop) = (metrics.sidePaneWidth, max(0, metrics.bodyRows - 1), metrics.bodyTop + 1)
  }

  /// The rows above the content of a pane below a list: the rule, the title and a blank row.
  package static let previewHeaderRows = 3

  /// Creates a drawing of the pane below a list. `rows` is the number of rows of the pane.
  package init(theme: Theme, symbols: Symbols, metrics: PageMetrics, belowListIn rows: Int) {
    (self.theme, self.symbols, self.metrics) = (theme, symbols, metrics)
    (width, height, bodyTop) = (metrics.textWidth, max(0, rows - Self.previewHeaderRows), Self.previewHeaderRows)
  }

  /// Draws the pane below a list, as wide as the rule. `places` maps a row of the surface to the place that it shows.
  package func preview(_ pane: SidePane) -> (surface: Surface, places: [Int: NodeID]) {
    var surface = Surface(columns: metrics.ruleWidth, rows: bodyTop + height)
    let leftColumn = metrics.textColumn - metrics.ruleColumn
    surface.copy(lines.rule(width: metrics.ruleWidth, fraction: 0, role: .faint))
    let (rows, places) = body(pane.content)
    let hintText = places.isEmpty ? "" : hint
    surface.copy(
      lines.row(StyledText(pane.header.title, style: theme.bold(Role(pane.kind))), dimmed(hintText), width: width),
      at: CellPoint(column: leftColumn, row: 1))
    for (number, row) in rows.enumerated() {
      surface.copy(row, at: CellPoint(column: leftColumn, row: bodyTop + number))
    }
    return (surface, places)
  }

  /// Draws the pane next to the page. `places` maps a row of the surface to the place that it shows.
  package func draw(_ pane: SidePane) -> (surface: Surface, places: [Int: NodeID]) {
    var surface = Surface(columns: width, rows: metrics.keysRow)
    let header = pane.header
    surface.copy(lines.row(dimmed(pane.label), width: width), at: CellPoint(column: 0, row: metrics.breadcrumbRow))
    surface.copy(
      lines.row(StyledText(header.title, style: theme.bold(Role(pane.kind))), dimmed(header.topRight), width: width),
      at: CellPoint(column: 0, row: metrics.titleRow))
    if let row = metrics.summaryRow {
      surface.copy(
        lines.row(dimmed(header.summary), dimmed(header.bottomRight), width: width), at: CellPoint(column: 0, row: row))
    }
    surface.copy(
      lines.rule(width: width, fraction: header.fraction, role: Role(pane.kind)),
      at: CellPoint(column: 0, row: metrics.ruleRow))
    let (rows, places) = body(pane.content)
    for (number, row) in rows.enumerated() { surface.copy(row, at: CellPoint(column: 0, row: bodyTop + number)) }
    // The hint is in the same row as the hint of the page.
    if !places.isEmpty, let row = metrics.hintRow {
      surface.copy(lines.row("", dimmed(hint), width: width), at: CellPoint(column: 0, row: row))
    }
    return (surface, places)
  }

  /// The hint for opening a place in one of the rows.
  private var hint: String { "Preview" + (key.map { " \(symbols.isAscii ? "-" : "·") \($0) to select" } ?? "") }

  private func dimmed(_ text: String) -> StyledText { StyledText(text, style: theme[.quiet]) }

  // MARK: - Below the header

  private func body(_ content: SidePane.Content) -> (rows: [Surface], places: [Int: NodeID]) {
    switch content {
    case .text(let blocks): return (startOfText(of: text(of: blocks)), [:])
    case .list(let items, let blocks):
      return (fitted((listed(items) + lines(of: blocks, after: items)).map(surface)), [:])
    case .drawing(let surface):
      return ([surface.cropped(CellRect(CellSize(columns: surface.columns, rows: min(surface.rows, height))))], [:])
    case .keys(let rows): return (fitted(rows.filter { !$0.keys.isEmpty }.map(draw)), [:])
    case .outline(let rows, let unread):
      let spacedRows = withSpacing(rows)
      let visible = spacedRows.count <= height ? (rows: spacedRows, below: 0) : window(rows, before: unread)
      let places = visible.rows.enumerated().compactMap { number, row in
        row?.card.node.map { (bodyTop + number, $0) }
      }
      let overflowRows = visible.below > 0 ? [overflowRow(visible.below)] : []
      let columns = CardWindow.Columns(rows.map(\.card))
      let drawnRows = visible.rows.map {
        $0.map { draw($0, columns) } ?? Surface(columns: width, rows: 1)
      }
      return (drawnRows + overflowRows, Dictionary(uniqueKeysWithValues: places))
    }
  }

  /// Returns the rows with a blank row before each row that is nested less deeply than the row above it.
  private func withSpacing(_ rows: [SidePane.Row]) -> [SidePane.Row?] {
    rows.indices.flatMap { index -> [SidePane.Row?] in
      index > 0 && rows[index].level < rows[index - 1].level ? [nil, rows[index]] : [rows[index]]
    }
  }

  /// Returns the rows of an outline that fit: those around the current page, or the first rows if the outline does not
  /// contain the current page.
  private func window(_ rows: [SidePane.Row], before unread: Int) -> (rows: [SidePane.Row?], below: Int) {
    guard rows.count > height, height > 1 else { return (Array(rows.prefix(height)), 0) }
    let currentIndex = rows.firstIndex { $0.placement != .neighbour } ?? 0
    let first = max(0, min(currentIndex - height / 2, rows.count - height))
    let isEnd = first + height == rows.count && unread == 0
    let visibleRows = rows[first..<first + (isEnd ? height : height - 1)]
    return (Array(visibleRows), rows.count - first - visibleRows.count + unread)
  }

  /// Returns as many lines of a text as fit. The last line is chosen like the end of a page in the reading view.
  private func startOfText(of text: ReadingText) -> [Surface] {
    guard text.lines.count > height, height > 1 else { return text.lines.prefix(height).map(surface) }
    let visibleRows = text.lines.prefix(text.pageEnd(from: 0, rows: height - 1)).map(surface)
    let blankRows = Array(repeating: Surface(columns: width, rows: 1), count: height - 1 - visibleRows.count)
    return visibleRows + blankRows + [overflowRow(nil)]
  }

  private func fitted(_ rows: [Surface]) -> [Surface] {
    guard rows.count > height, height > 1 else { return Array(rows.prefix(height)) }
    return rows.prefix(height - 1) + [overflowRow(nil)]
  }

  /// Returns the row that indicates omitted content. For texts, `count` is `nil`: the number of omitted lines would not
  /// help the reader.
  private func overflowRow(_ count: Int?) -> Surface {
    lines.row(dimmed(symbols.arrows[1] + (count.map { " \($0)" } ?? "") + " more"), width: width)
  }

  private func surface(_ line: StyledLine) -> Surface {
    var surface = Surface(columns: width, rows: 1)
    surface.draw(line.truncated(to: width, ellipsis: symbols.ellipsis), at: .zero)
    return surface
  }

  private func text(of blocks: [Block]) -> ReadingText {
    ReadingLayout(width: width, theme: theme, symbols: symbols).text(blocks)
  }

  private func lines(of blocks: [Block], after items: [[Inline]]) -> [StyledLine] {
    let text = text(of: blocks).lines
    return text.isEmpty || items.isEmpty ? text : [StyledLine()] + text
  }

  private func listed(_ items: [[Inline]]) -> [StyledLine] {
    let digits = String(items.count).count
    return items.enumerated().flatMap { index, item in
      let number = String(index + 1)
      var line = StyledText(String(repeating: " ", count: digits - number.count) + number + "  ", style: theme[.quiet])
      line.append(item.plainText, style: theme[.foreground])
      return line.wrapped(to: width, hangingIndent: digits + 2)
    }
  }

  private func draw(_ row: KeyRow) -> Surface {
    let key = row.keys[0].label(symbols)
    var text = StyledText(key, style: theme[.key])
    text.append(String(repeating: " ", count: max(2, 9 - key.displayWidth)))
    text.append(row.sentence, style: theme[.foreground])
    return lines.row(text, width: width)
  }

  private func draw(_ row: SidePane.Row, _ columns: CardWindow.Columns) -> Surface {
    let card = row.card
    let drawing = PageDrawing(theme: theme, symbols: symbols, metrics: metrics)
    var leftText = StyledText(String(repeating: " ", count: 2 * row.level))
    leftText.append(drawing.highlighted(card))
    let style =
      row.placement != .neighbour ? theme.bold(Role(card.kind)) : row.level == 0 ? theme[.strong] : theme[.foreground]
    leftText.append(card.title, style: style)
    return lines.row(
      leftText, row.placement == .current ? dimmed("you are here") : drawing.facts(of: card, columns, width: width),
      width: width)
  }
}

/// The content of the side pane in a very wide terminal: a preview of the selected place, or the surroundings of the
/// open one.
package struct SidePane: Hashable {
  package struct Row: Hashable {
    package var card: CardModel
    /// The nesting depth in the outline, from 0.
    package var level: Int
    package var placement = Placement.neighbour

    package init(card: CardModel, level: Int, placement: Placement = Placement.neighbour) {
      self.card = card
      self.level = level
      self.placement = placement
    }

    /// The relation of a row to the open page: a neighbour, the page itself, or the place that is selected on another
    /// page.
    package enum Placement: Hashable {
      case neighbour, current, selected
    }
  }

  package enum Content: Hashable {
    /// Places in reading order, and the number of further places that follow the last row.
    case outline([Row], rest: Int)
    /// The text of an activity.
    case text([Block])
    /// The fronts of flashcards or the questions of a quiz, without answers.
    case list([[Inline]], after: [Block])
    /// A drawing, cut off if it does not fit.
    case drawing(Surface)
    /// Keys and their actions, shown to first-time learners.
    case keys([KeyRow])
  }

  /// A label that states how the content of the pane relates to the page, such as `What would open`. Empty if the title
  /// makes the relation clear.
  package var label = ""
  package var header: PageModel.Header
  package var kind: PlaceKind
  package var content: Content

  package init(header: PageModel.Header, kind: PlaceKind, content: Content) {
    self.header = header
    self.kind = kind
    self.content = content
  }

  /// Returns a copy with a label.
  package func labelled(_ label: String) -> SidePane {
    var pane = self
    pane.label = label
    return pane
  }
}
