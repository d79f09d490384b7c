/// The zero-based position of the terminal's cursor. After the last column of a row was written, the column is unknown.
///
/// Terminals differ in the cursor position after the last column, and in the width of some clusters. The cursor is
/// positioned again after these.
struct Cursor: Hashable {
  /// The row.
  var row: Int
  /// The column, or ``unknown``.
  var column: Int

  /// The column of a cursor whose position in its row is unknown.
  static let unknown = -1

  /// The top left corner.
  static let home = Cursor(row: 0, column: 0)
}

/// A cursor movement and its cost.
struct CursorMove {
  /// The vertical part of the movement.
  enum Vertical {
    /// The row is already correct.
    case none
    /// Line feeds. They keep the column, because the output is raw, and do not scroll above the last row.
    case lineFeeds
    /// CUD (`CSI n B`).
    case down
    /// RI (`ESC M`), one or several times.
    case reverseIndex
    /// CUU (`CSI n A`).
    case up
    /// VPA (`CSI n d`).
    case absolute
  }

  /// The horizontal part of the movement.
  enum Horizontal {
    /// The column is already correct.
    case none
    /// A carriage return, followed by CUF if necessary.
    case fromStart
    /// CUF (`CSI n C`).
    case forward
    /// Backspaces.
    case backspaces
    /// CUB (`CSI n D`).
    case back
    /// CHA (`CSI n G`).
    case absolute
  }

  /// The number of bytes.
  let cost: Int
  /// Both parts, or `nil` for CUP (`CSI row ; column H`).
  let steps: (Vertical, Horizontal)?

  /// Finds the shortest movement.
  ///
  /// Sources: ECMA-48, 8.3.18–22 (CUB, CUD, CUF, CUP, CUU), 8.3.9 CHA, 8.3.158 VPA, 8.3.104 RI; 8.2.4 CR, LF, BS.
  @inline(__always)
  init(from start: Cursor, to end: Cursor) {
    // The default of a missing number is 1.
    let column = end.column == 0 ? 0 : 1 + digits(end.column + 1)
    let absolute = 3 + (end.row == 0 ? 0 : digits(end.row + 1)) + column
    // From an unknown row, relative movement is impossible.
    guard start.row >= 0 else {
      cost = absolute
      steps = nil
      return
    }
    let (vertical, verticalCost) = Self.vertical(start, end)
    let (horizontal, horizontalCost) = Self.horizontal(start, end)
    let relative = verticalCost + horizontalCost
    if absolute < relative {
      cost = absolute
      steps = nil
    } else {
      cost = relative
      steps = (vertical, horizontal)
    }
  }

  @inline(__always)
  private static func vertical(_ start: Cursor, _ end: Cursor) -> (Vertical, Int) {
    let distance = end.row - start.row
    if distance == 0 { return (.none, 0) }
    let absolute = 3 + digits(end.row + 1)
    if distance > 0 {
      let relative = 3 + digits(distance)
      if distance <= relative { return distance <= absolute ? (.lineFeeds, distance) : (.absolute, absolute) }
      return relative <= absolute ? (.down, relative) : (.absolute, absolute)
    }
    let relative = distance == -1 ? 3 : 3 + digits(-distance)
    if -2 * distance <= relative { return (.reverseIndex, -2 * distance) }
    return relative <= absolute ? (.up, relative) : (.absolute, absolute)
  }

  @inline(__always)
  private static func horizontal(_ start: Cursor, _ end: Cursor) -> (Horizontal, Int) {
    if end.column == 0 { return start.column == 0 ? (.none, 0) : (.fromStart, 1) }
    let absolute = 3 + digits(end.column + 1)
    let fromStart = 4 + (end.column == 1 ? 0 : digits(end.column))
    let without: (Horizontal, Int) = fromStart < absolute ? (.fromStart, fromStart) : (.absolute, absolute)
    guard start.column >= 0 else { return without }
    let distance = end.column - start.column
    if distance == 0 { return (.none, 0) }
    if distance > 0 {
      let forward = distance == 1 ? 3 : 3 + digits(distance)
      return forward <= without.1 ? (.forward, forward) : without
    }
    let back = 3 + digits(-distance)
    if -distance <= back { return -distance <= without.1 ? (.backspaces, -distance) : without }
    return back <= without.1 ? (.back, back) : without
  }
}

extension ByteBuffer {
  /// Writes the shortest movement of the cursor from one position to another.
  mutating func writeMove(from start: Cursor, to end: Cursor) {
    if start == end { return }
    reserve(32)
    guard let (vertical, horizontal) = CursorMove(from: start, to: end).steps else {
      writeCSI()
      if end.row > 0 { write(number: end.row + 1) }
      if end.column > 0 {
        write(UInt8(ascii: ";"))
        write(number: end.column + 1)
      }
      write(UInt8(ascii: "H"))
      return
    }
    let down = end.row - start.row
    // The carriage return comes first, because a line feed after the last column can move the cursor down twice.
    if horizontal == .fromStart { write(0x0D) }
    switch vertical {
    case .none: break
    case .lineFeeds: for _ in 0..<down { write(0x0A) }
    case .down: writeSequence(down, UInt8(ascii: "B"))
    case .reverseIndex:
      for _ in 0..<(-down) {
        write(0x1B)
        write(UInt8(ascii: "M"))
      }
    case .up: writeSequence(-down, UInt8(ascii: "A"))
    case .absolute: writeSequence(end.row + 1, UInt8(ascii: "d"))
    }
    switch horizontal {
    case .none: break
    case .fromStart: if end.column > 0 { writeSequence(end.column, UInt8(ascii: "C")) }
    case .forward: writeSequence(end.column - start.column, UInt8(ascii: "C"))
    case .backspaces: for _ in 0..<(start.column - end.column) { write(0x08) }
    case .back: writeSequence(start.column - end.column, UInt8(ascii: "D"))
    case .absolute: writeSequence(end.column + 1, UInt8(ascii: "G"))
    }
  }
}
