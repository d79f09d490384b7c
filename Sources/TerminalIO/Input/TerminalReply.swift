package import Images
package import TextCanvas

/// A reply of a terminal to a query.
package enum TerminalReply: Hashable, Sendable {
  /// The terminal has read everything up to the query (`CSI 0 n`, the reply to `CSI 5 n`).
  case status
  /// The features of the terminal (`CSI ? … c`, the reply to `CSI c`).
  case attributes([Int])
  /// The zero-based position of the cursor (`CSI row ; column R`, the reply to `CSI 6 n`). In row 0, xterm sends the
  /// same for F3 with Shift, Alt or Control, which is therefore never decoded as a key.
  case cursor(CellPoint)
  /// The setting of a private mode (`CSI ? mode ; setting $ y`, the reply to `CSI ? mode $ p`).
  case mode(Int, ModeSetting)
  /// The active flags of the kitty keyboard protocol (`CSI ? flags u`, the reply to `CSI ? u`).
  case keyboardFlags(Int)
  /// The background colour of the terminal (`OSC 11 ; rgb:…`, the reply to `OSC 11 ; ?`).
  case background(Colour)
  /// The name and version of the terminal (`DCS > | … ST`, the reply to `CSI > q`), as printable ASCII of at most 64
  /// characters.
  case version(String)

  /// Whether the terminal can show the image with this number (`APC G i=…;OK ST`, the reply to `a=q`).
  case image(UInt32, isShown: Bool)
  /// The size of a cell in pixels (`CSI 6 ; height ; width t`, the reply to `CSI 16 t`).
  case cell(CellPixels)

  /// Whether the session waits for this reply before it ends. All other initial queries are sent before the one for the
  /// features, so its reply comes last.
  var isCounted: Bool {
    switch self {
    case .status, .attributes: true
    default: false
    }
  }

  /// The setting of a mode.
  ///
  /// Source: DEC VT510 reference, DECRPM.
  package enum ModeSetting: Int, Hashable, Sendable {
    /// The terminal does not support the mode.
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

/// A result of the decoder.
package enum DecodedInput: Hashable, Sendable {
  /// Input from the user.
  case event(InputEvent)
  /// A reply of the terminal.
  case answer(TerminalReply)
}

extension TerminalReply {
  /// Interprets a sequence as a reply. Returns `nil` if it is not one.
  init?(_ sequence: ControlSequence) {
    switch (sequence.privateMarker, sequence.intermediates, sequence.final) {
    case (0, [], UInt8(ascii: "n")):
      // ECMA-48, 8.3.35 DSR: 0 ready, 3 malfunction.
      guard sequence.numbers.count == 1 else { return nil }
      self = .status
    case (UInt8(ascii: "?"), [], UInt8(ascii: "c")):
      // DEC VT510 reference, DA1.
      self = .attributes(sequence.numbers.map { max(0, $0[0]) })
    case (0, [], UInt8(ascii: "R")):
      // ECMA-48, 8.3.14 CPR.
      guard sequence.numbers.count == 2 else { return nil }
      self = .cursor(
        CellPoint(
          column: max(0, sequence.number(1, default: 1) - 1), row: max(0, sequence.number(0, default: 1) - 1)))
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

  /// Interprets a string as a reply. Returns `nil` if it is not one.
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
      // kitty, "Terminal graphics protocol": keys, followed by OK or an error.
      let components = text.dropFirst().split(separator: ";", maxSplits: 1)
      let number = components.first?.split(separator: ",").first { $0.hasPrefix("i=") }?.dropFirst(2)
      guard components.count == 2, let number = number.flatMap({ UInt32($0) }) else { return nil }
      self = .image(number, isShown: components[1] == "OK")
    } else {
      return nil
    }
  }
}

extension Colour {
  /// Parses `rgb:R/G/B` or `rgba:R/G/B/A` with one to four hexadecimal digits each.
  ///
  /// Source: Xlib, XParseColor, "RGB Device": the maximum of a number with n digits is 16 to the power of n, minus 1.
  init?(xParseColor text: some StringProtocol) {
    let components = text.split(separator: ":", maxSplits: 1)
    guard components.count == 2, components[0] == "rgb" || components[0] == "rgba" else { return nil }
    let digits = components[1].split(separator: "/", omittingEmptySubsequences: false)
    guard digits.count == components[0].count else { return nil }
    var values: [UInt8] = []
    for channel in digits.prefix(3) {
      guard (1...4).contains(channel.count), let value = UInt32(channel, radix: 16) else { return nil }
      let highest = UInt32(1) << (4 * UInt32(channel.count)) - 1
      values.append(UInt8((value * 255 + highest / 2) / highest))
    }
    self = .rgb(values[0], values[1], values[2])
  }
}
