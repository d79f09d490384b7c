import TextCanvas

/// Rows with words at the left and more at the right end, as ``LineDrawing`` draws them.
extension Surface {
  /// The same row with the words that begin in a column at another one. What stood before them is left where they have
  /// not come to.
  ///
  /// - Parameters:
  ///   - start: The column that they begin in.
  ///   - column: The one where they shall begin, at most ``furthestColumn(ofWordsFrom:)``.
  func withWords(from start: Int, at column: Int) -> Surface {
    guard start != column, rows > 0 else { return self }
    let words = start..<end(ofWordsFrom: start)
    guard !words.isEmpty else { return self }
    let touched = min(column, start)..<max(words.upperBound, column + words.count)
    var moved = self
    moved.fill(CellRect(column: touched.lowerBound, row: 0, columns: touched.count, rows: 1), with: .clear)
    let picture = part(CellRect(column: start, row: 0, columns: words.count, rows: 1))
    moved.copy(picture, at: CellPoint(column: column, row: 0))
    // What they have come to in part is gone, so that no mark stands against them.
    var first = column
    while column < start, first > 0, !moved.isBlank(first - 1) { first -= 1 }
    moved.fill(CellRect(column: first, row: 0, columns: column - first, rows: 1), with: .clear)
    return moved
  }

  /// Where the words that begin in a column may begin at most, with two blanks before what stands at the right end.
  func furthestColumn(ofWordsFrom start: Int) -> Int {
    let end = end(ofWordsFrom: start)
    let next = (end..<max(end, columns)).first { !isBlank($0) }
    return max(start, (next.map { $0 - 2 } ?? columns) - (end - start))
  }

  /// The words end where two blanks follow.
  private func end(ofWordsFrom start: Int) -> Int {
    guard rows > 0, start < columns else { return start }
    return (start..<columns).first { isBlank($0) && ($0 + 1 >= columns || isBlank($0 + 1)) } ?? columns
  }

  /// The same without the words that stand in some columns only in part.
  ///
  /// A word is what stands between blanks; so a line that is drawn is one too.
  func withWholeWords(in seen: Range<Int>) -> Surface {
    var whole = self
    for row in 0..<rows {
      for edge in [seen.lowerBound, seen.upperBound] where edge > 0 && edge < columns {
        guard !isBlank(edge - 1, row), !isBlank(edge, row) else { continue }
        let start = (0..<edge).last { isBlank($0, row) }.map { $0 + 1 } ?? 0
        let end = (edge..<columns).first { isBlank($0, row) } ?? columns
        whole.fill(CellRect(column: start, row: row, columns: end - start, rows: 1), with: .clear)
      }
    }
    return whole
  }

  private func isBlank(_ column: Int, _ row: Int = 0) -> Bool {
    let cell = self[column, row]
    return (cell.glyph == .none || cell.glyph == .blank) && !cell.isContinuation
  }
}
