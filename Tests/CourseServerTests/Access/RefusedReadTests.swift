import Answers
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import waymark_server

/// The audit of teachers who read the data of other learners.
struct RefusedReadTests {
  private static let paths = [
    "/v1/history?learner=ada", "/v1/statistics?by=learner", "/v1/progress?by=learner", "/v1/learners",
  ]

  /// A server with navigation events of `ada`, and the token of a teacher.
  private static func home() throws -> (home: ServerFixture, teacher: String) {
    let home = try ServerFixture()
    let (ada, teacher) = (try home.token("ada"), try home.token("mrs-t", "--scope", "teacher"))
    try home.serve()
    _ = try home.ask("POST", "/v1/steps", token: ada, body: step("open", "english-for-business"))
    return (home, teacher)
  }

  private static func auditCount(_ home: ServerFixture) throws -> Int {
    try DatabaseQueue(path: home.database).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM learnerAudit WHERE request NOT LIKE 'tokens %'") ?? 0
    }
  }

  @Test(arguments: paths)
  func `a read of other learners is refused if it cannot be audited`(path: String) throws {
    let (home, teacher) = try Self.home()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let writer = try DatabaseQueue(path: home.database, configuration: configuration)
    // The trigger acts like a full disk.
    try writer.write {
      try $0.execute(
        sql: "CREATE TRIGGER noRoom BEFORE INSERT ON learnerAudit BEGIN SELECT RAISE(ABORT, 'no room'); END")
    }

    let refused = try home.ask("GET", path, token: teacher)
    let ownHistory = try home.ask("GET", "/v1/history", token: teacher)
    try writer.write { try $0.execute(sql: "DROP TRIGGER noRoom") }
    let answered = try home.ask("GET", path, token: teacher)

    #expect(refused.status == 503)
    #expect(refused.headers["retry-after"] == "60")
    #expect(
      refused.object["detail"] as? String
        == "Could not answer: the access to other learners' data could not be recorded. Try again later.")
    #expect(ownHistory.status == 200)
    #expect(answered.status == 200)
    #expect(try Self.auditCount(home) == 1)
    #expect(try home.stop().errors.contains("no room"))
  }

  @Test func `a read of other learners waits only for short locks`() throws {
    let (home, teacher) = try Self.home()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let writer = try DatabaseQueue(path: home.database, configuration: configuration)
    let connection = try home.connect()

    try writer.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try connection.send("GET", Self.paths[0], token: teacher)
    // Listing courses needs no audit record. When it is answered, the other request has arrived.
    #expect(try home.ask("GET", "/v1/courses", token: teacher).status == 200)
    #expect(try Self.auditCount(home) == 0)
    try writer.inDatabase { try $0.execute(sql: "COMMIT") }
    let waited = try connection.answer()

    #expect(waited.status == 200)
    #expect(try Self.auditCount(home) == 1)

    try writer.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let refused = try connection.ask("GET", Self.paths[0], token: teacher)
    try writer.inDatabase { try $0.execute(sql: "COMMIT") }

    #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
    #expect(try Self.auditCount(home) == 1)
  }
}
