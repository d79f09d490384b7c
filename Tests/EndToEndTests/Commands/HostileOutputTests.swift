import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// No command prints control characters from names and texts of courses, learners, files or arguments to a terminal.
@Suite struct HostileOutputTests {
  private static let evil = "x\u{1B}]0;evil\u{7}\u{9B}2J\u{202E}\u{200B}\u{85}\u{7F}\re"
  private static let formats = ["table", "json", "jsonl", "csv"]

  /// Returns the harmful scalars in a text: control characters except line feeds, bidirectional controls and invisible
  /// characters.
  private static func harmful(in text: String) -> [String] {
    let matches = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
        0xE0000...0xE007F:
        true
      default: false
      }
    }
    return Set(matches).map { "U+" + String($0.value, radix: 16) }.sorted()
  }

  /// Runs a command. Expects an exit code and harmless output.
  @discardableResult
  private func expect(
    _ arguments: [String], in home: HomeFixture, code: Int = 0, input: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    let answer = try home.waymark(arguments, input: input)
    #expect(answer.code == code, "\(arguments): \(answer.errors)", sourceLocation: location)
    #expect(Self.harmful(in: answer.output) == [], "output of \(arguments)", sourceLocation: location)
    #expect(Self.harmful(in: answer.errors) == [], "errors of \(arguments)", sourceLocation: location)
    return answer
  }

  private struct Entry: Decodable {
    let path: String
    let kind: String
    let title: String
  }

  private func entries(in home: HomeFixture) throws -> [Entry] {
    try JSONDecoder().decode([Entry].self, from: Data(home.waymark("tree", "--format", "json").output.utf8))
  }

  /// Returns a place with one child.
  private static func inside(_ name: String, _ child: [String: Any]) -> [String: Any] {
    ["key": name, "title": name, "children": [child]]
  }

  /// A home with harmful texts in a course and a session with a harmful name, with steps, bookmarks and progress.
  /// Learners cannot have harmful names.
  private func walked() throws -> (home: HomeFixture, entries: [Entry]) {
    let home = try HomeFixture(copying: Self.walk)
    home.environment["WAYMARK_LEARNER"] = "ada"
    return (home, try entries(in: home))
  }

  private static let walk = Result {
    try HomeFixture.original { home in
      try HomeFixture.doHarm(home)
      home.environment["WAYMARK_LEARNER"] = "ada"
      try Self().walk(in: home)
    }
  }

  private func walk(in home: HomeFixture) throws {
    let entries = try entries(in: home)
    for entry in entries.prefix(8) { try expect(["nav", "open", entry.path], in: home) }
    for entry in entries.prefix(8) { try expect(["nav", "open", entry.path, "--session", Self.evil], in: home) }
    try expect(["bookmarks", "add", entries[2].path], in: home)
    for entry in entries where entry.kind == "activity" {
      try expect(["progress", "mark", entry.path, "done"], in: home)
    }
  }

  @Test func `lists and values are harmless in every format`() throws {
    let (home, entries) = try walked()
    let lesson = entries.first { $0.kind == "lesson" }!.path
    let lists = [
      ["courses"], ["tree"], ["tree", lesson], ["search", "end"], ["where"], ["history"], ["history", "list"],
      ["history", "stats", "--by", "place"], ["history", "stats", "--by", "learner"],
      ["history", "stats", "--by", "session"], ["history", "next-from", "/"], ["history", "leaving"],
      ["history", "at", "now"], ["history", "replay", "--session", "shell"],
      ["history", "replay", "--session", Self.evil], ["history", "--learner", "all"], ["progress"],
      ["progress", "list", "--by", "learner"], ["progress", "list", lesson], ["attempts"], ["bookmarks"],
      ["bookmarks", "list"], ["recents"], ["learners", "list"], ["database", "check"], ["database", "info"],
      ["formats"], ["nav", "resume"], ["nav", "next", "--dry-run"], ["nav", "previous", "--dry-run"],
      ["nav", "pop", "--dry-run"], ["nav", "back", "--dry-run"], ["nav", "forward", "--dry-run"],
      ["nav", "pop-to-root", "--dry-run"], ["nav", "select", lesson, "--dry-run"],
    ]
    for list in lists {
      for format in Self.formats {
        let answer = try home.waymark(list + ["--format", format])
        #expect([0, 1, 65].contains(answer.code), "\(list) \(format): \(answer.errors)")
        #expect(Self.harmful(in: answer.output + answer.errors) == [], "\(list) \(format)")
      }
    }
  }

  @Test func `JSON contains the original text with escapes`() throws {
    let home = try HomeFixture.harmful()

    let titles = try entries(in: home).filter { $0.kind == "lesson" }.map(\.title)
    let lines = try home.waymark("tree", "--format", "jsonl").output.lines.map {
      try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
    }

    #expect(titles == HarmfulTexts.all.map { "\($0.name) \($0.text) end" })
    #expect(lines.filter { $0.kind == "lesson" }.map(\.title) == titles)
  }

  @Test func `texts and drawn screens are harmless`() throws {
    let (home, entries) = try walked()

    for entry in entries {
      try expect(["show", entry.path], in: home)
      try expect(["show", entry.path, "--answers"], in: home)
      for form in ["text", "ansi", "svg"] {
        let answer = try home.waymark("render", entry.path, "--as", form)
        #expect(answer.code == 0, "\(answer.errors)")
        // The only escape sequences of a coloured text set colours.
        let text = form == "ansi" ? answer.output.replacing(/\u{1B}\[[0-9;]*m/, with: "") : answer.output
        #expect(Self.harmful(in: text) == [], "\(form) of \(entry.path)")
        if form == "svg" { #expect(XMLParser(data: Data(answer.output.utf8)).parse(), "\(entry.path)") }
      }
    }
    for fraction in ["0", "0.5", "1"] {
      try expect(["render", "/", "--to", entries[0].path, "--at", fraction, "--as", "svg"], in: home)
    }
    try expect(["where", "--short"], in: home)
  }

  @Test func `data for other programs is exported and imported without changes`() throws {
    let (home, entries) = try walked()
    for form in ["xapi", "jsonl", "csv"] { try expect(["history", "export", "--as", form], in: home) }
    let learner = try expect(["learners", "export", "ada"], in: home).output
    // An import would have refused such texts, and the export refuses them too.
    try expect(["export", entries[0].path], in: home, code: 65)
    let text = "a\u{202E}b\u{200B}c\u{FEFF}d\u{E0041}e\u{AD}f"
    let source =
      [
        "waymark": 1,
        "course": [
          "key": "c", "title": text,
          "children": [Self.inside("g", Self.inside("l", ["key": "t", "title": text, "reading": [["p": [text]]]]))],
        ],
      ] as [String: Any]
    let json = String(decoding: try JSONSerialization.data(withJSONObject: source), as: UTF8.self)

    let other = try HomeFixture()
    try expect(["import", other.write(json, to: "course.json")], in: other)
    let path = try #require(self.entries(in: other).first).path
    let course = try expect(["export", path], in: other).output
    try expect(["import", other.write(course, to: "again.json")], in: other)

    #expect(try self.entries(in: other).map(\.title) == [text, "g", "l", text])
    #expect(course == (try other.exported(path)))
    // The learner may be refused, but the output must be harmless.
    let answer = try other.waymark("learners", "import", other.write(learner, to: "learner.json"))
    #expect(Self.harmful(in: answer.output + answer.errors) == [])
    try expect(["learners", "erase", "ada", "--yes"], in: home)
    try expect(["remove", entries[0].path, "--yes"], in: home)
  }

  @Test func `output about harmful arguments and file names is harmless`() throws {
    let home = try HomeFixture.withBundledCourse()
    let evil = Self.evil
    let file = try home.write("{", to: evil + ".json")
    try home.write("title: \"\(evil)\nchildren: [", to: "\(evil)/course.yml")
    let invalidCalls: [([String], Int)] = [
      // A folder has this name, so the program tries to open the browser, which needs a terminal.
      ([evil], 69), (["show", evil], 66), (["tree", evil], 66), (["nav", "open", evil], 66), (["nav", evil], 64),
      (["render", evil], 66), (["export", evil], 66), (["remove", evil, "--yes"], 66), (["import", evil + ".zip"], 66),
      (["import", file], 65), (["import", home.path(evil)], 65), (["import", file, "--from", evil], 64),
      (["courses", "--format", evil], 64), (["courses", "--" + evil], 64), (["history", "--time-zone", evil], 64),
      (["history", "at", evil], 64), (["history", "--since", evil], 64), (["history", "--under", evil], 66),
      (["history", "replay", "--session", evil], 66), (["history", "next-from", evil], 66),
      (["history", "stats", "--by", evil], 64), (["history", "--after", evil], 64),
      (["progress", "mark", evil, "done"], 66), (["progress", "mark", "english-for-business", evil], 64),
      (["bookmarks", "add", evil], 66), (["bookmarks", "remove", evil], 66), (["attempts", evil], 66),
      (["learners", "export", evil], 66), (["learners", "erase", evil, "--yes"], 66),
      (["learners", "import", evil], 66), (["learners", "import", file], 65),
      (["export", "english-for-business", "--output", "missing\(evil)/course.json"], 73),
      (["database", "backup", "missing\(evil)/copy"], 73), (["courses", "--database", "\(file)/x/y.sqlite"], 73),
      (["courses", "--database", file], 65), (["search", evil], 0), (["search", "x", "--course", evil], 66),
      (["where", "--session", evil], 66), (["render", "/", "--size", evil], 64), (["render", "/", "--at", evil], 64),
    ]
    for (arguments, code) in invalidCalls {
      let answer = try home.waymark(arguments)
      #expect(answer.code == code, "\(arguments): \(answer)")
      #expect(Self.harmful(in: answer.output + answer.errors) == [], "\(arguments)")
    }
    let lines = [evil, "{\"operation\": \"\(evil)\"}", "{\"operation\": \"push\", \"place\": \"x\u{202E}\u{85}\"}"]
    let answer = try home.waymark("nav", "run", input: lines.joined(separator: "\n"))
    #expect(answer.output.lines.count == lines.count)
    #expect(Self.harmful(in: answer.output + answer.errors) == [])
  }

  @Test func `linear mode and recordings are harmless`() throws {
    let home = try HomeFixture.harmful()
    let places = try entries(in: home)
    let typed = ["1", "1", "2", "next", "back", "where", "history", "find end", Self.evil, "quit"]

    try expect(["--linear"], in: home, input: typed.joined(separator: "\n") + "\n")
    let session = try BrowserSession(in: home, ["browse", places[0].path, "--record", "session.cast"])
    try session.settle()
    session.type("l")
    try session.settle()
    try session.quit()

    let cast = try String(contentsOf: home.folder.appending(path: "session.cast"), encoding: .utf8)
    #expect(Self.harmful(in: cast) == [])
    #expect(cast.contains(#""o", "\u001b["#))
  }
}

extension HomeFixture {
  /// Returns the exported file of a course.
  fileprivate func exported(_ course: String) throws -> String {
    let answer = try waymark("export", course, "--output", "exported.json")
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return try String(contentsOf: folder.appending(path: "exported.json"), encoding: .utf8)
  }
}
