import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The History tab: the learner's steps by day, the newest day first, each day in chronological order.
@MainActor final class HistoryScreen: TabPage {
  /// The number of steps that are read at once. Older steps are read when the learner reaches the end of the list.
  var page = 500

  private(set) var lines: [Line] = []
  /// The steps that have been read so far, newest first, and the cursor of the older ones.
  private var steps: [HistoryRow] = []
  private var older: HistoryCursor?
  var week = HistoryWeek()
  /// The number of the week whose bars are shown: 0 for this week, -1 for the previous week.
  var weekNumber = 0
  /// The state of the search field, or `nil` if the field is not open.
  var typing: Typing?
  private(set) var hasRoot = false
  /// Suffixes that distinguish courses with the same title.
  private(set) var courseNames = [NamedPlace]().courseNames
  /// Whether the lines are laid out for a small terminal.
  private var isTight = false
  /// The filter of the steps.
  private(set) var choice = HistoryChoice.allSteps
  /// The outcomes of the visits that have been visible so far, by the ID of the visit's step.
  private(set) var outcomes: [Int64: VisitOutcome] = [:]

  init(context: ScreenContext) {
    super.init(title: "History", context: context)
  }

  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    let choice = keepsState ? choice : .allSteps
    keepsState = false
    (typing, weekNumber) = (nil, 0)
    context.trying {
      week =
        context.playback?.path == nil
        ? try HistoryWeek(
          of: context.navigation, at: context.now, now: context.now, symbols: context.appearance.symbols)
        : HistoryWeek()
    }
    context.trying { try read(choice) }
  }

  /// Applies a filter. If its steps cannot be read, for example because its place does not exist, the earlier filter
  /// and its steps stay.
  func show(only choice: HistoryChoice) throws {
    try read(choice)
    context.showFooter()
  }

  private func read(_ choice: HistoryChoice) throws {
    (steps, older) = try shownHistory(choice, after: nil)
    self.choice = choice
    showNewestSteps()
  }

  /// Clears the list, because the typed query is invalid.
  func showNoSteps() {
    (steps, older) = ([], nil)
    showNewestSteps()
  }

  /// Shows the steps and selects the last one.
  private func showNewestSteps() {
    outcomes = [:]
    showSteps()
    // The newest step is the last one of the newest day, whichever session it belongs to.
    let dayBefore = lines.indices.filter { lines[$0].isDay }.dropFirst().first
    list = SelectionList(chosen: lines[..<(dayBefore ?? lines.count)].lastIndex { $0.step != nil } ?? 0)
    layOutList()
    updateContents()
  }

  // MARK: - Reading steps

  /// Reads older steps. The selected step keeps its position on screen, although earlier steps of the same day are
  /// added above it.
  private func loadOlder() {
    guard let cursor = older else { return }
    let step = chosenStep
    context.trying {
      let olderPage = try shownHistory(choice, after: cursor)
      steps += olderPage.rows
      older = olderPage.older
      showSteps()
    }
    if let step, let index = lines.firstIndex(where: { $0.step == step }) { list.follow(to: index) }
    layOutList()
  }

  /// Reads the steps to show: those of a running tour, otherwise those of the learner.
  ///
  /// - Returns: The newest steps, or those after the cursor, and the cursor of older ones.
  private func shownHistory(
    _ choice: HistoryChoice, after cursor: HistoryCursor?
  ) throws -> (rows: [HistoryRow], older: HistoryCursor?) {
    if let path = context.playback?.path { return (path, nil) }
    let history = try context.navigation.history.page(choice.filter, limit: page, after: cursor)
    return (history.rows, history.next)
  }

  /// The line of the oldest day that has been read. Some of its steps may not have been read.
  private var oldestDay: Int { lines.lastIndex(where: \.isDay) ?? 0 }

  private func showSteps() {
    let isPart = choice != .allSteps
    let visibleSteps = isPart ? steps : steps.withoutUnattendedVisits()
    isTight = metrics.isSmall
    lines = Self.lines(
      of: visibleSteps, isAll: older == nil, isPart: isPart, isTight: isTight, context.dayNames)
    if lines.isEmpty {
      let rows = message.wrapped(to: metrics.textWidth)
      lines = (isTight ? [] : [.gap]) + rows.map { .message(String($0)) }
    }
    hasRoot = visibleSteps.contains { $0.stack.count == 1 }
    courseNames = visibleSteps.map(\.to).courseNames
  }

  /// The message of an empty list: the error of the typed query, or that there are no steps.
  private var message: String {
    if let mistake = typing?.mistake { return mistake }
    let learnKey = context.label(of: .tab(0)).map { " (\($0))" } ?? ""
    let texts =
      choice != .allSteps
      ? ["No step matches. Esc shows all steps.", "No step matches.", "No match."]
      : [
        "No history yet. Places that you open in Learn\(learnKey) appear here.",
        "No history yet. What you open appears here.", "No history yet.",
      ]
    return texts.first { $0.displayWidth <= metrics.textWidth } ?? texts[texts.count - 1]
  }

  /// The ID of the newest listed step, whichever session it belongs to.
  var newest: Int64? { lines.compactMap(\.step?.id).max() }

  /// Selects the last step at or before a time, reading as many older steps as needed.
  func chooseLastStep(until end: Timestamp) {
    while older != nil, let oldest = steps.last, oldest.at > end { loadOlder() }
    let targetID = steps.filter { $0.at <= end }.map(\.id).max()
    // If the filter hides that step, an earlier one is selected.
    select(
      lines.lastIndex { $0.step.map { $0.id == targetID } == true }
        ?? lines.firstIndex { $0.step.map { $0.at <= end } == true } ?? chosen)
  }

  // MARK: - Selection

  override var keyContexts: [KeyContext] { typing == nil ? [.history, .page, .everywhere] : [] }

  override var fieldKeys: [KeyHint]? {
    guard let typing else { return nil }
    let symbols = context.appearance.symbols
    let cancel = KeyHint("Esc", EscapeTarget.typing.label)
    return typing.mistake == nil
      ? [KeyHint(symbols.enter, "apply"), cancel, KeyHint(symbols.upDown, "select")] : [cancel]
  }

  override func offer(_ command: Command) -> Offer? {
    let isEmpty = chosenStep == nil
    let motion = command == .readOn ? .pageDown : command
    if let offer = offerToChoose(motion, isEmpty ? nil : "select", rank: 1) { return offer }
    switch command {
    case .open: return isEmpty ? .unused : Offer("open") { [self] in openChosenStep() }
    case .searchHistory: return Offer("search") { [self] in beginSearch() }
    case .previousWeek: return Offer(isEmpty ? "" : "week", rank: 1) { [self] in showWeek(by: -1) }
    case .nextWeek: return Offer(isEmpty ? "" : "week", rank: 1) { [self] in showWeek(by: 1) }
    case .leave where escapeTarget == .tab: return Offer { [self] in _ = leaveInnermost() }
    default: return super.offer(command)
    }
  }

  private func openChosenStep() {
    guard let row = chosenStep else { return }
    keepsState = true
    // If the filter is *wrong answers*, the attempt is shown instead of the first page of the quiz.
    guard choice.filter.answers != .wrong else { return navigator.openLastAttempt(at: row.to.place, question: nil) }
    navigator.openSearchResult(row.to.place, for: nil, cause: .key) {}
  }

  override var escapeTargets: Set<EscapeTarget> {
    var targets = super.escapeTargets
    if typing != nil { targets.insert(.typing) }
    if choice != .allSteps { targets.insert(.filter) }
    return targets
  }

  override func leave(_ target: EscapeTarget) -> Bool {
    switch target {
    case .typing: endSearch(showing: typing?.before)
    case .filter: context.trying { try show(only: .allSteps) }
    default: return super.leave(target)
    }
    return true
  }

  /// Whether a step was opened. If `true`, the tab keeps its contents until the learner returns.
  private var keepsState = false

  override func choose(_ index: Int) {
    let amount = index - chosen
    if index + bodyRows >= oldestDay { loadOlder() }
    select(chosen + amount)
  }

  /// Selects a step, or the nearest one if the line shows none.
  private func select(_ index: Int) {
    list.choose(index, where: isStep)
    layOutList()
    updateContents()
    context.showFooter()
  }

  var chosenPlace: Place? { chosenStep?.to.place }

  var chosenStep: HistoryRow? { lines.indices.contains(chosen) ? lines[chosen].step : nil }

  /// The hint about replaying the session of the selected step.
  var hint: Footer.Hint? {
    guard let session = chosenStep?.session else {
      return choice == .allSteps ? nil : Footer.Hint(.leave, text: "Show all steps", detail: "")
    }
    let steps = lines.compactMap(\.step).filter { $0.session == session }
    // A single step cannot be replayed usefully. In a filtered history, the number of steps of the session is unknown.
    guard steps.count > 1 || choice != .allSteps else { return nil }
    let detail = choice == .allSteps ? steps.durationOfReplay : ""
    return Footer.Hint(.replay, text: "Replay this session", detail: detail)
  }

  private func isStep(_ index: Int) -> Bool { lines[index].step != nil }

  override func handle(_ event: InputEvent) -> Bool {
    if handleTyping(event) { return true }
    // A heading cannot be selected, and the pinned one covers the line in its row.
    if case .mouse(let mouse) = event, case .press = mouse.action {
      let row = mouse.position.row - metrics.bodyTop
      guard row >= firstRow, let index = list.index(atRow: row), isStep(index) else { return false }
    }
    return super.handle(event)
  }

  // MARK: - Layout

  override func layOut(in size: Size) {
    catchUp()
    super.layOut(in: size)
  }

  override func layOutList() {
    if isTight != metrics.isSmall {
      // The lines depend on the size class. The selected step stays selected.
      let step = chosenStep
      showSteps()
      list = SelectionList(chosen: lines.firstIndex { $0.step == step } ?? 0)
    }
    let rows = hasFrame ? 1 : 0
    list.layOut(
      SelectionList.Form(frameRows: rows, moreOfChosen: rows), count: lines.count, height: listHeight,
      rowsAbove: rowsOfHeading)
  }

  /// The number of rows above the selected step that are shown too: the headings of the first step of a day, otherwise
  /// the row of the pinned heading.
  private var rowsOfHeading: Int {
    guard lines.indices.contains(chosen) else { return 0 }
    let headings = lines[..<chosen].reversed().prefix { $0.step == nil }.count
    return headings > 0 || !hasFrame ? headings : 1
  }

  var hasFrame: Bool { !metrics.isSmall && chosenStep != nil }

  /// The first row that shows lines. The pinned heading is above it.
  private var firstRow: Int { dayAbove == nil ? 0 : 1 }

  /// Returns the first row of a line's text.
  private func row(of index: Int) -> Int { list.text(of: index).lowerBound }

  /// The numbers of steps above and below the visible ones, among the steps that have been read.
  private var more: (above: Int, below: Int) {
    let first = firstRow
    let above = lines.indices.prefix { row(of: $0) < first }.count(where: isStep)
    return (above, lines.indices.dropFirst(list.visible.upperBound).count(where: isStep))
  }

  /// The texts about further steps above and below the visible ones, or `nil` if there are none.
  private var overflowTexts: (above: String?, below: String?) {
    let (more, arrows) = (more, drawing.symbols.arrows)
    let below = older == nil ? more.below == 0 ? nil : " \(more.below) more" : " more"
    return (more.above == 0 ? nil : "\(arrows[0]) \(more.above) more", below.map { arrows[1] + $0 })
  }

  override var position: String { "learner " + context.navigation.learner }

  override var titleRow: Surface {
    // A small terminal has one row for both the title and the filter.
    if typing != nil { return typedRow }
    if metrics.summaryRow == nil, choice != .allSteps { return row(only, "") }
    let overflow = overflowTexts
    let small = metrics.isSmall ? [overflow.above, overflow.below].compactMap { $0?.replacing(" more", with: "") } : []
    return row(
      StyledText("History", style: drawing.theme.bold(.strong)),
      small.isEmpty ? week.time : small.joined(separator: "  "))
  }

  /// The row with the search field and the number of matching steps.
  private var typedRow: Surface {
    let theme = drawing.theme
    let count = lines.count { $0.step != nil }
    let countText = typing?.mistake == nil ? DisplayFormat.count(count, "step") + (older == nil ? "" : " and more") : ""
    var leftText = StyledText("/ ", style: theme.bold(.accent))
    let availableColumns = metrics.textWidth - countText.displayWidth - 4
    if let typing {
      leftText.append(
        typing.field.styled(
          theme.bold(.strong), caret: theme.bold(.accent), bar: drawing.symbols.bar, width: max(8, availableColumns)))
    }
    return row(leftText, countText)
  }

  /// The text about the active filter.
  private var only: StyledText { StyledText("Only " + choice.name, style: drawing.theme[.warn]) }

  override var subtitleRow: Surface {
    if typing != nil { return row(StyledText(Self.examples, style: drawing.theme[.quiet]), "") }
    if choice != .allSteps {
      return row(only, "Esc shows all")
    }
    let availableColumns = metrics.textWidth - week.counts.displayWidth - 2
    return row(week.row(width: availableColumns, theme: drawing.theme), week.counts)
  }

  override var framedPlace: NamedPlace? { chosenStep?.to }

  override func updateContents() {
    loadOutcomes()
    super.updateContents()
  }

  /// Reads the outcomes of only the visible visits, because a history can be long.
  private func loadOutcomes() {
    let visits = lines.dropFirst(max(0, list.scroll - 4)).prefix(bodyRows + 8).compactMap(\.step)
      .filter { outcomes[$0.id] == nil }
    guard !visits.isEmpty else { return }
    context.trying { outcomes.merge(try context.navigation.history.outcomes(of: visits)) { $1 } }
  }

  override var listedRows: [ListedRow] {
    let overflow = overflowTexts
    let day = dayAbove.map { ListedRow(row: 0, surface: surface(of: $0, besides: overflow.above)) }
    let rows = list.visible.filter { row(of: $0) >= firstRow }.map { index in
      // Several lines can show the same place, but only the selected line has the frame.
      ListedRow(
        row: row(of: index), surface: surface(of: index), node: index == chosen ? chosenStep?.to.place.node : nil,
        titleColumn: titleColumn)
    }
    var overflowRows: [ListedRow] = []
    let quiet = drawing.theme[.quiet]
    if day == nil, !metrics.isSmall, let above = overflow.above, lines.indices.contains(list.scroll),
      !isStep(list.scroll)
    {
      overflowRows.append(ListedRow(row: 0, surface: row(StyledText(), above)))
    }
    if metrics.spacingBelowText > 0, let below = overflow.below {
      overflowRows.append(ListedRow(row: listHeight, surface: row(StyledText(below, style: quiet), "")))
    }
    return [day].compactMap(\.self) + rows + overflowRows
  }

  /// The line of the day's heading, if the first visible step belongs to a day whose heading is scrolled out. The
  /// heading is pinned to the first row.
  private var dayAbove: Int? {
    let scroll = list.scroll
    guard !metrics.isSmall, scroll > 0, lines.indices.contains(scroll) else { return nil }
    let day = lines[...scroll].lastIndex(where: \.isDay)
    guard let day, day < scroll, isStep(scroll) || day == scroll - 1 else { return nil }
    return day
  }
}
