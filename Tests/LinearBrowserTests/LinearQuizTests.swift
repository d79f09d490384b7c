import CourseKit
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing

/// Quizzes in linear mode, including questions without choices.
@Suite struct LinearQuizTests {
  @Test func `a question without choices is answered in the learner's own words`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try fixture.folder.write(Data(Self.course.utf8), to: "course.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("course.json"))

    let question = fixture.type("lab/goal/lesson/quiz")
    let chosen = fixture.type("1")
    let answer = fixture.type("")
    let next = fixture.type("")
    fixture.type("2")
    let checked = fixture.type("")

    #expect(
      question == [
        "Opened. Activity: Quiz. Quiz, 2 questions.",
        "Question 1 of 2: Where do you walk away?",
        "Answer in your own words. Enter: show the answer.",
      ])
    #expect(chosen == ["There are no choices. Enter: show the answer."])
    #expect(
      answer == [
        "The answer to compare yours with:", "Where no agreement is better than this one.", "Enter: question 2 of 2.",
      ])
    #expect(
      next == [
        "Question 2 of 2: And does this hold?", "1. Yes.", "2. No.", "Type the number of your answer.",
      ])
    #expect(
      checked == [
        "Incorrect. Correct answer: 1. Yes.", "That was the last question. You answered 0 of 1 correctly.",
        "1 needed to pass.",
        "Question 2: And does this hold? Correct answer: Yes.", "retry: the wrong one.",
        "A number: show that question with its explanation.",
      ])
  }

  @Test func `in any place, the command “wrong” lists wrong answers and opens their explanations`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try fixture.folder.write(Data(Self.course.utf8), to: "course.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("course.json"))
    let before = fixture.type("wrong")
    for line in ["lab/goal/lesson/quiz", "", "", "2", ""] { fixture.type(line) }
    fixture.type("courses")
    let wrong = fixture.type("wrong")
    let explained = fixture.type("1")

    #expect(before == ["No wrong answers. Questions appear here until you answer them correctly."])
    #expect(
      wrong == ["Wrong answers: 1 question.", "1. And does this hold? Your answer: No. Correct answer: Yes. In Quiz."])
    #expect(try fixture.navigation.currentPlace().path == PlacePath("lab/goal/lesson/quiz"))
    #expect(
      explained == [
        "Opened. Activity: Quiz. Quiz, 2 questions.", "Last attempt, today: 0 of 1 right.",
        "Question 2: And does this hold? Correct answer: Yes.", "retry: the wrong one.",
        "A number: show that question with its explanation.",
      ])
    #expect(fixture.type("again").first == "Question 1 of 1: And does this hold?")
  }

  @Test func `if the questions have changed, opening a wrong answer begins the quiz`() throws {
    let fixture = try LinearFixture(hasCourse: false)
    try fixture.folder.write(Data(Self.course.utf8), to: "course.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("course.json"))
    for line in ["lab/goal/lesson/quiz", "", "", "2", ""] { fixture.type(line) }
    fixture.type("wrong")
    let changed = Self.course.replacing(
      #"{"wrong": "No"}]}]"#,
      with: #"{"wrong": "No"}]}, {"question": "More?", "choices": [{"right": "A"}, {"wrong": "B"}]}]"#)
    try fixture.folder.write(Data(changed.utf8), to: "course.json")
    _ = try fixture.library.importCourse(from: fixture.folder.file("course.json"))

    let opened = fixture.type("1")

    #expect(opened.contains("The questions have changed since your last attempt."))
    #expect(opened.contains("Question 1 of 3: Where do you walk away?"))
  }

  private static let course = """
    {"waymark": 1, "course": {"key": "lab", "title": "Lab", "children": [
      {"key": "lab/goal", "title": "Goal", "children": [{"key": "lab/lesson", "title": "Lesson", "children": [
        {"key": "lab/quiz", "title": "Quiz", "minutes": 2, "quiz": [
          {"question": "Where do you walk away?", "choices": [],
            "explanation": ["Where no agreement is better than this one."]},
          {"question": "And does this hold?", "choices": [{"right": "Yes"}, {"wrong": "No"}]}]}
      ]}]}
    ]}}
    """
}
