import TextCanvas

/// Writes rows of cells where they differ from what the terminal shows, and knows where that leaves cursor and pen.
///
/// It is copied to try something and thrown away when that was not cheaper, so it holds no cells: what the terminal
/// shows and what it should show are passed in.
struct RowWriter {
  /// What may be used.
  let features: OutputFeatures
  /// Columns of the terminal.
  let columns: Int
  /// Where the cursor is.
  var cursor: Cursor
  /// With what is written.
  var pen: Pen

  /// The longest stretch of unchanged cells that is looked at for writing it again instead of jumping over it.
  private static let gapLimit = 8

  /// Writes one row.
  ///
  /// - Parameters:
  ///   - row: Its number, from 0.
  ///   - old: What the terminal shows there.
  ///   - new: What it should show.
  ///   - start: The column to begin at; what is left of it is right already.
  ///   - output: Where the bytes go.
  ///   - stop: The number of bytes after which it stops at the next cell; asked again before every piece.
  /// - Returns: The column from which on the row is not yet written; `columns` when it is whole.
  mutating func write(
    row: Int, old: UnsafePointer<Cell>, new: UnsafePointer<Cell>, from start: Int, into output: inout ByteBuffer,
    reducing colours: inout ColourReduction, stop: Int
  ) -> Int {
    var column = start
    // Columns before this one are written although they seem unchanged: a cluster may have covered them.
    var doubtfulEnd = 0
    var tail = -1
    while true {
      while column < columns, column >= doubtfulEnd, isSame(old + column, new + column, &colours) { column += 1 }
      if column >= columns { return columns }
      if new[column].isContinuation, column > start { column -= 1 }
      if output.count >= stop { return column }

      let cell = new[column]
      if isErasable(cell) {
        if tail < 0 { tail = erasableTail(of: new, &colours) }
        if let next = erase(
          row: row, column: column, old: old, new: new, tail: tail, doubtfulEnd: doubtfulEnd, &output, &colours)
        {
          column = next
          continue
        }
      }
      approach(row: row, column: column, new: new, &output, &colours)
      let wanted = penFor(cell, at: column, new: new, &colours)
      if pen != wanted {
        output.writePen(from: pen, to: wanted)
        pen = wanted
      }
      let mayRepeat = features.repeatsCharacters && column + 1 < columns && new[column + 1].glyph == cell.glyph
      if mayRepeat || cell.glyph.bits >= 0x80 {
        column = writeRun(column, old: old, new: new, doubtfulEnd: &doubtfulEnd, &output, &colours)
      } else {
        column = writeASCII(column, old: old, new: new, &output)
      }
    }
  }

  // MARK: What is different

  /// Whether two cells look the same on this terminal.
  @inline(__always)
  func isSame(_ old: UnsafePointer<Cell>, _ new: UnsafePointer<Cell>, _ colours: inout ColourReduction) -> Bool {
    // A cell is sixteen bytes without gaps; most are simply equal.
    let one = UnsafeRawPointer(old)
    let other = UnsafeRawPointer(new)
    if one.loadUnaligned(as: UInt64.self) == other.loadUnaligned(as: UInt64.self)
      && one.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    {
      return true
    }
    return looksSame(old.pointee, new.pointee, &colours)
  }

  private func looksSame(_ old: Cell, _ new: Cell, _ colours: inout ColourReduction) -> Bool {
    let oldGlyph = max(old.glyph.bits, 0x20)
    guard old.width == new.width, old.glyph != FrameEncoder.unknownGlyph else { return false }
    guard new.width > 0 else {
      // The right half of a wide character is drawn with its left half.
      return old.glyph == new.glyph && sameLook(old, new, &colours)
    }
    guard oldGlyph == max(new.glyph.bits, 0x20) else { return false }
    return sameLook(old, new, &colours)
  }

  private func sameLook(_ old: Cell, _ new: Cell, _ colours: inout ColourReduction) -> Bool {
    guard old.linkNumber == new.linkNumber || !features.hasLinks,
      colours(old.background.bits) == colours(new.background.bits)
    else { return false }
    let seen = old.attributes.union(new.attributes)
    if old.glyph.bits <= 0x20, old.width == 1, seen.isDisjoint(with: Pen.seenOnBlanks) { return true }
    return old.attributes == new.attributes && colours(old.foreground.bits) == colours(new.foreground.bits)
  }

