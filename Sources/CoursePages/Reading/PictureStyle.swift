package import Pictures

/// What a text makes of the pictures that are kept with its course.
package enum PictureStyle: Hashable, Sendable {
  /// Their descriptions stand in its lines, as words do.
  case words
  /// Their descriptions stand in frames.
  case frames
  /// They take as many rows as they need, and their descriptions stand below them.
  ///
  /// - Parameters:
  ///   - rows: The most rows of one, at least 1.
  ///   - cell: The pixels of a cell, by which a small picture is known from a large one.
  case drawn(rows: Int, cell: CellPixels)

  /// The same with at most so many rows for one.
  package func atMost(rows: Int) -> PictureStyle {
    guard case .drawn(let most, let cell) = self else { return self }
    return .drawn(rows: max(1, min(most, rows)), cell: cell)
  }

  /// The same with half the rows for one.
  package var halved: PictureStyle {
    guard case .drawn(let most, let cell) = self else { return self }
    return .drawn(rows: max(1, most / 2), cell: cell)
  }

  /// The pixels of a cell of a terminal that does not say.
  package static let usualCell = CellPixels(width: 8, height: 16)
}
