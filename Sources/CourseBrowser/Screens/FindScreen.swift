import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The Find tab: searches places while the learner types.
///
/// After a result was opened, the tab keeps its contents until the learner returns. The next letter then replaces the
/// query.
@MainActor final class FindScreen: TabPage {
  private(set) var field = TextField(maximumCount: CourseLibrary.maximumQueryLength)
  var kind: ContentKind?
  /// The current course, or `nil` if the learner is in the list of courses.
  var course: NamedPlace?
  /// Whether only the current course is searched.
  var isRestrictedToCourse = false
  var findings = Finder.Results()
  /// The notes as of the first search since the tab appeared, or `nil` before that search.
  var notes: NoteList?
  /// The results that are shown.
  var currentOutcome = Finder.Outcome.nothing
  var search = Search()
  /// Cancels the running indexing. `nil` if none is running.
  var indexing: SearchInterruption?
  /// Whether the index has been read from disk since the tab was created, and the cancellation of a running read.
  var isReadAhead = false
  var readingAhead: SearchInterruption?
  /// A query that was typed in a text and continued in this tab. The course is searched first. Pressing the same key
  /// again widens the search to all courses.
  private(set) var widenedSearch: String?
  /// The number of notes that the header shows while the tab lists the bookmarks and nothing is typed. The notes
  /// themselves are listed in an overlay.
  private(set) var noteCount = 0
  /// Whether a result was opened. If `true`, the tab keeps its contents.
  private var keepsState = false
  /// Whether the list was empty when the keys were last shown.
  private var hasReportedEmptiness = false

  /// The state of the search.
  ///
  /// Only one search runs at a time, because searches share data that earlier ones have read. A new query cancels the
  /// running search and is searched for afterwards.
  struct Search {
    /// Cancels the running search. `nil` if none is running.
    var running: SearchInterruption?
    /// Whether the visible results belong to an earlier query.
    var isOutdated = false
    /// Whether the search has been running so long that the header indicates it.
    var isLate = false
    var lateness: ScheduledCall?
    /// Whether the selected place stays selected when the results arrive.
    var keepsChoice = false
    /// Keys that were pressed before the results arrived and act on the results.
    var deferredKeys: [KeyEvent] = []
    /// Whether a result was to be opened before the results arrived. All keys after it wait too, because they are for the
    /// page that opens.
    var opensResult = false
  }

  init(context: ScreenContext) {
    super.init(title: "Find", context: context)
  }