  // MARK: With what it is written

  /// The pen that a cell needs, as near to the present one as possible.
  private func penFor(
    _ cell: Cell, at column: Int, new: UnsafePointer<Cell>, _ colours: inout ColourReduction
  ) -> Pen {
    let wanted = fullPen(cell, &colours)
    guard cell.glyph.bits <= 0x20, cell.width == 1, wanted.attributes.isDisjoint(with: Pen.seenOnBlanks) else {
      return wanted
    }
    if pen.drawsBlankLike(wanted) { return pen }
    // The ink does not matter on a blank: take that of what comes next, and change the pen once for both.
    var next = column + 1
    while next < columns, next < column + 24 {
      let following = fullPen(new[next], &colours)
      if following.background != wanted.background || following.link != wanted.link { break }
      if new[next].glyph.bits > 0x20 {
        return following.drawsBlankLike(wanted) ? following : blankPen(wanted)
      }
      next += 1
    }
    return blankPen(wanted)
  }

  /// The present pen, changed as little as a blank needs.
  private func blankPen(_ wanted: Pen) -> Pen {
    var result = pen
    result.background = wanted.background
    result.link = wanted.link
    result.attributes.subtract(Pen.seenOnBlanks)
    // From nothing is shorter where nothing is wanted.
    return wanted.background == 0 ? Pen(link: wanted.link) : result
  }

  @inline(__always)
  private func fullPen(_ cell: Cell, _ colours: inout ColourReduction) -> Pen {
    Pen(
      foreground: colours(cell.foreground.bits), background: colours(cell.background.bits),
      attributes: cell.attributes, link: features.hasLinks ? cell.linkNumber : 0)
  }

  // MARK: Getting there

  /// Brings the cursor to a cell: by a move, or by writing the unchanged cells between again where that is shorter.
  private mutating func approach(
    row: Int, column: Int, new: UnsafePointer<Cell>, _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) {
    let target = Cursor(row: row, column: column)
    if cursor == target { return }
    let gap = column - cursor.column
    if cursor.row == row, cursor.column >= 0, gap > 0, gap <= Self.gapLimit {
      let limit = CursorMove(from: cursor, to: target).cost
      if let (cost, switchAt) = costOfRewriting(from: cursor.column, to: column, new: new, limit, &colours),
        cost <= limit
      {
        for each in cursor.column..<column {
          if each == switchAt {
            let wanted = penFor(new[column], at: column, new: new, &colours)
            output.writePen(from: pen, to: wanted)
            pen = wanted
          }
          if !new[each].isContinuation { writeGlyph(new[each], &output) }
        }
        cursor.column = column
        return
      }
    }
    output.writeMove(from: cursor, to: target)
    cursor = target
  }

  /// Bytes of writing unchanged cells again with the present pen, and from some cell on with that of the next changed
  /// one (which has to be taken up anyway); nil where a third would be needed.
  private func costOfRewriting(
    from first: Int, to end: Int, new: UnsafePointer<Cell>, _ limit: Int, _ colours: inout ColourReduction
  ) -> (cost: Int, switchAt: Int)? {
    if new[first].isContinuation { return nil }
    var cost = 0
    var present = pen
    var switchAt = -1
    let next = penFor(new[end], at: end, new: new, &colours)
    for column in first..<end {
      let cell = new[column]
      if cell.isContinuation { continue }
      if isDisputed(cell) { return nil }
      let wanted = fullPen(cell, &colours)
      let fits = { (pen: Pen) in pen == wanted || cell.glyph.bits <= 0x20 && pen.drawsBlankLike(wanted) }
      if !fits(present) {
        guard switchAt < 0, fits(next) else { return nil }
        present = next
        switchAt = column
      }
      cost += encodedLength(cell)
      if cost > limit { return nil }
    }
    return (cost, switchAt)
  }

  // MARK: Glyphs

  /// The most characters that are written before the length of the slice is looked at again.
  private static let longestStretch = 64

