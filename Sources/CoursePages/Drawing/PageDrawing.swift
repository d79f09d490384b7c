package import LearningModel
import NavigationKit
package import TextCanvas

/// Draws the components of a page, each on a surface of its own that becomes the content of a layer.
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
      headerText(header, kind), StyledText(titleFacts(of: header), style: theme[.quiet]), fewer: fewer(header),
      width: metrics.textWidth)
  }

  /// Draws the same row as ``title(_:kind:)``, but without the title.
  package func titleFacts(_ header: PageModel.Header, kind: PlaceKind) -> Surface {
    let numbers = lines.rightEnd(
      StyledText(titleFacts(of: header), style: theme[.quiet]), nextTo: headerText(header, kind), fewer: fewer(header),
      width: metrics.textWidth)
    return lines.row("", numbers, width: metrics.textWidth)
  }

  private func headerText(_ header: PageModel.Header, _ kind: PlaceKind) -> StyledText {
    highlighted(StyledText(header.title, style: theme.bold(Role(kind))), header.isBookmarked)
  }

  private func fewer(_ header: PageModel.Header) -> StyledText? {
    metrics.isSmall ? StyledText(DisplayFormat.shortened(header.topRight), style: theme[.quiet]) : nil
  }

  /// Returns the text at the right of the title. If the header has no second row and the row is wide enough, the text
  /// of the missing row is appended.
  private func titleFacts(of header: PageModel.Header) -> String {
    guard metrics.summaryRow == nil, !metrics.isNarrow else { return header.topRight }
    return [header.topRight, header.bottomRight].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  package func summary(_ header: PageModel.Header) -> Surface {
    lines.row(
      StyledText(header.summary, style: theme[.quiet]), StyledText(header.bottomRight, style: theme[.quiet]),
      width: metrics.textWidth)
  }

  /// Draws the line below the header.
  ///
  /// - Parameters:
  ///   - fraction: The progress, 0…1, which is the heavy part of the line.
  ///   - above: The number of list entries that are scrolled out above the screen. If it is not 0, it is shown near the
  ///     right end.
  package func rule(fraction: Double, kind: PlaceKind, above: Int = 0) -> Surface {
    var rule = lines.rule(width: metrics.ruleWidth, fraction: fraction, role: Role(kind))
    guard above > 0 else { return rule }
    let text = " \(symbols.arrows[0]) \(above) more "
    rule.draw(text, at: CellPoint(column: rule.columns - 1 - text.displayWidth, row: 0), style: theme[.quiet])
    return rule
  }

  // MARK: Cards

  /// Draws a card as two rows.
  ///
  /// - Parameter columns: The column widths of the list.
  package func card(_ card: CardModel, isChosen: Bool, _ columns: CardWindow.Columns) -> Surface {
    var surface = Surface(columns: metrics.textWidth, rows: 2)
    let facts = facts(of: card, columns, hasSymbol: true)
    surface.copy(
      lines.row(title(of: card, isChosen: isChosen), facts, fewer: facts, width: metrics.textWidth))
    surface.copy(
      lines.row(
        StyledText(card.summary, style: theme[.quiet]), StyledText(card.amount, style: theme[.quiet]),
        width: metrics.textWidth),
      at: CellPoint(column: 0, row: 1))
    return surface
  }

  /// The width, in columns, of the progress symbol before a title in a list.
  package static let statusColumns = 2

  /// Draws a card as one row of a list, or as two rows if it is selected.
  ///
  /// - Parameter columns: The column widths of the list.
  package func listRow(_ card: CardModel, isChosen: Bool, _ columns: CardWindow.Columns) -> Surface {
    var surface = Surface(columns: metrics.textWidth, rows: isChosen ? 2 : 1)
    var leftText = highlighted(card)
    leftText.append(title(of: card, isChosen: isChosen))
    let facts = facts(of: card, columns)
    surface.copy(lines.row(leftText, facts, fewer: facts, width: metrics.textWidth))
    if isChosen {
      // The type is a column of its own.
      let amount = card.amount == card.type ? "" : card.amount
      surface.copy(
        lines.row(
          StyledText("  " + card.summary, style: theme[.quiet]), StyledText(amount, style: theme[.quiet]),
          width: metrics.textWidth),
        at: CellPoint(column: 0, row: 1))
    }
    return surface
  }

  /// The columns of a course's progress bar, of the percentage after it, and at least of what is next.
  private static let (barColumns, percentColumns, minimumNextColumns) = (10, 7, 16)

  /// Draws a course as one row of the list of courses, or as two rows if it is selected: the progress as a bar, and
  /// what is next. In a narrow row, what is next is omitted first and the bar second.
  ///
  /// - Parameters:
  ///   - next: What is next in the course, such as `next: Counter-offers`.
  ///   - columns: The column widths of the list.
  package func courseRow(
    _ card: CardModel, next: String, isChosen: Bool, _ columns: CardWindow.Columns
  ) -> Surface {
    var surface = Surface(columns: metrics.textWidth, rows: isChosen ? 2 : 1)
    let titleColumns = Self.statusColumns + min(columns.title, metrics.textWidth * 2 / 5)
    let factColumns = Self.gapBeforeColumn + Self.barColumns + Self.percentColumns
    var (left, percent) = (highlighted(card), DisplayFormat.percent(card.fraction))
    left.append(title(of: card, isChosen: isChosen))
    percent = String(repeating: " ", count: Self.percentColumns - percent.displayWidth) + percent
    let hasBar = metrics.textWidth >= titleColumns + factColumns
    let nextColumn = titleColumns + factColumns + Self.gapBeforeColumn
    let hasNext = hasBar && metrics.textWidth - nextColumn >= Self.minimumNextColumns
    let end = hasNext ? titleColumns : metrics.textWidth - factColumns
    surface.copy(lines.row(left, width: hasBar ? end : metrics.textWidth - Self.percentColumns))
    if hasBar {
      let bar = lines.rule(width: Self.barColumns, fraction: card.fraction, role: Role(card.kind))
      surface.copy(bar, at: CellPoint(column: end + Self.gapBeforeColumn, row: 0))
    }
    surface.draw(
      StyledLine(percent, style: theme[.quiet]),
      at: CellPoint(
        column: hasBar ? end + factColumns - Self.percentColumns : metrics.textWidth - Self.percentColumns, row: 0))
    if hasNext {
      surface.copy(
        lines.row(
          StyledText([card.amount, next].filter { !$0.isEmpty }.joined(separator: ", "), style: theme[.quiet]),
          width: metrics.textWidth - nextColumn),
        at: CellPoint(column: nextColumn, row: 0))
    }
    if isChosen {
      surface.copy(
        lines.row(
          StyledText("  " + card.summary, style: theme[.quiet]),
          StyledText([card.status, card.time].filter { !$0.isEmpty }.joined(separator: "  "), style: theme[.quiet]),
          width: metrics.textWidth), at: CellPoint(column: 0, row: 1))
    }
    return surface
  }

  /// Draws a card as one row in a terminal that is too small for frames. The selected card has a marker.
  ///
  /// - Parameter columns: The column widths of the list.
  package func smallRow(_ card: CardModel, isChosen: Bool, _ columns: CardWindow.Columns) -> Surface {
    var leftText = StyledText(isChosen ? symbols.marker + " " : "  ", style: theme.bold(Role(card.kind)))
    leftText.append(title(of: card, isChosen: isChosen))
    // Next to a long title, the time is omitted first. The symbol is always shown.
    var columnsWithoutTime = columns
    columnsWithoutTime.time = 0
    let symbol =
      card.progressState == .notBegun
      ? StyledText() : StyledText(statusSymbol(of: card), style: statusStyle(of: card))
    let forms = [columns, columnsWithoutTime].map { facts(of: card, $0, hasSymbol: true) }
    let fitting = forms.first { leftText.displayWidth + 2 + $0.displayWidth <= metrics.textWidth } ?? symbol
    return lines.row(leftText, fitting, indent: Self.statusColumns, fewer: symbol, width: metrics.textWidth)
  }

  /// The minimum number of columns for titles. A column of a list is shown only if this many remain.
  private static let minimumTitleColumns = 22
  /// The gap before the status column and the time column.
  private static let gapBeforeColumn = 2

  /// Returns the columns at the right of a row: the type of an activity, the progress and the remaining time. The
  /// progress and the time end in the same column in all rows. In a narrow row, the type is omitted first and the time
  /// second.
  ///
  /// - Parameters:
  ///   - columns: The column widths of the list.
  ///   - hasSymbol: Whether the symbol of the progress precedes it.
  ///   - width: The width of the row in columns (default: the width of the text).
  package func facts(
    of card: CardModel, _ columns: CardWindow.Columns, hasSymbol: Bool = false, width: Int? = nil
  ) -> StyledText {
    let gap = Self.gapBeforeColumn
    let symbolWidth = hasSymbol ? Self.statusColumns : 0
    var remaining = (width ?? metrics.textWidth) - columns.status - symbolWidth - gap - Self.minimumTitleColumns
    let showsTime = columns.time > 0 && remaining >= columns.time + gap
    if showsTime { remaining -= columns.time + gap }
    let showsType = !hasSymbol && columns.type > 0 && remaining >= columns.type + gap
    var text = StyledText()
    if showsType {
      let padding = String(repeating: " ", count: columns.type + gap - card.type.displayWidth)
      text.append(card.type + padding, style: theme[.quiet])
    }
    let hasProgress = hasSymbol && card.progressState != .notBegun
    let statusWidth = card.status.displayWidth + (hasProgress ? symbolWidth : 0)
    text.append(String(repeating: " ", count: max(0, columns.status + symbolWidth - statusWidth)))
    if hasProgress { text.append(statusSymbol(of: card) + " ", style: statusStyle(of: card)) }
    text.append(card.status, style: theme[card.target == .addCourse ? .key : .quiet])
    if showsTime {
      text.append(
        String(repeating: " ", count: max(gap, columns.time + gap - card.time.displayWidth)) + card.time,
        style: theme[.quiet])
    }
    return text
  }

  private func title(of card: CardModel, isChosen: Bool) -> StyledText {
    highlighted(
      StyledText(card.title, style: isChosen ? theme.bold(Role(card.kind)) : theme[.strong]), card.isBookmarked)
  }

  /// Returns the title, followed by the bookmark symbol if the place has a bookmark.
  private func highlighted(_ title: StyledText, _ isMarked: Bool) -> StyledText {
    var title = title
    if isMarked { title.append(" " + symbols.bookmark, style: theme[.accent]) }
    return title
  }

  /// Returns the progress of a place that is not shown in a list of its siblings.
  package func state(of card: CardModel) -> StyledText {
    guard card.progressState != .notBegun else { return StyledText("not begun", style: theme[.quiet]) }
    var text = StyledText(statusSymbol(of: card) + " ", style: statusStyle(of: card))
    text.append(card.status, style: theme[.quiet])
    return text
  }

  /// Returns the progress symbol of a card and a blank, as drawn before a title in a list.
  package func highlighted(_ card: CardModel) -> StyledText {
    var text = StyledText(statusSymbol(of: card), style: statusStyle(of: card))
    text.append(" ")
    return text
  }

  private func statusSymbol(of card: CardModel) -> String {
    switch card.progressState {
    case .notBegun: symbols.open
    case .begun: symbols.started
    case .done: symbols.done
    }
  }

  private func statusStyle(of card: CardModel) -> Style {
    switch card.progressState {
    case .notBegun: theme[.quiet]
    case .begun: theme[Role(card.kind)]
    case .done: theme[.good]
    }
  }
}

