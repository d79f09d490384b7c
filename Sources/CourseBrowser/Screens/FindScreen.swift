import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Finds places as somebody types.
///
/// Whoever opens something from here and comes back finds everything as it was, and what is typed then begins anew.
@MainActor final class FindScreen: TabPage {
  private(set) var field = TextField(most: CourseLibrary.longestQuery)
  /// Whether what is typed next takes the place of what is written.
  var isReplaced = false
  var kind: ContentKind?
  /// The course that the learner is in; `nil` above all courses.
  var course: NamedPlace?
  /// Whether only that course is searched.
  var isKeptToCourse = false
  var found = Finder.Findings()
  /// The learner's notes, as they were when something was looked for first since it is seen; `nil` before.
  var notes: NoteList?
  /// The answer that is shown.
  var answer = Finder.Answer.nothing
  var search = Search()
  /// What stops the work on what the index does not have yet; `nil` where none is done.
  var indexing: SearchInterruption?
  /// Whether the system has what a search looks into, and what stops it from being asked for that.
  var isReadAhead = false
  var readingAhead: SearchInterruption?
  var chosen = 0
  var scroll = 0
  /// The words that it has from a text, from whose course it widens on to everything; `nil` where it has none.
  private(set) var widening: String?
  /// How many notes there are, while it shows the marks and nothing is typed; what was written is listed elsewhere.
  private(set) var notesBeside = 0
  /// Whether it is left by opening something.
  private var isKept = false
  /// Whether the keys said last that there is nothing to choose.
  private var saidNothing = false

  /// How far the search for what is typed has come. One search runs at a time, so that all find what the ones before have
  /// read; what is typed meanwhile stops it, and is searched for at once.
  struct Search {
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

  init(context: ScreenContext) {
    super.init(title: "Find", context: context)
  }

  /// Whether it is seen, or coming into sight.
  var isShown: Bool { appearance == .appeared || appearance == .appearing }
  var query: String { field.text }
  var entries: [Finder.Entry] { found.entries }
  /// Whether there is nothing to choose. Of what is still being looked for that is not said before it is known.
  var hasNothing: Bool { entries.isEmpty && !search.isBehind }

  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    isReplaced = isKept && !question.isEmpty
    notes = nil
    course = courseOfLearner
    if !isKept { clear() }
    if !isKept || course == nil { isKeptToCourse = false }
    // Something may have been done meanwhile, or marked.
    look(keepingChoice: isKept)
    saidNothing = hasNothing
    isKept = false
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    notesBeside = 0
    forgetSearch()
    indexing?.interrupt()
    readingAhead?.interrupt()
  }

  private func clear() {
    field = TextField(most: field.most)
    kind = nil
    widening = nil
    take(.nothing, keepingChoice: false)
  }

  override func lookHasChanged() {
    guard isLayerLoaded else { return }
    // What was found is written in the colours and signs of before.
    putIntoWords()
    chosen = max(0, min(chosen, entries.count - 1))
    super.lookHasChanged()
  }

  private var courseOfLearner: NamedPlace? {
    navigator.currentCourse.flatMap { try? context.navigation.place(named: .place($0)) }
  }

  // MARK: - What is asked for

  /// Looks for words of a text in its course; the same key widens that to everything.
  func widen(_ words: String) {
    field.write(words)
    widening = words
    isKeptToCourse = course != nil
    look()
    context.showFooter()
  }

  /// Shows what is marked, whatever was looked for before, and says how many notes there are beside.
  func showMarks(notes: Int) {
    clear()
    (isReplaced, isKeptToCourse, notesBeside) = (false, false, notes)
    look()
    context.showFooter()
  }

  /// Whether the key that widened a search to the course widens it to everything.
  var isWidening: Bool { widening != nil && isKeptToCourse }

  /// Takes what was written.
  func take(_ written: TextField) {
    let isOther = written.text != field.text
    if isOther { notesBeside = 0 }
    field = written
    if isOther { look() } else { showHeader() }
  }

  /// Looks for the next kind of place.
  func nextKind() {
    let kinds: [ContentKind?] = [nil, .goal, .lesson, .activity]
    kind = kinds[((kinds.firstIndex(of: kind) ?? 0) + 1) % kinds.count]
    look()
  }

  /// Keeps to the course that the learner is in, or looks everywhere again.
  func toggleCourse() {
    guard course != nil else { return }
    isKeptToCourse.toggle()
    look()
    context.showFooter()
  }

