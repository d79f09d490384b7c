public import TextCanvas

/// A random screen and its successor.
public struct FramePair {
  /// The first screen.
  public let shown: Surface
  /// The second screen, with shift hints that may be wrong.
  public let wanted: Frame

  /// Creates the pair for a seed.
  public init(seed: UInt64, columns: Int, rows: Int) {
    var frames = RandomFrames(seed: seed)
    let first = frames.first(columns: columns, rows: rows)
    var next = frames.next(after: first)
    while next.surface == first.surface { next = frames.next(after: first) }
    var surface = first.surface
    // A plain cell in the last position ensures that the encoder starts with the default pen state.
    surface[columns - 1, rows - 1] = Cell(Glyph("·"))
    self.shown = surface
    wanted = next
  }

  /// Screens to show before the pair. After them, the cursor is after the last column of the last row, and the pen has
  /// the default state.
  public var begin: [Surface] {
    var before = shown
    before[shown.columns - 1, shown.rows - 1] = Cell(Glyph("x"))
    return [before, shown]
  }
}