/// The first row, with the breadcrumbs of the page.
extension PageDrawing {
  /// Draws the breadcrumbs of the ancestors. Breadcrumbs in the middle are omitted if they do not fit.
  ///
  /// A narrow terminal shows the parent only.
  package func breadcrumb(_ breadcrumb: PageModel.Breadcrumb) -> Surface {
    lines.row(
      StyledText(text(of: breadcrumbItems(of: breadcrumb)), style: theme[.quiet]),
      StyledText(breadcrumb.position, style: theme[.quiet]), width: metrics.textWidth)
  }

  /// Returns the index of the breadcrumb at a column relative to the left edge of the text, or `nil` for a separator or
  /// the ellipsis.
  package func breadcrumbItem(at column: Int, of breadcrumb: PageModel.Breadcrumb) -> Int? {
    var start = 0
    for item in breadcrumbItems(of: breadcrumb) {
      let end = start + item.text.displayWidth
      if (start..<end).contains(column) { return item.number }
      start = end + separator.displayWidth
    }
    return nil
  }

  /// Returns the titles of the ancestors of a list entry, joined by separators and shortened to a width if possible.
  ///
  /// The nearest ancestors distinguish places best. Titles in the middle are therefore omitted first, and the title of
  /// the parent is never omitted.
  package func shortenedBreadcrumb(_ titles: [String], in width: Int) -> String {
    let titles = titles.enumerated().filter { $0.offset == 0 || titles[$0.offset - 1] != $0.element }.map(\.element)
    var forms = [titles]
    for last in [2, 1] where titles.count > last + 1 {
      forms.append([titles[0], symbols.ellipsis] + titles.suffix(last))
    }
    if titles.count > 1 { forms.append([symbols.ellipsis] + titles.suffix(1)) }
    let texts = forms.map { $0.joined(separator: separator) }
    return texts.first { $0.displayWidth <= width } ?? texts[texts.count - 1]
  }

