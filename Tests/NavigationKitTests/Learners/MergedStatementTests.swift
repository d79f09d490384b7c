import Foundation
import GRDB
import LearningModel
import NavigationKit
import TestSupport
import Testing

/// Tests the statements of imported learners: their identifiers are stable and they never change.
struct MergedStatementTests {
  private func statements(_ service: NavigationService) throws -> [String: LearningStatement] {
    var statements: [String: LearningStatement] = [:]
    try service.history.forEachStatement(HistoryFilter(learner: .everyone)) {
      #expect(statements.updateValue($0, forKey: $0.id) == nil)
      return true
    }
    return statements
  }

  @Test func `a visit continued elsewhere is reported after it has ended`() throws {
    let (home, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english/meetings/opening/agenda"))
    home.advance(seconds: 30)
    try ada.perform(.next)
    home.advance(seconds: 10)
    try ada.recordInput()
    let early = try ada.file(of: "ada")
    home.advance(seconds: 50)
    try ada.endSession()
    let late = try ada.file(of: "ada")
    let school = try NavigationFixture.withCourses()
    let teacher = try school.service("teacher")

    try teacher.learners.import(from: Data(early.utf8), named: "early")
    let before = try statements(teacher)
    let handedOn = try teacher.file(of: "ada")
    let sessions = try [late, late, early].map {
      try teacher.learners.import(from: Data($0.utf8), named: "late").sessions
    }
    let after = try statements(teacher)

    #expect(before.values.map { "\($0.verb)" }.sorted() == ["experienced", "launched"])
    #expect(after.values.map { "\($0.verb)" }.sorted() == ["experienced", "experienced", "launched", "launched"])
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(try after == statements(ada))
    #expect(handedOn == early)
    #expect(sessions == [1, 0, 0], "the first import ended the session without adding a step")
    #expect(try teacher.file(of: "ada") == late)
  }

  @Test func `events of an activity that became a lesson survive repeated imports`() throws {
    let ada = try NavigationFixture.withCourses().service()
    let agenda: PlaceName = "english/meetings/opening/agenda"
    try ada.progress.record(.cardGraded(card: 0, of: 2, isKnown: true), in: agenda)
    let early = try ada.file(of: "ada")
    try ada.progress.record(.cardGraded(card: 1, of: 2, isKnown: true), in: agenda)
    try ada.endSession()
    let late = try ada.file(of: "ada")
    let school = try NavigationFixture.withCourses()
    let teacher = try school.service("teacher")
    try teacher.learners.import(from: Data(early.utf8), named: "early")
    func make(_ kind: String) throws {
      try school.write { database in
        let type = "INSERT INTO activityContent (node, type, content) SELECT id, 'reading', '{}' FROM contentNode "
        let slug = "WHERE slug = 'agenda'"
        if kind == "lesson" {
          try database.execute(sql: "DELETE FROM activityContent WHERE node = (SELECT id FROM contentNode \(slug))")
        }
        try database.execute(sql: "UPDATE contentNode SET kind = '\(kind)' \(slug)")
        if kind == "activity" { try database.execute(sql: type + slug) }
      }
      try teacher.rebuild()
    }

    try make("lesson")
    let first = try teacher.learners.import(from: Data(late.utf8), named: "late")
    let rows = try teacher.history.page(HistoryFilter(learner: .everyone)).rows
    let second = try teacher.learners.import(from: Data(late.utf8), named: "late")
    let rowsAgain = try teacher.history.page(HistoryFilter(learner: .everyone)).rows
    try make("activity")

    #expect(first.activities == 1 && second.sessions == 0 && rows == rowsAgain)
    #expect(
      try teacher.progress.rows(of: agenda, by: .everyone).map(\.progress) == [LearningProgress(done: 1, total: 1)])
    #expect(try teacher.file(of: "ada") == late)
    #expect(try teacher.check() == [])
  }

  @Test(arguments: 1...UInt64(Tier.count(6, long: 200)))
  func `no order or repetition of imports ever changes a statement`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let home = try NavigationFixture.withCourses()
    let services = try [home.service("ada"), home.service("ada", session: .named("phone")), home.service("ben")]
    var files: [(name: String, text: String)] = []
    for _ in 0..<12 {
      let service = services[random.below(services.count)]
      try service.live(1 + random.below(12), seed: random.next(), on: home)
      // A learner without any step or event does not exist.
      if let file = try? service.file(of: service.learner) { files.append((service.learner, file)) }
    }
    for service in services { try service.endSession() }
    let last = try services[0].learners.all().filter { try !services[0].history.sessions(of: .named($0.name)).isEmpty }
      .map {
        ($0.name, try services[0].file(of: $0.name))
      }
    let schools = try (0..<2).map { try NavigationFixture.withCourses().service("teacher \($0)") }

    for school in schools {
      var exported: [String: LearningStatement] = [:]
      for (name, text) in (files + files).shuffled(using: &random) + last {
        let bytes = Data(text.utf8)
        try school.learners.import(from: bytes, named: name)
        let rows = try school.history.page(HistoryFilter(learner: .everyone)).rows
        #expect(try school.learners.import(from: bytes, named: name).sessions == 0)
        #expect(try school.history.page(HistoryFilter(learner: .everyone)).rows == rows)

        let now = try statements(school)
        for (id, statement) in exported { #expect(now[id] == statement, "\(statement)") }
        exported = now
      }
      let problems = try school.check()
      #expect(problems == [])
      #expect(try Set(exported.keys) == Set(statements(services[0]).keys))
      #expect(exported.count > 10)
    }
  }
}
