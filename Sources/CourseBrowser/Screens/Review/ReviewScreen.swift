import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The Review tab: what waits today by course, the forecast, and the answers of the last year. During a review, the tab
/// shows the cards one after another, and then a summary.
@MainActor final class ReviewScreen: TabPage, CardPage {
  /// The contents of the tab, or `nil` before the tab is shown.
  private(set) var dashboard: ReviewDashboard?
  /// The place whose cards are shown, or `nil` for all courses.
  private(set) var place: NamedPlace?
  /// The tag of the cards that are shown, or `nil` for all cards.
  private(set) var tag: String?
  // The state of a review, which `ReviewScreen+Reviewing.swift` changes.
  /// The review in progress or, after its last card, its results. `nil` while the tab shows the overview.
  var session: ReviewSession?
  /// The choices that the learner takes, or `nil` for a card without choices.
  var run: QuizRun?
  /// The answer that the learner types, or `nil` if none is being typed.
  var field: TextField?
  /// The place to which the learner went from the card, until they return. There, *back* returns to the review.
  var source: Place?
  /// The results after the last card.
  var summary: ReviewSession.Summary?
  /// When the contents were read.
  private var readAt: Timestamp?
  /// The next lesson whose cards the learner can add after the last card.
  var lessonToLearn: NamedPlace?
  let cardView = CardView()
  let answersLayer = AnswersLayer()
  var showsImages = false
  var imagesCall: ScheduledCall?

  init(context: ScreenContext) {
    super.init(title: "Review", context: context)
  }

  override func didLoad() {
    super.didLoad()
    body.add(cardView.layer)
    cardView.layer.add(answersLayer)
  }

