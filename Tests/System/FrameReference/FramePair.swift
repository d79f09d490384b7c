public import TextCanvas

/// A screen and another that follows it, by a seed.
public struct FramePair {
  /// What is shown first.
  public let shown: Surface
  /// What follows, with hints that are right or not.
  public let wanted: Frame

  /// Makes a pair.
  public init(seed: UInt64, columns: Int, rows: Int) {
    var frames = RandomFrames(seed: seed)
    let first = frames.first(columns: columns, rows: rows)
    var next = frames.next(after: first)
    while next.surface == first.surface { next = frames.next(after: first) }
    var shown = first.surface
    // Written last and plainly, so that an encoder comes from there with a plain ink in hand.
    shown[columns - 1, rows - 1] = Cell(Glyph("·"))
    self.shown = shown
    wanted = next
  }

  /// The screens to show before, so that the cursor is behind the last column of the last row, and the ink is plain.
  public var begin: [Surface] {
    var before = shown
    before[shown.columns - 1, shown.rows - 1] = Cell(Glyph("x"))
    return [before, shown]
  }
}