  private var separator: String { " \(symbols.breadcrumbSeparator) " }

  private func text(of items: [(number: Int?, text: String)]) -> String {
    items.map(\.text).joined(separator: separator)
  }

  private func breadcrumbItems(of breadcrumb: PageModel.Breadcrumb) -> [(number: Int?, text: String)] {
    if metrics.isNarrow { return breadcrumb.titles.indices.suffix(1).map { ($0, breadcrumb.titles[$0]) } }
    return breadcrumbItems(breadcrumb.titles, columns: max(0, metrics.textWidth - breadcrumb.position.displayWidth - 2))
  }

  /// Returns the breadcrumbs that fit into a width, with their indices; the ellipsis has none. The parent of the page
  /// is omitted last.
  private func breadcrumbItems(_ titles: [String], columns: Int) -> [(number: Int?, text: String)] {
    // Only the last of equal neighbouring titles is shown, such as those of a goal and its only lesson.
    let allItems = titles.enumerated().filter { $0.offset + 1 == titles.count || titles[$0.offset + 1] != $0.element }
      .map { (number: Optional($0.offset), text: $0.element) }
    let omission = (number: Int?.none, text: symbols.ellipsis)
    var forms = [allItems]
    for last in [2, 1] where allItems.count > last + 1 {
      forms.append([allItems[0], omission] + allItems.suffix(last))
    }
    if allItems.count > 1 { forms.append([omission] + allItems.suffix(1)) }
    return forms.first { text(of: $0).displayWidth <= columns } ?? forms[forms.count - 1]
  }
}
