import Foundation
import Testing
import TextCanvas

@testable import CoursePages

/// Tests the contrast ratios of the themes.
@Suite struct ThemeTests {
  /// The least contrast ratio of readable text. Source: WCAG 2.1, success criterion 1.4.3.
  private static let least = 4.5

  @Test(
    arguments: [
      (PageAppearance.dark, 0x16181D), (.light, 0xFDFCFA), (.dark, 0x000000), (.light, 0xFFFFFF),
      (.highContrast, 0x16181D),
      (.highContrastLight, 0xFDFCFA),
    ]
      as [(PageAppearance, UInt32)])
  func `text in RGB and 256 colours is readable on dark and light backgrounds`(
    pageAppearance: PageAppearance, page: UInt32
  )
    throws
  {
    for depth in [ColourDepth.truecolor, .indexed] {
      let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)
      for role in Role.allCases where role != .faint {
        let foreground = try #require(theme[role].foreground.rgbNumber)
        let contrast = Self.contrast(foreground, page)
        #expect(contrast >= Self.least, "\(role) in \(depth) on \(pageAppearance): \(contrast)")
      }
    }
  }

  @Test(arguments: [ColourDepth.truecolor, .indexed, .ansi, .none], PageAppearance.allCases)
  func `search matches are underlined in every theme and colour depth`(
    depth: ColourDepth, pageAppearance: PageAppearance
  ) {
    let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)

    #expect(theme.hit(bold: true) == theme.bold(.warn).with(.underline))
    #expect(theme.hit(bold: false) == theme[.warn].with(.underline))
  }

  @Test(arguments: [PageAppearance.dark, .light, .highContrast, .highContrastLight])
  func `highlighted text is readable in every role`(pageAppearance: PageAppearance) throws {
    for depth in [ColourDepth.truecolor, .indexed] {
      let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)
      for role in Role.allCases where role != .faint {
        let style = theme.highlighted(theme[role])
        let contrast = Self.contrast(
          try #require(style.foreground.rgbNumber), try #require(style.background.rgbNumber))
        #expect(contrast >= Self.least, "\(role) in \(depth) on \(pageAppearance): \(contrast)")
      }
    }
    for depth in [ColourDepth.ansi, .none] {
      let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)
      #expect(theme.highlighted(theme[.foreground]) == theme[.foreground].with(.underline))
    }
  }

  @Test(arguments: [ColourDepth.ansi, .indexed, .truecolor])
  func `on an unknown background, three roles have a colour and bold replaces the other colours`(depth: ColourDepth) {
    let theme = Theme(colourDepth: depth, pageAppearance: .unknown)

    #expect(
      Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0, theme[$0].foreground) }).filter { $1 != .default } == [
        .course: .indexed(5), .bad: .indexed(9), .key: .indexed(12),
      ])
    for role in [Role.strong, .course, .goal, .lesson, .activity, .code, .bad, .key] {
      #expect(theme[role].attributes == .bold)
    }
    #expect(theme[.warn].attributes == .underline)
    #expect(
      Role.allCases.map { theme.line($0).foreground } == [
        .default, .default, .default, .default, .indexed(5), .indexed(5), .indexed(5), .indexed(5), .default, .default,
        .default, .default,
      ])
  }

  @Test func `on an unknown background, coloured text is readable on dark and light pages of common terminals`() {
    let theme = Theme(colourDepth: .ansi, pageAppearance: .unknown)

    for terminal in Terminal.all {
      // Bright blue is grey in Solarized: the colour of its own text.
      let least = terminal.description.hasPrefix("Solarized") ? 2.9 : 3.1
      for role in Role.allCases {
        let contrast = terminal.contrast(of: theme[role])
        #expect(contrast >= least, "\(role) in \(terminal): \(contrast)")
      }
    }
  }

  @Test(arguments: [PageAppearance.dark, .light, .unknown, .highContrast, .highContrastLight])
  func `the colour of keys has no other meaning`(pageAppearance: PageAppearance) {
    for depth in [ColourDepth.truecolor, .indexed, .ansi] {
      let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)
      let others = Role.allCases.filter { $0 != .key }.map { theme[$0].foreground }
      let isColourless = depth == .ansi && [.highContrast, .highContrastLight].contains(pageAppearance)
      #expect(others.contains(theme[.key].foreground) == isColourless, "\(depth)")
    }
  }

  @Test(arguments: PageAppearance.allCases) func `themes without colours have no colours in text and lines`(
    pageAppearance: PageAppearance
  ) {
    let theme = Theme(colourDepth: .none, pageAppearance: pageAppearance)

    for role in Role.allCases {
      #expect(theme[role].foreground == .default)
      #expect(theme.line(role).foreground == .default)
    }
  }

  @Test func `text and lines have the same colours in RGB and 256 colours`() {
    for pageAppearance in [PageAppearance.dark, .light] {
      for depth in [ColourDepth.truecolor, .indexed] {
        let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance)
        #expect(Role.allCases.allSatisfy { theme.line($0) == theme[$0] })
      }
    }
  }

  /// The 16 ANSI colours of some terminals, with their background and foreground.
  ///
  /// Source: xterm, its default resources; the text mode of the PC; Solarized by Ethan Schoonover.
  private struct Terminal: CustomStringConvertible {
    let description: String
    let pageAppearance: PageAppearance
    let page, text: UInt32
    let colours: [UInt32]

    private static let xterm: [UInt32] = [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    private static let pc: [UInt32] = [
      0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA,
      0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
    ]
    private static let solarized: [UInt32] = [
      0x073642, 0xDC322F, 0x859900, 0xB58900, 0x268BD2, 0xD33682, 0x2AA198, 0xEEE8D5,
      0x002B36, 0xCB4B16, 0x586E75, 0x657B83, 0x839496, 0x6C71C4, 0x93A1A1, 0xFDF6E3,
    ]
    static let all = [
      Terminal(description: "xterm, light", pageAppearance: .light, page: 0xFFFFFF, text: 0x000000, colours: xterm),
      Terminal(description: "xterm, dark", pageAppearance: .dark, page: 0x000000, text: 0xE5E5E5, colours: xterm),
      Terminal(description: "PC, light", pageAppearance: .light, page: 0xFFFFFF, text: 0x000000, colours: pc),
      Terminal(description: "PC, dark", pageAppearance: .dark, page: 0x000000, text: 0xAAAAAA, colours: pc),
      Terminal(
        description: "Solarized, light", pageAppearance: .light, page: 0xFDF6E3, text: 0x657B83, colours: solarized),
      Terminal(
        description: "Solarized, dark", pageAppearance: .dark, page: 0x002B36, text: 0x839496, colours: solarized),
    ]

    /// Returns the contrast of a style with the background.
    ///
    /// - Parameter brightensBold: Whether bold text in one of the first eight colours is brightened, as in xterm.
    func contrast(of style: Style, brightensBold: Bool = false) -> Double {
      guard case .indexed(let number) = style.foreground.kind else { return ThemeTests.contrast(text, page) }
      let brighter = brightensBold && number < 8 && style.attributes.contains(.bold)
      return ThemeTests.contrast(colours[Int(number) + (brighter ? 8 : 0)], page)
    }
  }

  @Test func `text in 16 colours is readable in the palettes of common terminals`() {
    for terminal in Terminal.all {
      let theme = Theme(colourDepth: .ansi, pageAppearance: terminal.pageAppearance)
      // Solarized's own text has a contrast of 4.1 on its light background and 4.8 on its dark one. Its red and violet
      // have at most 3.3 on the dark background.
      let isSolarized = terminal.description.hasPrefix("Solarized")
      let least = isSolarized ? terminal.pageAppearance == .dark ? 3.2 : 3.4 : 4
      for role in Role.allCases {
        let contrast = terminal.contrast(of: theme[role])
        // Solarized's bright blue is the grey of its dark theme's text.
        let isGrey = isSolarized && role == .key && terminal.pageAppearance == .light
        #expect(contrast >= (isGrey ? 2.9 : least), "\(role) in \(terminal): \(contrast)")
      }
      for role in Role.allCases where !isSolarized {
        let contrast = terminal.contrast(of: theme.bold(role), brightensBold: true)
        #expect(contrast >= 3.1, "\(role), bold, in \(terminal): \(contrast)")
      }
    }
  }

  @Test func `lines in 16 colours are visible and never bold`() {
    for terminal in Terminal.all {
      let theme = Theme(colourDepth: .ansi, pageAppearance: terminal.pageAppearance)
      for role in Role.allCases {
        let (line, contrast) = (theme.line(role), terminal.contrast(of: theme.line(role)))
        #expect(contrast >= 1.6, "\(role) in \(terminal): \(contrast)")
        #expect(line.attributes == (role == .faint ? .faint : []), "\(role)")
      }
    }
  }

  @Test func `lines in 16 colours have the hue of their content level even if text does not`() {
    let (light, dark) = (
      Theme(colourDepth: .ansi, pageAppearance: .light), Theme(colourDepth: .ansi, pageAppearance: .dark)
    )
    let levels = [Role.course, .goal, .lesson, .activity]

    #expect(levels.map { light[$0].foreground } == [.default, .indexed(4), .default, .default])
    #expect(levels.map { light.line($0).foreground } == [.indexed(5), .indexed(4), .indexed(6), .indexed(2)])
    #expect(levels.map { dark[$0].foreground } == [.indexed(13), .indexed(12), .indexed(14), .indexed(2)])
    #expect(levels.map { dark.line($0).foreground } == [.indexed(13), .indexed(12), .indexed(14), .indexed(2)])
    #expect(
      (light[.warn], light[.bad]) == (Style(attributes: .underline), Style(foreground: .indexed(1), attributes: .bold)))
  }

  /// Source: WCAG 2.1, definitions of contrast ratio and relative luminance.
  private static func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    let luminances = [luminance(one), luminance(other)].sorted()
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)
  }

  private static func luminance(_ colour: UInt32) -> Double {
    let channels = [16, 8, 0].map { shift -> Double in
      let channel = Double(colour >> UInt32(shift) & 0xFF) / 255
      return channel <= 0.03928 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  @Test func `a theme paints its own background if that of the terminal does not fit`() {
    func pages(_ depth: ColourDepth) -> [[Compositor.PageStyle?]] {
      PageAppearance.allCases.map { pageAppearance in
        [true, false, nil].map { Theme(colourDepth: depth, pageAppearance: pageAppearance).pageToPaint(onDark: $0) }
      }
    }
    func page(_ foreground: Colour, _ background: Colour) -> Compositor.PageStyle {
      Compositor.PageStyle(foreground: foreground, background: background)
    }
    func expected(
      _ dark: Compositor.PageStyle, _ light: Compositor.PageStyle, _ contrast: Compositor.PageStyle,
      _ contrastLight: Compositor.PageStyle
    ) -> [[Compositor.PageStyle?]] {
      [
        [nil, dark, dark], [light, nil, light], [nil, nil, nil], [contrast, contrast, contrast],
        [contrastLight, contrastLight, contrastLight],
      ]
    }
    let rgb = expected(
      page(.hex(0xD6D9DF), .hex(0x16181D)), page(.hex(0x2A2D34), .hex(0xFDFCFA)), page(.hex(0xFFFFFF), .hex(0)),
      page(.hex(0), .hex(0xFFFFFF)))
    let blackOnWhite = page(.indexed(0), .indexed(15))

    #expect(pages(.truecolor) == rgb)
    #expect(pages(.indexed) == rgb)
    #expect(
      pages(.ansi)
        == expected(page(.indexed(7), .indexed(0)), blackOnWhite, page(.indexed(15), .indexed(0)), blackOnWhite))
    #expect(pages(.none).joined().allSatisfy { $0 == nil })
    var custom = CustomColours()
    (custom.pageColour, custom.roleColours[.foreground]) = (0xFFFFEE, 0x111111)
    #expect(
      Theme(colourDepth: .truecolor, pageAppearance: .light, customColours: custom).pageToPaint(onDark: true)
        == page(.hex(0x111111), .hex(0xFFFFEE)))
  }
}
