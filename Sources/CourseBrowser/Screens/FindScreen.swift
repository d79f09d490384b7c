internal import CourseLibrary
internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Finds places as somebody types.
///
/// Whoever opens something from here and comes back finds everything as it was, and what is typed then begins anew.
@MainActor final class FindScreen: TabPage {
  private var field = TextField()
  /// Whether what is typed next takes the place of what is written.
  private var isReplaced = false
  private var kind: ContentKind?
  private var found = Finder.Findings()
  /// The answer that is shown; `nil` where nothing was asked.
  private var answer: Finder.Answer?
  private var search = Search()
  private var chosen = 0
  private var scroll = 0
  /// Whether it is left by opening something.
  private var isKept = false

  /// Letters of a query at most; a longer one is a text that was pasted by mistake.
  private static let mostLetters = 500
  /// Seconds that somebody looks at what was found for less, before it is said that something is being looked for.
  private static let patience = 0.15

  init() {
    super.init(title: "Find")
  }

  var query: String { field.text }
  private var entries: [Finder.Entry] { found.entries }

  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    isReplaced = isKept && !question.isEmpty
    if !isKept {
      field = TextField()
      kind = nil
    }
    // Something may have been done meanwhile, or marked.
    look(keepingChoice: isKept)
    isKept = false
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    forgetSearch()
  }

  override func lookHasChanged() {
    guard isLayerLoaded else { return }
    // What was found is written in the colours and signs of before.
    putIntoWords()
    chosen = max(0, min(chosen, entries.count - 1))
    super.lookHasChanged()
  }

  // MARK: - Searching

  /// How far the search for what is typed has come. One search runs at a time, so that all find what the ones before have
  /// read; what is typed meanwhile stops it, and is searched for at once.
  private struct Search {
    /// What stops the one that runs; `nil` where none runs.
    var running: SearchInterruption?
    /// Whether what is shown is not what was found for what is typed.
    var isBehind = false
    /// Whether that has lasted so long that it is said.
    var isLate = false
    var lateness: ScheduledCall?
    /// Whether who is chosen stays chosen.
    var keepsChoice = false
    /// Keys that mean something in what is found, pressed before it was.
    var keys: [KeyEvent] = []
  }

  private var question: Finder.Question { Finder.Question(query: field.text, kind: kind) }

  private func look(keepingChoice keepsChoice: Bool = false) {
    forgetSearch()
    guard !question.isEmpty else {
      take(nil, keepingChoice: keepsChoice)
      return show()
    }
    search.isBehind = true
    search.keepsChoice = keepsChoice
    search.lateness = browser.stage.schedule(after: Self.patience) { [weak self] in
      self?.search.isLate = true
      self?.showHeader()
    }
    searchNext()
    // What was found for less stays until there is something else: only what was typed is drawn.
    if search.isBehind { showHeader() }
  }

  /// Nobody waits any more for what is being searched for.
  private func forgetSearch() {
    search.running?.interrupt()
    search.lateness?.cancel()
    search = Search(running: search.running)
  }

  private func searchNext() {
    guard search.isBehind, search.running == nil else { return }
    let interruption = SearchInterruption()
    search.running = interruption
    let (question, library, navigation) = (question, browser.library, browser.navigation)
    browser.inBackground { [weak self] in
      let answer = Result { try Finder.answer(to: question, in: library, for: navigation, until: interruption) }
      return { self?.took(answer, to: question, of: interruption) }
    }
  }

  private func took(
    _ answer: Result<Finder.Answer, any Error>, to question: Finder.Question, of interruption: SearchInterruption
  ) {
    search.running = nil
    guard search.isBehind, question == self.question, !interruption.isInterrupted else { return searchNext() }
    let (keys, keepsChoice) = (search.keys, search.keepsChoice)
    forgetSearch()
    browser.besideInput {
      switch answer {
      case .success(let answer): take(answer, keepingChoice: keepsChoice)
      case .failure(let error):
        // What could not be looked for is not answered with what was found for something else.
        take(Finder.Answer(), keepingChoice: false)
        browser.trying { throw error }
      }
      show()
      for key in keys { _ = handle(key) }
    }
  }

  private func take(_ answer: Finder.Answer?, keepingChoice: Bool) {
    let before = entries.indices.contains(chosen) ? entries[chosen].place.place : nil
    self.answer = answer
    putIntoWords()
    guard keepingChoice, let index = entries.firstIndex(where: { $0.place.place == before }) else {
      return (chosen, scroll) = (0, 0)
    }
    chosen = index
    scrollToChosen()
  }

  private func putIntoWords() {
    let finder = Finder(browser: browser, kind: kind)
    browser.trying { found = try answer.map(finder.findings(of:)) ?? finder.known() }
    readPassage()
  }

  /// Reads what is said below the chosen place, where that was not read with the search.
  private func readPassage() {
    guard let answer, entries.indices.contains(chosen), entries[chosen].passage == nil else { return }
    let finder = Finder(browser: browser, kind: kind)
    browser.trying { found.entries[chosen].passage = try finder.passage(of: entries[chosen].place.place, in: answer) }
  }

  // MARK: - Input

  override func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release: return handle(key)
    case .paste(let text):
      write { $0.insert(text.split(whereSeparator: \.isNewline).joined(separator: " ")) }
      return true
    case .mouse(let mouse): return handle(mouse)
    default: return false
    }
  }

  private func handle(_ key: KeyEvent) -> Bool {
    if search.isBehind, isOfList(key) {
      search.keys.append(key)
      return true
    }
    switch (key.key, key.modifiers) {
    case (.backspace, []) where query.isEmpty: browser.selectTab(0)
    case (.escape, _): browser.selectTab(0)
    case (.up, _), (.character("p"), .control), (.character("k"), .control): choose(chosen - 1)
    case (.down, _), (.character("n"), .control), (.character("j"), .control): choose(chosen + 1)
    case (.pageUp, _): choose(chosen - page)
    case (.pageDown, _): choose(chosen + page)
    case (.tab, let modifiers): nextKind(modifiers == .shift ? -1 : 1)
    case (.enter, _): open()
    default: return write(key)
    }
    return true
  }

  /// Whether a key means something in what was found.
  private func isOfList(_ key: KeyEvent) -> Bool {
    switch key.key {
    case .up, .down, .pageUp, .pageDown, .enter: true
    case .character("p"), .character("n"), .character("j"), .character("k"): key.modifiers == .control
    default: false
    }
  }

  /// Writes with a key; `false` where it does not write.
  private func write(_ key: KeyEvent) -> Bool {
    var isTaken = false
    let before = field
    write { isTaken = $0.take(key) }
    // The caret is where it shall be already: what is written is kept.
    if isTaken, isReplaced, field == before {
      isReplaced = false
      showHeader()
    }
    return isTaken
  }

  private func write(_ body: (inout TextField) -> Void) {
    var written = field
    body(&written)
    guard written != field else { return }
    if isReplaced, written.text != field.text {
      // The letter, or nothing, in place of what was written before.
      var anew = TextField()
      if written.text.count > field.text.count { body(&anew) }
      written = anew
    }
    isReplaced = false
    if written.text.count > Self.mostLetters { written.write(String(written.text.prefix(Self.mostLetters))) }
    let isOther = written.text != field.text
    field = written
    if isOther { look() } else { showHeader() }
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

  /// How many places a page further is: one of those that are seen stays.
  private var page: Int { max(1, (bodyRows - moreOfChosen - gap) / rowsEach - 1) }

  private func nextKind(_ step: Int) {
    let kinds: [ContentKind?] = [nil, .goal, .lesson, .activity]
    kind = kinds[((kinds.firstIndex(of: kind) ?? 0) + step + kinds.count) % kinds.count]
    look()
  }

  private func choose(_ index: Int) {
    guard !entries.isEmpty else { return }
    chosen = max(0, min(index, entries.count - 1))
    isReplaced = false
    readPassage()
    scrollToChosen()
    show()
  }

  private func open() {
    guard entries.indices.contains(chosen) else { return }
    isKept = true
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
    // What is shown was found for less.
    let said = search.isLate ? "looking " + drawing.symbols.ellipsis : found.summary
    // Of a long query the end is seen: that is where somebody types.
    let besides = metrics.textWidth - said.displayWidth - 3
    let summary = besides >= min(query.displayWidth, Self.leastQuery) ? said : ""
    let style = theme.bold(.strong)
    var words = field.styled(
      isReplaced ? style.with(.reverse) : style, caret: theme.bold(.accent), bar: drawing.symbols.bar,
      width: summary.isEmpty ? metrics.textWidth : besides + 1)
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
    let way = drawing.way(entry.crumbs, in: metrics.textWidth - entry.state.displayWidth - 2)
    surface.copy(row(StyledText(way, style: drawing.theme[.quiet]), entry.state), at: CellPoint(column: 0, row: 1))
    if isChosen, let passage = entry.passage {
      surface.draw(passage.line(in: metrics.textWidth), at: CellPoint(column: 0, row: 2))
    }
    return surface
  }
}
