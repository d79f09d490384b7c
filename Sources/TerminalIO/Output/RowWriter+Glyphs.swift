import TextCanvas

extension RowWriter {
  /// The maximum number of characters that are written before the length of the slice is checked again.
  static let maximumRun = 64

  /// Writes a visible ASCII character and the following ones, as long as they have certainly changed and need the same
  /// pen. Most of a frame consists of such characters. Blanks between words are included if there are too few of them
  /// to be erased.
  @inline(__always)
  mutating func writeASCII(
    _ first: Int, old: CellRow, new: CellRow, _ output: inout ByteBuffer, _ depth: ColourDepth
  ) -> Int {
    output.reserve(Self.maximumRun)
    let count = Self.copyText(
      old: old.from(first), new: new.from(first), count: columns &- first, into: output.base + output.count, depth,
      repeats: features.repeatsCharacters)
    output.count &+= count
    let column = first &+ count
    cursor.column = column < columns ? column : Cursor.unknown
    return column
  }

  /// Copies ASCII characters from cells, at least the first one. Returns the number of copied characters.
  @inline(__always)
  private static func copyText(
    old: CellRow, new: CellRow, count: Int, into bytes: UnsafeMutablePointer<UInt8>,
    _ depth: ColourDepth, repeats: Bool
  ) -> Int {
    let cell = new.packedCell(0)
    let look = ColourDifference(cell, depth)
    let smallest: UInt32 = cell.drawsPlainBlanks ? 0x20 : 0x21
    bytes[0] = UInt8(truncatingIfNeeded: cell.glyph)
    let end = min(count, maximumRun)
    var offset = 1
    while offset < end {
      let next = new.packedCell(offset)
      let displayed = old.packedCell(offset)
      guard next.glyph &- smallest < 0x7F &- smallest, next.high == cell.high else { break }
      // The ends of words are unpredictable, so a mask instead of a branch excludes blanks: all ones for visible
      // characters.
      let visibleMask = ~UInt32(bitPattern: Int32(bitPattern: next.glyph &- 0x21) >> 31)
      guard (next.foreground ^ cell.foreground) & visibleMask == 0 else { break }
      // Four or more blanks may be shorter to erase than to write.
      guard max(next.glyph, new.packedCell(min(offset &+ 3, count &- 1)).glyph) > 0x20 else { break }
      guard look.isVisible(against: displayed, visibleMask) || max(displayed.glyph, 0x20) != next.glyph else { break }
      // Six or more equal characters may be shorter to repeat than to write.
      if repeats, offset &+ 5 < count, new.packedCell(offset + 5).glyph == next.glyph { break }
      bytes[offset] = UInt8(truncatingIfNeeded: next.glyph)
      offset &+= 1
    }
    return offset
  }

  /// Writes a blank and the following ones, as long as they have certainly changed and have the same background.
  @inline(__always)
  mutating func writeBlanks(
    _ cell: PackedCell, _ first: Int, old: CellRow, new: CellRow, _ output: inout ByteBuffer,
    _ depth: ColourDepth
  ) -> Int {
    output.reserve(Self.maximumRun)
    let bytes = output.base + output.count
    bytes[0] = 0x20
    let look = ColourDifference(cell, depth)
    let end = cell.isPlainBlank ? min(columns, first + Self.maximumRun) : 0
    var column = first + 1
    while column < end {
      let next = new.packedCell(column)
      guard next.isPlainBlank, next.background == cell.background, next.link == cell.link else { break }
      let displayed = old.packedCell(column)
      guard displayed.glyph > 0x20 || look.isVisible(against: displayed, 0) else { break }
      bytes[column - first] = 0x20
      column += 1
    }
    output.count += column - first
    cursor.column = column < columns ? column : Cursor.unknown
    return column
  }

  func isDisputed(_ cell: Cell) -> Bool {
    guard cell.glyph.bits >= 0x80, features.isUnicode else { return false }
    if cell.glyph.isDisputed { return true }
    return features.ambiguousIsWide && cell.glyph.scalar?.isAmbiguousWidth ?? false
  }

