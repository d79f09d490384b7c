import TextCanvas

extension RowWriter {
  /// The most characters that are written before the length of the slice is looked at again.
  static let longestStretch = 64

  /// Writes an ASCII character, and those that follow as long as they are changed too and written with the same pen:
  /// most of every frame.
  @inline(__always)
  mutating func writeASCII(
    _ first: Int, old: UnsafePointer<Cell>, new: UnsafePointer<Cell>, _ output: inout ByteBuffer
  ) -> Int {
    output.reserve(Self.longestStretch)
    let bits = new[first].glyph.bits
    output.write(UInt8(truncatingIfNeeded: bits < 0x20 ? 0x20 : bits))
    // Behind the glyph's four bytes a cell has eight of colours and four of attributes, width and link.
    let look = UnsafeRawPointer(new + first)
    let colours = look.loadUnaligned(fromByteOffset: 4, as: UInt64.self)
    let rest = look.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
    // A blank's pen is not all its own, so nothing can follow from it.
    let end = bits > 0x20 ? min(columns, first + Self.longestStretch) : 0
    var column = first + 1
    while column < end {
      let cell = UnsafeRawPointer(new + column)
      let next = cell.loadUnaligned(as: UInt32.self)
      guard next > 0x20, next < 0x80, next != old[column].glyph.bits,
        cell.loadUnaligned(fromByteOffset: 4, as: UInt64.self) == colours,
        cell.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == rest
      else { break }
      output.write(UInt8(truncatingIfNeeded: next))
      column += 1
    }
    cursor.column = column < columns ? column : Cursor.unknown
    return column
  }

  func isDisputed(_ cell: Cell) -> Bool {
    guard cell.glyph.bits >= 0x80, features.isUnicode else { return false }
    if cell.glyph.isDisputed { return true }
    return features.ambiguousIsWide && cell.glyph.scalar?.isAmbiguousWidth ?? false
  }

  func encodedLength(_ cell: Cell) -> Int {
    let bits = cell.glyph.bits
    if bits < 0x80 || !features.isUnicode { return Int(cell.width) }
    if bits < 0x800 { return 2 }
    if bits < 0x10000 { return 3 }
    if bits < 0x110000 { return 4 }
    return cell.glyph.text.utf8.count
  }

  /// Writes what stands in a cell, at the cursor, without counting the cursor on.
  func writeGlyph(_ cell: Cell, _ output: inout ByteBuffer) {
    output.reserve(8)
    let bits = cell.glyph.bits
    if bits < 0x80 {
      output.write(UInt8(truncatingIfNeeded: max(bits, 0x20)))
    } else if !features.isUnicode {
      let substitute = AsciiSubstitute.byte(for: bits)
      for _ in 0..<max(1, cell.width) { output.write(substitute) }
    } else if bits < 0x110000 {
      output.write(scalar: bits)
    } else {
      output.write(cell.glyph.text)
    }
  }

  /// Writes a cell and, where a repetition is shorter, those like it that follow.
  ///
  /// - Returns: The column behind what was written.
  mutating func writeRun(
    _ column: Int, old: UnsafePointer<Cell>, new: UnsafePointer<Cell>, doubtfulEnd: inout Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int {
    let cell = new[column]
    let width = max(1, Int(cell.width))
    if isDisputed(cell) {
      writeDisputed(cell, at: column, &doubtfulEnd, &output)
      return column + width
    }
    writeGlyph(cell, &output)
    var end = column + width
    if features.repeatsCharacters, width == 1, cell.glyph.bits < 0x110000 {
      var last = end
      var lastChanged = end
      while last < columns, new[last] == cell {
        if last < doubtfulEnd || !isSame(old + last, new + last, &colours) { lastChanged = last + 1 }
        last += 1
      }
      let more = lastChanged - end
      // REP. Source: ECMA-48, 8.3.103.
      if more > 0, 3 + digits(more) < more * encodedLength(cell) {
        output.reserve(16)
        output.writeCSI()
        output.write(number: more)
        output.write(UInt8(ascii: "b"))
        end = lastChanged
      }
    }
    cursor.column = end < columns ? end : Cursor.unknown
    return end
  }

  /// Writes a cluster whose width terminals disagree about, so that what stands around it is right on all of them.
  mutating func writeDisputed(
    _ cell: Cell, at column: Int, _ doubtfulEnd: inout Int, _ output: inout ByteBuffer
  ) {
    let width = max(1, Int(cell.width))
    let scalars = cell.glyph.text.unicodeScalars
    let widest = scalars.reduce(0) { $0 + max($1.displayWidth, $1.isAmbiguousWidth ? 2 : 0) }
    output.reserve(64)
    if column + widest > columns, let first = scalars.first {
      // A terminal that draws it wider would go on in the next row, and scroll on the last: only its beginning is drawn.
      let base = Glyph(bits: first.value)
      let isSure = first.displayWidth <= width && !base.isDisputed && !(features.ambiguousIsWide && base.bits >= 0x80)
      if isSure { output.write(String(Character(first))) }
      for _ in (isSure ? first.displayWidth : 0)..<width { output.write(0x20) }
      cursor.column = column + width < columns ? column + width : Cursor.unknown
      return
    }
    // Where the terminal draws it narrower, what was there before would show. ECH: ECMA-48, 8.3.38.
    if width > 1 { output.writeSequence(width, UInt8(ascii: "X")) }
    writeGlyph(cell, &output)
    cursor.column = Cursor.unknown
    // Where it draws it wider, it covers what follows: those cells are written again.
    doubtfulEnd = max(doubtfulEnd, min(columns, column + max(widest, 2)))
  }
}

extension ByteBuffer {
  /// One scalar in UTF-8, from U+0080 up; needs room for four bytes. Source: RFC 3629, section 3.
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
