import LearningModel
import NavigationService
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct MarksTests {
  @Test func `m marks the chosen card, says so, and takes the mark away again`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(.down, at: 1)
    fixture.press("m", at: 2)

    #expect(
      fixture.text(at: 3) == """
           Courses                                                      course 1 of 1

           English for Business                                          0 of 52 done
           Meet, negotiate, write and present with confidence.              about 5 h
         ──────────────────────────────────────────────────────────────────────────────

           Meetings                                                           0 of 13
           Open, steer and close a meeting that people leave on time.    about 75 min
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Negotiating ✦                                                      0 of 14 │
         │ Prepare, make the first offer, trade, and close.              about 80 min │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Writing                                                            0 of 12
           Messages that are read, answered and not misunderstood.       about 60 min

           Presenting                                                         0 of 13
           Stand up, say one thing, and be remembered for it.            about 65 min





           Marked “Negotiating”. ' shows all marks.
           ↵ open   ← up   / find   i info   ? help       [1 Learn] 2 Find  3 History
        """)
    #expect(try fixture.marks == ["english-for-business/negotiating"])

    fixture.press("m", at: 4)
    #expect(fixture.screen(at: 5)[22].contains("“Negotiating” is not marked any more."))
    #expect(try fixture.marks == [])
  }

  @Test func `on an activity it marks the activity, in its header`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    fixture.press("m", at: 1)

    #expect(fixture.screen(at: 2)[2].hasPrefix("   Who speaks first? ✦"))
  }

  @Test func `the apostrophe lists the marks, then where the learner goes most, and opening one says why`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/writing")
    fixture.press("n", at: 0.5)
    fixture.press("p", at: 0.7)
    fixture.press("'", at: 1)
    #expect(fixture.screen(at: 2)[22].contains("Nothing is marked. m marks what is chosen."))
    fixture.press(.left, at: 3)
    fixture.press("m", at: 4)
    fixture.press(.up, at: 5)
    fixture.press("m", at: 6)
    fixture.press("'", at: 7)

    #expect(
      fixture.text(at: 8) == """
           Courses › English for Business

           ▎type what you look for                                           2 marked
           in everything, best first                  Tab: goals, lessons, activities
         ──────────────────────────────────────────────────────────────────────────────
           Marked
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Writing                                                               goal │
         │ English for Business                                             not begun │
         │ You were here today.                                                       │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Negotiating                                                           goal
           English for Business                                             not begun

           Where you go most

           Presenting                                                            goal
           English for Business                                             not begun




           Esc  Back to English for Business                   Shift-Tab: this course
           ↵ open   ↑↓ choose   Tab kind                         Learn [Find] History
        """)

    fixture.press(.down, at: 9)
    #expect(
      fixture.text(at: 9) == """
           Courses › English for Business

           ▎type what you look for                                           2 marked
           in everything, best first                  Tab: goals, lessons, activities
         ──────────────────────────────────────────────────────────────────────────────
           Marked

           Writing                                                               goal
           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Negotiating                                                           goal │
         │ English for Business                                             not begun │
         │ You were never here.                                                       │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Where you go most

           Presenting                                                            goal
           English for Business                                             not begun




           Esc  Back to English for Business                   Shift-Tab: this course
           ↵ open   ↑↓ choose   Tab kind                         Learn [Find] History
        """)
    fixture.press(.enter, at: 10)
    #expect(fixture.screen(at: 11)[2].contains("Negotiating ✦"))
    #expect(try fixture.lastStep.cause == .bookmark)
  }

  /// Writes a note beside a text of the bundled course.
  private func writeNote(in fixture: BrowserFixture) throws {
    let anchor = try #require(AnchoredText([.paragraph([.text("Let the silence work for you.")])]).anchor(ofBlock: 0))
    try fixture.browser.navigation.write(
      note: "Count to ten", at: anchor,
      in: .text("english-for-business/negotiating/opening-offers/who-speaks-first"))
  }

  @Test func `the apostrophe shows the marks whatever was found before, and the key that lists the notes`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/writing")
    fixture.press("m", at: 1)
    try writeNote(in: fixture)
    fixture.press("/", at: 2)
    fixture.type("silence", at: 3)
    fixture.press(.enter, at: 4)
    _ = fixture.screen(at: 5)
    fixture.press("'", at: 6)
    let marks = fixture.text(at: 7).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    fixture.press("\"", at: 8)
    let notes = fixture.text(at: 9)
    fixture.press(.escape, at: 10)
    fixture.type("a", at: 11)
    fixture.press("\"", at: 12)

    #expect(
      marks[2...6].joined(separator: "\n") == """
           ▎type what you look for                                1 marked, 1 note: "
           in everything, best first                  Tab: goals, lessons, activities
         ──────────────────────────────────────────────────────────────────────────────
           Marked
         ╭────────────────────────────────────────────────────────────────────────────╮
        """)
    #expect(marks[7].hasPrefix(" │ Emails that get answers "))
    #expect(notes.contains("│ ▌ Count to ten"))
    #expect(fixture.screen(at: 13)[2].hasPrefix("   a\"▎"))
  }

  @Test func `where nothing is marked the apostrophe says so, and the key that lists the notes`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    try writeNote(in: fixture)
    fixture.press("'", at: 1)

    let rows = fixture.screen(at: 2)
    #expect(rows[22].trimmed == "Nothing is marked. m marks what is chosen. 1 note: \"")
    #expect(!rows.contains { $0.contains("Count to ten") })
  }
}
