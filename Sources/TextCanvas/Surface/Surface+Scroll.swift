extension Surface {
  /// How many rows down the content of this surface stands from where it stood in another of the same size; `nil`
  /// where it does not look scrolled.
  ///
  /// A guess by a few rows, then counted: at least half of the rows that could have come from the other surface did.
  func rowsScrolled(since before: Surface) -> Int? {
    guard size == before.size, rows > 2 else { return nil }
    return cells.withUnsafeBufferPointer { new in
      before.cells.withUnsafeBufferPointer { old in
        // Look for rows of different parts of the page, since the first and the last may have gone.
        for probe in [rows / 2, rows / 4, 3 * rows / 4] {
          guard !isPlainRow(old, probe) else { continue }
          for distance in 1..<rows {
            for shift in [-distance, distance] where probe + shift >= 0 && probe + shift < rows {
              if isSameRow(old, probe, new, probe + shift), isScrolled(old, new, by: shift) { return shift }
            }
          }
        }
        return nil
      }
    }
  }

  private func isScrolled(_ old: UnsafeBufferPointer<Cell>, _ new: UnsafeBufferPointer<Cell>, by shift: Int) -> Bool {
    var same = 0
    let first = max(0, -shift)
    let end = min(rows, rows - shift)
    for row in first..<end where isSameRow(old, row, new, row + shift) { same += 1 }
    return 2 * same >= end - first
  }

  private func isSameRow(
    _ old: UnsafeBufferPointer<Cell>, _ oldRow: Int, _ new: UnsafeBufferPointer<Cell>, _ newRow: Int
  ) -> Bool {
    let from = oldRow * columns
    let to = newRow * columns
    for column in 0..<columns where old[from + column] != new[to + column] { return false }
    return true
  }

  /// Whether a row is one cell again and again, so that it says nothing about where it came from.
  private func isPlainRow(_ cells: UnsafeBufferPointer<Cell>, _ row: Int) -> Bool {
    let first = row * columns
    for column in 1..<max(1, columns) where cells[first + column] != cells[first] { return false }
    return true
  }
}
