/// A terminal colour, stored in four bytes.
public struct Colour: Hashable, Sendable {
  /// A tag in the highest byte, followed by the colour. Zero is the terminal's default colour.
  package let bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  /// The terminal's default colour: that of text as a foreground, that of the page as a background.
  public static let `default` = Colour(bits: 0)

  /// No colour. As a background, it shows the content below. On a surface that is sent to a terminal, it is the same as
  /// ``default``.
  public static let clear = Colour(bits: 3 << 24)

  /// Returns one of the 256 numbered colours: 0–15 are the terminal's theme, 16–231 a colour cube, 232–255 greys.
  public static func indexed(_ number: UInt8) -> Colour {
    Colour(bits: 1 << 24 | UInt32(number))
  }

  /// Returns a colour with the given components, each 0–255, in sRGB.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Colour {
    Colour(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Returns a colour from its hexadecimal number, as in CSS: `0xD6D9DF`. The highest eight bits are ignored.
  public static func hex(_ number: UInt32) -> Colour {
    Colour(bits: 2 << 24 | number & 0xFF_FFFF)
  }

  /// The kinds of colours.
  public enum Kind: Hashable, Sendable {
    /// The terminal's default colour.
    case `default`
    /// No colour: the content below is visible.
    case clear
    /// One of the 256 numbered colours.
    case indexed(UInt8)
    /// A colour with the given components.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
  }

  /// The kind of the colour.
  public var kind: Kind {
    switch bits >> 24 {
    case 1: .indexed(UInt8(truncatingIfNeeded: bits))
    case 2:
      .rgb(
        red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
        blue: UInt8(truncatingIfNeeded: bits))
    case 3: .clear
    default: .default
    }
  }
}

extension Colour {
  /// Red, green and blue as a number `0xRRGGBB`, or `nil` for ``default`` and ``clear``.
  ///
  /// The first 16 numbered colours depend on the terminal's theme, which is unknown, so those of xterm are used. The
  /// cube and the greys are the same on all terminals.
  ///
  /// Source: xterm, 256colres.pl (cube steps 0, 95, 135, 175, 215, 255; greys 8 + 10 n) and its default resources.
  public var rgbNumber: UInt32? {
    switch bits >> 24 {
    case 1: Colour.number(ofIndexed: UInt8(truncatingIfNeeded: bits))
    case 2: bits & 0xFF_FFFF
    default: nil
    }
  }

  private static func number(ofIndexed index: UInt8) -> UInt32 {
    switch index {
    case 0..<16: return theme[Int(index)]
    case 16..<232:
      let cube = UInt32(index) - 16
      return step(cube / 36) << 16 | step(cube / 6 % 6) << 8 | step(cube % 6)
    default: return (8 + 10 * (UInt32(index) - 232)) * 0x010101
    }
  }

  private static func step(_ number: UInt32) -> UInt32 {
    number == 0 ? 0 : 55 + 40 * number
  }

  private static let theme: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
}

/// The colours that are available for drawing.
public enum ColourDepth: String, CaseIterable, Hashable, Sendable {
  /// All colours.
  case truecolor
  /// The 256 numbered colours.
  case indexed = "256"
  /// The 16 colours of the terminal's theme.
  case ansi = "16"
  /// No colours, only text attributes.
  case none
}

extension Colour {
  /// Returns the nearest colour that is available at a colour depth.
  ///
  /// ``default`` and ``clear`` are always kept. Colours are compared with perceptual weights for red, green and blue.
  /// The first 16 colours differ between terminals, so they are chosen only if there are no others.
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

  /// Returns the nearest colour of the cube and the greys.
  private static func nearestIndexed(_ red: Int, _ green: Int, _ blue: Int) -> Colour {
    func step(_ component: Int) -> Int { component < 48 ? 0 : component < 115 ? 1 : (component - 35) / 40 }
    let cube = 16 + 36 * step(red) + 6 * step(green) + step(blue)
    let grey = 232 + max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let target = UInt32(red << 16 | green << 8 | blue)
    let candidates = [cube, grey].map { Colour.indexed(UInt8($0)) }
    return distance(candidates[1].rgbNumber ?? 0, target) < distance(candidates[0].rgbNumber ?? 0, target)
      ? candidates[1] : candidates[0]
  }

  private static func nearestOfTheme(to target: UInt32) -> Colour {
    let all = (UInt8(0)..<16).map(Colour.indexed)
    return all.min { distance($0.rgbNumber ?? 0, target) < distance($1.rgbNumber ?? 0, target) } ?? .default
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
