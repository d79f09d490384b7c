internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Finds places as somebody types.
@MainActor final class FindScreen: TabPage {
  private(set) var query = ""
  private var kind: ContentKind?
  private var found = Finder.Findings()
  /// The answer that is shown; `nil` where nothing was asked.
  private var answer: Finder.Answer?
  private var search = Search()
  private var chosen = 0
  private var scroll = 0

  init() {
    super.init(title: "Find")
  }

  private var entries: [Finder.Entry] { found.entries }

  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    query = ""
    kind = nil
    look()
  }

  override func lookHasChanged() {
    guard isLayerLoaded else { return }
    // What was found is written in the colours and signs of before.
    putIntoWords()
    chosen = max(0, min(chosen, entries.count - 1))
    super.lookHasChanged()
  }

  // MARK: - Searching

  /// How far the search for what is typed has come. One search runs at a time; what is typed meanwhile is searched for
  /// when it is done, and what was asked before that not at all.
  private struct Search {
    var isRunning = false
    /// Whether what is shown is not what was found for what is typed.
    var isBehind = false
    /// Keys that mean something in what is found, pressed before it was.
    var keys: [KeyEvent] = []
  }

  private var question: Finder.Question { Finder.Question(query: query, kind: kind) }

  private func look() {
    search.keys = []
    search.isBehind = !question.isEmpty
    if search.isBehind { searchNext() } else { take(nil) }
    show()
  }

  private func searchNext() {
    guard search.isBehind, !search.isRunning else { return }
    search.isRunning = true
    let (question, library, navigation) = (question, browser.library, browser.navigation)
    browser.inBackground { [weak self] in
      let answer = Result { try Finder.answer(to: question, in: library, for: navigation) }
      return { self?.took(answer, to: question) }
    }
  }

  private func took(_ answer: Result<Finder.Answer, any Error>, to question: Finder.Question) {
    search.isRunning = false
    guard search.isBehind, question == self.question else { return searchNext() }
    search.isBehind = false
    browser.besideInput {
      browser.trying { take(try answer.get()) }
      show()
      let keys = search.keys
      search.keys = []
      for key in keys { _ = handle(key) }
    }
  }

  private func take(_ answer: Finder.Answer?) {
    self.answer = answer
    (chosen, scroll) = (0, 0)
    putIntoWords()
  }

  private func putIntoWords() {
    let finder = Finder(browser: browser, kind: kind)
    browser.trying { found = try answer.map(finder.findings(of:)) ?? finder.known() }
  }

  // MARK: - Input

  override func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release: return handle(key)
    case .paste(let text):
      query += text.filter { !$0.isNewline }
      look()
      return true
    case .mouse(let mouse): return handle(mouse)
    default: return false
    }
  }

  private func handle(_ key: KeyEvent) -> Bool {
    if search.isBehind, [.up, .down, .pageUp, .pageDown, .enter].contains(key.key) {
      search.keys.append(key)
      return true
    }
    search.keys = []
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
    case .tab: nextKind(key.modifiers == .shift ? -1 : 1)
    case .enter: open()
    default: return false
    }
    return true
  }

  /// A click chooses; one on what is chosen opens it, as everywhere.
  private func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.action {
    case .scroll(columns: 0, let rows): choose(chosen + rows)
    case .press(.left):
      let row = mouse.position.row - metrics.bodyTop
      let isBody = row >= 0 && row < bodyRows
      let index = isBody ? entries.indices.last { top(of: $0) + gap <= row } : nil
      // The gap below an entry, and what stands over one, are nobody's.
      guard let index, row < top(of: index) + rowsEach + (index == chosen ? moreOfChosen : 0) else { return false }
      if index == chosen { open() } else { choose(index) }
    default: return false
    }
    return true
  }

  private func nextKind(_ step: Int) {
    let kinds: [ContentKind?] = [nil, .goal, .lesson, .activity]
    kind = kinds[((kinds.firstIndex(of: kind) ?? 0) + step + kinds.count) % kinds.count]
    look()
  }

  private func choose(_ index: Int) {
    guard !entries.isEmpty else { return }
    chosen = max(0, min(index, entries.count - 1))
    scrollToChosen()
    show()
  }

  private func open() {
    guard entries.indices.contains(chosen) else { return }
    browser.openFound(entries[chosen].place.place, cause: entries[chosen].cause)
  }

  // MARK: - Layout

  override func layOut(in size: Size) {
    super.layOut(in: size)
    scrollToChosen()
    show()
  }

  /// Three rows each, with a gap before the text that the frame uses; in a small terminal one row each.
  private var rowsEach: Int { metrics.isSmall ? 1 : 3 }
  private var gap: Int { metrics.isSmall ? 0 : 1 }
  /// What the chosen one has more: the passage, and in a small terminal what there is room for.
  private var moreOfChosen: Int { metrics.isSmall ? max(0, min(2, bodyRows - 2)) : 1 }

  /// The first row of an entry. A heading takes a row, and air above it.
  private func top(of index: Int) -> Int {
    let headings = entries.prefix(index + 1).count { $0.heading != nil }
    let headingRows = metrics.isSmall ? headings : max(0, 2 * headings - 1)
    return rowsEach * index + (index > chosen ? moreOfChosen : 0) + headingRows - scroll
  }

  private func scrollToChosen() {
    guard entries.indices.contains(chosen) else { return }
    scroll += max(0, top(of: chosen) + rowsEach + moreOfChosen + gap - bodyRows)
    let first = top(of: chosen) - (entries[chosen].heading == nil ? 0 : 1)
    if first < 0 { scroll += first }
  }

  /// Columns of a query that are worth more than how much was found.
  private static let leastQuery = 12

  override var titleRow: Surface {
    let theme = drawing.theme
    // Of a long query the end is seen: that is where somebody types.
    let besides = metrics.textWidth - found.summary.displayWidth - 3
    let summary = besides >= min(query.displayWidth, Self.leastQuery) ? found.summary : ""
    let end = query.suffix(columns: summary.isEmpty ? metrics.textWidth - 1 : besides)
    var words = StyledText(end, style: theme.bold(.strong))
    words.append(drawing.symbols.bar, style: theme.bold(.accent))
    if query.isEmpty { words.append("type what you look for", style: theme[.quiet]) }
    return row(words, summary)
  }

  override var subtitleRow: Surface {
    row(
      StyledText("in \(kind.map { $0.rawValue + "s" } ?? "everything"), best first", style: drawing.theme[.quiet]),
      "Tab: goals, lessons, activities")
  }

  override var frame: (rows: Range<Int>, place: NamedPlace)? {
    entries.indices.contains(chosen) ? (top(of: chosen)..<top(of: chosen) + 5, entries[chosen].place) : nil
  }

  override var listed: [Listed] {
    var rows: [Listed] = []
    for index in entries.indices where top(of: index) > -4 && top(of: index) <= bodyRows {
      rows.append(
        Listed(row: top(of: index) + gap, surface: surface(of: index), node: entries[index].place.place.node))
      if let heading = entries[index].heading {
        rows.append(
          Listed(row: top(of: index) - 1, surface: row(StyledText(heading, style: drawing.theme.bold(.strong)), "")))
      }
    }
    return rows
  }

  private func surface(of index: Int) -> Surface {
    let entry = entries[index]
    let isChosen = index == chosen
    let hue = drawing.theme.bold(Role(entry.place.kind))
    var surface = Surface(columns: metrics.textWidth, rows: rowsEach - gap + (isChosen ? moreOfChosen : 0))
    var title = StyledText(metrics.isSmall ? isChosen ? drawing.symbols.marker + " " : "  " : "", style: hue)
    title.append(entry.place.title, style: hue)
    surface.copy(row(title, entry.place.kind.rawValue))
    guard surface.rows > 1 else { return surface }
    surface.copy(
      row(StyledText(entry.crumbs, style: drawing.theme[.quiet]), entry.state), at: CellPoint(column: 0, row: 1))
    if isChosen { surface.copy(row(entry.passage, ""), at: CellPoint(column: 0, row: 2)) }
    return surface
  }
}

extension String {
  /// As much of its end as fits in so many columns.
  fileprivate func suffix(columns: Int) -> String {
    var end = self
    while end.displayWidth > max(0, columns) { end.removeFirst() }
    return end
  }
}
