/// The bytes of frames by cause. Each sequence and each character has one cause.
struct ByteProfile {
  /// The cause of a byte.
  enum Cause: Int, CaseIterable {
    /// Characters other than lines.
    case words
    /// Lines and blocks, three bytes each, and repetitions of them.
    case lines
    /// Changes of colours and attributes.
    case pens
    /// Movements of the cursor.
    case cursor
    /// Erased blanks.
    case erasures
    /// Rows and cells that the terminal moves.
    case moves
  }

  private var counts = [Int](repeating: 0, count: Cause.allCases.count)

  subscript(cause: Cause) -> Int { counts[cause.rawValue] }

  static func + (one: ByteProfile, other: ByteProfile) -> ByteProfile {
    var sum = one
    for cause in Cause.allCases { sum.counts[cause.rawValue] += other[cause] }
    return sum
  }

  /// Counts the bytes of complete sequences.
  mutating func add(_ bytes: [UInt8]) {
    var remaining = bytes[...]
    while let first = remaining.first {
      let (cause, length) = first == 0x1B ? Self.sequence(remaining) : Self.character(remaining, first)
      counts[cause.rawValue] += min(length, remaining.count)
      remaining = remaining.dropFirst(length)
    }
  }

  /// Source: RFC 3629, section 3; Unicode, "Box Drawing" and "Block Elements", U+2500 to U+259F.
  private static func character(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> (Cause, length: Int) {
    if first < 0x20 { return (.cursor, 1) }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let isLine = first == 0xE2 && bytes.dropFirst().first.map { (0x94...0x96).contains($0) } ?? false
    return (isLine ? .lines : .words, length)
  }

  /// Source: ECMA-48, 5.4 for the parts of a control sequence, 8.3 for its last byte.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (Cause, length: Int) {
    guard bytes.dropFirst().first == UInt8(ascii: "[") else { return (.cursor, 2) }
    let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) } ?? bytes.endIndex - 1
    let length = end - bytes.startIndex + 1
    switch bytes[end] {
    case UInt8(ascii: "m"): return (.pens, length)
    case UInt8(ascii: "b"): return (.lines, length)
    case UInt8(ascii: "K"), UInt8(ascii: "X"): return (.erasures, length)
    case let last where "STLMP@r".utf8.contains(last): return (.moves, length)
    default: return (.cursor, length)
    }
  }
}
