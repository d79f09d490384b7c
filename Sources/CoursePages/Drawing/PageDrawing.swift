package import LearningModel
package import TextCanvas

/// Draws the parts of a page: each a surface of its own, to be put on a layer.
package struct PageDrawing {
  package let theme: Theme
  package let symbols: Symbols
  package let metrics: PageMetrics

  package init(theme: Theme, symbols: Symbols, metrics: PageMetrics) {
    self.theme = theme
    self.symbols = symbols
    self.metrics = metrics
  }

  package var lines: LineDrawing { LineDrawing(theme: theme, symbols: symbols) }

  // MARK: Header

  package func title(_ header: PageModel.Header, kind: PlaceKind) -> Surface {
    lines.row(
      words(header, kind), StyledText(numbers(of: header), style: theme[.quiet]), fewer: fewer(header),
      width: metrics.textWidth)
  }

  /// What stands beside the title, as ``title(_:kind:)`` has it, without the title.
  package func numbers(_ header: PageModel.Header, kind: PlaceKind) -> Surface {
    let numbers = lines.rightEnd(
      StyledText(numbers(of: header), style: theme[.quiet]), beside: words(header, kind), fewer: fewer(header),
      width: metrics.textWidth)
    return lines.row("", numbers, width: metrics.textWidth)
  }

  private func words(_ header: PageModel.Header, _ kind: PlaceKind) -> StyledText {
    marked(StyledText(header.title, style: theme.bold(Role(kind))), header.isMarked)
  }

  private func fewer(_ header: PageModel.Header) -> StyledText? {
    metrics.isSmall ? StyledText(Words.fewer(header.topRight), style: theme[.quiet]) : nil
  }

  /// What stands right of the title: in a low terminal that is wide, what has no second row to stand in too.
  private func numbers(of header: PageModel.Header) -> String {
    guard metrics.summaryRow == nil, !metrics.isNarrow else { return header.topRight }
    return [header.topRight, header.bottomRight].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  package func summary(_ header: PageModel.Header) -> Surface {
    lines.row(
      StyledText(header.summary, style: theme[.quiet]), StyledText(header.bottomRight, style: theme[.quiet]),
      width: metrics.textWidth)
  }

  /// The line below the header, heavy as far as something is done, which says near its right end how many entries of a list
  /// are scrolled away above those that are seen.
  ///
  /// - Parameters:
  ///   - fraction: What is done, 0…1.
  ///   - above: How many entries; nothing is said of none.
  package func rule(fraction: Double, kind: PlaceKind, above: Int = 0) -> Surface {
    var rule = lines.rule(width: metrics.ruleWidth, fraction: fraction, role: Role(kind))
    guard above > 0 else { return rule }
    let words = " \(symbols.arrows[0]) \(above) more "
    rule.draw(words, at: CellPoint(column: rule.columns - 1 - words.displayWidth, row: 0), style: theme[.quiet])
    return rule
  }

  // MARK: Cards

  /// A card's two rows.
  package func card(_ card: CardModel, isChosen: Bool) -> Surface {
    var surface = Surface(columns: metrics.textWidth, rows: 2)
    surface.copy(lines.row(title(of: card, isChosen: isChosen), topRight(of: card), width: metrics.textWidth))
    surface.copy(
      lines.row(
        StyledText(card.summary, style: theme[.quiet]), StyledText(below(card), style: theme[.quiet]),
        width: metrics.textWidth),
      at: CellPoint(column: 0, row: 1))
    return surface
  }

  /// What stands at the right of a card's second row: of an activity what it is and how long, which a list has in its
  /// first; never what stands above it already.
  private func below(_ card: CardModel) -> String {
    guard card.kind == .activity else { return card.bottomRight }
    return [card.column, card.amount == card.topRight ? "" : card.amount].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Columns of the mark before a title in a list.
  package static let markColumns = 2

  /// A card as one row of a list; with its second row where it is the chosen one.
  ///
  /// - Parameter columns: Those of the list.
  package func listRow(_ card: CardModel, isChosen: Bool, _ columns: CardWindow.Columns) -> Surface {
    var surface = Surface(columns: metrics.textWidth, rows: isChosen ? 2 : 1)
    var left = marked(card)
    left.append(title(of: card, isChosen: isChosen))

    var right = StyledText()
    if metrics.textWidth - columns.amount - columns.state - 2 >= 24 {
      right.append(card.column, style: theme[.quiet])
      right.append(String(repeating: " ", count: columns.state + 2 - card.column.displayWidth))
    }
    right.append(String(repeating: " ", count: columns.amount - card.amount.displayWidth))
    right.append(card.amount, style: theme[.quiet])
    surface.copy(lines.row(left, right, width: metrics.textWidth))
    if isChosen {
      surface.copy(
        lines.row(
          StyledText("  " + card.summary, style: theme[.quiet]),
          StyledText(card.bottomRight == card.amount ? "" : card.bottomRight, style: theme[.quiet]),
          width: metrics.textWidth),
        at: CellPoint(column: 0, row: 1))
    }
    return surface
  }

  /// A card in a terminal too small for frames: one row, with the bar before the chosen one.
  package func smallRow(_ card: CardModel, isChosen: Bool) -> Surface {
    var left = StyledText(isChosen ? symbols.marker + " " : "  ", style: theme.bold(Role(card.kind)))
    left.append(title(of: card, isChosen: isChosen))
    // What is offered to a newcomer is not among others of its kind: its title is worth more than what is in it.
    guard card.target != .bundledCourse else {
      let amount = StyledText(card.amount, style: theme[.quiet])
      return lines.row(left, amount, indent: Self.markColumns, fewer: amount, width: metrics.textWidth)
    }
    let state = topRight(of: card)
    guard !metrics.isNarrow, card.node != nil else {
      return lines.row(
        left, state, indent: Self.markColumns, fewer: fewer(of: card), least: sign(of: card), width: metrics.textWidth)
    }
    // A low terminal that is wide has room to say what it is, or how long it takes.
    let (stateWidth, columnWidth) = (16, 12)
    let words = card.kind == .activity ? card.column : card.amount
    let blanks = max(0, columnWidth - words.displayWidth)
    let (before, after) = card.kind == .activity ? (0, blanks) : (blanks, 0)
    var right = StyledText(String(repeating: " ", count: before) + words, style: theme[.quiet])
    right.append(String(repeating: " ", count: after + max(2, stateWidth - state.displayWidth)))
    right.append(state)
    return lines.row(left, right, width: metrics.textWidth)
  }

  /// What ``topRight(of:)`` says, without the words that its sign or its number can do without.
  private func fewer(of card: CardModel) -> StyledText {
    let number = Words.fewer(card.topRight)
    guard !number.isEmpty else { return sign(of: card) }
    guard card.mark != .notBegun else { return topRight(of: card) }
    var text = marked(card)
    text.append(number, style: theme[.quiet])
    return text
  }

  private func title(of card: CardModel, isChosen: Bool) -> StyledText {
    marked(StyledText(card.title, style: isChosen ? theme.bold(Role(card.kind)) : theme[.strong]), card.isMarked)
  }

  /// A title with the sign of a mark behind it, where there is one.
  private func marked(_ title: StyledText, _ isMarked: Bool) -> StyledText {
    var title = title
    if isMarked { title.append(" " + symbols.mark, style: theme[.accent]) }
    return title
  }

  private func topRight(of card: CardModel) -> StyledText {
    guard card.mark != .notBegun else {
      return StyledText(card.topRight, style: theme[card.target == .ownCourse ? .accent : .quiet])
    }
    var text = StyledText(mark(of: card) + " ", style: markStyle(of: card))
    text.append(card.topRight, style: theme[.quiet])
    return text
  }

  /// How far a place is, for those beside which others of its kind do not stand.
  package func state(of card: CardModel) -> StyledText {
    card.mark == .notBegun ? StyledText("not begun", style: theme[.quiet]) : topRight(of: card)
  }

  /// The mark of a card with a blank behind it, as it stands before a title in a list.
  package func marked(_ card: CardModel) -> StyledText {
    var text = StyledText(mark(of: card), style: markStyle(of: card))
    text.append(" ")
    return text
  }

  /// The mark of a card by itself; nothing where there is nothing to say.
  private func sign(of card: CardModel) -> StyledText {
    card.mark == .notBegun ? "" : StyledText(mark(of: card), style: markStyle(of: card))
  }

  private func mark(of card: CardModel) -> String {
    switch card.mark {
    case .notBegun: symbols.open
    case .begun: symbols.begun
    case .done: symbols.done
    }
  }

  private func markStyle(of card: CardModel) -> Style {
    switch card.mark {
    case .notBegun: theme[.quiet]
    case .begun: theme[Role(card.kind)]
    case .done: theme[.good]
    }
  }
}

/// The first row: the places above the page.
extension PageDrawing {
  /// The trail of the ancestors, cut in the middle where it is too long.
  ///
  /// In a narrow terminal only the place right above is named.
  package func trail(_ trail: PageModel.Trail) -> Surface {
    lines.row(
      StyledText(text(of: crumbs(of: trail)), style: theme[.quiet]),
      StyledText(trail.position, style: theme[.quiet]), width: metrics.textWidth)
  }

  /// The column, from the text's edge, where a crumb of a trail begins; of one that is left out, where the sign for it is.
  package func crumbColumn(_ number: Int, in trail: PageModel.Trail) -> Int {
    let shown = crumbs(of: trail)
    let index = shown.firstIndex { $0.number == number } ?? shown.firstIndex { $0.number == nil } ?? 0
    return index == 0 ? 0 : text(of: Array(shown[..<index])).displayWidth + separator.displayWidth
  }

  /// The number of the crumb that stands at a column, counted from the text's edge; `nil` between crumbs, and for those
  /// left out.
  package func crumb(at column: Int, of trail: PageModel.Trail) -> Int? {
    var start = 0
    for crumb in crumbs(of: trail) {
      let end = start + crumb.text.displayWidth
      if (start..<end).contains(column) { return crumb.number }
      start = end + separator.displayWidth
    }
    return nil
  }

  /// The titles above a place in a list, in at most so many columns if that can be: the nearest ones tell places apart, so
  /// what is left out is left out of the middle, and at last before the nearest.
  package func way(_ titles: [String], in width: Int) -> String {
    var ways = [titles]
    for last in [2, 1] where titles.count > last + 1 {
      ways.append([titles[0], symbols.ellipsis] + titles.suffix(last))
    }
    if titles.count > 1 { ways.append([symbols.ellipsis] + titles.suffix(1)) }
    let texts = ways.map { $0.joined(separator: separator) }
    return texts.first { $0.displayWidth <= width } ?? texts[texts.count - 1]
  }

  private var separator: String { " \(symbols.crumb) " }

  private func text(of crumbs: [(number: Int?, text: String)]) -> String {
    crumbs.map(\.text).joined(separator: separator)
  }

  private func crumbs(of trail: PageModel.Trail) -> [(number: Int?, text: String)] {
    if metrics.isNarrow { return trail.crumbs.indices.suffix(1).map { ($0, trail.crumbs[$0]) } }
    return crumbs(trail.crumbs, room: max(0, metrics.textWidth - trail.position.displayWidth - 2))
  }

  /// The crumbs that there is room for, each with its number; the sign for those left out has none. The one right above
  /// the page stays longest.
  private func crumbs(_ crumbs: [String], room: Int) -> [(number: Int?, text: String)] {
    let whole = crumbs.enumerated().map { (number: Optional($0.offset), text: $0.element) }
    let leftOut = (number: Int?.none, text: symbols.ellipsis)
    var trails = [whole]
    for last in [2, 1] where crumbs.count > last + 1 { trails.append([whole[0], leftOut] + whole.suffix(last)) }
    if crumbs.count > 1 { trails.append([leftOut] + whole.suffix(1)) }
    return trails.first { text(of: $0).displayWidth <= room } ?? trails[trails.count - 1]
  }
}
