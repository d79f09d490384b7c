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
