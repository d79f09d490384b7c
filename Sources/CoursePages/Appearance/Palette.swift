import TextCanvas

/// The colours of each role, dark and light, for every depth of colour.
///
/// One row a role, with a column for each theme. Contrast is against the page's background, #16181d and #fdfcfa: every text role is above 5.5 : 1.
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
    let highContrast: Colours
    let highContrastLight: Colours
    /// What stands for the colour where there are 16 or none.
    let attributes: Attributes

    /// What it looks like on a page of a tone that is known.
    func colours(on tone: PageTone) -> Colours {
      switch tone {
      case .dark, .unknown: dark
      case .light: light
      case .highContrast: highContrast
      case .highContrastLight: highContrastLight
      }
    }
  }

  /// What words without a role, and the page around them, look like on a page of either tone.
  static let darkPage = PageColours(foreground: 0xD6D9DF, background: 0x16181D)
  static let lightPage = PageColours(foreground: 0x2A2D34, background: 0xFDFCFA)

  /// The page of a tone that is known.
  static func page(of tone: PageTone) -> PageColours {
    switch tone {
    case .dark, .unknown: darkPage
    case .light: lightPage
    case .highContrast: PageColours(foreground: 0xFFFFFF, background: 0x000000)
    case .highContrastLight: PageColours(foreground: 0x000000, background: 0xFFFFFF)
    }
  }

  /// What lies behind words that a learner highlighted; every role of words can be read on it, with 4.5 : 1 and more.
  static func highlight(of tone: PageTone) -> (rgb: UInt32, indexed: UInt8) {
    switch tone {
    case .dark, .unknown: (0x36321F, 236)
    case .light: (0xFBEFB4, 229)
    case .highContrast: (0x3A3A00, 236)
    case .highContrastLight: (0xFFF176, 229)
    }
  }

  static let rows: [Row] = [
    row(.ink, (0xD6D9DF, 253, nil, nil), (0x2A2D34, 236, nil, nil), (0xFFFFFF, 231), (0x000000, 16), []),
    row(.strong, (0xF2F4F8, 255, nil, nil), (0x0D0F13, 233, nil, nil), (0xFFFFFF, 231), (0x000000, 16), .bold),
    row(.quiet, (0x99A0AD, 247, nil, nil), (0x5D6470, 241, nil, nil), (0xE0E0E0, 254), (0x303030, 236), []),
    row(.faint, (0x4D5360, 239, nil, nil), (0xB9BEC8, 250, nil, nil), (0x9A9A9A, 247), (0x767676, 243), .faint),
    row(.course, (0xB8A6F5, 147, 13, 13), (0x5A3FC0, 61, nil, 5), (0xD9C8FF, 189), (0x3D1F9E, 54), .bold),
    row(.goal, (0x86B7FB, 111, 12, 12), (0x1458B8, 25, 4, 4), (0xA8D1FF, 153), (0x003C8F, 18), .bold),
    row(.lesson, (0x6ACDBF, 79, 14, 14), (0x0B6F66, 23, nil, 6), (0x7FF0E0, 122), (0x004D47, 23), .bold),
    row(.activity, (0xA3D27C, 150, 2, 2), (0x3B6D12, 22, nil, 2), (0xB8F28A, 156), (0x1F4A00, 22), .bold),
    row(.code, (0xDDA8C8, 182, nil, nil), (0x8A2C63, 89, nil, nil), (0xFFC2E2, 218), (0x6B0F49, 53), .bold),
    row(.warn, (0xE6B866, 179, 3, 3), (0x875500, 94, nil, 3), (0xFFD37A, 222), (0x5C3900, 58), .underline),
    row(.bad, (0xF19A94, 210, 9, 9), (0xB3261E, 124, 1, 1), (0xFFB0AA, 217), (0x8A0F08, 88), .bold),
  ]

  private static func row(
    _ role: Role, _ dark: (UInt32, UInt8, UInt8?, UInt8?), _ light: (UInt32, UInt8, UInt8?, UInt8?),
    _ highContrast: (UInt32, UInt8), _ highContrastLight: (UInt32, UInt8), _ attributes: Attributes
  ) -> Row {
    // Of the 16 colours only the terminal's own text is sure to stand out most.
    Row(
      role: role, dark: Colours(rgb: dark.0, indexed: dark.1, ansi: dark.2, ansiLine: dark.3),
      light: Colours(rgb: light.0, indexed: light.1, ansi: light.2, ansiLine: light.3),
      highContrast: Colours(rgb: highContrast.0, indexed: highContrast.1, ansi: nil, ansiLine: nil),
      highContrastLight: Colours(rgb: highContrastLight.0, indexed: highContrastLight.1, ansi: nil, ansiLine: nil),
      attributes: attributes)
  }
}
