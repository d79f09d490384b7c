import Foundation
import Testing

/// The commands about a learner's location, progress, bookmarks and recent places.
struct LearnerCommandTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  @Test func `the where command returns the place, the stack, the path taken and the suggestion to resume`() throws {
    let home = try HomeFixture.walked()
    let who = #"{"path":"\#(Self.offers)/who-speaks-first","kind":"activity","title":"Who speaks first?"}"#
    let anchors = #"{"path":"\#(Self.offers)/anchors-and-ranges","kind":"activity","title":"Anchors and ranges"}"#

    // The test may run across midnight.
    func sameDay(_ answer: Answer) -> Answer {
      Answer(code: answer.code, output: answer.output.replacing("yesterday", with: "today"), errors: answer.errors)
    }
    let json = sameDay(try home.waymark("where", "--format", "jsonl"))
    let short = try home.waymark("where", "--short")
    let text = sameDay(try home.waymark("where"))

    expectAnswer(
      json, code: 0,
      output: #"{"place":\#(who),"#
        + #""stack":["/","english-for-business","english-for-business/negotiating","\#(Self.offers)","#
        + #""\#(Self.offers)/who-speaks-first"],"#
        + #""pathTaken":["/","\#(Self.offers)","\#(Self.offers)/read-the-brief","#
        + #""\#(Self.offers)/who-speaks-first"],"session":"shell","#
        + #""resume":{"last":\#(who),"firstUnfinished":\#(who),"next":\#(anchors),"#
        + #""reason":"You opened “Who speaks first?” today; it is not done yet."}}"# + "\n")
    #expect(
      short.output == "English for Business › Negotiating › Opening offers › Who speaks first?\n")
    #expect(
      text.output == """
        Place    English for Business › Negotiating › Opening offers › Who speaks first?
        Path     \(Self.offers)/who-speaks-first
        Visited  Courses → Opening offers → Read the brief → Who speaks first?
        Begin    Who speaks first?  6 min  English for Business
                 You opened “Who speaks first?” today; it is not done yet.
                 waymark nav open \(Self.offers)/who-speaks-first

        """)
  }

  @Test func `where names the session of the place, and the place at which nav continues`() throws {
    let home = try HomeFixture.withBundledCourse()
    func rows(_ arguments: String...) throws -> [String] {
      try home.waymark(["where"] + arguments).output.lines.filter { !$0.hasPrefix("Begin") && !$0.hasPrefix("  ") }
    }
    #expect(try home.waymark("nav", "open", "english-for-business/meetings").code == 0)
    #expect(try home.waymark("nav", "open", "english-for-business/writing", "--session", "demo").code == 0)

    #expect(
      try rows() == [
        "Place    English for Business › Writing", "Path     english-for-business/writing",
        "Visited  Meetings → Writing", "Session  demo",
        "Shell    'waymark nav' continues at English for Business › Meetings",
      ])
    #expect(
      try rows("--session", "shell")[1...] == [
        "Path     english-for-business/meetings", "Visited  Courses → Meetings",
      ])
    #expect(try home.waymark("nav", "open", "english-for-business/writing").code == 0)
    #expect(try !rows().contains { $0.hasPrefix("S") })
  }

  @Test func `the where command, the browser and linear mode suggest the same activity`() throws {
    let home = try HomeFixture.withBundledCourse()
    let lesson = "english-for-business/negotiating/counter-offers"
    for arguments in [["open", lesson + "/if-you-then-we"], ["next"], ["pop"]] {
      #expect(try home.waymark(["nav"] + arguments).code == 0)
    }

    let command = try home.waymark("where")
    let browser = try home.waymark("render", lesson)
    let linear = try home.waymark("--linear", input: "where\nquit\n")

    #expect(command.output.contains("; the first unfinished activity is “Dropping anchor too early”."))
    #expect(command.output.hasSuffix("waymark nav open \(lesson)/dropping-anchor-too-early\n"))
    #expect(browser.output.contains("Dropping anchor too early"))
    #expect(linear.output.contains("\ncontinue: Dropping anchor too early. "))
  }

  @Test func `progress is marked, counted and undone`() throws {
    let home = try HomeFixture.withBundledCourse()
    let activity = Self.offers + "/read-the-brief"

    let marked = try home.waymark("progress", "mark", activity, "done")
    let done = try home.waymark("progress", Self.offers, "--format", "jsonl")
    let back = try home.waymark("progress", "mark", activity, "not-done")
    let everyone = try home.waymark("progress", Self.offers, "--by", "learner", "--format", "jsonl")
    let refused = try home.waymark("progress", "mark", Self.offers, "done")

    #expect(marked == Answer(code: 0, output: "Marked “Read the brief” as done.\n"))
    #expect(
      done.output.lines.first
        == #"{"path":"\#(Self.offers)","kind":"lesson","title":"Opening offers","done":1,"total":4,"learner":"ada","exercises":0,"passed":0}"#
    )
    #expect(back == Answer(code: 0, output: "Marked “Read the brief” as not done.\n"))
    // A mark that was undone begins nothing.
    #expect(everyone == Answer(code: 0, output: ""))
    #expect(refused.code == 1)
    #expect(refused.errors.contains("it is not an activity"))
  }

  @Test func `bookmarks, recents and learners are listed`() throws {
    let home = try HomeFixture.walked()
    // The walk may end within a millisecond, and visits at the same time have no defined order.
    _ = try home.waymark("nav", "pop")
    _ = try home.waymark("nav", "push", "who-speaks-first")

    let added = try home.waymark("bookmarks", "add", Self.offers)
    let again = try home.waymark("bookmarks", "add", Self.offers)
    let list = try home.waymark("bookmarks", "--format", "jsonl")
    let removed = try home.waymark("bookmarks", "remove", Self.offers)
    let recents = try home.waymark("recents", "--limit", "1", "--format", "json")
    let learners = try home.waymark("learners", "list", "--format", "jsonl")

    #expect(added.output == "Added a bookmark for “Opening offers”.\n")
    #expect(again.output == "“Opening offers” already has a bookmark.\n")
    #expect(
      list.output == #"{"path":"\#(Self.offers)","kind":"lesson","title":"Opening offers","removed":false}"# + "\n")
    #expect(removed.output == "Removed the bookmark for “Opening offers”.\n")
    #expect(try home.waymark("bookmarks", "--format", "json").output == "[]\n")
    try expectAnswer(
      home.waymark("bookmarks", "add", "/"), code: 1,
      errors: "Could not add a bookmark for '/': the list of courses cannot have one. Name a place in a course.\n")
    let recent = try #require((recents.output.json as? [[String: Any]])?.first)
    #expect(Set(recent.keys) == ["path", "kind", "title", "lastVisit", "score"])
    #expect(recent["path"] as? String == Self.offers + "/who-speaks-first")
    #expect(learners.output == "{\"name\":\"ada\"}\n")
  }

  @Test func `queries do not create a learner`() throws {
    let home = try HomeFixture.withBundledCourse()

    for command in [["where"], ["history"], ["progress"], ["bookmarks"], ["recents"], ["attempts"], ["courses"]] {
      #expect(try home.waymark(command + ["--format", "json"]).code == 0)
    }

    #expect(try home.waymark("learners", "--format", "json").output == "[]\n")
  }
}
