import TextCanvas

/// The colours of each role, for each theme and colour depth.
///
/// To add a theme, add a case to ``PageAppearance``, a row here, and the name of the theme to the setting `theme`. To
/// change a colour, change both its RGB value and its index in the 256-colour palette; the two must have the same hue.
///
/// In a row, the contrast of text with the row's background is at least 4.5 : 1, even for highlighted text. A test
/// checks this, and the settings page shows the lowest contrast of the theme.
///
/// The RGB values of the 16 ANSI colours differ between terminals. The table therefore uses only those that are
/// readable in the palettes of xterm, the PC text mode and Solarized, even if the terminal brightens bold text. A test
/// checks this. Only blue, bright blue and red qualify on a light background: other text has the terminal's default
/// colour there, and only lines show the hue of a course level. In the high-contrast themes, all text has the default colour.
enum Palette {
  struct Colours {
    let rgb: UInt32
    let indexed: UInt8
    /// The ANSI colour (0–15) of text, or `nil` for the terminal's default colour.
    var ansi: UInt8?
    /// The ANSI colour (0–15) of lines, which may be paler than text. `nil` for the default colour, drawn faint for the
    /// role `faint`.
    var ansiLine: UInt8?
  }

  struct Row {
    let pageAppearance: PageAppearance
    /// The background, and the foreground of text without a role.
    let page: PageColours
    /// The background of text that the learner highlighted.
    let highlight: Colours
    private let colours: [Role: Colours]

    fileprivate init(
      _ pageAppearance: PageAppearance, page: PageColours, highlight: (UInt32, UInt8),
      _ colours: KeyValuePairs<Role, (UInt32, UInt8, UInt8?, UInt8?)>
    ) {
      (self.pageAppearance, self.page) = (pageAppearance, page)
      self.highlight = Colours(rgb: highlight.0, indexed: highlight.1)
      self.colours = Dictionary(
        uniqueKeysWithValues: colours.map {
          ($0, Colours(rgb: $1.0, indexed: $1.1, ansi: $1.2, ansiLine: $1.3))
        })
    }

    subscript(role: Role) -> Colours { colours[role]! }
  }

  /// Returns the row of an appearance. For ``PageAppearance/unknown``, returns the row of ``PageAppearance/dark``.
  static func row(of pageAppearance: PageAppearance) -> Row {
    rows.first { $0.pageAppearance == pageAppearance } ?? rows[0]
  }

  static let rows = [
    Row(
      .dark, page: PageColours(foreground: 0xD6D9DF, background: 0x16181D), highlight: (0x36321F, 236),
      [
        .foreground: (0xD6D9DF, 253, nil, nil),
        .strong: (0xF2F4F8, 255, nil, nil),
        .quiet: (0x99A0AD, 247, nil, nil),
        .faint: (0x4D5360, 239, nil, nil),
        .course: (0xB8A6F5, 147, 13, 13),
        .goal: (0x86B7FB, 111, 12, 12),
        .lesson: (0x6ACDBF, 79, 14, 14),
        .activity: (0xA3D27C, 150, 2, 2),
        .code: (0xDDA8C8, 182, nil, nil),
        .warn: (0xE6B866, 179, 3, 3),
        .bad: (0xF19A94, 210, 9, 9),
        .key: (0xE0E08A, 186, 15, 15),
      ]),
    Row(
      .light, page: PageColours(foreground: 0x2A2D34, background: 0xFDFCFA), highlight: (0xFBEFB4, 229),
      [
        .foreground: (0x2A2D34, 236, nil, nil),
        .strong: (0x0D0F13, 233, nil, nil),
        .quiet: (0x5D6470, 241, nil, nil),
        .faint: (0xB9BEC8, 250, nil, nil),
        .course: (0x5A3FC0, 61, nil, 5),
        .goal: (0x1458B8, 25, 4, 4),
        .lesson: (0x0B6F66, 23, nil, 6),
        .activity: (0x3B6D12, 22, nil, 2),
        .code: (0x8A2C63, 89, nil, nil),
        .warn: (0x875500, 94, nil, 3),
        .bad: (0xB3261E, 124, 1, 1),
        .key: (0x6B6400, 58, 12, 12),
      ]),
    Row(
      .highContrast, page: PageColours(foreground: 0xFFFFFF, background: 0x000000), highlight: (0x3A3A00, 236),
      [
        .foreground: (0xFFFFFF, 231, nil, nil),
        .strong: (0xFFFFFF, 231, nil, nil),
        .quiet: (0xE0E0E0, 254, nil, nil),
        .faint: (0x9A9A9A, 247, nil, nil),
        .course: (0xD9C8FF, 189, nil, nil),
        .goal: (0xA8D1FF, 153, nil, nil),
        .lesson: (0x7FF0E0, 122, nil, nil),
        .activity: (0xB8F28A, 156, nil, nil),
        .code: (0xFFC2E2, 218, nil, nil),
        .warn: (0xFFD37A, 222, nil, nil),
        .bad: (0xFFB0AA, 217, nil, nil),
        .key: (0xF4F09A, 228, nil, nil),
      ]),
    Row(
      .highContrastLight, page: PageColours(foreground: 0x000000, background: 0xFFFFFF), highlight: (0xFFF176, 229),
      [
        .foreground: (0x000000, 16, nil, nil),
        .strong: (0x000000, 16, nil, nil),
        .quiet: (0x303030, 236, nil, nil),
        .faint: (0x767676, 243, nil, nil),
        .course: (0x3D1F9E, 54, nil, nil),
        .goal: (0x003C8F, 18, nil, nil),
        .lesson: (0x004D47, 23, nil, nil),
        .activity: (0x1F4A00, 22, nil, nil),
        .code: (0x6B0F49, 53, nil, nil),
        .warn: (0x5C3900, 58, nil, nil),
        .bad: (0x8A0F08, 88, nil, nil),
        .key: (0x004A6B, 24, nil, nil),
      ]),
  ]

  /// Returns the ANSI colour (0–15) of a role's text if the background is unknown, or `nil` for the terminal's default
  /// colour. Three of the 16 colours have enough contrast with both a dark and a light background.
  static func ansiOnAnyPage(_ role: Role) -> UInt8? {
    switch role {
    case .course: 5
    case .bad: 9
    case .key: 12
    case .foreground, .strong, .quiet, .faint, .goal, .lesson, .activity, .code, .warn: nil
    }
  }

  /// Returns the attributes that replace a role's colour if the terminal has 16 colours or none.
  static func attributes(of role: Role) -> Attributes {
    switch role {
    case .strong, .course, .goal, .lesson, .activity, .code, .bad, .key: .bold
    case .warn: .underline
    case .faint: .faint
    case .foreground, .quiet: []
    }
  }
}
