import NavigationKit
import Snapshots
import Testing

/// What there is to see where there is room for little: every row and every column of it is needed.
@MainActor @Suite struct SmallScreenTests {
  private static let goal: PlaceName = "english-for-business/negotiating"

  @Test func `in the smallest terminal titles are worth more than the numbers beside them`() throws {
    let fixture = try PictureFixture(20, 6)

    try expectSnapshot(fixture.text(of: "/"), "courses")
    try expectSnapshot(fixture.text(of: "english-for-business"), "goals")
    try expectSnapshot(fixture.text(of: Self.goal), "lessons")
    try expectSnapshot(fixture.text(of: "english-for-business/negotiating/opening-offers"), "activities")
  }

  @Test func `in the smallest terminal what is begun keeps its sign`() throws {
    try expectSnapshot(PictureFixture(20, 6).text(of: Self.goal, pressing: "Enter x Left", after: 1))
  }

  @Test func `a page that closes to the smallest terminal has beside its title what stays there`() throws {
    try expectSnapshot(
      PictureFixture(20, 6).text(of: "english-for-business/negotiating/preparing", to: Self.goal, at: 0.75))
  }

  @Test func `the page of a text begins with a paragraph where the page before ended with one`() throws {
    let text: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"

    try expectSnapshot(PictureFixture(40, 12).text(of: text, pressing: "Space", after: 1), "1")
    try expectSnapshot(PictureFixture(40, 12).text(of: text, pressing: "Space Space", after: 1), "2")
  }

  @Test func `the back of a card gives up its air for all of it to be read at once`() throws {
    let deck: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    try expectSnapshot(PictureFixture(40, 12).text(of: deck, pressing: "Space", after: 1))
  }

  @Test func `nothing is written on the edge of a card as it turns`() throws {
    let deck: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    try expectSnapshot(PictureFixture(34, 12).text(of: deck, pressing: "Space", after: 0.24))
  }

  @Test func `the names of commands leave room for what they do`() throws {
    try expectSnapshot(PictureFixture(40, 12).text(of: Self.goal, pressing: ":", after: 1))
  }

  @Test func `a path that nothing continues says so, and what to do beside opening it`() throws {
    try expectSnapshot(PictureFixture(40, 12).text(of: "/", pressing: "a / x y z q", after: 1))
  }

  @Test func `says why there are no cards in a small terminal`() throws {
    try expectSnapshot(PictureFixture(40, 12).text(of: Self.goal, pressing: "v", after: 1))
  }

  @Test func `in the smallest terminal whole sentences say that nothing was found`() throws {
    try expectSnapshot(PictureFixture(20, 6).text(of: Self.goal, pressing: "/ x y l o p h", after: 1), "1")
    try expectSnapshot(PictureFixture(20, 6).text(of: Self.goal, pressing: "3 f z z z Enter", after: 1), "2")
  }
}
