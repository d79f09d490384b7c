import TextCanvas

/// Moves the left-aligned text of rows that also have right-aligned text, such as those of ``LineDrawing``. The
/// right-aligned text keeps its columns.
extension Surface {
  /// Returns a copy of the row in which a text is moved to another column. Text before it is kept up to its new column.
  ///
  /// - Parameters:
  ///   - start: The column at which the text begins.
  ///   - column: The new column, at most ``furthestTextColumn(ofTextFrom:)``.
  func movingText(from start: Int, at column: Int) -> Surface {
    guard start != column, rows > 0 else { return self }
    let textColumns = start..<textEnd(ofTextFrom: start)
    guard !textColumns.isEmpty else { return self }
    let changedColumns = min(column, start)..<max(textColumns.upperBound, column + textColumns.count)
    var moved = self
    moved.fill(
      CellRect(column: changedColumns.lowerBound, row: 0, columns: changedColumns.count, rows: 1), with: .clear)
    let text = cropped(CellRect(column: start, row: 0, columns: textColumns.count, rows: 1))
    moved.copy(text, at: CellPoint(column: column, row: 0))
    // If a word would be partly covered, it is removed completely, so that its rest does not touch the moved text.
    var first = column
    while column < start, first > 0, !moved.isBlank(first - 1) { first -= 1 }
    moved.fill(CellRect(column: first, row: 0, columns: column - first, rows: 1), with: .clear)
    return moved
  }

  /// Returns the rightmost column to which a text can be moved, leaving two spaces before the text at the right end.
  func furthestTextColumn(ofTextFrom start: Int) -> Int {
    let end = textEnd(ofTextFrom: start)
    let next = (end..<max(end, columns)).first { !isBlank($0) }
    return max(start, (next.map { $0 - 2 } ?? columns) - (end - start))
  }

  /// Returns the end of a text: the first column of the next two spaces.
  private func textEnd(ofTextFrom start: Int) -> Int {
    guard rows > 0, start < columns else { return start }
    return (start..<columns).first { isBlank($0) && ($0 + 1 >= columns || isBlank($0 + 1)) } ?? columns
  }

  /// Returns a copy of the surface without words that are partly outside a range of columns.
  ///
  /// A word is a sequence of cells between blanks. Drawn lines are treated like words.
  func withoutPartialWords(in visibleColumns: Range<Int>) -> Surface {
    var result = self
    for row in 0..<rows {
      for edge in [visibleColumns.lowerBound, visibleColumns.upperBound] where edge > 0 && edge < columns {
        guard !isBlank(edge - 1, row), !isBlank(edge, row) else { continue }
        let start = (0..<edge).last { isBlank($0, row) }.map { $0 + 1 } ?? 0
        let end = (edge..<columns).first { isBlank($0, row) } ?? columns
        result.fill(CellRect(column: start, row: row, columns: end - start, rows: 1), with: .clear)
      }
    }
    return result
  }

  private func isBlank(_ column: Int, _ row: Int = 0) -> Bool {
    let cell = self[column, row]
    return (cell.glyph == .none || cell.glyph == .blank) && !cell.isContinuation
  }
}
