import Foundation
import LearningModel
import LearningStore
import Logging
import Synchronization
import TestSupport
import Testing

@testable import NavigationKit
@testable import waymark_server

/// Requests whose token is revoked, or whose learner is erased, before they write.
@Suite(.timeLimit(.minutes(5))) struct AuthorityTests {
  private static let activity = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

  /// Routes that write, each with a body.
  private static let writes: [(line: String, body: String)] = [
    ("POST /v1/steps", step("open", "english-for-business")),
    ("POST /v1/acts", #"{"act": "seenToEnd", "place": "\#(activity)"}"#),
    ("PUT /v1/positions/\(activity)", #"{"fraction": 0.5}"#),
    ("POST /v1/review/add", #"{"place": "english-for-business"}"#),
    ("POST /v1/review/suspend", #"{"place": "english-for-business"}"#),
    ("POST /v1/review/set", #"{"newCards": 3}"#),
    ("POST /v1/sync", #"{"greet":{},"version":2}"#),
  ]

  @Test(arguments: writes, [false, true])
  func `a request whose token becomes invalid while its body arrives writes nothing`(
    write: (line: String, body: String), isErased: Bool
  ) throws {
    let home = try ServerFixture()
    let (token, admin) = (try home.token(), try home.token("root", "--scope", "admin"))
    try home.serve()
    if isErased { _ = try home.ask("POST", "/v1/steps", token: token, body: step("resume")) }
    let connection = try home.connect()

    // The server has checked the token when it asks for the body.
    try connection.send(
      "\(write.line) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
        + "Expect: 100-continue\r\nContent-Length: \(write.body.utf8.count)\r\n\r\n")
    #expect(try connection.answer(hasBody: false).status == 100)
    if isErased {
      #expect(try home.ask("DELETE", "/v1/learners/ada", token: admin).status == 200)
    } else {
      #expect(try home.tokens("revoke", "1").code == 0)
    }
    try connection.send(write.body)

    let answer = try connection.answer()
    #expect(answer.status == 401, "\(answer)")
    #expect(try home.ask("GET", "/v1/learners", token: admin).body == "[]\n")
  }

  @Test(arguments: [Engine.postgres] + (Tier.isLong ? [.shards] : []))
  func `a hub refuses a message whose token was revoked or whose learner was erased`(engine: Engine) throws {
    let hub = try ClockedHub(engine)
    let secret = try hub.admit("ada")
    let token = try #require(try hub.store.validToken(secret, at: hub.clock.now))
    let leaf = try hub.leaf("leaf.sqlite", "ada")
    try leaf.visit(Activities.first)
    try hub.sync(leaf, secret)
    try leaf.visit(Activities.second)

    #expect(try hub.store.revokeToken(token.id, at: hub.clock.now))

    let synchroniser = Synchroniser(leaf) { message in
      try hub.store.answer(message, about: token.learner, by: token, at: hub.clock.now)
    }
    #expect(throws: NavigationError.invalidToken) { try synchroniser.run() }
    let actor = AuditActor(token, request: "DELETE /v1/me")
    #expect(throws: NavigationError.invalidToken) {
      try hub.store.eraseLearner(token.learner, by: actor, at: hub.clock.now)
    }
    // Other tokens of the learner are still valid, and the refused message has stored nothing.
    let other = try hub.admit("ada")
    #expect(try hub.sync(leaf, other).sent.steps > 0)
    _ = try hub.store.eraseLearner(token.learner, by: .test, at: hub.clock.now)
    let record = LearnerRecord(uuid: token.learner, name: "ada", createdAt: hub.clock.now)
    #expect(throws: NavigationError.invalidToken) {
      try hub.store.answer(
        .push(SyncMessage.PushPayload(record: record)), about: token.learner, by: token, at: hub.clock.now)
    }
  }

  @Test func `a waiting write is refused if its token is revoked before its transaction`() async throws {
    let folder = try TemporaryFolder()
    let backend = try Backend(
      ServerSettings(database: folder.file("waymark.sqlite")),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let (navigation, gate) = (backend.navigation, DispatchSemaphore(value: 0))
    let token = try navigation.access.addToken(
      digest: String(repeating: "a", count: 64), for: "ada", .learner, expiresAt: nil)
    let commits = backend.commits
    let hasBegun = Atomic(false)
    let blocked = Task {
      try await commits.writeExclusively {
        hasBegun.store(true, ordering: .relaxed)
        gate.wait()
      }
    }
    while !hasBegun.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
    let waiting = (0..<2).map { number in
      Task { try await commits.write(by: token, isLong: number == 1) { Issue.record("The write was performed.") } }
    }
    while commits.waitingCount < 2 { try await Task.sleep(for: .milliseconds(1)) }

    #expect(try navigation.access.revokeToken(token.id))
    gate.signal()

    try await blocked.value
    for write in waiting { await #expect(throws: NavigationError.invalidToken) { try await write.value } }
    let actor = AuditActor(token, request: "DELETE /v1/me")
    let browser = try backend.navigation(for: "ada", session: .named("web"), zone: .gmt)
    _ = try await commits.write(by: nil) { try browser.perform(.resume) }
    #expect(throws: NavigationError.invalidToken) {
      try navigation.learners.erase("ada", sweeping: false, by: actor)
    }
    await backend.close()
  }
}
