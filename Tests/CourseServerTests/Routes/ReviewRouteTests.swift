import Foundation
import LearningModel
@testable import LearningStore
@testable import NavigationKit
import Testing

struct ReviewRouteTests {
  private let deck = "english-for-business/writing/tone/softer-please"

  @Test func `cards are added, suspended and resumed with the answers of the commands`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    try home.serve()
    func same(_ name: String, card: String? = nil) throws -> String {
      let member = card.map { ", \"card\": \"\($0)\"" } ?? ""
      let answer = try home.ask(
        "POST", "/v1/review/\(name)", token: token, body: "{\"place\": \"\(deck)\"\(member)}")
      let printed = try home.waymark(
        ["review", name, deck, "--learner", "ben", "--format", "json"] + (card.map { ["--card", $0] } ?? []))
      #expect(answer.status == 200 && printed.code == 0 && answer.body == printed.output, "\(name): \(answer)")
      return answer.body
    }

    #expect(try same("add") == "{\n  \"cards\": 10\n}\n")
    let next = try home.ask("GET", "/v1/review/next", token: token).body
    let card = String(try #require(next.firstMatch(of: /"card": "([0-9a-f]{16})"/)?.1))
    #expect(try same("suspend", card: card) == "{\n  \"cards\": 1\n}\n")
    #expect(try same("suspend", card: card) == "{\n  \"cards\": 0\n}\n")
    #expect(try same("suspend") == "{\n  \"cards\": 9\n}\n")
    #expect(try same("resume") == "{\n  \"cards\": 10\n}\n")
    let unknown = try home.ask(
      "POST", "/v1/review/suspend", token: token, body: "{\"place\": \"\(deck)\", \"card\": \"zzz\"}")
    #expect(unknown.status == 404)
  }

  @Test func `own cards are changed, scheduled and deleted with the answers of the commands`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    var keys: [String: String] = [:]
    for learner in ["ada", "ben"] {
      let service = try NavigationService(databaseAt: home.database, learner: learner, session: .named("shell"))
      keys[learner] = try service.cards.make(front: "own", back: "answer", in: .text(deck)).key
      try service.endSession()
    }
    try home.serve()
    func same(_ name: String, _ members: String, _ options: [String]) throws -> String {
      let (ada, ben) = (try #require(keys["ada"]), try #require(keys["ben"]))
      let answer = try home.ask(
        "POST", "/v1/review/\(name)", token: token,
        body: "{\"place\": \"\(deck)\", \"card\": \"\(ada)\"\(members)}")
      let printed = try home.waymark(
        ["review", name, deck, ben, "--learner", "ben", "--format", "json"] + options)
      #expect(answer.status == 200 && printed.code == 0 && answer.body == printed.output, "\(name): \(answer)")
      return answer.body
    }

    #expect(try same("edit", ", \"question\": \"mine\"", ["--question", "mine"]) == "{\n  \"cards\": 1\n}\n")
    #expect(try same("schedule", ", \"days\": 2", ["--days", "2"]) == "{\n  \"cards\": 1\n}\n")
    let list = try home.ask("GET", "/v1/review/list?place=\(deck)", token: token).body
    #expect(list.contains("\"question\": \"mine\"") && list.contains("\"phase\": \"review\""))
    #expect(try same("schedule", "", ["--new"]) == "{\n  \"cards\": 1\n}\n")
    #expect(try same("delete", "", []) == "{\n  \"cards\": 1\n}\n")
    let card = try #require(list.firstMatch(of: /"card": "([0-9a-f]{16})"/)?.1)
    let refused = try home.ask(
      "POST", "/v1/review/delete", token: token, body: "{\"place\": \"\(deck)\", \"card\": \"\(card)\"}")
    #expect(refused.status == 409 && refused.body.contains("part of the course"), "\(refused)")
  }

