import TerminalHarness
import Snapshots
import Testing

/// Output to a terminal: colours only if they are supported, and no control sequences from texts.
struct TerminalOutputTests {
  private func run(_ arguments: [String], in home: HomeFixture, columns: Int = 80) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: columns, rows: 24)
    try terminal.launch(BuiltProgram.path, arguments, environment: home.environment, directory: home.folder)
    #expect(try terminal.waitForExit() == .exited(0))
    return terminal
  }

  @Test func `a table is truncated at the width of the terminal`() throws {
    let home = try HomeFixture.withBundledCourse()

    let terminal = try run(["tree", "english-for-business/negotiating/opening-offers"], in: home, columns: 56)

    expectSnapshot(terminal.text.trimmingLineEnds)
  }

  @Test func `titles stay readable and columns aligned in 80 columns, although paths are long`() throws {
    let home = try HomeFixture.withBundledCourse()
    let deck = "english-for-business/negotiating/opening-offers/anchors-and-ranges"
    _ = try home.waymark("nav", "open", "english-for-business/negotiating/preparing/words-for-a-first-offer")
    _ = try home.waymark("nav", "open", deck)
    _ = try home.waymark("bookmarks", "add", deck)
    _ = try home.waymark("review", "add", deck)
    let next = try home.waymark("review", "next").output
    let key = try #require(next.firstMatch(of: /anchors-and-ranges ([0-9a-f]{16})/)?.1)
    _ = try home.waymark("review", "answer", deck, String(key), "good")

    for arguments in [
      ["recents"], ["bookmarks"], ["review", "log"], ["review", "list", "--limit", "3"], ["courses"], ["progress"],
    ] {
      let lines = try run(arguments, in: home).text.trimmingLineEnds.lines
      let piped = try home.waymark(arguments).output.lines
      #expect(lines.count == piped.count && lines.count > 1, "\(arguments): \(lines)")
      #expect(lines.allSatisfy { $0.count <= 80 } && !lines.contains { $0.contains(/(^|  )\S{1,3}…/) }, "\(lines)")
    }
    let place = try run(["where"], in: home).text.trimmingLineEnds.lines
    #expect(place.count > 4 && place.allSatisfy { $0.count <= 80 }, "\(place)")
    let row = /^(Place {5}|Path {6}|Visited {3}|Continue {2}|Review {4}| {10})\S/
    #expect(place.allSatisfy { $0.contains(row) }, "\(place)")
  }

  @Test(arguments: [
    ["where"], ["history"], ["history", "at", "now"], ["nav", "previous"],
    ["progress", "mark", "make-the-first-offer"],
    ["search", "anchor"], ["show", "english-for-business/negotiating/opening-offers/who-speaks-first"],
    ["courses", "--help"], ["bookmarks", "add", "nowhere"],
  ])
  func `a terminal with an ASCII locale gets only ASCII characters`(_ arguments: [String]) throws {
    let home = try HomeFixture.walked()
    home.environment["LANG"] = nil
    home.environment["LC_ALL"] = "C"
    let terminal = try PseudoTerminal(columns: 70, rows: 40)

    try terminal.launch(BuiltProgram.path, arguments, environment: home.environment, directory: home.folder)
    _ = try terminal.waitForExit()

    #expect(terminal.output.allSatisfy { $0 < 0x80 }, "\(terminal.text)")
    #expect(terminal.text.contains { $0.isLetter })
  }

  @Test func `only a terminal with colours gets styled text`() throws {
    let home = try HomeFixture.withBundledCourse()
    let arguments = ["show", "english-for-business/meetings/opening/why-are-we-here"]
    let escape: UInt8 = 0x1B

    let coloured = try run(arguments, in: home)
    home.environment["NO_COLOR"] = "1"
    let plain = try run(arguments, in: home)
    home.environment["NO_COLOR"] = nil
    home.environment["TERM"] = "dumb"
    let dumb = try run(arguments, in: home)
    home.environment["TERM"] = nil
    let piped = try home.waymark(arguments)
    home.environment["CLICOLOR_FORCE"] = "1"
    home.environment["TERM"] = "xterm-256color"
    let forced = try home.waymark(arguments)

    #expect(coloured.output.contains(escape))
    #expect(!plain.output.contains(escape))
    #expect(!dumb.output.contains(escape))
    #expect(!piped.output.utf8.contains(escape))
    #expect(forced.output.utf8.contains(escape))
  }

  @Test func `texts of a course cannot control the terminal`() throws {
    let home = try HomeFixture()
    try home.writeCourse()
    try home.write("title: \"Small \\e]0;owned\\a \\e[2J\"\n", to: "course/course.yml")
    try home.write(
      "---\ntitle: \"Two \\x9b31m\"\n---\nSome \u{1B}[31mred\u{1B}]0;owned\u{7} words.\n",
      to: "course/01-one/01-first/02-second.md")
    let slug = { (answer: Answer) in answer.output.lines.last?.split(separator: ",").first.map(String.init) ?? "" }
    _ = try home.waymark("import", "course")
    let path = slug(try home.waymark("tree", "--format", "csv"))

    for arguments in [
      ["courses"], ["tree"], ["show", path], ["nav", "open", path], ["where"], ["history"], ["search", "red"],
    ] {
      let answer = try home.waymark(arguments)
      let scalars = (answer.output + answer.errors).unicodeScalars
      #expect(answer.code == 0)
      #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }, "\(arguments)")
    }
    let terminal = try run(["courses"], in: home)
    #expect(terminal.emulator.title == "")
  }

  @Test func `a confirmation is requested on a terminal, and only y confirms`() throws {
    let home = try HomeFixture.withBundledCourse()
    func answer(_ word: String) throws -> String {
      let terminal = try PseudoTerminal(columns: 80, rows: 24)
      try terminal.launch(
        BuiltProgram.path, ["remove", "english-for-business"], environment: home.environment, directory: home.folder)
      try terminal.waitFor("Remove “English for Business”? Its history is kept. [y/N]")
      terminal.type(word + "\n")
      if word != "y" { try terminal.waitFor("Nothing was changed.") }
      #expect(try terminal.waitForExit() == .exited(0))
      return try home.waymark("courses", "--format", "jsonl").output
    }

    #expect(try answer("").lines.count == 1)
    #expect(try answer("maybe").lines.count == 1)
    #expect(try answer("y") == "")
  }

  @Test func `a dumb terminal gets the linear browser`() throws {
    let home = try HomeFixture.withBundledCourse()
    home.environment["TERM"] = "dumb"
    let terminal = try PseudoTerminal(columns: 80, rows: 24)

    try terminal.launch(BuiltProgram.path, [], environment: home.environment, directory: home.folder)

    try terminal.waitFor("because TERM names a terminal that")
    terminal.type("quit\n")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(!terminal.output.contains(0x1B))
  }
}

extension String {
  /// The lines without trailing blanks, and without empty lines at the end.
  var trimmingLineEnds: String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
