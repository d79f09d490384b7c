import Foundation
import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore
@testable import NavigationKit

extension ActivityEventContent {
  /// A check that lasted one and a half seconds.
  static func check(_ isPassed: Bool, changed isChanged: Bool = true) -> ActivityEventContent {
    .exerciseChecked(
      ExerciseCheck(
        isPassed: isPassed, isChanged: isChanged, seconds: 1.5, files: String(repeating: "0a", count: 32),
        recipe: "python", revision: 1))
  }
}

struct ExerciseTests {
  private let agenda: PlaceName = "english/meetings/opening/agenda"
  private let hello: PlaceName = "english/meetings/opening/hello"

  /// Creates courses in which four activities are exercises.
  private func fixture() throws -> NavigationFixture {
    let fixture = try NavigationFixture.withCourses()
    try fixture.write {
      try $0.execute(
        sql: """
          UPDATE activityContent SET type = 'exercise', isReadInParts = 0, content = '{"exercise":{"files":[],"task":[]}}'
          WHERE node IN (
            SELECT id FROM contentNode WHERE slug IN ('agenda', 'hello', 'circle') OR title = 'World')
          """)
    }
    return fixture
  }

  @Test(
    arguments: [
      ([], .notChecked, .notBegun),
      ([.check(false)], .failed, .begun),
      ([.check(true)], .passed, .done),
      ([.check(true, changed: false)], .unchanged, .begun),
      ([.check(false, changed: false)], .failed, .begun),
      ([.check(false), .check(true)], .passed, .done),
      ([.check(true), .check(false)], .passed, .done),
      ([.check(false), .check(true, changed: false)], .unchanged, .begun),
      ([.markedDone], .marked, .done),
      ([.check(false), .markedDone], .marked, .done),
      ([.markedDone, .check(false)], .marked, .done),
      ([.markedDone, .check(true, changed: false)], .marked, .done),
      ([.markedDone, .check(true)], .passed, .done),
      ([.check(true), .markedNotDone], .notChecked, .begun),
      ([.check(true), .markedNotDone, .markedDone], .marked, .done),
      ([.check(true), .markedNotDone, .check(false)], .failed, .begun),
      ([.check(true), .markedNotDone, .check(true)], .passed, .done),
    ] as [([ActivityEventContent], PlaceSummary.ExerciseState, PlaceSummary.State)])
  func `checks and marks determine the state of an exercise`(
    events: [ActivityEventContent], exercise: PlaceSummary.ExerciseState, state: PlaceSummary.State
  ) throws {
    let fixture = try fixture()
    let service = try fixture.service()

    for event in events { try service.progress.record(event, in: agenda) }

    let summary = try service.places.summary(of: agenda)
    #expect(summary.exercise == exercise)
    #expect(summary.state == state)
    #expect(try service.places.summary(of: "english").exercises?.done == (exercise == .passed ? 1 : 0))
    #expect(try service.check() == [])
    // The state follows from the log, so that it is the same in each database that contains the log.
    guard !events.isEmpty else { return }
    let file = try service.file(of: "ada")
    let elsewhere = try self.fixture().service()
    try elsewhere.learners.import(from: Data(file.utf8), named: "ada.json")
    #expect(try elsewhere.places.summary(of: agenda).exercise == exercise)
    #expect(try elsewhere.check() == [])
  }

  @Test func `exercises that were passed in another program are marked as done, unless they are done`() throws {
    let fixture = try fixture()
    let service = try fixture.service()
    try service.progress.record(.check(true), in: agenda)
    var progress = SourceProgress()
    progress.passedExercises =
      try fixture.write {
        try String.fetchAll($0, sql: "SELECT key FROM contentNode WHERE slug IN ('agenda', 'hello')")
      } + ["unknown"]

    #expect(try service.record(progress, in: PlacePath("english")).exercises == 1)
    #expect(try service.record(progress, in: PlacePath("english")).exercises == 0)

    #expect(try service.places.summary(of: agenda).exercise == .passed)
    #expect(try service.places.summary(of: hello).exercise == .marked)
    #expect(try service.check() == [])
  }

