public import TextCanvas

/// The options of a ``TerminalSession``.
public struct TerminalOptions: Hashable, Sendable {
  /// The colours to use; `nil` for those that the terminal shows.
  public var colourDepth: ColourDepth?
  /// Whether the terminal reports the mouse. Without it the terminal selects text as usual. `nil` reports it unless that
  /// delays the Escape key (GNU screen).
  public var usesMouse: Bool?
  /// Whether links are sent (OSC 8); `nil` if the terminal is known to show them.
  public var usesHyperlinks: Bool?
  /// Whether the terminal is queried for its image protocols.
  public var asksAboutPictures: Bool
  /// The title of the window while the session is open; `nil` leaves it unchanged. Control characters are made visible.
  public var title: String?
  /// The path of the file to which the session is recorded as asciicast v2; `nil` for no recording.
  public var recordingPath: String?
  /// How long the end of the session waits for replies of a terminal that has replied before.
  public var answerTimeout: Duration
  /// How long after the start the end of the session waits for the first replies. The default is a tenth of a second more
  /// than the delay of a line of one second.
  public var startTimeout: Duration

  /// Creates options; the defaults suit any terminal.
  public init(
    colourDepth: ColourDepth? = nil, usesMouse: Bool? = nil, usesHyperlinks: Bool? = nil,
    asksAboutPictures: Bool = false, title: String? = nil,
    recordingPath: String? = nil, answerTimeout: Duration = .seconds(2), startTimeout: Duration = .milliseconds(1100)
  ) {
    self.colourDepth = colourDepth
    self.usesMouse = usesMouse
    self.usesHyperlinks = usesHyperlinks
    self.asksAboutPictures = asksAboutPictures
    self.title = title
    self.recordingPath = recordingPath
    self.answerTimeout = answerTimeout
    self.startTimeout = startTimeout
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { self / .seconds(1) }
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

/// What a program sets up on a terminal, and how each of it is undone.
struct TerminalModes {
  /// One setting of the terminal: how it begins and how it ends.
  struct Mode {
    let begin: String
    let end: String
  }

  /// In the order of beginning; they end in the opposite order.
  private let modes: [Mode]

  /// Chooses the modes. To set up another, add it here: leaving undoes it on every way out.
  ///
  /// Sources: xterm, "XTerm Control Sequences" (private modes, window operations); kitty keyboard protocol, "Progressive
  /// enhancement"; the specifications of mode 2026 and of OSC 8.
  init(mouse: Bool, title: Bool) {
    var modes = [
      // The alternate screen, with the cursor's place kept (1049).
      Mode(begin: "\u{1B}[?1049h", end: "\u{1B}[?1049l"),
      // The title goes onto the terminal's stack of titles and comes back.
      title ? Mode(begin: "\u{1B}[22;0;0t", end: "\u{1B}[23;0;0t") : Mode(begin: "", end: ""),
      // ASCII as the character set, no insert mode, cursor addresses count from the corner, the whole screen scrolls,
      // a plain pen.
      Mode(begin: "\u{1B}(B\u{F}\u{1B}[4l\u{1B}[?6l\u{1B}[r\u{1B}[m", end: "\u{1B}[r\u{1B}[m"),
      // No cursor (25).
      Mode(begin: "\u{1B}[?25l", end: "\u{1B}[?25h"),
      // What is written in the last column stays there (7): nothing ever scrolls by itself.
      Mode(begin: "\u{1B}[?7l", end: "\u{1B}[?7h"),
      // Pastes come in brackets (2004), and the window tells when it gets and loses the keyboard (1004).
      Mode(begin: "\u{1B}[?2004h", end: "\u{1B}[?2004l"),
      Mode(begin: "\u{1B}[?1004h", end: "\u{1B}[?1004l"),
      // Keys that share bytes are told apart (flag 1). The stack belongs to the alternate screen.
      Mode(begin: "\u{1B}[>1u", end: "\u{1B}[<u"),
    ]
    if mouse {
      // Buttons, wheels and motion with a button held (1002), with coordinates of any size (1006).
      modes.append(Mode(begin: "\u{1B}[?1002h\u{1B}[?1006h", end: "\u{1B}[?1006l\u{1B}[?1002l"))
    }
    // No picture is held back (2026), no link is open (8).
    modes.append(Mode(begin: "", end: "\u{1B}[?2026l\u{1B}]8;;\u{1B}\\"))
    self.modes = modes
  }

  /// Sets everything up, and clears the alternate screen, which may still show what another program left there.
  func beginning(probe: String) -> [UInt8] {
    Array((modes.map(\.begin).joined() + probe + "\u{1B}[H\u{1B}[2J").utf8)
  }

  /// Undoes everything.
  var ending: [UInt8] { Array(modes.reversed().map(\.end).joined().utf8) }
}
