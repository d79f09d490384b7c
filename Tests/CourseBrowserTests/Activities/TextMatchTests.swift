import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct TextMatchTests {
  /// A course with only the long text and the cards.
  private static let course = ActivityFixture.course.filter {
    !$0.key.hasSuffix(".md") || $0.key.contains("-long") || $0.key.contains("-cards")
  }

  /// Searches for a text in Find and opens the first result.
  private func looking(for text: String, in fixture: ActivityFixture) {
    fixture.browser.stage.perform(at: 10) { fixture.browser.selectTab(1) }
    _ = fixture.screen(at: 11)
    fixture.press(text, at: 12)
    _ = fixture.screen(at: 13)
    fixture.press(.enter, at: 14)
    _ = fixture.screen(at: 15)
  }

  /// Returns the highlighted words on the screen. The selected ones begin with `>`.
  private func marked(in fixture: ActivityFixture, at time: Double) -> [String] {
    var words: [String] = []
    for row in 3..<17 {
      var before: Attributes = []
      for cell in fixture.cells(at: time, row: row) where cell.width > 0 {
        // Without colours, matches are bold and underlined; links are only underlined.
        let attributes = cell.attributes.intersection([.bold, .underline, .reverse])
        defer { before = attributes }
        guard attributes.isSuperset(of: [.bold, .underline]) else { continue }
        if attributes != before { words.append(attributes.contains(.reverse) ? ">" : "") }
        words[words.count - 1] += cell.glyph.text
      }
    }
    return words
  }

  @Test(arguments: ["long", "cards"])
  func `a text highlights the closest matches of the search that opened it`(
    activity: String
  ) throws {
    let fixture = try ActivityFixture(activity, course: Self.course)

    looking(for: "paragraph 9", in: fixture)

    // If the text was already open before the search, its beginning was visible then, and the footer shows the key that
    // returns there.
    let rows = fixture.rows(at: 16)
    expectSnapshot([rows[1]] + rows[3...], activity)
    #expect(marked(in: fixture, at: 16) == [">Paragraph", ">9", "Paragraph"])
  }

  @Test func `Tab moves between matches, and after the last match between links`() throws {
    let fixture = try ActivityFixture("long", course: Self.course)
    looking(for: "far", in: fixture)
    let first = fixture.rows(at: 16)[18]

    fixture.press(.tab, at: 17)
    let last = fixture.rows(at: 18)[18]
    let highlighted = marked(in: fixture, at: 18)
    fixture.press(.tab, at: 19)
    let none = fixture.rows(at: 20)[18]
    let unmarked = marked(in: fixture, at: 20)
    fixture.press(.tab, at: 21)

    #expect(first == "   n  Next “far”                      1 of 2 in this text")
    #expect(last == "   n  Deselect “far”                  2 of 2 in this text")
    #expect(highlighted == ["Far", ">far"])
    #expect(none == "   Space  Next: Cards                       42 % not read")
    #expect(unmarked == [])
    #expect(fixture.rows(at: 22)[18].hasPrefix("   ↵  Open “Cards”"))
  }

  @Test func `highlights follow their words when the width changes`() throws {
    let narrow = try ActivityFixture("long", 40, 12, course: Self.course)
    looking(for: "far", in: narrow)
    expectSnapshot(narrow.rows(at: 16)[3...])

    let fixture = try ActivityFixture("long", course: Self.course)
    looking(for: "many lines", in: fixture)
    #expect(fixture.rows(at: 16)[6] == "   Paragraph 1 begins here.")
    #expect(fixture.rows(at: 16)[18] == "   n  Next: Cards                                  ↓ more")
  }

  @Test func `following a search result in a text keeps the reading position and credits the visible text`() throws {
    let fixture = try ActivityFixture("long", course: Self.course)
    let place = try fixture.navigation.places.named(.text("lab/goal/lesson/long")).place
    fixture.press(" ", at: 1)
    _ = fixture.screen(at: 5)
    let before = try #require(try fixture.navigation.progress.readingPosition(in: place))

    looking(for: "far", in: fixture)
    _ = fixture.screen(at: 30)
    let stored = try #require(try fixture.navigation.progress.readingPosition(in: place))
    let isDone = try fixture.isDone("long")
    // Reading on from the match changes the position.
    fixture.press("b", at: 31)
    _ = fixture.screen(at: 35)
    let after = try #require(try fixture.navigation.progress.readingPosition(in: place))

    #expect((stored.block, stored.blockOffset) == (before.block, before.blockOffset))
    #expect(stored.heading == before.heading)
    #expect([before, stored].map { ($0.fraction * 100).rounded() } == [50, 84])
    #expect(!isDone)
    #expect(after.block > before.block)
  }

  @Test func `matches are located with margins, wide characters and line breaks`() {
    let lines = [StyledLine(indent: 2, [StyledRun("価格 price", style: .plain)]), "of the", "first offer"]
    let text = lines.map(\.text).joined(separator: "\n")
    func place(_ passage: String) -> Range<Int> {
      let range = text.range(of: passage)!
      return text.utf8.distance(
        from: text.startIndex, to: range.lowerBound)..<text.utf8.distance(
          from: text.startIndex, to: range.upperBound)
    }

    var matches = SearchMatches("anything")
    matches.update(TextMatches(places: ["格", "price\nof", "offer"].map(place)), in: lines)

    #expect(
      matches.places == [
        [CellRect(column: 4, row: 0, columns: 2, rows: 1)],
        [CellRect(column: 7, row: 0, columns: 5, rows: 1), CellRect(column: 0, row: 1, columns: 2, rows: 1)],
        [CellRect(column: 6, row: 2, columns: 5, rows: 1)],
      ])
    #expect(matches.line == 0)
  }

  @Test func `a search stops at the passages where its words are close together`() {
    func stops(_ words: [String], in text: String, best: Int = 0) -> (stops: [Range<Int>], nearest: Int) {
      var places: [Range<Int>] = []
      for word in words {
        for range in text.ranges(of: word) {
          places.append(range.lowerBound.utf16Offset(in: text)..<range.upperBound.utf16Offset(in: text))
        }
      }
      let matches = TextMatches(places: places.sorted { $0.lowerBound < $1.lowerBound }, best: best)
      let together = MatchGroups(matches, in: text)
      return (together.groups, together.nearest)
    }
    let filler = String(repeating: "and so on ", count: 30)

    // The first, the offer; first offer; the first.
    let both = stops(
      ["first", "First", "offer"], in: "The first, in an offer. \(filler)First offer. \(filler)the first.")
    #expect(both.stops == [0..<2, 2..<4] && both.nearest == 1)
    // If no matches are close together, the search stops at each of them, at the best one first.
    let apart = stops(["first", "offer"], in: "The first. \(filler)An offer.", best: 1)
    #expect(apart.stops == [0..<1, 1..<2] && apart.nearest == 1)
    // One word in different cases.
    let one = stops(["first", "First"], in: "First things first.")
    #expect(one.stops == [0..<1, 1..<2] && one.nearest == 0)
    #expect(stops([], in: "nothing").stops == [])
  }

  @Test func `back returns from a match in the same text to the reading position`() throws {
    let fixture = try ActivityFixture("long", course: Self.course)
    let before = fixture.rows(at: 1)
    looking(for: "far below", in: fixture)
    let match = fixture.rows(at: 16)
    fixture.press("H", at: 17)
    let back = fixture.rows(at: 18)
    fixture.press("H", at: 19)

    #expect(match != before && match[19].contains("H back"))
    #expect(back[6...17] == before[6...17])
    #expect(fixture.rows(at: 20)[2...] != before[2...] || fixture.rows(at: 20)[18] != back[18])
  }
}
