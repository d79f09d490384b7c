import Foundation
import TextCanvas

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
