extension Colour {
  /// Red, green and blue as one number `0xRRGGBB`; `nil` for `default` and `clear`.
  ///
  /// The first 16 numbered colours are the terminal's theme, which is not known; those of xterm stand for them. The
  /// cube and the greys are the same everywhere.
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
