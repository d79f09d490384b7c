import LearningModel
import NavigationService
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// What a quiz comes to at its end: passed or tried, what is right, and the wrong ones again.
@MainActor @Suite struct QuizResultTests {
  /// Answers the first question wrongly and the second rightly.
  private func half() throws -> ActivityFixture {
    let fixture = try ActivityFixture("quiz")
    fixture.press("1", at: 1)
    fixture.press(.enter, .enter, at: 2)
    fixture.press("13", at: 3)
    fixture.press(.enter, .enter, at: 4)
    return fixture
  }

  @Test func `a quiz with too few right answers is tried and not done, and shows what is right`() throws {
    let fixture = try half()
    let rows = fixture.rows(at: 5)

    #expect(rows[2] == "   Quiz                                     tried, 1 of 2")
    #expect(
      rows[6...10] == [
        "   1 of 2 right: 2 must be.", "", "   ▌ ✗  Who speaks first?", "        ✓  The one who knows",
        "     ✓  What can be given away?",
      ])
    #expect(rows[18] == "   r  Answer that one again                   2 of 2 pass")
    #expect(try !fixture.isDone("quiz"))
  }

  @Test func `its card and its row in the list say so`() throws {
    let fixture = try half()

    fixture.press(.left, at: 6)

    #expect(fixture.rows(at: 7).contains { $0.contains("Quiz") && $0.hasSuffix("tried, 1 of 2 │") })
  }

  @Test func `Enter opens a question with its explanation, and leads back`() throws {
    let fixture = try half()
    let list = fixture.screen(at: 5)

    fixture.press(.enter, at: 6)
    let opened = fixture.screen(at: 7)
    fixture.press(.left, at: 8)

    #expect(opened.contains("Knowing helps. It is all far below."))
    #expect(opened.contains("✓ 2 ( ) The one who knows                the right one"))
    #expect(fixture.screen(at: 9) == list)
    fixture.press(.down, .enter, at: 10)
    #expect(fixture.screen(at: 11).contains("What can be given away?"))
  }

  @Test func `r asks the wrong ones only, and what was right stays so`() throws {
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
    #expect(fixture.rows(at: 12).contains { $0.contains("Quiz") && $0.hasSuffix("2 of 2 right │") })
  }

  @Test func `the wrong ones that were left in the middle come again after a restart, and no others`() throws {
    let first = try half()
    first.press("r", at: 6)
    first.press("3", at: 7)
    first.browser.close()

    let second = try ActivityFixture("quiz", after: first)

    #expect(second.rows(at: 0)[2] == "   Quiz                                   question 1 of 1")
  }

  @Test(arguments: [(0.6, 5, 3), (0.5, 5, 3), (0.8, 5, 4), (1, 3, 3), (0.34, 3, 2)])
  func `so many must be right for a share to be reached`(_ share: Double, _ count: Int, _ needed: Int) {
    let questions = (0..<count).map { _ in
      QuizQuestion(
        question: [], details: [], choices: [QuizQuestion.Choice(text: [], isRight: true)], explanation: [])
    }

    #expect(questions.needed(toPass: share) == needed)
  }
}
