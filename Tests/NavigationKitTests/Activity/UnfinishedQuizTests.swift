import Foundation
import LearningModel
import NavigationKit
import Testing

/// Tests quizzes that were left unfinished.
struct UnfinishedQuizTests {
  private let fixture: NavigationFixture
  private let place: Place
  private let half = UnfinishedQuiz(answers: [[1], [0, 2]], question: 1, isChecked: false)

  init() throws {
    fixture = try NavigationFixture.withCourses()
    place = .node(try fixture.node("rust/start/hello/world"))
  }

  /// Opens a service for a learner, with a session at the quiz.
  private func present(_ learner: String = "ada") throws -> NavigationService {
    let service = try fixture.service(learner)
    try service.perform(.open(.place(place)))
    return service
  }

  @Test func `an unfinished quiz is restored in a later session of its learner`() throws {
    let ada = try present()
    try ada.progress.save(UnfinishedQuiz(answers: [[0], []], question: 0, isChecked: true), of: .two, in: place)
    try ada.progress.save(half, of: .two, in: place)
    try ada.endSession()
    fixture.advance(seconds: 86_400)

    #expect(try fixture.service(session: .browser).progress.unfinishedQuiz(of: .two, in: place) == half)
    #expect(try present("ben").progress.unfinishedQuiz(of: .two, in: place) == nil)
  }

  @Test func `an unfinished quiz is not restored if it was not saved or has changed`() throws {
    let ada = try present()
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == nil)
    try ada.progress.save(half, of: .two, in: place)

    #expect(try ada.progress.unfinishedQuiz(of: .two.reversed(), in: place) == nil)
    #expect(try ada.progress.unfinishedQuiz(of: .two.dropLast(), in: place) == nil)
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == half)
    try ada.progress.save(nil, of: .two, in: place)
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == nil)
  }

  @Test func `an unfinished quiz older than the latest attempt is not restored`() throws {
    let ada = try present()
    try ada.progress.save(half, of: .two, in: place)
    fixture.advance(seconds: 1)
    try ada.progress.record(.quizChecked(answers: [[1], [1]], score: 1), in: .place(place))
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == nil)
    fixture.advance(seconds: 1)

    try ada.progress.save(half, of: .two, in: place)

    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == half)
  }

  @Test func `without an open session, an unfinished quiz is not saved`() throws {
    let ada = try fixture.service()

    try ada.progress.save(half, of: .two, in: place)

    #expect(try ada.learners.all() == [])
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == nil)
  }

  @Test(arguments: [
    UnfinishedQuiz(answers: [[1], []], question: 2, isChecked: false),
    UnfinishedQuiz(answers: [[1]], question: 0, isChecked: false),
    UnfinishedQuiz(answers: [[3], []], question: 1, isChecked: false),
    UnfinishedQuiz(answers: [[-1], []], question: 1, isChecked: false),
  ])
  func `saved answers that do not fit the questions are ignored`(_ quiz: UnfinishedQuiz) throws {
    let ada = try present()

    try ada.progress.save(quiz, of: .two, in: place)

    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == nil)
  }

  @Test func `importing a learner keeps the later unfinished quiz`() throws {
    let school = try NavigationFixture.withCourses()
    let teacher = try school.service("teacher")
    let world = Place.node(try school.node("rust/start/hello/world"))
    let ada = try present()
    let early = UnfinishedQuiz(answers: [[0], []], question: 0, isChecked: false)
    try ada.progress.save(early, of: .two, in: place)
    let first = try ada.file(of: "ada")
    fixture.advance(seconds: 60)
    try ada.progress.save(half, of: .two, in: place)
    let second = try ada.file(of: "ada")

    for file in [second, first] { _ = try teacher.learners.import(from: Data(file.utf8), named: "ada.json") }

    #expect(try school.service().progress.unfinishedQuiz(of: .two, in: world) == half)
  }

  @Test func `erasing history since a time removes the unfinished quizzes saved after it`() throws {
    let ada = try present()
    try ada.progress.save(half, of: .two, in: place)
    fixture.advance(seconds: 60)
    _ = try ada.learners.eraseHistory(since: fixture.now.date)
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == half)

    _ = try ada.learners.eraseHistory(since: fixture.now.advanced(byMilliseconds: -60_000).date)
    #expect(try ada.progress.unfinishedQuiz(of: .two, in: place) == nil)
  }
}
