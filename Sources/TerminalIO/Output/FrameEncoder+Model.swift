import TextCanvas

extension FrameEncoder {
  func areEqual(_ one: UnsafePointer<Cell>, _ other: UnsafePointer<Cell>, _ count: Int) -> Bool {
    areBytesEqual(one, other, count * MemoryLayout<Cell>.stride)
  }

  /// Of a frame that is dropped, what its slices have done to the terminal.
  func keepWhatWasSent() {
    shown.withUnsafeMutableBufferPointer { shown in
      wanted.cells.withUnsafeBufferPointer { cells in
        guard let shown = shown.baseAddress, let new = cells.baseAddress else { return }
        for move in chosen.moves { apply(move, to: shown) }
        for index in 0..<committed {
          copyRows(new, to: shown, from: index == 0 ? nil : chosen.marks[index - 1], to: chosen.marks[index])
        }
      }
    }
  }

  private func apply(_ move: VerticalMove, to shown: UnsafeMutablePointer<Cell>) {
    let columns = size.columns
    let count = abs(move.rows)
    let kept = (move.bottom - move.top - count) * columns
    let top = shown + move.top * columns
    if move.rows < 0 {
      top.update(from: top + count * columns, count: kept)
      (top + kept).update(repeating: .blank, count: count * columns)
    } else {
      memoryMove(top + count * columns, top, kept * MemoryLayout<Cell>.stride)
      top.update(repeating: .blank, count: count * columns)
    }
  }

  /// Copies what a slice has written into the model.
  private func copyRows(
    _ new: UnsafePointer<Cell>, to shown: UnsafeMutablePointer<Cell>, from before: Mark?, to mark: Mark
  ) {
    let columns = size.columns
    for step in (before?.rowsDone ?? 0)..<max(mark.rowsDone, before?.rowsDone ?? 0) {
      let row = (firstRow + step) % size.rows
      (shown + row * columns).update(from: new + row * columns, count: columns)
    }
    guard mark.columnsDone > 0 || mark.move != nil, mark.rowsDone < size.rows else { return }
    let row = (firstRow + mark.rowsDone) % size.rows
    let isSameRow = before?.rowsDone == mark.rowsDone && before?.columnsDone ?? 0 > 0
    if let move = mark.move, !isSameRow {
      _ = MovedRow(move, row: shown + row * columns, columns: columns)
    }
    (shown + row * columns).update(from: new + row * columns, count: mark.columnsDone)
  }
}