  /// What the next step's row says: the way back, and the key that keeps to the course.
  var hint: Footer.Hint {
    // The key that widens stands above.
    let detail = course == nil || isWidening ? "" : "Shift-Tab: " + (isKeptToCourse ? "everything" : "this course")
    return Footer.Hint(
      key: "Esc", text: "Back to " + (navigator.currentPage?.title ?? ""), detail: detail,
      brief: isKeptToCourse ? "in this course" : "")
  }

  func choose(_ index: Int) {
    guard !entries.isEmpty else { return }
    chosen = max(0, min(index, entries.count - 1))
    isReplaced = false
    readPassage()
    scrollToChosen()
    show()
  }

  func open() {
    guard entries.indices.contains(chosen) else { return }
    isKept = true
    if let note = entries[chosen].note { return navigator.go(to: note) }
    let query: String? = if case .found(_, _, let searchedFor, _, _) = answer { searchedFor } else { nil }
    navigator.openFound(entries[chosen].place.place, for: query, cause: entries[chosen].cause) {}
  }

  override func handle(_ event: InputEvent) -> Bool { answer(event) }

  override func show() {
    super.show()
    guard saidNothing != hasNothing else { return }
    saidNothing = hasNothing
    // Other keys are of use.
    if isSelected { context.showFooter() }
  }

  // MARK: - Layout

  override func layOut(in size: Size) {
    super.layOut(in: size)
    scrollToChosen()
    show()
  }

  /// Three rows each, with a gap before the text that the frame uses; in a small terminal one row each.
  var rowsEach: Int { metrics.isSmall ? 1 : 3 }
  var gap: Int { metrics.isSmall ? 0 : 1 }
  /// What the chosen one has more: the passage, and in a small terminal what there is room for.
  var moreOfChosen: Int { metrics.isSmall ? max(0, min(2, bodyRows - 2)) : 1 }

  /// In a high terminal the first heading has air above it as the others have.
  private var airAboveFirst: Int {
    metrics.size.rows >= PageMetrics.rowsWithPreview && !metrics.isSmall && entries.first?.heading != nil ? 1 : 0
  }

  /// The first row of an entry. A heading takes a row, and air above it.
  func top(of index: Int) -> Int {
    let headings = entries.prefix(index + 1).count { $0.heading != nil }
    let headingRows = metrics.isSmall ? headings : max(0, 2 * headings - 1) + airAboveFirst
    return rowsEach * index + (index > chosen ? moreOfChosen : 0) + headingRows - scroll
  }

  func scrollToChosen() {
    guard entries.indices.contains(chosen) else { return }
    let isLast = chosen == entries.count - 1
    scroll += max(0, top(of: chosen) + rowsEach + moreOfChosen + gap - (isLast || !saysMore ? bodyRows : bodyRows - 1))
    let first = top(of: chosen) - (entries[chosen].heading == nil ? 0 : 1) - (chosen == 0 ? airAboveFirst : 0)
    if first < 0 { scroll += first }
  }

  /// The row behind an entry's text.
  private func end(of index: Int) -> Int {
    top(of: index) + rowsEach + (index == chosen ? moreOfChosen : 0)
  }

  /// Whether a row can be spared to say how many more there are.
  private var saysMore: Bool { bodyRows > 3 }

  /// How many entries there are below those that are seen.
  private var more: Int {
    guard saysMore, let last = entries.indices.last, end(of: last) > bodyRows else { return 0 }
    return entries.indices.count { end(of: $0) > bodyRows - 1 }
  }

  /// Columns of a query that are worth more than how much was found.
  private static let leastQuery = 12

  override var titleRow: Surface {
    let theme = drawing.theme
    // What is shown was found for less.
    let said = search.isLate ? ["looking " + drawing.symbols.ellipsis] : summaries
    // Of a long query the end is seen: that is where somebody types.
    func besides(_ summary: String) -> Int { metrics.textWidth - summary.displayWidth - 3 }
    let summary = said.first { besides($0) >= min(query.displayWidth, Self.leastQuery) } ?? ""
    let style = theme.bold(.strong)
    var words = field.styled(
      isReplaced ? style.with(.reverse) : style, caret: theme.bold(.accent), bar: drawing.symbols.bar,
      width: summary.isEmpty ? metrics.textWidth : besides(summary) + 1)
    if query.isEmpty { words.append(metrics.isNarrow ? "type a word" : "type what you look for", style: theme[.quiet]) }
    return row(words, summary)
  }

