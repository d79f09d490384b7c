internal import Foundation
internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Where the learner was: day by day, the newest first, and inside a day from the morning on.
@MainActor final class HistoryScreen: Screen {
  /// How many steps are read at once.
  static let page = 500

  /// One row of the list.
  enum Line: Hashable {
    case day(title: String, summary: String)
    case step(HistoryRow, before: Int?)
    case gap
  }

  /// Whose services it asks; set before it is shown.
  unowned var browser: Browser!
  private(set) var lines: [Line] = []
  private var chosen = 0
  private var scroll = 0
  private var week = HistoryWeek()
  private var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))

  private let trailLayer = Layer()
  private let titleLayer = Layer()
  private let weekLayer = Layer()
  private let ruleLayer = Layer()
  private let body = Layer()
  private let frameLayer = Layer()
  private var rows: [Layer] = []

  init() {
    super.init(title: "History")
  }

  override func didLoad() {
    body.clipsToBounds = true
    for part in [trailLayer, titleLayer, weekLayer, ruleLayer, body, frameLayer] { layer.add(part) }
    frameLayer.drawing = { [weak self] state in
      guard let self, case .step(let row, _) = lines[chosen] else { return nil }
      return drawing.lines.box(state.cells.size, fraction: 0, role: Role(row.to.kind))
    }
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: browser.size)
    show()
  }

  override func willAppear(animated: Bool) {
    browser.trying {
      lines = Self.lines(of: try browser.navigation.history(limit: Self.page).rows, in: browser.navigation.timeZone)
      week = try HistoryWeek(of: browser.navigation, at: browser.now, symbols: browser.appearance.symbols)
    }
    chosen = lines.firstIndex { if case .step = $0 { true } else { false } } ?? 0
    // The newest step is the last of the newest day.
    while chosen + 1 < lines.count, case .step = lines[chosen + 1] { chosen += 1 }
    scroll = 0
    if isLayerLoaded { show() }
  }

  // MARK: - What there is

  /// Days, the newest first, each with its steps in their order.
  static func lines(of rows: [HistoryRow], in zone: TimeZone) -> [Line] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let days = Dictionary(grouping: rows) { calendar.startOfDay(for: $0.at.date) }
    return days.keys.sorted(by: >).flatMap { day -> [Line] in
      let steps = days[day]!.sorted { $0.id < $1.id }
      let active = steps.compactMap(\.activeMilliseconds).reduce(0, +)
      let parts = calendar.dateComponents([.weekday, .day, .month], from: day)
      let title =
        "\(DayNames.weekdays[parts.weekday! - 1]) \(parts.day!) \(DayNames.months[parts.month! - 1])"
      let header = Line.day(
        title: title, summary: Words.duration(milliseconds: active) + ", " + Words.count(steps.count, "step"))
      return [.gap, header, .gap]
        + steps.enumerated().map { index, step in
          let before = index > 0 && steps[index - 1].session == step.session ? steps[index - 1].stack.count - 1 : nil
          return .step(step, before: before)
        }
    }
  }

  // MARK: - Choosing

  /// Answers a command; what is not answered goes on to the browser.
  func perform(_ command: Command) -> Bool {
    switch command {
    case .chooseNext: choose(by: 1)
    case .choosePrevious: choose(by: -1)
    case .readOn: choose(by: bodyRows)
    case .pageBack: choose(by: -bodyRows)
    case .chooseFirst: choose(by: -lines.count)
    case .chooseLast: choose(by: lines.count)
    case .open:
      guard lines.indices.contains(chosen), case .step(let row, _) = lines[chosen] else { return true }
      browser.openFound(row.to.place, cause: .key)
    case .up: browser.selectTab(0)
    default: return false
    }
    return true
  }

  private func choose(by amount: Int) {
    let direction = amount < 0 ? -1 : 1
    var index = max(0, min(lines.count - 1, chosen + amount))
    while lines.indices.contains(index), !isStep(index) { index += direction }
    if !lines.indices.contains(index) { index = chosen }
    chosen = index
    show()
  }

  private func isStep(_ index: Int) -> Bool {
    if case .step = lines[index] { true } else { false }
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, case .scroll(columns: 0, let rows) = mouse.action else { return false }
    choose(by: rows)
    return true
  }

  // MARK: - Layout

  private var drawing: PageDrawing {
    PageDrawing(theme: browser.appearance.theme, symbols: browser.appearance.symbols, metrics: metrics)
  }

  private var bodyRows: Int { max(1, metrics.bodyEnd - metrics.bodyTop) }
  private var hasFrame: Bool { !metrics.isSmall && lines.indices.contains(chosen) && isStep(chosen) }

  /// The row of a line; the frame around the chosen one takes three rows more.
  private func row(of index: Int) -> Int {
    guard hasFrame else { return index - scroll }
    return index - scroll + (index == chosen ? 1 : index > chosen ? 3 : 0)
  }

  private func show() {
    let theme = browser.appearance.theme
    let width = metrics.textWidth
    var trail = browser.page?.page.trail ?? PageModel.Trail(crumbs: [], position: "")
    trail.crumbs.append(browser.page?.title ?? "")
    trail.position = browser.navigation.learner
    place(trailLayer, drawing.trail(trail), row: metrics.trailRow)
    place(
      titleLayer,
      drawing.lines.row(
        StyledText("History", style: theme.bold(.strong)), StyledText(week.time, style: theme[.quiet]), width: width),
      row: metrics.titleRow)
    weekLayer.isHidden = metrics.summaryRow == nil
    place(
      weekLayer,
      drawing.lines.row(
        StyledText(week.bars, style: theme[.quiet]), StyledText(week.counts, style: theme[.quiet]), width: width),
      row: metrics.summaryRow ?? 0)
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleLeft), y: Double(metrics.ruleRow), width: Double(metrics.ruleWidth), height: 1)
    ruleLayer.content = drawing.rule(fraction: 0, kind: .root)
    body.frame = Rect(
      x: 0, y: Double(metrics.bodyTop), width: Double(metrics.size.columns), height: Double(bodyRows))
    showLines()
  }

  private func showLines() {
    let end = chosen + (hasFrame ? 4 : 1)
    if end - scroll > bodyRows { scroll = end - bodyRows }
    if chosen - scroll < 0 { scroll = chosen }
    for row in rows { row.removeFromSuperlayer() }
    rows = lines.indices.dropFirst(max(0, scroll - 4)).prefix(bodyRows + 8).map { index in
      let surface = surface(of: index)
      let layer = Layer(
        frame: Rect(
          x: Double(metrics.textLeft), y: Double(row(of: index)), width: Double(surface.columns),
          height: Double(surface.rows)),
        content: surface)
      body.add(layer)
      return layer
    }
    frameLayer.isHidden = !hasFrame
    frameLayer.frame = Rect(
      x: Double(metrics.frameLeft), y: Double(metrics.bodyTop + chosen - scroll), width: Double(metrics.frameWidth),
      height: 4)
    frameLayer.setNeedsDisplay()
  }

  private func surface(of index: Int) -> Surface {
    let theme = browser.appearance.theme
    switch lines[index] {
    case .gap: return Surface(columns: metrics.textWidth, rows: 1)
    case .day(let title, let summary):
      return drawing.lines.row(
        StyledText(title, style: theme.bold(.strong)), StyledText(summary, style: theme[.quiet]),
        width: metrics.textWidth)
    case .step(let step, let before):
      let isChosen = index == chosen && hasFrame
      var surface = Surface(columns: metrics.textWidth, rows: isChosen ? 2 : 1)
      surface.copy(stepRow(step, before: before))
      if isChosen {
        surface.draw(details(of: step), at: CellPoint(column: titleColumn, row: 1), style: theme[.quiet])
      }
      return surface
    }
  }

  private var titleColumn: Int {
    8 + max(metrics.isSmall ? 0 : 15, HistoryGraph.width(depth: 5) + 2)
  }

  private func stepRow(_ step: HistoryRow, before: Int?) -> Surface {
    let theme = browser.appearance.theme
    var left = StyledText(browser.dayNames.time(step.at) + "   ", style: theme[.quiet])
    let depth = step.stack.count - 1
    let graph = HistoryGraph.cell(depth: depth, before: before, symbols: browser.appearance.symbols)
    left.append(graph, style: theme[Role(step.to.kind)])
    left.append(String(repeating: " ", count: max(2, titleColumn - left.displayWidth)))
    left.append(step.to.title, style: theme[.ink])
    let time = step.activeMilliseconds.map { $0 < 1000 ? "" : Words.duration(milliseconds: $0) } ?? "you are here"
    return drawing.lines.row(left, StyledText(time, style: theme[.quiet]), width: metrics.textWidth)
  }

  private func details(of step: HistoryRow) -> String {
    let left = step.leftAt.map { "; you left at " + browser.dayNames.time($0) } ?? ""
    return "\(step.operation.rawValue), by \(step.cause.rawValue)\(left)"
  }

  private func place(_ layer: Layer, _ surface: Surface, row: Int) {
    layer.content = surface
    layer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows))
  }
}
