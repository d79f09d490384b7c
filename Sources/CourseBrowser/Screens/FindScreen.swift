internal import CourseLibrary
internal import LearningModel
internal import Motion
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Finds places as somebody types. What is typed is kept nowhere.
@MainActor final class FindScreen: Screen {
  /// One thing that was found, or that is offered while nothing is typed.
  struct Entry: Hashable {
    var place: NamedPlace
    var crumbs: String
    var passage: StyledText
    var topRight: String
    var state: String
    /// What it is listed as, over the first of its kind.
    var heading: String?
    var cause = NavigationCause.search
  }

  /// Whose services it asks; set before it is shown.
  unowned var browser: Browser!
  private(set) var query = ""
  private var kind: ContentKind?
  private(set) var entries: [Entry] = []
  private var summary = ""
  private var chosen = 0
  private var scroll = 0
  private var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))

  private let trailLayer = Layer()
  private let queryLayer = Layer()
  private let scopeLayer = Layer()
  private let ruleLayer = Layer()
  private let body = Layer()
  private let frameLayer = Layer()
  private var rows: [Layer] = []

  init() {
    super.init(title: "Find")
  }

  override func didLoad() {
    body.clipsToBounds = true
    for part in [trailLayer, queryLayer, scopeLayer, ruleLayer, body, frameLayer] { layer.add(part) }
    frameLayer.drawing = { [weak self] state in
      guard let self, entries.indices.contains(chosen) else { return nil }
      return drawing.lines.box(state.cells.size, fraction: 0, role: Role(entries[chosen].place.kind))
    }
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: browser.size)
    show()
  }

  override func willAppear(animated: Bool) {
    query = ""
    kind = nil
    look()
  }

  // MARK: - Finding

  private func look() {
    chosen = 0
    scroll = 0
    browser.trying {
      if query.allSatisfy(\.isWhitespace) {
        try listKnown()
      } else {
        try search()
      }
    }
    if isLayerLoaded { show() }
  }

  /// Before anything is typed: what is marked, and where the learner goes most.
  private func listKnown() throws {
    let isWanted = { [kind] (place: NamedPlace) in kind == nil || place.kind == PlaceKind(kind!) }
    let marks = try browser.navigation.bookmarks().filter(isWanted)
    let marked = Set(marks.map(\.place))
    let recents = try browser.navigation.recents(limit: 12).map(\.place).filter {
      isWanted($0) && !marked.contains($0.place)
    }
    entries = try (marks + recents).map { place in
      let card = try browser.navigation.card(of: .place(place.place))
      let visit = card.lastVisitAt.map { "You were here \(browser.dayNames.on($0))." } ?? "You were never here."
      return entry(
        place, crumbs: try crumbs(of: place.place),
        passage: StyledText(visit, style: browser.appearance.theme[.quiet]),
        state: card.state == .notBegun ? "not begun" : CardModel(card).topRight)
    }
    for index in marks.indices { entries[index].cause = .bookmark }
    if !marks.isEmpty {
      entries[0].heading = "Marked"
      if !recents.isEmpty { entries[marks.count].heading = "Where you go most" }
    }
    summary = marks.isEmpty ? recents.isEmpty ? "" : "where you go most" : "\(marks.count) marked"
  }

  private func search() throws {
    let result = try browser.library.search(query, kind: kind, limit: 50)
    entries = try result.hits.map { hit in
      let place = try browser.navigation.place(named: .text(hit.path.description))
      let card = try browser.navigation.card(of: .place(place.place))
      return entry(
        place, crumbs: hit.breadcrumb, passage: passage(hit.snippet),
        state: CardModel(card).mark == .notBegun ? "not begun" : CardModel(card).topRight)
    }
    let courses = Set(result.hits.compactMap(\.path.slugs.first)).count
    summary =
      entries.isEmpty
      ? "nothing found"
      : Words.count(entries.count, "place") + (courses > 1 ? " in " + Words.count(courses, "course") : "")
    if let meant = result.didYouMean { summary = "did you mean “\(meant)”? " + summary }
  }

  private func entry(_ place: NamedPlace, crumbs: [String], passage: StyledText, state: String) -> Entry {
    Entry(
      place: place, crumbs: crumbs.joined(separator: " \(browser.appearance.symbols.crumb) "), passage: passage,
      topRight: place.kind.rawValue, state: state)
  }

  private func crumbs(of place: Place) throws -> [String] {
    try browser.navigation.page(of: .place(place)).trail.dropFirst().map(\.title)
  }

  private func passage(_ snippet: Snippet) -> StyledText {
    let theme = browser.appearance.theme
    return StyledText(
      snippet.parts.map { part in
        StyledRun(
          part.text.map { $0.isNewline ? " " : String($0) }.joined(), style: theme[part.isMatch ? .warn : .quiet])
      })
  }

  // MARK: - Input

  override func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release: return handle(key)
    case .paste(let text):
      query += text.filter { !$0.isNewline }
      look()
      return true
    case .mouse(let mouse):
      if case .scroll(columns: 0, let rows) = mouse.action { choose(chosen + rows) }
      return true
    default: return false
    }
  }

  private func handle(_ key: KeyEvent) -> Bool {
    switch key.key {
    case .character(let character) where key.modifiers.subtracting(.shift).isEmpty:
      query.append(character)
      look()
    case .character("u") where key.modifiers == .control:
      query = ""
      look()
    case .backspace where query.isEmpty: browser.selectTab(0)
    case .backspace:
      query.removeLast()
      look()
    case .escape: browser.selectTab(0)
    case .up: choose(chosen - 1)
    case .down: choose(chosen + 1)
    case .pageUp: choose(chosen - 4)
    case .pageDown: choose(chosen + 4)
    case .tab: nextKind()
    case .enter: open()
    default: return false
    }
    return true
  }

  private func nextKind() {
    let kinds: [ContentKind?] = [nil, .goal, .lesson, .activity]
    kind = kinds[((kinds.firstIndex(of: kind) ?? 0) + 1) % kinds.count]
    look()
  }

  private func choose(_ index: Int) {
    guard !entries.isEmpty else { return }
    chosen = max(0, min(index, entries.count - 1))
    show()
  }

  private func open() {
    guard entries.indices.contains(chosen) else { return }
    browser.openFound(entries[chosen].place.place, cause: entries[chosen].cause)
  }

  // MARK: - Layout

  private var drawing: PageDrawing {
    PageDrawing(theme: browser.appearance.theme, symbols: browser.appearance.symbols, metrics: metrics)
  }

  private var bodyRows: Int { max(1, metrics.bodyEnd - metrics.bodyTop) }
  /// Three rows each; the chosen one has one more, for the passage. A heading takes a row, and air above it.
  private func top(of index: Int) -> Int {
    let headings = entries[...index].count { $0.heading != nil }
    return 3 * index + (index > chosen ? 1 : 0) + max(0, 2 * headings - 1) - scroll
  }

  private func show() {
    let theme = browser.appearance.theme
    let width = metrics.textWidth
    let page = browser.page
    var trail = page?.page.trail ?? PageModel.Trail(crumbs: [], position: "")
    trail.crumbs.append(page?.title ?? "")
    trail.position = ""
    place(trailLayer, drawing.trail(trail), row: metrics.trailRow)

    var words = StyledText(query, style: theme.bold(.strong))
    words.append(browser.appearance.symbols.bar, style: theme.bold(.accent))
    if query.isEmpty { words.append("type what you look for", style: theme[.quiet]) }
    place(
      queryLayer, drawing.lines.row(words, StyledText(summary, style: theme[.quiet]), width: width),
      row: metrics.titleRow)
    scopeLayer.isHidden = metrics.summaryRow == nil
    place(
      scopeLayer,
      drawing.lines.row(
        StyledText("in \(kind.map { $0.rawValue + "s" } ?? "everything"), best first", style: theme[.quiet]),
        StyledText("Tab: goals, lessons, activities", style: theme[.quiet]), width: width),
      row: metrics.summaryRow ?? 0)
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleLeft), y: Double(metrics.ruleRow), width: Double(metrics.ruleWidth), height: 1)
    ruleLayer.content = drawing.rule(fraction: 0, kind: .root)
    body.frame = Rect(
      x: 0, y: Double(metrics.bodyTop), width: Double(metrics.size.columns), height: Double(bodyRows))
    showEntries()
  }

  private func showEntries() {
    for row in rows { row.removeFromSuperlayer() }
    rows = []
    frameLayer.isHidden = entries.isEmpty || metrics.isSmall
    guard !entries.isEmpty else { return }
    if top(of: chosen) + 5 > bodyRows { scroll += top(of: chosen) + 5 - bodyRows }
    let first = top(of: chosen) - (entries[chosen].heading == nil ? 0 : 1)
    if first < 0 { scroll += first }
    for index in entries.indices {
      let top = top(of: index)
      guard top > -4, top <= bodyRows else { continue }
      addRow(surface(of: index), at: top + 1)
      if let heading = entries[index].heading {
        addRow(
          drawing.lines.row(
            StyledText(heading, style: browser.appearance.theme.bold(.strong)), width: metrics.textWidth), at: top - 1)
      }
    }
    frameLayer.frame = Rect(
      x: Double(metrics.frameLeft), y: Double(metrics.bodyTop + top(of: chosen)), width: Double(metrics.frameWidth),
      height: 5)
    frameLayer.setNeedsDisplay()
  }

  private func addRow(_ surface: Surface, at row: Int) {
    let layer = Layer(
      frame: Rect(
        x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows)),
      content: surface)
    body.add(layer)
    rows.append(layer)
  }

  private func surface(of index: Int) -> Surface {
    let theme = browser.appearance.theme
    let entry = entries[index]
    let isChosen = index == chosen
    var surface = Surface(columns: metrics.textWidth, rows: isChosen ? 3 : 2)
    var title = StyledText(
      metrics.isSmall && isChosen ? browser.appearance.symbols.marker + " " : "",
      style: theme.bold(Role(entry.place.kind)))
    title.append(entry.place.title, style: theme.bold(Role(entry.place.kind)))
    surface.copy(drawing.lines.row(title, StyledText(entry.topRight, style: theme[.quiet]), width: metrics.textWidth))
    surface.copy(
      drawing.lines.row(
        StyledText(entry.crumbs, style: theme[.quiet]), StyledText(entry.state, style: theme[.quiet]),
        width: metrics.textWidth),
      at: CellPoint(column: 0, row: 1))
    if isChosen {
      surface.copy(drawing.lines.row(entry.passage, width: metrics.textWidth), at: CellPoint(column: 0, row: 2))
    }
    return surface
  }

  private func place(_ layer: Layer, _ surface: Surface, row: Int) {
    layer.content = surface
    layer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows))
  }
}