  /// How much was found; the key that lists notes beside marks.
  private var summaries: [String] {
    guard notesBeside > 0, let key = context.label(of: .notes) else { return found.summaries }
    let notes = Words.count(notesBeside, "note") + ": " + key
    return found.summaries.map { $0.isEmpty ? notes : "\($0), \(notes)" }
  }

  override var subtitleRow: Surface {
    let kinds = isWidening ? "Tab: everything" : "Tab: goals, lessons, activities"
    // That the best is first is seen.
    let words = ["in \(searched), best first", "in \(searched)"]
    let room = metrics.textWidth - kinds.displayWidth - 2
    return row(StyledText(words.first { $0.displayWidth <= room } ?? words[1], style: drawing.theme[.quiet]), kinds)
  }

  private var searched: String {
    let kinds = kind.map { $0 == .activity ? "activities" : $0.rawValue + "s" }
    guard isKeptToCourse, let course else { return kinds ?? "everything" }
    return (kinds.map { $0 + " of " } ?? "") + course.title
  }

  override var frame: (rows: Range<Int>, place: NamedPlace)? {
    entries.indices.contains(chosen) ? (top(of: chosen)..<top(of: chosen) + 5, entries[chosen].place) : nil
  }

  /// What is said where there is nothing to list.
  private var whyNothing: String {
    switch answer {
    case .nothing: ""
    case .offered: "What you mark with m, and where you go most, will be here."
    case .found(_, _, _, isWhole: false, _): "Not all texts are searched yet. What is found then will be here."
    case .found where isKeptToCourse: "Not in \(searched). \(isWidening ? "Tab" : "Shift-Tab"): everything."
    case .found where kind != nil: "Not in \(searched). Tab: other kinds of places."
    case .found where bodyRows < 3: "No title and no text has it."
    case .found: "No title and no text has all of that. Fewer letters find more."
    }
  }

  override var listEnd: Int? {
    // The frame may stand around the last.
    entries.indices.last.flatMap { more > 0 ? nil : end(of: $0) + gap }
  }

  override var countAbove: Int { saysMore ? entries.indices.count { end(of: $0) <= 0 } : 0 }

  override var listed: [Listed] {
    var rows: [Listed] = []
    if entries.isEmpty, !search.isBehind {
      let lines = StyledText(whyNothing, style: drawing.theme[.quiet]).wrapped(to: metrics.textWidth)
      rows += lines.enumerated().map { Listed(row: gap + $0, surface: row(StyledText($1.runs), "")) }
    }
    let more = more
    for index in entries.indices.dropLast(more) where top(of: index) > -4 && top(of: index) <= bodyRows {
      rows.append(
        Listed(row: top(of: index) + gap, surface: surface(of: index), node: node(of: index)))
      if let heading = entries[index].heading {
        rows.append(
          Listed(row: top(of: index) - 1, surface: row(StyledText(heading, style: drawing.theme.bold(.strong)), "")))
      }
    }
    if more > 0 {
      rows.append(
        Listed(
          row: bodyRows - 1,
          surface: row(StyledText(drawing.symbols.arrows[1] + " \(more) more", style: drawing.theme[.quiet]), "")))
    }
    return rows
  }

  /// The place that a row stands for; of a note only while it has the frame, since its text may be listed too.
  private func node(of index: Int) -> NodeID? {
    entries[index].note == nil || index == chosen ? entries[index].place.place.node : nil
  }

  private func surface(of index: Int) -> Surface {
    let entry = entries[index]
    let isChosen = index == chosen
    var surface = Surface(columns: metrics.textWidth, rows: rowsEach - gap + (isChosen ? moreOfChosen : 0))
    surface.copy(
      drawing.lines.row(
        title(of: entry, isChosen: isChosen), StyledText(entry.kind, style: drawing.theme[.quiet]),
        indent: metrics.isSmall ? PageDrawing.markColumns : 0, width: metrics.textWidth))
    guard surface.rows > 1 else { return surface }
    let state = drawing.state(of: entry.card)
    // Where a bar stands before the title, all of it begins below the title's words.
    let left = metrics.isSmall ? PageDrawing.markColumns : 0
    let width = metrics.textWidth - left
    let way = drawing.way(entry.crumbs, in: width - state.displayWidth - 2)
    surface.copy(
      drawing.lines.row(StyledText(way, style: drawing.theme[.quiet]), state, width: width),
      at: CellPoint(column: left, row: 1))
    if isChosen, let passage = entry.passage {
      surface.draw(passage.line(in: width), at: CellPoint(column: left, row: 2))
    }
    return surface
  }

