import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Rows of cells, one after the other in memory: what the terminal shows, what it should show, or room to try something on.
/// No other type of the encoder holds a pointer to cells.
///
/// A cell is read by row and column, whole or as the two words of its memory:
///
/// ```
///          0   1   2   3
/// row 0    L   e   a   r        grid[0][1] is the cell of e
/// row 1    n                    grid[1].words(0).glyph is n
/// ```
///
/// Rows are moved as the terminal moves them. What comes in is blank:
///
/// ```
/// row 0    a                    a
/// row 1    b    1..<4 by 1
/// row 2    c                    b
/// row 3    d                    c
/// ```
///
/// So are cells within a row, here deleted (-1) and inserted (1) at column 1:
///
/// ```
/// a b c d    by -1    a c d        by 1    a   b c
/// ```
struct CellGrid {
  /// How many cells a row has.
  let columns: Int
  /// How many rows there are.
  let rows: Int
  private let cells: UnsafeMutablePointer<Cell>

  /// Makes room for so many rows of blanks, until ``deallocate()``.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = .allocate(capacity: max(1, columns * rows))
    cells.initialize(repeating: .blank, count: columns * rows)
  }

  /// A view of cells in an array, valid as long as the pointer to them. They are never written.
  init?(reading cells: UnsafeBufferPointer<Cell>, columns: Int) {
    self.init(changing: UnsafeMutableBufferPointer(mutating: cells), columns: columns)
  }

  /// A view of cells in an array that may be written, valid as long as the pointer to them; `nil` where there are none.
  init?(changing cells: UnsafeMutableBufferPointer<Cell>, columns: Int) {
    guard columns > 0, let first = cells.baseAddress else { return nil }
    (self.columns, rows, self.cells) = (columns, cells.count / columns, first)
  }

  /// Gives the room back.
  func deallocate() { cells.deallocate() }

  /// A row, as it is at each moment.
  @inline(__always)
  subscript(row: Int) -> CellRow { CellRow(cells + row &* columns) }

  /// Copies a row, or the first of its columns.
  func set(_ row: Int, to other: CellRow, columns count: Int? = nil) {
    other.copy(0..<(count ?? columns), to: cells + row * columns)
  }

  /// Copies some columns of a row.
  func set(_ columns: Range<Int>, of row: Int, to other: CellRow) {
    other.copy(columns, to: cells + row * self.columns)
  }

  /// Moves rows.
  func move(_ move: VerticalMove) {
    let count = abs(move.rows) * columns
    let kept = (move.bottom - move.top) * columns - count
    let top = cells + move.top * columns
    let (from, to) = move.rows < 0 ? (top + count, top) : (top, top + count)
    memmove(to, from, kept * MemoryLayout<Cell>.stride)
    (move.rows < 0 ? top + kept : top).update(repeating: .blank, count: count)
  }

  /// Inserts or deletes cells of a row; `false` where that would cut a wide character: terminals disagree about what is left
  /// of it.
  ///
  /// - Parameter count: How many are inserted; negative, deleted.
  func shift(_ row: Int, at column: Int, by count: Int) -> Bool {
    let cells = cells + row * columns
    guard !cells[column].isContinuation else { return false }
    let kept = columns - column - abs(count)
    if count < 0 {
      guard column - count >= columns || !cells[column - count].isContinuation else { return false }
      memmove(cells + column, cells + column - count, kept * MemoryLayout<Cell>.stride)
      (cells + column + kept).update(repeating: .blank, count: -count)
    } else {
      guard !cells[columns - count].isContinuation else { return false }
      memmove(cells + column + count, cells + column, kept * MemoryLayout<Cell>.stride)
      (cells + column).update(repeating: .blank, count: count)
    }
    return true
  }
}

/// A row of a ``CellGrid``, valid as long as that.
struct CellRow {
  private let cells: UnsafePointer<Cell>

  @inline(__always)
  fileprivate init(_ cells: UnsafePointer<Cell>) { self.cells = cells }

  /// The cell in a column.
  @inline(__always)
  subscript(column: Int) -> Cell { cells[column] }

  /// The same, as two words.
  @inline(__always)
  func words(_ column: Int) -> CellWords { CellWords(cells + column) }

  /// The rest of the row from a column on, which is column 0 of it.
  @inline(__always)
  func from(_ column: Int) -> CellRow { CellRow(cells + column) }

