import Foundation
import Testing

@testable import waymark

/// `waymark mcp`, called by the official Python client of the protocol.
@Suite(.enabled(if: OfficialClient.python != nil, "There is no Python client 'mcp'. Run 'make test-libraries'."))
struct MCPClientTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  /// A call of a tool and the equivalent command.
  struct Pair: CustomTestStringConvertible {
    let tool: String
    let arguments: String
    let words: [String]

    init(_ tool: String, _ arguments: String, _ words: String...) {
      (self.tool, self.arguments, self.words) = (tool, arguments, words)
    }

    var testDescription: String { tool }
  }

  private static let reading = [
    Pair("courses", "{}", "courses", "--format", "json"),
    Pair(
      "tree", #"{"place": "english-for-business", "depth": 2}"#, "tree", "english-for-business", "--depth", "2",
      "--format", "json"),
    Pair("show", #"{"place": "\#(offers)/who-speaks-first"}"#, "show", offers + "/who-speaks-first"),
    Pair(
      "show", #"{"place": "\#(offers)/who-speaks-first", "format": "json"}"#, "show", offers + "/who-speaks-first",
      "--format", "json"),
    Pair(
      "search", #"{"query": ["first", "offer"], "kind": "activity", "limit": 3}"#, "search", "first", "offer", "--kind",
      "activity", "--limit", "3", "--format", "json"),
    Pair("where", "{}", "where", "--format", "json"),
    Pair("exercise_show", #"{"place": "\#(exercise)"}"#, "exercise", "show", exercise, "--format", "json"),
    Pair("progress_list", #"{"place": "\#(offers)"}"#, "progress", "list", offers, "--format", "json"),
    Pair("attempts", #"{"wrong": true}"#, "attempts", "--wrong", "--format", "json"),
    Pair("recents", #"{"limit": 2}"#, "recents", "--limit", "2", "--format", "json"),
    Pair("bookmarks_list", "{}", "bookmarks", "list", "--format", "json"),
    Pair("notes_list", #"{"text": "mine"}"#, "notes", "list", "--text", "mine", "--format", "json"),
    Pair(
      "history_list", #"{"under": "\#(offers)", "kind": "activity", "limit": 2, "since": "7d"}"#, "history", "list",
      "--under", offers, "--kind", "activity", "--limit", "2", "--since", "7d", "--format", "json"),
    Pair("history_stats", #"{"by": "lesson"}"#, "history", "stats", "--by", "lesson", "--format", "json"),
    Pair("history_next_from", #"{"place": "\#(offers)"}"#, "history", "next-from", offers, "--format", "json"),
    Pair("history_at", #"{"time": "2001-01-01"}"#, "history", "at", "2001-01-01", "--format", "json"),
    Pair("history_replay", #"{"session": "shell"}"#, "history", "replay", "--session", "shell", "--format", "json"),
    Pair(
      "history_leaving", #"{"time-zone": "Asia/Tokyo"}"#, "history", "leaving", "--time-zone", "Asia/Tokyo", "--format",
      "json"),
    Pair("export", #"{"course": "english-for-business"}"#, "export", "english-for-business"),
    Pair("formats", "{}", "formats", "--format", "json"),
    Pair("review_due", "{}", "review", "due", "--format", "json"),
    Pair("review_next", #"{"ahead": true}"#, "review", "next", "--ahead", "--format", "json"),
    Pair("review_list", #"{"limit": 2}"#, "review", "list", "--limit", "2", "--format", "json"),
    Pair("review_stats", #"{"by": "day"}"#, "review", "stats", "--by", "day", "--format", "json"),
    Pair("review_forecast", #"{"days": 2}"#, "review", "forecast", "--days", "2", "--format", "json"),
    Pair("review_log", #"{"limit": 2}"#, "review", "log", "--limit", "2", "--format", "json"),
  ]
  private static let exercise = "sums/sums/sums/add"
  private static let tone = "english-for-business/writing/tone"

  private static let writing = [
    Pair("nav_open", #"{"place": "english-for-business"}"#, "nav", "open", "english-for-business", "--format", "json"),
    Pair("nav_push", #"{"place": "negotiating"}"#, "nav", "push", "negotiating", "--format", "json"),
    Pair(
      "nav_push", #"{"place": "preparing", "dry-run": true}"#, "nav", "push", "preparing", "--dry-run", "--format",
      "json"),
    Pair("nav_select", #"{"place": "writing"}"#, "nav", "select", "writing", "--format", "json"),
    Pair("nav_previous", "{}", "nav", "previous", "--format", "json"),
    Pair("nav_next", "{}", "nav", "next", "--format", "json"),
    Pair("nav_back", "{}", "nav", "back", "--format", "json"),
    Pair("nav_forward", "{}", "nav", "forward", "--format", "json"),
    Pair(
      "nav_pop_to", #"{"place": "english-for-business"}"#, "nav", "pop-to", "english-for-business", "--format", "json"),
    Pair("nav_pop", "{}", "nav", "pop", "--format", "json"),
    Pair("nav_pop_to_root", #"{"session": "other"}"#, "nav", "pop-to-root", "--session", "other", "--format", "json"),
    Pair("nav_resume", "{}", "nav", "resume", "--format", "json"),
    Pair(
      "progress_mark", #"{"place": "\#(offers)/read-the-brief", "mark": "not-done"}"#, "progress", "mark",
      offers + "/read-the-brief", "not-done"),
    Pair("exercise_check", #"{"place": "\#(exercise)"}"#, "exercise", "check", exercise),
    Pair("bookmarks_add", #"{"place": "english-for-business"}"#, "bookmarks", "add", "english-for-business"),
    Pair("bookmarks_remove", #"{"place": "\#(offers)"}"#, "bookmarks", "remove", offers),
    Pair(
      "notes_add", #"{"place": "\#(offers)/read-the-brief", "words": ["-- two", "words"]}"#, "notes", "add",
      offers + "/read-the-brief", "--", "-- two", "words"),
    Pair("notes_remove", #"{"note": "zzz"}"#, "notes", "remove", "zzz"),
    Pair("review_add", #"{"place": "\#(tone)"}"#, "review", "add", tone, "--format", "json"),
    Pair(
      "review_answer", #"{"place": "\#(tone)/softer-please", "card": "987d", "rating": "good"}"#, "review", "answer",
      tone + "/softer-please", "987d", "good", "--format", "json"),
    Pair("review_undo", "{}", "review", "undo", "--format", "json"),
    Pair(
      "review_set", #"{"place": "english-for-business", "new": 5}"#, "review", "set", "english-for-business", "--new",
      "5", "--format", "json"),
    Pair("review_suspend", #"{"place": "\#(tone)"}"#, "review", "suspend", tone, "--format", "json"),
    Pair("review_resume", #"{"place": "\#(tone)"}"#, "review", "resume", tone, "--format", "json"),
    Pair(
      "review_edit", #"{"place": "\#(tone)/softer-please", "card": "zzz", "answer": "No"}"#, "review", "edit",
      tone + "/softer-please", "zzz", "--answer", "No", "--format", "json"),
    Pair(
      "review_delete", #"{"place": "\#(tone)/softer-please", "card": "zzz"}"#, "review", "delete",
      tone + "/softer-please", "zzz", "--format", "json"),
    Pair(
      "review_schedule", #"{"place": "\#(tone)/softer-please", "card": "987d", "days": 3}"#, "review", "schedule",
      tone + "/softer-please", "987d", "--days", "3", "--format", "json"),
    Pair("review_fit", "{}", "review", "fit", "--format", "json"),
    Pair("import", #"{"bundled": true, "dry-run": true}"#, "import", "--bundled", "--dry-run", "--format", "json"),
  ]

  private static let learned = Result {
    try HomeFixture.original { home in
      try home.write(
        """
        {"waymark": 1, "course": {"key": "sums", "title": "Sums", "children": [{"key": "g", "title": "Sums", "children": [
        {"key": "l", "title": "Sums", "children": [{"key": "a", "title": "Add", "exercise": {"task": "Add.", "files": [],
        "check": [{"shell": "true"}]}}]}]}]}}
        """, to: "sums.json")
      guard try home.waymark("import", home.path("sums.json")).code == 0 else { throw CocoaError(.fileReadCorruptFile) }
      try HomeFixture.walk(home)
      for arguments in [
        ["bookmarks", "add", offers], ["progress", "mark", offers + "/read-the-brief", "done"],
        ["notes", "add", offers + "/who-speaks-first", "Mine, \"all\" mine"],
      ] { _ = try home.waymark(arguments) }
    }
  }

  /// Returns the answer of a command in the form of a tool's result.
  private static func result(of arguments: [String], in home: HomeFixture) throws -> OfficialClient.Result {
    let answer = try home.waymark(arguments)
    let texts = answer.code == 0 ? [answer.output, answer.errors] : [answer.errors, answer.output]
    return OfficialClient.Result(
      texts: texts.filter { !$0.isEmpty }.map { Self.steadied($0, home) }, isError: answer.code != 0)
  }

  /// Returns a text without values that differ between calls.
  private static func steadied(_ text: String, _ home: HomeFixture) -> String {
    text.normalized(home).replacing(/"(score|dwellMs|activeMs)": [0-9.e+-]+/) { "\"\($0.output.1)\": N" }
      .replacing(/"event": "[0-9a-f-]{36}"/, with: "\"event\": E")
  }

  @Test func `these tests call every tool`() {
    #expect(Set((Self.reading + Self.writing).map(\.tool)) == Set(CommandTool.all.map(\.name)))
  }

  @Test(arguments: [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
  func `each reading tool returns the same bytes as its command`(mode: String, revision: String) throws {
    let home = try HomeFixture(copying: Self.learned)
    let expected = try Self.reading.map { try Self.result(of: $0.words, in: home) }

    let session = try OfficialClient.session(
      in: home, mode: mode, calls: Self.reading.map { ($0.tool, $0.arguments) })

    #expect(session.revision == revision)
    #expect(session.tools.map(\.name) == CommandTool.all.filter { !$0.writes }.map(\.name))
    #expect(session.tools.allSatisfy { $0.readOnly && $0.destructive == nil })
    for (pair, (result, expected)) in zip(Self.reading, zip(session.results, expected)) {
      #expect(result.steadied(home, Self.steadied) == expected, "\(pair.tool)")
      #expect(expected.isError == false && expected.texts?.count == 1, "\(pair.tool)")
    }
    #expect(session.results.count == expected.count)
  }

  @Test func `each writing tool has the same effect as its command`() throws {
    let (home, other) = (try HomeFixture(copying: Self.learned), try HomeFixture(copying: Self.learned))
    let expected = try Self.writing.map { try Self.result(of: $0.words, in: other) }

    let session = try OfficialClient.session(
      ["--write"], in: home, calls: Self.writing.map { ($0.tool, $0.arguments) })

    #expect(session.tools.map(\.name) == CommandTool.all.map(\.name))
    #expect(
      session.tools.filter { $0.destructive == true }.map(\.name)
        == [
          "bookmarks_remove", "notes_remove", "review_set", "review_edit", "review_delete", "review_schedule",
          "review_fit",
          "import",
        ])
    for (pair, (result, expected)) in zip(Self.writing, zip(session.results, expected)) {
      #expect(result.steadied(home, Self.steadied) == expected, "\(pair.tool)")
    }
    #expect(session.results.count == expected.count)
    #expect(
      expected.map(\.isError)
        == Self.writing.map {
          [
            "exercise_check", "notes_remove", "review_edit", "review_delete", "review_fit",
          ].contains($0.tool)
        })
    for command in [["history"], ["bookmarks"], ["notes"], ["progress"]] {
      let states = try [home, other].map { try $0.waymark(command + ["--format", "json"]).output }
      #expect(Self.steadied(states[0], home) == Self.steadied(states[1], other))
    }
  }

  @Test func `concurrent calls get their own answers`() throws {
    let home = try HomeFixture(copying: Self.learned)
    let expected = try Self.reading.map { try Self.result(of: $0.words, in: home) }

    let session = try OfficialClient.session(
      in: home, calls: (Self.reading + Self.reading).map { ($0.tool, $0.arguments) }, together: true)

    #expect(session.results.map { $0.steadied(home, Self.steadied) } == expected + expected)
  }

  @Test func `each writing tool is refused unless writing is allowed`() throws {
    let home = try HomeFixture(copying: Self.learned)
    let before = try home.waymark("history", "--format", "json")

    let session = try OfficialClient.session(in: home, calls: Self.writing.map { ($0.tool, $0.arguments) })

    for (pair, result) in zip(Self.writing, session.results) {
      #expect(
        result
          == OfficialClient.Result(
            refused: "Could not call '\(pair.tool)': it changes data, and this server is read-only. "
              + "Start it with 'waymark mcp --write'.", code: -32602))
    }
    #expect(session.results.count == Self.writing.count)
    #expect(try home.waymark("history", "--format", "json") == before)
  }

  @Test func `a failed command is an error of the tool, with its message`() throws {
    let home = try HomeFixture(copying: Self.learned)

    let session = try OfficialClient.session(
      in: home,
      calls: [
        ("show", #"{"place": "no/such/place"}"#), ("show", "{}"), ("courses", #"{"limit": 0}"#),
        ("search", #"{"query": "ofers"}"#), ("no_such_tool", "{}"),
      ])

    #expect(
      session.results[0].texts == [
        "Could not find 'no/such/place': no place has this path. List the places with 'waymark tree'.\n"
      ])
    #expect(session.results[1].texts?.first?.hasPrefix("Error: Missing expected argument '<place>'") == true)
    #expect(session.results[2].texts?.first?.contains("--limit must be at least 1, not 0.") == true)
    #expect(session.results.prefix(3).map(\.isError) == [true, true, true])
    #expect(session.results[3].isError == false && session.results[3].texts?.last?.hasPrefix("Did you mean '") == true)
    #expect(session.results[4].code == -32602)
  }

  @Test func `each call uses the database and the learner of the server`() throws {
    let home = try HomeFixture(copying: Self.learned)
    let elsewhere = home.path("elsewhere.sqlite")
    for command in [["import", "--bundled"], ["nav", "open", "english-for-business", "--learner", "grace"]] {
      #expect(try home.waymark(command + ["--database", elsewhere]).code == 0)
    }
    let expected = try home.waymark("history", "--learner", "grace", "--database", elsewhere, "--format", "json")

    let session = try OfficialClient.session(
      ["--learner=grace", "--database", elsewhere], in: home, calls: [("history_list", "{}")])

    #expect(session.results.map(\.texts) == [[expected.output]])
  }
}
