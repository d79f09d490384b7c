import Foundation
package import LearningModel
package import TextCanvas

/// Whether the page is dark or light; unknown where the terminal does not say, as many multiplexers do not.
package enum PageTone: String, CaseIterable, Hashable, Sendable {
  /// Light text on a dark page.
  case dark
  /// Dark text on a light page.
  case light
  /// Only colours that can be read on any page.
  case unknown
  /// The strongest contrast, on a dark page.
  case highContrast = "high-contrast"
  /// The strongest contrast, on a light page.
  case highContrastLight = "high-contrast-light"
}

/// The style of every role, for one depth of colour and one tone of page.
package struct Theme: Sendable {
  /// How much colour it uses.
  package let depth: ColourDepth
  /// What page it is for.
  package let tone: PageTone
  /// A person's own colours, where the page's are known.
  package let own: OwnColours
  private let styles: [Style]
  private let lines: [Style]

  /// Makes the theme.
  ///
  /// - Parameter own: A person's own colours, which count where there are 256 and more and the page is known.
  package init(depth: ColourDepth, tone: PageTone, own: OwnColours = OwnColours()) {
    (self.depth, self.tone, self.own) = (depth, tone, own)
    styles = Role.allCases.map { Self.style(of: $0, depth: depth, tone: tone, own: own) }
    lines = Role.allCases.map { Self.lineStyle(of: $0, depth: depth, tone: tone, own: own) }
  }

  /// The style of words in a role.
  package subscript(role: Role) -> Style { styles[role.rawValue] }

  /// The style of lines in a role: frames, rules, the paths of a graph. They may have colours that words may not.
  package func line(_ role: Role) -> Style { lines[role.rawValue] }

  /// The style of a role, bold.
  package func bold(_ role: Role) -> Style {
    var style = self[role]
    style.attributes.insert(.bold)
    return style
  }

  /// The style of what was searched for, among words of any role. Not everybody tells its colour from theirs, so it is
  /// underlined too.
  package func hit(bold isBold: Bool) -> Style { (isBold ? bold(.warn) : self[.warn]).with(.underline) }

  /// The style of words that a learner highlighted: on a colour of its own, or underlined where colours are few.
  package func highlighted(_ style: Style) -> Style {
    guard tone != .unknown, depth == .truecolor || depth == .indexed else { return style.with(.underline) }
    var style = style
    let colours = Palette.row(of: tone).highlight
    style.background = depth == .truecolor ? .hex(colours.rgb) : .indexed(colours.indexed)
    return style
  }

  /// How things fade on this page: mixed with it where its colours are known, else by roles.
  package var fading: Fading {
    guard depth == .truecolor, tone != .unknown else {
      return depth == .none
        ? .ramp(.faint) : .ramp(.roles(quiet: self[.quiet], faint: self[.faint]))
    }
    var page = Palette.row(of: tone).page
    if let background = own.page { page = PageColours(foreground: page.foreground, background: background) }
    return .blend(page: page)
  }

  /// The colour that the page needs behind these words as 0xRRGGBB; `nil` where the terminal's own serves, or there are too
  /// few colours.
  ///
  /// Words of a light theme cannot be read on a dark page, nor those of a dark theme on a light one; the strongest contrast is
  /// computed on a page of its own.
  ///
  /// - Parameter isDark: Whether the terminal's own page is dark; `nil` where it does not say.
  package func ownPage(onDark isDark: Bool?) -> UInt32? {
    guard depth == .truecolor || depth == .indexed else { return nil }
    let serves =
      switch tone {
      case .dark: isDark == true
      case .light: isDark == false
      case .unknown: true
      case .highContrast, .highContrastLight: false
      }
    return serves ? nil : own.page ?? Palette.row(of: tone).page.background
  }

  /// The colour of a role's words as 0xRRGGBB; `nil` where it is the terminal's.
  func rgb(of role: Role) -> UInt32? { own.words[role] ?? Palette.row(of: tone)[role].rgb }

  private static func style(of role: Role, depth: ColourDepth, tone: PageTone, own: OwnColours) -> Style {
    let attributes = Palette.attributes(of: role)
    guard depth != .none else { return Style(attributes: attributes.subtracting(.faint)) }
    // No colour can be read on every page; bold and underlined they can.
    if tone == .unknown { return Style(attributes: attributes) }

    let colours = Palette.row(of: tone)[role]
    switch depth {
    // Where there are 256, the terminal's output takes the nearest of them.
    case .truecolor: return Style(foreground: .hex(own.words[role] ?? colours.rgb))
    case .indexed: return Style(foreground: own.words[role].map(Colour.hex) ?? .indexed(colours.indexed))
    case .ansi: return Style(foreground: colours.ansi.map(Colour.indexed) ?? .default, attributes: attributes)
    case .none: return Style(attributes: attributes)
    }
  }

  private static func lineStyle(of role: Role, depth: ColourDepth, tone: PageTone, own: OwnColours) -> Style {
    if tone == .unknown, depth != .none { return lineOnAnyPage(role) }
    guard depth == .ansi else { return style(of: role, depth: depth, tone: tone, own: own) }
    // Not bold: many terminals would show a bold line in a brighter colour, which on a light page is a paler one.
    let attributes: Attributes = role == .faint ? .faint : []
    return Style(
      foreground: Palette.row(of: tone)[role].ansiLine.map(Colour.indexed) ?? .default, attributes: attributes)
  }

  /// On a page of unknown colour, four of the terminal's own colours can be seen on dark and on light.
  private static func lineOnAnyPage(_ role: Role) -> Style {
    switch role {
    case .course: Style(foreground: .indexed(5))
    case .goal: Style(foreground: .indexed(4))
    case .lesson: Style(foreground: .indexed(6))
    case .activity: Style(foreground: .indexed(2))
    case .faint: Style(attributes: .faint)
    case .ink, .strong, .quiet, .code, .warn, .bad: .plain
    }
  }
}

