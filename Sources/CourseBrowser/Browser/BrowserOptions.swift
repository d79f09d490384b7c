public import ScreenKit
public import TextCanvas

/// What somebody asks of the browser: flags, then the environment, then the settings file, then these defaults.
public struct BrowserOptions: Sendable {
  /// How much moves.
  public var motion = MotionPreference.full
  /// Frames a second at most, 1…240.
  public var frameRate = 60
  /// How much colour; `nil` asks the terminal.
  public var colourDepth: ColourDepth?
  /// Dark or light; `nil` asks the terminal.
  public var tone: PageTone?
  /// Signs for every terminal; `nil` goes by the locale.
  public var usesAscii: Bool?
  /// Whether the mouse is taken; `nil` leaves it alone where Escape would hang on it.
  public var usesMouse: Bool?
  /// Whether the terminal is told where links lead (OSC 8); `nil` for where it is known to show them.
  public var usesHyperlinks: Bool?
  /// Cards or rows, where there is room for both; `nil` lets the room decide.
  public var layout: ListGeometry.Layout?
  /// Which key means what.
  var keys = KeyBindings()
  /// A file to record the session into, as asciicast v2.
  public var recordingPath: String?

  /// The defaults.
  public init() {}
}
