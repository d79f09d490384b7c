import CoursePages
import ScreenKit
import TextCanvas

/// An overlay in which somebody writes: one line, and below it what could be meant, or what is to be said of it.
@MainActor class PromptScreen: OverlayScreen {
  /// Something that could be meant.
  struct Entry: Hashable {
    /// What the line becomes where it is completed.
    var completion: String
    var name: String
    var detail: String
    var topRight: String
  }

  // As long as a path may be.
  private(set) var field = TextField(most: 4_096)
  private(set) var entries: [Entry] = []
  /// The chosen entry; -1 where none is.
  private(set) var chosen = 0
  /// What is said in place of the entries; with a role, since errors are said here too.
  private(set) var said: [StyledLine] = []
  private(set) var scroll = 0
  private var saidScroll = 0
  private let listLayer = Layer()

  /// What stands before the line.
  var prefix: String { "" }
  /// What stands there while nothing is written.
  var invitation: String { "" }

  /// What could be meant by the line.
  func look() throws -> [Entry] { [] }
  /// What is said where nothing could be meant.
  var wordsForNothing: String { "" }
  /// Does what the line, or the chosen entry, says.
  func submit() {}

  /// How far all that could be meant agree, where not all of it is listed; `nil` where it is.
  var commonCompletion: String? { nil }

  /// Whether Tab writes what is chosen into the line.
  var completes: Bool { true }

  /// Whether the first entry is chosen before anybody chooses.
  var choosesFirst: Bool { true }

  /// Rows that the chosen entry has at most where its words have no room in one.
  var mostChosenRows: Int { 1 }

  /// Rows of the list in a terminal of 24; a larger one has room for more, where there is more.
  var listHeight: Int { 8 }

  /// Columns of an entry's detail from which on it is worth being shown cut off.
  private static let leastDetail = 9
  /// Columns of the names in a small terminal.
  private static let leastNames = 13
  /// Seconds in which its lower edge follows what it shows.
  private static let fitTime = 0.09

  /// As many rows as there are things to show, and at most so many as the list may have.
  override var bodyHeight: Int { max(1, min(greatestHeight, max(entries.count + spareRows, said.count))) }
  var greatestHeight: Int { max(listHeight, metrics.size.rows * listHeight / 24) }

  /// The line that is written in stands where it would with a full list below it, whatever is found.
  override var preferredTop: Int? { max(1, metrics.keysRow - greatestHeight - titleRows.rows - 3) }

  override var titleRows: Surface {
    let theme = drawing.theme
    var left = StyledText(prefix.isEmpty ? "" : prefix + " ", style: theme.bold(role))
    let room = metrics.textWidth - (topRight.isEmpty ? 0 : topRight.displayWidth + 2) - left.displayWidth
    left.append(
      field.styled(
        theme.bold(.strong), caret: theme.bold(.accent), bar: context.appearance.symbols.bar, width: room))
    if field.isEmpty { left.append(invitation, style: theme[.quiet]) }
    return drawing.lines.row(left, StyledText(topRight, style: theme[.quiet]), width: metrics.textWidth)
  }

  override var keys: [KeyHint] {
    let symbols = context.appearance.symbols
    return [KeyHint(symbols.enter, "do it"), KeyHint("Tab", "complete"), KeyHint("Esc", "close")]
  }

  override func didLoad() {
    super.didLoad()
    body.add(listLayer)
  }

  override func layOutPanel() {
    super.layOutPanel()
    showList()
  }

  // MARK: - What could be meant

  private var throttle = LookupThrottle()

  private func lookSoon() {
    if throttle.shouldLookUp(at: stage?.now ?? 0) { lookAgain() } else { layer.setNeedsLayout() }
  }

  /// Looks up the text if that is still to be done. Called before anything uses the entries.
  private func catchUp() {
    guard throttle.isBehind else { return }
    lookAgain()
  }

  override func layOut(in size: Size) {
    catchUp()
    super.layOut(in: size)
  }

  func lookAgain() {
    throttle.caughtUp()
    chosen = choosesFirst ? 0 : -1
    scroll = 0
    said = []
    // What cannot be looked up now is said when it is asked for.
    entries = (try? look()) ?? []
    if isLayerLoaded { fit() }
  }

  /// Shows what there is to show now; its lower edge goes where that ends.
  private func fit() {
    let (seen, old) = (panel.presentation.frame, panel.frame)
    layOutPanel()
    let end = panel.frame
    guard appearance == .appeared || appearance == .appearing, context.motion == .full, seen != end else { return }
    // While it grows its way bends to the new end.
    if appearance == .appeared { panel.removeAllAnimations() }
    withoutAnimation { panel.frame = appearance == .appeared ? seen : old }
    animate(duration: Self.fitTime, curve: .easeOut) { panel.frame = end }
  }

