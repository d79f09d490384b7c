import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The Review tab: what waits today by course, the forecast, and the answers of the last year. During a review, the tab
/// shows the cards one after another, and then a summary.
@MainActor final class ReviewScreen: TabPage, ScreenWithImages {
  /// The contents of the tab, or `nil` before the tab is shown.
  private(set) var dashboard: ReviewDashboard?
  /// The place whose cards are shown, or `nil` for all courses.
  private(set) var place: NamedPlace?
  /// The index of the selected row.
  private(set) var chosen = 0
  /// The drawings below the list.
  private(set) var sections: [ReviewDashboard.Section] = []
  /// The number of rows of the list and the drawings that are scrolled out.
  private(set) var scroll = 0

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
  /// The suspended cards that the learner resumed last in the overview. They can be suspended again.
  var resumedCards: [CardID] = []
  /// When the contents were read.
  private var readAt: Timestamp?
  /// The next lesson whose cards the learner can add after the last card.
  var lessonToLearn: NamedPlace?
  let cardView = ReviewCardView()
  var showsImages = false
  var imagesCall: ScheduledCall?

  init(context: ScreenContext) {
    super.init(title: "Review", context: context)
  }

  override func didLoad() {
    super.didLoad()
    body.add(cardView.layer)
  }

  /// Reads what waits. A review in progress continues.
  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    if session?.card == nil { session = nil }
    resumedCards = []
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
    (chosen, scroll) = (0, 0)
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
    chosen = rows.firstIndex { $0.place.place == selected } ?? 0
    drawSections()
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

  override func offer(_ command: Command) -> Offer? {
    if session != nil { return offerInReview(command) }
    guard !rows.isEmpty else { return super.offer(command) }
    let canBegin = chosenRow?.canBeAsked == true
    func scroll(by amount: Int) -> Offer { Offer(lastScroll == 0 ? nil : "") { [self] in self.scroll(by: amount) } }
    switch command {
    case .begin: return Offer(canBegin ? "review" : "") { [self] in begin(in: chosenName) }
    case .reviewAhead:
      return Offer("review ahead", rank: canBegin ? 2 : 0, order: canBegin ? 0 : -1) { [self] in reviewAhead() }
    case .addCards: return Offer("add cards", rank: 2) { [self] in learnMore() }
    case .resumeCards where hasSuspendedCards: return Offer("resume cards") { [self] in resumeSuspended() }
    case .undo where !resumedCards.isEmpty: return Offer { [self] in undoResume() }
    case .chooseNext: return Offer("select") { [self] in choose(by: 1) }
    case .choosePrevious: return Offer("select") { [self] in choose(by: -1) }
    case .chooseFirst: return Offer { [self] in chooseEnd(0, scrolledBy: -Self.unlimited) }
    case .chooseLast: return Offer { [self] in chooseEnd(rows.count - 1, scrolledBy: Self.unlimited) }
    case .pageDown: return scroll(by: bodyRows - 1)
    case .pageBack: return scroll(by: 1 - bodyRows)
    case .halfPageDown: return scroll(by: max(1, bodyRows / 2))
    case .halfPageUp: return scroll(by: -max(1, bodyRows / 2))
    default: return super.offer(command)
    }
  }

  /// Returns what the commands that leave something do.
  func offerToLeave(_ command: Command) -> Offer? { super.offer(command) }

  /// A number that is larger than any number of rows.
  private static let unlimited = Int.max / 2

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
    let target = max(0, min(rows.count - 1, chosen + amount))
    if amount < 0, scroll > lastScrollOfList { return scroll(by: max(amount, lastScrollOfList - scroll)) }
    guard target != chosen else { return scroll(by: amount) }
    chosen = target
    scrollToChosen()
    updateContents()
    context.showFooter()
  }

  private func chooseEnd(_ index: Int, scrolledBy amount: Int) {
    chosen = max(0, index)
    scroll(by: amount)
    updateContents()
    context.showFooter()
  }

  private func scroll(by amount: Int) {
    let next = max(0, min(lastScroll, scroll + amount))
    guard next != scroll else { return }
    scroll = next
    updateContents()
  }

  /// Shows the list from its beginning, with the selected row.
  func scrollToStart() {
    scroll = 0
    scrollToChosen()
    updateContents()
  }

  /// Scrolls so that the selected row with its frame is visible.
  private func scrollToChosen() {
    let range = chosen..<chosen + (hasFrame ? 3 : 1)
    scroll = min(scroll, range.lowerBound)
    scroll = max(0, min(lastScroll, max(scroll, range.upperBound - bodyRows)))
  }

  override func handle(_ event: InputEvent) -> Bool {
    if session != nil { return handleInReview(event) }
    if let readAt, context.now.milliseconds - readAt.milliseconds >= Self.maximumAge { reload() }
    guard case .mouse(let mouse) = event else { return false }
    switch mouse.action {
    case .scroll(columns: 0, let rows): scroll(by: rows)
    case .press(.left):
      let row = mouse.position.row - metrics.bodyTop
      guard (0..<bodyRows).contains(row),
        let index = rows.indices.first(where: { self.row(of: $0) == row || (hasFrame && framedRows(of: $0, row)) })
      else { return false }
      if index == chosen { return perform(.begin) }
      choose(by: index - chosen)
    default: return false
    }
    return true
  }

  private func framedRows(of index: Int, _ row: Int) -> Bool { index == chosen && abs(self.row(of: index) - row) == 1 }

  // MARK: - Layout

  override var position: String { context.navigation.learner }
  override var titleRow: Surface { titleOfList }
  override var subtitleRow: Surface { outlookRow }
  override var ruleFraction: Double { reviewFraction }
  override var frame: (rows: Range<Int>, place: NamedPlace)? { session == nil ? listFrame : nil }
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

  override func layOut(in size: Size) {
    super.layOut(in: size)
    drawSections()
    scrollToChosen()
    updateContents()
  }

  override func appearanceDidChange() {
    drawSections()
    super.appearanceDidChange()
  }

  /// Whether the selected row has a frame.
  var hasFrame: Bool { !metrics.isSmall && !rows.isEmpty }

  /// Returns the row of the body in which an entry of the list is.
  func row(of index: Int) -> Int {
    index - scroll + (hasFrame ? index == chosen ? 1 : index > chosen ? 2 : 0 : 0)
  }

  /// The number of rows of the list, with the frame.
  var listRows: Int { rows.count + (hasFrame ? 2 : 0) }
  /// The number of rows of the list and of the drawings below it.
  var contentRows: Int {
    let end = sections.map { $0.origin.row + $0.surface.rows }.max() ?? 0
    return end == 0 ? listRows : sectionsTop + end
  }
  /// The row of the drawings, from the first row of the list.
  var sectionsTop: Int { listRows + 1 }
  private var lastScroll: Int { max(0, contentRows - listHeight) }
  /// The offset up to which the list itself scrolls.
  private var lastScrollOfList: Int { max(0, min(lastScroll, listRows - listHeight)) }
  /// The number of rows of the body, without the blank row above the hint.
  var listHeight: Int { max(1, bodyRows - metrics.spacingBelowText) }

  private func drawSections() {
    guard let dashboard, !dashboard.isEmpty else { return sections = [] }
    sections = dashboard.sections(
      width: metrics.textWidth, rows: listHeight - sectionsTop, hasPane: metrics.sidePaneWidth > 0, drawing.lines)
  }
}
