import TextCanvas

/// Rows of the whole screen that are moved by the terminal itself before anything is written.
struct VerticalMove: Hashable {
  /// The first row that takes part.
  var top: Int
  /// The row below the last that takes part.
  var bottom: Int
  /// By how many rows down; negative up.
  var rows: Int
}

/// Cells of single rows that are moved by the terminal itself before the row is written.
struct HorizontalMove: Hashable {
  /// The region.
  var rect: CellRect
  /// By how many columns to the right; negative to the left.
  var columns: Int
}

extension RegionShift {
  /// By how many rows it goes down, negative up; nil where it does not, or nothing of it stays in sight.
  func rowsMoved(in size: CellSize) -> Int? {
    let area = rect.intersection(CellRect(size))
    return rows != 0 && abs(rows) < area.rows && area.columns > 0 ? rows : nil
  }

  /// The part of this shift that the terminal can do within each row.
  func horizontal(in size: CellSize) -> HorizontalMove? {
    let area = rect.intersection(CellRect(size))
    guard columns != 0, abs(columns) < area.columns, area.rows > 0 else { return nil }
    return HorizontalMove(rect: area, columns: columns)
  }
}

extension ByteBuffer {
  /// Moves whole rows, and says where the cursor is then. The pen must erase plainly, on the page's own background.
  ///
  /// Where the terminal does not scroll on demand, rows are deleted and inserted.
  ///
  /// Sources: ECMA-48, 8.3.147 SU, 8.3.113 SD, 8.3.32 DL, 8.3.67 IL; DEC VT510 reference, DECSTBM, which also puts the
  /// cursor into the corner.
  mutating func write(_ move: VerticalMove, rows screenRows: Int, cursor: Cursor, scrolls: Bool) -> Cursor {
    reserve(64)
    let count = abs(move.rows)
    let isUp = move.rows < 0
    if scrolls, move.top == 0, move.bottom == screenRows {
      writeSequence(count, UInt8(ascii: isUp ? "S" : "T"))
      return cursor
    }
    let top = Cursor(row: move.top, column: 0)
    let sequence = count == 1 ? 3 : 3 + digits(count)
    let region = (move.top == 0 ? 1 : 1 + digits(move.top + 1)) + digits(move.bottom) + 3 + sequence + 2
    var lines = CursorMove(from: cursor, to: top).cost + sequence
    let closing = Cursor(row: move.bottom - count, column: 0)
    if move.bottom < screenRows {
      // What leaves the region is taken out, and as much put in at its other end, so that what lies below stays.
      lines += CursorMove(from: top, to: closing).cost + sequence
    }
    if scrolls, region < lines {
      writeCSI()
      if move.top > 0 { write(number: move.top + 1) }
      write(UInt8(ascii: ";"))
      write(number: move.bottom)
      write(UInt8(ascii: "r"))
      writeSequence(count, UInt8(ascii: isUp ? "S" : "T"))
      writeCSI()
      write(UInt8(ascii: "r"))
      return .home
    }
    if move.bottom == screenRows {
      writeMove(from: cursor, to: top)
      writeSequence(count, UInt8(ascii: isUp ? "M" : "L"))
      return top
    }
    let (first, second) = isUp ? (top, closing) : (closing, top)
    writeMove(from: cursor, to: first)
    writeSequence(count, UInt8(ascii: "M"))
    writeMove(from: first, to: second)
    writeSequence(count, UInt8(ascii: "L"))
    return second
  }
}

/// A row as it looks after the terminal has moved a part of it, and the steps that do it.
struct MovedRow {
  /// One step: at a column, so many cells deleted (negative) or inserted.
  typealias Step = (column: Int, count: Int)

  /// The steps in order.
  private(set) var steps: [Step] = []

  /// Moves cells within a row.
  ///
  /// Inside a row that continues behind the region, what was pushed out is pulled back in. Fails where a wide character
  /// would be cut: terminals disagree about what is left of it.
  ///
  /// - Parameters:
  ///   - row: The row, whose cells are changed.
  ///   - grid: What it is a row of.
  init?(_ move: HorizontalMove, row: Int, of grid: CellGrid) {
    let columns = grid.columns
    let first = move.rect.column
    let end = move.rect.endColumn
    let count = abs(move.columns)
    steps.reserveCapacity(2)
    if move.columns < 0 {
      steps.append((first, -count))
      if end < columns { appendInsertions(at: end - count, count, columns) }
    } else {
      if end < columns { steps.append((end - count, -count)) }
      appendInsertions(at: first, count, columns)
    }
    for step in steps where !grid.shift(row, at: step.column, by: step.count) { return nil }
  }

  /// Appends what inserts so many cells: no more at once than half of what there is, since tmux (3.3a) leaves old cells
  /// between those that it inserts and those that it moves where more are inserted than moved.
  private mutating func appendInsertions(at column: Int, _ count: Int, _ columns: Int) {
    let most = max(1, (columns - column) / 2)
    for done in stride(from: 0, to: count, by: most) { steps.append((column, min(most, count - done))) }
  }
}
