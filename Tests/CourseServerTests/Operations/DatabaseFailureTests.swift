@testable import waymark_server
import Foundation
import GRDB
import LearningModel
import LearningStore
import Logging
import NavigationKit
import Synchronization
import TerminalHarness
import TestSupport
import Testing

/// Responses and log entries while the database is unreachable, not migrated or full.
struct DatabaseFailureTests {
  private static let greeting = #"{"greet":{},"version":2}"#

  /// The entries of a log at the levels `error` and `notice`.
  private func messages(_ log: String) -> [String] {
    log.split(separator: "\n").filter { $0.contains(" error ") || $0.contains(" notice ") }.map(String.init)
  }

  /// Repeats a request until it is answered with a status.
  private func wait(for status: Int, _ ask: () throws -> Int) throws {
    for _ in 0..<3_000 {
      if try ask() == status { return }
      usleep(20_000)
    }
    Issue.record("No answer had the status \(status).")
  }

  @Test func `a hub logs the loss and the return of its database only once`() throws {
    let hub = try Hub(.postgres)
    let server = try PostgresServer.shared.get()
    let name = hub.store[1].prefix { $0 != "?" }.split(separator: "/").last ?? ""
    func greet() throws -> HTTPConnection.Answer {
      try hub.home.ask("POST", "/v1/sync", token: hub.token, body: Self.greeting)
    }
    #expect(try greet().status == 200)

    _ = try server.query("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", in: hub.home)
    _ = try server.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'", in: hub.home)
    let away = try (0..<5).map { _ in try greet() }
    let ready = try hub.home.ask("GET", "/ready").status
    _ = try server.query("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", in: hub.home)
    try wait(for: 200) { try hub.home.ask("GET", "/ready").status }
    let back = try greet().status
    let lines = messages(try hub.home.stop().errors)

    #expect(away.allSatisfy { $0.status == 503 && $0.headers["retry-after"] == "5" }, "\(away)")
    #expect(away.allSatisfy { $0.object["type"] as? String == "urn:waymark:problem:hub-away" })
    #expect(ready == 503 && back == 200)
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("Could not reach PostgreSQL at '") == true, "\(lines)")
    #expect(lines.last?.contains("The database is available again.") == true, "\(lines)")
  }

  @Test func `a hub with a full disk answers 503 and logs this only once`() throws {
    let hub = try Hub(.postgres)
    let server = try PostgresServer.shared.get()
    let leaf = try LeafDatabase(hub.home)
    try leaf.walk(1)
    _ = try server.query(
      """
      ALTER FUNCTION waymark.push RENAME TO whole_push;
      CREATE FUNCTION waymark.push(text, uuid, jsonb, bigint[], bigint, text, timestamptz) RETURNS jsonb
      LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      ALTER FUNCTION waymark.check_writing RENAME TO whole_check_writing;
      CREATE FUNCTION waymark.check_writing() RETURNS void
      LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
      """, of: hub.store[1], in: hub.home)

    let full = try (0..<3).map { _ in try hub.sync(leaf) }
    let helloStatus = try hub.home.ask("POST", "/v1/sync", token: hub.token, body: Self.greeting).status
    _ = try server.query(
      """
      DROP FUNCTION waymark.push;
      ALTER FUNCTION waymark.whole_push RENAME TO push;
      DROP FUNCTION waymark.check_writing;
      ALTER FUNCTION waymark.whole_check_writing RENAME TO check_writing
      """, of: hub.store[1], in: hub.home)
    let back = try hub.sync(leaf)
    try wait(for: 200) { try hub.home.ask("GET", "/ready").status }
    let lines = messages(try hub.home.stop().errors)

    #expect(full.allSatisfy { $0.code == 69 } && helloStatus == 200 && back.code == 0, "\(full) \(back)")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("No space left on device. Free some disk space there.") == true, "\(lines)")
    #expect(lines.last?.contains("The database is available again.") == true, "\(lines)")
  }

  @Test func `a hub announces its address when its tables exist`() throws {
    let home = try ServerFixture()
    let server = try PostgresServer.shared.get()
    let address = try server.database(in: home, migrated: false)
    let port = try Self.freePort()
    let program = try PipedProgram(
      ServerFixture.path("waymark-server"), ["serve", "--hub", address, "--port", "\(port)"],
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    func ask(_ path: String) -> Int {
      (try? HTTPConnection(port: port).ask("GET", path).status) ?? 0
    }

    try wait(for: 200) { ask("/live") }
    let early = ask("/ready")
    let before = String(decoding: program.output, as: UTF8.self)
    #expect(try home.run(ServerFixture.path("waymark-server"), ["migrate", address]).code == 0)
    let line = try program.readLine()
    let late = ask("/ready")
    program.signal(SIGTERM)

    #expect(try program.waitForExit() == .exited(0))
    #expect(early == 503 && before == "" && late == 200)
    #expect(line == "Listening at http://127.0.0.1:\(port)")
    let lines = messages(String(decoding: program.errors, as: UTF8.self))
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.contains("Run 'waymark-server migrate' with the same URL.") == true, "\(lines)")
    #expect(lines.last?.contains("The database is available again.") == true, "\(lines)")
  }

  @Test func `SIGTERM ends a hub that waits for its tables`() throws {
    let home = try ServerFixture()
    let port = try Self.freePort()
    let program = try PipedProgram(
      ServerFixture.path("waymark-server"),
      ["serve", "--hub", "postgres://waymark@/none?host=\(home.folder.path)", "--port", "\(port)"],
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    try wait(for: 200) { (try? HTTPConnection(port: port).ask("GET", "/live").status) ?? 0 }

    program.signal(SIGTERM)

    #expect(try program.waitForExit() == .exited(0))
    #expect(program.output == [])
  }

  @Test func `each failure is logged once, and only a check ends a disk failure`() {
    let log = Log()
    let health = DatabaseHealth(Logger(label: "test") { _ in log })
    let away = HubError.unreachable(host: "h", reason: "no answer")
    let full = NavigationError.database(.diskFull(path: "/a/b"))

    let failures = [away, away, HubError.notMigrated(host: "h"), away].map { health.report($0) }
    health.reportSuccess()
    health.reportSuccess()
    let storage = [full, full].map { health.report($0) }
    health.reportSuccess()
    #expect(health.failure == .storage)
    health.reportSuccess(of: .storage)
    let others: [any Error] = [
      NavigationError.busy, HubError.failed(host: "h", state: "42000", reason: "x"), Problem.forbidden,
      NavigationError.invalidToken,
    ]
    let damaged = [health.report(NavigationError.database(.damaged(path: "/a/b", detail: "x")))]
    health.reportSuccess()
    #expect(health.failure == .damaged)
    health.reportSuccess(of: .damaged)

    #expect((failures + storage + damaged).allSatisfy { $0 } && !others.contains { health.report($0) })
    let kinds = [
      "Could not reach", "Could not use", "Could not reach", "The database is available", "Could not write",
      "The database is available", "Could not use", "The database is available",
    ]
    #expect(log.lines.count == kinds.count && zip(log.lines, kinds).allSatisfy { $0.hasPrefix($1) }, "\(log.lines)")
    #expect(health.failure == nil)
  }

  @Test func `a hub answers an unknown address with the list of its routes`() throws {
    let hub = try Hub(.postgres)

    let answer = try hub.home.ask("GET", "/v1/courses", token: hub.token)

    #expect(answer.status == 404)
    #expect(
      answer.object["detail"] as? String
        == "Could not answer: there is no such route. This hub has POST /v1/sync, DELETE /v1/me, "
        + "GET /live, GET /ready, GET /metrics.")
  }

  /// Returns a port that was free a moment ago.
  private static func freePort() throws -> Int {
    let home = try ServerFixture()
    try home.serve()
    return home.port
  }

  /// Collects log messages.
  private final class Log: LogHandler, Sendable {
    private let messages = Mutex<[String]>([])
    var lines: [String] { messages.withLock { $0 } }
    var logLevel: Logger.Level {
      get { .trace }
      set {}
    }
    var metadata: Logger.Metadata {
      get { [:] }
      set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { nil }
      set {}
    }

    func log(event: LogEvent) { messages.withLock { $0.append("\(event.message)") } }
  }
}
