import TextCanvas

extension RowWriter {
  /// Whether an erased cell looks like this one.
  @inline(__always)
  func isErasable(_ cell: CellWords) -> Bool {
    // The tags 0 and 3 are the terminal's own background.
    cell.isPlainBlank && (cell.link == 0 || !features.hasLinks)
      && (features.erasesWithBackground || (cell.background >> 24) % 3 == 0)
  }

  /// The first column from which on a row ends in erasable blanks of one colour.
  func erasableTail(of new: CellRow, _ colours: inout ColourReduction) -> Int {
    var tail = columns
    let last = new.words(columns - 1)
    guard isErasable(last) else { return tail }
    let background = colours(last.background)
    while tail > 0 {
      let cell = new.words(tail - 1)
      guard isErasable(cell), colours(cell.background) == background else { break }
      tail -= 1
    }
    return tail
  }

  /// Erases blanks where that is shorter than writing them.
  ///
  /// Sources: ECMA-48, 8.3.41 EL (`CSI K`), 8.3.38 ECH (`CSI n X`); xterm: both fill with the pen's background.
  ///
  /// - Returns: The column behind what was erased; nil where writing is shorter.
  mutating func erase(
    row: Int, column: Int, old: CellRow, new: CellRow, tail: Int, doubtfulEnd: Int,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) -> Int? {
    let background = colours(new.words(column).background)
    // To the end of the row.
    if column >= tail {
      var last = columns - 1
      while last > column, last >= doubtfulEnd, isSame(old.words(last), new.words(last), &colours) { last -= 1 }
      if last - column < 3 { return nil }
      prepareToErase(row: row, column: column, end: last, old: old, new: new, background, &output, &colours)
      output.reserve(8)
      output.writeCSI()
      output.write(UInt8(ascii: "K"))
      return columns
    }
    // In the middle.
    var end = column + 1
    // Fewer are never shorter to erase.
    guard end + 3 < columns, isErasable(new.words(end + 3)) else { return nil }
    var last = column
    while end < columns {
      let cell = new.words(end)
      guard isErasable(cell), colours(cell.background) == background else { break }
      if end < doubtfulEnd || !isSame(old.words(end), new.words(end), &colours) { last = end }
      end += 1
    }
    var next = end
    if last + 1 < columns, mayBeFirstHalf(old.words(last)) {
      // The first half of a wide character is written over instead: where it is erased, tmux (3.3a) keeps the second
      // half, and blanks both as soon as that is written.
      next = last
      last -= 1
    } else {
      while next < columns, next >= doubtfulEnd, isSame(old.words(next), new.words(next), &colours) { next += 1 }
    }
    let count = last + 1 - column
    guard count > 4 else { return nil }
    var detour = 0
    if next < columns {
      let after = Cursor(row: row, column: next)
      detour =
        CursorMove(from: Cursor(row: row, column: column), to: after).cost
        - min(CursorMove(from: Cursor(row: row, column: last + 1), to: after).cost, next - last - 1)
    }
    let written = features.repeatsCharacters ? min(count, 4 + digits(count - 1)) : count
    guard 3 + digits(count) + detour < written else { return nil }
    prepareToErase(row: row, column: column, end: last, old: old, new: new, background, &output, &colours)
    output.reserve(16)
    output.writeSequence(count, UInt8(ascii: "X"))
    return last + 1
  }

  /// Whether a wide character may begin in what the terminal shows there.
  private func mayBeFirstHalf(_ cell: CellWords) -> Bool {
    cell.width == 2 || cell.glyph == FrameEncoder.unknownBits
  }

  mutating func prepareToErase(
    row: Int, column: Int, end: Int, old: CellRow, new: CellRow, _ background: UInt32,
    _ output: inout ByteBuffer, _ colours: inout ColourReduction
  ) {
    approach(row: row, column: column, old: old, new: new, &output, &colours)
    let wanted = penForBlank(
      Pen(background: background), row: row, column: end, old: old, new: new, &colours)
    if pen == wanted { return }
    output.writePen(from: pen, to: wanted)
    pen = wanted
  }
}
