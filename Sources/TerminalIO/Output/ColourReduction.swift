import TextCanvas

/// Brings colours down to those a terminal shows, the same one for the same colour always.
struct ColourReduction {
  /// The colours there are.
  let depth: ColourDepth
  // The last answers, by a few bits of the colour: a frame has few colours, and neighbours share them.
  private var keys = [UInt32](repeating: .max, count: 256)
  private var values = [UInt32](repeating: 0, count: 256)

  init(_ depth: ColourDepth) {
    self.depth = depth
  }

  /// The nearest colour there is, as ``TextCanvas/Colour``'s bits; no colour (`clear`) is the terminal's own.
  @inline(__always)
  mutating func callAsFunction(_ bits: UInt32) -> UInt32 {
    let tag = bits >> 24
    if tag == 0 || tag == 3 || depth == .none { return 0 }
    if depth == .truecolor { return bits }
    return lookUp(bits)
  }

  private mutating func lookUp(_ bits: UInt32) -> UInt32 {
    let slot = Int((bits &* 0x9E37_79B1) >> 24)
    if keys[slot] == bits { return values[slot] }
    keys[slot] = bits
    values[slot] = Colour(bits: bits).limited(to: depth).bits
    return values[slot]
  }
}
