/// What a program wrote for a terminal, as it is read afterwards.
enum ProgramText {
  /// The text without escape sequences, and with what overwrites a line in that line's place: of a bar of progress only
  /// its last state is left.
  ///
  /// Source: ECMA-48, 5.4 and 8.3.89; carriage return and backspace as Jupyter shows them.
  static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x1B || $0 == 0x0D || $0 == 0x08 }) else { return text.withoutControls }
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var lineStart = 0
    var overwrites = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x1B: skipEscape(bytes, &index)
      case 0x0D: overwrites = true
      case 0x08:
        // A letter may be several bytes.
        while plain.count > lineStart, plain.removeLast() & 0xC0 == 0x80 {}
      case 0x0A:
        plain.append(byte)
        lineStart = plain.count
        overwrites = false
      default:
        if overwrites { plain.removeSubrange(lineStart...) }
        overwrites = false
        plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self).withoutControls
  }

  private static func skipEscape(_ bytes: [UInt8], _ index: inout Int) {
    guard index < bytes.count else { return }
    let kind = bytes[index]
    index += 1
    switch kind {
    case UInt8(ascii: "["):
      while index < bytes.count, (0x20...0x3F).contains(bytes[index]) { index += 1 }
      if index < bytes.count, (0x40...0x7E).contains(bytes[index]) { index += 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      // A string, which a bell or `ESC \` ends; at the latest its line does.
      while index < bytes.count, bytes[index] != 0x07, bytes[index] != 0x1B, bytes[index] != 0x0A { index += 1 }
      if index < bytes.count, bytes[index] == 0x07 { index += 1 }
    case 0x20...0x2F:
      // One letter more, as in the choice of a set of letters.
      if index < bytes.count, bytes[index] >= 0x20 { index += 1 }
    default: break
    }
  }

  /// The beginning of a text that is too long to be read, or its end.
  ///
  /// - Returns: What is left of it, and how many lines and letters of a cut line it is without; `nil` where it is short
  ///   enough.
  static func cut(_ text: String, lines most: Int, bytes size: Int, keepsEnd: Bool = false) -> (
    text: String, lines: Int
  )? {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard all.count > most || text.utf8.count > size else { return nil }
    var kept: [Substring] = []
    var room = size
    for line in keepsEnd ? Array(all.suffix(most).reversed()) : Array(all.prefix(most)) {
      guard line.utf8.count <= room else {
        // Of a line that is too long by itself, a piece.
        if kept.isEmpty { kept.append(keepsEnd ? line.suffix(size / 4) : line.prefix(size / 4)) }
        break
      }
      kept.append(line)
      room -= line.utf8.count + 1
    }
    return ((keepsEnd ? kept.reversed() : kept).joined(separator: "\n"), all.count - kept.count)
  }
}
