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
  /// The drawings below the list.
  private(set) var sections: [ReviewDashboard.Section] = []

  // The state of a review, which `ReviewScreen+Reviewing.swift` changes.
  /// The review in progress or, after its last card, its results. `nil` while the tab shows the overview.
  var session: ReviewSession?
  /// The choices that the learner takes, or `nil` for a card without choices.
  var run: QuizRun?
  /// The answer that the learner types, or `nil` if none is being typed.
  var field: TextField?
  /// Whether the source of the card is shown.
  var showsSource = false
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

  /// Limits the tab to a place. `nil` shows all courses.
  func show(only place: NamedPlace?) {
    self.place = place
    list = SelectionList()
    reload()
    context.showFooter()
  }

  /// The place as the service names it, or `nil` for all courses.
  var placeName: PlaceName? { place.map { .place($0.place) } }

  /// Reads what waits again. The selected row stays selected.
  func reload() {
    let selected = chosenRow?.place.place
    context.trying { dashboard = try ReviewDashboard(of: context.navigation, in: placeName) }
    readAt = context.now
    let scroll = list.scroll
    list.chosen = rows.firstIndex { $0.place.place == selected } ?? 0
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

  /// The place of the selected row as the service names it, or `nil` for all courses.
  var chosenName: PlaceName? { chosenRow.flatMap { $0.place.place == .root ? placeName : .place($0.place.place) } }

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
    case .begin: return Offer(canBegin ? "review" : "") { [self] in begin(in: chosenName) }
    case .reviewAhead:
      return Offer("review ahead", rank: canBegin ? 2 : 0, order: canBegin ? 0 : -1) { [self] in reviewAhead() }
    case .addCards: return Offer("add cards", rank: 2) { [self] in learnMore() }
    case .resumeCards where hasSuspendedCards: return Offer("resume cards") { [self] in resumeSuspended() }
    case .chooseNext: return Offer("select") { [self] in choose(by: 1) }
    case .choosePrevious: return Offer("select") { [self] in choose(by: -1) }
    case .chooseFirst: return Offer { [self] in choose(0, scrolledBy: -list.scroll) }
    case .chooseLast: return Offer { [self] in choose(rows.count - 1, scrolledBy: list.lastScroll) }
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
    if showsSource { targets.insert(.source) }
    if place != nil { targets.insert(.reviewPlace) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    switch target {
    case .typing:
      field = nil
      draw()
    case .source: toggleSource()
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
    guard rows.indices.contains(chosen + amount) else { return scroll(by: amount) }
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

  override func openChosen() { perform(.begin) }

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

  override var position: String { context.navigation.learner }
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

  /// Whether the selected row has a frame.
  var hasFrame: Bool { !metrics.isSmall && !rows.isEmpty }

  override func layOutList() {
    let listRows = rows.count + (hasFrame ? 2 : 0)
    sections = []
    if let dashboard, !dashboard.isEmpty {
      sections = dashboard.sections(
        width: metrics.textWidth, rows: listHeight - listRows - 1, hasPane: metrics.sidePaneWidth > 0, drawing.lines)
    }
    let end = sections.map { $0.origin.row + $0.surface.rows }.max() ?? 0
    list.layOut(
      SelectionList.Form(frameRows: hasFrame ? 1 : 0, rowsBelow: end == 0 ? 0 : end + 1), count: rows.count,
      height: listHeight)
  }
}

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

  var listContents: [ListedRow] {
    guard let dashboard else { return [] }
    guard !dashboard.isEmpty else {
      let hint = lessonToAdd.flatMap { lesson in
        let title = context.appearance.symbols.quotes.around(lesson.title)
        return context.label(of: .addCards).map { "\($0) adds those of \(title)." }
      }
      let text = (dashboard.outlook.sentences + [hint].compactMap(\.self)).joined(separator: " ")
      return textRows(StyledText(text, style: drawing.theme[.quiet]).wrapped(to: metrics.textWidth))
    }
    var listed = list.visible.map { index in
      ListedRow(
        row: list.text(of: index).lowerBound, surface: surface(of: index), node: rows[index].place.place.node,
        titleColumn: 2)
    }
    if let visibleSections { listed.append(visibleSections) }
    if list.scroll < list.lastScroll, metrics.spacingBelowText > 0 { listed.append(moreRow("more", at: listHeight)) }
    return listed
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
    let top = list.contentHeight + 1 - list.scroll
    let columns = sections.map { $0.origin.column + $0.surface.columns }.max() ?? 0
    let end = top + list.form.rowsBelow - 1
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
