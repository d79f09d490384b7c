import NavigationKit
import Testing

struct QuizAnswersTests {
  @Test func `quiz attempts are returned with their answers, newest first, per place`() throws {
    let service = try NavigationFixture.withCourses().service()
    let place = try service.places.named("english/meetings/opening/agenda").place
    try service.progress.record(.quizChecked(answers: [[0], [1, 2], []], score: 0.5), in: .place(place))
    try service.progress.record(.quizChecked(answers: [[3], [1], [0]], score: 1), in: .place(place))

    #expect(try service.progress.quizAttempts(at: place).map(\.answers) == [[[3], [1], [0]], [[0], [1, 2], []]])
    #expect(try service.progress.quizAttempts(at: place, limit: 1).map(\.score) == [1])
    #expect(try service.progress.gradedCards(at: place) == [:])
  }

  @Test func `the last grade of each card counts`() throws {
    let service = try NavigationFixture.withCourses().service()
    let place = try service.places.named("english/meetings/opening/agenda").place
    for (card, isKnown) in [(0, false), (2, true), (0, true), (2, false)] {
      try service.progress.record(.cardGraded(card: card, of: 4, isKnown: isKnown), in: .place(place))
    }

    #expect(try service.progress.gradedCards(at: place) == [0: true, 2: false])
    #expect(try service.progress.quizAttempts(at: place) == [])
  }
}
