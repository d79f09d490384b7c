import TextCanvas

extension RowWriter {
  /// Whether an erased cell looks like this one.
  @inline(__always)
  func isErasable(_ cell: Cell) -> Bool {
    cell.glyph.bits <= 0x20 && cell.width == 1 && cell.attributes.isDisjoint(with: Pen.seenOnBlanks)
      && (cell.linkNumber == 0 || !features.hasLinks)
      && (features.erasesWithBackground || cell.background == .default || cell.background == .clear)
  }

  /// The first column from which on a row ends in erasable blanks of one colour.
  func erasableTail(of new: UnsafePointer<Cell>, _ colours: inout ColourReduction) -> Int {
    var tail = columns
    guard isErasable(new[columns - 1]) else { return tail }
    let background = colours(new[columns - 1].background.bits)
    while tail > 0, isErasable(new[tail - 1]), colours(new[tail - 1].background.bits) == background { tail -= 1 }
    return tail
  }

  /// Erases blanks where that is shorter than writing them.
  ///
  /// Sources: ECMA-48, 8.3.41 EL (`CSI K`), 8.3.38 ECH (`CSI n X`); xterm: both fill with the pen's background.
  ///
  /// - Returns: The column behind what was erased; nil where writing is shorter.
  mutating func erase(
    row: Int, column: Int, old: UnsafePointer<Cell>, new: UnsafePointer<Cell>, tail: Int, doubtfulEnd: Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int? {
    let background = colours(new[column].background.bits)
    // To the end of the row.
    if column >= tail {
      var last = columns - 1
      while last > column, last >= doubtfulEnd, isSame(old + last, new + last, &colours) { last -= 1 }
      if last - column < 3 { return nil }
      prepareToErase(row: row, column: column, new: new, background, &output, &colours)
      output.reserve(8)
      output.writeCSI()
      output.write(UInt8(ascii: "K"))
      return columns
    }
    // In the middle.
    var end = column + 1
    var last = column
    while end < columns, isErasable(new[end]), colours(new[end].background.bits) == background {
      if end < doubtfulEnd || !isSame(old + end, new + end, &colours) { last = end }
      end += 1
    }
    let count = last + 1 - column
    guard count > 4 else { return nil }
    var next = end
    while next < columns, next >= doubtfulEnd, isSame(old + next, new + next, &colours) { next += 1 }
    var detour = 0
    if next < columns {
      let after = Cursor(row: row, column: next)
      detour =
        CursorMove(from: Cursor(row: row, column: column), to: after).cost
        - min(CursorMove(from: Cursor(row: row, column: last + 1), to: after).cost, next - last - 1)
    }
    let written = features.repeatsCharacters ? min(count, 4 + digits(count - 1)) : count
    guard 3 + digits(count) + detour < written else { return nil }
    prepareToErase(row: row, column: column, new: new, background, &output, &colours)
    output.reserve(16)
    output.writeSequence(count, UInt8(ascii: "X"))
    return last + 1
  }

  mutating func prepareToErase(
    row: Int, column: Int, new: UnsafePointer<Cell>, _ background: UInt32, _ output: inout ByteBuffer,
    _ colours: inout ColourReduction
  ) {
    approach(row: row, column: column, new: new, &output, &colours)
    if pen.background == background && pen.erasesPlainly { return }
    let wanted = blankPen(Pen(background: background))
    output.writePen(from: pen, to: wanted)
    pen = wanted
  }
}
