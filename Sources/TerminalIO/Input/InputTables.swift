import TextCanvas

/// The bytes of keys. To teach the decoder another key, add a row to the table of the form it comes in.
enum InputTables {
  /// `CSI … letter`. Source: xterm, "PC-Style Function Keys"; Z is shifted Tab, E the middle of the keypad.
  static let sequenceKeys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  /// `CSI number ~`. Source: xterm, "PC-Style Function Keys" and "VT220-Style Function Keys"; 7 and 8 are rxvt's.
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

  /// `CSI code u`, for keys that write nothing. Source: kitty keyboard protocol, "Functional key definitions".
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

  /// Control characters as keys. Source: ASCII; xterm sends 0x7F for Backspace, others 0x08.
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

  /// Whether a byte can be the second of a character. Source: The Unicode Standard, table 3-7.
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
  /// Makes the modifiers of a sequence's number, which is one more than their bits; 1 or less is none.
  ///
  /// Sources: xterm, "PC-Style Function Keys"; kitty keyboard protocol, "Modifiers". Its hyper, meta and lock bits say
  /// nothing to a text screen.
  init(parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 0x0F)
  }
}
