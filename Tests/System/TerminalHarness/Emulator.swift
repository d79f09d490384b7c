import VTerm

/// A terminal emulator that this project did not write (libvterm): the judge of the bytes we send.
///
/// Feed it what a program wrote and read off what a person would see. What it would answer (status reports, device
/// attributes) collects in `answers`.
///
/// What libvterm 0.1.4 does not know, and ``ModeWatcher`` therefore watches: synchronized output, the kitty keyboard
/// protocol, and which private modes are on. What it draws differently from newer terminals: emoji families are six
/// cells wide, an emoji heart one, skin tones four; faint text looks like normal text.
public final class Emulator {
  private let terminal: OpaquePointer
  private let display: OpaquePointer
  private var watcher: ModeWatcher

  /// Columns of the terminal.
  public private(set) var columns: Int
  /// Rows of the terminal.
  public private(set) var rows: Int
  /// Bytes the terminal would have typed in answer to queries, oldest first.
  public private(set) var answers: [UInt8] = []
  /// The last title that was set.
  public private(set) var title = ""
  /// Whether the alternate screen is on show.
  public private(set) var showsAlternateScreen = false
  /// Whether the cursor can be seen.
  public private(set) var showsCursor = true
  /// How often the bell rang.
  public private(set) var bells = 0
  /// What the rows say, where it was read since something came last.
  private var known: String?

  /// Makes an empty terminal.
  ///
  /// - Parameter personality: What the terminal answers beyond libvterm's own answers.
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

  // libvterm keeps the pointer, so the table must live as long as the process.
  // nonisolated(unsafe): written once, before anything reads it, and never again.
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

  // MARK: What a program writes

  /// Lets the terminal read these bytes.
  public func feed(_ bytes: some Sequence<UInt8>) {
    known = nil
    let before = answers
    // The watcher looks at each sequence as it ends, so that answers come in the order of the questions.
    for piece in watcher.split(Array(bytes)) {
      if !piece.bytes.isEmpty {
        piece.bytes.withUnsafeBufferPointer { buffer in
          buffer.withMemoryRebound(to: CChar.self) { _ = vterm_input_write(terminal, $0.baseAddress, $0.count) }
        }
      }
      answers.append(contentsOf: piece.answer)
    }
    if !watcher.personality.answers { answers = before }
  }

  /// Lets the terminal read this text.
  public func feed(_ text: String) { feed(text.utf8) }

  /// Takes the answers out, oldest first.
  public func takeAnswers() -> [UInt8] {
    defer { answers.removeAll() }
    return answers
  }

  /// The private modes (`CSI ? n h`) that are on.
  public var privateModes: Set<Int> { watcher.privateModes }

  /// The stack of kitty keyboard flags, lowest first; empty when nothing was pushed.
  public var keyboardFlags: [Int] { watcher.keyboardFlags }
  /// The colour that the page was given last (OSC 11), as it was written; nil where it has the terminal's own.
  public var paintedPage: String? { watcher.paintedPage }

  /// Gives the terminal another size, as dragging its window would.
  public func resize(columns: Int, rows: Int) {
    (self.columns, self.rows, known) = (columns, rows, nil)
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  // MARK: What a person does

  func press(_ key: VTermKey, _ modifiers: VTermModifier) {
    vterm_keyboard_key(terminal, key, modifiers)
  }

  /// Moves the mouse to a cell (from 0) and, with a button, presses or lets go of it.
  public func mouse(column: Int, row: Int, button: Int? = nil, down: Bool = true) {
    vterm_mouse_move(terminal, Int32(row), Int32(column), VTERM_MOD_NONE)
    if let button { vterm_mouse_button(terminal, Int32(button), down, VTERM_MOD_NONE) }
  }

  /// Pastes text, in brackets when the program asked for them.
  public func paste(_ text: String) {
    vterm_keyboard_start_paste(terminal)
    answers.append(contentsOf: text.utf8)
    vterm_keyboard_end_paste(terminal)
  }

  // MARK: What a person sees

  /// What one cell shows. The right half of a wide character is `ShownCell.continuation`.
  public func cell(column: Int, row: Int) -> ShownCell {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(display, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    return ShownCell(cell)
  }

  /// The cells of a row, left to right, one for each column.
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
  /// It is read anew only when something has come: waiting for a text asks often.
  public var text: String {
    if let known { return known }
    let text = readText()
    known = text
    return text
  }

  private func readText() -> String {
    // Six characters of four bytes in each cell.
    let room = 24 * columns
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { bytes in
      (0..<rows).map { row in
        let line = VTermRect(start_row: Int32(row), end_row: Int32(row) + 1, start_col: 0, end_col: Int32(columns))
        var count = min(vterm_screen_get_text(display, bytes.baseAddress, room, line), room)
        while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
        return String(decoding: UnsafeRawBufferPointer(bytes).prefix(count), as: UTF8.self)
      }.joined(separator: "\n")
    }
  }
}
