/// What the terminal should show next, and what is known about how it came to be.
public struct Frame: Hashable, Sendable {
  /// Every cell of the screen; nothing in it is clear.
  public var surface: Surface
  /// Regions that moved since the frame before, the largest first. Hints: a picture never depends on one being right.
  public var shifts: [RegionShift]

  /// Makes a frame.
  public init(surface: Surface, shifts: [RegionShift] = []) {
    self.surface = surface
    self.shifts = shifts
  }
}

/// A region whose content moved within it.
///
/// What stood at (c, r) of the region stands now at (c + columns, r + rows), where that lies in the region too; what
/// left it is gone, and what came in is new.
public struct RegionShift: Hashable, Sendable {
  /// The cells within which something moved: where it was and where it is.
  public var rect: CellRect
  /// Columns to the right; negative to the left.
  public var columns: Int
  /// Rows down; negative up.
  public var rows: Int

  /// Makes a shift.
  public init(rect: CellRect, columns: Int = 0, rows: Int = 0) {
    self.rect = rect
    self.columns = columns
    self.rows = rows
  }
}
