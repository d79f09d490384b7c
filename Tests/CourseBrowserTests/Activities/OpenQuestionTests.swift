import NavigationKit
import Snapshots
import Testing
import TextCanvas

/// Questions without choices, which the learner grades.
@MainActor @Suite struct OpenQuestionTests {
  @Test func `an open question shows its answer and does not count in the score`() throws {
    let fixture = try ActivityFixture("quiz", course: Self.course)
    let question = fixture.screen(at: 0)
    fixture.press(" ", at: 1)
    let answer = fixture.screen(at: 2)
    fixture.press(" ", at: 3)
    fixture.press("2", at: 4)
    fixture.press(.enter, at: 5)
    fixture.press(.enter, at: 6)

    expectSnapshot(question, "asked")
    expectSnapshot(answer, "looked")
    expectSnapshot(fixture.screen(at: 7), "at 7")
    #expect(try fixture.attempts("quiz").map(\.answers) == [[[], [1]]])
    #expect(try fixture.attempts("quiz").map(\.score) == [0])
  }

  private static let course = [
    "course.json": """
    {"waymark": 1, "course": {"key": "lab", "title": "Lab", "children": [
      {"key": "lab/goal", "title": "Goal", "children": [{"key": "lab/lesson", "title": "Lesson", "children": [
        {"key": "lab/quiz", "title": "Quiz", "minutes": 2, "quiz": [
          {"question": "Where do you walk away?", "choices": [],
            "explanation": ["Where no agreement is better than this one."]},
          {"question": "And does this hold?", "choices": [{"right": "Yes"}, {"wrong": "No"}]}]}
      ]}]}
    ]}}
    """
  ]
}
