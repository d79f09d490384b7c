package import LearningModel
package import TextCanvas

/// Draws what stands beside the page: the header as a page has it, and below it as much as there is room for. Below a list
/// it stands behind a rule, and what its card says already is left out.
package struct AsideDrawing {
  package let theme: Theme
  package let symbols: Symbols
  package let metrics: PageMetrics
  /// The key that gives the rows the keys, as the screen shows it; `nil` where none does.
  package var key: String?
  /// Columns of text.
  package let width: Int
  /// Rows below the header and its air.
  package let height: Int
  /// The row that those begin in.
  private let bodyTop: Int

  private var lines: LineDrawing { LineDrawing(theme: theme, symbols: symbols) }

  /// Draws beside the page.
  package init(theme: Theme, symbols: Symbols, metrics: PageMetrics) {
    (self.theme, self.symbols, self.metrics) = (theme, symbols, metrics)
    (width, height, bodyTop) = (metrics.asideWidth, max(0, metrics.bodyRows - 1), metrics.bodyTop + 1)
  }

  /// Rows above what it is about, below a list: the rule, the title and air.
  static let rowsAbovePreview = 3

  /// Draws below a list, in some rows.
  package init(theme: Theme, symbols: Symbols, metrics: PageMetrics, belowListIn rows: Int) {
    (self.theme, self.symbols, self.metrics) = (theme, symbols, metrics)
    (width, height, bodyTop) = (metrics.textWidth, max(0, rows - Self.rowsAbovePreview), Self.rowsAbovePreview)
  }

  /// The whole of it below a list, as wide as the rule, and which places stand in which of its rows.
  package func preview(_ aside: Aside) -> (surface: Surface, places: [Int: NodeID]) {
    var surface = Surface(columns: metrics.ruleWidth, rows: bodyTop + height)
    let left = metrics.textLeft - metrics.ruleLeft
    surface.copy(lines.rule(width: metrics.ruleWidth, fraction: 0, role: .faint))
    let (rows, places) = body(aside.content)
    let says = places.isEmpty ? "" : howToGo
    surface.copy(
      lines.row(StyledText(aside.header.title, style: theme.bold(Role(aside.kind))), quiet(says), width: width),
      at: CellPoint(column: left, row: 1))
    for (number, row) in rows.enumerated() { surface.copy(row, at: CellPoint(column: left, row: bodyTop + number)) }
    return (surface, places)
  }

  /// The whole of it, and which places stand in which of its rows.
  package func draw(_ aside: Aside) -> (surface: Surface, places: [Int: NodeID]) {
    var surface = Surface(columns: width, rows: metrics.keysRow)
    let header = aside.header
    surface.copy(lines.row(quiet(aside.label), width: width), at: CellPoint(column: 0, row: metrics.trailRow))
    surface.copy(
      lines.row(StyledText(header.title, style: theme.bold(Role(aside.kind))), quiet(header.topRight), width: width),
      at: CellPoint(column: 0, row: metrics.titleRow))
    if let row = metrics.summaryRow {
      surface.copy(
        lines.row(quiet(header.summary), quiet(header.bottomRight), width: width), at: CellPoint(column: 0, row: row))
    }
    surface.copy(
      lines.rule(width: width, fraction: header.fraction, role: Role(aside.kind)),
      at: CellPoint(column: 0, row: metrics.ruleRow))
    let (rows, places) = body(aside.content)
    for (number, row) in rows.enumerated() { surface.copy(row, at: CellPoint(column: 0, row: bodyTop + number)) }
    // Beside the next step.
    if !places.isEmpty, let row = metrics.hintRow {
      surface.copy(lines.row("", quiet(howToGo), width: width), at: CellPoint(column: 0, row: row))
    }
    return (surface, places)
  }

  /// How the places in its rows are gone to.
  private var howToGo: String { (key.map { "\($0) chooses, " } ?? "") + "a click on a row goes there" }

  private func quiet(_ text: String) -> StyledText { StyledText(text, style: theme[.quiet]) }

  // MARK: - Below the header

  private func body(_ content: Aside.Content) -> (rows: [Surface], places: [Int: NodeID]) {
    switch content {
    case .text(let blocks): return (beginning(of: text(of: blocks)), [:])
    case .list(let items, let blocks): return (cut((listed(items) + lines(of: blocks, after: items)).map(surface)), [:])
    case .keys(let rows): return (cut(rows.filter { !$0.keys.isEmpty }.map(draw)), [:])
    case .outline(let rows, let unread):
      let airy = withAir(rows)
      let shown = airy.count <= height ? (rows: airy, below: 0) : window(rows, before: unread)
      let places = shown.rows.enumerated().compactMap { number, row in
        row?.card.node.map { (bodyTop + number, $0) }
      }
      let rest = shown.below > 0 ? [more(shown.below)] : []
      let amountWidth = rows.map(\.card).filter { $0.kind == .activity }.map(\.amount.displayWidth).max() ?? 0
      let drawn = shown.rows.map { $0.map { draw($0, amountWidth: amountWidth) } ?? Surface(columns: width, rows: 1) }
      return (drawn + rest, Dictionary(uniqueKeysWithValues: places))
    }
  }

  /// With a blank row above each place that follows what is in another.
  private func withAir(_ rows: [Aside.Row]) -> [Aside.Row?] {
    rows.indices.flatMap { index -> [Aside.Row?] in
      index > 0 && rows[index].depth < rows[index - 1].depth ? [nil, rows[index]] : [rows[index]]
    }
  }

  /// As many rows of an outline as there is room for: those around the page itself, or the first ones.
  private func window(_ rows: [Aside.Row], before unread: Int) -> (rows: [Aside.Row?], below: Int) {
    guard rows.count > height, height > 1 else { return (Array(rows.prefix(height)), 0) }
    let here = rows.firstIndex { $0.standing != .beside } ?? 0
    let first = max(0, min(here - height / 2, rows.count - height))
    let isEnd = first + height == rows.count && unread == 0
    let shown = rows[first..<first + (isEnd ? height : height - 1)]
    return (Array(shown), rows.count - first - shown.count + unread)
  }

  /// As much of a text as there is room for; it ends as a page of it does.
  private func beginning(of text: ReadingText) -> [Surface] {
    guard text.lines.count > height, height > 1 else { return text.lines.prefix(height).map(surface) }
    let shown = text.lines.prefix(text.pageEnd(from: 0, rows: height - 1)).map(surface)
    let air = Array(repeating: Surface(columns: width, rows: 1), count: height - 1 - shown.count)
    return shown + air + [more(nil)]
  }

  private func cut(_ rows: [Surface]) -> [Surface] {
    guard rows.count > height, height > 1 else { return Array(rows.prefix(height)) }
    return rows.prefix(height - 1) + [more(nil)]
  }

  /// That more follows; of a text nobody wants to know how many lines.
  private func more(_ count: Int?) -> Surface {
    lines.row(quiet(symbols.arrows[1] + (count.map { " \($0)" } ?? "") + " more"), width: width)
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
    return items.enumerated().flatMap { index, words in
      let number = String(index + 1)
      var line = StyledText(String(repeating: " ", count: digits - number.count) + number + "  ", style: theme[.quiet])
      line.append(words.plainText, style: theme[.ink])
      return line.wrapped(to: width, hangingIndent: digits + 2)
    }
  }

  private func draw(_ row: KeyBindings.Row) -> Surface {
    let key = row.keys[0].label(symbols)
    var text = StyledText(key, style: theme[.accent])
    text.append(String(repeating: " ", count: max(2, 9 - key.displayWidth)))
    text.append(row.does, style: theme[.ink])
    return lines.row(text, width: width)
  }

  /// Columns from which on there is room to say what an activity is, beside its title and how long it is.
  private static let widthWithKind = 64
  /// Columns of what an activity is, as in a list.
  private static let kindWidth = 12

  private func draw(_ row: Aside.Row, amountWidth: Int) -> Surface {
    let card = row.card
    let drawing = PageDrawing(theme: theme, symbols: symbols, metrics: metrics)
    var left = StyledText(String(repeating: " ", count: 2 * row.depth))
    left.append(drawing.marked(card))
    let style = row.standing != .beside ? theme.bold(Role(card.kind)) : row.depth == 0 ? theme[.strong] : theme[.ink]
    left.append(card.title, style: style)
    return lines.row(left, quiet(row.standing == .here ? "you are here" : facts(of: card, amountWidth)), width: width)
  }

  /// What an activity is, and how long, each in its column; how much is done of any other place.
  private func facts(of card: CardModel, _ amountWidth: Int) -> String {
    guard card.kind == .activity else { return card.column }
    guard width >= Self.widthWithKind else { return card.amount }
    let kind = card.column + String(repeating: " ", count: max(0, Self.kindWidth - card.column.displayWidth))
    return kind + String(repeating: " ", count: max(0, amountWidth - card.amount.displayWidth)) + card.amount
  }
}

