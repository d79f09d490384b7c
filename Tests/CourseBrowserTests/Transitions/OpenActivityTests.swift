import NavigationKit
import Snapshots
import Testing

/// The opening of an activity from its row in a list, where a symbol precedes the title. The page may contain a frame.
@MainActor @Suite struct OpenActivityTests {
  private func frames(of activity: String, at fractions: [Double]) throws -> [String] {
    let lesson = "english-for-business/negotiating/opening-offers"
    let fixture = try RendererFixture(60, 18)
    return try fractions.map { try fixture.text(of: .text(lesson), to: .text(lesson + "/" + activity), at: $0) }
  }

  @Test func `the title of the row moves to the header, and the title of the page changes into the breadcrumb`()
    throws
  {
    let screens = try frames(of: "who-speaks-first", at: [0.25, 0.4, 0.6, 0.8])

    expectSnapshot(screens[0], "first")
    expectSnapshot(screens[1], "second")
    expectSnapshot(screens[2], "third")
    expectSnapshot(screens[3], "fourth")
  }

  @Test func `a flashcard's frame appears as the frame around the page disappears`() throws {
    let screens = try frames(of: "anchors-and-ranges", at: [0.5, 0.8])

    expectSnapshot(screens[0], "first")
    expectSnapshot(screens[1], "second")
  }
}
