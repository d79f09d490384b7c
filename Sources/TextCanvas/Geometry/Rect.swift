import WholeNumbers

/// A position in cells and fractions of cells. x increases to the right, y increases downwards.
public struct Point: Hashable, Sendable {
  /// The distance from the left edge in columns.
  public var x: Double
  /// The distance from the top edge in rows.
  public var y: Double

  /// The top left corner.
  public static let zero = Point(x: 0, y: 0)

  /// Creates a position.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in cells and fractions of cells.
public struct Size: Hashable, Sendable {
  /// The width in columns.
  public var width: Double
  /// The height in rows.
  public var height: Double

  /// The empty size.
  public static let zero = Size(width: 0, height: 0)

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The size in whole cells.
  package var cells: CellSize { CellSize(columns: nearestCell(width), rows: nearestCell(height)) }
}

/// A rectangle in cells and fractions of cells. It is rounded to whole cells only when it is drawn.
public struct Rect: Hashable, Sendable {
  /// The distance from the left edge of the parent in columns.
  public var x: Double
  /// The distance from the top edge of the parent in rows.
  public var y: Double
  /// The width in columns.
  public var width: Double
  /// The height in rows.
  public var height: Double

  /// The empty rectangle at the top left corner.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Creates a rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle from its top left corner and its size.
  public init(origin: Point, size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// Creates a rectangle from whole cells.
  public init(_ cells: CellRect) {
    self.init(
      x: Double(cells.column), y: Double(cells.row), width: Double(cells.columns), height: Double(cells.rows))
  }

  /// The top left corner.
  public var origin: Point {
    get { Point(x: x, y: y) }
    set { (x, y) = (newValue.x, newValue.y) }
  }

  /// The width and height.
  public var size: Size {
    get { Size(width: width, height: height) }
    set { (width, height) = (newValue.width, newValue.height) }
  }

  /// The x coordinate of the right edge.
  public var maxX: Double { x + width }
  /// The y coordinate of the bottom edge.
  public var maxY: Double { y + height }
  /// The x coordinate of the centre.
  public var midX: Double { x + width / 2 }
  /// The y coordinate of the centre.
  public var midY: Double { y + height / 2 }

  /// Returns the rectangle moved by a distance.
  public func offset(x dx: Double = 0, y dy: Double = 0) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// Returns whether the rectangle contains a point. The left and top edges belong to it, the right and bottom edges do
  /// not.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// The cells in which the rectangle is drawn. Each edge is rounded to the nearest cell boundary, so adjacent
  /// rectangles stay adjacent, and a rectangle with a whole-number size keeps its size at each position.
  public var cells: CellRect {
    let left = nearestCell(x)
    let top = nearestCell(y)
    return CellRect(
      column: left, row: top, columns: max(0, nearestCell(maxX) - left), rows: max(0, nearestCell(maxY) - top))
  }
}

/// Returns the cell boundary nearest to a fractional coordinate. All rounding of positions uses this function.
///
/// Halves are rounded up (0.5 → 1, -0.5 → 0), for negative coordinates too, so that elements that move together are
/// rounded together. NaN counts as 0. The result is limited to ±1,000,000.
public func nearestCell(_ coordinate: Double) -> Int {
  max(-1_000_000, min(1_000_000, Int(clamping: (coordinate + 0.5).rounded(.down))))
}