  /// Writes an ASCII character, and those that follow as long as they are changed too and written with the same pen:
  /// most of every frame.
  @inline(__always)
  private mutating func writeASCII(
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

  private func isDisputed(_ cell: Cell) -> Bool {
    guard cell.glyph.bits >= 0x80, features.isUnicode else { return false }
    if cell.glyph.isDisputed { return true }
    return features.ambiguousIsWide && cell.glyph.scalar?.isAmbiguousWidth ?? false
  }

  private func encodedLength(_ cell: Cell) -> Int {
    let bits = cell.glyph.bits
    if bits < 0x80 || !features.isUnicode { return Int(cell.width) }
    if bits < 0x800 { return 2 }
    if bits < 0x10000 { return 3 }
    if bits < 0x110000 { return 4 }
    return cell.glyph.text.utf8.count
  }

  /// Writes what stands in a cell, at the cursor, without counting the cursor on.
  private func writeGlyph(_ cell: Cell, _ output: inout ByteBuffer) {
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
  private mutating func writeRun(
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
  private mutating func writeDisputed(
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

  // MARK: Erasing

  /// Whether an erased cell looks like this one.
  @inline(__always)
  private func isErasable(_ cell: Cell) -> Bool {
    cell.glyph.bits <= 0x20 && cell.width == 1 && cell.attributes.isDisjoint(with: Pen.seenOnBlanks)
      && (cell.linkNumber == 0 || !features.hasLinks)
      && (features.erasesWithBackground || cell.background == .default || cell.background == .clear)
  }

  /// The first column from which on a row ends in erasable blanks of one colour.
  private func erasableTail(of new: UnsafePointer<Cell>, _ colours: inout ColourReduction) -> Int {
    var tail = columns
    guard isErasable(new[columns - 1]) else { return tail }
    let background = colours(new[columns - 1].background.bits)
    while tail > 0, isErasable(new[tail - 1]), colours(new[tail - 1].background.bits) == background { tail -= 1 }
    return tail
  }

  /// Erases blanks where that is shorter than writing them.
  ///
  /// Sources: ECMA-48, 8.3.41 EL (`CSI K`), 8.3.38 ECH (`CSI n X`); xterm: both fill with the pen's background.
  ///
  /// - Returns: The column behind what was erased; nil where writing is shorter.
  private mutating func erase(
    row: Int, column: Int, old: UnsafePointer<Cell>, new: UnsafePointer<Cell>, tail: Int, doubtfulEnd: Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int? {
    let background = colours(new[column].background.bits)
    // To the end of the row.
    if column >= tail {
      var last = columns - 1
      while last > column, last >= doubtfulEnd, isSame(old + last, new + last, &colours) { last -= 1 }
      if last - column < 3 { return nil }
      prepareToErase(row: row, column: column, new: new, background, &output, &colours)
      output.reserve(8)
      output.writeCSI()
      output.write(UInt8(ascii: "K"))
      return columns
    }
    // In the middle.
    var end = column + 1
    var last = column
    while end < columns, isErasable(new[end]), colours(new[end].background.bits) == background {
      if end < doubtfulEnd || !isSame(old + end, new + end, &colours) { last = end }
      end += 1
    }
    let count = last + 1 - column
    guard count > 4 else { return nil }
    var next = end
    while next < columns, next >= doubtfulEnd, isSame(old + next, new + next, &colours) { next += 1 }
    var detour = 0
    if next < columns {
      let after = Cursor(row: row, column: next)
      detour =
        CursorMove(from: Cursor(row: row, column: column), to: after).cost
        - min(CursorMove(from: Cursor(row: row, column: last + 1), to: after).cost, next - last - 1)
    }
    let written = features.repeatsCharacters ? min(count, 4 + digits(count - 1)) : count
    guard 3 + digits(count) + detour < written else { return nil }
    prepareToErase(row: row, column: column, new: new, background, &output, &colours)
    output.reserve(16)
    output.writeSequence(count, UInt8(ascii: "X"))
    return last + 1
  }

  private mutating func prepareToErase(
    row: Int, column: Int, new: UnsafePointer<Cell>, _ background: UInt32, _ output: inout ByteBuffer,
    _ colours: inout ColourReduction
  ) {
    approach(row: row, column: column, new: new, &output, &colours)
    if pen.background == background && pen.erasesPlainly { return }
    let wanted = blankPen(Pen(background: background))
    output.writePen(from: pen, to: wanted)
    pen = wanted
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
