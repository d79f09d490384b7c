import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Steps as they are told while they are made.
struct EventTests {
  /// Opens a stream, and reads what every one begins with.
  private func listen(
    _ home: ServedHome, _ token: String, headers: [String: String] = [:]
  ) throws -> EventReader {
    let connection = try home.connect()
    try connection.send("GET", "/v1/events", token: token, headers: headers)
    let head = try connection.head()
    #expect(head.status == 200 && head.headers["content-type"] == "text/event-stream")
    let reader = EventReader(connection)
    #expect(try reader.next() == "retry: 1000")
    return reader
  }

  @Test func `a learner is told their own steps, by whichever program, as the history has them`() throws {
    let home = try ServedHome()
    let (ada, ben) = (try home.token("ada"), try home.token("ben"))
    try home.serve()
    let events = try listen(home, ada)

    _ = try home.ask("POST", "/v1/steps", token: ben, body: step("open", "english-for-business"))
    _ = try home.ask("POST", "/v1/steps", token: ada, body: step("open", "english-for-business"))
    let own = [try events.next(), try events.next()]
    let begin = ContinuousClock.now
    #expect(try home.waymark("nav", "push", "negotiating").code == 0)
    // The session of the shell begins with a step of its own.
    let others = [try events.next(), try events.next()]
    let late = begin.duration(to: .now)

    let rows = try home.waymark("history", "list", "--format", "jsonl").output.split(separator: "\n").reversed()
    let told = try (own + others).map { try #require($0) }
    #expect(told.map { $0.components(separatedBy: "\n")[1] } == Array(repeating: "event: step", count: 4))
    // A visit that was open when it was told has ended since.
    #expect(
      told.map { Self.identity($0.components(separatedBy: "\n")[2].dropFirst(6)) } == rows.map { Self.identity($0) })
    #expect(late < .seconds(5))
  }

  private static func identity(_ row: some StringProtocol) -> [String: AnyHashable] {
    var object = ((try? JSONSerialization.jsonObject(with: Data(row.utf8))) as? [String: AnyHashable]) ?? [:]
    for name in ["leftAt", "dwellMs", "activeMs"] { object[name] = nil }
    return object
  }

  @Test func `a client that comes back is told what it missed, once and in order`() throws {
    let home = try ServedHome()
    let token = try home.token()
    try home.serve()
    let places = ["english-for-business", "english-for-business/meetings", "english-for-business/negotiating"]
    for place in places { _ = try home.ask("POST", "/v1/steps", token: token, body: step("open", place)) }

    let events = try listen(home, token, headers: ["Last-Event-ID": "2"])
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("popToRoot"))
    let ids = try (0..<3).map { _ in try events.next()?.components(separatedBy: "\n").first }

    #expect(ids == ["id: 3", "id: 4", "id: 5"])
  }

  @Test func `a stream ends when the server stops, and goes on with the next one`() throws {
    let home = try ServedHome()
    let token = try home.token()
    try home.serve()
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

  @Test func `many streams are held open, and each hears its own`() throws {
    let home = try ServedHome()
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

  @Test func `who only asks for the head, or leaves at once, leaves nothing behind`() throws {
    let home = try ServedHome()
    let token = try home.token()
    try home.serve()
    let connection = try home.connect()

    for _ in 0..<300 { #expect(try connection.ask("HEAD", "/v1/events", token: token).status == 200) }

    #expect(try home.ask("GET", "/metrics").body.contains("waymark_event_streams 0\n"))
    _ = try listen(home, token)
  }

  @Test func `one token may not hold all of them`() throws {
    let home = try ServedHome()
    let token = try home.token()
    try home.serve()
    let streams = try (0..<256).map { _ in try listen(home, token) }

    #expect(try home.ask("GET", "/v1/events", token: token).status == 429)
    #expect(streams.count == 256)
  }
}

/// The events of a stream, one after the other.
final class EventReader {
  private let connection: HTTPConnection
  private var text = ""

  init(_ connection: HTTPConnection) { self.connection = connection }

  /// The next one; `nil` where the stream has ended.
  func next() throws -> String? {
    while true {
      if let end = text.firstRange(of: "\n\n") {
        let event = String(text[..<end.lowerBound])
        text.removeSubrange(..<end.upperBound)
        // A sign of life.
        if event == ":" { continue }
        return event
      }
      guard let piece = try connection.chunk() else { return nil }
      text += piece
    }
  }
}
