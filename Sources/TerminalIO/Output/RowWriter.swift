import TextCanvas

/// Writes the cells of rows that differ from the contents of the terminal, and keeps track of the cursor and the pen.
///
/// The writer is copied for each attempt. Therefore it contains no cells: the contents of the terminal and the required
/// contents are parameters.
struct RowWriter {
  /// The features that the writer may use.
  let features: OutputFeatures
  /// The number of columns of the terminal.
  let columns: Int
  /// The position of the cursor.
  var cursor: Cursor
  /// The current pen.
  var pen: Pen
  /// The rows that will be written later.
  let ahead: RowsAhead

  /// The maximum number of unchanged cells that are written again instead of moving the cursor over them.
  static let gapLimit = 8

  /// Writes one row.
  ///
  /// - Parameters:
  ///   - row: The zero-based index of the row.
  ///   - old: The contents of the terminal in this row.
  ///   - new: The required contents.
  ///   - start: The first column to write. The columns before it are already correct.
  ///   - output: Receives the bytes.
  ///   - colours: Reduces colours to those of the terminal.
  ///   - stop: The number of bytes in `output` at which the writer stops before the next cell.
  /// - Returns: The first column that was not written, or `columns` if the row is complete.
  mutating func write(
    row: Int, old: CellRow, new: CellRow, from start: Int, into output: inout ByteBuffer,
    reducing colours: inout ColourReduction, stop: Int
  ) -> Int {
    var column = start
    // Columns before this one are written even if they seem unchanged, because a cluster may have covered them.
    var doubtfulEnd = 0
    var tail = -1
    while true {
      column = skipSame(from: column, doubtfulEnd, old: old, new: new, &colours)
      if column >= columns { return columns }
      if column > start, new.packedCell(column).width == 0 { column -= 1 }
      if output.count >= stop { return column }

      let cell = new.packedCell(column)
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
      let target = penFor(cell, row: row, column: column, old: old, new: new, &colours)
      if pen != target {
        output.writePen(from: pen, to: target)
        pen = target
      }
      if cell.glyph >= 0x80 || cell.width != 1 || mayRepeat(cell, column, new) {
        column = writeRun(column, old: old, new: new, doubtfulEnd: &doubtfulEnd, &output, &colours)
      } else if cell.glyph > 0x20 {
        column = writeASCII(column, old: old, new: new, &output, colours.colourDepth)
      } else {
        column = writeBlanks(cell, column, old: old, new: new, &output, colours.colourDepth)
      }
    }
  }

  /// Returns whether the ASCII character of a cell may be the first of six or more equal ones, which are shorter to
  /// repeat.
  @inline(__always)
  func mayRepeat(_ cell: PackedCell, _ column: Int, _ new: CellRow) -> Bool {
    features.repeatsCharacters && column + 5 < columns && new.packedCell(column + 5).glyph == cell.glyph
  }

  // MARK: Differences

  /// Returns the first column, starting at the given one, in which the cells look different or which a cluster may have
  /// covered.
  @inline(__always)
  private func skipSame(
    from start: Int, _ doubtfulEnd: Int, old: CellRow, new: CellRow,
    _ colours: inout ColourReduction
  ) -> Int {
    var column = start
    while column < columns, column >= doubtfulEnd {
      let one = old.packedCell(column)
      let other = new.packedCell(column)
      if one != other, !Self.isVisuallyEqual(one, other, features.hasLinks, &colours) { return column }
      column += 1
    }
    return column
  }

  /// Returns whether two cells look the same on this terminal.
  @inline(__always)
  func isSame(_ old: PackedCell, _ new: PackedCell, _ colours: inout ColourReduction) -> Bool {
    old == new || Self.isVisuallyEqual(old, new, features.hasLinks, &colours)
  }

  @inline(__always)
  private static func isVisuallyEqual(
    _ old: PackedCell, _ new: PackedCell, _ hasLinks: Bool, _ colours: inout ColourReduction
  ) -> Bool {
    guard old.width == new.width, max(old.glyph, 0x20) == max(new.glyph, 0x20) else { return false }
    guard old.glyph != FrameEncoder.unknownBits, new.width > 0 || old.glyph == new.glyph else { return false }
    guard old.link == new.link || !hasLinks, colours(old.background) == colours(new.background) else { return false }
    if old.isPlainBlank && new.isPlainBlank { return true }
    return old.attributes == new.attributes && colours(old.foreground) == colours(new.foreground)
  }
}