  @Test func `passed exercises are counted for each place that contains exercises`() throws {
    let service = try fixture().service()
    try service.progress.record(.check(true), in: agenda)
    try service.progress.record(.markedDone, in: hello)

    func counts(_ name: PlaceName) throws -> [String: LearningProgress] {
      let page = try service.places.page(of: name)
      return Dictionary(
        uniqueKeysWithValues: (page.children + [page.summary]).compactMap { summary in
          summary.exercises.map { (summary.place.path.description, $0) }
        })
    }

    #expect(
      try counts("/") == [
        "english": LearningProgress(done: 1, total: 3), "rust": LearningProgress(done: 0, total: 1),
      ])
    #expect(
      try counts("english/meetings") == [
        "english/meetings": LearningProgress(done: 1, total: 3),
        "english/meetings/opening": LearningProgress(done: 1, total: 2),
        "english/meetings/middle": LearningProgress(done: 0, total: 1),
      ])
    #expect(try counts("english/negotiating") == [:])
    #expect(try service.places.summary(of: "english/meetings/opening").progress == LearningProgress(done: 2, total: 2))
  }

  @Test func `a check is an attempt with its result`() throws {
    let (fixture, service) = try { ($0, try $0.service()) }(fixture())
    try service.progress.record(.check(false), in: agenda)
    fixture.advance(seconds: 5)
    try service.progress.record(.check(true), in: agenda)

    let attempts = try service.progress.attempts()

    #expect(attempts.map(\.kind) == [.exerciseChecked, .exerciseChecked] && attempts.map(\.score) == [1, 0])
    #expect(
      String(decoding: try JSONEncoder.sorted.encode(attempts[0]), as: UTF8.self) == """
        {"at":"2026-11-20T10:00:05.000Z","attempt":"exerciseChecked","card":null,"kind":"activity","learner":"ada",\
        "path":"english/meetings/opening/agenda","question":null,"score":1,"title":"Agenda"}
        """)
  }

  @Test func `a check is stored with its result, duration, files, recipe and revision`() throws {
    let fixture = try fixture()
    let service = try fixture.service()
    try service.progress.record(.check(true), in: agenda)
    try service.progress.record(
      .exerciseChecked(ExerciseCheck(isPassed: false, isChanged: false, seconds: .infinity, files: "", revision: 7)),
      in: agenda)

    let details = try fixture.write {
      try String.fetchAll($0, sql: "SELECT detail || ' ' || score FROM activityEvent WHERE kind = 'exerciseChecked'")
    }

    let digest = String(repeating: "0a", count: 32)
    #expect(
      details == [
        #"{"changed":true,"files":"\#(digest)","passed":true,"recipe":"python","revision":1,"seconds":1.5} 1.0"#,
        #"{"changed":false,"files":"","passed":false,"revision":7,"seconds":0} 0.0"#,
      ])
  }

  @Test func `a check is passed or failed in xAPI, unless it was passed without an edited file`() throws {
    let service = try fixture().service()
    for event in [.check(false), .check(true, changed: false), .check(true)] as [ActivityEventContent] {
      try service.progress.record(event, in: agenda)
    }

    var statements: [LearningStatement] = []
    try service.history.forEachStatement {
      statements.append($0)
      return true
    }
    let results = try statements.filter { ![.experienced, .launched].contains($0.verb) }.map { statement in
      let json = String(decoding: try JSONEncoder.sorted.encode(statement), as: UTF8.self)
      return "\(statement.verb) \(json.firstMatch(of: /"result":(\{.*?\}),"timestamp"/)?.1 ?? "")"
    }

    #expect(
      results == [
        #"completed {"completion":true}"#, #"passed {"duration":"PT1.50S","success":true}"#,
        #"failed {"duration":"PT1.50S","success":false}"#,
      ])
  }

  @Test func `a check is never undone, nor is an earlier mark of the same exercise`() throws {
    let service = try fixture().service()
    try service.progress.record(.markedDone, in: hello)
    try service.progress.record(.markedDone, in: agenda)
    try service.progress.record(.check(true), in: agenda)

    let first = try service.changes.undo()
    let second = try service.changes.undo()

    #expect(first?.place.path == PlacePath("english/meetings/opening/hello") && second == nil)
    #expect(try service.places.summary(of: agenda).exercise == .passed)
    #expect(try service.places.summary(of: hello).exercise == .notChecked)
  }

  @Test func `a check that was synchronised has the same effect in the other database`() throws {
    let service = try fixture().service()
    try service.progress.record(.check(true), in: agenda)
    try service.progress.record(.check(false), in: hello)
    let pair = SyncPair(service, try fixture().service())

    let report = try pair.run()

    #expect(report.sent.activities == 2)
    #expect(try pair.hub.places.summary(of: agenda).exercise == .passed)
    #expect(try pair.hub.places.summary(of: hello).exercise == .failed)
    #expect(try pair.hub.check() == [] && service.check() == [])
  }

  @Test func `the history is filtered by exercises, and by their state`() throws {
    let service = try fixture().service()
    for name in [agenda, hello, "english/meetings/middle/turns"] { try service.perform(.open(name)) }
    try service.progress.record(.check(true), in: agenda)
    try service.progress.record(.check(false), in: hello)

    func titles(_ filter: HistoryFilter) throws -> [String] { try service.history.page(filter).rows.map(\.to.title) }
    var exercises = HistoryFilter(), done = HistoryFilter(), begun = HistoryFilter()
    exercises.type = .exercise
    done.state = .done
    begun.state = .begun

    #expect(try titles(exercises) == ["Hello", "Agenda"])
    #expect(try titles(done) == ["Agenda"])
    #expect(try titles(begun) == ["Hello"])
  }
}

extension JSONEncoder {
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
