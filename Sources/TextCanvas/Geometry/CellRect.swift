/// The position of a cell. Columns and rows are numbered from 0 at the top left.
public struct CellPoint: Hashable, Sendable {
  /// The number of columns to the left of the cell.
  public var column: Int
  /// The number of rows above the cell.
  public var row: Int

  /// The top left cell.
  public static let zero = CellPoint(column: 0, row: 0)

  /// Creates a position.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A size in whole cells.
public struct CellSize: Hashable, Sendable {
  /// The number of columns.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// The empty size.
  public static let zero = CellSize(columns: 0, rows: 0)

  /// Creates a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of whole cells.
public struct CellRect: Hashable, Sendable {
  /// The first column.
  public var column: Int
  /// The first row.
  public var row: Int
  /// The number of columns, not negative.
  public var columns: Int
  /// The number of rows, not negative.
  public var rows: Int

  /// The empty rectangle at the top left corner.
  public static let zero = CellRect(column: 0, row: 0, columns: 0, rows: 0)

  /// Creates a rectangle. A negative size counts as 0.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// Creates a rectangle of the given size at the top left corner.
  public init(_ size: CellSize) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  /// The first column to the right of the rectangle.
  public var endColumn: Int { column + columns }
  /// The first row below the rectangle.
  public var endRow: Int { row + rows }
  /// The top left cell.
  public var origin: CellPoint { CellPoint(column: column, row: row) }
  /// The size.
  public var size: CellSize { CellSize(columns: columns, rows: rows) }
  /// Whether the rectangle contains no cell.
  public var isEmpty: Bool { columns == 0 || rows == 0 }

  /// Returns the rectangle moved by a number of columns and rows.
  public func offset(columns dx: Int = 0, rows dy: Int = 0) -> CellRect {
    CellRect(column: column + dx, row: row + dy, columns: columns, rows: rows)
  }

  /// Returns the rectangle with its edges moved inwards. Negative values move them outwards.
  public func inset(columns dx: Int = 0, rows dy: Int = 0) -> CellRect {
    CellRect(column: column + dx, row: row + dy, columns: columns - 2 * dx, rows: rows - 2 * dy)
  }

  /// Returns the common part of both rectangles, which is empty if they do not overlap.
  public func intersection(_ other: CellRect) -> CellRect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return CellRect(
      column: left, row: top, columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
  }

  /// Returns the smallest rectangle that contains both. An empty rectangle is ignored.
  public func union(_ other: CellRect) -> CellRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(column, other.column)
    let top = min(row, other.row)
    return CellRect(
      column: left, row: top, columns: max(endColumn, other.endColumn) - left, rows: max(endRow, other.endRow) - top)
  }

  /// Returns whether the rectangle contains a cell.
  public func contains(_ point: CellPoint) -> Bool {
    point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
  }
}
