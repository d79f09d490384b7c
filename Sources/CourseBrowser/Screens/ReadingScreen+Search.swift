import CourseKit
import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A search in the text of a page: the query, its matches, and the position before the search.
struct PageSearch {
  var field = TextField(maximumCount: CourseLibrary.maximumQueryLength)
  var throttle = LookupThrottle()
  /// All matches in the current layout.
  var matches: TextSearch
  /// Whether the query is being typed. If `false`, letters are commands, and the matches stay highlighted.
  var isTyping = true
  /// The reading position and the first visible line before the search.
  let reader: ReadingText.Point
  let readerBefore: ReadingText.Point?
  let scroll: Int
}

/// The search in a text, which `/` opens. While the query is typed, matches are counted and highlighted, and the next
/// match is shown.
extension ReadingScreen {
  private func beginSearch() {
    (searchMatches, chosenBlock) = (nil, nil)
    search = PageSearch(
      matches: TextSearch(in: text.lines), reader: reader, readerBefore: readerBefore, scroll: scroll)
    searchChanged()
  }

  /// Ends the search without scrolling.
  func endSearch() {
    guard search != nil else { return }
    search = nil
    searchChanged()
  }

  /// Ends the search and scrolls back to the position before it.
  func cancelSearch() {
    guard let search else { return }
    self.search = nil
    goBack(to: search.reader, before: search.readerBefore)
    searchChanged()
  }

  /// Ends typing at the selected match. Letters are commands again.
  private func endSearchHere() {
    guard let search, search.matches.count > 0 else {
      // If the text has no match, the course is searched for the query.
      return search?.field.text.allSatisfy(\.isWhitespace) == false ? widen() : cancelSearch()
    }
    self.search?.isTyping = false
    readerBeforeSearch = search.reader
    stayHere()
    // Closed sections and tabs may contain further matches.
    openDetails(with: search.matches.query)
    searchChanged()
  }

  private func searchChanged() {
    pane.redraw()
    host.observer.pageChanged(self)
  }

  // MARK: - Typing

  /// Handles input of the search field. Returns `false` if the field is not open or does not use the event.
  func handleInSearch(_ event: InputEvent) -> Bool {
    guard isWriting else { return false }
    if case .mouse = event { catchUp() }
    switch event {
    case .paste(let text): write { $0.insert(text) }
    case .key(let key) where key.phase != .release: handleSearchInput(key)
    case .key: break
    default: return false
    }
    return true
  }

  private func handleSearchInput(_ key: KeyEvent) {
    if search?.field.handles(key) == false { catchUp() }
    let isEmpty = search?.field.isEmpty == true
    switch (key.key, key.modifiers) {
    case (.escape, _): _ = leaveInnermost()
    case (.backspace, []) where isEmpty: cancelSearch()
    case (.enter, _): endSearchHere()
    case (.tab, _): widen()
    case (.character("/"), []) where isEmpty: widen()
    case (.down, _), (.character("n"), .control), (.character("g"), .control): goToMatch(by: 1)
    case (.up, _), (.character("p"), .control): goToMatch(by: -1)
    default: write { _ = $0.handle(key) }
    }
  }

  private func write(_ body: (inout TextField) -> Void) {
    guard var search else { return }
    let (edits, changes) = (search.field.edits, search.field.changes)
    body(&search.field)
    let (isEdit, isChange) = (search.field.edits != edits, search.field.changes != changes)
    let isDue = isEdit && search.throttle.shouldLookUp(at: stage?.now ?? 0)
    self.search = search
    if isDue { showMatches() } else if isEdit { layer.setNeedsLayout() } else if isChange { searchChanged() }
  }

  /// Runs the search for the typed query if it is pending, and shows the matches.
  func catchUp() {
    if search?.throttle.hasPendingLookup == true { showMatches() }
  }

  private func showMatches() {
    guard var search else { return }
    search.throttle.caughtUp()
    search.matches.search(for: search.field.text, from: search.scroll)
    self.search = search
    showMatch()
    searchChanged()
  }

  /// Scrolls to the selected match. If the match was visible before the search, scrolls back to the position before the
  /// search.
  private func showMatch() {
    guard let search else { return }
    if search.matches.count == 0, !search.field.text.isEmpty { openDetails(with: search.field.text) }
    let linesBefore = search.scroll..<search.scroll + visibleRows
    guard let line = self.search?.matches.line, !linesBefore.contains(line) else {
      return goBack(to: search.reader, before: search.readerBefore)
    }
    if !visibleLines.contains(line) { lookUp(line: line, gliding: false) }
  }