  /// A title with what was searched for in the role of what was found: without colours, underlined.
  private func title(of entry: Finder.Entry, isChosen: Bool) -> StyledText {
    let hue = drawing.theme.bold(Role(entry.place.kind))
    var title = StyledText(metrics.isSmall ? isChosen ? drawing.symbols.marker + " " : "  " : "", style: hue)
    for part in entry.title.parts { title.append(part.text, style: part.isMatch ? drawing.theme.hit(bold: true) : hue) }
    return title
  }
}

/// What keys, the mouse and pasted texts do in Find.
extension FindScreen {
  /// Does what an event asks for; `false` where it asks for nothing here.
  func answer(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key) where key.phase != .release: return handle(key)
    case .paste(let text):
      // As many letters as the field may look at, with a blank for each end of a line.
      let lines = text.prefix(4 * field.most).split(whereSeparator: \.isNewline)
      write { $0.insert(lines.joined(separator: " ")) }
      return true
    case .mouse(let mouse): return handle(mouse)
    default: return false
    }
  }

  private func handle(_ key: KeyEvent) -> Bool {
    if isOfList(key), keepForLater(key) { return true }
    switch (key.key, key.modifiers) {
    case (.backspace, []) where query.isEmpty: performByAncestors(.tab(0))
    case (.escape, _): performByAncestors(.tab(0))
    case (.up, _), (.character("p"), .control), (.character("k"), .control): choose(chosen - 1)
    case (.down, _), (.character("n"), .control), (.character("j"), .control): choose(chosen + 1)
    case (.pageUp, _), (.character("b"), .control): choose(chosen - page)
    case (.pageDown, _), (.character("f"), .control): choose(chosen + page)
    case (.character("d"), .control): choose(chosen + max(1, page / 2))
    case (.tab, []) where isWidening: toggleCourse()
    case (.character("/"), []) where isWidening && query == widening: toggleCourse()
    case (.tab, .shift): toggleCourse()
    case (.tab, _): nextKind()
    case (.enter, _): open()
    // Beside the marks the key of the notes lists them; elsewhere a quotation mark begins words that stand together.
    case _ where notesBeside > 0 && key.label(drawing.symbols) == context.label(of: .notes): performByAncestors(.notes)
    default: return write(key)
    }
    return true
  }

  /// Whether a key means something in what was found.
  private func isOfList(_ key: KeyEvent) -> Bool {
    switch key.key {
    case .up, .down, .pageUp, .pageDown, .enter: true
    case .character(let letter): key.modifiers == .control && "pnjkbfd".contains(letter)
    default: false
    }
  }

  /// Writes with a key; `false` where it does not write.
  private func write(_ key: KeyEvent) -> Bool {
    var isTaken = false
    let changes = field.changes
    write { isTaken = $0.take(key) }
    // The caret is at its place already: the text is kept.
    if isTaken, isReplaced, field.changes == changes {
      isReplaced = false
      showHeader()
    }
    return isTaken
  }

  private func write(_ body: (inout TextField) -> Void) {
    var written = field
    body(&written)
    guard written.changes != field.changes else { return }
    if isReplaced, written.edits != field.edits {
      // The letter, or nothing, replaces the text.
      var replacement = TextField(most: field.most)
      if written.count > field.count { body(&replacement) }
      written = replacement
    }
    isReplaced = false
    take(written)
  }

  /// A click chooses; one on what is chosen opens it, as everywhere.
  private func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.action {
    case .scroll(columns: 0, let rows): choose(chosen + rows)
    case .press(.left):
      let row = mouse.position.row - metrics.bodyTop
      let isBody = row >= 0 && row < bodyRows
      let index = isBody ? entries.indices.last { top(of: $0) + gap <= row } : nil
      // The gap below an entry, and what stands over one, belong to none.
      guard let index, row < top(of: index) + rowsEach + (index == chosen ? moreOfChosen : 0) else { return false }
      if index == chosen { open() } else { choose(index) }
    default: return false
    }
    return true
  }

  /// How many places a page further is: one of those that are seen stays.
  private var page: Int { max(1, (bodyRows - moreOfChosen - gap) / rowsEach - 1) }
}
