/// How many colours there are to draw with.
public enum ColourDepth: String, CaseIterable, Hashable, Sendable {
  /// Any colour.
  case truecolor
  /// The 256 numbered colours.
  case indexed = "256"
  /// The 16 of the terminal's theme.
  case ansi = "16"
  /// Weight, slant and lines only.
  case none
}

extension Colour {
  /// The nearest colour to this one among those of a depth.
  ///
  /// `default` and `clear` are left alone at every depth. Colours are compared by the eye's weights for red, green and
  /// blue; the first 16, which are different on every terminal, are only chosen where there are no others.
  ///
  /// Source of the weights: Riemersma, "Colour metric" (the low-cost approximation).
  public func limited(to depth: ColourDepth) -> Colour {
    switch (depth, kind) {
    case (.truecolor, _), (_, .default), (_, .clear): self
    case (.none, _): .default
    case (.indexed, .indexed), (.ansi, .indexed(0..<16)): self
    case (.indexed, .rgb(let red, let green, let blue)): .nearestIndexed(Int(red), Int(green), Int(blue))
    case (.ansi, _): .nearestOfTheme(to: rgbNumber ?? 0)
    }
  }

  /// The nearest of the cube and the greys: the nearest step of each part, or the nearest grey.
  private static func nearestIndexed(_ red: Int, _ green: Int, _ blue: Int) -> Colour {
    func step(_ part: Int) -> Int { part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40 }
    let cube = 16 + 36 * step(red) + 6 * step(green) + step(blue)
    let grey = 232 + max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let wanted = UInt32(red << 16 | green << 8 | blue)
    let candidates = [cube, grey].map { Colour.indexed(UInt8($0)) }
    return distance(candidates[1].rgbNumber ?? 0, wanted) < distance(candidates[0].rgbNumber ?? 0, wanted)
      ? candidates[1] : candidates[0]
  }

  private static func nearestOfTheme(to wanted: UInt32) -> Colour {
    let all = (UInt8(0)..<16).map(Colour.indexed)
    return all.min { distance($0.rgbNumber ?? 0, wanted) < distance($1.rgbNumber ?? 0, wanted) } ?? .default
  }

  private static func distance(_ one: UInt32, _ other: UInt32) -> Int {
    func part(_ number: UInt32, _ shift: UInt32) -> Int { Int(number >> shift & 0xFF) }
    let red = part(one, 16) - part(other, 16)
    let green = part(one, 8) - part(other, 8)
    let blue = part(one, 0) - part(other, 0)
    let mean = (part(one, 16) + part(other, 16)) / 2
    return (512 + mean) * red * red / 256 + 4 * green * green + (767 - mean) * blue * blue / 256
  }
}
