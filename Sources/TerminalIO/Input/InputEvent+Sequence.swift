import TextCanvas

extension InputEvent {
  /// Interprets a sequence as a key, mouse report or change of focus. Returns `nil` if it is none of these.
  init?(_ sequence: ControlSequence, _ alt: KeyModifiers) {
    switch (sequence.privateMarker, sequence.final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      guard let event = MouseEvent(sequence) else { return nil }
      self = .mouse(event)
    case (0, UInt8(ascii: "I")) where sequence.numbers.isEmpty: self = .focus(true)
    case (0, UInt8(ascii: "O")) where sequence.numbers.isEmpty: self = .focus(false)
    // An invalid cursor position, see ``TerminalReply/cursor(_:)``.
    case (0, UInt8(ascii: "R")) where !sequence.numbers.isEmpty: return nil
    case (0, _):
      guard var event = KeyEvent(sequence) else { return nil }
      event.modifiers.formUnion(alt)
      self = .key(event)
    default: return nil
    }
  }
}

extension KeyEvent {
  fileprivate init?(_ sequence: ControlSequence) {
    guard sequence.intermediates.isEmpty else { return nil }
    let modifiers = KeyModifiers(parameter: sequence.number(1, default: 1))
    switch sequence.final {
    case UInt8(ascii: "u"): self.init(kitty: sequence, modifiers)
    case UInt8(ascii: "Z"): self.init(.tab, modifiers: modifiers.union(.shift))
    case UInt8(ascii: "~"):
      let number = sequence.number(0, default: 0)
      if number == 27, let code = sequence.subnumber(2, 0) {
        // xterm, "modifyOtherKeys": CSI 27 ; modifiers ; code ~.
        self.init(code: code, shifted: nil, modifiers)
      } else if let key = InputTables.numberedKeys[number] {
        self.init(key, modifiers: modifiers)
      } else {
        return nil
      }
    default:
      guard let key = InputTables.sequenceKeys[sequence.final] else { return nil }
      self.init(key, modifiers: modifiers)
    }
    phase = sequence.phase
  }

  /// Interprets `CSI code : shifted ; modifiers : event u`. Source: kitty keyboard protocol, "An overview".
  private init?(kitty sequence: ControlSequence, _ modifiers: KeyModifiers) {
    guard let code = sequence.subnumber(0, 0) else { return nil }
    self.init(code: code, shifted: sequence.subnumber(0, 1), modifiers)
  }

  /// Creates the event of a key from its code point and, if known, from the code point that it types with Shift.
  private init?(code: Int, shifted: Int?, _ modifiers: KeyModifiers) {
    if let key = InputTables.kittyKeys[code] {
      self.init(key, modifiers: modifiers)
      return
    }
    // Control characters are not text. From 57344 to 63743, kitty reports its other keys (Shift alone, media).
    guard let scalar = Unicode.Scalar(UInt32(code)), code >= 0x20, !(0x7F...0x9F).contains(code),
      !(57344...63743).contains(code)
    else { return nil }
    var character = Character(scalar)
    var modifiers = modifiers
    if modifiers.contains(.shift) {
      // Shift is not reported for a character that implies it.
      let upper =
        shifted.flatMap { UInt32(exactly: $0).flatMap(Unicode.Scalar.init) }.map(Character.init)
        ?? Character(
          scalar.properties.uppercaseMapping.count == 1 ? scalar.properties.uppercaseMapping : String(scalar))
      if upper != character { modifiers.remove(.shift) }
      character = upper
    }
    self.init(.character(character), modifiers: modifiers)
  }
}

extension ControlSequence {
  /// Whether the key was pressed, repeated or released: the sub-parameter of the modifiers. Source: kitty keyboard
  /// protocol, "Event types".
  fileprivate var phase: KeyEvent.Phase {
    switch subnumber(1, 1) {
    case 2: .repeat
    case 3: .release
    default: .press
    }
  }
}

extension MouseEvent {
  /// Interprets `CSI < bits ; column ; row M`, or `m` for a released button. Source: xterm, "Extended coordinates", SGR
  /// (1006).
  fileprivate init?(_ sequence: ControlSequence) {
    guard sequence.numbers.count == 3 else { return nil }
    self.init(
      bits: sequence.number(0, default: 0), column: sequence.number(1, default: 1) - 1,
      row: sequence.number(2, default: 1) - 1, isUp: sequence.final == UInt8(ascii: "m"))
  }

  /// Interprets the three bytes after `CSI M`, to each of which 32 was added. Source: xterm, "Normal tracking mode".
  init?(oldReport bytes: [UInt8]) {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let bits = Int(bytes[0]) - 32
    // This format does not contain the released button. In practice it is the left one.
    let isUp = bits & 0b1110_0011 == 3
    self.init(
      bits: isUp ? bits & ~3 : bits, column: Int(bytes[1]) - 33, row: Int(bytes[2]) - 33, isUp: isUp)
  }

