import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Consecutive rows of cells in memory: the contents of the terminal, the required contents, or rows for trial output.
/// No other type of the encoder holds a pointer to cells.
///
/// A cell is read by row and column, as a whole or as the two words of its memory:
///
/// ```
///          0   1   2   3
/// row 0    L   e   a   r        grid[0][1] is the cell of e
/// row 1    n                    grid[1].words(0).glyph is n
/// ```
///
/// Rows are moved as the terminal moves them. Rows that are scrolled in are blank:
///
/// ```
/// row 0    a                    a
/// row 1    b    1..<4 by 1
/// row 2    c                    b
/// row 3    d                    c
/// ```
///
/// Cells are moved within a row in the same way, here deleted (-1) and inserted (1) at column 1:
///
/// ```
/// a b c d    by -1    a c d        by 1    a   b c
/// ```
struct CellGrid {
  /// The number of cells in a row.
  let columns: Int
  /// The number of rows.
  let rows: Int
  private let cells: UnsafeMutablePointer<Cell>

  /// Allocates blank rows. They must be released with ``deallocate()``.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = .allocate(capacity: max(1, columns * rows))
    cells.initialize(repeating: .blank, count: columns * rows)
  }

  /// Creates a view of cells in an array, valid as long as the given pointer. The cells are never written.
  init?(reading cells: UnsafeBufferPointer<Cell>, columns: Int) {
    self.init(changing: UnsafeMutableBufferPointer(mutating: cells), columns: columns)
  }

  /// Creates a view of writable cells in an array, valid as long as the given pointer. Returns `nil` if there are no
  /// cells.
  init?(changing cells: UnsafeMutableBufferPointer<Cell>, columns: Int) {
    guard columns > 0, let first = cells.baseAddress else { return nil }
    (self.columns, rows, self.cells) = (columns, cells.count / columns, first)
  }

  /// Releases the memory of a grid that was created with ``init(columns:rows:)``.
  func deallocate() { cells.deallocate() }

  /// A view of a row, which shows later changes too.
  @inline(__always)
  subscript(row: Int) -> CellRow { CellRow(cells + row &* columns) }

  /// Copies a row, or its first columns.
  func set(_ row: Int, to other: CellRow, columns count: Int? = nil) {
    other.copy(0..<(count ?? columns), to: cells + row * columns)
  }

  /// Copies some columns of a row.
  func set(_ columns: Range<Int>, of row: Int, to other: CellRow) {
    other.copy(columns, to: cells + row * self.columns)
  }

  /// Moves rows up or down.
  func move(_ move: VerticalMove) {
    let count = abs(move.rows) * columns
    let movedCount = (move.bottom - move.top) * columns - count
    let top = cells + move.top * columns
    let (from, to) = move.rows < 0 ? (top + count, top) : (top, top + count)
    memmove(to, from, movedCount * MemoryLayout<Cell>.stride)
    (move.rows < 0 ? top + movedCount : top).update(repeating: .blank, count: count)
  }

  /// Inserts or deletes cells in a row. Returns `false` if that would split a wide character, because terminals differ
  /// in how they show its remaining half.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - column: The first inserted or deleted cell.
  ///   - count: The number of inserted cells, or the negative number of deleted cells.
  func shift(_ row: Int, at column: Int, by count: Int) -> Bool {
    let cells = cells + row * columns
    guard !cells[column].isContinuation else { return false }
    let movedCount = columns - column - abs(count)
    if count < 0 {
      guard column - count >= columns || !cells[column - count].isContinuation else { return false }
      memmove(cells + column, cells + column - count, movedCount * MemoryLayout<Cell>.stride)
      (cells + column + movedCount).update(repeating: .blank, count: -count)
    } else {
      guard !cells[columns - count].isContinuation else { return false }
      memmove(cells + column + count, cells + column, movedCount * MemoryLayout<Cell>.stride)
      (cells + column).update(repeating: .blank, count: count)
    }
    return true
  }
}

