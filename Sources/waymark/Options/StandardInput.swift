import Foundation

/// The lines of standard input.
struct StandardInput {
  private var buffer: LineBuffer
  private var lines: ArraySlice<LineBuffer.Line> = []
  private var hasEnded = false

  /// - Parameter keepsBlankLines: Whether lines without text are returned.
  init(keepingBlankLines keepsBlankLines: Bool = false) {
    buffer = LineBuffer(limit: LineBuffer.maximumBytes, keepsBlankLines: keepsBlankLines)
  }

  /// Waits for the next line. Returns `nil` after the last one.
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
  /// Whether lines without text are returned, if a line feed ends them.
  private let keepsBlankLines: Bool
  private var partial: [UInt8] = []
  private var isTooLong = false

  init(limit: Int, keepsBlankLines: Bool = false) { (self.limit, self.keepsBlankLines) = (limit, keepsBlankLines) }

  /// Appends bytes and returns the lines that they complete.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var remaining = bytes
    while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
      appendPart(remaining[..<end])
      lines += takeLine(evenBlank: keepsBlankLines)
      remaining = remaining[(end + 1)...]
    }
    appendPart(remaining)
    return lines
  }

  /// Returns the last line, which need not end with a line feed. It is omitted if it is blank.
  mutating func finish() -> [Line] { takeLine(evenBlank: false) }

  private mutating func takeLine(evenBlank: Bool) -> [Line] {
    defer {
      partial.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong { return [.tooLong] }
    return !evenBlank && partial.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } ? [] : [.text(partial)]
  }

  private mutating func appendPart(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || partial.count + bytes.count > limit
    if isTooLong { partial.removeAll() } else { partial += bytes }
  }
}