  /// Creates a mouse event. Bits 0, 1, 6 and 7 are the button, 2 is Shift, 3 Alt, 4 Control, 5 motion. Source: xterm,
  /// "Mouse Tracking".
  private init?(bits: Int, column: Int, row: Int, isUp: Bool) {
    var modifiers: KeyModifiers = []
    if bits & 4 != 0 { modifiers.insert(.shift) }
    if bits & 8 != 0 { modifiers.insert(.alt) }
    if bits & 16 != 0 { modifiers.insert(.control) }
    let number = bits & 3
    let action: Action
    switch bits & 0xC0 {
    case 0x40:
      // The wheel: up, down, left, right. Its release has no meaning.
      guard !isUp else { return nil }
      action =
        [
          .scroll(columns: 0, rows: -1), .scroll(columns: 0, rows: 1),
          .scroll(columns: -1, rows: 0), .scroll(columns: 1, rows: 0),
        ][number]
    case 0 where number == 3:
      guard bits & 32 != 0 else { return nil }
      action = .move
    case let group:
      let button: Button =
        switch (group, number) {
        case (0, 0): .left
        case (0, 1): .middle
        case (0, _): .right
        case (0x80, 0): .back
        case (0x80, 1): .forward
        default: .other((group == 0x80 ? 8 : 12) + number)
        }
      action = isUp ? .release(button) : bits & 32 != 0 ? .drag(button) : .press(button)
    }
    self.init(action, at: CellPoint(column: max(0, column), row: max(0, row)), modifiers: modifiers)
  }
}

/// The byte sequences of keys. To add a key, add a row to the table of its format.
enum InputTables {
  /// `CSI … letter`. Source: xterm, "PC-Style Function Keys". Z is Shift-Tab, E the centre of the keypad.
  static let sequenceKeys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  /// `CSI number ~`. Source: xterm, "PC-Style Function Keys" and "VT220-Style Function Keys". 7 and 8 are those of
  /// rxvt.
  static let numberedKeys: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// `SS3 letter`. Source: xterm, "PC-Style Function Keys" (application cursor keys) and "VT220-Style" (the keypad).
  static let singleShiftKeys: [UInt8: Key] = {
    var keys = sequenceKeys
    keys[UInt8(ascii: "M")] = .enter
    keys[UInt8(ascii: "I")] = .tab
    keys[UInt8(ascii: " ")] = .character(" ")
    keys[UInt8(ascii: "X")] = .character("=")
    for (letter, character) in zip(UInt8(ascii: "j")...UInt8(ascii: "y"), "*+,-./0123456789") {
      keys[letter] = .character(character)
    }
    return keys
  }()

  /// `CSI [ letter`. Source: Linux, console_codes(4) and its default key map.
  static let consoleKeys: [UInt8: Key] = [
    UInt8(ascii: "A"): .function(1), UInt8(ascii: "B"): .function(2), UInt8(ascii: "C"): .function(3),
    UInt8(ascii: "D"): .function(4), UInt8(ascii: "E"): .function(5),
  ]

  /// `CSI code u`, for keys that type no character. Source: kitty keyboard protocol, "Functional key definitions".
  static let kittyKeys: [Int: Key] = {
    var keys: [Int: Key] = [
      9: .tab, 13: .enter, 27: .escape, 127: .backspace,
      57409: .character("."), 57410: .character("/"), 57411: .character("*"), 57412: .character("-"),
      57413: .character("+"), 57414: .enter, 57415: .character("="), 57416: .character(","),
      57417: .left, 57418: .right, 57419: .up, 57420: .down, 57421: .pageUp, 57422: .pageDown,
      57423: .home, 57424: .end, 57425: .insert, 57426: .delete,
    ]
    for number in 13...35 { keys[57376 + number - 13] = .function(number) }
    for (code, digit) in zip(57399...57408, "0123456789") { keys[code] = .character(digit) }
    return keys
  }()

  /// Returns the key of a control character. Source: ASCII; xterm sends 0x7F for Backspace, others send 0x08.
  static func control(_ byte: UInt8) -> (Key, KeyModifiers) {
    switch byte {
    case 0x00: (.character(" "), .control)
    case 0x08, 0x7F: (.backspace, [])
    case 0x09: (.tab, [])
    case 0x0A, 0x0D: (.enter, [])
    case 0x1B: (.escape, [])
    case 0x01...0x1A: (.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    default: (.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    }
  }

  /// Returns whether a byte can be the second one of a character. Source: The Unicode Standard, table 3-7.
  static func isSecondByte(_ byte: UInt8, after first: UInt8) -> Bool {
    switch first {
    case 0xE0: byte >= 0xA0
    case 0xED: byte < 0xA0
    case 0xF0: byte >= 0x90
    case 0xF4: byte < 0x90
    default: true
    }
  }
}

extension KeyModifiers {
  /// Creates the modifiers from the number in a sequence, which is the bit mask plus 1. Values of 1 or less mean no
  /// modifiers.
  ///
  /// Sources: xterm, "PC-Style Function Keys"; kitty keyboard protocol, "Modifiers". Its bits for Hyper, Meta and the
  /// locks are ignored.
  init(parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 0x0F)
  }
}
