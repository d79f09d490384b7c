extension Surface {
  /// Replaces cells by those of another surface, clear ones included.
  ///
  /// - Parameters:
  ///   - source: Where the cells come from.
  ///   - point: Where its top left cell goes; may lie outside.
  ///   - clip: Only cells in it are changed; the whole surface by default.
  public mutating func copy(_ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil) {
    transfer(source, at: point, clippedTo: clip) { _, above in above }
  }

  /// Lays another surface over this one: its clear cells show what is here, its clear backgrounds keep the background
  /// that is here.
  ///
  /// - Parameters:
  ///   - source: What is laid over.
  ///   - point: Where its top left cell goes; may lie outside.
  ///   - clip: Only cells in it are changed; the whole surface by default.
  public mutating func overlay(_ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil) {
    transfer(source, at: point, clippedTo: clip) { below, above in
      above.over(below)
    }
  }

  /// Goes through the cells that meet, keeping wide characters whole.
  @inline(__always)
  mutating func transfer(
    _ source: Surface, at point: CellPoint, clippedTo clip: CellRect?, _ merge: (Cell, Cell) -> Cell
  ) {
    let area = (clip ?? bounds).intersection(bounds)
      .intersection(CellRect(source.size).offset(columns: point.column, rows: point.row))
    guard !area.isEmpty else { return }
    let columns = columns
    for row in area.row..<area.endRow {
      let start = row * columns + area.column
      let from = (row - point.row) * source.columns + area.column - point.column
      cells.withUnsafeMutableBufferPointer { cells in
        source.cells.withUnsafeBufferPointer { others in
          for step in 0..<area.columns {
            var above = others[from + step]
            if step == 0 && above.isContinuation || step == area.columns - 1 && above.isWide { above = above.asBlank }
            cells[start + step] = merge(cells[start + step], above)
          }
        }
      }
      mendWide(row: row, from: area.column, to: area.endColumn)
    }
  }

  /// Makes blanks of halves that lost their other half when a stretch of a row was changed.
  mutating func mendWide(row: Int, from first: Int, to end: Int) {
    let columns = columns
    cells.withUnsafeMutableBufferPointer { cells in
      let start = row * columns
      for column in max(0, first - 1)..<min(columns, end + 1) {
        let index = start + column
        switch cells[index].width {
        case 1: continue
        case 2: if column + 1 < columns, cells[index + 1].width == 0 { continue }
        default: if column > 0, cells[index - 1].width == 2 { continue }
        }
        cells[index] = cells[index].asBlank
      }
    }
  }
}

extension Cell {
  /// This cell laid over another at full strength.
  @inline(__always)
  func over(_ below: Cell) -> Cell {
    if glyph == .none {
      guard background != .clear else { return below }
      return Cell(glyph: .blank, foreground: foreground, background: background, attributes: attributes)
    }
    var result = self
    if background == .clear { result.background = below.background }
    return result
  }
}
