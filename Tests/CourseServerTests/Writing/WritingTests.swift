import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// Tests that changes by learners are performed and stored.
struct WritingTests {
  @Test func `a repeated request is performed only once, even across a restart`() throws {
    let home = try ServerFixture()
    let (ada, ben) = (try home.token("ada"), try home.token("ben"))
    try home.serve()
    let open = step("open", "english-for-business")
    func send(_ token: String, _ key: String, _ body: String, _ path: String = "/v1/steps") throws
      -> HTTPConnection.Answer
    {
      try home.ask("POST", path, token: token, headers: ["Idempotency-Key": key], body: body)
    }

    let first = try send(ada, "k1", open)
    let second = try send(ada, "k1", open)
    // The order of members does not matter.
    let third = try send(ada, "k1", #"{"place": "english-for-business", "operation": "open"}"#)
    let others = try send(ben, "k1", open)
    let reused = try send(ada, "k1", step("popToRoot"))
    let elsewhere = try send(ada, "k1", open, "/v1/steps?device=phone")
    try home.stop()
    try home.serve()
    let later = try send(ada, "k1", open)

    #expect(first.status == 200)
    #expect(second.body == first.body && third.body == first.body && later.body == first.body)
    #expect(others.status == 200 && others.body != first.body)
    #expect(reused.status == 422 && reused.object["type"] as? String == "urn:waymark:problem:reused-key")
    #expect(elsewhere.status == 422)
    let rows = try home.waymark("history", "list", "--format", "jsonl").output.split(separator: "\n")
    #expect(rows.count == 2)
    for body in [open, #"{"operation": "back", "dryRun": true}"#] {
      #expect(
        try home.ask("POST", "/v1/steps", token: ada, headers: ["Idempotency-Key": "a b"], body: body).status == 400)
    }
  }

  @Test func `a request that was refused may be repeated with the same key`() throws {
    let (home, token) = try ServerFixture.serving()
    let body = step("push", "negotiating")

    let refused = try home.ask("POST", "/v1/steps", token: token, headers: ["Idempotency-Key": "k"], body: body)
    _ = try home.ask("POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
    let obeyed = try home.ask("POST", "/v1/steps", token: token, headers: ["Idempotency-Key": "k"], body: body)

    #expect(refused.status == 404)
    #expect(obeyed.status == 200)
  }

  @Test func `each device has its own session`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    _ = try connection.ask("POST", "/v1/steps?device=phone", token: token, body: step("open", "english-for-business"))
    _ = try connection.ask(
      "POST", "/v1/steps?device=desk&timeZone=Europe/Lisbon", token: token,
      body: step("open", "english-for-business/meetings"))

    let phone = try connection.ask("GET", "/v1/where?device=phone", token: token)
    let desk = try connection.ask("GET", "/v1/where?device=desk", token: token)

    #expect((phone.object["place"] as? [String: Any])?["path"] as? String == "english-for-business")
    #expect((desk.object["place"] as? [String: Any])?["path"] as? String == "english-for-business/meetings")
    #expect(phone.body == (try home.waymark("where", "--session", "phone@1", "--format", "json").output))
  }

  @Test func `bookmarks and reading positions are stored and removed`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    let place = "english-for-business/meetings/opening/why-are-we-here"

    #expect(try connection.ask("PUT", "/v1/bookmarks/\(place)", token: token).status == 204)
    #expect(try connection.ask("PUT", "/v1/bookmarks/\(place)", token: token).status == 204)
    let marked = try connection.ask("GET", "/v1/bookmarks", token: token).body
    #expect(marked == (try home.waymark("bookmarks", "--format", "json").output))
    #expect(marked.contains(place))
    #expect(try connection.ask("DELETE", "/v1/bookmarks/\(place)", token: token).status == 204)
    #expect(try connection.ask("GET", "/v1/bookmarks", token: token).body == "[]\n")