  /// Whether so many cells are the same.
  @inline(__always)
  func isSame(as other: CellRow, columns: Int) -> Bool {
    memcmp(cells, other.cells, columns &* MemoryLayout<Cell>.stride) == 0
  }

  fileprivate func copy(_ columns: Range<Int>, to other: UnsafeMutablePointer<Cell>) {
    (other + columns.lowerBound).update(from: cells + columns.lowerBound, count: columns.count)
  }
}

/// Rows in an order of their own, wherever each of them lies.
struct RowList {
  private let rows: UnsafeMutablePointer<CellRow>

  /// Makes room for so many, until ``deallocate()``; each is to be set before it is read.
  init(count: Int) { rows = .allocate(capacity: max(1, count)) }

  /// Gives the room back.
  func deallocate() { rows.deallocate() }

  @inline(__always)
  subscript(index: Int) -> CellRow {
    get { rows[index] }
    nonmutating set { rows[index] = newValue }
  }
}

/// A cell as the two words of its memory, read at once: glyph and ink in one; background, attributes, width and link in
/// the other.
///
/// What the encoder asks of most cells is answered by these without reaching for a field of another module.
struct CellWords: Equatable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  fileprivate init(_ cell: UnsafePointer<Cell>) {
    let memory = UnsafeRawPointer(cell)
    low = UInt64(littleEndian: memory.loadUnaligned(as: UInt64.self))
    high = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  @inline(__always) var glyph: UInt32 { UInt32(truncatingIfNeeded: low) }
  @inline(__always) var foreground: UInt32 { UInt32(truncatingIfNeeded: low >> 32) }
  @inline(__always) var background: UInt32 { UInt32(truncatingIfNeeded: high) }
  @inline(__always) var attributes: Attributes { Attributes(rawValue: UInt8(truncatingIfNeeded: high >> 32)) }
  @inline(__always) var width: UInt8 { UInt8(truncatingIfNeeded: high >> 40) }
  @inline(__always) var link: UInt16 { UInt16(truncatingIfNeeded: high >> 48) }

  /// Whether it is one column without ink, and without a line that is seen on a blank.
  @inline(__always) var isPlainBlank: Bool { glyph <= 0x20 && drawsPlainBlanks }

  /// Whether the pen of this cell draws plain blanks too.
  @inline(__always) var drawsPlainBlanks: Bool { (high >> 32) & Self.blankMask == 1 << 8 }

  /// Width, and the attributes that are seen on blanks: underline, strikethrough and reverse.
  private static let blankMask: UInt64 = 0xFF38
}

/// Rows of cells to try things on, kept from frame to frame while the screen has one size.
final class SpareRows {
  /// The rows of the screen to try a frame on, which hold what was tried last, and two more.
  let grid: CellGrid
  /// The number of the row whose cells were moved.
  let movedRow: Int

  init(size: CellSize) {
    grid = CellGrid(columns: size.columns, rows: size.rows + 2)
    movedRow = size.rows
  }

  deinit { grid.deallocate() }

  /// The row whose cells were moved.
  var moved: CellRow { grid[movedRow] }
  /// A blank row.
  var blank: CellRow { grid[movedRow + 1] }
  private var columns: Int { grid.columns }

  /// Whether a row holds a cell that is not one column wide on every terminal, or of which nothing is known.
  func holdsOtherThanSingle(_ row: CellRow, _ features: OutputFeatures) -> Bool {
    for column in 0..<columns {
      let cell = row.words(column)
      if cell.width != 1 || cell.glyph == FrameEncoder.unknownBits { return true }
    }
    return holdsDisputed(row, features)
  }

  /// Whether a row holds a cluster whose width terminals disagree about, so that it is not known where its cells are.
  func holdsDisputed(_ row: CellRow, _ features: OutputFeatures) -> Bool {
    guard features.isUnicode else { return false }
    for column in 0..<columns {
      let glyph = row[column].glyph
      if glyph.bits < 0x80 { continue }
      if glyph.isDisputed || glyph == FrameEncoder.unknownGlyph { return true }
      if features.ambiguousIsWide, glyph.scalar?.isAmbiguousWidth ?? false { return true }
    }
    return false
  }
}

extension ByteBuffer {
  /// Puts text before everything that is there.
  mutating func insert(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    memmove(base + length, base, count)
    memcpy(base, text.utf8Start, length)
    count += length
  }
}
