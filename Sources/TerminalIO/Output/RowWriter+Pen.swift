import TextCanvas

extension RowWriter {
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
