import TextCanvas

/// A cell as the two words of its memory, read at once: glyph and ink in one; background, attributes, width and link in
/// the other.
///
/// What the encoder asks of most cells is answered by these without reaching for a field of another module.
struct CellWords: Equatable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  init(_ cell: UnsafePointer<Cell>) {
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
