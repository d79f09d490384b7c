import Foundation
import TestSupport
import Testing

/// Requests that change many cards or compute for seconds.
@Suite(.timeLimit(.minutes(5))) struct LongRequestTests {
  /// Starts a server with a course of 1,200 cards, which the learner has added.
  private func serving() throws -> (home: ServerFixture, token: String) {
    let home = try ServerFixture()
    let activities = (0..<40).map { activity in
      let cards = (0..<30).map { #"{"front": "front \#(activity) \#($0)", "back": "back \#($0)"}"# }
      return
        #"{"key": "a\#(activity)", "title": "Cards \#(activity)", "flashcards": [\#(cards.joined(separator: ","))]}"#
    }
    let course =
      #"{"waymark": 1, "course": {"key": "large", "title": "Large", "children": [{"key": "g", "title": "Goal", "children": "#
      + #"[{"key": "l", "title": "Lesson", "children": [\#(activities.joined(separator: ","))]}]}]}}"#
    try home.folder.write(Data(course.utf8), to: "large.json")
    #expect(try home.waymark("import", home.folder.file("large.json")).code == 0)
    let token = try home.token()
    try home.serve()
    #expect(try post(home, token, "add").body == "{\n  \"cards\": 1200\n}\n")
    return (home, token)
  }

  private func post(_ home: ServerFixture, _ token: String, _ name: String, key: String? = nil) throws
    -> HTTPConnection.Answer
  {
    try home.ask(
      "POST", "/v1/review/\(name)", token: token, headers: key.map { ["Idempotency-Key": $0] } ?? [:],
      body: #"{"place": "large"}"#)
  }

  /// The number of commits since the server was started.
  private func commits(_ home: ServerFixture) throws -> Int {
    let text = try home.ask("GET", "/metrics").body
    return try #require(text.firstMatch(of: /waymark_commit_requests_count (\d+)/).flatMap { Int($0.1) })
  }

  private func suspended(_ home: ServerFixture) throws -> Int {
    try home.waymark("review", "list", "large", "--format", "json").output.matches(of: /"suspended": true/).count
  }

  @Test func `many cards are suspended in several commits, and a repetition changes nothing`() throws {
    let (home, token) = try serving()
    let before = try commits(home)

    let first = try post(home, token, "suspend", key: "1")
    let commits = try commits(home) - before
    let resumed = try post(home, token, "resume")
    let repeated = try post(home, token, "suspend", key: "1")
    let reused = try home.ask(
      "POST", "/v1/review/suspend", token: token, headers: ["Idempotency-Key": "1"],
      body: #"{"place": "english-for-business"}"#)

    #expect(first.status == 200 && first.body == "{\n  \"cards\": 1200\n}\n", "\(first)")
    #expect(commits >= 12)
    #expect(resumed.body == first.body && repeated.body == first.body)
    #expect(reused.status == 422)
    #expect(try suspended(home) == 0)
  }

  @Test func `a request that is repeated after an interruption suspends the remaining cards`() throws {
    let (home, token) = try serving()
    let before = try commits(home)
    let connection = try home.connect()
    try connection.send(
      "POST", "/v1/review/suspend", token: token, headers: ["Idempotency-Key": "1"], body: #"{"place": "large"}"#)
    while try commits(home) == before { usleep(1_000) }
    try home.stop(SIGKILL)
    let interrupted = try suspended(home)
    try home.serve()

    let repeated = try post(home, token, "suspend", key: "1")

    #expect(interrupted.isMultiple(of: 100) && interrupted <= 1_200, "\(interrupted)")
    #expect(repeated.status == 200)
    #expect(try suspended(home) == 1_200)
    #expect(try post(home, token, "suspend", key: "1").body == repeated.body)
  }

  /// Imports answers of the learner to the cards of the bundled course.
  private func importAnswers(_ count: Int, to home: ServerFixture) throws {
    let deck = "english-for-business/writing/tone/softer-please"
    _ = try home.waymark("review", "add", deck)
    let cards = try home.waymark("review", "list", deck, "--format", "json").output
      .matches(of: /"card": "([0-9a-f]{16})"/).map { String($0.1) }
    #expect(try home.waymark("review", "answer", deck, cards[0], "good").code == 0)
    let exported = try home.waymark("learners", "export", "ada").output
    var file = try #require(try JSONSerialization.jsonObject(with: Data(exported.utf8)) as? [String: Any])
    let known = try #require(file["activities"] as? [[String: Any]])
    let pattern = try #require(known.first { $0["kind"] as? String == "cardGraded" })
    var session = try #require((file["sessions"] as? [[String: Any]])?.first)
    session["uuid"] = "00000000-0000-4000-8000-000000000000"
    session["endedAt"] = session["startedAt"]
    session["name"] = "answers"
    var random = SplitMix64(seed: 1)
    let answers = (0..<count).map { number -> [String: Any] in
      var answer = pattern
      let rating = random.below(10) < 8 ? 3 : 1
      answer["uuid"] = String(format: "00000000-0000-4000-8001-%012d", number)
      answer["session"] = session["uuid"]
      answer["sequence"] = number + 1
      answer["score"] = rating == 1 ? 0 : 1
      answer["detail"] =
        #"{"day":\#(20_000 + number / 5),"key":"\#(cards[number % cards.count])","ms":0,"phase":"review","#
        + #""rating":\#(rating),"days":2}"#
      return answer
    }
    file["sessions"] = [session] + (file["sessions"] as? [[String: Any]] ?? [])
    file["activities"] = answers + known
    try home.folder.write(JSONSerialization.data(withJSONObject: file), to: "ada.json")
    let answer = try home.waymark("learners", "import", home.folder.file("ada.json"))
    #expect(answer.code == 0, "\(answer)")
  }

  @Test func `a fit ends with its client and with the server`() throws {
    let home = try ServerFixture()
    try importAnswers(3_000, to: home)
    let token = try home.token()
    try home.serve()
    func fit() throws -> HTTPConnection {
      let connection = try home.connect()
      try connection.send("POST", "/v1/review/fit", token: token)
      return connection
    }
    func isRefused() throws -> Bool { try home.ask("POST", "/v1/review/fit", token: token).status == 429 }
    let first = try fit()
    // A fit takes seconds in a debug build.
    #expect(!first.isAnswered(within: 300))
    #expect(try isRefused())

    first.close()
    // The next fit is refused until the first one has ended. Only an accepted fit is not answered at once.
    var second = try fit()
    for _ in 0..<200 {
      guard second.isAnswered(within: 100) else { break }
      second = try fit()
    }
    #expect(try isRefused())
    let end = try home.stop()

    #expect(end.code == 0)
    #expect(try home.waymark("review", "fit", "--dry-run").output.contains("answers                       3001"))
  }
}
