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
  static let gapLimit = 8

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
}
