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
