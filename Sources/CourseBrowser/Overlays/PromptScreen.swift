import CoursePages
import ScreenKit
import TextCanvas

/// An overlay with a text field, and below it matching entries or a message.
@MainActor class PromptScreen: OverlayScreen, SelectionScreen {
  /// An entry that matches the text.
  struct Entry: Hashable {
    /// The text of the field after completion with this entry.
    var completion: String
    var name: String
    var detail: String
    var topRight: String
    /// The heading above the entry, if the preceding entry has another one.
    var heading = ""
  }

  // The limit is the maximum length of a path.
  private(set) var field = TextField(maximumCount: 4_096)
  private(set) var entries: [Entry] = []
  private(set) var list = SelectionList()
  /// A message that is shown instead of the entries. Errors have the role `bad`.
  private(set) var message: [StyledLine] = []
  private var messageList = SelectionList(chosen: -1)
  private let listLayer = Layer()

  /// The label before the field.
  var prefix: String { "" }
  /// The text that an empty field shows.
  var invitation: String { "" }

  /// Looks up the entries that match the text.
  func makeEntries() throws -> [Entry] { [] }
  /// The message that is shown if no entry matches.
  var emptyMessage: String { "" }
  /// Performs the selected entry. If no entry is selected, uses the text.
  func submit() {}

  /// The common prefix of all matches if the list does not contain all of them, otherwise `nil`.
  var commonCompletion: String? { nil }

  /// Whether Tab completes the text with the selected entry.
  var completes: Bool { true }

  /// Whether the first entry is selected after each lookup.
  var choosesFirst: Bool { true }

  /// The maximum number of rows of the selected entry. Relevant if its text does not fit in one row.
  var maximumChosenRows: Int { 1 }

  /// The number of rows of the list in a terminal with 24 rows. In larger terminals, the list has more rows.
  var listHeight: Int { 8 }

  /// The minimum width for showing a truncated detail.
  private static let minimumDetailColumns = 9
  /// The minimum width of the names in a narrow terminal.
  private static let minimumNameColumns = 13
  /// Duration of the change of the panel's height, in seconds.
  private static let fitTime = 0.09

  /// The rows of the tallest content since the overlay was opened, at most ``greatestHeight``. The field therefore keeps
  /// its position while the number of matching entries changes.
  override var bodyHeight: Int { min(greatestHeight, tallestContent) }
  private var tallestContent = 1
  var greatestHeight: Int { max(listHeight, metrics.size.rows * listHeight / 24) }

  private var contentHeight: Int {
    guard message.isEmpty else { return message.count }
    guard entries.isEmpty else { return entries.count + headings.count + spareRows }
    return linesOfEmptyMessage.count
  }

  private var linesOfEmptyMessage: [StyledLine] {
    StyledText(emptyMessage, style: drawing.theme[.quiet]).wrapped(to: max(1, metrics.textWidth))
  }

  override var titleRows: Surface {
    let theme = drawing.theme
    var leftText = StyledText(prefix.isEmpty ? "" : prefix + " ", style: theme.bold(role))
    let availableColumns =
      metrics.textWidth - (topRight.isEmpty ? 0 : topRight.displayWidth + 2) - leftText.displayWidth
    leftText.append(
      field.styled(
        theme.bold(.strong), caret: theme.bold(.accent), bar: context.appearance.symbols.bar, width: availableColumns))
    if field.isEmpty { leftText.append(invitation, style: theme[.quiet]) }
    return drawing.lines.row(leftText, StyledText(topRight, style: theme[.quiet]), width: metrics.textWidth)
  }

  /// The field handles all keys.
  override var keyContexts: [KeyContext] { [] }

  override var fieldKeys: [KeyHint]? {
    let symbols = context.appearance.symbols
    return [KeyHint(symbols.enter, "apply"), KeyHint("Tab", "complete"), KeyHint("Esc", "close")]
  }

  override func didLoad() {
    super.didLoad()
    body.add(listLayer)
  }

