internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// Finds places as somebody types.
@MainActor final class FindScreen: TabPage {
  private(set) var query = ""
  private var kind: ContentKind?
  private var found = Finder.Findings()
  private var chosen = 0
  private var scroll = 0

  init() {
    super.init(title: "Find")
  }

  private var entries: [Finder.Entry] { found.entries }

  override func willAppear(animated: Bool) {
    query = ""
    kind = nil
    look()
  }

  private func look() {
    chosen = 0
    scroll = 0
    browser.trying { found = try Finder(browser: browser, kind: kind).findings(for: query) }
    show()
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

  /// Three rows each; the chosen one has one more, for the passage. A heading takes a row, and air above it.
  private func top(of index: Int) -> Int {
    let headings = entries.prefix(index + 1).count { $0.heading != nil }
    return 3 * index + (index > chosen ? 1 : 0) + max(0, 2 * headings - 1) - scroll
  }

  private func scrollToChosen() {
    guard entries.indices.contains(chosen) else { return }
    scroll += max(0, top(of: chosen) + 5 - bodyRows)
    let first = top(of: chosen) - (entries[chosen].heading == nil ? 0 : 1)
    if first < 0 { scroll += first }
  }

  override var titleRow: Surface {
    let theme = drawing.theme
    var words = StyledText(query, style: theme.bold(.strong))
    words.append(drawing.symbols.bar, style: theme.bold(.accent))
    if query.isEmpty { words.append("type what you look for", style: theme[.quiet]) }
    return row(words, found.summary)
  }

  override var subtitleRow: Surface {
    row(
      StyledText("in \(kind.map { $0.rawValue + "s" } ?? "everything"), best first", style: drawing.theme[.quiet]),
      "Tab: goals, lessons, activities")
  }

  override var frame: (rows: Range<Int>, kind: PlaceKind)? {
    entries.indices.contains(chosen) ? (top(of: chosen)..<top(of: chosen) + 5, entries[chosen].place.kind) : nil
  }

  override var listed: [(row: Int, surface: Surface)] {
    var rows: [(row: Int, surface: Surface)] = []
    for index in entries.indices where top(of: index) > -4 && top(of: index) <= bodyRows {
      rows.append((top(of: index) + 1, surface(of: index)))
      if let heading = entries[index].heading {
        rows.append((top(of: index) - 1, row(StyledText(heading, style: drawing.theme.bold(.strong)), "")))
      }
    }
    return rows
  }

  private func surface(of index: Int) -> Surface {
    let entry = entries[index]
    let isChosen = index == chosen
    let hue = drawing.theme.bold(Role(entry.place.kind))
    var surface = Surface(columns: metrics.textWidth, rows: isChosen ? 3 : 2)
    var title = StyledText(metrics.isSmall && isChosen ? drawing.symbols.marker + " " : "", style: hue)
    title.append(entry.place.title, style: hue)
    surface.copy(row(title, entry.place.kind.rawValue))
    surface.copy(
      row(StyledText(entry.crumbs, style: drawing.theme[.quiet]), entry.state), at: CellPoint(column: 0, row: 1))
    if isChosen { surface.copy(row(entry.passage, ""), at: CellPoint(column: 0, row: 2)) }
    return surface
  }
}