  @Test func `settings are changed and returned with the answers of the command, also with an error`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    try home.serve()
    func same(_ body: String, _ options: [String]) throws -> String {
      let answer = try home.ask("POST", "/v1/review/set", token: token, body: body)
      let printed = try home.waymark(["review", "set"] + options + ["--learner", "ben", "--format", "json"])
      #expect(answer.status == 200 && printed.code == 0 && answer.body == printed.output, "\(body): \(answer)")
      return answer.body
    }

    let all = try same(
      #"{"newCards": 10, "reviews": 100, "hasFourAnswers": true, "newIgnoreLimit": true, "waitingSiblings": "all", "suspendsLeeches": true}"#,
      [
        "--leeches", "suspend", "--new", "10", "--reviews", "100", "--answers", "4", "--new-ignore-limit", "yes",
        "--siblings", "all",
      ])
    let course = try same(
      #"{"place": "english-for-business", "retention": 0.95}"#, ["english-for-business", "--retention", "0.95"])
    let unchanged = try same("{}", [])
    var weights = MemoryModel.defaultWeights
    weights[0] = 0.5
    let preset = try same(
      """
      {"place": "english-for-business", "newCards": 3, "reviews": 30, "learningSteps": [300, 86400],
        "relearningSteps": [], "maximumInterval": 90, "leechLapses": 0, "weights": \(weights)}
      """,
      [
        "english-for-business", "--new", "3", "--reviews", "30", "--learning-steps", "5m 1d", "--relearning-steps",
        "none", "--maximum-interval", "90", "--leech", "0", "--weights",
        weights.map { "\($0)" }.joined(separator: " "),
      ])
    let night = try same(#"{"dayStart": 0}"#, ["--day-start", "0"])
    let reset = try same(#"{"place": "english-for-business", "reset": true}"#, ["english-for-business", "--reset"])
    for (body, cause) in [
      (#"{"learningSteps": [0.5]}"#, "'learningSteps' is not a list of whole seconds"),
      (#"{"learningSteps": [0]}"#, "one second to 365 days"), (#"{"weights": [1]}"#, "the 21 weights of FSRS-6"),
      (#"{"weights": "default"}"#, "'weights' is not a list of numbers"), (#"{"dayStart": 24}"#, "0 to 23"),
      (#"{"maximumInterval": 0}"#, "1 to 36500"),
      (#"{"reset": true, "reviews": 1}"#, "'reset' cannot be combined with other settings"),
    ] {
      let refused = try home.ask("POST", "/v1/review/set", token: token, body: body)
      #expect(refused.status == 400 && refused.body.contains(cause), "\(body): \(refused)")
    }
    let wrong = try home.ask("POST", "/v1/review/set", token: token, body: #"{"retention": 0.5}"#)
    let siblings = try home.ask("POST", "/v1/review/set", token: token, body: #"{"waitingSiblings": "some"}"#)
    let lesson = try home.ask("POST", "/v1/review/set", token: token, body: "{\"place\": \"\(deck)\", \"reviews\": 1}")

    #expect(
      all == """
        {
          "retention": 0.9,
          "newCards": 10,
          "reviews": 100,
          "hasFourAnswers": true,
          "newIgnoreLimit": true,
          "waitingSiblings": "all",
          "learningSteps": [
            60,
            600
          ],
          "relearningSteps": [
            600
          ],
          "maximumInterval": 36500,
          "leechLapses": 8,
          "suspendsLeeches": true,
          "dayStart": 4,
          "weights": [
        \(MemoryModel.defaultWeights.map { "    \($0)" }.joined(separator: ",\n"))
          ]
        }

        """)
    #expect(course == all.replacing("0.9,", with: "0.95,"))
    #expect(unchanged == all)
    #expect(
      preset
        == course.replacing("\"newCards\": 10", with: "\"newCards\": 3")
        .replacing("\"reviews\": 100", with: "\"reviews\": 30").replacing(
          "    60,\n    600\n", with: "    300,\n    86400\n"
        )
        .replacing("\"relearningSteps\": [\n    600\n  ]", with: "\"relearningSteps\": []")
        .replacing("36500", with: "90").replacing("\"leechLapses\": 8", with: "\"leechLapses\": 0")
        .replacing("    \(MemoryModel.defaultWeights[0]),", with: "    0.5,"))
    #expect(night == all.replacing("\"dayStart\": 4", with: "\"dayStart\": 0") && reset == night)
    #expect(wrong.status == 400 && wrong.body.contains("0.7 to 0.99"), "\(wrong)")
    #expect(siblings.status == 400 && siblings.body.contains("Use none, new or all."), "\(siblings)")
    #expect(lesson.status == 409, "\(lesson)")
  }

  /// Answers forty cards eleven times. The days between two rounds grow, or all rounds are on one day.
  private func answer(as learner: String, onOneDay isOneDay: Bool = false, in home: ServerFixture) throws {
    let clock = TestClock("2026-06-01T10:00:00Z")
    let service = try NavigationService(
      databaseAt: home.database, learner: learner, session: .named("shell"), timeZone: .gmt, now: { clock.now })
    let cards = try service.cards.all(in: "english-for-business", limit: 40).map(\.id)
    try service.database.store.groupCommit {
      for round in 0..<11 {
        for card in cards { try service.reviews.answer(card, .good) }
        clock.pass(days: isOneDay ? 0 : Double(2 + 2 * round))
      }
    }
    try service.endSession()
  }

  @Test func `weights are fitted to enough answers, with the answer of the command`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    for learner in ["ada", "ben"] { try answer(as: learner, in: home) }
    try home.serve()

    let answer = try home.ask("POST", "/v1/review/fit", token: token)
    let printed = try home.waymark(["review", "fit", "--learner", "ben", "--format", "json"])

    #expect(answer.status == 200 && printed.code == 0 && answer.body == printed.output, "\(answer) \(printed)")
    #expect(answer.body.hasPrefix("{\n  \"applied\": true,\n  \"answers\": 440,\n"), "\(answer)")
  }

  @Test func `the weights of a course are fitted with the answer of the command, and a lesson is refused`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    for learner in ["ada", "ben"] { try answer(as: learner, in: home) }
    try home.serve()

    let answer = try home.ask("POST", "/v1/review/fit?place=english-for-business", token: token)
    let printed = try home.waymark([
      "review", "fit", "english-for-business", "--learner", "ben", "--format", "json",
    ])
    let others = try home.ask("POST", "/v1/review/fit?dryRun=true", token: token)
    let lesson = try home.ask("POST", "/v1/review/fit?place=\(deck)", token: token)

    #expect(answer.status == 200 && printed.code == 0 && answer.body == printed.output, "\(answer) \(printed)")
    #expect(answer.body.hasPrefix("{\n  \"applied\": true,\n  \"answers\": 440,\n"), "\(answer)")
    #expect(others.status == 409 && others.body.contains("are left out: english-for-business."), "\(others)")
    #expect(lesson.status == 409 && lesson.body.contains("english-for-business"), "\(lesson)")
  }

  @Test func `a fit with answers of one day is refused with the cause`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    try answer(as: "ada", onOneDay: true, in: home)
    try home.serve()

    let answer = try home.ask("POST", "/v1/review/fit", token: token)

    #expect(answer.status == 409)
    #expect(answer.body.contains("no card was answered again on a later day. Answer more cards"), "\(answer)")
  }

  @Test func `a fit with too few answers is refused with their number`() throws {
    let home = try ServerFixture()
    let token = try home.token("ada")
    try home.serve()

    let answer = try home.ask("POST", "/v1/review/fit?dryRun=true", token: token)

    #expect(answer.status == 409)
    #expect(answer.body.contains("the log has 0 answers that can be used, and 400 are needed."), "\(answer)")
  }
}
