import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import CoursePages

@Suite struct CustomColoursTests {
  private func settings(_ text: String) throws -> Settings { try SettingsFile(name: "config.yml").settings(from: text) }

  @Test func `the text colours of each theme have a contrast of at least 4.5 to 1`() throws {
    #expect(Palette.rows.map(\.pageAppearance) == [.dark, .light, .highContrast, .highContrastLight])
    for row in Palette.rows {
      for depth in [ColourDepth.truecolor, .indexed] {
        let least = try #require(Theme(colourDepth: depth, pageAppearance: row.pageAppearance).leastContrast)
        #expect(least.contrast >= Contrast.minimum, "\(row.pageAppearance) in \(depth): \(least)")
      }
    }
    #expect(Theme(colourDepth: .ansi, pageAppearance: .dark).leastContrast == nil)
    #expect(Theme(colourDepth: .truecolor, pageAppearance: .unknown).leastContrast == nil)
  }

  @Test func `contrast is 21 for black and white, and 1 for equal colours`() {
    #expect(abs(Contrast.ratio(0x000000, 0xFFFFFF) - 21) < 1e-9)
    #expect(Contrast.ratio(0x5D6470, 0x5D6470) == 1)
    #expect(Contrast.ratio(0x123456, 0xFEDCBA) == Contrast.ratio(0xFEDCBA, 0x123456))
  }

  @Test func `the learner's colours replace those of the theme`() throws {
    let settings = try settings(
      """
      theme: dark
      colors:
        course: '#ff8800'
        quiet: '#444444'
        page: '#000000'
      """)
    let colours = try #require(settings.colours)
    let (custom, standard) = (
      Theme(colourDepth: .truecolor, pageAppearance: .dark, customColours: colours),
      Theme(colourDepth: .truecolor, pageAppearance: .dark)
    )

    #expect(custom[.course] == Style(foreground: .hex(0xFF8800)))
    #expect(custom.line(.course) == custom[.course])
    #expect(custom[.goal] == standard[.goal])
    #expect(custom.leastContrast?.role == .quiet)
    guard case .blend(let page) = custom.fading else { throw SettingsError.notText(place: "") }
    #expect(page.background == 0)
    for (depth, pageAppearance) in [(ColourDepth.ansi, PageAppearance.dark), (.none, .dark), (.truecolor, .unknown)] {
      let theme = Theme(colourDepth: depth, pageAppearance: pageAppearance, customColours: colours)
      #expect(theme[.course] == Theme(colourDepth: depth, pageAppearance: pageAppearance)[.course])
    }
  }

  @Test func `the theme setting reports the contrast of each theme and the unreadable colour`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("colors:\n  quiet: '#444444'  # too dark\n".utf8), to: "config.yml")
    let store = SettingsStore(path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    let theme = try #require(try store.entries().first { $0.name == "theme" })
    _ = try store.set("theme", to: "light")

    #expect(theme.notes["dark"] == "contrast 1.8 : 1, hard to read: quiet")
    #expect(theme.notes["light"]?.hasPrefix("contrast ") == true)
    #expect(theme.notes["auto"] == nil)
    #expect(
      try String(contentsOfFile: store.path, encoding: .utf8)
        == "colors:\n  quiet: '#444444'  # too dark\ntheme: light\n")
  }

  @Test(
    arguments: [
      (
        "colors:\n  cuorse: '#ffffff'\n",
        "Could not read 'cuorse' at config.yml:2: there is no colour with this name. Did you mean 'course'?"
      ),
      (
        "colors:\n  course: red\n",
        "Could not read 'course' at config.yml:2: 'red' is not a valid value. "
          + "Write red, green and blue in hexadecimal digits and in quotes, such as '#b8a6f5'."
      ),
      (
        "colors:\n  zzzzzz: '#ffffff'\n",
        "Could not read 'zzzzzz' at config.yml:2: there is no colour with this name. Use one of text, title, quiet, line, "
          + "course, goal, lesson, activity, code, attention, wrong, key, page."
      ),
    ])
  func `a mistake in colours is reported with its line`(text: String, message: String) throws {
    #expect(try settings(text).mistake.map { "\($0)" } == message)
  }
}