  override func layOutPanel() {
    tallestContent = max(tallestContent, contentHeight)
    super.layOutPanel()
    showList()
  }

  // MARK: - Entries

  private var throttle = LookupThrottle()

  private func scheduleReload() {
    if throttle.shouldLookUp(at: stage?.now ?? 0) { reloadEntries() } else { layer.setNeedsLayout() }
  }

  /// Looks up the text if the lookup was deferred. Must be called before the entries are used.
  private func reloadIfBehind() {
    guard throttle.hasPendingLookup else { return }
    reloadEntries()
  }

  override func layOut(in size: Size) {
    reloadIfBehind()
    if metrics.size != size.cells { tallestContent = 1 }
    super.layOut(in: size)
  }

  func reloadEntries() {
    throttle.caughtUp()
    list = SelectionList(chosen: choosesFirst ? 0 : -1)
    message = []
    // An error is reported only when the text is submitted.
    entries = (try? makeEntries()) ?? []
    if isLayerLoaded { fit() }
  }

  /// Adjusts the height of the panel to its content.
  private func fit() {
    let (presentedFrame, oldFrame) = (panel.presentation.frame, panel.frame)
    layOutPanel()
    let newFrame = panel.frame
    guard appearance == .appeared || appearance == .appearing, context.motion == .full, presentedFrame != newFrame
    else { return }
    // If the panel is still growing, its animation continues to the new frame.
    if appearance == .appeared { panel.removeAllAnimations() }
    withoutAnimation { panel.frame = appearance == .appeared ? presentedFrame : oldFrame }
    animate(duration: Self.fitTime, curve: .easeOut) { panel.frame = newFrame }
  }

  /// Shows a message below the field.
  func showMessage(_ text: String, _ role: Role = .warn) {
    showMessage(StyledText(text, style: drawing.theme[role]).wrapped(to: max(1, metrics.textWidth)))
  }

  func showMessage(_ lines: [StyledLine]) {
    message = lines
    messageList = SelectionList(chosen: -1)
    fit()
  }

  override func appearanceDidChange() {
    super.appearanceDidChange()
    // Entries contain labels of keys, which depend on the symbol set.
    if message.isEmpty { entries = (try? makeEntries()) ?? entries }
  }

  var chosenEntry: Entry? { entries.indices.contains(chosen) ? entries[chosen] : nil }

  func choose(_ index: Int) {
    // If a message does not fit, the key scrolls the message.
    guard !entries.isEmpty, !isTruncated(message.count) else { return scrollMessage(by: index - chosen) }
    list.choose(index)
    message = []
    showList()
  }

  func scroll(by rows: Int) { if message.isEmpty { choose(chosen + rows) } else { scrollMessage(by: rows) } }

  /// Scrolls a long message.
  func scrollMessage(by rows: Int) {
    messageList.scroll(by: rows)
    showList()
  }

  func openChosen() { submit() }

  /// Sets the maximum number of characters of the field, and clears it.
  final func limitText(to count: Int) { field = TextField(maximumCount: count) }

  /// Replaces the text of the field.
  ///
  /// - Parameter isSelected: Whether the first letter that the learner types replaces the text.
  func write(_ text: String, selected isSelected: Bool = false) {
    field.write(text)
    if isSelected { field.select() }
    reloadEntries()
  }

  private func showList() {
    guard message.isEmpty else { return show(message, in: listLayer, &messageList) }
    let headings = headings
    let form = SelectionList.Form(moreOfChosen: (chosenRows?.count ?? 1) - 1, headings: headings.mapValues { _ in 1 })
    list.layOut(
      form, count: entries.count, height: visibleRows(of: entries.count + headings.count + form.moreOfChosen))
    var surface = Surface(columns: metrics.textWidth, rows: bodyRows)
    drawEntries(on: &surface)
    for (index, heading) in headings where list.visible.contains(index) && list.text(of: index).lowerBound > 0 {
      let row = drawing.lines.row(StyledText(heading, style: drawing.theme.bold(.strong)), width: metrics.textWidth)
      surface.copy(row, at: CellPoint(column: 0, row: list.text(of: index).lowerBound - 1))
    }
    listLayer.show(surface)
  }

