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
