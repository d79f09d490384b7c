extension TerminalSession {
  /// Asks the terminal to put a text on the clipboard. Many do; those that do not say nothing.
  ///
  /// - Parameter text: At most 74,994 bytes of UTF-8: what terminals with a limit take.
  /// - Returns: Whether it was sent; not when the text is too long, or the session is over.
  @discardableResult
  public func copy(_ text: String) -> Bool {
    guard isOpen, let message = ClipboardMessage.bytes(of: text) else { return false }
    fulfil(output.send(message, now: MonotonicClock.now) { write($0) })
    return true
  }
}

/// The control string that puts a text on the clipboard.
enum ClipboardMessage {
  /// In bytes of UTF-8; as Base64 it is a little less than 100,000.
  static let longest = 74_994

  /// `OSC 52 ; c ; Base64 ST`; `nil` where the text is too long.
  ///
  /// Source: xterm, "XTerm Control Sequences", OSC 52 (manipulate selection data); RFC 4648, section 4 (Base64).
  static func bytes(of text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.count <= longest else { return nil }
    return Array("\u{1B}]52;c;".utf8) + base64(bytes) + Array("\u{1B}\\".utf8)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      var quad: [UInt8] = []
      for _ in 0..<4 {
        quad.append(digits[bits & 63])
        bits >>= 6
      }
      result += quad.reversed().prefix(group.count + 1)
      result += repeatElement(UInt8(ascii: "="), count: 3 - group.count)
    }
    return result
  }
}
