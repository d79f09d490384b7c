import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

@testable import waymark_server

/// Server-sent events while navigation events are recorded.
struct EventTests {
  /// Opens a stream and reads its `retry` line.
  private func listen(
    _ home: ServerFixture, _ token: String, headers: [String: String] = [:]
  ) throws -> EventReader {
    let connection = try home.connect()
    try connection.send("GET", "/v1/events", token: token, headers: headers)
    let head = try connection.head()
    #expect(head.status == 200 && head.headers["content-type"] == "text/event-stream")
    let reader = EventReader(connection)
    #expect(try reader.next() == "retry: 1000")
    return reader
  }

  @Test func `a stream sends the learner's own events from all programs as history rows`() throws {
    let home = try ServerFixture()
    let (ada, ben) = (try home.token("ada"), try home.token("ben"))
    try home.serve()
    let events = try listen(home, ada)

    _ = try home.ask("POST", "/v1/steps", token: ben, body: step("open", "english-for-business"))
    _ = try home.ask("POST", "/v1/steps", token: ada, body: step("open", "english-for-business"))
    let adasEvents = [try events.next(), try events.next()]
    #expect(try home.waymark("nav", "push", "negotiating").code == 0)
    // The session of the shell starts with an event of its own.
    let others = [try events.next(), try events.next()]

    let rows = try home.waymark("history", "list", "--format", "jsonl").output.split(separator: "\n").reversed()
    let received = try (adasEvents + others).map { try #require($0) }
    #expect(received.map { $0.components(separatedBy: "\n")[1] } == Array(repeating: "event: step", count: 4))
    // A visit that was in progress when its event was sent has ended by now.
    #expect(
      received.map { Self.identity($0.components(separatedBy: "\n")[2].dropFirst(6)) } == rows.map { Self.identity($0) }
    )
  }

  private static func identity(_ row: some StringProtocol) -> [String: AnyHashable] {
    var object = ((try? JSONSerialization.jsonObject(with: Data(row.utf8))) as? [String: AnyHashable]) ?? [:]
    for name in ["leftAt", "dwellMs", "activeMs"] { object[name] = nil }
    return object
  }

  @Test func `an event and a history row name the place whose card was animated`() throws {
    let (home, token) = try ServerFixture.serving()
    let events = try listen(home, token)
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("push", "negotiating"))

    let received = try (0..<3).map { _ in try #require(try events.next()).components(separatedBy: "\n")[2].dropFirst(6)
    }
    let rows = try home.ask("GET", "/v1/history", token: token).body