  /// Returns whether a character beyond ASCII is replaced by similar ASCII characters.
  private func isReplaced(_ cell: Cell) -> Bool {
    !features.isUnicode && !(cell.width == 1 && features.font?.contains(cell.glyph.bits) == true)
  }

  func encodedLength(_ cell: Cell) -> Int {
    let bits = cell.glyph.bits
    if bits < 0x80 || isReplaced(cell) { return Int(cell.width) }
    if bits < 0x800 { return 2 }
    if bits < 0x10000 { return 3 }
    if bits < 0x110000 { return 4 }
    return cell.glyph.text.utf8.count
  }

  /// Writes the glyph of a cell at the cursor, without updating ``cursor``.
  func writeGlyph(_ cell: Cell, _ output: inout ByteBuffer) {
    output.reserve(8)
    let bits = cell.glyph.bits
    if bits < 0x80 {
      output.write(UInt8(truncatingIfNeeded: max(bits, 0x20)))
    } else if isReplaced(cell) {
      let substitute = AsciiSubstitute.byte(for: bits)
      for _ in 0..<max(1, cell.width) { output.write(substitute) }
    } else if bits < 0x110000 {
      output.write(scalar: bits)
    } else {
      output.write(cell.glyph.text)
    }
  }

  /// Writes a cell and, if repeating is shorter, the equal cells after it.
  ///
  /// - Returns: The column after the written cells.
  mutating func writeRun(
    _ column: Int, old: CellRow, new: CellRow, doubtfulEnd: inout Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int {
    let cell = new[column]
    let width = max(1, Int(cell.width))
    if isDisputed(cell) {
      writeDisputed(cell, at: column, &doubtfulEnd, &output)
      return column + width
    }
    var end = column + width
    if end == columns, columns > 1, cell.glyph.bits >= 0x110000, features.isUnicode {
      writeLastCluster(cell, &output)
      return end
    }
    writeGlyph(cell, &output)
    if features.repeatsCharacters, width == 1, cell.glyph.bits < 0x110000 {
      var last = end
      var lastChanged = end
      while last < columns, new[last] == cell {
        if last < doubtfulEnd || !isSame(old.packedCell(last), new.packedCell(last), &colours) {
          lastChanged = last + 1
        }
        last += 1
      }
      let repetitions = lastChanged - end
      // REP. Source: ECMA-48, 8.3.103.
      if repetitions > 0, 3 + digits(repetitions) < repetitions * encodedLength(cell) {
        output.reserve(16)
        output.writeCSI()
        output.write(number: repetitions)
        output.write(UInt8(ascii: "b"))
        end = lastChanged
      }
    }
    cursor.column = end < columns ? end : Cursor.unknown
    return end
  }

  /// Writes a cluster of several scalars into the last column.
  ///
  /// Without line wrapping, tmux assumes that the cursor is before that column, and adds combining marks to the
  /// previous character. With wrapping (DECAWM, 7), the cursor stays after the column, as on all terminals. The
  /// carriage return ends that pending state, which libvterm would otherwise keep.
  private mutating func writeLastCluster(_ cell: Cell, _ output: inout ByteBuffer) {
    output.write("\u{1B}[?7h" as StaticString)
    writeGlyph(cell, &output)
    output.write("\r\u{1B}[?7l" as StaticString)
    cursor.column = 0
  }

  /// Writes a cluster whose width differs between terminals, so that the cells around it are correct on all of them.
  mutating func writeDisputed(
    _ cell: Cell, at column: Int, _ doubtfulEnd: inout Int, _ output: inout ByteBuffer
  ) {
    let width = max(1, Int(cell.width))
    let scalars = cell.glyph.text.unicodeScalars
    let widest = scalars.reduce(0) { $0 + max($1.displayWidth, $1.isAmbiguousWidth ? 2 : 0) }
    output.reserve(64)
    if column + widest > columns, let first = scalars.first {
      // A terminal that draws the cluster wider would wrap, and scroll on the last row. Therefore only its first scalar
      // is drawn.
      let base = Glyph(bits: first.value)
      let isSure = first.displayWidth <= width && !base.isDisputed && !(features.ambiguousIsWide && base.bits >= 0x80)
      if isSure { output.write(String(Character(first))) }
      for _ in (isSure ? first.displayWidth : 0)..<width { output.write(0x20) }
      cursor.column = column + width < columns ? column + width : Cursor.unknown
      return
    }
    // If the terminal draws the cluster narrower, the previous content would stay visible. ECH: ECMA-48, 8.3.38.
    if width > 1 { output.writeSequence(width, UInt8(ascii: "X")) }
    writeGlyph(cell, &output)
    cursor.column = Cursor.unknown
    // If the terminal draws the cluster wider, it covers the following cells, which are written again.
    doubtfulEnd = max(doubtfulEnd, min(columns, column + max(widest, 2)))
  }
}

/// The colours of a cell for comparison with a cell of the terminal.
private struct ColourDifference {
  private let foreground: UInt32
  private let background: UInt32
  private let isDistinguishable: (ink: Bool, paper: Bool)