extension RowWriter {
  /// Moves the cursor to a cell, either with a cursor movement or by writing the unchanged cells in between again,
  /// whichever is shorter.
  mutating func approach(
    row: Int, column: Int, old: CellRow, new: CellRow, _ output: inout ByteBuffer,
    _ colours: inout ColourReduction
  ) {
    let target = Cursor(row: row, column: column)
    if cursor == target { return }
    let gap = column - cursor.column
    if cursor.row == row, cursor.column >= 0, gap > 0, gap <= Self.gapLimit {
      let limit = CursorMove(from: cursor, to: target).cost
      let next = penFor(new.packedCell(column), row: row, column: column, old: old, new: new, &colours)
      if let (cost, switchAt) = costOfRewriting(from: cursor.column, to: column, next, new: new, limit, &colours),
        cost <= limit
      {
        for current in cursor.column..<column {
          if current == switchAt {
            output.writePen(from: pen, to: next)
            pen = next
          }
          if !new[current].isContinuation { writeGlyph(new[current], &output) }
        }
        cursor.column = column
        return
      }
    }
    output.writeMove(from: cursor, to: target)
    cursor = target
  }

  /// Returns the number of bytes to write unchanged cells again with the current pen and, from some column on, with the
  /// pen of the next changed cell, which is needed anyway. Returns `nil` if a third pen would be needed.
  func costOfRewriting(
    from first: Int, to end: Int, _ next: Pen, new: CellRow, _ limit: Int,
    _ colours: inout ColourReduction
  ) -> (cost: Int, switchAt: Int)? {
    if new[first].isContinuation { return nil }
    var cost = 0
    var current = pen
    var switchAt = -1
    for column in first..<end {
      let cell = new[column]
      if cell.isContinuation { continue }
      if isDisputed(cell) { return nil }
      let target = fullPen(new.packedCell(column), &colours)
      let fits = { (pen: Pen) in pen == target || cell.glyph.bits <= 0x20 && pen.drawsBlankLike(target) }
      if !fits(current) {
        guard switchAt < 0, fits(next) else { return nil }
        current = next
        switchAt = column
      }
      cost += encodedLength(cell)
      if cost > limit { return nil }
    }
    return (cost, switchAt)
  }

  /// Returns whether an erased cell looks like this one.
  @inline(__always)
  func isErasable(_ cell: PackedCell) -> Bool {
    // The tags 0 and 3 are the terminal's default background.
    cell.isPlainBlank && (cell.link == 0 || !features.hasLinks)
      && (features.erasesWithBackground || (cell.background >> 24) % 3 == 0)
  }

  /// Returns the column at which a row's tail of erasable blanks of one colour begins.
  func erasableTail(of new: CellRow, _ colours: inout ColourReduction) -> Int {
    var tail = columns
    let last = new.packedCell(columns - 1)
    guard isErasable(last) else { return tail }
    let background = colours(last.background)
    while tail > 0 {
      let cell = new.packedCell(tail - 1)
      guard isErasable(cell), colours(cell.background) == background else { break }
      tail -= 1
    }
    return tail
  }

