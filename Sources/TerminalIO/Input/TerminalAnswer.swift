public import Pictures
public import TextCanvas

/// What a terminal says when it is asked something, told apart from what a person types.
public enum TerminalAnswer: Hashable, Sendable {
  /// It has read everything up to the question (`CSI 0 n`, the answer to `CSI 5 n`).
  case status
  /// It is a terminal with these features (`CSI ? … c`, the answer to `CSI c`).
  case attributes([Int])
  /// Where its cursor is, from 0 (`CSI row ; column R`, the answer to `CSI 6 n`). Row 0 cannot be told from F3.
  case cursor(CellPoint)
  /// How it stands with a private mode (`CSI ? mode ; setting $ y`, the answer to `CSI ? mode $ p`).
  case mode(Int, ModeSetting)
  /// The flags of the kitty keyboard protocol that are on (`CSI ? flags u`, the answer to `CSI ? u`).
  case keyboardFlags(Int)
  /// The colour of its page (`OSC 11 ; rgb:…`, the answer to `OSC 11 ; ?`).
  case background(Colour)
  /// Its name and version (`DCS > | … ST`, the answer to `CSI > q`); printable ASCII, at most 64 characters.
  case version(String)

  /// Whether it would show the picture of that number (`APC G i=…;OK ST`, the answer to `a=q`).
  case picture(UInt32, isShown: Bool)
  /// The pixels of a cell (`CSI 6 ; height ; width t`, the answer to `CSI 16 t`).
  case cell(CellPixels)

  /// Whether it answers a question that is waited for at the end: the others come before the one for the attributes.
  var isCounted: Bool {
    switch self {
    case .status, .attributes: true
    default: false
    }
  }

  /// How a terminal stands with a mode.
  ///
  /// Source: DEC VT510 reference, DECRPM.
  public enum ModeSetting: Int, Hashable, Sendable {
    /// It does not know the mode.
    case unknown = 0
    /// The mode is on.
    case set = 1
    /// The mode is off.
    case reset = 2
    /// The mode is on and cannot be changed.
    case permanentlySet = 3
    /// The mode is off and cannot be changed.
    case permanentlyReset = 4
  }
}

/// What the decoder makes of bytes.
public enum DecodedInput: Hashable, Sendable {
  /// Something a person did.
  case event(InputEvent)
  /// Something the terminal said.
  case answer(TerminalAnswer)
}
