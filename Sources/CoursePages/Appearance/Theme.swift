import Foundation
package import LearningModel
package import TextCanvas

/// The background that a theme is for.
package enum PageAppearance: String, CaseIterable, Hashable, Sendable {
  /// Light text on a dark background.
  case dark
  /// Dark text on a light background.
  case light
  /// The terminal does not report its background. Many terminal multiplexers hide it. Only those of the 16 ANSI colours
  /// are used that are readable on any background.
  case unknown
  /// High contrast on a dark background.
  case highContrast = "high-contrast"
  /// High contrast on a light background.
  case highContrastLight = "high-contrast-light"
}

/// The style of every role, for one colour depth and one background.
package struct Theme: Sendable {
  package let colourDepth: ColourDepth
  package let pageAppearance: PageAppearance
  /// The learner's own colours. They replace those of the theme if the background is known.
  package let customColours: CustomColours
  private let styles: [Style]
  private let lines: [Style]

  /// Creates the styles of all roles.
  ///
  /// - Parameter customColours: The learner's own colours. They are used with 256 or more colours if the background is
  ///   known.
  package init(colourDepth: ColourDepth, pageAppearance: PageAppearance, customColours: CustomColours = CustomColours())
  {
    (self.colourDepth, self.pageAppearance, self.customColours) = (colourDepth, pageAppearance, customColours)
    styles = Role.allCases.map {
      Self.style(of: $0, depth: colourDepth, pageAppearance: pageAppearance, customColours: customColours)
    }
    lines = Role.allCases.map {
      Self.lineStyle(of: $0, depth: colourDepth, pageAppearance: pageAppearance, customColours: customColours)
    }
  }

  /// The style of text with a role.
  package subscript(role: Role) -> Style { styles[role.rawValue] }

  /// Returns the style of lines with a role: frames, rules and the lines of a graph. Their colours can be paler than
  /// those of text.
  package func line(_ role: Role) -> Style { lines[role.rawValue] }

  /// Returns the style of a role in bold.
  package func bold(_ role: Role) -> Style {
    var style = self[role]
    style.attributes.insert(.bold)
    return style
  }

  /// Returns the style of a role without bold, which marks roles if there are only a few colours.
  package func regular(_ role: Role) -> Style {
    var style = self[role]
    style.attributes.remove(.bold)
    return style
  }

  /// Returns the style of search matches in text of any role. Matches are also underlined for readers who cannot
  /// distinguish the colours.
  package func hit(bold isBold: Bool) -> Style { (isBold ? bold(.warn) : self[.warn]).with(.underline) }

  /// Returns the style of text that the learner highlighted: with a background colour, or underlined if there are only
  /// a few colours.
  package func highlighted(_ style: Style) -> Style {
    guard pageAppearance != .unknown, colourDepth == .truecolor || colourDepth == .indexed else {
      return style.with(.underline)
    }
    var style = style
    let colours = Palette.row(of: pageAppearance).highlight
    style.background = colourDepth == .truecolor ? .hex(colours.rgb) : .indexed(colours.indexed)
    return style
  }

  /// How text and lines fade on this background: by blending with its colour if the colour is known, otherwise in steps
  /// between roles.
  package var fading: Fading {
    guard colourDepth == .truecolor, pageAppearance != .unknown else {
      return colourDepth == .none
        ? .ramp(.faint) : .ramp(.roles(quiet: self[.quiet], faint: self[.faint]))
    }
    var page = Palette.row(of: pageAppearance).page
    if let background = customColours.pageColour {
      page = PageColours(foreground: page.foreground, background: background)
    }
    return .blend(page: page)
  }

  /// Returns the colours that the screen must paint in cells without colours of their own, or `nil` if the terminal's
  /// own background fits or there are no colours.
  ///
  /// The text of a light theme is unreadable on a dark background, and the text of a dark theme on a light background.
  /// The contrast of the high-contrast themes is computed for their own backgrounds.
  ///
  /// - Parameter isDark: Whether the terminal's background is dark, or `nil` if unknown.
  package func pageToPaint(onDark isDark: Bool?) -> Compositor.PageStyle? {
    let fits =
      switch pageAppearance {
      case .dark: isDark == true
      case .light: isDark == false
      case .unknown: true
      case .highContrast, .highContrastLight: false
      }
    guard !fits, colourDepth != .none else { return nil }
    guard colourDepth == .ansi else {
      let page = Palette.row(of: pageAppearance).page
      return Compositor.PageStyle(
        foreground: .hex(customColours.roleColours[.foreground] ?? page.foreground),
        background: .hex(customColours.pageColour ?? page.background))
    }
    // Black and white, also on terminals with eight background colours.
    let (black, grey, white) = (Colour.indexed(0), Colour.indexed(7), Colour.indexed(15))
    return switch pageAppearance {
    case .light, .highContrastLight: Compositor.PageStyle(foreground: black, background: white)
    default: Compositor.PageStyle(foreground: pageAppearance == .dark ? grey : white, background: black)
    }
  }

  /// Returns the colour of text in a role, as 0xRRGGBB.
  func rgb(of role: Role) -> UInt32? { customColours.roleColours[role] ?? Palette.row(of: pageAppearance)[role].rgb }

  private static func style(
    of role: Role, depth: ColourDepth, pageAppearance: PageAppearance, customColours: CustomColours
  ) -> Style {
    let attributes = Palette.attributes(of: role)
    guard depth != .none else { return Style(attributes: attributes.subtracting(.faint)) }
    // Few colours are readable on every background, but bold and underlined text is.
    if pageAppearance == .unknown {
      return Style(foreground: Palette.ansiOnAnyPage(role).map(Colour.indexed) ?? .default, attributes: attributes)
    }

    let colours = Palette.row(of: pageAppearance)[role]
    switch depth {
    // With 256 colours, the terminal output maps the learner's RGB value to the nearest index.
    case .truecolor: return Style(foreground: .hex(customColours.roleColours[role] ?? colours.rgb))
    case .indexed:
      return Style(foreground: customColours.roleColours[role].map(Colour.hex) ?? .indexed(colours.indexed))
    case .ansi: return Style(foreground: colours.ansi.map(Colour.indexed) ?? .default, attributes: attributes)
    case .none: return Style(attributes: attributes)
    }
  }

  private static func lineStyle(
    of role: Role, depth: ColourDepth, pageAppearance: PageAppearance, customColours: CustomColours
  ) -> Style {
    if pageAppearance == .unknown, depth != .none { return lineOnAnyPage(role) }
    guard depth == .ansi else {
      return style(of: role, depth: depth, pageAppearance: pageAppearance, customColours: customColours)
    }
    // Not bold: many terminals brighten bold lines, which makes them paler on a light background.
    let attributes: Attributes = role == .faint ? .faint : []
    return Style(
      foreground: Palette.row(of: pageAppearance)[role].ansiLine.map(Colour.indexed) ?? .default, attributes: attributes
    )
  }

  /// Returns the style of lines on an unknown background. Of the 16 ANSI colours, magenta has the highest contrast on
  /// both black and white: at least 3 : 1 in the palettes of common terminals. Blue is too dark on black; cyan and green
  /// are too pale on white.
  private static func lineOnAnyPage(_ role: Role) -> Style {
    switch role {
    case .course, .goal, .lesson, .activity: Style(foreground: .indexed(5))
    case .faint: Style(attributes: .faint)
    case .foreground, .strong, .quiet, .code, .warn, .bad, .key: .plain
    }
  }
}

