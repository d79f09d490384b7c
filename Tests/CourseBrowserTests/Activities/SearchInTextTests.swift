import NavigationKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct SearchInTextTests {
  /// Returns the highlighted words on the screen. The selected ones begin with `>`.
  private func marked(in fixture: ActivityFixture, at time: Double) -> [String] {
    var words: [String] = []
    for row in 3..<17 {
      var before: Attributes = []
      for cell in fixture.cells(at: time, row: row) where cell.width > 0 {
        let attributes = cell.attributes.intersection([.bold, .underline, .reverse])
        defer { before = attributes }
        guard attributes.isSuperset(of: [.bold, .underline]) else { continue }
        if attributes != before { words.append(attributes.contains(.reverse) ? ">" : "") }
        words[words.count - 1] += cell.glyph.text
      }
    }
    return words
  }

  @Test func `matches are counted and highlighted while the query is typed, and the next match is shown`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("/", at: 1)
    let prompt = fixture.rows(at: 1.5)
    fixture.press("paragraph 9", at: 2)
    let match = fixture.rows(at: 2.5)

    #expect(
      prompt[18...] == [
        "   /  ▎                                      in this text",
        "   ↵ keep  Esc cancel         [Learn] Find History Review",
      ])
    expectSnapshot(match)
    #expect(marked(in: fixture, at: 2.5) == [">Paragraph 9"])
  }

  @Test func `a text that is left at a match is opened there again`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("/far", at: 1)
    fixture.press(.enter, at: 2)
    let match = fixture.rows(at: 3)
    fixture.press(.escape, .left, at: 4)
    _ = fixture.rows(at: 5)
    fixture.press(.enter, at: 6)

    #expect(fixture.rows(at: 7)[4..<16] == match[4..<16])
  }

  @Test func `Esc restores the position, Enter stays at the match, and H then returns to the position`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.down, .down, at: 1)
    let before = fixture.rows(at: 2)

    fixture.press("/far", at: 3)
    let matched = fixture.rows(at: 4)
    fixture.press(.escape, at: 5)
    let restored = fixture.rows(at: 6)
    fixture.press("/far", at: 7)
    fixture.press(.enter, at: 8)
    let accepted = fixture.rows(at: 9)
    fixture.press(.escape, at: 10)
    let ended = fixture.rows(at: 11)
    fixture.press("/", at: 12)
    fixture.press(.enter, at: 13)
    let nothing = fixture.rows(at: 14)
    fixture.press("H", at: 15)
    let back = fixture.rows(at: 16)

    #expect(matched[4..<17] != before[4..<17])
    // Reading began the lesson, whose cards the last row counts from then on.
    #expect(restored[4..<19] == before[4..<19])
    #expect(accepted[4..<17] == matched[4..<17])
    #expect(
      accepted[18...] == [
        "   n  Next “far”                      1 of 2 in this text",
        "   N previous       [1 Learn] 2 Find 3 History 4 Review 5",
      ])
    #expect(ended[4..<17] == matched[4..<17])
    #expect(ended[18].hasPrefix("   Space  Next: Cards "))
    #expect(nothing[4..<17] == matched[4..<17])
    #expect(back[4..<19] == before[4..<19])
  }

  @Test func `the n and N keys cycle through matches until Esc ends the search`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("/far", at: 1)
    fixture.press(.enter, at: 2)

    let hints = "nnNN".enumerated().map { index, key in
      fixture.press(String(key), at: 3 + Double(index))
      return fixture.rows(at: 3.5 + Double(index))[18].suffix(22)
    }
    fixture.press(.escape, at: 8)
    fixture.press("n", at: 9)

    #expect(hints == [2, 1, 2, 1].map { "   \($0) of 2 in this text" })
    #expect(try fixture.navigation.currentPlace().title == "Cards")
  }

  @Test func `Enter on a text without matches searches the course`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("/knows", at: 1)
    fixture.press(.enter, at: 2)
    let results = fixture.screen(at: 3)

    #expect(results.contains("knows▎") && results.contains("in Lab"))
  }

  @Test func `a second slash or Tab widens the search to the course and then to all courses`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("/knows", at: 1)
    let nothing = fixture.rows(at: 2)[18]
    fixture.press(.tab, at: 3)
    let course = fixture.rows(at: 4)
    fixture.press(.tab, at: 5)
    let everything = fixture.rows(at: 6)
    fixture.press(.escape, at: 7)
    let back = fixture.rows(at: 8)
    fixture.press("//", at: 9)
    let results = fixture.rows(at: 10)
    fixture.press("/", at: 11)

    #expect(nothing == "   /  knows▎                            none in this text")
    #expect(
      [course[2], course[3], course[18], course[19]] == [
        "   knows▎                                         1 place",
        "   in Lab, best first                    Tab: all courses",
        "   Esc  Back to Long",
        "   ↵ open  ↑↓ select        Learn [Find] History Review 5",
      ])
    #expect(everything[3] == "   in all courses, best first             Tab: 1 activity")
    #expect(back[2].hasPrefix("   Long"))
    #expect(results[3] == "   in Lab, best first                    Tab: all courses")
    #expect(fixture.rows(at: 12)[3] == "   in all courses         Tab: goals, lessons, activities")
  }

  @Test func `a search opens closed blocks with a match and accepts pasted text`() throws {
    var course = ActivityFixture.course
    course["01-goal/01-lesson/01-long.md"] = """
      ---
      title: Long
      ---

      A question.

      <details><summary>Solution</summary>

      The secret answer.

      </details>
      """
    let fixture = try ActivityFixture("long", course: course)

    fixture.press("/", at: 1)
    fixture.browser.handle(.paste("SECRET\n"), at: 2)

    #expect(marked(in: fixture, at: 3) == [">secret"])
  }

  @Test(arguments: [(40, 12), (20, 6)])
  func `in a small terminal, the query and its count stay visible`(columns: Int, rows: Int) throws {
    let fixture = try ActivityFixture("long", columns, rows)
    fixture.press("/begins here", at: 1)

    let screen = fixture.rows(at: 2)

    #expect(rows == 6 ? screen[5] == " /  ns here▎" : screen[10] == " /  begins here▎                1 of 10")
  }
}
