/// An input event of a terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed, repeated or released.
  case key(KeyEvent)
  /// A mouse button, a movement of the mouse, or its wheel.
  case mouse(MouseEvent)
  /// Pasted text, which can contain line breaks and control characters.
  case paste(String)
  /// The window of the terminal got (`true`) or lost (`false`) the keyboard focus.
  case focus(Bool)
  /// The size of the terminal has changed.
  case resize(CellSize)
}

/// The modifier keys that are pressed together with a key or mouse button.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of the set, numbered as in the kitty keyboard protocol.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift. Not reported with a character that already depends on it.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Alt or Option.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Control.
  public static let control = KeyModifiers(rawValue: 4)
  /// Super, Windows or Command.
  public static let command = KeyModifiers(rawValue: 8)
}

/// A key that was pressed, repeated or released.
public struct KeyEvent: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// The modifiers that were pressed with it.
  public var modifiers: KeyModifiers
  /// The phase of the event. Many terminals report only ``Phase/press``.
  public var phase: Phase

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - modifiers: The modifiers that were pressed with it.
  ///   - phase: The phase of the event.
  public init(_ key: Key, modifiers: KeyModifiers = [], phase: Phase = .press) {
    self.key = key
    self.modifiers = modifiers
    self.phase = phase
  }

  /// The phase of a key event.
  public enum Phase: Hashable, Sendable {
    /// The key was pressed.
    case press
    /// The key is held and repeats.
    case `repeat`
    /// The key was released.
    case release
  }
}

extension KeyEvent {
  /// Whether the key is Ctrl-C, which quits from any screen. A terminal multiplexer can report Escape and a Ctrl-C
  /// directly after it as Alt-Ctrl-C, so Alt is ignored.
  package var isInterrupt: Bool {
    phase != .release && key == .character("c") && modifiers.subtracting(.alt) == .control
  }
}

/// A key of a keyboard.
public enum Key: Hashable, Sendable {
  /// A key that types a character. With Shift, the character is the shifted one.
  case character(Character)
  /// Enter or Return, including that of the keypad.
  case enter
  /// Tab. Shift-Tab has the modifier ``KeyModifiers/shift``.
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
  /// Delete, which removes the next character.
  case delete
  /// A function key, from 1 to 35.
  case function(Int)
}

/// An action of the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// The action.
  public var action: Action
  /// The cell under the pointer.
  public var position: CellPoint
  /// The modifiers that were pressed with it.
  public var modifiers: KeyModifiers

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - position: The cell under the pointer.
  ///   - modifiers: The modifiers that were pressed with it.
  public init(_ action: Action, at position: CellPoint, modifiers: KeyModifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }

  /// The actions of a mouse.
  public enum Action: Hashable, Sendable {
    /// A button was pressed.
    case press(Button)
    /// A button was released.
    case release(Button)
    /// The mouse moved while a button was pressed.
    case drag(Button)
    /// The mouse moved while no button was pressed.
    case move
    /// The wheel was turned by a number of steps: columns to the right, rows downwards (towards the end of a text).
    case scroll(columns: Int, rows: Int)
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// The left button.
    case left
    /// The middle button or the pressed wheel.
    case middle
    /// The right button.
    case right
    /// The thumb button for going back (8 in the numbers of terminals).
    case back
    /// The thumb button for going forward (9 in the numbers of terminals).
    case forward
    /// Another button, with its number in terminals.
    case other(Int)
  }
}
