import TextCanvas

/// A hash that shows whether two runs measured the same inputs.
///
/// Source: Fowler, Noll and Vo, FNV-1a of 64 bits.
struct Digest: CustomStringConvertible {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  mutating func add(_ text: String) { add(text.utf8) }

  mutating func add(_ surface: Surface) {
    // Hashes texts instead of cells, because the numbers of grapheme clusters depend on the order in which they occur.
    for cell in surface.cells {
      add(cell.glyph.text)
      add("\(cell.foreground.kind)\(cell.background.kind)\(cell.attributes.rawValue)")
    }
  }

  var description: String { String(state, radix: 16) }
}
