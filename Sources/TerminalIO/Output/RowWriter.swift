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

extension RowWriter {
  /// Brings the cursor to a cell: by a move, or by writing the unchanged cells between again where that is shorter.
  mutating func approach(
    row: Int, column: Int, old: CellRow, new: CellRow, _ output: inout ByteBuffer,
    _ colours: inout ColourReduction
  ) {
    let target = Cursor(row: row, column: column)
    if cursor == target { return }
    let gap = column - cursor.column
    if cursor.row == row, cursor.column >= 0, gap > 0, gap <= Self.gapLimit {
      let limit = CursorMove(from: cursor, to: target).cost
      let next = penFor(new.words(column), row: row, column: column, old: old, new: new, &colours)
      if let (cost, switchAt) = costOfRewriting(from: cursor.column, to: column, next, new: new, limit, &colours),
        cost <= limit
      {
        for each in cursor.column..<column {
          if each == switchAt {
            output.writePen(from: pen, to: next)
            pen = next
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
  func costOfRewriting(
    from first: Int, to end: Int, _ next: Pen, new: CellRow, _ limit: Int,
    _ colours: inout ColourReduction
  ) -> (cost: Int, switchAt: Int)? {
    if new[first].isContinuation { return nil }
    var cost = 0
    var present = pen
    var switchAt = -1
    for column in first..<end {
      let cell = new[column]
      if cell.isContinuation { continue }
      if isDisputed(cell) { return nil }
      let wanted = fullPen(new.words(column), &colours)
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

  /// Whether an erased cell looks like this one.
  @inline(__always)
  func isErasable(_ cell: CellWords) -> Bool {
    // The tags 0 and 3 are the terminal's own background.
    cell.isPlainBlank && (cell.link == 0 || !features.hasLinks)
      && (features.erasesWithBackground || (cell.background >> 24) % 3 == 0)
  }

  /// The first column from which on a row ends in erasable blanks of one colour.
  func erasableTail(of new: CellRow, _ colours: inout ColourReduction) -> Int {
    var tail = columns
    let last = new.words(columns - 1)
    guard isErasable(last) else { return tail }
    let background = colours(last.background)
    while tail > 0 {
      let cell = new.words(tail - 1)
      guard isErasable(cell), colours(cell.background) == background else { break }
      tail -= 1
    }
    return tail
  }

  /// Erases blanks where that is shorter than writing them.
  ///
  /// Sources: ECMA-48, 8.3.41 EL (`CSI K`), 8.3.38 ECH (`CSI n X`); xterm: both fill with the pen's background.
  ///
  /// - Returns: The column behind what was erased; nil where writing is shorter.
  mutating func erase(
    row: Int, column: Int, old: CellRow, new: CellRow, tail: Int, doubtfulEnd: Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int? {
    let background = colours(new.words(column).background)
    // To the end of the row.
    if column >= tail {
      var last = columns - 1
      while last > column, last >= doubtfulEnd, isSame(old.words(last), new.words(last), &colours) { last -= 1 }
      if last - column < 3 { return nil }
      prepareToErase(row: row, column: column, end: last, old: old, new: new, background, &output, &colours)
      output.reserve(8)
      output.writeCSI()
      output.write(UInt8(ascii: "K"))
      return columns
    }
    // In the middle.
    var end = column + 1
    // Fewer are never shorter to erase.
    guard end + 3 < columns, isErasable(new.words(end + 3)) else { return nil }
    var last = column
    while end < columns {
      let cell = new.words(end)
      guard isErasable(cell), colours(cell.background) == background else { break }
      if end < doubtfulEnd || !isSame(old.words(end), new.words(end), &colours) { last = end }
      end += 1
    }
    var next = end
    if last + 1 < columns, mayBeFirstHalf(old.words(last)) {
      // The first half of a wide character is written over instead: where it is erased, tmux (3.3a) keeps the second
      // half, and blanks both as soon as that is written.
      next = last
      last -= 1
    } else {
      while next < columns, next >= doubtfulEnd, isSame(old.words(next), new.words(next), &colours) { next += 1 }
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

  /// Whether a wide character may begin in what the terminal shows there.
  private func mayBeFirstHalf(_ cell: CellWords) -> Bool {
    cell.width == 2 || cell.glyph == FrameEncoder.unknownBits
  }

  mutating func prepareToErase(
    row: Int, column: Int, end: Int, old: CellRow, new: CellRow, _ background: UInt32,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) {
    approach(row: row, column: column, old: old, new: new, &output, &colours)
    let wanted = penForBlank(
      Pen(background: background), row: row, column: end, old: old, new: new, &colours)
    if pen == wanted { return }
    output.writePen(from: pen, to: wanted)
    pen = wanted
  }

  /// The pen that a cell needs, such that it and what is written next take the fewest bytes.
  @inline(__always)
  func penFor(
    _ cell: CellWords, row: Int, column: Int, old: CellRow, new: CellRow,
    _ colours: inout ColourReduction
  ) -> Pen {
    let wanted = fullPen(cell, &colours)
    guard cell.isPlainBlank else { return wanted }
    return penForBlank(wanted, row: row, column: column, old: old, new: new, &colours)
  }

  /// The pen for a blank at a place. Its ink does not matter, so it is that of what is written next, where that has the
  /// same background; else it is kept, or dropped with everything else where that is shorter in the end.
  func penForBlank(
    _ wanted: Pen, row: Int, column: Int, old: CellRow, new: CellRow,
    _ colours: inout ColourReduction
  ) -> Pen {
    if pen.drawsBlankLike(wanted) { return pen }
    let next = nextInk(row: row, after: column, old: old, new: new, &colours)
    if let next, next.drawsBlankLike(wanted) { return next }
    var kept = pen
    kept.background = wanted.background
    kept.link = wanted.link
    kept.attributes.subtract(Pen.seenOnBlanks)
    let dropped = Pen(background: wanted.background, link: wanted.link)
    if kept == dropped { return kept }
    let keeping = pen.cost(of: kept) + (next.map { kept.cost(of: $0) } ?? 0)
    let dropping = pen.cost(of: dropped) + (next.map { dropped.cost(of: $0) } ?? 0)
    return keeping <= dropping ? kept : dropped
  }

  /// The pen of the next cell with ink that will be written, in this row or a later one.
  private func nextInk(
    row: Int, after column: Int, old: CellRow, new: CellRow, _ colours: inout ColourReduction
  ) -> Pen? {
    for next in column + 1..<max(column + 1, columns) {
      let cell = new.words(next)
      if !cell.isPlainBlank, cell.width > 0, cell != old.words(next) { return fullPen(cell, &colours) }
    }
    return ahead.nextInk(after: row).map { fullPen($0, &colours) }
  }

  @inline(__always)
  func fullPen(_ cell: CellWords, _ colours: inout ColourReduction) -> Pen {
    Pen(
      foreground: colours(cell.foreground), background: colours(cell.background), attributes: cell.attributes,
      link: features.hasLinks ? cell.link : 0)
  }
}

/// The rows of a frame in the order in which they are written.
struct RowsAhead {
  /// What the terminal shows in each row, before cells of the row are moved.
  var old: RowList
  /// What it should show.
  var new: CellGrid
  /// The row that is written first.
  var firstRow: Int

  /// The next changed cell with ink in the rows behind one.
  func nextInk(after row: Int) -> CellWords? {
    var next = (row + 1) % new.rows
    while next != firstRow {
      let (shown, wanted) = (old[next], new[next])
      if !shown.isSame(as: wanted, columns: new.columns) {
        for column in 0..<new.columns {
          let cell = wanted.words(column)
          if !cell.isPlainBlank, cell.width > 0, cell != shown.words(column) { return cell }
        }
      }
      next = (next + 1) % new.rows
    }
    return nil
  }
}
