import Foundation
import GRDB
import LearningModel
import TestSupport
import Testing

@testable import NavigationKit

struct StatementTests {
  private func statements(
    _ service: NavigationService, _ filter: HistoryFilter = HistoryFilter()
  ) throws -> [LearningStatement] {
    var statements: [LearningStatement] = []
    try service.history.forEachStatement(filter) {
      statements.append($0)
      return true
    }
    return statements
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `the statement about a passed quiz is encoded in the JSON format of xAPI`() throws {
    let fixture = try NavigationFixture.withCourses()
    let ada = try fixture.service("Ada L.")
    try ada.perform(.open("rust/start/hello/world"))
    try ada.progress.record(.quizChecked(answers: [[1]], score: 0.75), in: "rust/start/hello/world")
    let session = try #require(try ada.currentSession()?.uuid)

    let statement = try #require(try statements(ada).first { $0.verb == .passed })

    #expect(
      try json(statement) == """
        {"actor":{"account":{"homePage":"https://waymark.invalid/learners","name":"Ada L."},"name":"Ada L.",\
        "objectType":"Agent"},"context":{"contextActivities":{"grouping":[{"definition":{"name":{"und":"Rust"},\
        "type":"http://adlnet.gov/expapi/activities/course"},"id":"https://waymark.invalid/courses/17",\
        "objectType":"Activity"}],"parent":[{"definition":{"name":{"und":"Hello"},\
        "type":"http://adlnet.gov/expapi/activities/lesson"},"id":"https://waymark.invalid/courses/17/places/19",\
        "objectType":"Activity"}]},\
        "extensions":{"https://waymark.invalid/extensions/session":"\(session)"},"platform":"Waymark",\
        "registration":"fc3e9663-ff52-5c62-971f-d27cc836f2b3"},"id":"\(statement.id)",\
        "object":{"definition":{"name":{"und":"World"},"type":"http://adlnet.gov/expapi/activities/media"},\
        "id":"https://waymark.invalid/courses/17/places/20","objectType":"Activity"},\
        "result":{"score":{"scaled":0.75},"success":true},"timestamp":"2026-11-20T10:00:00.000Z",\
        "verb":{"display":{"en":"passed"},"id":"http://adlnet.gov/expapi/verbs/passed"}}
        """)
  }