  /// Whether the tab is visible or appearing.
  var isShown: Bool { appearance == .appeared || appearance == .appearing }
  var query: String { field.text }
  var entries: [Finder.Entry] { findings.entries }
  /// Whether there are no results. `false` while a search is running.
  var isEmpty: Bool { entries.isEmpty && !search.isOutdated }

  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    if keepsState && !question.isEmpty { field.select() } else { field.deselect() }
    notes = nil
    course = courseOfLearner
    if !keepsState { clear() }
    if !keepsState || course == nil { isRestrictedToCourse = false }
    // Progress or bookmarks may have changed since the tab was last visible.
    startSearch(keepingChoice: keepsState)
    hasReportedEmptiness = isEmpty
    keepsState = false
  }

  override func willDisappear(animated: Bool) {
    super.willDisappear(animated: animated)
    noteCount = 0
    cancelSearch()
    indexing?.interrupt()
    readingAhead?.interrupt()
  }

  private func clear() {
    field = TextField(maximumCount: field.maximumCount)
    kind = nil
    widenedSearch = nil
    show(.nothing, keepingChoice: false)
  }

  override func appearanceDidChange() {
    guard isLayerLoaded else { return }
    // The entries contain colours and symbols of the former appearance.
    formatAnswer()
    super.appearanceDidChange()
  }

  private var courseOfLearner: NamedPlace? {
    navigator.currentCourse.flatMap { try? context.navigation.places.named(.place($0)) }
  }

  // MARK: - Query and selection

  /// Searches the current course for a query that was typed in a text. Pressing the same key again widens the search to
  /// all courses.
  func widen(_ query: String) {
    field.write(query)
    widenedSearch = query
    isRestrictedToCourse = course != nil
    startSearch()
    context.showFooter()
  }

  /// Shows the bookmarks, and the number of notes in the header.
  func showBookmarks(notes: Int) {
    clear()
    (isRestrictedToCourse, noteCount) = (false, notes)
    startSearch()
    context.showFooter()
  }

  /// Whether the search continues a search in a text and can be widened to all courses.
  var isWidening: Bool { widenedSearch != nil && isRestrictedToCourse }

  /// Replaces the query.
  func setQuery(_ newField: TextField) {
    let isChanged = newField.text != field.text
    if isChanged { noteCount = 0 }
    field = newField
    if isChanged { startSearch() } else { showHeader() }
  }

  /// The number of results of each kind, or `nil` while nothing is typed.
  private var counts: KindCounts? {
    if case .hits(_, _, _, _, _, let counts) = currentOutcome { counts } else { nil }
  }

  /// The kinds to which Tab limits the search, in their order. `nil` stands for all kinds. Kinds without results are
  /// omitted.
  var otherKinds: [ContentKind?] {
    let kinds: [ContentKind?] = [nil, .goal, .lesson, .activity, .course]
    let index = kinds.firstIndex(of: kind) ?? 0
    return (kinds[(index + 1)...] + kinds[..<index]).filter { kind in
      // Courses are rarely found, so they are offered only if some were.
      guard let kind else { return true }
      return counts.map { !$0.isEmpty(kind) } ?? (kind != .course)
    }
  }

  /// Limits the search to the next of the kinds of places that have results.
  func nextKind() {
    guard let next = otherKinds.first else { return }
    kind = next
    startSearch()
  }

  /// Limits the search to the current course, or removes the limit.
  func toggleCourse() {
    guard course != nil else { return }
    isRestrictedToCourse.toggle()
    startSearch()
    context.showFooter()
  }

  /// Returns a text after the key of its command.
  private func keyed(_ command: Command, _ text: String) -> String {
    context.label(of: command).map { "\($0): \(text)" } ?? ""
  }

  /// The hint of the tab: the key that closes it, and the key that limits the search to the course.
  var hint: Footer.Hint {
    // The subtitle already shows the key that widens the search.
    let detail =
      course == nil || isWidening ? "" : keyed(.toggleCourse, isRestrictedToCourse ? "all courses" : "this course")
    return Footer.Hint(
      .leave, text: "Back to " + (navigator.currentPage?.title ?? ""), detail: detail,
      brief: isRestrictedToCourse ? "in this course" : "")
  }

  override func choose(_ index: Int) {
    guard !entries.isEmpty else { return }
    field.deselect()
    super.choose(index)
  }

  override func openChosen() {
    guard entries.indices.contains(chosen) else { return }
    keepsState = true
    if let note = entries[chosen].note { return navigator.go(to: note) }
    let query: String? = if case .hits(_, _, let searchedFor, _, _, _) = currentOutcome { searchedFor } else { nil }
    navigator.openSearchResult(entries[chosen].place.place, for: query, cause: entries[chosen].cause) {}
  }

  override var keyContexts: [KeyContext] { [.find, .page, .everywhere] }

  override func takes(_ key: KeyEvent) -> Bool { field.handles(key) }

  override func offer(_ command: Command) -> Offer? {
    switch command {
    case .open: return isEmpty ? .unused : Offer("open") { [self] in openChosen() }
    case .nextKind where isWidening: return Offer("kind") { [self] in toggleCourse() }
    case .nextKind: return Offer(otherKinds.isEmpty ? nil : "kind") { [self] in nextKind() }
    case .toggleCourse: return Offer(course == nil ? nil : "") { [self] in toggleCourse() }
    case .up where !query.isEmpty: return .unused
    // Home and End move the caret.
    case .chooseFirst, .chooseLast: return nil
    default: return offerToChoose(command, isEmpty ? nil : "select") ?? super.offer(command)
    }
  }

  override func handle(_ event: InputEvent) -> Bool { handleInput(event) ?? super.handle(event) }

  override func updateContents() {
    if isShown { readPassages() }
    super.updateContents()
    guard hasReportedEmptiness != isEmpty else { return }
    hasReportedEmptiness = isEmpty
    // The available keys depend on whether there are results.
    if isSelected { context.showFooter() }
  }

  // MARK: - Layout

  /// The number of rows of an entry: its title, its breadcrumb, its passage, and a gap for the frame. In a small
  /// terminal, only the title and the passage.
  var rowsEach: Int { !metrics.isSmall ? 4 : bodyRows < 4 ? 1 : 2 }

  /// Lays out the results. In a small terminal, the selected one has as many additional rows as fit, up to two. In a tall
  /// terminal, a blank row separates the first heading from the header.
  override func layOutList() {
    let isSmall = metrics.isSmall
    var headings: [Int: Int] = [:]
    for index in entries.indices where entries[index].heading != nil {
      headings[index] =
        isSmall ? 1 : index > 0 ? 2 : metrics.size.rows >= PageMetrics.tallRows ? 2 : 1
    }
    list.layOut(
      SelectionList.Form(
        rowsEach: rowsEach, gap: isSmall ? 0 : 1,
        moreOfChosen: isSmall ? max(0, min(3 - rowsEach, bodyRows - 2)) : 0, headings: headings, countsMore: true),
      count: entries.count, height: bodyRows)
  }

  /// The minimum number of columns for the query. The summary is omitted if less space would remain.
  private static let minimumQueryColumns = 12

  override var titleRow: Surface {
    let theme = drawing.theme
    // While a search takes long, the header indicates it, because the visible results belong to an earlier query.
    let texts = search.isLate ? ["looking " + drawing.symbols.ellipsis] : summaries
    // If the query is too long, its end is shown, because the caret is usually there.
    func remainingColumns(_ summary: String) -> Int { metrics.textWidth - summary.displayWidth - 3 }
    let summary = texts.first { remainingColumns($0) >= min(query.displayWidth, Self.minimumQueryColumns) } ?? ""
    var line = field.styled(
      theme.bold(.strong), caret: theme.bold(.accent), bar: drawing.symbols.bar,
      width: summary.isEmpty ? metrics.textWidth : remainingColumns(summary) + 1)
    if query.isEmpty { line.append(metrics.isNarrow ? "type a word" : "type words to find", style: theme[.quiet]) }
    return row(line, summary)
  }

  /// The number of results in several forms, from long to short. If bookmarks are shown, each form also contains the
  /// number of notes and the key that lists them.
  private var summaries: [String] {
    guard noteCount > 0, let key = context.label(of: .notes) else { return findings.summaries }
    let notes = DisplayFormat.count(noteCount, "note") + ": " + key
    return findings.summaries.map { $0.isEmpty ? notes : "\($0), \(notes)" }
  }

  override var subtitleRow: Surface {
    let names = otherKinds.map { kind in
      kind.map { counts?.text($0) ?? LevelNames.course.noun(for: PlaceKind($0)).plural } ?? "everything"
    }
    let otherNames = isWidening ? "all courses" : names.joined(separator: ", ")
    let kinds = otherNames.isEmpty ? "" : keyed(.nextKind, otherNames)
    // If there is too little space, the sort order is omitted first.
    let texts = ["in \(searched), best first", "in \(searched)"]
    let availableColumns = metrics.textWidth - kinds.displayWidth - 2
    return row(
      StyledText(texts.first { $0.displayWidth <= availableColumns } ?? texts[1], style: drawing.theme[.quiet]), kinds)
  }

  private var searched: String {
    let kinds = kind.map { LevelNames.course.noun(for: PlaceKind($0)).plural }
    guard isRestrictedToCourse, let course else { return kinds ?? "all courses" }
    return (kinds.map { $0 + " of " } ?? "") + course.title
  }

  override var framedPlace: NamedPlace? { entries.indices.contains(chosen) ? entries[chosen].place : nil }

  /// The message if there are no results.
  private var emptyReason: String {
    switch currentOutcome {
    case .nothing: ""
    case .suggestions:
      "Your bookmarks\(context.label(of: .toggleBookmark).map { " (\($0))" } ?? "") and most visited places appear here."
    case .hits(_, _, _, isWhole: false, _, _): "The search index is not complete yet. More results will appear here."
    case .hits where isRestrictedToCourse:
      "Nothing found in \(searched). " + keyed(isWidening ? .nextKind : .toggleCourse, "all courses.")
    case .hits where kind != nil:
      "Nothing found in \(searched). " + keyed(.nextKind, "search other kinds of places.")
    case .hits where bodyRows < 3: "Nothing found."
    case .hits: "Nothing found. Ctrl-U clears the words."
    }
  }

  override var countAbove: Int { bodyRows > 3 ? list.visible.lowerBound : 0 }

  override var listedRows: [ListedRow] {
    guard !isEmpty else {
      return textRows(StyledText(emptyReason, style: drawing.theme[.quiet]).wrapped(to: metrics.textWidth))
    }
    var rows: [ListedRow] = []
    for index in visibleEntries {
      let top = list.text(of: index).lowerBound
      rows.append(ListedRow(row: top, surface: surface(of: index), node: node(of: index)))
      if let heading = entries[index].heading {
        rows.append(
          ListedRow(
            row: top - list.form.gap - 1, surface: row(StyledText(heading, style: drawing.theme.bold(.strong)), "")))
      }
    }
    if list.hasMoreRow { rows.append(moreRow("\(list.more) more", at: bodyRows - 1)) }
    return rows
  }

  /// The place of an entry. A note has a place only while it is selected, because another entry can have the same
  /// place.
  private func node(of index: Int) -> NodeID? {
    entries[index].note == nil || index == chosen ? entries[index].place.place.node : nil
  }

  /// The entries whose texts are visible. If the last row shows the number of further entries, an entry that does not
  /// fit completely is one of these.
  var visibleEntries: Range<Int> {
    list.hasMoreRow ? list.visible.clamped(to: 0..<entries.count - list.more) : list.visible
  }

  private func surface(of index: Int) -> Surface {
    let entry = entries[index]
    let isChosen = index == chosen
    var surface = Surface(columns: metrics.textWidth, rows: list.text(of: index).count)
    surface.copy(
      drawing.lines.row(
        title(of: entry, isChosen: isChosen), StyledText(entry.kind, style: drawing.theme[.quiet]),
        indent: metrics.isSmall ? PageDrawing.statusColumns : 0, width: metrics.textWidth))
    guard surface.rows > 1 else { return surface }
    let state = drawing.state(of: entry.card)
    // In a small terminal, the selected entry has a marker. Its other rows are aligned with the title after the marker.
    let leftColumn = metrics.isSmall ? PageDrawing.statusColumns : 0
    let width = metrics.textWidth - leftColumn
    // A small terminal has space for the breadcrumb of the selected entry only.
    let passageRow = metrics.isSmall && !isChosen ? 1 : 2
    if surface.rows > passageRow, let passage = entry.passage {
      surface.draw(passage.line(in: width), at: CellPoint(column: leftColumn, row: passageRow))
    }
    guard passageRow == 2 else { return surface }
    let breadcrumb = drawing.shortenedBreadcrumb(entry.breadcrumb, in: width - state.displayWidth - 2)
    surface.copy(
      drawing.lines.row(StyledText(breadcrumb, style: drawing.theme[.quiet]), state, width: width),
      at: CellPoint(column: leftColumn, row: 1))
    return surface
  }

  /// Returns a title with the matches highlighted or, if there are no colours, underlined. Only the title of the selected
  /// entry is bold.
  private func title(of entry: Finder.Entry, isChosen: Bool) -> StyledText {
    let (theme, role) = (drawing.theme, Role(entry.place.kind))
    let style = isChosen ? theme.bold(role) : theme.regular(role)
    var title = StyledText(metrics.isSmall ? isChosen ? drawing.symbols.marker + " " : "  " : "", style: style)
    for run in entry.title.runs { title.append(run.text, style: run.isMatch ? theme.hit(bold: isChosen) : style) }
    return title
  }
}

