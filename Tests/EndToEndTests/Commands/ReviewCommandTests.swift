import Foundation
import Testing

/// `waymark review`.
struct ReviewCommandTests {
  private let deck = "english-for-business/writing/tone/softer-please"

  @Test func `a review with commands asks, answers, takes back and counts`() throws {
    let home = try HomeFixture.withBundledCourse()

    #expect(try home.waymark("review", "add", deck).output == "Added 10 cards.\n")
    let next = try home.waymark("review", "next").output
    #expect(next.hasPrefix("You're wrong.\n"))
    let key = try #require(next.firstMatch(of: /softer-please ([0-9a-f]{16}) RATING/)?.1)
    #expect(
      try home.waymark("review", "answer", deck, String(key.prefix(6)), "good", "--seconds", "4").output
        == "Recorded the answer 'good'. The card returns in 10 min.\n")
    #expect(try home.waymark("where", "--short").output.hasSuffix(" · 9 due\n"))
    let deckName = "“Softer, please”, “English for Business”"
    #expect(
      try home.waymark("review", "undo").output
        == "The answer “knew it” to “You're wrong.” in \(deckName) was undone.\n")
    #expect(try home.waymark("review", "undo").output == "Undone: removed 10 cards in \(deckName) from the review.\n")
    #expect(try home.waymark("review", "undo").output == "There is no change to undo.\n")
    #expect(try home.waymark("review", "suspend", deck, "--card", String(key)).output == "Suspended 1 card.\n")
    #expect(try home.waymark("review", "resume", deck).output == "Resumed 1 card.\n")
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test func `attempts name the card, and omit answers that were undone`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("review", "add", deck)
    func answer(_ rating: String) throws -> String {
      let next = try home.waymark("review", "next", "--format", "jsonl").output
      let key = String(try #require(next.firstMatch(of: /"card":"([0-9a-f]{16})"/)?.1))
      _ = try home.waymark("review", "answer", deck, key, rating)
      return key
    }
    let first = try answer("good")
    _ = try answer("again")
    _ = try home.waymark("review", "undo")

    let rows = try #require(try home.waymark("attempts", "--format", "json").output.json as? [[String: Any]])
    let table = try home.waymark("attempts").output.lines

    #expect(rows.map { $0["card"] as? String } == [first] && rows.map { $0["score"] as? Double } == [1])
    #expect(rows[0]["question"] as? String == "You're wrong.")
    #expect(table.count == 2 && table[1].contains("flashcard") && table[1].contains("You're wrong."))
  }

  @Test func `the wrong answers of a quiz are listed with the correct ones`() throws {
    let home = try HomeFixture.withBundledCourse()
    let quiz = "english-for-business/negotiating/opening-offers/make-the-first-offer"
    // Each answer is followed by Enter to check it, and Enter for the next question.
    let answers = ["1", "1", "1 4", "1", "2"].map { $0 + "\n\n\n" }.joined()
    _ = try home.waymark([quiz, "--linear"], input: answers + "quit\n")

    let output = try home.waymark("attempts", "--wrong", quiz, "--format", "json").output
    let rows = try #require(output.json as? [[String: Any]])

    #expect(
      rows.map { [$0["answered"], $0["right"]] as? [[String]] } == [
        [["36,000, so that she sees that you are honest"], ["46,000, with the ninety-minute promise as the reason"]],
        [["Explain the figure again, from the beginning"], ["Wait, and look interested in the view"]],
        [["“We could do thirty-three.”"], ["“They do, on working days. Let's put a price on Saturdays.”"]],
      ])
    #expect(
      try home.waymark("attempts", "--wrong", "english-for-business/meetings").output.contains("No wrong answers"))
  }

  @Test(arguments: ["due", "next", "list", "stats", "forecast", "log"])
  func `each list of reviews has the same rows in JSON, JSON Lines and CSV`(list: String) throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("review", "add", deck)
    let next = try home.waymark("review", "next", "--format", "jsonl").output
    let key = try #require(next.firstMatch(of: /"card":"([0-9a-f]{16})"/)?.1)
    _ = try home.waymark("review", "answer", deck, String(key), "easy")

    let json = try home.waymark("review", list, "--format", "json").output
    let lines = try home.waymark("review", list, "--format", "jsonl").output.split(separator: "\n")
    let table = try home.waymark("review", list, "--format", "csv").output.split(separator: "\n")

    let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(!rows.isEmpty)
    #expect(lines.count == rows.count)
    #expect(table.count == rows.count + 1)
    let columns = Set(table[0].split(separator: ",").map(String.init))
    #expect(rows.allSatisfy { Set($0.keys) == columns })
  }

  @Test func `own cards are changed and deleted, and those of a course are not`() throws {
    let home = try HomeFixture.withBundledCourse()
    let text = "english-for-business/negotiating/opening-offers/who-speaks-first"
    _ = try home.waymark([text, "--linear"], input: "card Who?\nquit\n")
    func cards() throws -> [[String: Any]] {
      let output = try home.waymark("review", "list", text, "--format", "json").output
      return try #require(output.json as? [[String: Any]])
    }
    let key = try #require(try cards().first?["card"] as? String)

    let edited = try home.waymark("review", "edit", text, String(key.prefix(8)), "--question", "Who speaks first?")
    let question = try cards().first?["question"] as? String
    let deleted = try home.waymark("review", "delete", text, key, "--format", "json")
    let nothing = try home.waymark("review", "edit", text, key)
    let gone = try home.waymark("review", "delete", text, key)
    let list = try home.waymark("review", "list", deck, "--format", "json").output
    let course = try #require((list.json as? [[String: Any]])?.first?["card"] as? String)
    let refused = try home.waymark("review", "delete", deck, course)

    #expect(edited.output == "Changed 1 card.\n" && question == "Who speaks first?")
    #expect(deleted.output == "{\n  \"cards\": 1\n}\n")
    #expect(nothing.code == 64 && nothing.errors.contains("Nothing to change. Add --question or --answer."))
    #expect(gone.code == 66)
    #expect(refused.code == 1 && refused.errors.contains("it is part of the course"))
  }

  @Test func `a card is made in the activity that was visited last, or in a given one`() throws {
    let home = try HomeFixture.withBundledCourse()
    let text = "english-for-business/negotiating/opening-offers/who-speaks-first"
    func create(_ words: String...) throws -> Answer {
      try home.waymark(["review", "create"] + words + ["--question", "Who?", "--answer", "They do."])
    }

    let unvisited = try create()
    _ = try home.waymark("nav", "open", text)
    let created = try create()
    let other = try create(deck)

    #expect(unvisited.code == 64 && unvisited.errors.contains("Add the path of an activity"), "\(unvisited.errors)")
    #expect(
      created.output.contains(/^Created the card own:[0-9a-f-]+ in “Who speaks first\?”\.\n$/), "\(created.output)")
    #expect(other.code == 0)
    let list = try home.waymark("review", "list", text, "--format", "json").output.json as? [[String: Any]]
    #expect(list?.map { $0["question"] as? String } == ["Who?"])
  }

  @Test func `courses, tree and progress show one number for a course, which reviews do not change`() throws {
    let home = try HomeFixture.withBundledCourse()
    let course = "english-for-business"
    _ = try home.waymark("progress", "mark", course + "/negotiating/opening-offers/who-speaks-first", "done")
    for card in 0..<6 {
      let cards = try home.waymark("review", "list", deck, "--format", "json").output.json as? [[String: Any]]
      _ = try home.waymark("review", "answer", deck, try #require(cards?[card]["card"] as? String), "easy")
    }

    let texts = try [["courses"], ["tree", course, "--depth", "0"], ["progress", course]].map {
      try home.waymark($0).output.split(separator: "\n").first { $0.hasPrefix("English for Business ") } ?? ""
    }

    #expect(texts.allSatisfy { $0.contains(" 2 %") }, "\(texts)")
  }

  @Test func `a card is set due and made new again`() throws {
    let home = try HomeFixture.withBundledCourse()
    let list = try home.waymark("review", "list", deck, "--format", "json").output
    let card = try #require((list.json as? [[String: Any]])?.first?["card"] as? String)
    func phase() throws -> String? {
      let rows = try home.waymark("review", "list", deck, "--format", "json").output.json as? [[String: Any]]
      return rows?.first?["phase"] as? String
    }

    #expect(try home.waymark("review", "schedule", deck, card, "--days", "3").output == "Scheduled 1 card.\n")
    #expect(try phase() == "review")
    #expect(try home.waymark("review", "schedule", deck, card, "--new").output == "Scheduled 1 card.\n")
    #expect(try phase() == "new")
    #expect(try home.waymark("review", "schedule", deck, card).errors.contains("Add either --days or --new."))
    #expect(
      try home.waymark("review", "list", "--leeches").output
        == "No cards there. Flashcards and quiz questions become cards.\n")
  }

  @Test func `cramming does not change the schedule unless asked`() throws {
    let home = try HomeFixture.withBundledCourse()
    func answers(_ options: [String]) throws -> Int {
      _ = try home.waymark(["review", "cram", deck, "--linear"] + options, input: "\neasy\n\neasy\nup\nquit\n")
      let log = try home.waymark("review", "log", "--format", "json").output
      return try #require(log.json as? [[String: Any]]).count
    }

    #expect(try answers([]) == 0)
    #expect(try answers(["--reschedule"]) == 2)
  }

  @Test func `settings outside their range, places inside a course and unknown cards are refused`() throws {
    let home = try HomeFixture.withBundledCourse()

    let retention = try home.waymark("review", "set", "--retention", "0.5")
    let goal = try home.waymark("review", "set", "english-for-business/negotiating", "--new", "3")
    let weights = try home.waymark("review", "set", "english-for-business", "--weights", "1, 2")
    let steps = try home.waymark("review", "set", "--learning-steps", "1x")
    let tag = try home.waymark("review", "due", "--tag", "verb")
    let card = try home.waymark("review", "answer", deck, "zzz", "good")
    let fit = try home.waymark("review", "fit")

    #expect(retention.code == 64)
    #expect(
      retention.errors
        == "Could not set retention to 0.5: the value must be from 0.7 to 0.99. Choose a value in this range.\n")
    #expect(
      weights.errors
        == "Could not set weights to 1.0 2.0: the value must be from the 21 weights of FSRS-6, or the 19 or 17 of "
        + "an earlier version, each in its range. Choose a value in this range.\n")
    #expect(
      steps.errors
        == "Could not set review-learning-steps to 1x: the value must be from one second to 365 days for each of at "
        + "most 20 steps. Choose a value in this range.\n")
    #expect(tag.code == 66)
    #expect(tag.errors == "Could not find cards with the tag 'verb': no card has this tag. Check its spelling.\n")
    #expect(goal.code == 1)
    #expect(goal.errors.contains("Use 'english-for-business'."))
    #expect(card.code == 66)
    #expect(
      card.errors
        == "Could not find card 'zzz' in '\(deck)': no card there has this key, or several have keys that begin with it. "
        + "List its cards with 'waymark review list \(deck)'.\n")
    #expect(fit.code == 1)
    #expect(fit.errors.contains("the log has 0 answers that can be used, and 400 are needed."))
  }
}