  /// Says something below the line.
  func say(_ words: String, _ role: Role = .warn) {
    say(StyledText(words, style: drawing.theme[role]).wrapped(to: max(1, metrics.textWidth)))
  }

  func say(_ lines: [StyledLine]) {
    said = lines
    saidScroll = 0
    fit()
  }

  /// Shows more of what is said.
  func scrollSaid(by rows: Int) {
    saidScroll += rows
    showList()
  }

  override func lookHasChanged() {
    super.lookHasChanged()
    // The entries name keys as they are shown.
    if said.isEmpty { entries = (try? look()) ?? entries }
  }

  var chosenEntry: Entry? { entries.indices.contains(chosen) ? entries[chosen] : nil }

  func choose(_ index: Int) {
    // What is said may be longer than there is room for, and is read first.
    guard !entries.isEmpty, !isCut(said.count) else { return scrollSaid(by: index - chosen) }
    chosen = max(0, min(index, entries.count - 1))
    said = []
    showList()
  }

  func write(_ text: String) {
    field.write(text)
    lookAgain()
  }

  private func showList() {
    var surface = Surface(columns: metrics.textWidth, rows: bodyRows)
    if said.isEmpty { drawEntries(on: &surface) } else { drawSaid(on: &surface) }
    listLayer.content = surface
    listLayer.frame = Rect(x: 0, y: 0, width: Double(surface.columns), height: Double(surface.rows))
  }

  /// Whether not all of so many lines fit; the last row says then how many more there are.
  private func isCut(_ count: Int) -> Bool { count > bodyRows && bodyRows > 1 }

  /// How many entries are seen at once.
  private var visibleEntries: Int {
    let spare = (chosenRows?.count ?? 1) - 1
    return max(1, (isCut(entries.count + spare) ? bodyRows - 1 : bodyRows) - spare)
  }

  private func drawEntries(on surface: inout Surface) {
    guard !entries.isEmpty else {
      let words = StyledText(wordsForNothing, style: drawing.theme[.quiet]).wrapped(to: metrics.textWidth)
      for (row, line) in words.enumerated() { surface.draw(line, at: CellPoint(column: 0, row: row)) }
      return
    }
    let visible = visibleEntries
    if chosen >= scroll + visible { scroll = chosen - visible + 1 }
    scroll = max(0, min(scroll, max(0, chosen)))
    // Where there is little room, a few long names stand out for the others' details to be read.
    let room = metrics.isNarrow ? max(Self.leastNames, metrics.textWidth * 3 / 8) : metrics.textWidth / 2
    let nameWidth = min(room, (entries.map(\.name.displayWidth).max() ?? 0) + 4)
    var row = 0
    for index in entries.indices.dropFirst(scroll).prefix(visible) {
      let rows = index == chosen ? chosenRows : nil
      for words in rows ?? [self.row(of: index, nameWidth: nameWidth)] {
        surface.copy(words, at: CellPoint(column: 0, row: row))
        row += 1
      }
    }
    let below = entries.count - scroll - visible
    guard below > 0 || isCut(entries.count) else { return }
    surface.copy(rest(below, isCounted: commonCompletion == nil), at: CellPoint(column: 0, row: row))
  }

  private func drawSaid(on surface: inout Surface) {
    let visible = isCut(said.count) ? bodyRows - 1 : bodyRows
    saidScroll = max(0, min(saidScroll, said.count - visible))
    for (row, line) in said.dropFirst(saidScroll).prefix(visible).enumerated() {
      surface.draw(line, at: CellPoint(column: 0, row: row))
    }
    guard isCut(said.count) else { return }
    surface.copy(rest(said.count - saidScroll - visible), at: CellPoint(column: 0, row: visible))
  }

  private func row(of index: Int, nameWidth: Int) -> Surface {
    let (theme, symbols, entry) = (drawing.theme, context.appearance.symbols, entries[index])
    let isChosen = index == chosen
    var left = StyledText(isChosen ? symbols.marker + " " : "  ", style: theme.bold(role))
    left.append(entry.name, style: isChosen ? theme.bold(role) : theme[.strong])
    // Where its column is too narrow for the detail, blanks before it give way first.
    let free = metrics.textWidth - left.displayWidth - entry.topRight.displayWidth - 2
    let gap = max(2, min(nameWidth - left.displayWidth, free - entry.detail.displayWidth))
    // A few letters say nothing.
    let room = free - gap
    if !entry.detail.isEmpty, room >= min(Self.leastDetail, entry.detail.displayWidth) {
      left.append(String(repeating: " ", count: gap))
      left.append(entry.detail.truncated(to: room, ellipsis: symbols.ellipsis), style: theme[.quiet])
    }
    return drawing.lines.row(
      left, StyledText(entry.topRight, style: theme[.quiet]), indent: PageDrawing.markColumns, width: metrics.textWidth)
  }

  // MARK: - Input

