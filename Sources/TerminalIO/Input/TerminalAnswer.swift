package import Pictures
package import TextCanvas

/// What a terminal says when it is asked something, told apart from what a person types.
package enum TerminalAnswer: Hashable, Sendable {
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
  package enum ModeSetting: Int, Hashable, Sendable {
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
package enum DecodedInput: Hashable, Sendable {
  /// Something a person did.
  case event(InputEvent)
  /// Something the terminal said.
  case answer(TerminalAnswer)
}

extension TerminalAnswer {
  /// Reads an answer; nil where the sequence is none.
  init?(_ sequence: ControlSequence) {
    switch (sequence.mark, sequence.intermediates, sequence.final) {
    case (0, [], UInt8(ascii: "n")):
      // ECMA-48, 8.3.35 DSR: 0 ready, 3 malfunction.
      guard sequence.numbers.count == 1 else { return nil }
      self = .status
    case (UInt8(ascii: "?"), [], UInt8(ascii: "c")):
      // DEC VT510 reference, DA1.
      self = .attributes(sequence.numbers.map { max(0, $0[0]) })
    case (0, [], UInt8(ascii: "R")):
      // ECMA-48, 8.3.14 CPR. `CSI 1 ; 5 R` is F3 with Control, so the first row is never asked for.
      guard sequence.numbers.count == 2, sequence.number(0, default: 1) > 1 else { return nil }
      self = .cursor(
        CellPoint(
          column: max(0, sequence.number(1, default: 1) - 1), row: sequence.number(0, default: 1) - 1))
    case (UInt8(ascii: "?"), [UInt8(ascii: "$")], UInt8(ascii: "y")):
      // DEC VT510 reference, DECRPM.
      guard let setting = ModeSetting(rawValue: sequence.number(1, default: 0)) else { return nil }
      self = .mode(sequence.number(0, default: 0), setting)
    case (UInt8(ascii: "?"), [], UInt8(ascii: "u")):
      self = .keyboardFlags(sequence.number(0, default: 0))
    case (0, [], UInt8(ascii: "t")):
      // xterm, XTWINOPS: 6 is the size of a character in pixels.
      guard sequence.numbers.count == 3, sequence.number(0, default: 0) == 6 else { return nil }
      let (height, width) = (sequence.number(1, default: 0), sequence.number(2, default: 0))
      guard (1...999).contains(height), (1...999).contains(width) else { return nil }
      self = .cell(CellPixels(width: width, height: height))
    default: return nil
    }
  }

  /// Reads an answer that came as a string; nil where it is none.
  init?(string: [UInt8], opener: UInt8) {
    let text = String(decoding: string, as: UTF8.self)
    if opener == UInt8(ascii: "]"), text.hasPrefix("11;") {
      guard let colour = Colour(xParseColor: text.dropFirst(3)) else { return nil }
      self = .background(colour)
    } else if opener == UInt8(ascii: "P"), text.hasPrefix(">|") {
      // xterm, "XTVERSION".
      let printable = text.dropFirst(2).unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }.prefix(64)
      var name = String.UnicodeScalarView()
      name.append(contentsOf: printable)
      self = .version(String(name))
    } else if opener == UInt8(ascii: "_"), text.hasPrefix("G") {
      // kitty, "Terminal graphics protocol": keys, then OK or an error.
      let parts = text.dropFirst().split(separator: ";", maxSplits: 1)
      let number = parts.first?.split(separator: ",").first { $0.hasPrefix("i=") }?.dropFirst(2)
      guard parts.count == 2, let number = number.flatMap({ UInt32($0) }) else { return nil }
      self = .picture(number, isShown: parts[1] == "OK")
    } else {
      return nil
    }
  }
}

extension Colour {
  /// Reads `rgb:R/G/B` or `rgba:R/G/B/A` with one to four hexadecimal digits each.
  ///
  /// Source: Xlib, XParseColor, "RGB Device": a number of n digits counts in sixteenths to the power of n.
  init?(xParseColor text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
    let digits = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard digits.count == parts[0].count else { return nil }
    var values: [UInt8] = []
    for word in digits.prefix(3) {
      guard (1...4).contains(word.count), let value = UInt32(word, radix: 16) else { return nil }
      let highest = UInt32(1) << (4 * UInt32(word.count)) - 1
      values.append(UInt8((value * 255 + highest / 2) / highest))
    }
    self = .rgb(values[0], values[1], values[2])
  }
}
