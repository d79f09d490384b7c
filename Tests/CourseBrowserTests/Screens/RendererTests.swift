import ScreenKit
import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Rendering without a terminal: pages, overlays and tabs.
@MainActor @Suite struct RendererTests {
  @Test(arguments: [
    (BrowserRenderer.Overlay.help, "│ Keys "), (.info, "│ path        english-for-business/meetings"),
    (.palette, "│ : ▎a command or a path"), (.add, "│ Add ▎a folder, a book, an archive"),
    (.find, "   ▎type words to find"), (.history, "   History"), (.review, "   Review"),
  ])
  func `each overlay and tab is rendered`(addition: BrowserRenderer.Overlay, text: String) throws {
    let rows = try RendererFixture().text(of: "english-for-business", showing: addition).split(separator: "\n")

    #expect(rows.contains { $0.contains(text) }, "\(rows.joined(separator: "\n"))")
  }

  @Test(arguments: [0, 0.5, 1])
  func `without motion or with equal places, every fraction of a transition shows its end`(fraction: Double) throws {
    let fixture = try RendererFixture()
    var picture = fixture.picture
    let place: PlaceName = "english-for-business/meetings"
    let expected = try picture.surface(of: place)

    #expect(try picture.surface(of: place, to: place, at: fraction) == expected)
    picture.motion = .none
    #expect(try picture.surface(of: "/", to: place, at: fraction) == expected)
  }

  @Test func `an overlay is rendered at every fraction of its transition`() throws {
    let fixture = try RendererFixture()
    let pictures = try [0, 0.25, 0.5, 0.75, 1].map { fraction in
      try fixture.text(of: "english-for-business", showing: .help, at: fraction)
    }

    #expect(Set(pictures).count == 5)
    #expect(pictures.map { $0.contains("│ Keys ") } == [false, true, true, true, true])
    #expect(pictures[0].contains("│ Meetings "), "the page below the growing overlay is visible")
  }
}
