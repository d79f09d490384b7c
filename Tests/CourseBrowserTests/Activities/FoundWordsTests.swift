import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct FoundWordsTests {
  /// A course with the long text and the cards alone.
  private static let course = ActivityFixture.course.filter {
    !$0.key.hasSuffix(".md") || $0.key.contains("-long") || $0.key.contains("-cards")
  }

  /// Looks for something from the long text, and opens the first place.
  private func looking(for words: String, in fixture: ActivityFixture) {
    fixture.browser.stage.perform(at: 10) { fixture.browser.selectTab(1) }
    _ = fixture.screen(at: 11)
    fixture.press(words, at: 12)
    _ = fixture.screen(at: 13)
    fixture.press(.enter, at: 14)
    _ = fixture.screen(at: 15)
  }

  /// The words that are marked on the screen, and of which of them the chosen one is.
  private func marked(in fixture: ActivityFixture, at time: Double) -> [String] {
    var words: [String] = []
    for row in 3..<17 {
      var before: Attributes = []
      for cell in fixture.cells(at: time, row: row) where cell.width > 0 {
        // Without colours what was found is bold and underlined; a link is only underlined.
        let marks = cell.attributes.intersection([.bold, .underline, .reverse])
        defer { before = marks }
        guard marks.isSuperset(of: [.bold, .underline]) else { continue }
        if marks != before { words.append(marks.contains(.reverse) ? ">" : "") }
        words[words.count - 1] += cell.glyph.text
      }
    }
    return words
  }

  @Test(arguments: ["long", "cards"])
  func `a text shows what it was opened for, nearest together, from itself and from elsewhere`(
    activity: String
  ) throws {
    let fixture = try ActivityFixture(activity, course: Self.course)

    looking(for: "paragraph 9", in: fixture)

    // If the text was open before the search, its beginning was in view, and the footer offers the way back.
    let rows = fixture.rows(at: 16)
    expectSnapshot([rows[1]] + rows[3...], activity)
    #expect(marked(in: fixture, at: 16) == [">Paragraph", ">9", "Paragraph"])
  }

  @Test func `Tab goes from place to place and back, and behind the last one it is the links' again`() throws {
    let fixture = try ActivityFixture("long", course: Self.course)
    looking(for: "far", in: fixture)
    let first = fixture.rows(at: 16)[18]

    fixture.press(.tab, at: 17)
    let last = fixture.rows(at: 18)[18]
    let seen = marked(in: fixture, at: 18)
    fixture.press(.tab, at: 19)
    let none = fixture.rows(at: 20)[18]
    let unmarked = marked(in: fixture, at: 20)
    fixture.press(.tab, at: 21)

    #expect(first == "   n  Next “far”                      1 of 2 in this text")
    #expect(last == "   n  Let “far” go                    2 of 2 in this text")
    #expect(seen == ["Far", ">far"])
    #expect(none == "   n  Next: Cards                     flashcards, 3 cards")
    #expect(unmarked == [])
    #expect(fixture.rows(at: 22)[18].hasPrefix("   ↵  Go to “Cards”"))
  }

  @Test func `the marks stay with their words in another width, and a text without any is as ever`() throws {
    let narrow = try ActivityFixture("long", 40, 12, course: Self.course)
    looking(for: "far", in: narrow)
    expectSnapshot(narrow.rows(at: 16)[3...])

    let fixture = try ActivityFixture("long", course: Self.course)
    looking(for: "many lines", in: fixture)
    #expect(fixture.rows(at: 16)[6] == "   Paragraph 1 begins here.")
    #expect(fixture.rows(at: 16)[18] == "   n  Next: Cards                                  ↓ more")
  }

  @Test func `who looks something up is taken up where they were, and what they saw for long enough is read`() throws {
    let fixture = try ActivityFixture("long", course: Self.course)
    let place = try fixture.navigation.place(named: .text("lab/goal/lesson/long")).place
    fixture.press(" ", at: 1)
    _ = fixture.screen(at: 5)
    let before = try #require(try fixture.navigation.readingPosition(in: place))

    looking(for: "far", in: fixture)
    _ = fixture.screen(at: 30)
    let meanwhile = try #require(try fixture.navigation.readingPosition(in: place))
    let isDone = try fixture.isDone("long")
    // Reading on from there is reading.
    fixture.press("b", at: 31)
    _ = fixture.screen(at: 35)
    let after = try #require(try fixture.navigation.readingPosition(in: place))

    #expect((meanwhile.block, meanwhile.blockOffset) == (before.block, before.blockOffset))
    #expect(meanwhile.heading == before.heading)
    #expect([before, meanwhile].map { ($0.fraction * 100).rounded() } == [50, 84])
    #expect(!isDone)
    #expect(after.block > before.block)
  }

  @Test func `places are found in lines with a margin, in wide letters, and across the end of a line`() {
    let lines = [StyledLine(indent: 2, [StyledRun("価格 price", style: .plain)]), "of the", "first offer"]
    let text = lines.map(\.text).joined(separator: "\n")
    func place(_ words: String) -> Range<Int> {
      let range = text.range(of: words)!
      return text.utf8.distance(
        from: text.startIndex, to: range.lowerBound)..<text.utf8.distance(
          from: text.startIndex, to: range.upperBound)
    }

    var found = FoundWords("anything")
    found.take(TextMatches(places: ["格", "price\nof", "offer"].map(place)), in: lines)

    #expect(
      found.places == [
        [CellRect(column: 4, row: 0, columns: 2, rows: 1)],
        [CellRect(column: 7, row: 0, columns: 5, rows: 1), CellRect(column: 0, row: 1, columns: 2, rows: 1)],
        [CellRect(column: 6, row: 2, columns: 5, rows: 1)],
      ])
    #expect(found.line == 0)
  }

  @Test func `of several words those places are gone to where they stand together, the nearest first`() {
    func stops(_ words: [String], in text: String, best: Int = 0) -> (stops: [Range<Int>], nearest: Int) {
      var places: [Range<Int>] = []
      for word in words {
        for range in text.ranges(of: word) {
          places.append(range.lowerBound.utf16Offset(in: text)..<range.upperBound.utf16Offset(in: text))
        }
      }
      let matches = TextMatches(places: places.sorted { $0.lowerBound < $1.lowerBound }, best: best)
      let together = WordsTogether(matches, in: text)
      return (together.stops, together.nearest)
    }
    let far = String(repeating: "and so on ", count: 30)

    // The first, the offer; first offer; the first.
    let both = stops(["first", "First", "offer"], in: "The first, in an offer. \(far)First offer. \(far)the first.")
    #expect(both.stops == [0..<2, 2..<4] && both.nearest == 1)
    // Nowhere together: each by itself, the best of them first.
    let apart = stops(["first", "offer"], in: "The first. \(far)An offer.", best: 1)
    #expect(apart.stops == [0..<1, 1..<2] && apart.nearest == 1)
    // One word, however it is written.
    let one = stops(["first", "First"], in: "First things first.")
    #expect(one.stops == [0..<1, 1..<2] && one.nearest == 0)
    #expect(stops([], in: "nothing").stops == [])
  }

  @Test func `back leads from what was found in the same text to where one read`() throws {
    let fixture = try ActivityFixture("long", course: Self.course)
    let before = fixture.rows(at: 1)
    looking(for: "far below", in: fixture)
    let there = fixture.rows(at: 16)
    fixture.press("H", at: 17)
    let back = fixture.rows(at: 18)
    fixture.press("H", at: 19)

    #expect(there != before && there[19].contains("Alt-← back"))
    #expect(back[6...17] == before[6...17])
    #expect(fixture.rows(at: 20)[2...] != before[2...] || fixture.rows(at: 20)[18] != back[18])
  }
}
