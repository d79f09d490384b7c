extension Surface {
  /// Replaces cells by those of another surface, clear ones included.
  ///
  /// - Parameters:
  ///   - source: Where the cells come from.
  ///   - point: Where its top left cell goes; may lie outside.
  ///   - clip: Only cells in it are changed; the whole surface by default.
  public mutating func copy(_ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil) {
    if !source.isOpaque { isOpaque = false }
    transfer(source, at: point, clippedTo: clip) { below, above, count in below.update(from: above, count: count) }
  }

  /// Lays another surface over this one: its clear cells show what is here, its clear backgrounds keep the background
  /// that is here.
  ///
  /// - Parameters:
  ///   - source: What is laid over.
  ///   - point: Where its top left cell goes; may lie outside.
  ///   - clip: Only cells in it are changed; the whole surface by default.
  public mutating func overlay(_ source: Surface, at point: CellPoint = .zero, clippedTo clip: CellRect? = nil) {
    guard !source.isOpaque else {
      copy(source, at: point, clippedTo: clip)
      return
    }
    transfer(source, at: point, clippedTo: clip) { below, above, count in
      var step = 0
      while step < count {
        below[step] = above[step].over(below[step])
        step += 1
      }
    }
  }

  /// Goes through the rows of cells that meet, keeping wide characters whole.
  ///
  /// - Parameter merge: Changes a stretch of this surface's cells by as many of the other's.
  mutating func transfer(
    _ source: Surface, at point: CellPoint, clippedTo clip: CellRect?,
    _ merge: (_ below: UnsafeMutablePointer<Cell>, _ above: UnsafePointer<Cell>, _ count: Int) -> Void
  ) {
    let area = meeting(source, at: point, clippedTo: clip)
    if source.mayHoldWide { mayHoldWide = true }
    let (columns, mayHoldWide, count) = (columns, mayHoldWide, area.columns)
    cells.withUnsafeMutableBufferPointer { cells in
      source.cells.withUnsafeBufferPointer { others in
        guard !area.isEmpty, let cells = cells.baseAddress, let others = others.baseAddress else { return }
        for row in area.row..<area.endRow {
          let below = cells + (row * columns + area.column)
          let above = others + ((row - point.row) * source.columns + area.column - point.column)
          var (first, last) = (below[0], below[count - 1])
          merge(below, above, count)
          guard mayHoldWide else { continue }
          if above[0].isContinuation {
            withUnsafePointer(to: above[0].asBlank) { merge(&first, $0, 1) }
            below[0] = first
          }
          if above[count - 1].isWide {
            withUnsafePointer(to: above[count - 1].asBlank) { merge(&last, $0, 1) }
            below[count - 1] = last
          }
          Surface.mendWide(cells + row * columns, columns: columns, from: area.column, to: area.endColumn)
        }
      }
    }
  }

  /// The cells of this surface over which another lies.
  private func meeting(_ source: Surface, at point: CellPoint, clippedTo clip: CellRect?) -> CellRect {
    (clip ?? bounds).intersection(bounds)
      .intersection(CellRect(source.size).offset(columns: point.column, rows: point.row))
  }

  /// Makes blanks of halves that lost their other half when a stretch of a row was changed.
  private static func mendWide(_ row: UnsafeMutablePointer<Cell>, columns: Int, from first: Int, to end: Int) {
    for column in max(0, first - 1)..<min(columns, end + 1) {
      switch row[column].width {
      case 1: continue
      case 2: if column + 1 < columns, row[column + 1].width == 0 { continue }
      default: if column > 0, row[column - 1].width == 2 { continue }
      }
      row[column] = row[column].asBlank
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
