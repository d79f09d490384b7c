import NavigationKit
import Snapshots
import Testing

/// Screens in very small terminals, where every row and column is needed.
@MainActor @Suite struct SmallScreenTests {
  private static let goal: PlaceName = "english-for-business/negotiating"

  @Test func `in the smallest terminal, titles take precedence over counts`() throws {
    let fixture = try RendererFixture(20, 6)

    try expectSnapshot(fixture.text(of: "/"), "courses")
    try expectSnapshot(fixture.text(of: "english-for-business"), "goals")
    try expectSnapshot(fixture.text(of: Self.goal), "lessons")
    try expectSnapshot(fixture.text(of: "english-for-business/negotiating/opening-offers"), "activities")
  }

  @Test func `in the smallest terminal, a started place keeps its symbol`() throws {
    try expectSnapshot(RendererFixture(20, 6).text(of: Self.goal, pressing: "Enter x Left", after: 1))
  }

  @Test func `in the smallest terminal, the header shows the position while a page closes`() throws {
    try expectSnapshot(
      RendererFixture(20, 6).text(of: "english-for-business/negotiating/preparing", to: Self.goal, at: 0.75))
  }

  @Test func `a page ends with a whole paragraph, and the next page begins with one`() throws {
    let text: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"

    try expectSnapshot(RendererFixture(40, 12).text(of: text, pressing: "Space", after: 1), "1")
    try expectSnapshot(RendererFixture(40, 12).text(of: text, pressing: "Space Space", after: 1), "2")
  }

  @Test func `the back of a card omits blank rows if it then fits completely`() throws {
    let deck: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    try expectSnapshot(RendererFixture(40, 12).text(of: deck, pressing: "Space", after: 1))
  }

  @Test func `nothing is drawn on the edge of a turning card`() throws {
    let deck: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    try expectSnapshot(RendererFixture(34, 12).text(of: deck, pressing: "Space", after: 0.24))
  }

  @Test func `the names of commands leave space for their descriptions`() throws {
    try expectSnapshot(RendererFixture(40, 12).text(of: Self.goal, pressing: ":", after: 1))
  }

  @Test func `a path without completions shows a message and the available keys`() throws {
    try expectSnapshot(RendererFixture(40, 12).text(of: "/", pressing: "a / x y z q", after: 1))
  }

  @Test func `the v key shows a notice about the size that cards need`() throws {
    try expectSnapshot(RendererFixture(40, 12).text(of: Self.goal, pressing: "v", after: 1))
  }

  @Test func `in the smallest terminal, the messages about missing results are complete`() throws {
    try expectSnapshot(RendererFixture(20, 6).text(of: Self.goal, pressing: "/ x y l o p h", after: 1), "1")
    try expectSnapshot(RendererFixture(20, 6).text(of: Self.goal, pressing: "3 f z z z Enter", after: 1), "2")
  }
}