/// What stands beside the page in a very wide terminal: what would open, or what is around what has been opened.
package struct Aside: Hashable {
  /// One row of an outline.
  package struct Row: Hashable {
    package var card: CardModel
    /// How deep it lies in the outline, from 0.
    package var depth: Int
    package var standing = Standing.beside

    package init(card: CardModel, depth: Int, standing: Standing = Standing.beside) {
      self.card = card
      self.depth = depth
      self.standing = standing
    }

    /// What it is to the learner: one of several, the page itself, or what is chosen elsewhere.
    package enum Standing: Hashable {
      case beside, here, chosen
    }
  }

  /// What it consists of.
  package enum Content: Hashable {
    /// Places, in reading order, and how many more follow the last of them.
    case outline([Row], rest: Int)
    /// A text that would be read.
    case text([Block])
    /// The words on cards, or the questions of a quiz: none of the answers.
    case list([[Inline]], after: [Block])
    /// Keys and what they do, for somebody who is here for the first time.
    case keys([KeyBindings.Row])
  }

  /// What it is to the page, such as `What would open`; nothing where its title says so.
  package var label = ""
  package var header: PageModel.Header
  package var kind: PlaceKind
  package var content: Content

  package init(header: PageModel.Header, kind: PlaceKind, content: Content) {
    self.header = header
    self.kind = kind
    self.content = content
  }

  /// The same, with words that say what it is to the page.
  package func labelled(_ label: String) -> Aside {
    var aside = self
    aside.label = label
    return aside
  }
}
