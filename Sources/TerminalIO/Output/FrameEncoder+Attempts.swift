import TextCanvas

extension FrameEncoder {
  /// Writes the frame with some of the rows moved first, and cells within rows moved where that is shorter.
  func attempt(
    _ attempt: inout Attempt, moves: [VerticalMove], shifts: [HorizontalMove], new: CellGrid
  ) {
    attempt.output.count = 0
    attempt.marks.removeAll(keepingCapacity: true)
    attempt.moves = moves
    prepareSources(moves)
    var writer = RowWriter(
      features: features, columns: size.columns, cursor: cursor, pen: pen,
      ahead: RowsAhead(old: sources, new: new, firstRow: firstRow))
    if !isPenKnown {
      attempt.output.reserve(8)
      attempt.output.writeCSI()
      attempt.output.write(UInt8(ascii: "m"))
      writer.pen = Pen()
    }
    if !moves.isEmpty { write(moves, &writer, &attempt.output) }

    let sliceSize = min(max(sliceLimit, 256), Self.sliceLimit) - Self.margin
    var stop = sliceSize
    let columns = size.columns
    for step in 0..<size.rows {
      let row = (firstRow + step) % size.rows
      let target = new[row]
      var source = sources[row]
      if source.isSame(as: target, columns: columns) { continue }
      var move: HorizontalMove?
      for shift in shifts where shift.rect.row <= row && row < shift.rect.endRow {
        if let moved = writeMove(shift, row: row, old: source, new: target, &writer, &attempt.output) {
          source = moved
          move = shift
          break
        }
      }
      var column = 0
      while true {
        column = writer.write(
          row: row, old: source, new: target, from: column, into: &attempt.output, reducing: &colours, stop: stop)
        if column >= columns { break }
        attempt.marks.append(
          Mark(
            bytes: attempt.output.count, rowsDone: step, columnsDone: column, move: move, cursor: writer.cursor,
            pen: writer.pen))
        stop = attempt.output.count + sliceSize
      }
    }
    guard attempt.output.count > 0 else { return }
    attempt.marks.append(
      Mark(
        bytes: attempt.output.count, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: writer.cursor,
        pen: writer.pen))
  }

  /// Room for one piece beyond the moment at which a slice is closed, and for the wrapping.
  static let margin = 192

  /// Tries the hints, and keeps what makes the frame shorter.
  func improve(with shifts: [RegionShift], new: CellGrid) {
    // More than a few regions that move differently are rare, and each try costs as much as a frame.
    let horizontal = shifts.prefix(4).compactMap { $0.horizontal(in: size) }
    var moves: [VerticalMove] = []
    if !horizontal.isEmpty { keepIfShorter(moves, horizontal, new) }
    var weighed: [Int] = []
    for rows in shifts.prefix(4).compactMap({ $0.rowsMoved(in: size) }) where !weighed.contains(rows) {
      weighed.append(rows)
      let bands = bands(movedBy: rows, after: moves, new: new)
      if !bands.isEmpty, keepIfShorter(moves + bands, horizontal, new) { moves += bands }
    }
  }

  @discardableResult
  func keepIfShorter(_ moves: [VerticalMove], _ shifts: [HorizontalMove], _ new: CellGrid) -> Bool {
    attempt(&other, moves: moves, shifts: shifts, new: new)
    guard other.output.count < chosen.output.count else { return false }
    swap(&chosen, &other)
    return true
  }

  func write(_ moves: [VerticalMove], _ writer: inout RowWriter, _ output: inout ByteBuffer) {
    // What comes in is filled with the pen's background, and must look like nothing.
    let plain = Pen()
    if writer.pen.background != 0 || !writer.pen.erasesPlainly {
      output.writePen(from: writer.pen, to: plain)
      writer.pen = plain
    }
    for move in moves {
      writer.cursor = output.write(
        move, rows: size.rows, cursor: writer.cursor, scrolls: features.scrollsOnDemand)
    }
  }

  /// Finds for each row where its cells are in what the terminal shows, once these moves are made.
  func prepareSources(_ moves: [VerticalMove]) {
    guard let terminal else { return }
    for row in 0..<size.rows { sources[row] = terminal[row] }
    for move in moves {
      let blank = spare.blank
      if move.rows < 0 {
        for row in move.top..<move.bottom {
          sources[row] = row - move.rows < move.bottom ? sources[row - move.rows] : blank
        }
      } else {
        for row in (move.top..<move.bottom).reversed() {
          sources[row] = row - move.rows >= move.top ? sources[row - move.rows] : blank
        }
      }
    }
  }

  /// Moves cells within a row where that makes the row shorter.
  ///
  /// - Returns: The row as it looks then, valid until the next row is moved; nil where moving is no gain.
  func writeMove(
    _ move: HorizontalMove, row: Int, old: CellRow, new: CellRow, _ writer: inout RowWriter,
    _ output: inout ByteBuffer
  ) -> CellRow? {
    if spare.holdsDisputed(old, features) || spare.holdsDisputed(new, features) { return nil }
    spare.grid.set(spare.movedRow, to: old)
    guard let moved = MovedRow(move, row: spare.movedRow, of: spare.grid) else { return nil }

    let start = output.count
    var plain = writer
    _ = plain.write(row: row, old: old, new: new, from: 0, into: &output, reducing: &colours, stop: .max)
    let plainLength = output.count - start
    output.count = start
    if plainLength < 6 { return nil }

    var shifted = writer
    if shifted.pen.background != 0 || !shifted.pen.erasesPlainly {
      output.writePen(from: shifted.pen, to: Pen())
      shifted.pen = Pen()
    }
    for step in moved.steps {
      let place = Cursor(row: row, column: step.column)
      output.writeMove(from: shifted.cursor, to: place)
      shifted.cursor = place
      output.reserve(16)
      // DCH and ICH. Source: ECMA-48, 8.3.26 and 8.3.64.
      output.writeSequence(abs(step.count), UInt8(ascii: step.count < 0 ? "P" : "@"))
    }
    let movesEnd = output.count
    var repaired = shifted
    _ = repaired.write(
      row: row, old: spare.moved, new: new, from: 0, into: &output, reducing: &colours, stop: .max)
    let movedLength = output.count - start
    guard movedLength < plainLength else {
      output.count = start
      return nil
    }
    output.count = movesEnd
    writer = shifted
    return spare.moved
  }

  /// Wraps the frame so that the terminal shows it all at once. Source: the specification of private mode 2026.
  func finish() {
    isWrapped = false
    if features.hasSynchronizedOutput, !isHoldingPicture, chosen.output.count > Self.smallFrame {
      chosen.output.insert("\u{1B}[?2026h")
      for index in chosen.marks.indices { chosen.marks[index].bytes += 8 }
      isWrapped = true
    }
    guard isWrapped || isHoldingPicture else { return }
    chosen.output.write("\u{1B}[?2026l" as StaticString)
    if chosen.marks.isEmpty {
      // Nothing is left to change of a picture that is held back: it only has to be shown.
      chosen.marks.append(
        Mark(bytes: 0, rowsDone: size.rows, columnsDone: 0, move: nil, cursor: cursor, pen: pen))
    }
    chosen.marks[chosen.marks.count - 1].bytes = chosen.output.count
  }
}
