import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The header, the list and the drawings of the Review tab.
extension ReviewScreen {
  var titleOfList: Surface {
    var text = StyledText("Review", style: drawing.theme.bold(.strong))
    if let place {
      text.append(" of " + drawing.symbols.quotes.around(place.title), style: drawing.theme[.warn])
    }
    return row(text, session == nil ? todayText : session?.card == nil ? "" : session?.positionText ?? "")
  }

  /// The number of cards that are due today: `12 today`.
  private var todayText: String {
    guard let dashboard, !dashboard.isEmpty else { return "" }
    return "\(ReviewText.number(dashboard.outlook.overview.total.today)) today"
  }

  var outlookRow: Surface {
    if session != nil {
      return row(StyledText(showsSource ? sourceText : cardState, style: drawing.theme[.quiet]), "")
    }
    guard let dashboard, !dashboard.isEmpty else { return row(StyledText(), "") }
    let done = dashboard.outlook.overview.done.answers
    let doneText = done == 0 ? "" : "\(ReviewText.count(done, "answer")) today"
    let sentences = dashboard.outlook.sentences
    let columns = metrics.textWidth - (doneText.isEmpty ? 0 : doneText.displayWidth + 2)
    // If not all sentences fit, the one about today is shown. The forecast shows the number of all cards.
    let forms = [sentences[...], sentences.dropFirst(), sentences.dropFirst().prefix(1), sentences.prefix(1)]
    let text =
      forms.map { $0.joined(separator: " ") }.first { !$0.isEmpty && $0.displayWidth <= columns }
      ?? sentences.first ?? ""
    return row(StyledText(text, style: drawing.theme[.quiet]), doneText)
  }

  var listFrame: (rows: Range<Int>, place: NamedPlace)? {
    guard hasFrame, let chosenRow else { return nil }
    let top = chosen - scroll
    // A frame that the header or the drawings would cut is hidden.
    return top >= 0 && top + 3 <= bodyRows ? (top..<top + 3, chosenRow.place) : nil
  }

  var listContents: [ListedRow] {
    guard let dashboard else { return [] }
    guard !dashboard.isEmpty else { return emptyRows(dashboard) }
    var listed = rows.indices.compactMap { index -> ListedRow? in
      let row = row(of: index)
      guard (0..<bodyRows).contains(row) else { return nil }
      return ListedRow(row: row, surface: surface(of: index), node: rows[index].place.place.node, titleColumn: 2)
    }
    if let visibleSections { listed.append(visibleSections) }
    if lastVisibleRow < contentRows, metrics.spacingBelowText > 0 {
      listed.append(
        ListedRow(
          row: listHeight,
          surface: row(StyledText(drawing.symbols.arrows[1] + " more", style: drawing.theme[.quiet]), "")))
    }
    return listed
  }

  private var lastVisibleRow: Int { scroll + listHeight }

  private func emptyRows(_ dashboard: ReviewDashboard) -> [ListedRow] {
    let text = dashboard.outlook.sentences.joined(separator: " ")
    let lines = StyledText(text, style: drawing.theme[.quiet]).wrapped(to: metrics.textWidth)
    let first = metrics.isSmall ? 0 : 1
    return lines.prefix(listHeight).enumerated().map {
      ListedRow(row: first + $0, surface: row(StyledText($1.runs), ""))
    }
  }

  private func surface(of index: Int) -> Surface {
    let (theme, entry) = (drawing.theme, rows[index])
    let isChosen = index == chosen
    // A small terminal has no frame, so the selected row has a symbol.
    var text = StyledText(isChosen && !hasFrame ? drawing.symbols.marker + " " : "  ", style: theme.bold(.accent))
    let title = entry.place.place == .root ? "All courses" : entry.place.title
    text.append(title, style: isChosen ? theme.bold(.strong) : theme[.foreground])
    let counts = StyledText(dashboard?.counts(of: entry) ?? "", style: theme[.quiet])
    return drawing.lines.row(
      text, counts, indent: PageDrawing.statusColumns, fewer: StyledText("\(entry.today)", style: theme[.quiet]),
      width: metrics.textWidth)
  }

  /// The visible part of the drawings, or `nil` if no row of them is visible.
  private var visibleSections: ListedRow? {
    let top = sectionsTop - scroll
    let columns = sections.map { $0.origin.column + $0.surface.columns }.max() ?? 0
    let end = top + (sections.map { $0.origin.row + $0.surface.rows }.max() ?? 0)
    let visible = max(0, top)..<max(max(0, top), min(listHeight, end))
    guard !visible.isEmpty else { return nil }
    var surface = Surface(columns: columns, rows: visible.count)
    for section in sections {
      surface.copy(
        section.surface,
        at: CellPoint(column: section.origin.column, row: top + section.origin.row - visible.lowerBound))
    }
    return ListedRow(row: visible.lowerBound, surface: surface)
  }
}

/// The side pane of a very wide terminal.
extension ReviewScreen {
  /// The answers of the last year and the retention. `nil` without cards.
  var past: SidePane? {
    guard let dashboard, !dashboard.isEmpty, metrics.sidePaneWidth > 0 else { return nil }
    let header = PageModel.Header(title: "Your answers", summary: "", topRight: "", bottomRight: "", fraction: 0)
    return SidePane(
      header: header, kind: .root,
      content: .drawing(dashboard.past(width: metrics.sidePaneWidth, rows: listHeight, drawing.lines)))
  }
}

/// The last two rows.
extension ReviewScreen {
  /// The hint about the next step.
  var hint: Footer.Hint? {
    if session != nil { return reviewHint }
    if rows.isEmpty {
      return Footer.Hint(.tab(0), text: "Open a lesson with cards", detail: "")
    }
    guard let chosenRow else { return nil }
    guard chosenRow.canBeAsked else {
      return Footer.Hint(.reviewAhead, text: "Review cards of later days", detail: "")
    }
    let title = chosenRow.place.place == .root ? "" : chosenRow.place.title
    return Footer.Hint(
      .begin, text: "Review \(ReviewText.count(chosenRow.today, "card"))", detail: title)
  }
}
