import TextCanvas

/// The colours of each role, dark and light, for every depth of colour.
///
/// One row a role. Contrast is against the page's background, #16181d and #fdfcfa: every text role is above 5.5 : 1.
/// To change a colour, change its row; the three columns of a side must stay the same hue.
///
/// Of the 16 colours nobody knows what they look like here, so those stand in the table that can be read in the palettes
/// of xterm, of the PC's text screen and of Solarized alike, also where bold text gets the brighter colour; a test
/// computes it. On a light page only blue and red can: other words have the terminal's own colour there, and the hue of a
/// level is in its lines alone.
enum Palette {
  struct Colours {
    let rgb: UInt32
    let indexed: UInt8
    /// One of the terminal's own 16 colours for words; `nil` for its default.
    let ansi: UInt8?
    /// The same for lines, which may be paler; `nil` for its default, faint where the role is.
    let ansiLine: UInt8?
  }

  struct Row {
    let role: Role
    let dark: Colours
    let light: Colours
    /// What stands for the colour where there are 16 or none.
    let attributes: Attributes
  }

  /// What words without a role, and the page around them, look like on a page of either tone.
  static let darkPage = PageColours(foreground: 0xD6D9DF, background: 0x16181D)
  static let lightPage = PageColours(foreground: 0x2A2D34, background: 0xFDFCFA)

  static let rows: [Row] = [
    row(.ink, (0xD6D9DF, 253, nil, nil), (0x2A2D34, 236, nil, nil), []),
    row(.strong, (0xF2F4F8, 255, nil, nil), (0x0D0F13, 233, nil, nil), .bold),
    row(.quiet, (0x99A0AD, 247, nil, nil), (0x5D6470, 241, nil, nil), []),
    row(.faint, (0x4D5360, 239, nil, nil), (0xB9BEC8, 250, nil, nil), .faint),
    row(.course, (0xB8A6F5, 147, 13, 13), (0x5A3FC0, 61, nil, 5), .bold),
    row(.goal, (0x86B7FB, 111, 12, 12), (0x1458B8, 25, 4, 4), .bold),
    row(.lesson, (0x6ACDBF, 79, 14, 14), (0x0B6F66, 23, nil, 6), .bold),
    row(.activity, (0xA3D27C, 150, 2, 2), (0x3B6D12, 22, nil, 2), .bold),
    row(.code, (0xDDA8C8, 182, nil, nil), (0x8A2C63, 89, nil, nil), .bold),
    row(.warn, (0xE6B866, 179, 3, 3), (0x875500, 94, nil, 3), .underline),
    row(.bad, (0xF19A94, 210, 9, 9), (0xB3261E, 124, 1, 1), .bold),
  ]

  private static func row(
    _ role: Role, _ dark: (UInt32, UInt8, UInt8?, UInt8?), _ light: (UInt32, UInt8, UInt8?, UInt8?),
    _ attributes: Attributes
  ) -> Row {
    Row(
      role: role, dark: Colours(rgb: dark.0, indexed: dark.1, ansi: dark.2, ansiLine: dark.3),
      light: Colours(rgb: light.0, indexed: light.1, ansi: light.2, ansiLine: light.3), attributes: attributes)
  }
}
