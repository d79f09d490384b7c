/// A cell's place; columns and rows count from 0 at the top left.
public struct CellPoint: Hashable, Sendable {
  /// Cells from the left edge.
  public var column: Int
  /// Cells from the top edge.
  public var row: Int

  /// The top left cell.
  public static let zero = CellPoint(column: 0, row: 0)

  /// Makes a place.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A size in whole cells.
public struct CellSize: Hashable, Sendable {
  /// Cells in a row.
  public var columns: Int
  /// Cells in a column.
  public var rows: Int

  /// Nothing.
  public static let zero = CellSize(columns: 0, rows: 0)

  /// Makes a size.
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
  /// How many columns; not negative.
  public var columns: Int
  /// How many rows; not negative.
  public var rows: Int

  /// Nothing, at the top left corner.
  public static let zero = CellRect(column: 0, row: 0, columns: 0, rows: 0)

  /// Makes a rectangle; a negative size counts as 0.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// Makes the rectangle of a size at the top left corner.
  public init(_ size: CellSize) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  /// The first column behind it.
  public var endColumn: Int { column + columns }
  /// The first row below it.
  public var endRow: Int { row + rows }
  /// The top left cell.
  public var origin: CellPoint { CellPoint(column: column, row: row) }
  /// Columns and rows.
  public var size: CellSize { CellSize(columns: columns, rows: rows) }
  /// Whether it covers no cell.
  public var isEmpty: Bool { columns == 0 || rows == 0 }

  /// The same rectangle, moved.
  public func offset(columns dx: Int = 0, rows dy: Int = 0) -> CellRect {
    CellRect(column: column + dx, row: row + dy, columns: columns, rows: rows)
  }

  /// The same rectangle with its edges moved inwards; negative numbers move them outwards.
  public func inset(columns dx: Int = 0, rows dy: Int = 0) -> CellRect {
    CellRect(column: column + dx, row: row + dy, columns: columns - 2 * dx, rows: rows - 2 * dy)
  }

  /// What both cover; empty where they do not meet.
  public func intersection(_ other: CellRect) -> CellRect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return CellRect(
      column: left, row: top, columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
  }

  /// The smallest rectangle around both; an empty one adds nothing.
  public func union(_ other: CellRect) -> CellRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(column, other.column)
    let top = min(row, other.row)
    return CellRect(
      column: left, row: top, columns: max(endColumn, other.endColumn) - left, rows: max(endRow, other.endRow) - top)
  }

  /// Whether a cell lies in it.
  public func contains(_ point: CellPoint) -> Bool {
    point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
  }
}
