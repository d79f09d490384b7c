public import TextCanvas

/// What a program wishes of a terminal.
public struct TerminalOptions: Hashable, Sendable {
  /// The colours to use; nil for what the terminal shows.
  public var colourDepth: ColourDepth?
  /// Whether the mouse is wanted; nil for where no key hangs on it. Without it the terminal selects text as usual.
  public var usesMouse: Bool?
  /// Whether links are sent (OSC 8); nil for where the terminal is known to show them.
  public var usesHyperlinks: Bool?
  /// Whether the terminal is asked what it can do with pictures.
  public var asksAboutPictures: Bool
  /// The title of the window while the session is open; nil leaves it alone. Shown harmless.
  public var title: String?
  /// The path of a file that the session is recorded to, as asciicast; nil for none.
  public var recordingPath: String?
  /// Seconds for which the end of the session waits for answers of a terminal that has answered before.
  public var answerPatience: Double
  /// Seconds after the start until which the end of the session waits for the first answers. The default has a tenth more
  /// than a second, so that answers over a line with a delay of one second still count.
  public var startPatience: Double

  /// Makes a set of wishes.
  public init(
    colourDepth: ColourDepth? = nil, usesMouse: Bool? = nil, usesHyperlinks: Bool? = nil,
    asksAboutPictures: Bool = false, title: String? = nil,
    recordingPath: String? = nil, answerPatience: Double = 2, startPatience: Double = 1.1
  ) {
    self.colourDepth = colourDepth
    self.usesMouse = usesMouse
    self.usesHyperlinks = usesHyperlinks
    self.asksAboutPictures = asksAboutPictures
    self.title = title
    self.recordingPath = recordingPath
    self.answerPatience = answerPatience
    self.startPatience = startPatience
  }
}

extension Capabilities {
  /// What is known about the terminal, and beside that what the program wishes to be believed.
  func following(_ options: TerminalOptions) -> Capabilities {
    var result = self
    if let depth = options.colourDepth { result.colourDepth = depth }
    if let links = options.usesHyperlinks { result.hasLinks = links }
    return result
  }
}
