import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
