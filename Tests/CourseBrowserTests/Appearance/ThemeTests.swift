import Foundation
import Testing
import TextCanvas

@testable import CourseBrowser

/// Whether words can be read, by number.
@Suite struct ThemeTests {
  /// The least contrast of words of any size. Source: WCAG 2.1, success criterion 1.4.3.
  private static let least = 4.5

  @Test(
    arguments: [(PageTone.dark, 0x16181D), (.light, 0xFDFCFA), (.dark, 0x000000), (.light, 0xFFFFFF)]
      as [(PageTone, UInt32)])
  func `words can be read on a dark and on a light page, in all colours and in 256`(tone: PageTone, page: UInt32) throws
  {
    for depth in [ColourDepth.truecolor, .indexed] {
      let theme = Theme(depth: depth, tone: tone)
      for role in Role.allCases where role != .faint {
        let ink = try #require(theme[role].foreground.rgbNumber)
        let contrast = Self.contrast(ink, page)
        #expect(contrast >= Self.least, "\(role) in \(depth) on \(tone): \(contrast)")
      }
    }
  }

  @Test func `on a page of unknown colour words have the terminal's own, and stand out without colour`() {
    let theme = Theme(depth: .truecolor, tone: .unknown)

    for role in Role.allCases { #expect(theme[role].foreground == .default) }
    for role in [Role.strong, .course, .goal, .lesson, .activity, .bad] { #expect(theme[role].attributes == .bold) }
    #expect(theme[.warn].attributes == .underline)
    #expect(
      Role.allCases.map { theme.line($0).foreground } == [
        .default, .default, .default, .default, .indexed(5), .indexed(4), .indexed(6), .indexed(2), .default, .default,
      ])
  }

  @Test(arguments: PageTone.allCases) func `without colour there is none, in lines neither`(tone: PageTone) {
    let theme = Theme(depth: .none, tone: tone)

    for role in Role.allCases {
      #expect(theme[role].foreground == .default)
      #expect(theme.line(role).foreground == .default)
    }
  }

  @Test func `what is known of the page is the same for words and lines`() {
    for tone in [PageTone.dark, .light] {
      for depth in [ColourDepth.truecolor, .indexed, .ansi] {
        let theme = Theme(depth: depth, tone: tone)
        #expect(Role.allCases.allSatisfy { theme.line($0) == theme[$0] })
      }
    }
  }

  /// Source: WCAG 2.1, definitions of contrast ratio and relative luminance.
  private static func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    let luminances = [luminance(one), luminance(other)].sorted()
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)
  }

  private static func luminance(_ colour: UInt32) -> Double {
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(colour >> UInt32(shift) & 0xFF) / 255
      return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
