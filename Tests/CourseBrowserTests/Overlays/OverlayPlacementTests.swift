import CoursePages
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// The position and size of overlays, and the texts of empty lists.
@MainActor @Suite struct OverlayPlacementTests {
  /// Keys that open an overlay on a page.
  nonisolated private static let overlays = ["?", ":", ",", "a", ":rename\n", ":wrong\n", "\""]

  private func fixture(_ columns: Int, _ rows: Int, opening keys: String) throws -> BrowserFixture {
    let fixture = try BrowserFixture(
      columns, rows, opening: "english-for-business/negotiating/preparing/three-columns-on-one-page")
    fixture.browser.settings = SettingsStore(
      path: "/no-folder/config.yml", flags: Settings(), environment: Settings())
    press(keys, fixture, at: 1)
    return fixture
  }

  private func press(_ keys: String, _ fixture: BrowserFixture, at start: Double) {
    for (number, character) in keys.enumerated() {
      let time = start + Double(number) * 0.5
      if character == "\n" { fixture.press(.enter, at: time) } else { fixture.press(character, at: time) }
    }
  }

  @Test(arguments: overlays, [(80, 24), (120, 36), (200, 60)])
  func `an overlay has the width of the page, and ends above the keys`(keys: String, size: (Int, Int)) throws {
    let fixture = try fixture(size.0, size.1, opening: keys)
    let overlay = try #require(fixture.browser.overlay)
    let metrics = overlay.metrics

    let frame = overlay.panelFrame

    #expect(frame.column == metrics.frameColumn)
    #expect(frame.columns == metrics.frameWidth)
    #expect(frame.endRow == metrics.keysRow)
  }

  @Test(arguments: [":", ",", "a"]) func `the field keeps its position while entries are filtered`(key: String) throws {
    let fixture = try fixture(120, 36, opening: key)
    let overlay = try #require(fixture.browser.overlay)
    let frame = overlay.panelFrame

    for (number, letter) in "sync zz".enumerated() {
      fixture.press(letter, at: 2 + Double(number))
      _ = fixture.text(at: 2.9 + Double(number))
      #expect(overlay.panelFrame == frame, "after \(number + 1) letters")
    }
  }

  /// Keys that open a list without entries, and what the list shows.
  nonisolated private static let emptyLists = [
    (":zz/", "No path begins with this text. Ctrl-U clears it."),
    (",zzz", "No setting matches. Ctrl-U clears the words."),
    ("azzz", "No file or folder begins with this text. Ctrl-U clears it."),
    ("a/zz/", "This folder does not exist. Ctrl-U clears the path."),
    (":wrong\n", "No wrong answers. Questions appear here until you answer them correctly."),
    ("\"", "No notes yet. In a text, e adds one."),
    ("'", "No bookmarks yet. m bookmarks the selection."),
    ("2zzz", "Nothing found"),
  ]

  @Test(arguments: emptyLists) func `a list without entries says why, and what to do`(keys: String, text: String) throws
  {
    let fixture = try fixture(80, 24, opening: keys)

    #expect(fixture.text(at: 1.1 + 0.5 * Double(keys.count)).contains(text))
  }
}
