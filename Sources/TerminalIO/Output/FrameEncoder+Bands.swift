import TextCanvas

/// If a part of the screen moves up or down next to a part that does not, the rows that the terminal moves contain
/// both, and the second part must be written again. The gain is calculated for each row:
///
/// ```
/// row    moves    stays     written where it is    written where it was moved to
///  5     ─────    words     15                     5      moving it gains 10
///  6     a word   words      6                     5
///  7              words      0                     5      moving it loses 5
/// ```
///
/// The band of rows with the greatest sum is moved, and then further bands above and below it that have a gain. In each
/// band, as many rows become blank as the distance of the move.
extension FrameEncoder {
  /// The maximum number of bands that are moved by the same distance.
  private static let maximumBands = 4
  /// The cost of a move in bytes: setting the region, moving, and resetting the region.
  private static let moveCost = 12

  /// Returns the bands of rows that are shorter to write after a move, starting with the greatest gain.
  ///
  /// - Parameters:
  ///   - rows: The distance in rows down, negative upwards. Not 0.
  ///   - moves: The moves that are made before.
  ///   - new: The required contents.
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
    var (bands, remaining): ([VerticalMove], [Range<Int>]) = ([], [0..<size.rows])
    while bands.count < Self.maximumBands, let range = remaining.popLast() {
      guard let band = best(in: range, movedBy: rows, gains, blankGains) else { continue }
      bands.append(band)
      remaining += [range.lowerBound..<band.top, band.bottom..<range.upperBound]
    }
    return bands
  }

  /// Returns the band of a range with the greatest gain, or `nil` if no gain exceeds the cost of its move.
  ///
  /// - Parameters:
  ///   - range: The rows.
  ///   - rows: The distance in rows down, negative upwards.
  ///   - gains: For each row, the sum of the gains of all rows above it if they are moved.
  ///   - blankGains: The same if they become blank.
  private func best(in range: Range<Int>, movedBy rows: Int, _ gains: [Int], _ blankGains: [Int]) -> VerticalMove? {
    let count = abs(rows)
    guard range.count > count else { return nil }
    var (maximumGain, band) = (Self.moveCost, nil as VerticalMove?)
    var (start, top) = (Int.min, range.lowerBound)
    for bottom in range.lowerBound + count + 1...range.upperBound {
      // The gain of a band is the sum of a part that depends on its top and a part that depends on its bottom.
      let candidate = bottom - count - 1
      let before =
        rows < 0
        ? -gains[candidate]
        : blankGains[candidate + count] - blankGains[candidate] - gains[candidate + count]
      if before > start { (start, top) = (before, candidate) }
      let after =
        rows < 0 ? gains[bottom - count] + blankGains[bottom] - blankGains[bottom - count] : gains[bottom]
      if start + after > maximumGain {
        (maximumGain, band) = (start + after, VerticalMove(top: top, bottom: bottom, rows: rows))
      }
    }
    return band
  }

  /// Returns the number of bytes to write a row over the contents of `source`, independent of all other rows.
  private func cost(of row: Int, from source: CellRow, _ new: CellGrid) -> Int {
    let target = new[row]
    if source.isSame(as: target, columns: size.columns) { return 0 }
    var writer = RowWriter(
      features: features, columns: size.columns, cursor: Cursor(row: row, column: 0), pen: Pen(),
      ahead: RowsAhead(old: sources, new: new, firstRow: firstRow))
    alternativeAttempt.output.count = 0
    _ = writer.write(
      row: row, old: source, new: target, from: 0, into: &alternativeAttempt.output, reducing: &colours, stop: .max)
    return alternativeAttempt.output.count
  }
}