  /// Reads what waits. A review in progress continues.
  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    source = nil
    if session?.card == nil { session = nil }
    reload()
    scrollToStart()
  }

  override func didAppear(animated: Bool) {
    super.didAppear(animated: animated)
    updateImages()
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    updateImages()
  }

  /// Limits the tab to a place, or to the cards of a tag. `nil` shows all courses.
  func show(only place: NamedPlace?, tag: String? = nil) {
    (self.place, self.tag) = (place, tag)
    list = SelectionList()
    reload()
    context.showFooter()
  }

  /// The place as the service names it, or `nil` for all courses.
  var placeName: PlaceName? { name(of: place?.place) }

  private func name(of place: Place?) -> PlaceName? {
    let name = place.map(PlaceName.place)
    return tag.map { .tagged($0, in: name) } ?? name
  }

  /// Reads what waits again. The selected row stays selected.
  func reload() {
    let (selected, isRow) = (chosenRow?.place.place, chosenRow != nil)
    context.trying { dashboard = try ReviewDashboard(of: context.navigation, in: placeName, at: context.now) }
    readAt = context.now
    let scroll = list.scroll
    if isRow || entries.isEmpty { list.chosen = rows.firstIndex { $0.place.place == selected } ?? 0 }
    layOutList()
    list.scroll(by: scroll - list.scroll)
    updateContents()
    // The hint and the list show the same numbers.
    if isSelected { context.showFooter() }
  }

  // MARK: - Selection

  /// The rows of the list. Empty if the learner has no cards.
  var rows: [WaitingReviews] { dashboard.map { $0.isEmpty ? [] : $0.rows } ?? [] }
  var chosenRow: WaitingReviews? { rows.indices.contains(chosen) ? rows[chosen] : nil }

  /// An entry of the list.
  enum Entry: Hashable {
    case row(WaitingReviews)
    case own
    case chart(ReviewDashboard.Chart)
  }

  /// The entries: the rows of courses, that of own cards, and the charts.
  var entries: [Entry] {
    guard let dashboard, !rows.isEmpty else { return [] }
    return rows.map(Entry.row) + (dashboard.own.all > 0 ? [.own] : []) + ReviewDashboard.Chart.allCases.map(Entry.chart)
  }
  var chosenEntry: Entry? { entries.indices.contains(chosen) ? entries[chosen] : nil }

  /// The place of the selected row as the service names it, or `nil` for all courses.
  var chosenName: PlaceName? { chosenRow.flatMap { $0.place.place == .root ? placeName : name(of: $0.place.place) } }

  /// The place that commands such as *info* apply to: the source of the card, or the selected course.
  var chosenPlace: Place? {
    if let card = session?.card { return card.id.place }
    return chosenRow.map(\.place.place).flatMap { $0 == .root ? nil : $0 }
  }

  /// Whether the selected row has suspended cards.
  var hasSuspendedCards: Bool { chosenRow.map { dashboard?.suspendedCards(in: $0) ?? 0 > 0 } ?? false }

  /// The time after which the contents are read again before an event is handled, because cards have become due, in
  /// milliseconds.
  private static let maximumAge: Int64 = 60_000

  override var keyContexts: [KeyContext] { field == nil ? [.review, .page, .card, .quiz, .everywhere] : [] }

  override var fieldKeys: [KeyHint]? { answerFieldKeys }

  /// The lesson whose cards can be added if there are no cards yet.
  private var lessonToAdd: NamedPlace? {
    rows.isEmpty ? (try? context.navigation.reviews.nextLesson(in: chosenName))?.lesson : nil
  }

  override func offer(_ command: Command) -> Offer? {
    if session != nil { return offerInReview(command) }
    if command == .addCards, lessonToAdd != nil { return Offer("add cards") { [self] in learnMore() } }
    guard !rows.isEmpty else { return super.offer(command) }
    let canBegin = chosenRow?.canBeAsked == true
    switch command {
    case .open where chosenEntry == .own: return Offer("edit") { [self] in _ = context.perform(.ownCards) }
    case .begin where chosenEntry == .own: return Offer("review") { [self] in begin(in: nil, mode: .own(ahead: false)) }
    case .begin where chosenRow.map { dashboard?.isNotBegun($0) == true } == true:
      return Offer("begin") { [self] in beginCourse() }
    case .begin where chosenRow != nil: return Offer(canBegin ? "review" : "") { [self] in begin(in: chosenName) }
    case .reviewAhead:
      return Offer("review ahead", rank: canBegin ? 2 : 0, order: canBegin ? 0 : -1) { [self] in reviewAhead() }
    case .addCards where chosenEntry != .own: return Offer("add cards", rank: 2) { [self] in learnMore() }
    case .resumeCards where hasSuspendedCards: return Offer("resume cards") { [self] in resumeSuspended() }
    case .chooseNext: return Offer("select") { [self] in choose(by: 1) }
    case .choosePrevious: return Offer("select") { [self] in choose(by: -1) }
    case .chooseFirst: return Offer { [self] in choose(0, scrolledBy: -list.scroll) }
    case .chooseLast: return Offer { [self] in choose(entries.count - 1, scrolledBy: list.lastScroll) }
    default:
      // Other commands that move scroll, because the drawings are longer than the list.
      guard let amount = command.target(from: 0, visible: bodyRows) else { return super.offer(command) }
      return Offer(list.lastScroll == 0 ? nil : "") { [self] in scroll(by: amount) }
    }
  }

  /// Returns what the commands that leave something do.
  func offerToLeave(_ command: Command) -> Offer? { super.offer(command) }

  override var escapeTargets: Set<EscapeTarget> {
    var targets = super.escapeTargets
    if field != nil { targets.insert(.typing) }
    if session != nil { targets.insert(.review) }
    if placeName != nil { targets.insert(.reviewPlace) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    switch target {
    case .typing:
      field = nil
      draw()
    case .review: endReview()
    case .reviewPlace: show(only: nil)
    default: return super.leave(target)
    }
    return true
  }

  /// Selects another row. After the last row, the drawings below the list scroll; before the first row, they scroll
  /// back.
  private func choose(by amount: Int) {
    let lastScrollOfList = max(0, min(list.lastScroll, list.contentHeight - listHeight))
    if amount < 0, list.scroll > lastScrollOfList {
      return scroll(by: max(amount, lastScrollOfList - list.scroll))
    }
    guard entries.indices.contains(chosen + amount) else { return scroll(by: amount) }
    choose(chosen + amount)
  }

  override func choose(_ index: Int) { choose(index, scrolledBy: 0) }

  private func choose(_ index: Int, scrolledBy amount: Int) {
    list.choose(index)
    layOutList()
    list.scroll(by: amount)
    updateContents()
    context.showFooter()
  }

  override func scroll(by amount: Int) {
    list.scroll(by: amount)
    updateContents()
  }

  override func openChosen() { if !perform(.open) { perform(.begin) } }

  /// Shows the list from its beginning, with the selected row.
  func scrollToStart() {
    list = SelectionList(chosen: chosen)
    layOutList()
    updateContents()
  }

  override func handle(_ event: InputEvent) -> Bool {
    if session != nil { return handleInReview(event) }
    if let readAt, context.now.milliseconds - readAt.milliseconds >= Self.maximumAge { reload() }
    return super.handle(event)
  }

  // MARK: - Layout

  override var position: String { session?.card == nil ? context.navigation.learner : "" }
  override var breadcrumbTitles: [String] { session?.card?.ancestorTitles ?? super.breadcrumbTitles }
  override var titleRow: Surface { titleOfList }
  override var subtitleRow: Surface { outlookRow }
  override var ruleFraction: Double { reviewFraction }
  override var framedPlace: NamedPlace? { session == nil ? chosenRow?.place : nil }
  override var listEnd: Int? { nil }
  override var listedRows: [ListedRow] { session == nil ? listContents : summaryRows }

  override func updateContents() {
    super.updateContents()
    guard isLayerLoaded else { return }
    cardView.layer.isHidden = session?.card == nil
    cardView.layer.frame = Rect(
      x: 0, y: 0, width: Double(metrics.size.columns), height: Double(bodyRows))
    redrawText()
    requestImages()
  }

  /// Whether the selected entry has a frame. Only a row with a place has one.
  var hasFrame: Bool { !metrics.isSmall && chosenRow != nil }

  override func layOutList() {
    let entries = entries
    var form = SelectionList.Form(frameRows: hasFrame ? 1 : 0)
    if let dashboard, !entries.isEmpty {
      // A rule separates the charts from the rows above them.
      form.headings = [entries.count - ReviewDashboard.Chart.allCases.count: 1]
      if case .chart(let chart)? = chosenEntry {
        form.moreOfChosen = dashboard.rows(of: chart, atMost: listHeight - 1)
      } else {
        form.rowsBelow = max(0, nextCardLines.count - (hasCardColumn ? ReviewDashboard.Chart.allCases.count : 0))
      }
    }
    list.layOut(form, count: entries.count, height: listHeight)
  }

  /// The columns of a chart in one row, next to the next cards.
  private static let chartColumns = 28
  /// Whether the next cards are to the left of the charts.
  private var hasCardColumn: Bool { metrics.textWidth >= 64 }
  private var nextCardLines: [StyledLine] {
    dashboard?.nextCardLines(width: metrics.textWidth - (hasCardColumn ? Self.chartColumns : 0), drawing.lines) ?? []
  }
}

