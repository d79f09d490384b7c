import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Rows of cells to try things on, kept from frame to frame while the screen has one size.
final class SpareRows {
  /// A blank row.
  let blank: UnsafeMutablePointer<Cell>
  /// A row whose cells were moved.
  let moved: UnsafeMutablePointer<Cell>
  private let columns: Int
  /// All rows of the screen, as far as a frame is tried on them.
  private let screen: UnsafeMutablePointer<Cell>

  init(size: CellSize) {
    columns = size.columns
    screen = .allocate(capacity: max(1, size.columns * size.rows))
    screen.initialize(repeating: .blank, count: size.columns * size.rows)
    blank = .allocate(capacity: max(1, columns))
    moved = .allocate(capacity: max(1, columns))
    blank.initialize(repeating: .blank, count: columns)
    moved.initialize(repeating: .blank, count: columns)
  }

  deinit {
    blank.deallocate()
    moved.deallocate()
    screen.deallocate()
  }

  /// A row of the screen to try a frame on; it holds what was tried last.
  func drafts(of row: Int) -> UnsafeMutablePointer<Cell> { screen + row * columns }

  /// Whether a row holds a cell that is not one column wide on every terminal, or of which nothing is known.
  func holdsOtherThanSingle(_ row: UnsafePointer<Cell>, _ features: OutputFeatures) -> Bool {
    for column in 0..<columns {
      let cell = CellWords(row + column)
      if cell.width != 1 || cell.glyph == FrameEncoder.unknownBits { return true }
    }
    return holdsDisputed(row, features)
  }

  /// Whether a row holds a cluster whose width terminals disagree about, so that it is not known where its cells are.
  func holdsDisputed(_ row: UnsafePointer<Cell>, _ features: OutputFeatures) -> Bool {
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

/// Whether so many bytes are the same.
@inline(__always)
func areBytesEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
  memcmp(one, other, count) == 0
}

/// Copies bytes between places that may overlap.
@inline(__always)
func memoryMove(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int) {
  memmove(target, source, count)
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
