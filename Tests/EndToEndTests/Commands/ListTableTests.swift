import TerminalHarness
import Testing

/// The tables of the list commands in terminals of several widths, for a book, notes and the bundled course.
struct ListTableTests {
  private static let chapter =
    "the-long-book-of-ladders/how-to-lean-a-ladder-safely-against-a-wall"
    + "/the-angle-of-a-ladder-that-leans-against-a-wall"
  private static let section = chapter + "/the-angle-of-a-ladder-that-leans-against-a-wall"
  private static let deck = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

  private static let visited = Result {
    try HomeFixture.original { home in
      let title = "How to lean a ladder safely against a wall"
      try home.write("[book]\ntitle = \"The long book of ladders\"\n", to: "book/book.toml")
      let chapterTitle = "The angle of a ladder that leans against a wall"
      try home.write(
        "# Summary\n\n- [\(title)](lean.md)\n  - [\(chapterTitle)](angle.md)\n", to: "book/src/SUMMARY.md")
      try home.write("# \(title)\n\nLean it.\n", to: "book/src/lean.md")
      try home.write("# \(chapterTitle)\n\nThree points of contact, always.\n", to: "book/src/angle.md")
      for arguments in [
        ["import", "--bundled"], ["import", "book"], ["nav", "open", chapter], ["nav", "open", section],
        ["bookmarks", "add", chapter], ["bookmarks", "add", section],
        ["notes", "add", section, "Check the feet before you climb, on grass and on stone, and again each hour."],
        ["nav", "open", deck], ["review", "add", deck],
      ] {
        let answer = try home.waymark(arguments)
        #expect(answer.code == 0, "\(arguments): \(answer.errors)")
      }
      let next = try home.waymark("review", "next").output
      let key = try #require(next.firstMatch(of: /anchors-and-ranges ([0-9a-f]{16})/)?.1)
      _ = try home.waymark("review", "answer", deck, String(key), "good")
    }
  }

  private static let lists = [
    ["courses"], ["tree"], ["recents"], ["bookmarks"], ["attempts"], ["notes"], ["history"],
    ["history", "replay", "--session", "shell"], ["history", "leaving"], ["history", "stats", "--by", "lesson"],
    ["progress"], ["review", "due"], ["review", "list", "--limit", "3"], ["review", "log"],
  ]

  @Test(arguments: [60, 80, 120])
  func `no line is longer than the terminal, and titles keep 24 columns`(columns: Int) throws {
    let home = try HomeFixture(copying: Self.visited)

    for arguments in Self.lists {
      let terminal = try PseudoTerminal(columns: columns, rows: 120)
      try terminal.launch(BuiltProgram.path, arguments, environment: home.environment, directory: home.folder)
      #expect(try terminal.waitForExit() == .exited(0))
      let lines = terminal.text.trimmingLineEnds.lines.filter { !$0.isEmpty }
      let piped = try home.waymark(arguments).output.lines
      let wrapsCells = arguments == ["notes"]
      #expect(lines.allSatisfy { $0.count <= columns }, "\(arguments): \(lines)")
      #expect(wrapsCells || lines.count == piped.count, "\(arguments): \(lines)")
      // A truncated cell has at least 24 columns.
      let truncated = lines.flatMap { $0.matches(of: /(?:^|  )((?:[^ …]| (?! ))*…)/).map { String($0.1) } }
      #expect(truncated.allSatisfy { $0.count >= 24 || $0.hasPrefix("/") }, "\(columns) \(arguments): \(lines)")
      #expect(!terminal.output.contains(0x1B), "\(arguments)")
    }
  }

  @Test func `tables use the words of the source, and data for programs the same words for all sources`() throws {
    let home = try HomeFixture(copying: Self.visited)

    let courses = try home.waymark("courses").output
    #expect(courses.contains("1 part, 2 chapters, 2 sections"), "\(courses)")
    #expect(courses.contains("4 goals, 16 lessons, 52 activities"), "\(courses)")
    for arguments in [["tree", Self.chapter], ["bookmarks"], ["history", "--under", Self.chapter]] {
      let table = try home.waymark(arguments).output
      let json = try home.waymark(arguments + ["--format", "json"]).output
      #expect(table.contains("chapter") && table.contains("section"), "\(table)")
      #expect(!table.contains(#/ (goal|lesson|activity) /#), "\(table)")
      #expect(json.contains(/"kind" ?: ?"lesson"/) && json.contains(/"kind" ?: ?"activity"/), "\(json)")
    }
    let replay = try home.waymark("history", "replay", "--session", "shell").output
    #expect(replay.contains("section opens"), "\(replay)")
  }
}