    let position = #"{"block": 3, "blockOffset": 0.25, "fraction": 0.5, "heading": "Why"}"#
    #expect(try connection.ask("PUT", "/v1/positions/\(place)", token: token, body: position).status == 204)
    let stored = try connection.ask("GET", "/v1/positions/\(place)", token: token).object
    #expect(
      stored["block"] as? Int == 3 && stored["fraction"] as? Double == 0.5 && stored["heading"] as? String == "Why")
    #expect(try connection.ask("DELETE", "/v1/positions/\(place)", token: token).status == 204)
    #expect(try connection.ask("GET", "/v1/positions/\(place)", token: token).status == 404)
  }

  @Test func `the server grades quizzes, and cards are counted`() throws {
    let home = try ServerFixture()
    let token = try home.token()
    let course = """
      {"waymark": 1, "course": {"key": "c", "title": "C", "children": [{"key": "g", "title": "G", "children": [
        {"key": "l", "title": "L", "children": [
          {"key": "q", "title": "Q", "quiz": [
            {"question": "One?", "choices": [{"right": "yes"}, {"wrong": "no"}]},
            {"question": "Two?", "choices": [{"right": "a"}, {"wrong": "b"}, {"right": "c"}]}]},
          {"key": "f", "title": "F", "flashcards": [{"front": "a", "back": "b"}]}]}]}]}}
      """
    try home.folder.write(Data(course.utf8), to: "c.json")
    #expect(try home.waymark("import", home.folder.file("c.json")).code == 0)
    try home.serve()
    let connection = try home.connect()

    func act(_ body: String) throws -> Int { try connection.ask("POST", "/v1/acts", token: token, body: body).status }
    #expect(try act(#"{"act": "quizChecked", "place": "c/g/l/q", "answers": [[0], [2]]}"#) == 200)
    #expect(try act(#"{"act": "quizChecked", "place": "c/g/l/q", "answers": [[0], [2, 0]]}"#) == 200)
    #expect(try act(#"{"act": "quizChecked", "place": "c/g/l/q", "answers": [[0]]}"#) == 422)
    #expect(try act(#"{"act": "quizChecked", "place": "c/g/l/q", "answers": [[0], [3]]}"#) == 422)
    #expect(try act(#"{"act": "cardGraded", "place": "c/g/l/f", "card": 0, "known": true}"#) == 200)
    #expect(try act(#"{"act": "cardGraded", "place": "c/g/l/f", "card": 1, "known": true}"#) == 422)

    let attempts = try home.waymark("attempts", "--format", "csv").output.split(separator: "\n").dropFirst()
    #expect(
      attempts.map { $0.split(separator: ",").dropFirst(4).prefix(2).joined(separator: " ") } == [
        "cardGraded 1", "quizChecked 1", "quizChecked 0.5",
      ])
  }

  @Test func `concurrent events of many learners are all recorded in order`() throws {
    let home = try ServerFixture()
    let (learners, steps) = (16, Tier.count(40, long: 400))
    let tokens = try (0..<learners).map { try home.token("learner-\($0)") }
    try home.serve()
    let port = home.port

    let answered = Answered()
    DispatchQueue.concurrentPerform(iterations: learners) { number in
      guard let connection = try? HTTPConnection(port: port) else { return }
      for index in 0..<steps {
        let body = step(
          "open", index.isMultiple(of: 2) ? "english-for-business/meetings" : "english-for-business/negotiating")
        guard let answer = try? connection.ask("POST", "/v1/steps", token: tokens[number], body: body) else { return }
        answered.note(answer.status)
      }
    }

    #expect(answered.statuses == [200: learners * steps])
    for number in 0..<learners {
      let rows = try home.waymark("history", "list", "--format", "jsonl", learner: "learner-\(number)").output
      #expect(rows.split(separator: "\n").count == steps + 1)
    }
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `requests that wait for another writer are committed together`() throws {
    let home = try ServerFixture()
    let tokens = try (0..<8).map { try home.token("learner-\($0)") }
    try home.serve()
    let port = home.port
    let writer = try DatabaseQueue(path: home.database)
    let queue = DispatchQueue(label: "learners", attributes: .concurrent)
    func committed(_ word: String) throws -> Int {
      let lines = try home.ask("GET", "/metrics").body.split(separator: "\n")
      let line = lines.first { $0.hasPrefix("waymark_commit_requests_\(word) ") }
      return Int(Double(try #require(line).split(separator: " ")[1]) ?? 0)
    }
    var (rounds, isTogether) = (0, false)
    // How many requests wait when the lock is released depends on the machine, so the test repeats until several do.
    while !isTogether, rounds < 100 {
      let (answered, line) = (Answered(), DispatchGroup())
      try writer.inDatabase { database in
        try database.execute(sql: "BEGIN IMMEDIATE")
        for token in tokens {
          queue.async(group: line) {
            let answer = try? HTTPConnection(port: port).ask(
              "POST", "/v1/steps", token: token, body: step("open", "english-for-business"))
            answered.note(answer?.status ?? 0)
          }
        }
        Thread.sleep(forTimeInterval: 0.1)
        try database.execute(sql: "ROLLBACK")
      }
      line.wait()
      #expect(answered.statuses == [200: tokens.count])
      rounds += 1
      isTogether = try committed("count") < committed("sum")
    }

    #expect(isTogether)
  }
}

/// Counts responses by status. May be used on any thread.
final class Answered: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var statuses: [Int: Int] = [:]

  func note(_ status: Int) { lock.withLock { statuses[status, default: 0] += 1 } }
}
