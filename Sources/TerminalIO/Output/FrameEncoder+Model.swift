import TextCanvas

extension FrameEncoder {
  /// Of a frame that is dropped, what its slices have done to the terminal.
  func keepWhatWasSent() {
    let columns = size.columns
    shown.withUnsafeMutableBufferPointer { shown in
      wanted.cells.withUnsafeBufferPointer { cells in
        guard let shown = CellGrid(changing: shown, columns: columns),
          let new = CellGrid(reading: cells, columns: columns)
        else { return }
        for move in chosen.moves { shown.move(move) }
        for index in 0..<committed {
          copyRows(new, to: shown, from: index == 0 ? nil : chosen.marks[index - 1], to: chosen.marks[index])
        }
      }
    }
  }

  /// Copies what a slice has written into the model.
  private func copyRows(_ new: CellGrid, to shown: CellGrid, from before: Mark?, to mark: Mark) {
    for step in (before?.rowsDone ?? 0)..<max(mark.rowsDone, before?.rowsDone ?? 0) {
      let row = (firstRow + step) % size.rows
      shown.set(row, to: new[row])
    }
    guard mark.columnsDone > 0 || mark.move != nil, mark.rowsDone < size.rows else { return }
    let row = (firstRow + mark.rowsDone) % size.rows
    let isSameRow = before?.rowsDone == mark.rowsDone && before?.columnsDone ?? 0 > 0
    if let move = mark.move, !isSameRow { _ = MovedRow(move, row: row, of: shown) }
    shown.set(0..<mark.columnsDone, of: row, to: new[row])
  }
}