  @Test func `an answer in a review is a statement about its card, unless it was undone`() throws {
    let fixture = try ReviewFixture()
    try fixture.begin("words")
    let first = try #require(try fixture.answerNext(.again, seconds: 4))
    _ = try fixture.answerNext(.good)
    try fixture.service.changes.undo()

    let statement = try #require(try statements(fixture.service).first { $0.verb == .answered })
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json(statement).utf8)) as? [String: Any])

    #expect(try statements(fixture.service).filter { $0.verb == .answered }.count == 1)
    #expect(try json(statement).contains(#""result":{"duration":"PT4S","success":false}"#))
    #expect(
      (object["object"] as? [String: Any])?["id"] as? String
        == "https://waymark.invalid/courses/cards/places/words/cards/\(first.answer.id.key)")
    #expect(try json(statement).contains(#""type":"http://adlnet.gov/expapi/activities/question"}"#))
    #expect(try json(statement).contains(#""parent":[{"definition":{"name":{"und":"words"}"#))
  }

  @Test func `a mark that was undone has no statement and no visit with an outcome`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("rust/start/hello/world"))
    try ada.progress.record(.markedDone, in: "rust/start/hello/world")
    fixture.advance(seconds: 10)
    try ada.perform(.pop)
    let before = try statements(ada).map(\.verb)

    try ada.changes.undo()

    let visits = try ada.history.page(limit: 9).rows
    #expect(before.contains(.completed))
    #expect(try statements(ada).map(\.verb) == before.filter { $0 != .completed })
    #expect(try ada.history.outcomes(of: visits).values.map(\.isDone) == [false])
  }

  @Test func `statements report only visits that have ended, with stable identifiers`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english/meetings/opening/agenda"))
    fixture.advance(seconds: 61.5)
    let none = try statements(ada)
    try ada.perform(.pop)
    let some = try statements(ada)
    fixture.advance(seconds: 10)
    try ada.perform(.popToRoot)
    let all = try statements(ada)

    #expect(none.isEmpty)
    #expect(some.map(\.verb) == [.experienced, .launched])
    #expect(try json(some[0]).contains(#""result":{"duration":"PT61.50S"}"#))
    #expect(all.map(\.verb) == [.experienced, .experienced, .launched])
    #expect(Array(all.dropFirst()) == some)
  }

  @Test func `statements are sorted by time, newest first`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.live(300, seed: 11, on: fixture)
    try ada.progress.record(.quizChecked(answers: [[0]], score: 0), in: "english/meetings/opening/agenda")
    try ada.endSession()

    let all = try statements(ada)

    let times = all.map(\.timestamp)
    #expect(times == times.sorted(by: >))
    #expect(Set(all.map(\.verb)).isSuperset(of: [.experienced, .launched, .completed, .failed]))
  }

  @Test func `each completion has one statement, and each attempt is passed or failed`() throws {
    let ada = try NavigationFixture.withCourses().service()
    let agenda: PlaceName = "english/meetings/opening/agenda"
    try ada.progress.record(.cardGraded(card: 0, of: 2, isKnown: true), in: agenda)
    try ada.progress.record(.cardGraded(card: 1, of: 2, isKnown: false), in: agenda)
    try ada.progress.record(.seenToEnd, in: agenda)
    try ada.progress.record(.markedNotDone, in: agenda)
    try ada.progress.record(.cardGraded(card: 1, of: 2, isKnown: true), in: agenda)
    try ada.progress.record(.markedDone, in: agenda)
    try ada.progress.record(.quizChecked(answers: [[0]], score: 0), in: agenda)
    try ada.progress.record(.quizChecked(answers: [[0]], score: 1), in: agenda)

    let done = try statements(ada).filter { $0.verb != .experienced && $0.verb != .launched }

    #expect(done.map(\.verb) == [.passed, .failed, .completed, .completed])
    #expect(try done.map { try json($0).contains("scaled") } == [true, true, false, false])
    #expect(Set(done.map(\.id)).count == 4)
  }

  @Test func `a quiz is failed below its pass score, otherwise passed and completed`() throws {
    let ada = try NavigationFixture.withCourses().service()
    func results() throws -> [String] {
      try statements(ada).filter { $0.verb != .experienced && $0.verb != .launched }.map { statement in
        let result = try json(statement).firstMatch(of: /"result":(\{.*?\}),"timestamp"/)?.1
        return statement.verb.rawValue + " " + (result ?? "")
      }
    }

    try ada.progress.record(.quizChecked(answers: [[0], [1]], score: 0.5, pass: 0.8), in: "rust/start/hello/world")
    #expect(try results() == [#"failed {"score":{"scaled":0.5},"success":false}"#])
    try ada.progress.record(.quizChecked(answers: [[1], [1]], score: 1, pass: 0.8), in: "rust/start/hello/world")

    #expect(
      try results() == [
        #"completed {"completion":true}"#, #"passed {"score":{"scaled":1},"success":true}"#,
        #"failed {"score":{"scaled":0.5},"success":false}"#,
      ])
  }

  @Test func `a quiz with only open questions is completed, neither passed nor failed`() throws {
    let ada = try NavigationFixture.withCourses().service()

    for _ in 0..<2 {
      try ada.progress.record(.quizChecked(answers: [[]], score: 1, of: 0), in: "rust/start/hello/world")
    }

    #expect(try statements(ada).filter { $0.verb != .experienced && $0.verb != .launched }.map(\.verb) == [.completed])
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `every statement of a long history follows the specification`(seed: UInt64) throws {
    let fixture = try NavigationFixture.withCourses()
    let ada = try fixture.service("Ada Ünwin/\u{1F40B}")
    try ada.live(1500, seed: seed, on: fixture)
    try ada.endSession()

    let all = try statements(ada)
    let problems = try all.flatMap { try StatementRules.problems(in: Data(json($0).utf8)) }

    #expect(problems == [])
    #expect(all.count > 1000)
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(Set(all.map(\.verb)).isSuperset(of: [.experienced, .launched, .completed, .failed]))
    let done = try fixture.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM progress WHERE doneAt IS NOT NULL") }
    #expect(Set(all.filter { $0.verb == .completed }.map(\.id)).count >= done ?? 0)
  }

  @Test(
    arguments: [
      ("id", #""A8D39828-1533-503E-87E1-6986A8DAA487""#), ("id", "null"), ("extra", "1"), ("actor", "null"),
      ("actor.mbox", #""mailto:a@b.c""#), ("actor.account", "null"), ("actor.account.homePage", #""waymark""#),
      ("actor.account.name", #""""#), ("actor.colour", #""red""#), ("verb.id", #""completed""#),
      ("verb.display", #""done""#), ("verb.display", #"{"e": "done"}"#), ("object.id", #""no address""#),
      ("object.objectType", #""activity""#), ("object.definition.type", #""""#), ("object.definition.name", "{}"),
      ("result", "null"), ("result", "{}"), ("result.completion", #""true""#), ("result.completion", "1"),
      ("result.success", #""true""#),
      ("result.score", "null"), ("result.score.scaled", "1.5"), ("result.score.scaled", #""0.5""#),
      ("result.duration", #""61 s""#), ("result.duration", #""PT1.234S""#), ("context.registration", #""1""#),
      ("context.contextActivities.parent", "null"), ("context.contextActivities.above", "[]"),
      ("context.extensions.session", #""1""#), ("timestamp", #""2026-11-20 10:00:00""#),
      ("timestamp", #""2026-11-20T10:00:00-00:00""#), ("version", #""2.0""#),
    ])
  func `a statement that violates the specification is detected`(path: String, value: String) throws {
    let fixture = try NavigationFixture.withCourses()
    let ada = try fixture.service("Ada L.")
    try ada.progress.record(.quizChecked(answers: [[1]], score: 0.75), in: "rust/start/hello/world")
    let text = try json(#require(try statements(ada).first { $0.verb == .passed }))
    var statement = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let before = StatementRules.problems(in: statement)

    let broken = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
    Self.set(broken, at: path.split(separator: ".").map(String.init)[...], in: &statement)

    #expect(before == [])
    #expect(!StatementRules.problems(in: statement).isEmpty)
  }

  private static func set(_ value: Any, at path: ArraySlice<String>, in object: inout [String: Any]) {
    guard let name = path.first else { return }
    if path.count == 1 {
      object[name] = value
    } else {
      var inner = object[name] as? [String: Any] ?? [:]
      set(value, at: path.dropFirst(), in: &inner)
      object[name] = inner
    }
  }

  @Test func `statements stay the same after their place has moved`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let agenda: PlaceName = "english/meetings/opening/agenda"
    try ada.perform(.open(agenda))
    fixture.advance(seconds: 30)
    try ada.progress.record(.markedDone, in: agenda)
    try ada.progress.record(.markedDone, in: "rust/start/hello/world")
    try ada.perform(.popToRoot)
    // The definition of an activity is not part of a statement's identity.
    // Source: xAPI 1.0.3, Part Two, section 2.3.1.
    func lasting(_ statements: [LearningStatement]) throws -> [String] {
      try statements.map { try json($0).replacing(/"definition":\{"name":\{[^}]*\},"type":"[^"]*"\},/, with: "") }
    }
    let before = try lasting(statements(ada))

    let closing = try fixture.node("english/meetings/closing").rawValue
    try fixture.write {
      try $0.execute(
        sql: "UPDATE contentNode SET parent = ?, position = 9, title = 'Moved' WHERE slug = 'agenda'",
        arguments: [closing])
    }

    #expect(try lasting(statements(ada)) == before)
    #expect(before.count == 4 && before.contains { $0.contains("/places/3") && !$0.contains("definition") })
    #expect(try statements(ada).map(json).filter { $0.contains("Moved") }.count == 3)
  }

  @Test func `a filter selects the same statements as rows of the history`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.live(300, seed: 9, on: fixture)
    let ben = try fixture.service("ben")
    try ben.live(50, seed: 10, on: fixture)

    let adasStatements = try statements(ada)
    let all = try statements(ada, HistoryFilter(learner: .everyone))
    let bens = try statements(ada, HistoryFilter(learner: .named("ben")))
    let rust = try statements(ada, HistoryFilter(course: "rust"))
    let pushes = try statements(ada, HistoryFilter(operation: .push))

    #expect(Set(all) == Set(adasStatements + bens) && !bens.isEmpty)
    #expect(try rust.allSatisfy { try json($0).contains("/courses/17") } && rust.count < adasStatements.count)
    #expect(pushes.allSatisfy { $0.verb == .experienced || $0.verb == .launched } && !pushes.isEmpty)
  }

  @Test(
    arguments: [
      (HistoryFilter(answers: .wrong), ["Agenda", "Hello"], [.failed, .passed, .completed]),
      (HistoryFilter(answers: .right), ["World"], [.failed, .passed, .completed]),
      (HistoryFilter(state: .done), ["Agenda", "World"], [.failed, .passed, .completed]),
      (HistoryFilter(state: .begun), ["Hello"], [.failed]),
      (HistoryFilter(type: .quiz), [], []),
      (HistoryFilter(text: "HELLÓ"), ["Hello"], [.failed]),
    ] as [(HistoryFilter, Set<String>, Set<LearningStatement.Verb>)])
  func `statements are about the places at which the history lists steps`(
    filter: HistoryFilter, titles: Set<String>, verbs: Set<LearningStatement.Verb>
  ) throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let scores: KeyValuePairs<PlaceName, [Double]> = [
      "english/meetings/opening/agenda": [1, 0], "rust/start/hello/world": [0, 1],
      "english/meetings/opening/hello": [0],
    ]
    for (place, scores) in scores {
      for score in scores {
        try ada.perform(.open(place))
        try ada.progress.record(.quizChecked(answers: [[0]], score: score), in: place)
        fixture.advance(seconds: 5)
      }
    }
    try ada.perform(.open("english/meetings/opening/hello"))
    try ada.perform(.popToRoot)

    let rows = try ada.history.page(filter).rows.filter { $0.to.kind == .activity }
    let statements = try statements(ada, filter)

    #expect(Set(rows.map(\.to.title)) == titles)
    #expect(Set(statements.map(\.object.title)) == titles)
    #expect(Set(statements.map(\.verb)).subtracting([.experienced, .launched]) == verbs)
    #expect(statements.filter { $0.verb == .launched }.count == rows.count)
  }
}
