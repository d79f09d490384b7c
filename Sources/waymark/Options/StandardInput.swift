import Foundation

/// The lines of standard input.
struct StandardInput {
  private var buffer = LineBuffer(limit: LineBuffer.maximumBytes)
  private var lines: ArraySlice<LineBuffer.Line> = []
  private var hasEnded = false

  /// Waits for the next line that is not blank. Returns `nil` after the last one.
  mutating func next() -> LineBuffer.Line? {
    while lines.isEmpty, !hasEnded {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      hasEnded = count <= 0
      lines = (hasEnded ? buffer.finish() : buffer.append(bytes[..<count]))[...]
    }
    return lines.popFirst()
  }
}

/// Divides incoming bytes into lines.
struct LineBuffer {
  enum Line: Equatable {
    case text([UInt8])
    /// A line with more than ``limit`` bytes.
    case tooLong
  }

  /// The maximum number of bytes of a line of standard input.
  static let maximumBytes = 4 << 20

  /// The maximum number of bytes of a line.
  let limit: Int
  private var partial: [UInt8] = []
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  /// Appends bytes and returns the lines that they complete.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var remaining = bytes
    while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
      appendPart(remaining[..<end])
      lines += finish()
      remaining = remaining[(end + 1)...]
    }
    appendPart(remaining)
    return lines
  }

  /// Returns the last line, which need not end with a line feed. Blank lines are omitted.
  mutating func finish() -> [Line] {
    defer {
      partial.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong { return [.tooLong] }
    return partial.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } ? [] : [.text(partial)]
  }

  private mutating func appendPart(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || partial.count + bytes.count > limit
    if isTooLong { partial.removeAll() } else { partial += bytes }
  }
}
