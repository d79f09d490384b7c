import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct LinkScreenTests {
  @Test func `a link says where it leads, and is done when the learner says so`() throws {
    let fixture = try ActivityFixture("link")
    let before = fixture.screen(at: 60)
    #expect(try !fixture.isDone("link"))

    fixture.press(.enter, at: 61)

    expect(
      before,
      """
         Courses › Lab › Goal › Lesson          activity 4 of 5

         Link
         A way out.                                about 10 min
       ──────────────────────────────────────────────────────────

         Why you should go there.

         https://example.org/a/long/way









         y  Copy the address              ↵ when you were there
         y copy   ↵ visited   ← up  [1 Learn] 2 Find  3 History
      """)
    expect(
      fixture.screen(at: 62),
      """
         Courses › Lab › Goal › Lesson          activity 4 of 5

         Link                                            ✓ done
         A way out.
       ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

         Why you should go there.

         https://example.org/a/long/way









         n  Next: Short                          reading, 1 min
         Space next   y copy   ← up [1 Learn] 2 Find  3 History
      """)
    #expect(try fixture.isDone("link"))
  }

  @Test func `y copies the address`() throws {
    let fixture = try ActivityFixture("link")

    fixture.press("y", at: 1)

    #expect(fixture.copied == ["https://example.org/a/long/way"])
    #expect(fixture.rows(at: 1)[18] == "   Copied the address: https://example.org/a/long/way")
  }

  @Test func `Space leaves it as it is and goes on`() throws {
    let fixture = try ActivityFixture("link")

    fixture.press(" ", at: 1)

    #expect(try !fixture.isDone("link"))
    #expect(fixture.rows(at: 2)[2].hasPrefix("   Short"))
  }
}