  /// The headings, by the index of the entry below.
  private var headings: [Int: String] {
    var headings: [Int: String] = [:]
    for (index, entry) in entries.enumerated() where entry.heading != (index == 0 ? "" : entries[index - 1].heading) {
      headings[index] = entry.heading
    }
    return headings
  }

  private func drawEntries(on surface: inout Surface) {
    guard !entries.isEmpty else {
      var lines = linesOfEmptyMessage
      if lines.count > surface.rows, surface.rows > 0 {
        let text = lines[(surface.rows - 1)...].map(\.text).joined(separator: " ")
        let last = StyledLine(StyledText(text, style: drawing.theme[.quiet]).runs)
        lines[surface.rows - 1] = last.truncated(to: metrics.textWidth, ellipsis: context.appearance.symbols.ellipsis)
      }
      for (row, line) in lines.prefix(surface.rows).enumerated() {
        surface.draw(line, at: CellPoint(column: 0, row: row))
      }
      return
    }
    // In a narrow terminal, long names get less space so that the details stay readable.
    let maximumNameWidth =
      metrics.isNarrow ? max(Self.minimumNameColumns, metrics.textWidth * 3 / 8) : metrics.textWidth / 2
    let nameWidth = min(maximumNameWidth, (entries.map(\.name.displayWidth).max() ?? 0) + 4)
    for index in list.visible {
      let rows = (index == chosen ? chosenRows : nil) ?? [row(of: index, nameWidth: nameWidth)]
      for (row, rowSurface) in zip(list.text(of: index), rows) {
        surface.copy(rowSurface, at: CellPoint(column: 0, row: row))
      }
    }
    guard list.more > 0 || isTruncated(entries.count + headings.count) else { return }
    surface.copy(
      overflowRow(list.more, isCounted: commonCompletion == nil), at: CellPoint(column: 0, row: list.height))
  }

  private func row(of index: Int, nameWidth: Int) -> Surface {
    let (theme, symbols, entry) = (drawing.theme, context.appearance.symbols, entries[index])
    let isChosen = index == chosen
    var leftText = StyledText(isChosen ? symbols.marker + " " : "  ", style: theme.bold(role))
    leftText.append(entry.name, style: isChosen ? theme.bold(role) : theme[.strong])
    // If the column of the details is too narrow, the detail begins further left, in the free space after the name.
    let freeColumns = metrics.textWidth - leftText.displayWidth - entry.topRight.displayWidth - 2
    let gap = max(2, min(nameWidth - leftText.displayWidth, freeColumns - entry.detail.displayWidth))
    // A detail that is truncated to a few letters is not useful.
    let detailColumns = freeColumns - gap
    if !entry.detail.isEmpty, detailColumns >= min(Self.minimumDetailColumns, entry.detail.displayWidth) {
      leftText.append(String(repeating: " ", count: gap))
      leftText.append(entry.detail.truncated(to: detailColumns, ellipsis: symbols.ellipsis), style: theme[.quiet])
    }
    return drawing.lines.row(
      leftText, StyledText(entry.topRight, style: theme[.quiet]), indent: PageDrawing.statusColumns,
      width: metrics.textWidth)
  }

  // MARK: - Input

  override func handle(_ event: InputEvent) -> Bool {
    guard case .paste(let text) = event else { return super.handle(event) }
    change { $0.insert(text) }
    return true
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    if field.handles(key) {
      change { _ = $0.handle(key) }
      return true
    }
    // All other keys act on the entries, which must match the whole text.
    reloadIfBehind()
    switch key.key {
    case .escape: close()
    case .enter: submit()
    case .tab: if completes { complete() }
    case .up: choose(chosen - 1)
    case .down: choose(chosen + 1)
    case .character("p") where key.modifiers == .control: choose(chosen - 1)
    case .character("n") where key.modifiers == .control: choose(chosen + 1)
    case .pageUp: list.target(of: .pageBack).map(choose)
    case .pageDown: list.target(of: .pageDown).map(choose)
    case .backspace where field.isEmpty: close()
    default: break
    }
    return true
  }

