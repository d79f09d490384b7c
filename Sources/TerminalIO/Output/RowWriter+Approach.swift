import TextCanvas

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
}