  @inline(__always)
  init(_ cell: PackedCell, _ depth: ColourDepth) {
    foreground = cell.foreground
    background = cell.background
    // If colours are sent unchanged, two colours are equal only if their bits are. The tags 0 and 3 both mean the
    // terminal's default colour.
    let isExact = depth == .truecolor
    isDistinguishable = (isExact && (foreground >> 24) % 3 != 0, isExact && (background >> 24) % 3 != 0)
  }

  /// Returns whether the colours certainly differ on the terminal. The mask is all ones if the foreground is visible.
  @inline(__always)
  func isVisible(against displayed: PackedCell, _ visibleMask: UInt32) -> Bool {
    isDistinguishable.paper && displayed.background != background
      || isDistinguishable.ink && (displayed.foreground ^ foreground) & visibleMask != 0
  }
}

extension ByteBuffer {
  /// Writes a scalar from U+0080 on in UTF-8. Four bytes must be reserved. Source: RFC 3629, section 3.
  @inline(__always)
  fileprivate mutating func write(scalar bits: UInt32) {
    if bits < 0x800 {
      write(0xC0 | UInt8(truncatingIfNeeded: bits >> 6))
    } else {
      if bits < 0x10000 {
        write(0xE0 | UInt8(truncatingIfNeeded: bits >> 12))
      } else {
        write(0xF0 | UInt8(truncatingIfNeeded: bits >> 18))
        write(0x80 | UInt8(truncatingIfNeeded: bits >> 12 & 0x3F))
      }
      write(0x80 | UInt8(truncatingIfNeeded: bits >> 6 & 0x3F))
    }
    write(0x80 | UInt8(truncatingIfNeeded: bits & 0x3F))
  }
}

/// The replacements of characters on a terminal that supports only ASCII. To add one, add a row.
enum AsciiSubstitute {
  /// Returns the replacement of a scalar.
  static func byte(for scalar: UInt32) -> UInt8 {
    switch scalar {
    case 0x00A0, 0x2002...0x200A: UInt8(ascii: " ")
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550, 0x2574, 0x2576, 0x2578, 0x257A:
      UInt8(ascii: "-")
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577: UInt8(ascii: "|")
    case 0x250C...0x254B, 0x2552...0x2573: UInt8(ascii: "+")
    case 0x2580...0x258F, 0x2594, 0x2595: UInt8(ascii: "#")
    case 0x2018, 0x2019, 0x2032: UInt8(ascii: "'")
    case 0x201C, 0x201D, 0x2033: UInt8(ascii: "\"")
    case 0x2010...0x2015, 0x2212: UInt8(ascii: "-")
    case 0x2022, 0x25CF, 0x00B7: UInt8(ascii: "*")
    case 0x203A, 0x2192, 0x00BB, 0x25B6, 0x25B8: UInt8(ascii: ">")
    case 0x2039, 0x2190, 0x00AB, 0x25C0, 0x25C2: UInt8(ascii: "<")
    case 0x2191: UInt8(ascii: "^")
    case 0x2193: UInt8(ascii: "v")
    case 0x2026: UInt8(ascii: ".")
    case 0x2713, 0x2714: UInt8(ascii: "x")
    default: UInt8(ascii: "?")
    }
  }
}
