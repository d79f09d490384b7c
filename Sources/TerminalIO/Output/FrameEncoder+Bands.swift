import TextCanvas

/// Where a part of the screen moves up or down beside another that stands still, the terminal can move whole rows only:
/// what stands has to be written again. Which rows are worth it is weighed row by row:
///
/// ```
/// row    moves    stands    written where it is    written where it was moved to
///  5     ─────    words     15                     5      moving it gains 10
///  6     a word   words      6                     5
///  7              words      0                     5      moving it loses 5
/// ```
///
/// A band of rows with the greatest sum is moved, then those above and below it that gain anything too. In a band as many
/// rows as it moves by become blank.
extension FrameEncoder {
  /// The most bands that are moved by the same number of rows.
  private static let mostBands = 4
  /// What a move costs: the region, the move, and no region again.
  private static let moveCost = 12

  /// Finds the bands of rows that are shorter to write after a move, from the greatest gain on.
  ///
  /// - Parameters:
  ///   - rows: By how many rows down; negative up. Not 0.
  ///   - moves: What is moved before.
  func bands(movedBy rows: Int, after moves: [VerticalMove], new: CellGrid) -> [VerticalMove] {
    prepareSources(moves)
    var (gains, blankGains) = ([0], [0])
    gains.reserveCapacity(size.rows + 1)
    blankGains.reserveCapacity(size.rows + 1)
    for row in 0..<size.rows {
      let plain = cost(of: row, from: sources[row], new)
      let source = row - rows
      let moved = source >= 0 && source < size.rows ? cost(of: row, from: sources[source], new) : plain
      gains.append(gains[row] + plain - moved)
      blankGains.append(blankGains[row] + plain - cost(of: row, from: spare.blank, new))
    }
    var (found, left): ([VerticalMove], [Range<Int>]) = ([], [0..<size.rows])
    while found.count < Self.mostBands, let range = left.popLast() {
      guard let band = best(in: range, movedBy: rows, gains, blankGains) else { continue }
      found.append(band)
      left += [range.lowerBound..<band.top, band.bottom..<range.upperBound]
    }
    return found
  }

  /// The band of a range that gains most; nil where none gains more than its move costs.
  ///
  /// - Parameters:
  ///   - gains: For each row the sum of what all rows above it gain where they are moved to.
  ///   - blankGains: The same where they become blank.
  private func best(in range: Range<Int>, movedBy rows: Int, _ gains: [Int], _ blankGains: [Int]) -> VerticalMove? {
    let count = abs(rows)
    guard range.count > count else { return nil }
    var (most, band) = (Self.moveCost, nil as VerticalMove?)
    var (start, top) = (Int.min, range.lowerBound)
    for bottom in range.lowerBound + count + 1...range.upperBound {
      // What a band gains is a part that its top decides, and a part that its bottom does.
      let candidate = bottom - count - 1
      let before =
        rows < 0
        ? -gains[candidate]
        : blankGains[candidate + count] - blankGains[candidate] - gains[candidate + count]
      if before > start { (start, top) = (before, candidate) }
      let after =
        rows < 0 ? gains[bottom - count] + blankGains[bottom] - blankGains[bottom - count] : gains[bottom]
      if start + after > most {
        (most, band) = (start + after, VerticalMove(top: top, bottom: bottom, rows: rows))
      }
    }
    return band
  }

  /// Bytes of a row by itself, written over another.
  private func cost(of row: Int, from source: CellRow, _ new: CellGrid) -> Int {
    let target = new[row]
    if source.isSame(as: target, columns: size.columns) { return 0 }
    var writer = RowWriter(
      features: features, columns: size.columns, cursor: Cursor(row: row, column: 0), pen: Pen(),
      ahead: RowsAhead(old: sources, new: new, firstRow: firstRow))
    other.output.count = 0
    _ = writer.write(
      row: row, old: source, new: target, from: 0, into: &other.output, reducing: &colours, stop: .max)
    return other.output.count
  }
}