/// The header, the list and the drawings of the Review tab.
extension ReviewScreen {
  var titleOfList: Surface {
    var text = StyledText("Review", style: drawing.theme.bold(.strong))
    if let place {
      text.append(" of " + drawing.symbols.quotes.around(place.title), style: drawing.theme[.warn])
    }
    if let tag { text.append(" of the tag " + drawing.symbols.quotes.around(tag), style: drawing.theme[.warn]) }
    return row(text, session == nil ? todayText : session?.card == nil ? "" : session?.positionText ?? "")
  }

  /// The numbers of cards that are due: `6 now · 12 within 10 min · about 4 min`.
  private var todayText: String {
    guard let dashboard, !dashboard.isEmpty else { return "" }
    return dashboard.total(columns: metrics.textWidth - title.count - 2, drawing.symbols)
  }

  var outlookRow: Surface {
    if session != nil {
      return row(StyledText(cardState, style: drawing.theme[.quiet]), "")
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

  var listContents: [ListedRow] {
    guard let dashboard else { return [] }
    guard !dashboard.isEmpty else {
      let hint = lessonToAdd.flatMap { lesson in
        let title = context.appearance.symbols.quotes.around(lesson.title)
        return context.label(of: .addCards).map { "\($0) adds those of \(title)." }
      }
      let hints = [hint, newCardHint.isEmpty ? nil : newCardHint + "."].compactMap(\.self)
      let text = (dashboard.outlook.sentences + hints).joined(separator: " ")
      return textRows(StyledText(text, style: drawing.theme[.quiet]).wrapped(to: metrics.textWidth))
    }
    let (entries, cards) = (entries, isChartSelected ? [] : nextCardLines)
    let firstChart = entries.count - ReviewDashboard.Chart.allCases.count
    var listed = list.visible.map { index in
      let surface =
        switch entries[index] {
        case .row(let row): surface(of: row, dashboard, isChosen: index == chosen)
        case .own: surfaceOfOwnCards(dashboard, isChosen: index == chosen)
        case .chart(let chart):
          surface(
            of: chart, dashboard,
            next: hasCardColumn && index - firstChart < cards.count ? cards[index - firstChart] : nil,
            isChosen: index == chosen)
        }
      return ListedRow(
        row: list.text(of: index).lowerBound, surface: surface,
        node: rows.indices.contains(index) ? rows[index].place.place.node : nil, titleColumn: 2)
    }
    let ruleRow = list.text(of: firstChart).lowerBound - 1
    if (0..<listHeight).contains(ruleRow) {
      listed.append(
        ListedRow(row: ruleRow, surface: drawing.lines.rule(width: metrics.textWidth, fraction: 0, role: .faint)))
    }
    for (index, line) in cards.dropFirst(hasCardColumn ? ReviewDashboard.Chart.allCases.count : 0).enumerated() {
      let row = list.contentHeight - list.scroll + index
      guard (0..<listHeight).contains(row) else { continue }
      listed.append(ListedRow(row: row, surface: self.row(StyledText(line.runs), "")))
    }
    if list.scroll < list.lastScroll, metrics.spacingBelowText > 0 { listed.append(moreRow("more", at: listHeight)) }
    return listed
  }

  /// A text about the key that makes a card. Empty if the command has no key.
  private var newCardHint: String { context.label(of: .editCard).map { "\($0) makes a card of your own" } ?? "" }

  private var isChartSelected: Bool { if case .chart? = chosenEntry { true } else { false } }

  /// Returns the beginning of an entry. A selected entry without a frame has a symbol.
  private func name(_ text: String, isChosen: Bool) -> StyledText {
    let theme = drawing.theme
    var name = StyledText(isChosen && !hasFrame ? drawing.symbols.marker + " " : "  ", style: theme.bold(.accent))
    name.append(text, style: isChosen ? theme.bold(.strong) : theme[.foreground])
    return name
  }

  private func surface(of row: WaitingReviews, _ dashboard: ReviewDashboard, isChosen: Bool) -> Surface {
    let theme = drawing.theme
    let title = row.place.place == .root ? "All courses" : row.place.title
    var counts = StyledText(dashboard.counts(of: row), style: theme[.quiet])
    if !metrics.isNarrow { counts.append("  " + dashboard.bars(of: row, drawing.symbols), style: theme.line(.accent)) }
    return drawing.lines.row(
      name(title, isChosen: isChosen), counts, indent: PageDrawing.statusColumns,
      fewer: StyledText("\(row.today)", style: theme[.quiet]), width: metrics.textWidth)
  }

  private func surfaceOfOwnCards(_ dashboard: ReviewDashboard, isChosen: Bool) -> Surface {
    let own = dashboard.own
    let counts =
      (own.due == 0 ? "none now" : "\(ReviewText.number(own.due)) now") + ", \(ReviewText.number(own.all)) in all"
    return drawing.lines.row(
      name("My own cards", isChosen: isChosen), StyledText(counts, style: drawing.theme[.quiet]),
      indent: PageDrawing.statusColumns, width: metrics.textWidth)
  }

  /// Draws a chart in one row, or below it too if it is selected.
  ///
  /// - Parameter next: The text to the left of a chart in one row.
  private func surface(
    of chart: ReviewDashboard.Chart, _ dashboard: ReviewDashboard, next: StyledLine?, isChosen: Bool
  ) -> Surface {
    let (theme, lines) = (drawing.theme, drawing.lines)
    let available = listHeight - 1
    let rows = isChosen ? dashboard.rows(of: chart, atMost: available) : 0
    var surface = Surface(columns: metrics.textWidth, rows: 1 + rows)
    if let next { surface.draw(next, at: .zero) }
    let column = hasCardColumn && !isChartSelected ? metrics.textWidth - Self.chartColumns : 0
    var text = StyledText(column > 0 ? String(drawing.symbols.vertical) : "", style: theme.line(.faint))
    let symbols = drawing.symbols.details
    text.append((isChosen ? symbols.open : symbols.closed) + " ", style: isChosen ? theme.bold(.accent) : theme[.quiet])
    text.append(chart.rawValue, style: isChosen ? theme.bold(.strong) : theme[.foreground])
    text.append(String(repeating: " ", count: max(1, 14 - text.displayWidth)))
    let isFull = isChosen && rows > 1
    text.append(
      isFull ? dashboard.title(of: chart) : dashboard.bars(of: chart, drawing.symbols),
      style: isFull ? theme[.quiet] : theme.line(.accent))
    surface.draw(StyledLine(text.runs), at: CellPoint(column: column, row: 0))
    if isChosen {
      let indent = metrics.isNarrow ? 0 : 2
      surface.copy(
        dashboard.drawing(of: chart, width: metrics.textWidth - indent, atMost: available, lines),
        at: CellPoint(column: indent, row: 1))
    }
    return surface
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
    if chosenEntry == .own { return Footer.Hint(.open, text: "Edit your own cards", detail: newCardHint) }
    guard let chosenRow else { return Footer.Hint(.chooseFirst, text: "Back to the first row", detail: "") }
    if dashboard?.isNotBegun(chosenRow) == true {
      return Footer.Hint(
        .begin, text: "Begin " + context.appearance.symbols.quotes.around(chosenRow.place.title), detail: "")
    }
    guard chosenRow.canBeAsked else {
      return Footer.Hint(.reviewAhead, text: "Review cards of later days", detail: "")
    }
    let title = chosenRow.place.place == .root ? "" : chosenRow.place.title
    return Footer.Hint(
      .begin,
      text: "Review \(ReviewText.count(chosenRow.today + (chosenRow.today == 0 ? chosenRow.later : 0), "card"))",
      detail: title)
  }
}
