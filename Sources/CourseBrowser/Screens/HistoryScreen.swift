internal import Foundation
internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Where the learner was: day by day, the newest first, and inside a day from the morning on.
@MainActor final class HistoryScreen: TabPage {
  /// How many steps are read at once: older ones when the list comes to its end.
  var page = 500

  /// One row of the list.
  enum Line: Hashable {
    case day(title: String, summary: String)
    case step(HistoryRow, before: Int?)
    case gap
  }

  private(set) var lines: [Line] = []
  /// The steps that were read, the newest first, and where the older ones begin.
  private var steps: [HistoryRow] = []
  private var older: HistoryCursor?
  private var chosen = 0
  private var scroll = 0
  private var week = HistoryWeek()
  private var hasRoot = false

  init() {
    super.init(title: "History")
  }

  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    browser.trying {
      (steps, older) = try browser.shownHistory(limit: page)
      showSteps()
      week =
        browser.performance?.path == nil
        ? try HistoryWeek(of: browser.navigation, at: browser.now, symbols: browser.appearance.symbols) : HistoryWeek()
    }
    chosen = lines.firstIndex { if case .step = $0 { true } else { false } } ?? 0
    // The newest step is the last of the newest day.
    while chosen + 1 < lines.count, case .step = lines[chosen + 1] { chosen += 1 }
    scroll = 0
    scrollToChosen()
    show()
  }

  // MARK: - What there is

  /// Reads on into the past. What was chosen stays so, and stays where it is seen: earlier steps of its day come above it.
  private func readOlder() {
    guard let cursor = older else { return }
    let step = chosenStep
    browser.trying {
      let more = try browser.shownHistory(limit: page, after: cursor)
      steps += more.rows
      older = more.older
      showSteps()
    }
    let index = lines.firstIndex { if case .step(step, _) = $0 { true } else { false } } ?? chosen
    scroll += index - chosen
    chosen = index
  }

  /// Where the oldest day begins that was read, perhaps not all of it.
  private var oldestDay: Int { lines.lastIndex { if case .day = $0 { true } else { false } } ?? 0 }

  private func showSteps() {
    let shown = steps.withoutPassing()
    lines = Self.lines(of: shown, isAll: older == nil, in: browser.navigation.timeZone)
    hasRoot = shown.contains { $0.stack.count == 1 }
  }

  /// Days, the newest first, each with its steps in their order.
  ///
  /// - Parameter isAll: Whether no step is older. Else nobody knows yet how many there were on the oldest day.
  static func lines(of rows: [HistoryRow], isAll: Bool, in zone: TimeZone) -> [Line] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let days = Dictionary(grouping: rows) { calendar.startOfDay(for: $0.at.date) }
    let oldest = days.keys.min()
    return days.keys.sorted(by: >).flatMap { day -> [Line] in
      let steps = days[day]!.sorted { $0.id < $1.id }
      let active = steps.compactMap(\.activeMilliseconds).reduce(0, +)
      let parts = calendar.dateComponents([.weekday, .day, .month], from: day)
      let title =
        "\(DayNames.weekdays[parts.weekday! - 1]) \(parts.day!) \(DayNames.months[parts.month! - 1])"
      // Who only passed by was there for no time worth a number.
      let time = active < 1000 ? "" : Words.duration(milliseconds: active) + ", "
      let summary = time + Words.count(steps.count, "step")
      let header = Line.day(title: title, summary: isAll || day != oldest ? summary : "")
      return [.gap, header, .gap]
        + steps.enumerated().map { index, step in
          let before = index > 0 && steps[index - 1].session == step.session ? steps[index - 1].stack.count - 1 : nil
          return .step(step, before: before)
        }
    }
  }

  /// The learner's last step, in whatever session.
  private var newest: Int64? {
    lines.compactMap { if case .step(let step, _) = $0 { step.id } else { nil } }.max()
  }

  // MARK: - Choosing

  /// Answers a command; what is not answered goes on to the browser.
  func perform(_ command: Command) -> Bool {
    switch command {
    case .chooseNext: choose(by: 1)
    case .choosePrevious: choose(by: -1)
    case .readOn: choose(by: bodyRows)
    case .pageBack: choose(by: -bodyRows)
    case .chooseFirst: choose(by: -Self.far)
    case .chooseLast: choose(by: Self.far)
    case .open:
      guard lines.indices.contains(chosen), case .step(let row, _) = lines[chosen] else { return true }
      browser.openFound(row.to.place, cause: .key)
    case .again:
      guard let chosenStep else { return true }
      browser.replay(session: chosenStep.session)
    case .up: browser.selectTab(0)
    default: return false
    }
    return true
  }

  /// More lines than any history has.
  private static let far = Int.max / 2

  private func choose(by amount: Int) {
    let direction = amount < 0 ? -1 : 1
    if chosen + amount + bodyRows >= oldestDay { readOlder() }
    var index = max(0, min(lines.count - 1, chosen + amount))
    while lines.indices.contains(index), !isStep(index) { index += direction }
    if !lines.indices.contains(index) { index = chosen }
    chosen = index
    scrollToChosen()
    show()
    browser.showFooter()
  }

  /// The place of the chosen step.
  var chosenPlace: Place? { chosenStep?.to.place }

  private var chosenStep: HistoryRow? {
    guard lines.indices.contains(chosen), case .step(let step, _) = lines[chosen] else { return nil }
    return step
  }

  /// What can be watched again: the sitting of the chosen step.
  var hint: BrowserScreen.Hint? {
    guard let session = chosenStep?.session else { return nil }
    let steps = lines.compactMap { if case .step(let step, _) = $0, step.session == session { step } else { nil } }
    return BrowserScreen.Hint(key: "r", text: "Replay this sitting", detail: Replay.words(of: steps))
  }

  private func isStep(_ index: Int) -> Bool {
    if case .step = lines[index] { true } else { false }
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event else { return false }
    switch mouse.action {
    case .scroll(columns: 0, let rows): choose(by: rows)
    case .press(.left):
      let row = mouse.position.row - metrics.bodyTop
      let index = row >= 0 && row < bodyRows ? lines.indices.last { self.row(of: $0) <= row } : nil
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
    super.layOut(in: size)
    scrollToChosen()
    show()
  }

  private var hasFrame: Bool { !metrics.isSmall && lines.indices.contains(chosen) && isStep(chosen) }

  /// The row of a line; the frame around the chosen one takes three rows more.
  private func row(of index: Int) -> Int {
    guard hasFrame else { return index - scroll }
    return index - scroll + (index == chosen ? 1 : index > chosen ? 3 : 0)
  }

  private func scrollToChosen() {
    scroll = max(scroll, chosen + (hasFrame ? 4 : 1) - bodyRows)
    scroll = min(scroll, chosen)
  }

  override var position: String { browser.navigation.learner }

  override var titleRow: Surface { row(StyledText("History", style: drawing.theme.bold(.strong)), week.time) }

  override var subtitleRow: Surface {
    let room = metrics.textWidth - week.counts.displayWidth - 2
    return row(week.row(width: room, theme: drawing.theme), week.counts)
  }

  override var frame: (rows: Range<Int>, place: NamedPlace)? {
    guard hasFrame, let chosenStep else { return nil }
    return (chosen - scroll..<chosen - scroll + 4, chosenStep.to)
  }

  override var listed: [Listed] {
    lines.indices.dropFirst(max(0, scroll - 4)).prefix(bodyRows + 8).map { index in
      // A place may have been visited often: the frame is around one of its visits.
      Listed(
        row: row(of: index), surface: surface(of: index), node: index == chosen ? chosenStep?.to.place.node : nil,
        titleColumn: titleColumn)
    }
  }

  private func surface(of index: Int) -> Surface {
    let theme = drawing.theme
    switch lines[index] {
    case .gap: return Surface(columns: metrics.textWidth, rows: 1)
    case .day(let title, let summary):
      return row(StyledText(title, style: theme.bold(.strong)), summary)
    case .step(let step, let before):
      let hasDetails = index == chosen && hasFrame
      var surface = Surface(columns: metrics.textWidth, rows: hasDetails ? 2 : 1)
      surface.copy(stepRow(step, before: before, isChosen: index == chosen))
      if hasDetails {
        surface.draw(details(of: step), at: CellPoint(column: titleColumn, row: 1), style: theme[.quiet])
      }
      return surface
    }
  }

  /// In very few columns the path gives way to the names of the places.
  private var hasGraph: Bool { metrics.textWidth >= Self.leastForGraph }
  private static let leastForGraph = 36

  private var graph: HistoryGraph { HistoryGraph(showsRoot: hasRoot, level: metrics.isSmall ? 2 : 3) }

  /// Where the path begins: behind the time, and before that the mark of what is chosen where there is no frame.
  private var graphColumn: Int { 8 }

  private var titleColumn: Int {
    guard hasGraph else { return graphColumn }
    return graphColumn + max(metrics.isSmall ? 0 : 15, graph.width(depth: 5) + 2)
  }

  private func stepRow(_ step: HistoryRow, before: Int?, isChosen: Bool) -> Surface {
    let theme = browser.appearance.theme
    var left = StyledText()
    if metrics.isSmall {
      left.append(isChosen ? drawing.symbols.marker + " " : "  ", style: theme.bold(Role(step.to.kind)))
    }
    left.append(browser.dayNames.time(step.at), style: theme[.quiet])
    left.append(String(repeating: " ", count: max(1, graphColumn - left.displayWidth)))
    let depth = step.stack.count - 1
    let graph = graph.cell(depth: depth, before: before, symbols: browser.appearance.symbols)
    if hasGraph { left.append(graph, style: theme.line(Role(step.to.kind))) }
    left.append(String(repeating: " ", count: max(hasGraph ? 2 : 0, titleColumn - left.displayWidth)))
    let isMarked = isChosen && metrics.isSmall
    left.append(step.to.title, style: isMarked ? theme.bold(Role(step.to.kind)) : theme[.ink])
    let time =
      step.activeMilliseconds.map { $0 < 1000 ? "" : Words.duration(milliseconds: $0) }
      ?? (step.id == newest ? "you are here" : "")
    // Where it was is worth more than how long, or that it is the last.
    let fits = left.displayWidth + 2 + time.displayWidth <= metrics.textWidth
    return row(left, fits ? time : "")
  }

  private func details(of step: HistoryRow) -> String {
    let left = step.leftAt.map { "; you left at " + browser.dayNames.time($0) } ?? ""
    return step.told + left
  }
}
