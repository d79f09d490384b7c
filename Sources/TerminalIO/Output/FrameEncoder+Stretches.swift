import TextCanvas

/// A stretch: changed cells of one row that are written with one pen.
struct CellSpan {
  var row: Int
  /// The columns from the first to the last.
  var columns: Range<Int>
  var pen: Pen
  /// Whether all cells are blank, so that any foreground colour is correct.
  var isBlank: Bool
}

/// A frame of text in few colours is written colour by colour, because a change of the pen takes about nineteen bytes,
/// and a movement to the next row about five.
///
/// Row by row, each row changes the pen several times:
///
/// ```
/// · Opening     0 of 4        pens: dim, bright, dim
/// · Steering    0 of 3        pens: bright, dim
/// ```
///
/// Stretch by stretch, the encoder always continues with the stretch that takes the fewest bytes, including the change
/// of the pen: here it writes both titles, then both numbers. This is tried for short frames, and used if it makes them
/// shorter.
extension FrameEncoder {
  /// The maximum number of stretches to be ordered. The effort grows with the square of their number.
  private static let maximumSpans = 256
  /// The maximum number of unchanged columns within a stretch.
  private static let widestGap = 8

  /// Returns whether ordering is worth trying for a frame. `length` is its number of bytes if it is written row by row.
  func canOrderSpans(of length: Int) -> Bool {
    isPenKnown && length > Self.smallFrame && length <= 2 * maximumOrderedBytes
  }

  /// The maximum length of an ordered frame: it is sent in one slice, because it has no intermediate state at which a
  /// slice could end.
  private var maximumOrderedBytes: Int { min(max(sliceLimit, 256), Self.sliceLimit) - Self.margin }

  /// Writes the frame stretch by stretch after the given moves, and uses the result if it is shorter.
  func keepIfShorterBySpans(_ moves: [VerticalMove], _ new: CellGrid) {
    prepareSources(moves)
    var writer = RowWriter(
      features: features, columns: size.columns, cursor: cursor, pen: pen,
      ahead: RowsAhead(old: sources, new: new, firstRow: firstRow))
    alternativeAttempt.output.count = 0
    if !moves.isEmpty { write(moves, &writer, &alternativeAttempt.output) }
    guard var remaining = spans(new: new, writer) else { return }
    while !remaining.isEmpty {
      write(removeCheapest(of: &remaining, writer), new: new, &writer)
      guard alternativeAttempt.output.count < chosenAttempt.output.count,
        alternativeAttempt.output.count <= maximumOrderedBytes
      else { return }
    }
    alternativeAttempt.moves = moves
    alternativeAttempt.checkpoints.removeAll(keepingCapacity: true)
    alternativeAttempt.checkpoints.append(
      Checkpoint(
        bytes: alternativeAttempt.output.count, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: writer.cursor,
        pen: writer.pen))
    swap(&chosenAttempt, &alternativeAttempt)
  }

  private func removeCheapest(of remaining: inout [CellSpan], _ writer: RowWriter) -> CellSpan {
    var (minimum, best) = (Int.max, 0)
    for index in remaining.indices {
      let cost = writer.cost(of: remaining[index])
      if cost < minimum { (minimum, best) = (cost, index) }
    }
    remaining.swapAt(best, remaining.count - 1)
    return remaining.removeLast()
  }

  /// Finds all stretches, and copies the rows that contain them to the spare rows. Returns `nil` if there are too many.
  private func spans(new: CellGrid, _ writer: RowWriter) -> [CellSpan]? {
    var spans: [CellSpan] = []
    spans.reserveCapacity(Self.maximumSpans)
    for offset in 0..<size.rows {
      let row = (firstRow + offset) % size.rows
      let (old, target) = (sources[row], new[row])
      if old.isSame(as: target, columns: size.columns) { continue }
      spare.grid.set(row, to: old)
      append(row: row, old: old, new: target, writer, to: &spans)
      if spans.count > Self.maximumSpans { return nil }
    }
    return spans
  }

  private func append(
    row: Int, old: CellRow, new: CellRow, _ writer: RowWriter, to spans: inout [CellSpan]
  ) {
    let first = spans.count
    // If a cell of a row is or may be wider than one column, the row is one stretch, so that wide characters are not
    // split.
    let isWhole = spare.hasWideOrUnknownCells(old, features) || spare.hasWideOrUnknownCells(new, features)
    for column in 0..<size.columns where !writer.isSame(old.packedCell(column), new.packedCell(column), &colours) {
      let cell = new.packedCell(column)
      let pen = writer.fullPen(cell, &colours)
      if spans.count > first, let last = spans.last, isWhole || last.reaches(column, Self.widestGap) {
        if isWhole || last.takes(cell, pen) {
          spans[spans.count - 1].add(column, cell, pen)
          continue
        }
      }
      spans.append(CellSpan(row: row, columns: column..<column + 1, pen: pen, isBlank: cell.isPlainBlank))
    }
    if isWhole, spans.count > first { spans[first].columns = 0..<size.columns }
  }

  private func write(_ stretch: CellSpan, new: CellGrid, _ writer: inout RowWriter) {
    let row = stretch.row
    let draft = spare.grid[row]
    spare.grid.set(spare.movedRow, to: draft)
    spare.grid.set(stretch.columns, of: spare.movedRow, to: new[row])
    _ = writer.write(
      row: row, old: draft, new: spare.moved, from: stretch.columns.lowerBound, into: &alternativeAttempt.output,
      reducing: &colours, stop: .max)
    spare.grid.set(row, to: spare.moved)
  }
}

extension CellSpan {
  fileprivate func reaches(_ column: Int, _ gap: Int) -> Bool { column - columns.upperBound <= gap }

  /// Returns whether a cell can be written with the pen of the stretch.
  fileprivate func takes(_ cell: PackedCell, _ other: Pen) -> Bool {
    isBlank || cell.isPlainBlank ? pen.drawsBlankLike(other) : pen == other
  }

  fileprivate mutating func add(_ column: Int, _ cell: PackedCell, _ other: Pen) {
    columns = columns.lowerBound..<column + 1
    guard isBlank, !cell.isPlainBlank else { return }
    (pen, isBlank) = (other, false)
  }
}

extension RowWriter {
  /// Returns the number of bytes before the stretch can be written: for the movement and the change of the pen.
  fileprivate func cost(of stretch: CellSpan) -> Int {
    let start = Cursor(row: stretch.row, column: stretch.columns.lowerBound)
    let isRight = pen == stretch.pen || stretch.isBlank && pen.drawsBlankLike(stretch.pen)
    return CursorMove(from: cursor, to: start).cost + (isRight ? 0 : pen.cost(of: stretch.pen))
  }
}