    let transition =
      #""transition":{"kind":"goalCard","direction":"down","reason":"matched","#
      + #""node":"english-for-business/negotiating"}"#
    #expect(received[2].contains(transition))
    #expect(rows.filter { !$0.isWhitespace }.contains(transition))
  }

  @Test(arguments: ["revoked", "expired", "given another scope"])
  func `a stream ends when its token is revoked, expires or changes scope`(change: String) throws {
    let home = try ServerFixture()
    let (token, other) = (try home.token(), try home.token())
    try home.serve()
    let (events, others) = (try listen(home, token), try listen(home, other))

    let set =
      [
        "revoked": "revokedAt = createdAt", "expired": "expiresAt = createdAt + 1",
        "given another scope": "scope = 'admin'",
      ]
    try DatabaseQueue(path: home.database).write {
      try $0.execute(sql: "UPDATE accessToken SET \(set[change]!) WHERE id = 1")
    }
    #expect(try home.waymark("nav", "open", "english-for-business").code == 0)

    // The navigation event was recorded after the change.
    #expect(try events.next() == nil)
    #expect(try others.next()?.hasPrefix("id: 1\n") == true)
    // The server may count the ended stream after the client has read the end.
    var metrics = ""
    for _ in 0..<100 where !metrics.contains("waymark_event_streams 1\n") {
      metrics = try home.ask("GET", "/metrics").body
    }
    #expect(metrics.contains("waymark_event_streams 1\n"))
  }

  @Test func `a stream ends without a new event when its token is revoked`() throws {
    let (home, token) = try ServerFixture.serving()
    let events = try listen(home, token)

    #expect(try home.tokens("revoke", "1").code == 0)

    #expect(try events.next() == nil)
    #expect(try home.ask("GET", "/v1/events", token: token).status == 401)
  }

  @Test func `old streams do not show a new learner who has the name of an erased learner`() throws {
    let home = try ServerFixture()
    let (first, admin) = (try home.token(), try home.token("root", "--scope", "admin"))
    try home.serve()
    _ = try home.ask("POST", "/v1/steps", token: first, body: step("resume"))
    let events = try listen(home, first)

    #expect(try home.ask("DELETE", "/v1/learners/ada", token: admin).status == 200)
    let second = try home.token()
    let others = try listen(home, second)
    _ = try home.ask("POST", "/v1/steps", token: second, body: step("open", "english-for-business"))

    // The stream may begin with the first learner's own event, if the server had not delivered it before.
    var received: [String] = []
    while let event = try events.next() { received.append(event) }
    #expect(!received.contains { $0.contains("english-for-business") })
    #expect(try others.next()?.contains(#""learner":"ada""#) == true)
  }

  @Test func `many missed events are sent in several pages, in order and only once`() throws {
    let (home, token) = try ServerFixture.serving()
    let lines = (0..<450).map { step("open", $0.isMultiple(of: 2) ? "english-for-business" : "/") + "\n" }.joined()
    #expect(try home.waymark(["nav", "run"], input: lines).code == 0)

    let events = try listen(home, token, headers: ["Last-Event-ID": "10"])
    let ids = try (11...451).map { _ in try events.next()?.components(separatedBy: "\n").first }
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("resume"))

    #expect(ids == (11...451).map { "id: \($0)" })
    #expect(try events.next()?.hasPrefix("id: 452\n") == true)
  }

  @Test func `a reconnected client receives the missed events in order and only once`() throws {
    let (home, token) = try ServerFixture.serving()
    let places = ["english-for-business", "english-for-business/meetings", "english-for-business/negotiating"]
    for place in places { _ = try home.ask("POST", "/v1/steps", token: token, body: step("open", place)) }

    let events = try listen(home, token, headers: ["Last-Event-ID": "2"])
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("popToRoot"))
    let ids = try (0..<3).map { _ in try events.next()?.components(separatedBy: "\n").first }

    #expect(ids == ["id: 3", "id: 4", "id: 5"])
  }

  @Test func `a stream ends at shutdown and can be continued with the next server process`() throws {
    let (home, token) = try ServerFixture.serving()
    let events = try listen(home, token)
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
    let last = try #require(try [events.next(), events.next()].last ?? nil).components(separatedBy: "\n")[0]

    #expect(try home.stop().code == 0)
    #expect(try events.next() == nil)
    #expect(try home.waymark("nav", "push", "negotiating").code == 0)
    try home.serve()
    let again = try listen(home, token, headers: ["Last-Event-ID": String(last.dropFirst("id: ".count))])

    #expect(try again.next()?.hasPrefix("id: 3\n") == true)
    #expect(try again.next()?.hasPrefix("id: 4\n") == true)
  }

  @Test func `many open streams receive only their own learner's events`() throws {
    let home = try ServerFixture()
    let tokens = try (0..<8).map { try home.token("learner-\($0)") }
    try home.serve()
    let streams = try (0..<Tier.count(400, long: 2_000)).map { try listen(home, tokens[$0 % 8]) }

    _ = try home.ask("POST", "/v1/steps", token: tokens[3], body: step("resume"))

    for (number, stream) in streams.enumerated() where number % 8 == 3 {
      #expect(try stream.next()?.hasPrefix("id: 1\n") == true)
    }
    let metrics = try home.ask("GET", "/metrics").body
    #expect(metrics.contains("waymark_event_streams \(streams.count)\n"))
  }

  @Test func `a HEAD request leaves no open stream`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()

    for _ in 0..<300 { #expect(try connection.ask("HEAD", "/v1/events", token: token).status == 200) }

    #expect(try home.ask("GET", "/metrics").body.contains("waymark_event_streams 0\n"))
    _ = try listen(home, token)
  }

  @Test(
    arguments: [false, true],
    [
      "", String(repeating: "GET /live HTTP/1.1\r\nHost: x\r\n\r\n", count: 400), "GARBAGE\r\n\r\n",
      "POST /v1/steps HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
        + String(repeating: " ", count: 500_000),
    ])
  func `a stream is closed when its client closes the connection or its sending side, whatever it sent before`(
    isHalf: Bool, further: String
  ) async throws {
    // No events are sent in this server, so that it cannot detect the closed connection by sending.
    let server = try await LocalServer(database: try ServerFixture().database)
    let connection = try HTTPConnection(port: server.port)
    try connection.send(
      "GET", "/v1/events", token: server.token("ada").secret,
      body: "{}" + String(repeating: " ", count: 32_000) + further, length: 32_002)
    try await LocalServer.until { connection.isAnswered(within: 0) }
    #expect(try connection.head().status == 200)
    #expect(try connection.chunk() == "retry: 1000\n\n")
    #expect(server.backend.metrics.text.contains("waymark_event_streams 1\n"))

    if isHalf { connection.closeOutput() } else { connection.close() }

    try await LocalServer.until { server.backend.metrics.text.contains("waymark_event_streams 0\n") }
    connection.close()
    await server.stop()
  }

  @Test func `a token can open at most 256 streams`() throws {
    let (home, token) = try ServerFixture.serving()
    let streams = try (0..<256).map { _ in try listen(home, token) }

    #expect(try home.ask("GET", "/v1/events", token: token).status == 429)
    #expect(streams.count == 256)
  }

  @Test func `each stream that is opened at once begins or is refused, and the server ends`() throws {
    let (home, token) = try ServerFixture.serving()
    let connections = try (0..<300).map { _ in try home.connect() }

    for connection in connections { try connection.send("GET", "/v1/events", token: token) }
    let answers = try connections.map { connection in
      let head = try connection.head()
      return head.status == 200 ? try connection.chunk() ?? "ended" : "\(head.status)"
    }

    #expect(answers.count { $0 == "retry: 1000\n\n" } == 256)
    #expect(answers.count { $0 == "429" } == 44)
    #expect(try home.stop().code == 0)
  }
}

/// Reads the events of a stream one by one.
final class EventReader {
  private let connection: HTTPConnection
  private var text = ""

  init(_ connection: HTTPConnection) { self.connection = connection }

  /// Returns the next event, or `nil` if the stream has ended.
  func next() throws -> String? {
    while true {
      if let end = text.firstRange(of: "\n\n") {
        let event = String(text[..<end.lowerBound])
        text.removeSubrange(..<end.upperBound)
        // A comment that keeps the connection alive.
        if event == ":" { continue }
        return event
      }
      guard let chunk = try connection.chunk() else { return nil }
      text += chunk
    }
  }
}
