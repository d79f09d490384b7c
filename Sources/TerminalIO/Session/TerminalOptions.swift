public import TextCanvas

/// The options of a ``TerminalSession``.
public struct TerminalOptions: Hashable, Sendable {
  /// The colours to use, or `nil` to use those of the terminal.
  public var colourDepth: ColourDepth?
  /// Whether the terminal reports the mouse. Otherwise the mouse selects text as usual. If `nil`, the mouse is reported
  /// unless that would delay the Escape key (GNU screen).
  public var usesMouse: Bool?
  /// Whether links are sent (OSC 8). If `nil`, links are sent if the terminal is known to show them.
  public var usesHyperlinks: Bool?
  /// Whether the terminal is queried for its image protocols.
  public var queriesImageSupport: Bool
  /// The title of the window while the session is open, or `nil` to leave it unchanged. Control characters are replaced
  /// by visible ones.
  public var title: String?
  /// The path of a file to which the session is recorded as asciicast v2, or `nil` for no recording.
  public var recordingPath: String?
  /// The maximum time for which restoring the terminal waits for expected replies if the terminal has replied before.
  public var answerTimeout: Duration
  /// The time after the start of the session until which restoring the terminal waits for the first replies. With the
  /// defaults, a terminal that neither replies nor reads delays the end of the session by less than a second.
  public var startTimeout: Duration

  /// Creates options. The defaults suit any terminal.
  public init(
    colourDepth: ColourDepth? = nil, usesMouse: Bool? = nil, usesHyperlinks: Bool? = nil,
    queriesImageSupport: Bool = false, title: String? = nil,
    recordingPath: String? = nil, answerTimeout: Duration = .milliseconds(700),
    startTimeout: Duration = .milliseconds(700)
  ) {
    self.colourDepth = colourDepth
    self.usesMouse = usesMouse
    self.usesHyperlinks = usesHyperlinks
    self.queriesImageSupport = queriesImageSupport
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
  /// Returns the capabilities with the values that the options override.
  func following(_ options: TerminalOptions) -> Capabilities {
    var result = self
    if let depth = options.colourDepth { result.colourDepth = depth }
    if let links = options.usesHyperlinks { result.hasLinks = links }
    return result
  }
}

/// The modes that a session sets on a terminal, and their reversal.
struct TerminalModes {
  /// A mode of the terminal: the sequences that set and reset it.
  struct Mode {
    let begin: String
    let end: String
  }

  /// In the order in which they are set. They are reset in the opposite order.
  private let modes: [Mode]

  /// Selects the modes. A mode that is added here is reset whenever and however the session ends.
  ///
  /// Sources: xterm, "XTerm Control Sequences" (private modes, window operations); kitty keyboard protocol, "Progressive
  /// enhancement"; the specifications of mode 2026 and of OSC 8.
  init(mouse: Bool, title: Bool) {
    var modes = [
      // The alternate screen, with the cursor position saved (1049).
      Mode(begin: "\u{1B}[?1049h", end: "\u{1B}[?1049l"),
      // The title is pushed onto the terminal's stack of titles, and popped at the end.
      title ? Mode(begin: "\u{1B}[22;0;0t", end: "\u{1B}[23;0;0t") : Mode(begin: "", end: ""),
      // ASCII as the character set, no insert mode, absolute cursor positions, no scrolling region, the default pen.
      Mode(begin: "\u{1B}(B\u{F}\u{1B}[4l\u{1B}[?6l\u{1B}[r\u{1B}[m", end: "\u{1B}[r\u{1B}[m"),
      // No cursor (25).
      Mode(begin: "\u{1B}[?25l", end: "\u{1B}[?25h"),
      // No wrapping after the last column (7), so that the screen never scrolls by itself.
      Mode(begin: "\u{1B}[?7l", end: "\u{1B}[?7h"),
      // Bracketed paste (2004), and reports when the window gets or loses the focus (1004).
      Mode(begin: "\u{1B}[?2004h", end: "\u{1B}[?2004l"),
      Mode(begin: "\u{1B}[?1004h", end: "\u{1B}[?1004l"),
      // Distinct sequences for keys that otherwise send equal bytes (flag 1). The alternate screen has its own stack of
      // flags.
      Mode(begin: "\u{1B}[>1u", end: "\u{1B}[<u"),
    ]
    if mouse {
      // Reports of buttons, wheels and drags (1002), with coordinates of any size (1006).
      modes.append(Mode(begin: "\u{1B}[?1002h\u{1B}[?1006h", end: "\u{1B}[?1006l\u{1B}[?1002l"))
    }
    // Ends synchronized output (2026) and links (8).
    modes.append(Mode(begin: "", end: "\u{1B}[?2026l\u{1B}]8;;\u{1B}\\"))
    self.modes = modes
  }

  /// Returns the bytes that set all modes and clear the alternate screen, which may still show the output of another
  /// program.
  func beginning(probe: String) -> [UInt8] {
    Array((modes.map(\.begin).joined() + probe + "\u{1B}[H\u{1B}[2J").utf8)
  }

  /// The bytes that reset all modes.
  var ending: [UInt8] { Array(modes.reversed().map(\.end).joined().utf8) }
}
