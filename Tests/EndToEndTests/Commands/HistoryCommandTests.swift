import Foundation
import Snapshots
import Testing

/// `waymark history` and the related queries.
struct HistoryCommandTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  private static let newest =
    #"{"id":4,"uuid":"UUID","learner":"ada","session":1,"sequence":4,"operation":"next","traversal":false,"#
    + #""animated":false,"cause":"shell","#
    + #""transition":{"kind":"siblingSlide","direction":"right","reason":"matched","node":"\#(offers)/who-speaks-first"},"#
    + #""from":{"path":"\#(offers)/read-the-brief","kind":"activity","title":"Read the brief"},"#
    + #""to":{"path":"\#(offers)/who-speaks-first","kind":"activity","title":"Who speaks first?"},"#
    + #""stack":["/","english-for-business","english-for-business/negotiating","\#(offers)","#
    + #""\#(offers)/who-speaks-first"],"at":"TIME","leftAt":null,"dwellMs":null,"activeMs":null}"#

  @Test func `a row of the history contains the whole event`() throws {
    let home = try HomeFixture.walked()

    let lines = try home.waymark("history", "--limit", "1", "--format", "jsonl")
    let json = try home.waymark("history", "--limit", "1", "--format", "json")

    #expect(lines.steadied() == Answer(code: 0, output: Self.newest + "\n"))
    expectSnapshot(json.steadied().output)
  }

  @Test func `CSV output has the same columns even if it has no rows`() throws {
    let home = try HomeFixture.walked()

    let rows = try home.waymark("history", "--format", "csv")
    let none = try home.waymark("history", "--operation", "repair", "--format", "csv")

    let header =
      "id,uuid,learner,session,sequence,operation,traversal,animated,cause,transition.kind,transition.direction,"
      + "transition.reason,transition.node,from.path,from.kind,from.title,to.path,to.kind,to.title,stack,at,leftAt,"
      + "dwellMs,activeMs"
    let lines = rows.steadied().output.lines
    #expect(none == Answer(code: 0, output: header + "\n"))
    #expect(lines.count == 5)
    #expect(lines[0] == header)
    #expect(
      lines[1]
        == "4,UUID,ada,1,4,next,false,false,shell,siblingSlide,right,matched,\(Self.offers)/who-speaks-first,"
        + "\(Self.offers)/read-the-brief,activity,Read the brief,\(Self.offers)/who-speaks-first,activity,Who speaks first?,"
        + "/ english-for-business english-for-business/negotiating \(Self.offers) \(Self.offers)/who-speaks-first,TIME,,,"
    )
    #expect(lines[4].hasPrefix("1,UUID,ada,1,1,resume,false,false,system,,,,,,,,/,root,Courses,/,TIME,TIME,"))
  }

  @Test func `a table starts with the newest row`() throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark("history")

    let cells = answer.output.lines.map { line in
      line.replacing(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/, with: "WHEN            ")
    }
    #expect(cells.count == 5)
    #expect(cells[0] == "id  time              learner  step     to                 kind      duration  path")
    #expect(
      cells[1]
        == " 4  WHEN              ada      next     Who speaks first?  activity            "
        + "\(Self.offers)/who-speaks-first"
    )
    #expect(cells[4].hasSuffix("root           0 s  /"))
  }

  @Test(arguments: [
    (["--operation", "next"], [4]), (["--kind", "lesson"], [2]), (["--kind", "root"], [1]),
    (["--transition", "siblingSlide"], [4]), (["--cause", "shell"], [4, 3, 2]), (["--cause", "system"], [1]),
    (["--under", offers], [4, 3, 2]), (["--under", offers + "/read-the-brief"], [3]),
    (["--course", "english-for-business"], [4, 3, 2]), (["--session", "1"], [4, 3, 2, 1]),
    (["--session", "shell"], [4, 3, 2, 1]), (["--text", "brief"], [3]), (["--since", "20h"], [4, 3, 2, 1]),
    (["--until", "20h"], []),
    (["--since", "yesterday", "--time-zone", "Pacific/Kiritimati", "--until", "now"], [4, 3, 2, 1]),
    (["--learner", "all"], [4, 3, 2, 1]), (["--after", "3"], [2, 1]), (["--limit", "2"], [4, 3]),
    (["--limit", "1", "--after", "4", "--kind", "activity"], [3]), (["--type", "reading", "--is", "begun"], []),
    (["--type", "quiz"], []), (["--answers", "wrong"], []),
  ])
  func `each filter selects the matching rows`(filter: [String], ids: [Int]) throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark(["history"] + filter + ["--format", "json"])

    let rows = try #require(answer.output.json as? [[String: Any]])
    #expect(answer.code == 0)
    #expect(rows.map { $0["id"] as? Int } == ids)
  }

  @Test func `a table ends after a hundred rows with a hint on how to continue`() throws {
    let home = try HomeFixture.withBundledCourse()
    let steps = String(repeating: "{\"operation\": \"next\"}\n{\"operation\": \"previous\"}\n", count: 60)
    let opening = "{\"operation\": \"open\", \"place\": \"\(Self.offers)/read-the-brief\"}\n"
    _ = try home.waymark("nav", "run", input: opening + steps)

    let table = try home.waymark("history")
    let lines = try home.waymark("history", "--format", "jsonl")
    let remaining = try home.waymark("history", "--after", "23")

    #expect(table.output.lines.count == 101)
    #expect(table.errors == "There are older steps. Use --after 23 or --limit to list them.\n")
    #expect(lines.output.lines.count == 122)
    #expect(remaining.output.lines.count == 23)
    #expect(remaining.errors == "")
  }

  @Test func `an export contains all rows, on standard output or in a file`() throws {
    let home = try HomeFixture.walked()
    let file = home.path("steps.csv")

    let lines = try home.waymark("history", "export", "--as", "jsonl")
    let written = try home.waymark("history", "export", "--as", "csv", "--output", file)

    #expect(lines.output == (try home.waymark("history", "--format", "jsonl").output))
    #expect(written == Answer(code: 0, output: "Wrote the history to '\(file)'.\n"))
    #expect(
      try String(contentsOfFile: file, encoding: .utf8) == (try home.waymark("history", "--format", "csv").output))
  }

  @Test func `xAPI statements form one array, or one array per line in batches`() throws {
    let home = try HomeFixture.walked()

    let export = try home.waymark("history", "export", "--as", "xapi")
    let batches = try home.waymark("history", "export", "--as", "xapi", "--batch", "2")
    let wrongForm = try home.waymark("history", "export", "--as", "csv", "--batch", "2")
    let wrongNumber = try home.waymark("history", "export", "--as", "xapi", "--batch", "0")

    let statements = try #require(export.output.json as? [[String: Any]])
    let arrays = try batches.output.lines.map { try #require($0.json as? [[String: Any]]) }
    #expect(export.output.lines.count == statements.count + 2)
    #expect(arrays.map(\.count) == [2, 1])
    #expect(arrays.joined().map { $0["id"] as? String } == statements.map { $0["id"] as? String })
    #expect(wrongForm.code == 64 && wrongForm.errors.contains("--batch requires --as xapi."))
    #expect(wrongNumber.code == 64 && wrongNumber.errors.contains("--batch must be at least 1, not 0."))
  }

  @Test func `the location at a point in time includes the whole stack`() throws {
    let home = try HomeFixture.walked()

    let now = try home.waymark("history", "at", "now", "--format", "jsonl")
    let before = try home.waymark("history", "at", "2001-01-01", "--format", "jsonl")

    #expect(
      now.steadied().output
        == #"{"at":"TIME","learner":"ada","session":1,"#
        + #""place":{"path":"\#(Self.offers)/who-speaks-first","kind":"activity","title":"Who speaks first?"},"#
        + #""stack":["/","english-for-business","english-for-business/negotiating","\#(Self.offers)","#
        + #""\#(Self.offers)/who-speaks-first"],"event":{"id":4,"sequence":4,"at":"TIME"}}"# + "\n")
    #expect(
      before.output
        == #"{"at":"2001-01-01T23:59:59.999Z","learner":"ada","session":null,"place":null,"stack":null,"event":null}"#
        + "\n")
  }

  @Test func `a replay lists the steps in their order`() throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark("history", "replay", "--session", "shell", "--format", "jsonl")

    let rows = answer.output.lines.compactMap { $0.json as? [String: Any] }
    #expect(rows.map { $0["sequence"] as? Int } == [1, 2, 3, 4])
    #expect(rows.map { $0["operation"] as? String } == ["resume", "open", "push", "next"])
  }

  @Test func `statistics group by the requested property`() throws {
    let home = try HomeFixture.walked()

    let rows = try home.waymark("history", "stats", "--by", "kind")
    let lesson = try home.waymark("history", "stats", "--by", "lesson", "--format", "json")

    let row = try #require((lesson.output.json as? [[String: Any]])?.first)
    #expect(rows.code == 64)
    #expect(Set(row.keys) == ["lesson", "visits", "places", "activeMs", "turnedBack"])
    #expect((row["lesson"] as? [String: Any])?["path"] as? String == Self.offers)
    #expect(row["visits"] as? Int == 3)
    #expect(row["places"] as? Int == 3)
  }

  @Test func `the places after a place are counted`() throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark("history", "next-from", Self.offers, "--format", "jsonl")

    #expect(
      answer.output
        == #"{"to":{"path":"\#(Self.offers)/read-the-brief","kind":"activity","title":"Read the brief"},"#
        + #""count":1,"share":1}"# + "\n")
  }
}