/// A row of a ``CellGrid``, valid as long as the grid.
struct CellRow {
  private let cells: UnsafePointer<Cell>

  @inline(__always)
  fileprivate init(_ cells: UnsafePointer<Cell>) { self.cells = cells }

  /// The cell in a column.
  @inline(__always)
  subscript(column: Int) -> Cell { cells[column] }

  /// Returns the cell in a column as two words.
  @inline(__always)
  func packedCell(_ column: Int) -> PackedCell { PackedCell(cells + column) }

  /// Returns the part of the row from a column on. That column becomes column 0.
  @inline(__always)
  func from(_ column: Int) -> CellRow { CellRow(cells + column) }

  /// Returns whether the first cells of both rows have equal memory.
  @inline(__always)
  func isSame(as other: CellRow, columns: Int) -> Bool {
    memcmp(cells, other.cells, columns &* MemoryLayout<Cell>.stride) == 0
  }

  fileprivate func copy(_ columns: Range<Int>, to other: UnsafeMutablePointer<Cell>) {
    (other + columns.lowerBound).update(from: cells + columns.lowerBound, count: columns.count)
  }
}

/// Rows in any order and from any grid.
struct RowList {
  private let rows: UnsafeMutablePointer<CellRow>

  /// Allocates a list, which must be released with ``deallocate()``. Each row must be set before it is read.
  init(count: Int) { rows = .allocate(capacity: max(1, count)) }

  /// Releases the memory.
  func deallocate() { rows.deallocate() }

  @inline(__always)
  subscript(index: Int) -> CellRow {
    get { rows[index] }
    nonmutating set { rows[index] = newValue }
  }
}

/// A cell as the two words of its memory: glyph and foreground in one; background, attributes, width and link in the
/// other.
///
/// Most comparisons of the encoder use these words, which avoids accessing fields of a type in another module.
struct PackedCell: Equatable {
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

  /// Whether the cell is one blank column without an attribute that is visible on a blank.
  @inline(__always) var isPlainBlank: Bool { glyph <= 0x20 && drawsPlainBlanks }

  /// Whether blank cells with the same style are plain blanks too.
  @inline(__always) var drawsPlainBlanks: Bool { (high >> 32) & Self.blankMask == 1 << 8 }

  /// The bits of the width, and of the attributes that are visible on blanks: underline, strikethrough and reverse.
  private static let blankMask: UInt64 = 0xFF38
}

/// Rows for trial output, which are reused from frame to frame while the size of the screen stays the same.
final class SpareRows {
  /// A copy of the screen, which contains the last attempt of trial output, followed by the rows ``moved`` and
  /// ``blank``.
  let grid: CellGrid
  /// The index of the row for moved cells.
  let movedRow: Int

  init(size: CellSize) {
    grid = CellGrid(columns: size.columns, rows: size.rows + 2)
    movedRow = size.rows
  }

  deinit { grid.deallocate() }

  /// The row for moved cells.
  var moved: CellRow { grid[movedRow] }
  /// A blank row.
  var blank: CellRow { grid[movedRow + 1] }
  private var columns: Int { grid.columns }

  /// Returns whether a row contains a cell that is not one column wide on all terminals, or whose content is unknown.
  func hasWideOrUnknownCells(_ row: CellRow, _ features: OutputFeatures) -> Bool {
    for column in 0..<columns {
      let cell = row.packedCell(column)
      if cell.width != 1 || cell.glyph == FrameEncoder.unknownBits { return true }
    }
    return holdsDisputed(row, features)
  }

  /// Returns whether a row contains a cluster whose width differs between terminals, so that the positions of its cells
  /// are unknown.
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
  /// Inserts text before all other bytes.
  mutating func insert(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    memmove(base + length, base, count)
    memcpy(base, text.utf8Start, length)
    count += length
  }
}
