/// Removes the comments of Obsidian, which are between two pairs of percent signs and may contain several blocks.
///
/// Source: Obsidian Help, "Basic formatting syntax", "Comments".
enum VaultComments {
  /// Returns a text without comments. Percent signs in code are unchanged, and so is an opening pair that is not
  /// closed.
  ///
  /// - Parameter findings: The comments are counted here.
  static func removed(from text: String, _ findings: inout Findings) -> String {
    guard text.contains("%%") else { return text }
    let bytes = Array(text.utf8)
    let percent = UInt8(ascii: "%")
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var (fence, position, count) = (CodeFence(), 0, 0)
    /// Whether no further pair of percent signs exists.
    var isLast = false
    while position < bytes.count {
      if position == 0 || bytes[position - 1] == 0x0A {
        let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
        let line = String(decoding: bytes[position..<end], as: UTF8.self)
        let wasOpen = fence.isOpen
        fence.process(line[...].drop { " >\t".contains($0) })
        if wasOpen || fence.isOpen {
          output += bytes[position..<min(bytes.count, end + 1)]
          position = end + 1
          continue
        }
      }
      if bytes[position] == UInt8(ascii: "`"), let end = codeEnd(bytes, position) {
        output += bytes[position..<end]
        position = end
      } else if !isLast, bytes[position] == percent, position + 1 < bytes.count, bytes[position + 1] == percent {
        if let close = pair(bytes, from: position + 2) {
          count += 1
          position = close + 2
          // After a comment, the rest of the line cannot begin a fenced code block.
        } else {
          isLast = true
        }
      } else {
        output.append(bytes[position])
        position += 1
      }
    }
    findings.countLoss("hidden comment", "left out", count: count)
    return String(decoding: output, as: UTF8.self)
  }

  private static func pair(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), bytes[index + 1] == UInt8(ascii: "%") { return index }
      index += 1
    }
    return nil
  }

  /// Returns the end of the code span that begins at a position, or `nil` if it is not closed on the same line.
  private static func codeEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    let tick = UInt8(ascii: "`")
    let count = bytes[start...].prefix { $0 == tick }.count
    var index = start + count
    while index < bytes.count, bytes[index] != 0x0A {
      let run = bytes[index...].prefix { $0 == tick }.count
      if run == count { return index + run }
      index += max(1, run)
    }
    return nil
  }
}
