/// A colour as a terminal knows it, packed into four bytes.
public struct Colour: Hashable, Sendable {
  /// A tag in the top byte, the colour below it; zero is the terminal's default.
  package let bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  /// The terminal's own colour: of its text as a foreground, of its page as a background.
  public static let `default` = Colour(bits: 0)

  /// No colour: as a background, what lies below shows through. On a surface that goes to a terminal it is the same as
  /// `default`.
  public static let clear = Colour(bits: 3 << 24)

  /// One of the 256 numbered colours: 0–15 the terminal's theme, 16–231 a cube, 232–255 greys.
  public static func indexed(_ number: UInt8) -> Colour {
    Colour(bits: 1 << 24 | UInt32(number))
  }

  /// A colour by its parts, each 0–255, in sRGB.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Colour {
    Colour(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// A colour by its number in the manner of the web: `0xD6D9DF`; bits above 24 are ignored.
  public static func hex(_ number: UInt32) -> Colour {
    Colour(bits: 2 << 24 | number & 0xFF_FFFF)
  }

  /// What a colour is, to be switched over.
  public enum Kind: Hashable, Sendable {
    /// The terminal's own.
    case `default`
    /// None: what lies below.
    case clear
    /// One of the 256 numbered colours.
    case indexed(UInt8)
    /// By its parts.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
  }

  /// What it is.
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
