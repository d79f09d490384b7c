import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// The frame that is drawn directly after a key, before any time has passed, shows a response.
@MainActor @Suite struct AnsweringTests {
  private nonisolated static let goal: PlaceName = "english-for-business/negotiating"
  private nonisolated static let cards: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"
  private nonisolated static let reading: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"

  /// A key on a page, and the keys before it, each after the previous animations have ended.
  nonisolated struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let place: PlaceName
    var before: [Key] = []
    let key: Key

    var testDescription: String { name }
  }

  nonisolated static let cases = [
    Case(name: "open the first card", place: goal, key: .enter),
    Case(name: "open the last card", place: goal, before: [.end], key: .enter),
    Case(name: "open an activity", place: "english-for-business/negotiating/opening-offers", key: .enter),
    Case(name: "up", place: goal, key: .left),
    Case(name: "up from a text", place: reading, key: .left),
    Case(name: "next", place: goal, key: .character("n")),
    Case(name: "previous", place: goal, key: .character("p")),
    Case(name: "choose", place: goal, key: .down),
    Case(name: "another tab", place: goal, key: .character("3")),
    Case(name: "find", place: goal, key: .character("/")),
    Case(name: "back from a tab", place: goal, before: [.character("3")], key: .character("1")),
    Case(name: "a tab beside a tab", place: goal, before: [.character("3")], key: .character("2")),
    Case(name: "open a result", place: goal, before: "/anchor".map { .character($0) }, key: .enter),
    Case(name: "help", place: goal, key: .character("?")),
    Case(name: "close the help", place: goal, before: [.character("?")], key: .escape),
    Case(name: "info", place: goal, key: .character("i")),
    Case(name: "close the info", place: goal, before: [.character("i")], key: .escape),
    Case(name: "palette", place: goal, key: .character(":")),
    // With the first of few cards selected, the distance is so short that only the second frame shows it.
    Case(name: "layout", place: goal, before: [.end], key: .character("v")),
    Case(name: "layout and back", place: goal, before: [.end, .character("v")], key: .character("v")),
    Case(name: "turn the card", place: cards, key: .character(" ")),
    Case(name: "a page of a text", place: reading, key: .character(" ")),
    Case(name: "back", place: goal, before: [.enter], key: .character("H")),
    Case(name: "go on", place: "/", key: .character(".")),
  ]

  @Test(arguments: cases, [CellSize(columns: 80, rows: 24), CellSize(columns: 200, rows: 60)])
  func `the first frame after a key differs from the frame before the key`(motion: Case, size: CellSize) throws {
    let fixture = try BrowserFixture(size.columns, size.rows, opening: motion.place)
    fixture.browser.stage.headStart = 1.0 / 60
    for (number, key) in motion.before.enumerated() { fixture.press(key, at: 1 + Double(number)) }
    let before = fixture.screen(at: 20)

    fixture.press(motion.key, at: 20)

    #expect(fixture.screen(at: 20) != before)
  }
}