/// The purpose of a text or line. Screens use roles only; a theme assigns the colours.
package enum Role: Int, CaseIterable, Hashable, Sendable {
  case foreground
  /// Titles of cards, and headings.
  case strong
  /// Summaries, numbers, breadcrumbs and key hints.
  case quiet
  /// Lines without a meaning of their own.
  case faint
  case course
  /// Goals. Also the accent colour: see ``accent``.
  case goal
  case lesson
  /// Activities. Also the colour of success: see ``good``.
  case activity
  /// Code in running text. Its hue differs from those of goals, lessons and activities.
  case code
  /// Warnings and search matches.
  case warn
  /// Wrong answers and errors.
  case bad
  /// Keys in hints and help. The colour has no other meaning.
  case key

  /// The accent colour, used for the active tab, selections and the caret.
  package static let accent = Role.goal
  /// The role of places that are done, and of correct answers.
  package static let good = Role.activity

  /// Returns the role with the hue of a level. The list of courses and unknown kinds, which a later version may have
  /// stored, have the role ``strong``.
  package init(_ kind: PlaceKind) {
    switch kind {
    case .root, .other: self = .strong
    case .course: self = .course
    case .goal: self = .goal
    case .lesson: self = .lesson
    case .activity: self = .activity
    }
  }
}

