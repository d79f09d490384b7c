/// A page of cells: columns × rows, in one flat array, row after row. A value.
///
/// A law that every operation keeps: a cell of width 2 is followed, in its row, by its continuation, and a continuation
/// is preceded by it. Where one half is covered, the other becomes a blank.
public struct Surface: Hashable, Sendable {
  /// Columns and rows.
  public let size: CellSize
  /// All cells, row after row.
  public internal(set) var cells: [Cell]
  /// Whether every cell surely covers what lies below.
  var isOpaque: Bool
  /// Whether a wide character may stand somewhere.
  var mayHoldWide = false

  /// Makes a surface of one cell everywhere: by default clear, so that what lies below shows through. A size below 0
  /// counts as 0.
  public init(_ size: CellSize, filledWith cell: Cell = .clear) {
    self.size = CellSize(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: cell.width == 1 ? cell : cell.asBlank, count: self.size.columns * self.size.rows)
    isOpaque = cell.isOpaque
  }

  /// Makes a surface of one cell everywhere.
  public init(columns: Int, rows: Int, filledWith cell: Cell = .clear) {
    self.init(CellSize(columns: columns, rows: rows), filledWith: cell)
  }

  /// Columns.
  public var columns: Int { size.columns }
  /// Rows.
  public var rows: Int { size.rows }
  /// The whole of it.
  public var bounds: CellRect { CellRect(size) }

  /// The cell at a place; outside, reading gives a clear cell and writing does nothing.
  ///
  /// Writing over half of a wide character blanks its other half. Only cells of one column can be written; halves of
  /// wide characters become blanks.
  public subscript(column: Int, row: Int) -> Cell {
    get {
      guard bounds.contains(CellPoint(column: column, row: row)) else { return .clear }
      return cells[row * columns + column]
    }
    set {
      guard bounds.contains(CellPoint(column: column, row: row)) else { return }
      let index = row * columns + column
      separate(row: row, at: column)
      separate(row: row, at: column + 1)
      cells[index] = newValue.width == 1 ? newValue : newValue.asBlank
      if !newValue.isOpaque { isOpaque = false }
    }
  }

  /// Cuts a wide character that stands across the boundary before a column: both halves become blanks.
  @inline(__always)
  mutating func separate(row: Int, at column: Int) {
    guard column > 0, column < columns else { return }
    let index = row * columns + column
    guard cells[index].isContinuation else { return }
    cells[index] = cells[index].asBlank
    cells[index - 1] = cells[index - 1].asBlank
  }

  /// Sets every cell of a rectangle; what lies outside the surface is left out.
  public mutating func fill(_ rect: CellRect, with cell: Cell) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let single = cell.width == 1 ? cell : cell.asBlank
    let isWhole = area == bounds
    isOpaque = single.isOpaque && (isWhole || isOpaque)
    if mayHoldWide {
      for row in area.row..<area.endRow {
        separate(row: row, at: area.column)
        separate(row: row, at: area.endColumn)
      }
    }
    if isWhole { mayHoldWide = false }
    let columns = columns
    cells.withUnsafeMutableBufferPointer { cells in
      guard let first = cells.baseAddress.map({ $0 + (area.row * columns + area.column) }) else { return }
      first.update(repeating: single, count: area.columns)
      // Copying rows is quicker than setting their cells.
      for row in 1..<max(1, area.rows) { (first + row * columns).update(from: first, count: area.columns) }
    }
  }

  /// Sets every cell.
  public mutating func fill(with cell: Cell) {
    fill(bounds, with: cell)
  }

  /// Changes the style of every cell of a rectangle; both halves of a wide character are changed, also where the
  /// rectangle ends between them.
  public mutating func mapStyles(in rect: CellRect? = nil, _ change: (Style) -> Style) {
    let area = (rect ?? bounds).intersection(bounds)
    guard !area.isEmpty else { return }
    var known: (before: Style, after: Style)?
    for row in area.row..<area.endRow {
      var first = row * columns + area.column
      var end = first + area.columns
      if cells[first].isContinuation { first -= 1 }
      if end < (row + 1) * columns, cells[end].isContinuation { end += 1 }
      for index in first..<end {
        let before = cells[index].style
        if known?.before != before { known = (before, change(before)) }
        guard let known else { continue }
        cells[index].style = known.after
        if known.after.background == .clear { isOpaque = false }
      }
    }
  }

  /// Whether both have the same size and the same cells.
  public static func == (one: Surface, other: Surface) -> Bool {
    one.size == other.size && one.cells == other.cells
  }

  /// Hashes size and cells.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(cells)
  }

  /// A part of the surface as a surface of its own; halves of wide characters at its edges become blanks, and what lies
  /// outside the surface is clear.
  public func part(_ rect: CellRect) -> Surface {
    var result = Surface(rect.size)
    result.copy(self, at: CellPoint(column: -rect.column, row: -rect.row))
    return result
  }
}
