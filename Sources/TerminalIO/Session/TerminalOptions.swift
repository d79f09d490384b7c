public import TextCanvas

/// What a program wishes of a terminal.
public struct TerminalOptions: Hashable, Sendable {
  /// The colours to use; nil for what the terminal shows.
  public var colourDepth: ColourDepth?
  /// Whether the mouse is wanted. Without it the terminal selects text with the mouse as usual.
  public var usesMouse: Bool
  /// The title of the window while the session is open; nil leaves it alone. Shown harmless.
  public var title: String?
  /// The path of a file that the session is recorded to, as asciicast; nil for none.
  public var recordingPath: String?

  /// Makes a set of wishes.
  public init(
    colourDepth: ColourDepth? = nil, usesMouse: Bool = true, title: String? = nil, recordingPath: String? = nil
  ) {
    self.colourDepth = colourDepth
    self.usesMouse = usesMouse
    self.title = title
    self.recordingPath = recordingPath
  }
}