extension Theme {
  /// Returns the style of a token of program text: coloured if the background is known and the terminal has 256 or more
  /// colours, otherwise bold or faint.
  func code(_ token: TokenClass) -> Style {
    let hasHues = (colourDepth == .truecolor || colourDepth == .indexed) && pageAppearance != .unknown
    return switch token {
    case .comment: hasHues ? self[.quiet].with(.italic) : self[.foreground].with(.faint)
    case .string: hasHues ? self[.activity] : self[.foreground]
    case .number: hasHues ? self[.course] : self[.foreground]
    case .keyword: hasHues ? self[.goal] : self[.foreground].with(.bold)
    case .type, .function: hasHues ? self[.lesson] : self[.foreground]
    case .operator: hasHues ? self[.quiet] : self[.foreground]
    case .plain: self[.foreground]
    }
  }

  /// The style of program output below a block of program text.
  var programOutput: Style { self[.quiet] == self[.foreground] ? self[.foreground].with(.faint) : self[.quiet] }
}

/// The learner's own colours, which replace those of a theme.
package struct CustomColours: Hashable, Sendable {
  /// The colours of text by role, as 0xRRGGBB.
  package var roleColours: [Role: UInt32] = [:]
  /// The terminal's background, used to compute contrast and to fade. `nil` for the theme's background.
  package var pageColour: UInt32?

  /// Creates an empty set of colours.
  package init() {}

  /// The keys of the colours in the settings file. The key of ``pageColour`` is `page`.
  static let names: KeyValuePairs<String, Role> = [
    "text": .foreground, "title": .strong, "quiet": .quiet, "line": .faint, "course": .course, "goal": .goal,
    "lesson": .lesson, "activity": .activity, "code": .code, "attention": .warn, "wrong": .bad, "key": .key,
  ]

  /// Parses a colour such as `#b8a6f5`.
  ///
  /// - Returns: The colour as 0xRRGGBB, or `nil` if the text is not a colour.
  static func colour(_ text: String) -> UInt32? {
    guard text.hasPrefix("#"), text.count == 7, text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(text.dropFirst(), radix: 16)
  }
}

extension Theme {
  /// The role whose text has the lowest contrast with the background, and that contrast. `nil` if the terminal's own
  /// colours are used.
  package var leastContrast: (role: Role, contrast: Double)? {
    guard pageAppearance != .unknown, colourDepth == .truecolor || colourDepth == .indexed else { return nil }
    let page = customColours.pageColour ?? Palette.row(of: pageAppearance).page.background
    let all = Role.allCases.filter { $0 != .faint }.compactMap { role in
      rgb(of: role).map { (role, Contrast.ratio($0, page)) }
    }
    return all.min { $0.1 < $1.1 }
  }
}

/// Contrast ratios of colours.
enum Contrast {
  /// The minimum contrast ratio at which text of any size is readable.
  ///
  /// Source: WCAG 2.1, success criterion 1.4.3.
  static let minimum = 4.5

  /// Returns the contrast ratio of two colours, given as 0xRRGGBB: 1 for equal colours, 21 for black and white.
  ///
  /// Source: WCAG 2.1, definitions of contrast ratio and relative luminance.
  static func ratio(_ first: UInt32, _ second: UInt32) -> Double {
    let (darker, lighter) = (min(luminance(first), luminance(second)), max(luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func luminance(_ colour: UInt32) -> Double {
    func component(_ shift: UInt32) -> Double {
      let channel = Double(colour >> shift & 0xFF) / 255
      return channel <= 0.03928 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * component(16) + 0.7152 * component(8) + 0.0722 * component(0)
  }
}
