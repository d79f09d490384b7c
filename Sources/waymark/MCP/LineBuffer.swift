/// Bytes that arrive in any portions, divided into lines.
struct LineBuffer {
  enum Line: Equatable {
    case text([UInt8])
    /// A line with more bytes than are kept.
    case tooLong
  }

  /// The most bytes of a line.
  let limit: Int
  private var partial: [UInt8] = []
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  /// Returns the lines that these bytes complete.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      lines += finish()
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return lines
  }

  /// Returns the last line, which may end without a line end. Blank lines are left out.
  mutating func finish() -> [Line] {
    defer {
      partial.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong { return [.tooLong] }
    return partial.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } ? [] : [.text(partial)]
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    isTooLong = isTooLong || partial.count + bytes.count > limit
    if isTooLong { partial.removeAll() } else { partial += bytes }
  }
}
