import TextCanvas

extension FrameEncoder {
  func areEqual(_ one: UnsafePointer<Cell>, _ other: UnsafePointer<Cell>, _ count: Int) -> Bool {
    areBytesEqual(one, other, count * MemoryLayout<Cell>.stride)
  }

  func apply(_ move: VerticalMove) {
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
  func copyRows(_ new: UnsafePointer<Cell>, from before: Mark?, to mark: Mark) {
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
