import NavigationKit
import Testing
import TextCanvas

/// The end of a course and of a lesson.
@MainActor @Suite struct CourseEndTests {
  @Test func `the end of the course follows the last activity, and Space continues from it`() throws {
    let fixture = try ActivityFixture("short", 80, 24)
    fixture.press("x", at: 0)
    let bar = fixture.rows(at: 0)[23]
    fixture.press(" ", at: 1)
    let end = fixture.screen(at: 3)
    fixture.press(" ", at: 4)

    #expect(bar.contains("Space end"))
    #expect(end.contains("End of Lab"))
    #expect(end.contains("done      1 of 5 activities"))
    #expect(end.contains("Goals"))
    #expect(end.contains("Next"))
    // The unfinished activities of the only course do not count as another course.
    #expect(end.contains("The list of courses"))
    #expect(end.contains("Space courses  . continue  Esc close"))
    #expect(fixture.rows(at: 6)[0].hasPrefix("   Waymark"))
  }

  @Test func `the end of an unfinished course shows how much remains and the key to continue`() throws {
    let fixture = try ActivityFixture("short", 80, 24)
    fixture.press("n", at: 1)

    let rows = fixture.rows(at: 3)
    fixture.press(".", at: 4)

    #expect(rows.contains { $0.contains("The rest of this course") && $0.hasSuffix("4 remaining │") })
    #expect(fixture.rows(at: 6)[2].hasPrefix("   Long"))
  }

  @Test func `the end of a course draws the path and counts the sessions`() throws {
    let fixture = try ActivityFixture("short", 80, 30)
    fixture.press(.left, at: 1)
    fixture.press(.enter, at: 2)
    fixture.press("n", at: 3)

    let rows = fixture.rows(at: 5)
    let path = rows.drop { !$0.contains("│ Path ") }.dropFirst().prefix { $0.contains("│") }

    #expect(rows.contains { $0.contains("sessions  1 session") })
    #expect(path.map { $0.trimmed.dropFirst().dropLast().trimmed } == ["● Short", "●─╯ Lesson", "╰─● Short"])
  }

  @Test func `the end of a course lists a deck with unknown cards for review`() throws {
    let fixture = try ActivityFixture("short", 80, 24)
    for (card, isKnown) in [(0, true), (1, false), (2, true)] {
      try fixture.navigation.progress.record(
        .cardGraded(card: card, of: 3, isKnown: isKnown), in: "lab/goal/lesson/cards")
    }
    fixture.press("n", at: 1)

    let rows = fixture.rows(at: 3)

    #expect(rows.contains { $0.contains("cards     2 of 3 known") })
    #expect(rows.contains { $0.contains("Cards ") && $0.contains("1 not known") })
  }

  @Test func `the end of a course lists a failed quiz for review`() throws {
    let fixture = try ActivityFixture("short", 80, 24)
    try fixture.navigation.progress.record(.quizChecked(answers: [[0], []], score: 0.5), in: "lab/goal/lesson/quiz")
    fixture.press("n", at: 1)

    let rows = fixture.rows(at: 3)

    #expect(rows.contains { $0.contains("quizzes   0 of 1 passed, best result 1 of 2 right") })
    #expect(rows.contains { $0.contains("To review") })
    #expect(rows.contains { $0.contains("Quiz ") && $0.contains("not passed, 1 of 2") })
  }

  @Test func `completing the last activity reports the course as done`() throws {
    let fixture = try ActivityFixture("long")
    for slug in ["cards", "quiz", "link", "short"] {
      try fixture.navigation.progress.record(.markedDone, in: .text("lab/goal/lesson/" + slug))
    }

    fixture.press("x", at: 1)

    #expect(fixture.rows(at: 1)[17] == "   Done. “Lab” is done: all 5 activities. U undoes it.")
  }

  @Test func `a step that leaves a lesson shows how much of the lesson is done`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers/make-the-first-offer")
    fixture.press("n", at: 1)

    #expect(fixture.screen(at: 2)[21].hasPrefix("   End of “Opening offers”: 0 of 4 done."))
  }
}
