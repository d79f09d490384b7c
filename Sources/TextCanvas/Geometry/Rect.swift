/// A place on the canvas in cells, which may lie between cells; x grows to the right, y grows down.
public struct Point: Hashable, Sendable {
  /// Columns from the left edge.
  public var x: Double
  /// Rows from the top edge.
  public var y: Double

  /// The top left corner.
  public static let zero = Point(x: 0, y: 0)

  /// Makes a place.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in cells, which may be parts of cells.
public struct Size: Hashable, Sendable {
  /// Columns.
  public var width: Double
  /// Rows.
  public var height: Double

  /// Nothing.
  public static let zero = Size(width: 0, height: 0)

  /// Makes a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// A rectangle in cells, whose edges may lie between cells; it becomes whole cells only when it is drawn.
public struct Rect: Hashable, Sendable {
  /// Columns from the left edge of what it lies in.
  public var x: Double
  /// Rows from the top edge of what it lies in.
  public var y: Double
  /// Columns wide.
  public var width: Double
  /// Rows high.
  public var height: Double

  /// Nothing, at the top left corner.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Makes a rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Makes a rectangle from a corner and a size.
  public init(origin: Point, size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  /// Makes a rectangle that covers whole cells.
  public init(_ cells: CellRect) {
    self.init(
      x: Double(cells.column), y: Double(cells.row), width: Double(cells.columns), height: Double(cells.rows))
  }

  /// The top left corner.
  public var origin: Point {
    get { Point(x: x, y: y) }
    set { (x, y) = (newValue.x, newValue.y) }
  }

  /// Width and height.
  public var size: Size {
    get { Size(width: width, height: height) }
    set { (width, height) = (newValue.width, newValue.height) }
  }

  /// The first column behind it.
  public var maxX: Double { x + width }
  /// The first row below it.
  public var maxY: Double { y + height }
  /// The column of its middle.
  public var midX: Double { x + width / 2 }
  /// The row of its middle.
  public var midY: Double { y + height / 2 }

  /// The same rectangle, moved.
  public func offset(x dx: Double = 0, y dy: Double = 0) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// Whether a place lies in it; the left and top edges belong to it, the right and bottom ones do not.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// The cells it is drawn in: each edge at its nearest cell boundary, so that neighbours stay neighbours and a
  /// rectangle of whole size keeps its size wherever it stands.
  public var cells: CellRect {
    let left = nearestCell(x)
    let top = nearestCell(y)
    return CellRect(
      column: left, row: top, columns: max(0, nearestCell(maxX) - left), rows: max(0, nearestCell(maxY) - top))
  }
}

/// Returns the cell boundary nearest to a fractional coordinate: the one rule by which the canvas rounds.
///
/// Halves go up (0.5 → 1, -0.5 → 0), on both sides of zero alike, so that what moves as one rounds as one. What is not
/// a number counts as 0, and what is beyond a million cells as a million.
public func nearestCell(_ coordinate: Double) -> Int {
  guard coordinate == coordinate else { return 0 }
  return Int(max(-1_000_000, min(1_000_000, (coordinate + 0.5).rounded(.down))))
}
