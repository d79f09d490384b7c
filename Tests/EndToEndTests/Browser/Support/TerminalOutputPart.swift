/// A part of the output to a terminal: text, a control character, a control sequence, a control string or an escape.
///
/// Source: ECMA-48, 5.3 (Fe), 5.4 (control sequences), 5.6 (control strings).
enum TerminalOutputPart: Hashable, CustomStringConvertible {
  /// Visible characters.
  case text(String)
  /// A control character other than ESC.
  case control(UInt8)
  /// A control sequence without `ESC [`, including its final byte.
  case sequence(String)
  /// A control string (`ESC ]`, `ESC P`, `ESC _`, `ESC ^` or `ESC X`), with the byte after ESC.
  case string(Character, String)
  /// Any other escape sequence without ESC.
  case escape(String)

  var description: String {
    switch self {
    case .text(let text): "text \(text.debugDescription)"
    case .control(let byte): "control \(byte)"
    case .sequence(let text): "CSI \(text)"
    case .string(let opener, let text): "ESC \(opener) \(text.debugDescription)"
    case .escape(let text): "ESC \(text)"
    }
  }

  /// Parses output bytes.
  static func parts(of bytes: [UInt8]) -> [TerminalOutputPart] {
    var parts: [TerminalOutputPart] = []
    var remaining = bytes[...]
    while let byte = remaining.first {
      switch byte {
      case 0x1B:
        remaining.removeFirst()
        parts.append(escape(&remaining))
      case 0x00..<0x20, 0x7F:
        parts.append(.control(byte))
        remaining.removeFirst()
      default:
        let text = remaining.prefix { $0 >= 0x20 && $0 != 0x7F }
        parts.append(.text(String(decoding: text, as: UTF8.self)))
        remaining.removeFirst(text.count)
      }
    }
    return parts
  }

  private static func escape(_ remaining: inout ArraySlice<UInt8>) -> TerminalOutputPart {
    guard let opener = remaining.popFirst() else { return .escape("") }
    switch opener {
    case UInt8(ascii: "["):
      let inner = remaining.prefix { (0x20...0x3F).contains($0) }
      remaining.removeFirst(inner.count)
      let final = remaining.popFirst().map { [$0] } ?? []
      return .sequence(String(decoding: inner + final, as: UTF8.self))
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      let inner = remaining.prefix { $0 != 0x07 && $0 != 0x1B }
      remaining.removeFirst(inner.count)
      // The string ends with BEL, or with ESC and a backslash.
      if remaining.popFirst() == 0x1B, remaining.first == UInt8(ascii: "\\") { remaining.removeFirst() }
      return .string(Character(Unicode.Scalar(opener)), String(decoding: inner, as: UTF8.self))
    case 0x20...0x2F:
      let final = remaining.popFirst().map { [$0] } ?? []
      return .escape(String(decoding: [opener] + final, as: UTF8.self))
    default:
      return .escape(String(decoding: [opener], as: UTF8.self))
    }
  }
}
