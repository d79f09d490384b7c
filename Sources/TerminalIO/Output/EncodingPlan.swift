import TextCanvas

/// Rows of the whole screen width that the terminal moves before other output.
struct VerticalMove: Hashable {
  /// The first row of the region.
  var top: Int
  /// The row below the region.
  var bottom: Int
  /// The number of rows to move down, or the negative number to move up.
  var rows: Int
}

/// Cells of single rows that the terminal moves before the row is written.
struct HorizontalMove: Hashable {
  /// The region.
  var rect: CellRect
  /// The number of columns to move right, or the negative number to move left.
  var columns: Int
}

extension RegionShift {
  /// Returns the vertical distance in rows, negative upwards. `nil` if it is 0, or if no part of the region stays
  /// visible.
  func rowsMoved(in size: CellSize) -> Int? {
    let area = rect.intersection(CellRect(size))
    return rows != 0 && abs(rows) < area.rows && area.columns > 0 ? rows : nil
  }

  /// Returns the part of this shift that the terminal can perform within each row, or `nil` if there is none.
  func horizontal(in size: CellSize) -> HorizontalMove? {
    let area = rect.intersection(CellRect(size))
    guard columns != 0, abs(columns) < area.columns, area.rows > 0 else { return nil }
    return HorizontalMove(rect: area, columns: columns)
  }
}

extension HorizontalMove {
  /// The number of cells that may be written again if the move then reaches the end of the row, which takes one
  /// sequence less.
  private static let reachingEnd = 6

  /// Returns the move limited or extended to the columns of a row in which it makes most cells correct. A region of a
  /// frame often contains cells that did not move, such as those of a pane above the moving text.
  ///
  /// ```
  /// old      some words  | pane
  /// new    some words    | pane     by -2: columns 0..<14, so that the pane stays
  /// ```
  ///
  /// - Parameters:
  ///   - old: The contents of the terminal in the row.
  ///   - new: The required contents.
  ///   - count: The number of columns of the terminal.
  func fitted(from old: CellRow, to new: CellRow, columns count: Int) -> HorizontalMove {
    let distance = abs(columns)
    guard distance > 0, distance < count else { return self }
    // Each function returns 1 if a cell must be written in its case, otherwise 0.
    func unmoved(_ column: Int) -> Int { old.packedCell(column).looksLike(new.packedCell(column)) ? 0 : 1 }
    func moved(_ column: Int) -> Int { old.packedCell(column - columns).looksLike(new.packedCell(column)) ? 0 : 1 }
    func blank(_ column: Int) -> Int { new.packedCell(column).isDefaultBlank ? 0 : 1 }

    var (best, range) = (0, nil as Range<Int>?)
    // The gain of a region is the sum of a part that depends on its start and a part that depends on its end.
    // `movedGain` is the gain of all moved cells before a column, `blankGain` that of the cells that become blank.
    var movedGain = 0
    var blankGain = (0..<distance).reduce(0) { $0 + unmoved($1) - blank($1) }
    if columns < 0 {
      var (lowest, start) = (0, 0)
      for end in distance + 1...count {
        let column = end - distance - 1
        movedGain += unmoved(column) - moved(column)
        blankGain += unmoved(end - 1) - blank(end - 1) - unmoved(column) + blank(column)
        let gain = movedGain + blankGain - lowest + (end == count ? Self.reachingEnd : 0)
        if gain > best { (best, range) = (gain, start..<end) }
        if movedGain < lowest { (lowest, start) = (movedGain, column + 1) }
      }
    } else {
      var (highest, start) = (Int.min, 0)
      for end in distance + 1...count {
        let column = end - distance - 1
        if blankGain - movedGain > highest { (highest, start) = (blankGain - movedGain, column) }
        movedGain += unmoved(end - 1) - moved(end - 1)
        blankGain += unmoved(end - 1) - blank(end - 1) - unmoved(column) + blank(column)
        let gain = highest + movedGain + (end == count ? Self.reachingEnd : 0)
        if gain > best { (best, range) = (gain, start..<end) }
      }
    }
    guard let range else { return self }
    var move = self
    (move.rect.column, move.rect.columns) = (range.lowerBound, range.count)
    return move
  }
}

extension PackedCell {
  /// Returns whether two cells look the same on all terminals.
  fileprivate func looksLike(_ other: PackedCell) -> Bool {
    self == other || isPlainBlank && other.isPlainBlank && background == other.background && link == other.link
  }

  /// Whether the cell looks like one that the terminal has inserted.
  fileprivate var isDefaultBlank: Bool { isPlainBlank && (background >> 24) % 3 == 0 && link == 0 }
}

extension ByteBuffer {
  /// Moves whole rows, and returns the resulting cursor position. The current pen must have the default background and
  /// no attribute that is visible on erased cells.
  ///
  /// If the terminal does not scroll on request, rows are deleted and inserted.
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
      // The rows that leave the region are deleted, and the same number is inserted at its other end, so that the rows
      // below stay in place.
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

/// A row after the terminal has moved a part of it, and the steps of that movement.
struct MovedRow {
  /// A step: a column, and the number of cells inserted there, or the negative number of cells deleted.
  typealias Step = (column: Int, count: Int)

  /// The steps in order.
  private(set) var steps: [Step] = []

  /// Moves cells within a row.
  ///
  /// If the row continues after the region, the cells that were pushed out are restored to their positions. Returns
  /// `nil` if a wide character would be split, because terminals differ in how they show its remaining half.
  ///
  /// - Parameters:
  ///   - move: The region and distance.
  ///   - row: The row, whose cells are changed.
  ///   - grid: The grid that contains the row.
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

  /// Appends the steps that insert cells. Each step inserts at most half of the cells up to the end of the row: if more
  /// cells are inserted than moved, tmux (3.3a) leaves old cells between them.
  private mutating func appendInsertions(at column: Int, _ count: Int, _ columns: Int) {
    let maximum = max(1, (columns - column) / 2)
    for done in stride(from: 0, to: count, by: maximum) { steps.append((column, min(maximum, count - done))) }
  }
}