/// Input of the Find tab.
extension FindScreen {
  /// Handles keys and pasted text. Returns `nil` for other events.
  func handleInput(_ event: InputEvent) -> Bool? {
    switch event {
    case .key(let key) where key.phase != .release: return handle(key)
    case .paste(let text):
      // Limits pasted text to the length that the field examines, and replaces line breaks with spaces.
      let lines = text.prefix(4 * field.maximumCount).split(whereSeparator: \.isNewline)
      write { $0.insert(lines.joined(separator: " ")) }
      return true
    default: return nil
    }
  }

  private func handle(_ key: KeyEvent) -> Bool {
    let commands = Set(context.bindings.rows(for: key).map(\.command))
    let isTyped = field.handles(key)
    if !commands.contains(.leave), !isTyped && !commands.isDisjoint(with: Self.listCommands) || search.opensResult,
      deferKey(key, opensResult: !isTyped && commands.contains(.open))
    {
      return true
    }
    // The key that begins a search in a text widens the search that was continued here.
    if isWidening, query == widenedSearch, commands.contains(.searchCourse) {
      toggleCourse()
      return true
    }
    // While the bookmarks are shown, this key lists the notes. Otherwise it is typed, because a quotation mark begins a
    // phrase.
    if noteCount > 0, commands.contains(.notes) { return context.perform(.notes) }
    return write(key)
  }

  /// The commands that act on the results.
  private static let listCommands: Set<Command> = [
    .open, .chooseNext, .choosePrevious, .pageDown, .pageBack, .halfPageDown, .halfPageUp,
  ]

  /// Applies a key to the text field. Returns `false` if the key has no effect on the field.
  private func write(_ key: KeyEvent) -> Bool {
    var isHandled = false
    write { isHandled = $0.handle(key) }
    return isHandled
  }

  private func write(_ body: (inout TextField) -> Void) {
    var newField = field
    body(&newField)
    guard newField.changes != field.changes else { return }
    // Another search begins with all kinds of places.
    if newField.text != field.text, field.isSelected || newField.isEmpty { kind = nil }
    setQuery(newField)
  }
}