/// What a piece of text or a line is for. A theme gives each role its colours; screens know roles only.
package enum Role: Int, CaseIterable, Hashable, Sendable {
  /// Running text.
  case ink
  /// Card titles and headings.
  case strong
  /// Summaries, numbers, the trail and the keys.
  case quiet
  /// Lines only; it carries no meaning alone.
  case faint
  /// The hue of courses.
  case course
  /// The hue of goals, and the accent: keys, the active tab, the caret.
  case goal
  /// The hue of lessons.
  case lesson
  /// The hue of activities, and of what is done or right.
  case activity
  /// Code among words; of no level's hue.
  case code
  /// Attention, and the letters that a search found.
  case warn
  /// A wrong answer, an error.
  case bad

  /// Keys, the active tab and the caret.
  package static let accent = Role.goal
  /// Done, and right.
  package static let good = Role.activity

  /// The hue of a level. The root has none, and is strong; so has what only a later version knows.
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
  /// The style of a piece of program text: a hue where the page's colours are known, else bold and faint alone.
  func code(_ token: TokenClass) -> Style {
    let hasHues = (depth == .truecolor || depth == .indexed) && tone != .unknown
    return switch token {
    case .comment: hasHues ? self[.quiet].with(.italic) : self[.ink].with(.faint)
    case .string: hasHues ? self[.activity] : self[.ink]
    case .number: hasHues ? self[.course] : self[.ink]
    case .keyword: hasHues ? self[.goal] : self[.ink].with(.bold)
    case .type, .function: hasHues ? self[.lesson] : self[.ink]
    case .operator: hasHues ? self[.quiet] : self[.ink]
    case .plain: self[.ink]
    }
  }
}

/// Colours of a person's own, laid over those of a theme.
package struct OwnColours: Hashable, Sendable {
  /// The colours of roles, as 0xRRGGBB.
  package var words: [Role: UInt32] = [:]
  /// The colour of the terminal's page, against which contrast is told; `nil` for the theme's.
  package var page: UInt32?

  /// Has none.
  package init() {}

  /// What each is called in the settings file; ``page`` is `page`.
  static let names: KeyValuePairs<String, Role> = [
    "text": .ink, "title": .strong, "quiet": .quiet, "line": .faint, "course": .course, "goal": .goal,
    "lesson": .lesson, "activity": .activity, "code": .code, "attention": .warn, "wrong": .bad,
  ]

  /// Reads a colour as the file has it: `#b8a6f5`.
  ///
  /// - Returns: 0xRRGGBB; `nil` where it is none.
  static func colour(_ text: String) -> UInt32? {
    guard text.hasPrefix("#"), text.count == 7, text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(text.dropFirst(), radix: 16)
  }
}

extension Theme {
  /// The least contrast of its words with its page, and the role that has it; `nil` where the colours are the terminal's.
  package var leastContrast: (role: Role, contrast: Double)? {
    guard tone != .unknown, depth == .truecolor || depth == .indexed else { return nil }
    let page = own.page ?? Palette.row(of: tone).page.background
    let all = Role.allCases.filter { $0 != .faint }.compactMap { role in
      rgb(of: role).map { (role, Contrast.between($0, page)) }
    }
    return all.min { $0.1 < $1.1 }
  }
}

/// How well a colour can be told from another one.
enum Contrast {
  /// The least contrast of words of any size that can be read.
  ///
  /// Source: WCAG 2.1, success criterion 1.4.3.
  static let least = 4.5

  /// Returns the contrast of two colours, 0xRRGGBB: 1 where they are the same, 21 between black and white.
  ///
  /// Source: WCAG 2.1, definitions of contrast ratio and relative luminance.
  static func between(_ one: UInt32, _ other: UInt32) -> Double {
    let (darker, lighter) = (min(luminance(one), luminance(other)), max(luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func luminance(_ colour: UInt32) -> Double {
    func part(_ shift: UInt32) -> Double {
      let part = Double(colour >> shift & 0xFF) / 255
      return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
  }
}
