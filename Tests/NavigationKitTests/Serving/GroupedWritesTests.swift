import Foundation
import GRDB
import LearningModel
import NavigationKit
import Testing

/// Tests that grouped writes are committed together or not at all.
struct GroupedWritesTests {
  private struct Stop: Error {}

  private func steps(_ fixture: NavigationFixture, of learner: String) throws -> Int {
    try fixture.service(learner).history.page(HistoryFilter(learner: .current)).rows.count
  }

  @Test func `grouped writes are committed when the group returns, and each can fail alone`() throws {
    let fixture = try NavigationFixture.withCourses()
    let (ada, ben) = (try fixture.service("ada"), try fixture.service("ben"))

    let refused = try ada.access.groupCommit(waitingAtMost: .seconds(1)) {
      _ = try ada.perform(.open("english"))
      let refused = #expect(throws: NavigationError.self) { try ben.perform(.open("nowhere")) }
      _ = try ben.perform(.open("rust"))
      _ = try ada.perform(.push("meetings"))
      return refused
    }

    #expect(refused == .unknownPlace(name: "nowhere", nearest: []))
    #expect(try steps(fixture, of: "ada") == 3)
    #expect(try steps(fixture, of: "ben") == 2)
    #expect(try ada.check() == [])
  }

  @Test func `a group that throws is rolled back and its services continue`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    _ = try ada.perform(.open("english"))

    #expect(throws: Stop.self) {
      try ada.access.groupCommit(waitingAtMost: .seconds(1)) {
        _ = try ada.perform(.push("meetings"))
        throw Stop()
      }
    }

    #expect(try steps(fixture, of: "ada") == 2)
    let next = try ada.perform(.push("negotiating"))
    #expect(next.from?.path == PlacePath("english"))
    #expect(next.event?.sequence == 3)
    #expect(try ada.check() == [])
  }

  @Test func `a nested group that throws is rolled back alone`() throws {
    let fixture = try NavigationFixture.withCourses()
    let (ada, ben) = (try fixture.service("ada"), try fixture.service("ben"))

    try ada.access.groupCommit(waitingAtMost: .seconds(1)) {
      _ = try ben.perform(.open("rust"))
      #expect(throws: Stop.self) {
        try ada.access.groupCommit(waitingAtMost: .seconds(1)) {
          _ = try ada.perform(.open("english"))
          throw Stop()
        }
      }
      _ = try ada.perform(.open("rust"))
    }

    #expect(try ada.history.page().rows.map(\.to.path.description) == ["rust", "/"])
    #expect(try ada.check() == [])
  }

  @Test func `a repeated request is performed only once within a day`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let token = try ada.access.addToken(digest: String(repeating: "a", count: 64), for: "ada", .learner, expiresAt: nil)
    let request = RepeatableRequest(token: token.id, key: "k", digest: String(repeating: "1", count: 64))
    let other = RepeatableRequest(token: token.id, key: "k", digest: String(repeating: "2", count: 64))
    func obey(_ request: RepeatableRequest) throws -> String {
      try ada.access.performOnce(request) { "\(try ada.perform(.open("english")).isPerformed)" }
    }

    #expect(try obey(request) == "true")
    #expect(try obey(request) == "true")
    #expect(throws: ReusedKey.self) { try obey(other) }
    fixture.advance(seconds: 24 * 3_600 + 1)
    // The new answer reflects the current state: the learner is already there.
    #expect(try obey(other) == "false")

    #expect(try ada.history.page(HistoryFilter(operation: .open)).rows.count == 1)
    try ada.access.removeExpiredResponses()
    #expect(try fixture.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM answeredRequest") } == 1)
  }

  @Test func `a request that fails stores no answer`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let token = try ada.access.addToken(digest: String(repeating: "a", count: 64), for: "ada", .learner, expiresAt: nil)
    let request = RepeatableRequest(token: token.id, key: "k", digest: String(repeating: "1", count: 64))

    #expect(throws: Stop.self) {
      try ada.access.performOnce(request) {
        _ = try ada.perform(.open("english"))
        throw Stop()
      }
    }

    #expect(try ada.history.page().rows == [])
    #expect(try fixture.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM answeredRequest") } == 0)
  }

  @Test func `erasing a learner removes tokens, answers and audit entries, and can sweep later`()
    throws
  {
    let (fixture, ada) = try NavigationFixture.withService()
    let (adasDigest, teachersDigest) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    let token = try ada.access.addToken(digest: adasDigest, for: "ada", .learner, expiresAt: nil)
    let other = try ada.access.addToken(digest: teachersDigest, for: "mrs-t", .teacher, expiresAt: nil)
    let request = RepeatableRequest(token: token.id, key: "k", digest: adasDigest)
    _ = try ada.access.performOnce(request) { "\(try ada.perform(.open("english")).isPerformed)" }
    try ada.access.recordAudit(by: other, of: "ada", request: "GET /v1/history")
    try ada.access.recordAudit(by: other, of: nil, request: "GET /v1/history")

    let erasure = try ada.learners.erase("ada", sweeping: false)

    #expect(!erasure.isSwept)
    #expect(try ada.access.isSweepPending())
    #expect(try ada.access.tokens().map(\.learner) == ["mrs-t"])
    let entries = try ada.access.audit()
    #expect(entries.map(\.request) == ["learners erase", "GET /v1/history", "tokens add"])
    #expect(entries.dropFirst().map(\.learner) == [nil, "mrs-t"])
    #expect(UUID(uuidString: entries.first?.learner ?? "") != nil)
    #expect(try fixture.write { try Int.fetchOne($0, sql: "SELECT count(*) FROM answeredRequest") } == 0)
    #expect(try ada.sweep())
    #expect(try !ada.access.isSweepPending())
  }

  @Test func `a reading position can be removed, and the removal is stored`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let place = PlaceName.text("english/meetings/opening/agenda")
    let position = ReadingPosition(block: 2, fraction: 0.5, heading: nil, savedAt: fixture.now)

    try ada.progress.setReadingPosition(nil, in: place)
    try ada.progress.setReadingPosition(position, in: place)
    #expect(try ada.progress.readingPosition(at: place) == position)
    fixture.advance(seconds: 60)
    try ada.progress.setReadingPosition(nil, in: place)

    #expect(try ada.progress.readingPosition(at: place) == nil)
    let changed = try fixture.write {
      try Int64.fetchOne($0, sql: "SELECT stamp FROM factChange WHERE kind = 'position'")
    }
    // A hybrid timestamp: the milliseconds in the upper bits, and random lower 16 bits.
    #expect(changed.map { $0 / 65_536 } == fixture.now.milliseconds)
    #expect(throws: NavigationError.notAnActivity(place: PlacePath("english"))) {
      try ada.progress.setReadingPosition(position, in: .text("english"))
    }
  }

  @Test func `a token is valid until it expires or is revoked`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    let digest = String(repeating: "c", count: 64)
    let end = fixture.now.advanced(byMilliseconds: 10_000)
    let token = try ada.access.addToken(digest: digest, for: " ada ", .learner, expiresAt: end)

    #expect(token.learner == "ada")
    #expect(try ada.access.validToken(digest: digest) == token)
    fixture.advance(seconds: 10)
    #expect(try ada.access.validToken(digest: digest) == nil)
    #expect(try ada.access.revokeToken(token.id))
    #expect(try !ada.access.revokeToken(token.id))
    #expect(try ada.access.validToken(digest: String(repeating: "d", count: 64)) == nil)
    #expect(throws: NavigationError.unusableName(name: "")) {
      try ada.access.addToken(digest: digest, for: " ", .learner, expiresAt: nil)
    }
  }
}
