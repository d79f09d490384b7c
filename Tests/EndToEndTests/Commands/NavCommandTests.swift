import Snapshots
import Testing

/// `waymark nav`: the format of a step, refusals, and `nav run`.
struct NavCommandTests {
  @Test func `a push prints the step, its transition, the stack and the event`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/negotiating")

    let answer = try home.waymark("nav", "push", "opening-offers", "--format", "json")

    expectSnapshot("\(answer.steadied())")
  }

  @Test func `a dry run prints the same step and records no event`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/negotiating")

    let dry = try home.waymark("nav", "push", "opening-offers", "--dry-run", "--format", "jsonl")
    let real = try home.waymark("nav", "push", "opening-offers", "--format", "jsonl")

    let event = #","event":{"id":3,"sequence":3,"at":"TIME"}}"#
    #expect(dry.code == 0)
    #expect(
      dry.output
        == real.steadied().output.replacing(#""performed":true"#, with: #""performed":false"#)
        .replacing(event, with: #","event":null}"#))
  }

  @Test func `every operation navigates and prints the place to which it led`() throws {
    let home = try HomeFixture.withBundledCourse()
    let offers = "english-for-business/negotiating/opening-offers"
    func nav(_ arguments: String...) throws -> String {
      let answer = try home.waymark(["nav"] + arguments)
      #expect(answer.code == 0)
      #expect(answer.errors == "")
      return answer.output
    }

    #expect(try nav("resume").hasSuffix("There is no history yet: this is the list of courses.\n"))
    #expect(
      try nav("open", offers) == "Opened: Courses → Opening offers\n  \(offers)\n")
    #expect(
      try nav("push", "read-the-brief")
        == "Opened: Opening offers → Read the brief\n  \(offers)/read-the-brief\n")
    #expect(
      try nav("next")
        == "Went to the next place: Read the brief → Who speaks first?\n  \(offers)/who-speaks-first\n")
    #expect(
      try nav("previous")
        == "Went to the previous place: Who speaks first? → Read the brief\n  \(offers)/read-the-brief\n")
    #expect(
      try nav("select", "anchors-and-ranges")
        == "Selected: Read the brief → Anchors and ranges\n  \(offers)/anchors-and-ranges\n")
    #expect(
      try nav("pop") == "Went up: Anchors and ranges → Opening offers\n  \(offers)\n")
    #expect(
      try nav("pop-to", "english-for-business")
        == "Went up: Opening offers → English for Business\n  english-for-business\n")
    #expect(
      try nav("pop-to-root") == "Went up: English for Business → Courses\n  /\n")
    #expect(
      try nav("back") == "Went back: Courses → English for Business\n  english-for-business\n")
    #expect(
      try nav("forward") == "Went forward: English for Business → Courses\n  /\n")
    #expect(
      try nav("back", "--dry-run")
        == "Would go back: Courses → English for Business\n  english-for-business\n")
    #expect(
      try nav("open", offers, "--dry-run")
        == "Would open: Courses → Opening offers\n  \(offers)\n")
  }

  @Test func `an operation without effect succeeds and gives the reason`() throws {
    let home = try HomeFixture.withBundledCourse()

    let text = try home.waymark("nav", "pop")
    let step = try home.waymark("nav", "pop", "--format", "jsonl")

    #expect(text == Answer(code: 0, output: "This is the list of courses: there is nothing above it.\n"))
    expectAnswer(
      step, code: 0,
      output: #"{"operation":"pop","performed":false,"traversal":false,"#
        + #""from":{"path":"/","kind":"root","title":"Courses"},"to":{"path":"/","kind":"root","title":"Courses"},"#
        + #""transition":null,"stack":["/"],"event":null,"#
        + #""message":"This is the list of courses: there is nothing above it."}"# + "\n")
  }

  @Test(arguments: [
    (
      ["push", "english-for-business/writing"], 1,
      "Could not push 'english-for-business/writing': it is not a child of 'english-for-business/negotiating'. "
    ),
    (
      ["select", "english-for-business"], 1,
      "Could not select 'english-for-business': it is not a sibling of 'english-for-business/negotiating'. "
    ),
    (
      ["pop-to", "english-for-business/writing"], 1,
      "Could not pop to 'english-for-business/writing': it is not above 'english-for-business/negotiating'. "
    ),
    (
      ["open", "english-for-busines"], 66,
      "Could not find 'english-for-busines': no place has this path. Did you mean 'english-for-business'?"
    ),
  ])
  func `a refused operation gives the reason and records no event`(arguments: [String], code: Int, sentence: String)
    throws
  {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/negotiating")

    let answer = try home.waymark(["nav"] + arguments + ["--format", "json"])

    #expect(answer.code == code)
    #expect(answer.output == "")
    #expect(answer.errors.hasPrefix(sentence))
    #expect(answer.errors.lines.count == 1)
    #expect(try home.waymark("history", "--format", "jsonl").output.lines.count == 2)
  }

  @Test func `sessions and learners navigate independently`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing", "--session", "left")
    _ = try home.waymark("nav", "open", "english-for-business/meetings", "--session", "right")
    _ = try home.waymark("nav", "open", "english-for-business/presenting", "--learner", "bob")

    #expect(try home.waymark("where", "--short", "--session", "left").output == "English for Business › Writing\n")
    #expect(try home.waymark("where", "--short", "--session", "right").output == "English for Business › Meetings\n")
    #expect(try home.waymark("where", "--short").output == "English for Business › Meetings\n")
    #expect(
      try home.waymark("--learner", "bob", "where", "--short").output == "English for Business › Presenting\n")
  }

  @Test func `nav run answers each line, including refused ones`() throws {
    let home = try HomeFixture.withBundledCourse()

    let answer = try home.waymark(
      "nav", "run",
      input: """
        {"operation": "open", "place": "english-for-business/negotiating"}

        {"operation": "pop"}
        {"operation": "push"}
        {"operation": "push", "place": "nowhere"}
        {"operation": "dance"}
        nonsense
        {"operation": "back"}

        """)

    let steps = answer.output.lines.map { $0.json as? [String: Any] ?? [:] }
    #expect(answer.code == 1)
    #expect(answer.errors == "")
    #expect(steps.map { $0["operation"] as? String } == ["open", "pop", "push", "push", "dance", nil, "back"])
    #expect(steps.map { $0["performed"] as? Bool } == [true, true, false, false, false, false, true])
    #expect(steps.map { ($0["error"] as? [String: Any])?["code"] as? Int } == [nil, nil, 1, 66, 1, 65, nil])
    #expect(
      (steps[3]["error"] as? [String: Any])?["message"] as? String
        == "Could not find 'nowhere': no place has this path. List the places with 'waymark tree'.")
    #expect((steps[6]["to"] as? [String: Any])?["path"] as? String == "english-for-business/negotiating")
  }

  @Test func `a line of nav run is limited, and an answer repeats only a part of it`() throws {
    let home = try HomeFixture.withBundledCourse()
    let letters = String(repeating: "x", count: 4 << 20)
    let lines = [
      letters + "y", letters, #"{"operation": "open", "place": "\#(letters.prefix(4_000_000))"}"#,
      #"{"operation": "\#(letters.prefix(4_000_000))"}"#, #"{"operation": "pop"}"#,
    ]

    let answer = try home.waymark("nav", "run", input: lines.joined(separator: "\n"))

    let answers = answer.output.split(separator: "\n")
    #expect(answers.count == 5)
    #expect(answers.first?.contains("Could not read a line: it is longer than 4 MiB. Shorten it.") == true)
    #expect(answers.dropFirst().first?.contains("Could not read 'xxx") == true)
    #expect(answers.prefix(4).allSatisfy { $0.count < 1_000 })
    #expect(answer.code == 65)
  }

  @Test func `a line of nav run may request a dry run`() throws {
    let home = try HomeFixture.withBundledCourse()

    let answer = try home.waymark(
      "nav", "run",
      input: """
        {"operation": "open", "place": "english-for-business/negotiating"}
        {"operation": "next", "dryRun": true}
        {"operation": "next", "dryRun": false}
        """)

    let steps = answer.output.lines.map { $0.json as? [String: Any] ?? [:] }
    #expect(answer.code == 0)
    #expect(steps.map { $0["performed"] as? Bool } == [true, false, true])
    #expect(
      steps.map { ($0["to"] as? [String: Any])?["path"] as? String }
        == ["negotiating", "writing", "writing"].map { "english-for-business/" + $0 })
  }
}
