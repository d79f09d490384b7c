import CourseKit
import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A search in the text of a page: what is typed, what was found, and where the learner was before.
struct PageSearch {
  var field = TextField(most: CourseLibrary.longestQuery)
  var throttle = LookupThrottle()
  /// Every place in the text as it is set.
  var matches: TextSearch
  /// Whether letters are typed; else they are commands again, and what was found stays marked.
  var isTyping = true
  /// Where the reader was, and which line was the first in view.
  let reader: ReadingText.Point
  let readerBefore: ReadingText.Point?
  let scroll: Int
}

/// `/` in a text: its matches are counted and marked as one types, and the next one comes into view.
extension ReadingScreen {
  private func beginSearch() {
    (found, chosenPiece) = (nil, nil)
    search = PageSearch(
      matches: TextSearch(in: text.lines), reader: reader, readerBefore: readerBefore, scroll: scroll)
    searchChanged()
  }

  /// Lets the search go; where somebody is stays as it is.
  func endSearch() {
    guard search != nil else { return }
    search = nil
    searchChanged()
  }

  /// Lets it go, and goes back to where it began.
  private func cancelSearch() {
    guard let search else { return }
    self.search = nil
    goBack(to: search.reader, before: search.readerBefore)
    searchChanged()
  }

  /// Stays at what was found; the keys are commands again.
  private func stay() {
    guard let search, search.matches.count > 0 else {
      // Who wants to go to something that is not here looks for it elsewhere.
      return search?.field.text.allSatisfy(\.isWhitespace) == false ? widen() : cancelSearch()
    }
    self.search?.isTyping = false
    readerBeforeSearch = search.reader
    // What is closed may have more of it.
    openDetails(with: search.matches.query)
    searchChanged()
  }

  private func searchChanged() {
    pane.redraw()
    host.observer.pageChanged(self)
  }

  // MARK: - Typing

  /// Answers what is typed into a search; `false` where none is typed, and for what is no letter of it.
  func handleInSearch(_ event: InputEvent) -> Bool {
    guard isWriting else { return false }
    if case .mouse = event { catchUp() }
    switch event {
    case .paste(let words): write { $0.insert(words) }
    case .key(let key) where KeyBindings.isLeaving(key): return false
    case .key(let key) where key.phase != .release: take(key)
    case .key: break
    default: return false
    }
    return true
  }

  private func take(_ key: KeyEvent) {
    if search?.field.takes(key) == false { catchUp() }
    let isEmpty = search?.field.isEmpty == true
    switch (key.key, key.modifiers) {
    case (.escape, _): cancelSearch()
    case (.backspace, []) where isEmpty: cancelSearch()
    case (.enter, _): stay()
    case (.tab, _): widen()
    case (.character("/"), []) where isEmpty: widen()
    case (.down, _), (.character("n"), .control), (.character("g"), .control): goOn(by: 1)
    case (.up, _), (.character("p"), .control): goOn(by: -1)
    default: write { _ = $0.take(key) }
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

  /// Runs the search for the typed words if it is pending, and shows the matches.
  func catchUp() {
    if search?.throttle.isBehind == true { showMatches() }
  }

  private func showMatches() {
    guard var search else { return }
    search.throttle.caughtUp()
    search.matches.look(for: search.field.text, from: search.scroll)
    self.search = search
    showMatch()
    searchChanged()
  }

  /// Shows the chosen match; where it was in view before the search, that view.
  private func showMatch() {
    guard let search else { return }
    if search.matches.count == 0, !search.field.text.isEmpty { openDetails(with: search.field.text) }
    let view = search.scroll..<search.scroll + visibleRows
    guard let line = self.search?.matches.line, !view.contains(line) else {
      return goBack(to: search.reader, before: search.readerBefore)
    }
    if !visibleLines.contains(line) { lookUp(line: line, gliding: false) }
  }

  private func goOn(by step: Int) {
    search?.matches.go(by: step)
    if let line = search?.matches.line, !visibleLines.contains(line) { lookUp(line: line, gliding: !isWriting) }
    searchChanged()
  }

  /// Looks for the same in the course, and then in everything.
  private func widen() {
    guard let words = search?.field.text else { return }
    if isWriting { cancelSearch() } else { endSearch() }
    host.navigator.widenSearch(words)
  }

  /// Where closed blocks have something of it, they open.
  private func openDetails(with words: String) {
    let closed = blocks.parts { text in
      var search = TextSearch(in: [StyledLine(text)])
      search.look(for: words, from: 0)
      return search.count > 0
    }
    open(closed)
  }

  // MARK: - Commands

  /// Answers commands that go through what was found.
  func performInSearch(_ command: Command) -> Bool {
    switch command {
    case .find where search != nil: widen()
    case .find: beginSearch()
    case .next where search != nil: goOn(by: 1)
    case .previousFound where search != nil: goOn(by: -1)
    case .up where search != nil: endSearch()
    case .back where readerBeforeSearch != nil:
      endSearch()
      found = nil
      if let reader = readerBeforeSearch { goBack(to: reader, before: nil) }
      readerBeforeSearch = nil
      searchChanged()
    default: return false
    }
    return true
  }

  // MARK: - What is seen of it

  func markMatches(on surface: inout Surface, from first: Int) {
    guard let search else { return }
    let style = context.appearance.theme.hit(bold: true)
    for (cells, isChosen) in search.matches.cells(in: first..<first + surface.rows) {
      surface.mapStyles(in: cells.offset(rows: -first)) { old in
        var new = isChosen ? style.with(.reverse) : style
        new.link = old.link
        return new
      }
    }
  }

  /// What the next step's row says: what is typed and how often it stands here, or which of the matches this is.
  var searchHint: Footer.Hint? {
    guard let search else { return nil }
    let (matches, symbols) = (search.matches, context.appearance.symbols)
    let number = matches.chosen.map { "\($0 + 1) of \(matches.count)" }
    guard search.isTyping else {
      return Footer.Hint(
        key: "n", text: "Next " + symbols.quotes.around(matches.query),
        detail: (number ?? "none") + " in this text", brief: number ?? "none")
    }
    let isEmpty = search.field.text.allSatisfy(\.isWhitespace)
    let detail = isEmpty ? "in this text" : (number ?? "none") + " in this text"
    let brief = isEmpty ? "" : number ?? "none"
    let room = metrics.textWidth - (metrics.isNarrow ? brief : detail).displayWidth - 6
    return Footer.Hint(
      key: "/", text: search.field.styled(.plain, caret: .plain, bar: symbols.bar, width: max(8, room)).text,
      detail: detail, brief: brief)
  }

  /// The keys of a search; `nil` where there is none.
  var searchKeys: [KeyHint]? {
    guard let search else { return nil }
    let symbols = context.appearance.symbols
    guard search.isTyping else {
      return [
        KeyHint("n", "next"), KeyHint("N", "before"), KeyHint("Esc", "end"), KeyHint("H", "back", rank: 1),
        KeyHint("M", "highlight", rank: 1), KeyHint("/", "wider", rank: 1), KeyHint("Space", "page", rank: 2),
      ]
    }
    let isMissing = search.matches.count == 0 && !search.field.text.allSatisfy(\.isWhitespace)
    return [
      KeyHint(symbols.enter, isMissing ? "wider" : "stay"), KeyHint("Esc", "back"),
      isMissing ? nil : KeyHint("Tab", "wider"), isMissing ? nil : KeyHint(symbols.upDown, "next", rank: 1),
    ].compactMap { $0 }
  }
}
