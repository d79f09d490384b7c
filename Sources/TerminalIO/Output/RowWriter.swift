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
  /// The rows of the frame, to see what comes next.
  let ahead: RowsAhead

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
    row: Int, old: CellRow, new: CellRow, from start: Int, into output: inout ByteBuffer,
    reducing colours: inout ColourReduction, stop: Int
  ) -> Int {
    var column = start
    // Columns before this one are written although they seem unchanged: a cluster may have covered them.
    var doubtfulEnd = 0
    var tail = -1
    while true {
      column = skipSame(from: column, doubtfulEnd, old: old, new: new, &colours)
      if column >= columns { return columns }
      if column > start, new.words(column).width == 0 { column -= 1 }
      if output.count >= stop { return column }

      let cell = new.words(column)
      if cell.isPlainBlank, isErasable(cell) {
        if tail < 0 { tail = erasableTail(of: new, &colours) }
        if let next = erase(
          row: row, column: column, old: old, new: new, tail: tail, doubtfulEnd: doubtfulEnd, &output, &colours)
        {
          column = next
          continue
        }
      }
      if cursor.column != column || cursor.row != row {
        approach(row: row, column: column, old: old, new: new, &output, &colours)
      }
      let wanted = penFor(cell, row: row, column: column, old: old, new: new, &colours)
      if pen != wanted {
        output.writePen(from: pen, to: wanted)
        pen = wanted
      }
      if cell.glyph >= 0x80 || cell.width != 1 || mayRepeat(cell, column, new) {
        column = writeRun(column, old: old, new: new, doubtfulEnd: &doubtfulEnd, &output, &colours)
      } else if cell.glyph > 0x20 {
        column = writeASCII(column, old: old, new: new, &output, colours.depth)
      } else {
        column = writeBlanks(cell, column, old: old, new: new, &output, colours.depth)
      }
    }
  }

  /// Whether the ASCII character of a cell may be the first of so many that repeating it is shorter: of six or more.
  @inline(__always)
  func mayRepeat(_ cell: CellWords, _ column: Int, _ new: CellRow) -> Bool {
    features.repeatsCharacters && column + 5 < columns && new.words(column + 5).glyph == cell.glyph
  }

  // MARK: What is different

  /// The first column from one on whose cells look different, or where a cluster may stand over them.
  @inline(__always)
  private func skipSame(
    from start: Int, _ doubtfulEnd: Int, old: CellRow, new: CellRow,
    _ colours: inout ColourReduction
  ) -> Int {
    var column = start
    while column < columns, column >= doubtfulEnd {
      let one = old.words(column)
      let other = new.words(column)
      if one != other, !Self.looksSame(one, other, features.hasLinks, &colours) { return column }
      column += 1
    }
    return column
  }

  /// Whether two cells look the same on this terminal.
  @inline(__always)
  func isSame(_ old: CellWords, _ new: CellWords, _ colours: inout ColourReduction) -> Bool {
    old == new || Self.looksSame(old, new, features.hasLinks, &colours)
  }

  @inline(__always)
  private static func looksSame(
    _ old: CellWords, _ new: CellWords, _ hasLinks: Bool, _ colours: inout ColourReduction
  ) -> Bool {
    guard old.width == new.width, max(old.glyph, 0x20) == max(new.glyph, 0x20) else { return false }
    guard old.glyph != FrameEncoder.unknownBits, new.width > 0 || old.glyph == new.glyph else { return false }
    guard old.link == new.link || !hasLinks, colours(old.background) == colours(new.background) else { return false }
    if old.isPlainBlank && new.isPlainBlank { return true }
    return old.attributes == new.attributes && colours(old.foreground) == colours(new.foreground)
  }
}