  override func handle(_ event: InputEvent) -> Bool {
    guard case .paste(let text) = event else { return super.handle(event) }
    change { $0.insert(text) }
    return true
  }

  override func take(_ key: KeyEvent) -> Bool {
    if field.takes(key) {
      change { _ = $0.take(key) }
      return true
    }
    // Other keys are for the entries of the whole text.
    catchUp()
    switch key.key {
    case .escape: close()
    case .enter: submit()
    case .tab: if completes { complete() }
    case .up: choose(chosen - 1)
    case .down: choose(chosen + 1)
    case .character("p") where key.modifiers == .control: choose(chosen - 1)
    case .character("n") where key.modifiers == .control: choose(chosen + 1)
    case .pageUp: choose(chosen - visibleEntries)
    case .pageDown: choose(chosen + visibleEntries)
    case .backspace where field.isEmpty: close()
    default: break
    }
    return true
  }

  private func change(_ body: (inout TextField) -> Void) {
    let (edits, changes) = (field.edits, field.changes)
    body(&field)
    if field.edits != edits { lookSoon() } else if field.changes != changes { layer.setNeedsLayout() }
  }

  /// Completes the line: as far as all entries that continue it agree; where that is no further, to the chosen one.
  private func complete() {
    guard let entry = chosenEntry ?? entries.first else { return }
    let continuing = entries.map(\.completion).filter { $0.hasPrefix(field.text) && $0 != field.text }
    let common =
      commonCompletion ?? continuing.dropFirst().reduce(continuing.first ?? "") { $0.commonPrefix(with: $1) }
    write(common.count > field.count ? common : entry.completion)
  }

  override func handle(_ mouse: MouseEvent) {
    catchUp()
    let list = listLayer.presentedFrame().cells
    switch mouse.action {
    case .press(.left) where list.contains(mouse.position):
      let index = entry(inRow: mouse.position.row - list.row)
      guard said.isEmpty, index < scroll + visibleEntries, entries.indices.contains(index) else { return }
      if index == chosen { submit() } else { choose(index) }
    case .scroll(columns: 0, let rows): if said.isEmpty { choose(chosen + rows) } else { scrollSaid(by: rows) }
    default: super.handle(mouse)
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

/// The chosen entry as a whole, in a list whose entries may be longer than a row.
extension PromptScreen {
  /// The rows of the chosen entry; `nil` where one holds all its words, or has to.
  var chosenRows: [Surface]? {
    guard let entry = chosenEntry, let lines = lines(of: entry) else { return nil }
    let (theme, marker) = (drawing.theme, context.appearance.symbols.marker)
    return lines.enumerated().map { number, line in
      var left = StyledText(number == 0 ? marker + " " : "  ", style: theme.bold(role))
      left.append(StyledText(line.runs))
      let right = number == 0 && !metrics.isNarrow ? entry.topRight : ""
      return drawing.lines.row(
        left, StyledText(right, style: theme[.quiet]), indent: PageDrawing.markColumns, width: metrics.textWidth)
    }
  }

  /// Rows beyond one that any entry has where it is chosen: they are kept, so that the list stays as high as it is.
  var spareRows: Int { (entries.compactMap { lines(of: $0)?.count }.max() ?? 1) - 1 }

  /// The words of an entry that has no room in one row: all of its name, and below it what is said of it. Where there are
  /// few columns, what else stands at the right end comes last.
  private func lines(of entry: Entry) -> [StyledLine]? {
    guard mostChosenRows > 1 else { return nil }
    let (theme, room) = (drawing.theme, metrics.textWidth - PageDrawing.markColumns)
    let right = entry.topRight.isEmpty ? 0 : entry.topRight.displayWidth + 2
    let detail = entry.detail.isEmpty ? 0 : entry.detail.displayWidth + 2
    guard entry.name.displayWidth + detail + right > room else { return nil }
    let words = StyledText(entry.name, style: theme.bold(role)).wrapped(
      to: max(1, metrics.isNarrow ? room : room - right))
    let below = [entry.detail, metrics.isNarrow ? entry.topRight : ""].filter { !$0.isEmpty }
      .flatMap { StyledText($0, style: theme[.quiet]).wrapped(to: max(1, room)) }
    var lines = Array((words + below).prefix(max(1, min(mostChosenRows, greatestHeight - 1))))
    if let last = lines.last, lines.count < words.count + below.count {
      let more = StyledRun(drawing.symbols.ellipsis, style: last.runs.last?.style ?? .plain)
      lines[lines.count - 1] = StyledLine(
        last.truncated(to: room - 1, ellipsis: "").runs + [more])
    }
    return lines
  }

  /// The number of the entry in a row of the list.
  func entry(inRow row: Int) -> Int {
    let (index, spare) = (scroll + row, (chosenRows?.count ?? 1) - 1)
    return index <= chosen || chosen < scroll ? index : max(chosen, index - spare)
  }
}
