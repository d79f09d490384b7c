import VTerm

/// A terminal emulator of another project (libvterm), which interprets the output of programs under test.
///
/// Feed it the output of a program, then read the cells that a user would see. Its responses, such as status reports
/// and device attributes, are collected in ``answers``.
///
/// libvterm 0.1.4 does not support synchronised output and the kitty keyboard protocol, and does not report private
/// modes. ``ModeWatcher`` adds these. Some text looks different from newer terminals: emoji families are six cells
/// wide, an emoji heart one and skin tones four; faint text looks normal.
public final class Emulator {
  private let terminal: OpaquePointer
  private let display: OpaquePointer
  private var watcher: ModeWatcher

  /// The number of columns.
  public private(set) var columns: Int
  /// The number of rows.
  public private(set) var rows: Int
  /// The terminal's responses to queries, oldest first.
  public private(set) var answers: [UInt8] = []
  /// The last title that was set.
  public private(set) var title = ""
  /// Whether the alternate screen is displayed.
  public private(set) var showsAlternateScreen = false
  /// Whether the cursor is visible.
  public private(set) var showsCursor = true
  /// The number of bell characters.
  public private(set) var bells = 0
  /// The cached text of the rows, or `nil` if the screen may have changed since it was read.
  private var known: String?

  /// Creates an empty terminal.
  ///
  /// - Parameter personality: The capabilities that the terminal reports, in addition to those of libvterm.
  public init(columns: Int, rows: Int, personality: Personality = .modern) {
    self.columns = columns
    self.rows = rows
    watcher = ModeWatcher(personality: personality)
    terminal = vterm_new(Int32(rows), Int32(columns))
    vterm_set_utf8(terminal, 1)
    display = vterm_obtain_screen(terminal)
    vterm_screen_enable_altscreen(display, 1)
    let user = Unmanaged.passUnretained(self).toOpaque()
    vterm_output_set_callback(
      terminal,
      { bytes, count, user in
        guard let bytes, let user else { return }
        let emulator = Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue()
        bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
          emulator.answers.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
      }, user)
    vterm_screen_set_callbacks(display, Emulator.callbacks, user)
    vterm_screen_reset(display, 1)
  }

  deinit { vterm_free(terminal) }

  // libvterm keeps the pointer, so the table must live as long as the process. `nonisolated(unsafe)` is safe, since the
  // table is only written before its first use.
  private nonisolated(unsafe) static let callbacks: UnsafePointer<VTermScreenCallbacks> = {
    let table = UnsafeMutablePointer<VTermScreenCallbacks>.allocate(capacity: 1)
    table.initialize(to: VTermScreenCallbacks())
    table.pointee.settermprop = { property, value, user in
      guard let value, let user else { return 0 }
      Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue().set(property, to: value.pointee)
      return 1
    }
    table.pointee.bell = { user in
      guard let user else { return 0 }
      Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue().bells += 1
      return 1
    }
    return UnsafePointer(table)
  }()

  private func set(_ property: VTermProp, to value: VTermValue) {
    switch property {
    case VTERM_PROP_ALTSCREEN: showsAlternateScreen = value.boolean != 0
    case VTERM_PROP_CURSORVISIBLE: showsCursor = value.boolean != 0
    case VTERM_PROP_TITLE: title = value.string.map { String(cString: $0) } ?? ""
    default: break
    }
  }

  // MARK: - Output of the program

  /// Processes output bytes of a program.
  public func feed(_ bytes: some Sequence<UInt8>) {
    known = nil
    let before = answers
    // Each sequence is examined when it ends, so that responses have the order of the queries.
    for segment in watcher.split(Array(bytes)) {
      if !segment.bytes.isEmpty {
        segment.bytes.withUnsafeBufferPointer { buffer in
          buffer.withMemoryRebound(to: CChar.self) { _ = vterm_input_write(terminal, $0.baseAddress, $0.count) }
        }
      }
      answers.append(contentsOf: segment.answer)
    }
    if !watcher.personality.answers { answers = before }
  }

  /// Processes an output text of a program.
  public func feed(_ text: String) { feed(text.utf8) }

  /// Removes and returns the pending responses, oldest first.
  public func takeAnswers() -> [UInt8] {
    defer { answers.removeAll() }
    return answers
  }

  /// The private modes (`CSI ? n h`) that are set.
  public var privateModes: Set<Int> { watcher.privateModes }

  /// The stack of kitty keyboard flags, lowest first. Empty if no flags were pushed.
  public var keyboardFlags: [Int] { watcher.keyboardFlags }
  /// Changes the size of the terminal, like a user who resizes its window.
  public func resize(columns: Int, rows: Int) {
    (self.columns, self.rows, known) = (columns, rows, nil)
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  // MARK: - User input

  func press(_ key: VTermKey, _ modifiers: VTermModifier) {
    vterm_keyboard_key(terminal, key, modifiers)
  }

  /// Moves the mouse to a cell, counted from 0. If a button is given, presses or releases it.
  public func mouse(column: Int, row: Int, button: Int? = nil, down: Bool = true) {
    vterm_mouse_move(terminal, Int32(row), Int32(column), VTERM_MOD_NONE)
    if let button { vterm_mouse_button(terminal, Int32(button), down, VTERM_MOD_NONE) }
  }

  /// Pastes text, as a bracketed paste if the program has enabled it.
  public func paste(_ text: String) {
    vterm_keyboard_start_paste(terminal)
    answers.append(contentsOf: text.utf8)
    vterm_keyboard_end_paste(terminal)
  }

  // MARK: - Visible content

  /// Returns the content of a cell. The right half of a wide character is `ShownCell.continuation`.
  public func cell(column: Int, row: Int) -> ShownCell {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(display, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    return ShownCell(cell)
  }

  /// Returns the cells of a row from left to right, one for each column.
  public func cells(row: Int) -> [ShownCell] {
    var cells: [ShownCell] = []
    cells.reserveCapacity(columns)
    while cells.count < columns {
      let next = cell(column: cells.count, row: row)
      cells.append(next)
      for _ in 1..<max(1, next.width) where cells.count < columns { cells.append(.continuation) }
    }
    return cells
  }

  /// The rows as text, each as wide as the terminal.
  public var lines: [String] {
    (0..<rows).map { row in cells(row: row).map(\.text).joined() }
  }

  /// The rows as text without trailing blanks, joined by line feeds.
  ///
  /// The text is cached until new output arrives, since tests that wait for a text read it often.
  public var text: String {
    if let known { return known }
    let text = readText()
    known = text
    return text
  }

  private func readText() -> String {
    // A cell has up to six characters of four bytes.
    let capacity = 24 * columns
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { bytes in
      (0..<rows).map { row in
        let line = VTermRect(start_row: Int32(row), end_row: Int32(row) + 1, start_col: 0, end_col: Int32(columns))
        var count = min(vterm_screen_get_text(display, bytes.baseAddress, capacity, line), capacity)
        while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
        return String(decoding: UnsafeRawBufferPointer(bytes).prefix(count), as: UTF8.self)
      }.joined(separator: "\n")
    }
  }
}
