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
  private(set) var chosen = 0
  private var scroll = 0
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
    chosen = lines[..<(dayBefore ?? lines.count)].lastIndex { $0.step != nil } ?? 0
    scroll = 0
    scrollToChosen()
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
    let index = step == nil ? chosen : lines.firstIndex { $0.step == step } ?? chosen
    scroll += index - chosen
    chosen = index
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
      of: visibleSteps, isAll: older == nil, isPart: isPart, isTight: isTight, in: context.navigation.timeZone)
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
    chosen =
      lines.lastIndex { $0.step.map { $0.id == targetID } == true }
      // If the filter hides that step, an earlier one is selected.
      ?? lines.firstIndex { $0.step.map { $0.at <= end } == true } ?? chosen
    scrollToChosen()
    updateContents()
    context.showFooter()
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
    func choose(_ label: String = "", by amount: Int) -> Offer {
      Offer(isEmpty ? nil : label, rank: 1) { [self] in self.choose(by: amount) }
    }
    switch command {
    case .chooseNext: return choose("select", by: 1)
    case .choosePrevious: return choose("select", by: -1)
    case .readOn, .pageDown: return choose(by: bodyRows)
    case .halfPageDown: return choose(by: max(1, bodyRows / 2))
    case .halfPageUp: return choose(by: -max(1, bodyRows / 2))
    case .pageBack: return choose(by: -bodyRows)
    case .chooseFirst: return choose(by: -Self.unlimitedRows)
    case .chooseLast: return choose(by: Self.unlimitedRows)
    case .open: return isEmpty ? .unused : Offer("open") { [self] in openChosenStep() }
    case .searchHistory: return Offer("search") { [self] in beginSearch() }
    case .previousWeek: return Offer(isEmpty ? "" : "week") { [self] in showWeek(by: -1) }
    case .nextWeek: return Offer(isEmpty ? "" : "week") { [self] in showWeek(by: 1) }
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

  /// A number of lines that is larger than any history.
  private static let unlimitedRows = Int.max / 2

  private func choose(by amount: Int) {
    if chosen + amount + bodyRows >= oldestDay { loadOlder() }
    let targetIndex = max(0, min(lines.count - 1, chosen + amount))
    // Selects the step at the target line, or the next step in the direction of the motion. If there is none, selects
    // the nearest step in the other direction.
    let (stepAbove, stepBelow) = (
      lines.indices[...targetIndex].last(where: isStep), lines.indices[targetIndex...].first(where: isStep)
    )
    chosen = (amount < 0 ? stepAbove ?? stepBelow : stepBelow ?? stepAbove) ?? chosen
    scrollToChosen()
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
    guard case .mouse(let mouse) = event else { return false }
    switch mouse.action {
    case .scroll(columns: 0, let rows): choose(by: rows)
    case .press(.left):
      let row = mouse.position.row - metrics.bodyTop
      let first = dayAbove == nil ? 0 : 1
      let index = row >= first && row < listRows ? lines.indices.last { self.row(of: $0) <= row } : nil
      guard let index, isStep(index), row < self.row(of: index) + (index == chosen && hasFrame ? 2 : 1) else {
        return false
      }
      if index == chosen { return perform(.open) }
      choose(by: index - chosen)
    default: return false
    }
    return true
  }

  // MARK: - Layout

  override func layOut(in size: Size) {
    catchUp()
    super.layOut(in: size)
    if isTight != metrics.isSmall { layOutLines() }
    scrollToChosen()
    updateContents()
  }

  /// Lays out the lines for another size class. The selected step stays selected.
  private func layOutLines() {
    let step = chosenStep
    showSteps()
    chosen = lines.firstIndex { $0.step == step } ?? 0
    scroll = 0
  }

  var hasFrame: Bool { !metrics.isSmall && lines.indices.contains(chosen) && isStep(chosen) }

  /// The number of rows of the list, without the blank row between the list and the next step.
  private var listRows: Int { bodyRows - metrics.spacingBelowText }

  /// Returns the row of a line, including the three additional rows of the frame around the selected line.
  private func row(of index: Int) -> Int {
    guard hasFrame else { return index - scroll }
    return index - scroll + (index == chosen ? 1 : index > chosen ? 3 : 0)
  }

  private func scrollToChosen() {
    // If the first step of a day is selected, the heading of the day is visible above it. If another step is selected,
    // one row remains for the pinned heading.
    var first = min(chosen, lines.count - 1)
    while first > 0, !isStep(first - 1) { first -= 1 }
    if first == chosen, hasFrame, first > 0 { first -= 1 }
    scroll = min(scroll, max(0, first))
    // The list must not scroll further than needed to show its last line, so that no row stays empty.
    scroll = max(0, min(scroll, lines.count + (hasFrame ? 3 : 0) - listRows))
    scroll = max(scroll, chosen + (hasFrame ? 4 : 1) - listRows)
  }

  /// The numbers of steps above and below the visible ones, among the steps that have been read.
  private var more: (above: Int, below: Int) {
    let first = dayAbove == nil ? 0 : 1
    let above = lines.indices.prefix(max(0, scroll + first)).count { isStep($0) && row(of: $0) < first }
    let below = lines.indices.reversed().prefix { row(of: $0) >= listRows }.count { isStep($0) }
    return (above, below)
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

  override var frame: (rows: Range<Int>, place: NamedPlace)? {
    guard hasFrame, let chosenStep else { return nil }
    return (chosen - scroll..<chosen - scroll + 4, chosenStep.to)
  }

  override var listEnd: Int? { hasFrame ? lines.count - scroll + 3 : nil }

  override func updateContents() {
    loadOutcomes()
    super.updateContents()
  }

  /// Reads the outcomes of only the visible visits, because a history can be long.
  private func loadOutcomes() {
    let visits = lines.dropFirst(max(0, scroll - 4)).prefix(bodyRows + 8).compactMap(\.step)
      .filter { outcomes[$0.id] == nil }
    guard !visits.isEmpty else { return }
    context.trying { outcomes.merge(try context.navigation.history.outcomes(of: visits)) { $1 } }
  }

  override var listedRows: [ListedRow] {
    let visibleIndices = lines.indices.dropFirst(max(0, scroll - 4)).prefix(bodyRows + 8)
    let overflow = overflowTexts
    let day = dayAbove.map { ListedRow(row: 0, surface: surface(of: $0, besides: overflow.above)) }
    let first = day == nil ? Int.min : 1
    let rows = visibleIndices.filter { (first..<listRows).contains(row(of: $0)) }.map { index in
      // Several lines can show the same place, but only the selected line has the frame.
      ListedRow(
        row: row(of: index), surface: surface(of: index), node: index == chosen ? chosenStep?.to.place.node : nil,
        titleColumn: titleColumn)
    }
    var overflowRows: [ListedRow] = []
    let quiet = drawing.theme[.quiet]
    if day == nil, !metrics.isSmall, let above = overflow.above, lines.indices.contains(scroll), !isStep(scroll) {
      overflowRows.append(ListedRow(row: 0, surface: row(StyledText(), above)))
    }
    if metrics.spacingBelowText > 0, let below = overflow.below {
      overflowRows.append(ListedRow(row: listRows, surface: row(StyledText(below, style: quiet), "")))
    }
    return [day].compactMap(\.self) + rows + overflowRows
  }

  /// The line of the day's heading, if the first visible step belongs to a day whose heading is scrolled out. The
  /// heading is pinned to the first row.
  private var dayAbove: Int? {
    guard !metrics.isSmall, scroll > 0, lines.indices.contains(scroll) else { return nil }
    let day = lines[...scroll].lastIndex(where: \.isDay)
    guard let day, day < scroll, isStep(scroll) || day == scroll - 1 else { return nil }
    return day
  }
}
