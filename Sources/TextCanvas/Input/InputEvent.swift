/// Something that happened at the terminal, as a text screen receives it.
public enum InputEvent: Hashable, Sendable {
  /// A key.
  case key(KeyEvent)
  /// The mouse.
  case mouse(MouseEvent)
  /// Text that was pasted; it may hold anything, line breaks and control characters too.
  case paste(String)
  /// Whether the terminal's window has the keyboard now.
  case focus(Bool)
  /// The terminal has another size now.
  case resize(CellSize)
}

/// The keys held down beside another key or a mouse button.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// One bit for each, as the kitty keyboard protocol numbers them.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift; not reported with a character that already shows it.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Alt, or Option.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Control.
  public static let control = KeyModifiers(rawValue: 4)
  /// Super, Windows or Command.
  public static let command = KeyModifiers(rawValue: 8)
}

/// A key that went down, stays down, or came up.
public struct KeyEvent: Hashable, Sendable {
  /// Which key.
  public var key: Key
  /// What was held with it.
  public var modifiers: KeyModifiers
  /// What it did; terminals that tell only of presses send only presses.
  public var phase: Phase

  /// Makes an event.
  public init(_ key: Key, modifiers: KeyModifiers = [], phase: Phase = .press) {
    self.key = key
    self.modifiers = modifiers
    self.phase = phase
  }

  /// What a key did.
  public enum Phase: Hashable, Sendable {
    /// It went down.
    case press
    /// It is held and repeats itself.
    case `repeat`
    /// It came up.
    case release
  }
}

extension KeyEvent {
  /// Whether it is Ctrl-C, which leaves from anywhere. An Escape that came just before the key may have become Alt, as a
  /// multiplexer puts the two together.
  package var isInterrupt: Bool {
    phase != .release && key == .character("c") && modifiers.subtracting(.alt) == .control
  }
}

/// A key of a keyboard.
public enum Key: Hashable, Sendable {
  /// A key that writes; the character is the one it writes, with Shift where that is held.
  case character(Character)
  /// Enter or Return, also that of the keypad.
  case enter
  /// Tab; Shift and Tab together are `tab` with the modifier `shift`.
  case tab
  /// Backspace.
  case backspace
  /// Escape.
  case escape
  /// Cursor up.
  case up
  /// Cursor down.
  case down
  /// Cursor left.
  case left
  /// Cursor right.
  case right
  /// Home.
  case home
  /// End.
  case end
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Insert.
  case insert
  /// Delete, forwards.
  case delete
  /// A function key, 1 to 35.
  case function(Int)
}

/// Something the mouse did.
public struct MouseEvent: Hashable, Sendable {
  /// What it did.
  public var action: Action
  /// The cell it was over.
  public var position: CellPoint
  /// The keys held with it.
  public var modifiers: KeyModifiers

  /// Makes an event.
  public init(_ action: Action, at position: CellPoint, modifiers: KeyModifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }

  /// What the mouse did.
  public enum Action: Hashable, Sendable {
    /// A button went down.
    case press(Button)
    /// A button came up.
    case release(Button)
    /// It moved with a button held.
    case drag(Button)
    /// It moved with no button held.
    case move
    /// A wheel turned by steps: columns grow to the right, rows grow down (towards the end of a text).
    case scroll(columns: Int, rows: Int)
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The first.
    case left
    /// The wheel pressed, or the middle button.
    case middle
    /// The second.
    case right
    /// The thumb's button that goes back (8 in a terminal's numbers).
    case back
    /// The thumb's button that goes forward (9 in a terminal's numbers).
    case forward
    /// Any other, by a terminal's number.
    case other(Int)
  }
}
