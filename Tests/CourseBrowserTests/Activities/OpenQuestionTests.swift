import CourseLibrary
import Foundation
import NavigationService
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Questions without choices: nobody but the learner can say what the answer was worth.
@MainActor @Suite struct OpenQuestionTests {
  @Test func `a question without choices is answered in one's own words, and compared`() throws {
    let fixture = try ActivityFixture("quiz", course: Self.course)
    let asked = fixture.screen(at: 0)
    fixture.press(" ", at: 1)
    let looked = fixture.screen(at: 2)
    fixture.press(" ", at: 3)
    fixture.press("2", at: 4)
    fixture.press(.enter, at: 5)
    fixture.press(.enter, at: 6)

    expect(
      asked,
      """
         Courses › Lab › Goal › Lesson          activity 1 of 1

         Quiz                                   question 1 of 2
         quiz, 2 questions                                2 min
       ──────────────────────────────────────────────────────────

         Where do you walk away?

         Say it in your own words; then look.









         Space  Look at the answer      Say it first; then look
         ← up   x done   ? help           [Learn] Find  History
      """)
    expect(
      looked,
      """
         Courses › Lab › Goal › Lesson          activity 1 of 1

         Quiz                                   question 1 of 2
         quiz, 2 questions                           1 min left
       ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━─────────────────────────────

         Where do you walk away?

         Compare yours with this:

         Where no agreement is better than this one.







         ↵  Go on                               question 2 of 2
         ← up   x done   ? help           [Learn] Find  History
      """)
    expect(
      fixture.screen(at: 7),
      """
         Courses › Lab › Goal › Lesson          activity 1 of 1

         Quiz                                     tried, 0 of 1
         quiz, 2 questions
       ──────────────────────────────────────────────────────────

         0 of 1 right. It takes 1 to pass.

           ·  Where do you walk away?
         ▌ ✗  And does this hold?
              ✓  Yes







         r  Answer that one again
         Space end   ↵ open   ← up  [1 Learn] 2 Find  3 History
      """)
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