  private func change(_ body: (inout TextField) -> Void) {
    let (edits, changes) = (field.edits, field.changes)
    body(&field)
    if field.edits != edits { scheduleReload() } else if field.changes != changes { layer.setNeedsLayout() }
  }

  /// Completes the text to the common prefix of all matches, or to the selected entry if the common prefix is not
  /// longer than the text.
  private func complete() {
    guard let entry = chosenEntry ?? entries.first else { return }
    let completions = entries.map(\.completion).filter { $0.hasPrefix(field.text) && $0 != field.text }
    let common =
      commonCompletion ?? completions.dropFirst().reduce(completions.first ?? "") { $0.commonPrefix(with: $1) }
    write(common.count > field.count ? common : entry.completion)
  }

  override func handle(_ mouse: MouseEvent) {
    reloadIfBehind()
    if case .press = mouse.action, !message.isEmpty || !listLayer.presentedFrame().cells.contains(mouse.position) {
      return super.handle(mouse)
    }
    _ = handle(mouse, below: listLayer.presentedFrame().cells.row)
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

/// The selected entry in several rows, in lists whose entries may be longer than a row.
extension PromptScreen {
  /// The rows of the selected entry, or `nil` if the entry has only one row.
  var chosenRows: [Surface]? {
    guard let entry = chosenEntry, let lines = lines(of: entry) else { return nil }
    let (theme, marker) = (drawing.theme, context.appearance.symbols.marker)
    return lines.enumerated().map { number, line in
      var leftText = StyledText(number == 0 ? marker + " " : "  ", style: theme.bold(role))
      leftText.append(StyledText(line.runs))
      let rightText = number == 0 && !metrics.isNarrow ? entry.topRight : ""
      return drawing.lines.row(
        leftText, StyledText(rightText, style: theme[.quiet]), indent: PageDrawing.statusColumns,
        width: metrics.textWidth)
    }
  }

  /// The number of additional rows that the entry with the most lines needs when it is selected. They are reserved so
  /// that the list keeps its height.
  var spareRows: Int { (entries.compactMap { lines(of: $0)?.count }.max() ?? 1) - 1 }

  /// Returns the lines of an entry that does not fit in one row: the name, then the detail, and in a narrow terminal
  /// the text of the right end. Returns `nil` if the entry fits in one row or must be truncated.
  private func lines(of entry: Entry) -> [StyledLine]? {
    guard maximumChosenRows > 1 else { return nil }
    let (theme, availableColumns) = (drawing.theme, metrics.textWidth - PageDrawing.statusColumns)
    let rightColumns = entry.topRight.isEmpty ? 0 : entry.topRight.displayWidth + 2
    let detailColumns = entry.detail.isEmpty ? 0 : entry.detail.displayWidth + 2
    guard entry.name.displayWidth + detailColumns + rightColumns > availableColumns else { return nil }
    let nameLines = StyledText(entry.name, style: theme.bold(role)).wrapped(
      to: max(1, metrics.isNarrow ? availableColumns : availableColumns - rightColumns))
    let detailLines = [entry.detail, metrics.isNarrow ? entry.topRight : ""].filter { !$0.isEmpty }
      .flatMap { StyledText($0, style: theme[.quiet]).wrapped(to: max(1, availableColumns)) }
    var lines = Array((nameLines + detailLines).prefix(max(1, min(maximumChosenRows, greatestHeight - 1))))
    if let last = lines.last, lines.count < nameLines.count + detailLines.count {
      let ellipsis = StyledRun(drawing.symbols.ellipsis, style: last.runs.last?.style ?? .plain)
      lines[lines.count - 1] = StyledLine(
        last.truncated(to: availableColumns - 1, ellipsis: "").runs + [ellipsis])
    }
    return lines
  }
}
