import LearningModel
import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The result of a quiz: the score, the correct answers, and repeating the wrong ones.
@MainActor @Suite struct QuizResultTests {
  /// Answers the first question incorrectly and the second one correctly.
  private func half() throws -> ActivityFixture {
    let fixture = try ActivityFixture("quiz")
    fixture.press("1", at: 1)
    fixture.press(.enter, .enter, at: 2)
    fixture.press("13", at: 3)
    fixture.press(.enter, .enter, at: 4)
    return fixture
  }

  @Test func `a failed quiz is marked as tried and shows the correct answers`() throws {
    let fixture = try half()
    let rows = fixture.rows(at: 5)

    #expect(rows[2] == "   Quiz                                not passed, 1 of 2")
    #expect(
      rows[6...10] == [
        "   1 of 2 right. 2 needed to pass.", "", "   ▌ ✗  Who speaks first?", "        ✓  The one who knows",
        "     ✓  What can be given away?",
      ])
    #expect(rows[18] == "   r  Retry the wrong one")
    #expect(try !fixture.isDone("quiz"))
  }

  @Test func `in a small terminal, the selected result is visible`() throws {
    let fixture = try ActivityFixture("quiz", 40, 8)
    fixture.press("2", at: 1)
    fixture.press(.enter, .enter, at: 2)
    fixture.press("2", at: 3)
    fixture.press(.enter, .enter, at: 4)
    let rows = fixture.rows(at: 5)
    fixture.press(.enter, at: 6)
    let opened = fixture.screen(at: 7)
    fixture.press(.left, .down, at: 8)
    let next = fixture.rows(at: 9)

    #expect(rows.contains { $0.hasPrefix(" ▌ ✓  Who speaks first?") } && !rows.contains { $0.contains("✗") }, "\(rows)")
    #expect(opened.contains("Who speaks first?"))
    #expect(next.contains { $0.hasPrefix(" ▌ ✗  What can be given") }, "\(next)")
  }

  @Test func `a failed quiz does not count in the card's progress line`() throws {
    let fixture = try half()

    fixture.press(.left, at: 6)
    fixture.press("v", at: 7)
    let cards = fixture.rows(at: 9)

    let top = try #require(cards.firstIndex { $0.contains("◐ 1 of 2") })
    #expect(cards[top + 2].contains("╰──") && !cards[top + 2].contains("━"), "\(cards)")
  }

  @Test func `the details of a place count the passed and the attempted quizzes in it`() throws {
    let fixture = try half()
    fixture.press(.left, .left, at: 6)
    fixture.press("i", at: 7)
    let tried = fixture.screen(at: 8)
    let none = try ActivityFixture("long")
    none.press(.left, .left, at: 1)
    none.press("i", at: 2)

    #expect(tried.contains("│ quizzes     0 of 1 passed"))
    #expect(!none.screen(at: 3).contains("quizzes"))
  }

  @Test func `the list shows the score of a failed quiz`() throws {
    let fixture = try half()

    fixture.press(.left, at: 6)

    #expect(fixture.rows(at: 7).contains { $0.contains("Quiz") && $0.contains("1 of 2") })
  }

  @Test func `Enter opens a question with its explanation, and left returns`() throws {
    let fixture = try half()
    let list = fixture.screen(at: 5)

    fixture.press(.enter, at: 6)
    let opened = fixture.screen(at: 7)
    fixture.press(.left, at: 8)

    #expect(opened.contains("Knowing helps. It is all far below."))
    #expect(opened.contains("✓ 2 ( ) The one who knows               Correct answer"))
    #expect(fixture.screen(at: 9) == list)
    fixture.press(.down, .enter, at: 10)
    #expect(fixture.screen(at: 11).contains("What can be given away?"))
  }

  @Test func `the r key repeats only the questions with wrong answers and keeps the right answers`() throws {
    let fixture = try half()

    fixture.press("r", at: 6)
    let again = fixture.rows(at: 7)
    fixture.press("2", at: 8)
    fixture.press(.enter, .enter, at: 9)
    let end = fixture.rows(at: 10)

    #expect(again[2] == "   Quiz                                   question 1 of 1")
    #expect(again[6] == "   Who speaks first?")
    #expect(end[2] == "   Quiz                                            ✓ done")
    #expect(end[6] == "   2 of 2 right.")
    #expect(try fixture.attempts("quiz").map(\.score) == [1, 0.5])
    #expect(try fixture.attempts("quiz").map(\.answers) == [[[1], [0, 2]], [[0], [0, 2]]])
    #expect(try fixture.isDone("quiz"))
    fixture.press(.left, at: 11)
    #expect(fixture.rows(at: 12).contains { $0.contains("Quiz") && $0.contains("2 of 2") })
  }

  @Test func `a repetition of wrong questions continues after the browser is restarted`() throws {
    let first = try half()
    first.press("r", at: 6)
    first.press("3", at: 7)
    first.browser.close()

    let second = try ActivityFixture("quiz", after: first)

    #expect(second.rows(at: 0)[2] == "   Quiz                                   question 1 of 1")
  }

  @Test(arguments: [(0.6, 5, 3), (0.5, 5, 3), (0.8, 5, 4), (1, 3, 3), (0.34, 3, 2)])
  func `the required number of right answers is rounded up`(_ share: Double, _ count: Int, _ needed: Int) {
    let questions = (0..<count).map { _ in
      QuizQuestion(
        question: [], details: [], choices: [QuizQuestion.Choice(text: [], isRight: true)], explanation: [])
    }

    #expect(questions.needed(toPass: share) == needed)
  }

  // MARK: - Earlier attempts

  @Test func `before the first question, earlier attempts can be opened and repeated`() throws {
    let fixture = try half()
    fixture.press(.escape, at: 6)
    fixture.press(.enter, at: 8)
    let outside = fixture.rows(at: 10)
    fixture.press(.down, at: 11)
    let chosen = fixture.rows(at: 12)
    fixture.press(.enter, at: 13)
    let attempt = fixture.rows(at: 14)
    fixture.press(.enter, at: 15)
    let opened = fixture.screen(at: 16)
    fixture.press(.escape, .escape, at: 17)
    let back = fixture.rows(at: 18)
    fixture.press("r", at: 19)

    #expect(outside[6...9] == ["   2 questions.", "", "   Earlier attempts:", "     1 of 2 right, 10:00"])
    #expect(outside[18] == "   Space  Retry                               2 questions")
    #expect(outside[19].hasPrefix("   ↑↓ results       [1 Learn]"))
    #expect(chosen[9] == "   ▌ 1 of 2 right, 10:00")
    #expect(chosen[18] == "   ↵  Show the results")
    #expect(
      attempt[6...10] == [
        "   1 of 2 right, 10:00. 2 needed to pass.", "", "   ▌ ✗  Who speaks first?", "        ✓  The one who knows",
        "     ✓  What can be given away?",
      ])
    #expect(opened.contains("Knowing helps. It is all far below."))
    #expect(back[6...8] == outside[6...8])
    #expect(fixture.rows(at: 20)[2] == "   Quiz                                   question 1 of 1")
  }

  @Test func `the palette lists wrong answers, and Enter opens their question`() throws {
    let fixture = try half()
    fixture.press("1", at: 6)
    fixture.press(":", at: 8)
    fixture.press("wrong", at: 9)
    fixture.press(.enter, at: 10)
    let list = fixture.screen(at: 11)
    fixture.press("capital", at: 12)
    let nothing = fixture.screen(at: 13)
    fixture.browser.handle(.key(KeyEvent(.character("u"), modifiers: .control)), at: 14)
    fixture.press("speaks", at: 15)
    fixture.press(.enter, at: 16)

    #expect(list.contains("Wrong answers ▎a question or a quiz                  1"))
    #expect(list.contains("▌ Who speaks first?  ✗ Nobody"))
    #expect(nothing.contains("No question contains these words. Ctrl-U clears them."))
    #expect(fixture.screen(at: 18).contains("Knowing helps. It is all far below."))
    #expect(fixture.screen(at: 18).contains("✓ 2 ( ) The one who knows               Correct answer"))
  }

  @Test func `the list of wrong answers shows a message if there are none`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(":", at: 1)
    fixture.press("wrong", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.screen(at: 4).contains("No wrong answers."))
  }

  @Test func `an attempt is not shown if the questions have changed since`() throws {
    let fixture = try half()
    let place = try fixture.navigation.places.named(.text("lab/goal/lesson/quiz")).place
    try fixture.navigation.progress.record(.quizChecked(answers: [[0], [1], [2]], score: 0), in: .place(place))
    fixture.press(.escape, at: 6)
    fixture.press(.enter, at: 8)
    fixture.press(.down, at: 9)
    fixture.press(.enter, at: 10)

    #expect(fixture.rows(at: 11)[17] == "   The questions have changed since this attempt.")
  }

  @Test func `a new attempt is counted wherever the quiz is shown`() throws {
    let fixture = try half()
    fixture.press("r", at: 6)
    fixture.press("2", at: 7)
    fixture.press(.enter, .enter, at: 8)
    let end = fixture.rows(at: 9)
    fixture.press("2", at: 10)
    fixture.press("who speaks", at: 11)
    _ = fixture.rows(at: 12)
    fixture.press(.enter, at: 13)
    _ = fixture.screen(at: 14)
    fixture.press("G", at: 15)
    let again = fixture.screen(at: 16)

    #expect(end.filter { $0.contains("of 2 right, ") } == ["   •  1 of 2 right, 10:00"])
    #expect(again.contains("     2 of 2 right, 10:00\n     1 of 2 right, 10:00"))
    #expect(!again.contains("wrong one"))
  }
}
