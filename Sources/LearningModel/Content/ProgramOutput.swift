/// Functions for text that a program wrote to a terminal.
package enum ProgramOutput {
  /// Returns the text without escape sequences. Text that overwrites a line replaces it, so only the last state of a
  /// progress bar remains.
  ///
  /// - Parameter keepsColours: Whether the sequences that set colours and other attributes are kept.
  ///
  /// Source: ECMA-48, 5.4 and 8.3.89; carriage return and backspace as Jupyter shows them.
  package static func plain(_ text: String, keepingColours keepsColours: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 == 0x1B || $0 == 0x0D || $0 == 0x08 }) else { return text.withoutControls }
    let bytes = Array(text.utf8)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    // A backspace removes nothing before these positions. Half of a kept sequence would change the meaning of what follows.
    var (lineStart, sequenceEnd) = (0, 0)
    var overwrites = false
    // The colours that follow a carriage return belong to the text that overwrites the line.
    var colours: [UInt8] = []
    func addColours() {
      guard !colours.isEmpty else { return }
      plain += colours
      colours = []
      sequenceEnd = plain.count
    }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x1B:
        let start = index
        skipEscape(bytes, &index)
        if keepsColours, bytes[start..<index].first == UInt8(ascii: "["), bytes[index - 1] == UInt8(ascii: "m") {
          colours += [escape] + bytes[start..<index]
          if !overwrites { addColours() }
        }
      case 0x0D: overwrites = true
      case 0x08:
        // Removes a whole character, which may be several bytes of UTF-8.
        while plain.count > max(lineStart, sequenceEnd), plain.removeLast() & 0xC0 == 0x80 {}
      case 0x0A:
        addColours()
        plain.append(byte)
        lineStart = plain.count
        overwrites = false
      default:
        if overwrites { plain.removeSubrange(lineStart...) }
        sequenceEnd = min(sequenceEnd, plain.count)
        addColours()
        overwrites = false
        plain.append(byte)
      }
    }
    addColours()
    let text = String(decoding: plain, as: UTF8.self)
    // Only colours contain the escape character here.
    return keepsColours
      ? text.split(separator: "\u{1B}", omittingEmptySubsequences: false).map { String($0).withoutControls }
        .joined(separator: "\u{1B}")
      : text.withoutControls
  }

  private static let escape: UInt8 = 0x1B

  private static func skipEscape(_ bytes: [UInt8], _ index: inout Int) {
    guard index < bytes.count else { return }
    let kind = bytes[index]
    index += 1
    switch kind {
    case UInt8(ascii: "["):
      while index < bytes.count, (0x20...0x3F).contains(bytes[index]) { index += 1 }
      if index < bytes.count, (0x40...0x7E).contains(bytes[index]) { index += 1 }
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      // A control string ends at a bell or at `ESC \`. If neither follows on the same line, it ends with the line.
      while index < bytes.count, bytes[index] != 0x07, bytes[index] != 0x1B, bytes[index] != 0x0A { index += 1 }
      if index < bytes.count, bytes[index] == 0x07 { index += 1 }
    case 0x20...0x2F:
      // The sequence consists of one more byte, for example one that selects a character set.
      if index < bytes.count, bytes[index] >= 0x20 { index += 1 }
    default: break
    }
  }

  /// Shortens a text that is too long to its beginning or its end.
  ///
  /// - Returns: The remaining text and the number of removed lines, which is 0 if only a part of the last line was
  ///   removed. `nil` if the text need not be shortened.
  package static func shortened(_ text: String, lines most: Int, bytes size: Int, keepsEnd: Bool = false) -> (
    text: String, lines: Int
  )? {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard all.count > most || text.utf8.count > size else { return nil }
    var kept: [Substring] = []
    var room = size
    for line in keepsEnd ? Array(all.suffix(most).reversed()) : Array(all.prefix(most)) {
      guard line.utf8.count <= room else {
        // If a single line is too long, the line itself is shortened.
        if kept.isEmpty { kept.append(keepsEnd ? line.suffix(size / 4) : line.prefix(size / 4)) }
        break
      }
      kept.append(line)
      room -= line.utf8.count + 1
    }
    return ((keepsEnd ? kept.reversed() : kept).joined(separator: "\n"), all.count - kept.count)
  }
}

extension String {
  /// The text without control characters other than line feeds and tabs, so that it cannot control the terminal.
  package var withoutControls: String {
    let isControl: (Unicode.Scalar) -> Bool = {
      ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value)
    }
    // U+0080 to U+009F are encoded with the first byte 0xC2. Most texts contain neither this byte nor control
    // characters, so they need no further processing.
    guard utf8.contains(where: { ($0 < 0x20 && $0 != 0x0A && $0 != 0x09) || $0 == 0x7F || $0 == 0xC2 }) else {
      return self
    }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.lazy.filter { !isControl($0) })
    return String(scalars)
  }
}