  /// Erases blanks if that is shorter than writing them.
  ///
  /// Sources: ECMA-48, 8.3.41 EL (`CSI K`), 8.3.38 ECH (`CSI n X`); xterm: both fill with the pen's background.
  ///
  /// - Returns: The column after the erased cells, or `nil` if writing is shorter.
  mutating func erase(
    row: Int, column: Int, old: CellRow, new: CellRow, tail: Int, doubtfulEnd: Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int? {
    let background = colours(new.packedCell(column).background)
    // Erase to the end of the row.
    if column >= tail {
      var last = columns - 1
      while last > column, last >= doubtfulEnd, isSame(old.packedCell(last), new.packedCell(last), &colours) {
        last -= 1
      }
      if last - column < 3 { return nil }
      prepareToErase(row: row, column: column, end: last, old: old, new: new, background, &output, &colours)
      output.reserve(8)
      output.writeCSI()
      output.write(UInt8(ascii: "K"))
      return columns
    }
    // Erase in the middle of the row.
    var end = column + 1
    // Erasing fewer cells is never shorter.
    guard end + 3 < columns, isErasable(new.packedCell(end + 3)) else { return nil }
    var last = column
    while end < columns {
      let cell = new.packedCell(end)
      guard isErasable(cell), colours(cell.background) == background else { break }
      if end < doubtfulEnd || !isSame(old.packedCell(end), new.packedCell(end), &colours) { last = end }
      end += 1
    }
    var next = end
    if last + 1 < columns, mayBeFirstHalf(old.packedCell(last)) {
      // The first half of a wide character is overwritten instead. If it is erased, tmux (3.3a) keeps the second half,
      // and blanks both when the second half is written.
      next = last
      last -= 1
    } else {
      while next < columns, next >= doubtfulEnd, isSame(old.packedCell(next), new.packedCell(next), &colours) {
        next += 1
      }
    }
    let count = last + 1 - column
    guard count > 4 else { return nil }
    var detour = 0
    if next < columns {
      let after = Cursor(row: row, column: next)
      detour =
        CursorMove(from: Cursor(row: row, column: column), to: after).cost
        - min(CursorMove(from: Cursor(row: row, column: last + 1), to: after).cost, next - last - 1)
    }
    let written = features.repeatsCharacters ? min(count, 4 + digits(count - 1)) : count
    guard 3 + digits(count) + detour < written else { return nil }
    prepareToErase(row: row, column: column, end: last, old: old, new: new, background, &output, &colours)
    output.reserve(16)
    output.writeSequence(count, UInt8(ascii: "X"))
    return last + 1
  }

  /// Returns whether a wide character may start in a cell of the terminal.
  private func mayBeFirstHalf(_ cell: PackedCell) -> Bool {
    cell.width == 2 || cell.glyph == FrameEncoder.unknownBits
  }

  mutating func prepareToErase(
    row: Int, column: Int, end: Int, old: CellRow, new: CellRow, _ background: UInt32,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) {
    approach(row: row, column: column, old: old, new: new, &output, &colours)
    let target = penForBlank(
      Pen(background: background), row: row, column: end, old: old, new: new, &colours)
    if pen == target { return }
    output.writePen(from: pen, to: target)
    pen = target
  }

  /// Returns the pen for a cell, chosen so that the cell and the following output take the fewest bytes.
  @inline(__always)
  func penFor(
    _ cell: PackedCell, row: Int, column: Int, old: CellRow, new: CellRow,
    _ colours: inout ColourReduction
  ) -> Pen {
    let target = fullPen(cell, &colours)
    guard cell.isPlainBlank else { return target }
    return penForBlank(target, row: row, column: column, old: old, new: new, &colours)
  }

  /// Returns the pen for a blank. Its foreground is not visible, so it is that of the following output if the
  /// background is the same. Otherwise the current foreground is kept or reset, whichever is shorter together with the
  /// following output.
  func penForBlank(
    _ target: Pen, row: Int, column: Int, old: CellRow, new: CellRow,
    _ colours: inout ColourReduction
  ) -> Pen {
    if pen.drawsBlankLike(target) { return pen }
    let next = nextVisibleCell(row: row, after: column, old: old, new: new, &colours)
    if let next, next.drawsBlankLike(target) { return next }
    var keptPen = pen
    keptPen.background = target.background
    keptPen.link = target.link
    keptPen.attributes.subtract(Pen.visibleOnBlanks)
    let plainPen = Pen(background: target.background, link: target.link)
    if keptPen == plainPen { return keptPen }
    let keeping = pen.cost(of: keptPen) + (next.map { keptPen.cost(of: $0) } ?? 0)
    let dropping = pen.cost(of: plainPen) + (next.map { plainPen.cost(of: $0) } ?? 0)
    return keeping <= dropping ? keptPen : plainPen
  }

  /// Returns the pen of the next visible cell that will be written, in this row or a later one.
  private func nextVisibleCell(
    row: Int, after column: Int, old: CellRow, new: CellRow, _ colours: inout ColourReduction
  ) -> Pen? {
    for next in column + 1..<max(column + 1, columns) {
      let cell = new.packedCell(next)
      if !cell.isPlainBlank, cell.width > 0, cell != old.packedCell(next) { return fullPen(cell, &colours) }
    }
    return ahead.nextVisibleCell(after: row).map { fullPen($0, &colours) }
  }

  @inline(__always)
  func fullPen(_ cell: PackedCell, _ colours: inout ColourReduction) -> Pen {
    Pen(
      foreground: colours(cell.foreground), background: colours(cell.background), attributes: cell.attributes,
      link: features.hasLinks ? cell.link : 0)
  }
}

/// The rows of a frame in the order in which they are written.
struct RowsAhead {
  /// The contents of the terminal in each row, before cells of the row are moved.
  var old: RowList
  /// The required contents.
  var new: CellGrid
  /// The row that is written first.
  var firstRow: Int

  /// Returns the next changed visible cell in the rows after the given one.
  func nextVisibleCell(after row: Int) -> PackedCell? {
    var next = (row + 1) % new.rows
    while next != firstRow {
      let (displayed, target) = (old[next], new[next])
      if !displayed.isSame(as: target, columns: new.columns) {
        for column in 0..<new.columns {
          let cell = target.packedCell(column)
          if !cell.isPlainBlank, cell.width > 0, cell != displayed.packedCell(column) { return cell }
        }
      }
      next = (next + 1) % new.rows
    }
    return nil
  }
}