  private func goToMatch(by step: Int) {
    chosenBlock = nil
    search?.matches.move(by: step)
    if let line = search?.matches.line, !visibleLines.contains(line) { lookUp(line: line, gliding: !isWriting) }
    if !isWriting { stayHere() }
    searchChanged()
  }

  /// Searches the course for the query. The Find tab can widen the search to all courses.
  private func widen() {
    guard let query = search?.field.text else { return }
    if isWriting { cancelSearch() } else { endSearch() }
    host.navigator.widenSearch(query)
  }

  /// Opens closed sections and tabs that contain the query.
  private func openDetails(with query: String) {
    let sections = blocks.sectionsToExpand { text in
      var search = TextSearch(in: [StyledLine(text)])
      search.search(for: query, from: 0)
      return search.count > 0
    }
    open(sections)
  }

  // MARK: - Commands

  /// Returns what the commands for the search and for returning from it do.
  func offerInSearch(_ command: Command) -> Offer? {
    switch command {
    case .findInText where search == nil: return Offer("find in text", rank: Offer.helpRank) { [self] in beginSearch() }
    case .searchCourse where search != nil: return Offer("search course", rank: 1) { [self] in widen() }
    case .nextMatch where search != nil: return Offer(hasFurtherMatch ? "next" : "") { [self] in goToMatch(by: 1) }
    case .previousMatch where search != nil:
      return Offer(hasFurtherMatch ? "previous" : "") { [self] in goToMatch(by: -1) }
    case .back where readerBeforeSearch != nil:
      return Offer(search != nil || searchMatches != nil ? "back" : "", rank: search == nil ? -1 : 1) { [self] in
        endSearch()
        searchMatches = nil
        if let reader = readerBeforeSearch { goBack(to: reader, before: nil) }
        readerBeforeSearch = nil
        searchChanged()
      }
    default: return nil
    }
  }

  /// Whether the selected match is not the only one on the screen and in the text.
  private var hasFurtherMatch: Bool {
    guard let search, let line = search.matches.line else { return false }
    return search.matches.count > 1 || !visibleLines.contains(line)
  }

  // MARK: - Highlights, hint and keys

  func highlightMatches(on surface: inout Surface, from firstLine: Int) {
    guard let search else { return }
    let style = context.appearance.theme.hit(bold: true)
    for (cells, isChosen) in search.matches.cells(in: firstLine..<firstLine + surface.rows) {
      surface.mapStyles(in: cells.offset(rows: -firstLine)) { old in
        var new = isChosen ? style.with(.reverse) : style
        new.link = old.link
        return new
      }
    }
  }

  /// The hint of the search: the query with the number of its matches or, after typing, with the number of the selected
  /// match.
  var searchHint: Footer.Hint? {
    guard let search else { return nil }
    let (matches, symbols) = (search.matches, context.appearance.symbols)
    let number = matches.current.map { "\($0 + 1) of \(matches.count)" }
    guard search.isTyping else {
      let quotedQuery = symbols.quotes.around(matches.query)
      return Footer.Hint(
        hasFurtherMatch ? .nextMatch : nil, text: hasFurtherMatch ? "Next " + quotedQuery : quotedQuery,
        detail: (number ?? "none") + " in this text", brief: number ?? "none")
    }
    let isEmpty = search.field.text.allSatisfy(\.isWhitespace)
    let detail = isEmpty ? "in this text" : (number ?? "none") + " in this text"
    let brief = isEmpty ? "" : number ?? "none"
    let availableColumns = metrics.textWidth - (metrics.isNarrow ? brief : detail).displayWidth - 6
    return Footer.Hint(
      key: "/",
      text: search.field.styled(.plain, caret: .plain, bar: symbols.bar, width: max(8, availableColumns)).text,
      detail: detail, brief: brief)
  }

  /// The keys of the search field, or `nil` if no query is being typed.
  var searchFieldKeys: [KeyHint]? {
    guard let search, search.isTyping else { return nil }
    let symbols = context.appearance.symbols
    let isMissing = search.matches.count == 0 && !search.field.text.allSatisfy(\.isWhitespace)
    return [
      KeyHint(symbols.enter, isMissing ? "search course" : "keep"), KeyHint("Esc", EscapeTarget.typing.label),
      isMissing ? nil : KeyHint("Tab", "course"), isMissing ? nil : KeyHint(symbols.upDown, "next", rank: 1),
    ].compactMap { $0 }
  }
}
