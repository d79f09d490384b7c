import CoursePages
import ScreenKit
import TextCanvas

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
    case (.backspace, []) where query.isEmpty: shell.selectTab(0)
    case (.escape, _): shell.selectTab(0)
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
    case _ where notesBeside > 0 && key.label(drawing.symbols) == shell.label(of: .notes): shell.showNotes()
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
