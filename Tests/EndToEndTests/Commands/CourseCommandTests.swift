import Foundation
import TerminalHarness
import TestSupport
import Snapshots
import Testing

/// The commands that list and import courses, as used by scripts.
struct CourseCommandTests {
  @Test func `a query that is too long is refused with the limit`() throws {
    let home = try HomeFixture()
    _ = try home.waymark("import", "--bundled")

    let short = try home.waymark("search", "anchor", "--format", "jsonl")
    let long = try home.waymark("search", String(repeating: "anchor ", count: 1_000), "--format", "jsonl")

    #expect(short.output.contains("anchor"))
    #expect(short.errors == "")
    expectAnswer(
      long, code: 1,
      errors: "Could not search: the query has 7000 characters, and a query has at most 500. "
        + "Shorten it to the words that matter.\n")
  }

  @Test func `an import reports its changes, and a repeated import reports none`() throws {
    let home = try HomeFixture()

    let first = try home.waymark("import", "--bundled", "--format", "jsonl")
    let second = try home.waymark("import", "--bundled", "--format", "jsonl")
    let text = try home.waymark("import", "--bundled")

    let counts =
      #""counts":{"course":1,"goal":4,"lesson":16,"activity":52},"losses":[],"diagnostics":[],"joined":[],"removedWithRecords":[]}"#
    let source =
      #"{"source":"english-for-business.json","format":"waymark","course":"english-for-business","#
      + #""title":"English for Business","revision":1,"imported":true,"difference":{"#
    expectAnswer(
      first, code: 0,
      output: source
        + #""added":73,"moved":0,"renamed":0,"changed":0,"removed":0,"unchanged":0},"# + counts + "\n")
    expectAnswer(
      second, code: 0,
      output: source
        + #""added":0,"moved":0,"renamed":0,"changed":0,"removed":0,"unchanged":73},"# + counts + "\n")
    expectAnswer(
      text, code: 0,
      output: """
        English for Business: no changes
          format   waymark
          has      4 goals, 16 lessons, 52 activities

        """)
  }

  @Test func `the bundled course is imported only into an empty database, or if requested`() throws {
    let home = try HomeFixture()

    let first = try home.waymark("import", "--bundled", "--if-empty")
    let second = try home.waymark("import", "--bundled", "--if-empty")

    #expect(first.code == 0)
    #expect(first.output.hasPrefix("English for Business: imported as 'english-for-business'\n"))
    #expect(second == Answer(code: 0))
  }

  @Test(arguments: ["text", "text-%"])
  func `an imported or refused archive leaves no temporary files`(name: String) throws {
    let home = try HomeFixture()
    let folder = home.path("temporary")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    home.environment["TMPDIR"] = folder
    let texts = (1...3_000).map { number in
      ("course/1-goal/1-lesson/\(number)-\(name.replacing("%", with: "\(number)")).md", "# Text\n")
    }
    try Archives.zip([("course/course.yml", "title: Large\n")] + texts).write(to: home.folder.appending(path: "a.zip"))

    let answer = try home.waymark("import", "--dry-run", home.path("a.zip"))

    // If the names do not contain the number, all texts have the same key, which is refused because keys must be
    // unique.
    #expect(answer.code == (name == "text" ? 65 : 0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `a dry run of a source with errors reports only the errors`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()
    _ = try home.waymark("import", course)
    try home.write("title: One: two\n", to: "course/01-one/goal.yml")

    let dry = try home.waymark("import", course, "--dry-run")

    #expect(dry.code == 65 && dry.output == "")
    #expect(dry.errors.hasPrefix("01-one/goal.yml:1: error: The YAML is invalid: "))
  }

  @Test func `a dry run reports the changes and changes nothing`() throws {
    let home = try HomeFixture()
    let course = try home.writeCourse()
    _ = try home.waymark("import", course)
    try home.write("---\ntitle: The second text\n---\nOther words.\n", to: "course/01-one/01-first/02-second.md")
    try home.write("---\ntitle: Third\n---\nNew words.\n", to: "course/01-one/01-first/03-third.md")

    let dry = try home.waymark("import", course, "--dry-run")
    let tree = try home.waymark("tree", "--format", "csv")

    expectSnapshot("\(dry)", "dry")
    expectSnapshot(tree.output)
  }

  @Test func `an import and its dry run name renamed places, and removed places with records, as text and JSON`() throws
  {
    let home = try HomeFixture()
    let words = (0..<30).map { "rye\($0)" }.joined(separator: " ")
    for (name, text) in [("bread/rye", "Rye\n\n\(words)"), ("bread/oats", "Oats\n\nOats."), ("z", "Z\n\nLast.")] {
      try home.write("# \(text)\n", to: "notes/\(name).md")
    }
    let notes = home.path("notes")
    _ = try home.waymark("import", notes)
    _ = try home.waymark("bookmarks", "add", "notes/bread/oats")
    for name in ["rye", "oats"] { try FileManager.default.removeItem(atPath: home.path("notes/bread/\(name).md")) }
    try home.write("# Dark\n\n\(words)\n", to: "notes/bread/dark.md")

    let dry = try home.waymark("import", notes, "--dry-run")
    let json = try home.waymark("import", notes, "--dry-run", "--format", "jsonl")
    let imported = try home.waymark("import", notes)

    let lines = """
        history  1 renamed place keeps its history
          bread/rye is now bread/dark (similar text)
        removed  1 place with progress, notes, bookmarks or cards
          Oats (notes/bread/oats): bookmark

      """
    #expect(dry.output.hasSuffix(lines) && imported.output.hasSuffix(lines))
    let joined =
      ##""joined":[{"kind":"lesson","title":"Dark","key":"bread/rye","sourceKey":"bread/dark","evidence":"text"},"##
      + ##"{"kind":"activity","title":"Dark","key":"bread/rye#","sourceKey":"bread/dark#","evidence":"text"}],"##
    let removed =
      #""removedWithRecords":[{"kind":"lesson","title":"Oats","path":"notes/bread/oats","key":"bread/oats","#
      + #""records":["bookmark"]}]}"#
    #expect(json.output.hasSuffix(joined + removed + "\n"))
  }

  @Test func `the list of courses has the same keys in every format`() throws {
    let home = try HomeFixture.withBundledCourse()

    let table = try home.waymark("courses")
    let json = try home.waymark("courses", "--format", "json")
    let lines = try home.waymark("courses", "--format", "jsonl")
    let cells = try home.waymark("courses", "--format", "csv")

    #expect(
      table.output == """
        title                 path                  done  contents
        English for Business  english-for-business   0 %  4 goals, 16 lessons, 52 activities

        """)
    expectSnapshot(json.output)
    #expect(
      lines.output
        == #"{"path":"english-for-business","kind":"course","title":"English for Business","revision":1,"#
        + #""counts":{"course":1,"goal":4,"lesson":16,"activity":52},"progress":0}"# + "\n")
    #expect(
      cells.output == """
        path,kind,title,revision,counts.course,counts.goal,counts.lesson,counts.activity,progress
        english-for-business,course,English for Business,1,1,4,16,52,0

        """)
  }

  @Test func `a tree starts with the named place`() throws {
    let home = try HomeFixture.withBundledCourse()

    let table = try home.waymark("tree", "english-for-business/negotiating", "--depth", "1")
    let lines = try home.waymark("tree", "english-for-business/negotiating", "--depth", "0", "--format", "jsonl")
    let all = try home.waymark("tree", "--format", "jsonl")

    expectSnapshot(table.output)
    #expect(
      lines.output
        == #"{"path":"english-for-business/negotiating","kind":"goal","title":"Negotiating","depth":0,"position":1,"#
        + #""progress":0,"exercises":0,"passed":0}"# + "\n")
    #expect(all.output.lines.count == 73)
  }

  @Test func `an empty list is an empty array in JSON and a hint in a table`() throws {
    let home = try HomeFixture()

    #expect(try home.waymark("courses", "--format", "json") == Answer(code: 0, output: "[]\n"))
    #expect(
      try home.waymark("courses", "--format", "csv").output
        == "path,kind,title,revision,counts.course,counts.goal,counts.lesson,counts.activity,progress\n")
    try expectAnswer(
      home.waymark("courses"), code: 0,
      output: "No courses yet. Import one with 'waymark import SOURCE' or 'waymark import --bundled'.\n")
  }

  @Test func `an activity is shown as text without escape sequences`() throws {
    let home = try HomeFixture()
    _ = try home.waymark("import", try home.writeCourse())

    let answer = try home.waymark("show", "small/one/first/beginning")

    expectSnapshot("\(answer)")
  }

  @Test func `an activity is printed as Markdown and HTML, and its Markdown imports unchanged`() throws {
    let home = try HomeFixture()
    try home.write("key: forms\ntitle: Forms\n", to: "course/course.yml")
    let text = "# One\n\n> [!TIP] Hot\n>\n> Press <kbd>Ctrl</kbd>.\n\n$$\nx^2\n$$\n"
    try home.write(text, to: "course/g/l/one.md")
    _ = try home.waymark("import", home.path("course"))

    let markdown = try home.waymark("show", "forms/g/l/one", "--format", "markdown")
    let html = try home.waymark("show", "forms/g/l/one", "--format", "html").output
    let lesson = try home.waymark("show", "forms/g/l", "--format", "markdown").output
    try home.write(markdown.output, to: "course/g/l/one.md")
    let again = try home.waymark("import", home.path("course")).output

    #expect(markdown == Answer(code: 0, output: text))
    #expect(html.contains("<title>One</title>") && html.contains("<p class=\"admonition-title\">Tip: Hot</p>"))
    #expect(lesson == "# L\n\n- [One](forms/g/l/one)\n")
    #expect(again.hasPrefix("Forms: no changes"), "\(again)")
  }

  @Test func `strikethrough is Markdown in a pipe and an escape sequence on a terminal with colours`() throws {
    let home = try HomeFixture()
    try home.write("key: struck\ntitle: Struck\n", to: "course/course.yml")
    try home.write("# Price\n\nIt is ~~forty~~ **thirty**, ~~not `more`~~.\n", to: "course/g/l/price.md")
    _ = try home.waymark("import", home.path("course"))
    home.environment["CLICOLOR_FORCE"] = "1"
    let coloured = try home.waymark("show", "struck/g/l/price").output
    home.environment["CLICOLOR_FORCE"] = nil

    let answer = try home.waymark("show", "struck/g/l/price")

    #expect(answer == Answer(code: 0, output: "Price\n\nIt is ~~forty~~ thirty, ~~not more~~.\n"))
    #expect(coloured.contains("\u{1B}[9m") && !coloured.contains("~~"))
  }

  @Test func `an external link shows its address in a pipe`() throws {
    let home = try HomeFixture()
    try home.write("key: links\ntitle: Links\n", to: "course/course.yml")
    try home.write(
      "# One\n\n[A site](https://example.org/a), <https://example.org/b>, <ada@example.org>, [two](two.md) and [one](#end)."
        + "\n\n## End\n",
      to: "course/g/l/one.md")
    try home.write("# Two\n\nWords.\n", to: "course/g/l/two.md")
    _ = try home.waymark("import", home.path("course"))

    let answer = try home.waymark("show", "links/g/l/one")

    expectSnapshot("\(answer)")
  }

  /// Shows a text with a long paragraph, code, an address and a table.
  private func show(_ arguments: String...) throws -> Answer {
    let home = try HomeFixture()
    try home.write("key: long\ntitle: Long\n", to: "course/course.yml")
    try home.write(
      """
      # One

      Some words that go on for longer than any line of a page does, with `git commit --message "x y"` in them, \
      and <https://example.org/a-long/address/that-has/many-parts/words/and-an-end> behind them.

      ```
      let answer = [40, 2].reduce(0) { sum, number in sum + number } // and a comment that is as long as this
      ```

      | a | b |
      |---|---|
      | Some words that take more than there is room for | <https://example.org/of/a-cell/that-is-long> |
      """, to: "course/g/l/one.md")
    _ = try home.waymark("import", home.path("course"))
    return try home.waymark(["show", "long/g/l/one"] + arguments)
  }

  @Test func `in a pipe, a paragraph is one line, and code and tables are unchanged`() throws {
    try expectSnapshot("\(show())")
  }

  @Test func `a given width wraps lines, but not code and addresses`() throws {
    try expectSnapshot("\(show("--width", "30"))")
    #expect(try show("--width", "19").code == 64)
  }

  @Test func `a place with children shows them with their paths`() throws {
    let home = try HomeFixture()
    _ = try home.waymark("import", try home.writeCourse())

    let answer = try home.waymark("show", "small/one/first")

    expectSnapshot(answer.output)
  }

  @Test func `a quiz is shown with its answers only on request`() throws {
    let home = try HomeFixture.withBundledCourse()
    let path = "english-for-business/meetings/opening/agenda-anchor-action"

    let plain = try home.waymark("show", path)
    let answered = try home.waymark("show", path, "--answers")

    #expect(!plain.output.contains("✓"))
    #expect(answered.output.contains("[✓]  Anchor\n"))
    #expect(answered.output.contains("▎ It is the single question on which the half-hour hangs."))
  }

  @Test func `a search returns places with breadcrumbs and suggests corrections`() throws {
    let home = try HomeFixture.withBundledCourse()

    let match = try home.waymark(
      "search", "anchors", "ranges", "--kind", "activity", "--limit", "1", "--format", "json")
    let misspelled = try home.waymark("search", "negotiatng", "--limit", "1", "--format", "jsonl")
    let none = try home.waymark("search", "xylophone", "--format", "json")

    let row = try #require((match.output.json as? [[String: Any]])?.first)
    #expect(match.code == 0)
    #expect(Set(row.keys) == ["path", "kind", "title", "score", "snippet", "breadcrumb"])
    #expect(row["path"] as? String == "english-for-business/negotiating/opening-offers/anchors-and-ranges")
    #expect(row["kind"] as? String == "activity")
    #expect(row["title"] as? String == "Anchors and ranges")
    #expect(row["breadcrumb"] as? [String] == ["English for Business", "Negotiating", "Opening offers"])
    #expect(misspelled.errors == "Did you mean 'negotiating'?\n")
    #expect(misspelled.output.lines.count == 1)
    #expect(none == Answer(code: 0, output: "[]\n", errors: "No results for 'xylophone'.\n"))
  }

  @Test func `a search hides the answers of a quiz until it is done`() throws {
    let home = try HomeFixture.withBundledCourse()
    let search = ["search", "weather reports changeable", "--format", "json"]
    func snippet() throws -> String? {
      ((try home.waymark(search).output.json as? [[String: Any]])?.first)?["snippet"] as? String
    }

    let hidden = try snippet()
    _ = try home.waymark("progress", "mark", "english-for-business/negotiating/closing-the-deal/signed-or-not", "done")

    #expect(hidden == "Yes, no, and the many English noises in between.")
    #expect(try snippet()?.contains("weather reports") == true)
  }

  @Test func `truncated search results use ASCII symbols if required`()
    throws
  {
    let home = try HomeFixture.withBundledCourse()
    let search = ["search", "loud", "quiet", "--limit", "1"]
    let usual = try home.waymark(search).output
    home.environment["WAYMARK_SYMBOLS"] = "ascii"

    let ascii = try home.waymark(search).output
    home.environment["WAYMARK_SYMBOLS"] = nil
    home.environment["LANG"] = "C"
    let piped = try home.waymark(search).output
    let terminal = try PseudoTerminal(columns: 120, rows: 24)
    try terminal.launch(BuiltProgram.path, search, environment: home.environment, directory: home.folder)
    #expect(try terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))

    #expect(usual.contains("English for Business › Meetings › Steering\n") && usual.contains("…"))
    #expect(ascii == usual.replacing(" › ", with: " > ").replacing("…", with: "..."))
    #expect(piped == usual)
    #expect(terminal.text.contains("English for Business > Meetings > Steering"))
  }

  @Test func `words inside runs without blanks are found in titles and texts`() throws {
    let home = try HomeFixture()
    try home.write("key: kosho\ntitle: ビジネス交渉\n", to: "course/course.yml")
    try home.write("title: 上手な交渉\n", to: "course/01-交渉/goal.yml")
    try home.write("title: 最初の提示\n", to: "course/01-交渉/01-提示/lesson.yml")
    try home.write(
      "---\ntitle: 価格交渉の準備\n---\n数字を一つ言ったら、そこで止まりましょう。多くの人は沈黙を自分で埋めてしまいます。",
      to: "course/01-交渉/01-提示/01-準備.md")
    let imported = try home.waymark("import", home.path("course"))
    #expect(imported.code == 0, "\(imported)")

    let silence = try home.waymark("search", "沈黙")
    let offer = try home.waymark("search", "の提", "--format", "jsonl")

    expectSnapshot(silence.output)
    #expect(offer.output.lines.count == 1 && offer.output.contains("最初の提示"))
    #expect(try home.waymark("database", "check").output == "No problems found.\n")
  }

  @Test func `the formats describe how sources map to goals, lessons and activities`() throws {
    let home = try HomeFixture()

    let answer = try home.waymark("formats", "--format", "json")

    let rows = try #require(answer.output.json as? [[String: String]])
    let names = [
      "waymark", "rustlings", "exercism", "github-classroom", "mdbook", "epub", "anki", "jupyter", "markdown",
      "document", "html", "text",
    ]
    #expect(rows.map { $0["name"] } == names)
    #expect(rows.allSatisfy { Set($0.keys) == ["name", "summary", "goal", "lesson", "activity"] })
  }

  @Test func `an exported course can be imported without differences, even into the same database`() throws {
    let home = try HomeFixture.withBundledCourse()
    let file = home.path("course.json")

    let export = try home.waymark("export", "english-for-business", "--output", file)
    let again = try home.waymark("import", file)
    let standard = try home.waymark("export", "english-for-business")
    let elsewhere = try home.waymark("import", file, "--database", home.path("other.sqlite"), "--format", "json")

    #expect(export == Answer(code: 0, output: "Wrote the course “English for Business” to '\(file)'.\n"))
    #expect(again.output.hasPrefix("English for Business: no changes\n"))
    #expect(standard.output == (try String(contentsOfFile: file, encoding: .utf8)))
    #expect(elsewhere.output.contains(#""added": 73"#))
  }

  @Test func `the report names the new keys of renamed pages`() throws {
    let home = try HomeFixture()
    let text = "# Traits\n\n" + (1...40).map { "word\($0)" }.joined(separator: " ") + ".\n"
    try home.write("[book]\ntitle = \"Rust\"\n", to: "rust/book.toml")
    try home.write("# Summary\n\n- [One](one.md)\n- [Traits](more/traits.md)\n", to: "rust/src/SUMMARY.md")
    try home.write("# One\n\nText.\n", to: "rust/src/one.md")
    try home.write(text, to: "rust/src/more/traits.md")
    _ = try home.waymark("import", "rust")
    try home.write("# Summary\n\n- [One](one.md)\n- [Traits](more/objects.md)\n", to: "rust/src/SUMMARY.md")
    try FileManager.default.removeItem(atPath: home.path("rust/src/more/traits.md"))
    try home.write(text, to: "rust/src/more/objects.md")

    let again = try home.waymark("import", "rust")

    #expect(
      again.output.contains(
        "history  1 renamed place keeps its history\n    more/traits.md is now more/objects.md (same title)\n"),
      "\(again)")
  }

  @Test func `removing a course requires a confirmation and keeps its history`() throws {
    let home = try HomeFixture.withBundledCourse()
    _ = try home.waymark("nav", "open", "english-for-business/writing")

    let refused = try home.waymark("remove", "english-for-business")
    let removed = try home.waymark("remove", "english-for-business", "--yes")
    let history = try home.waymark("history", "--operation", "open", "--format", "jsonl")

    expectAnswer(
      refused, code: 1,
      errors:
        "Could not remove 'english-for-business': confirmation is required, and there is no terminal to ask for it. "
        + "Add --yes.\n"
    )
    expectAnswer(removed, code: 0, output: "Removed “English for Business” with 73 places. Its history is kept.\n")
    #expect(history.output.contains(#""to":{"path":"english-for-business/writing","kind":"goal","title":"Writing"}"#))
    #expect(try home.waymark("courses", "--format", "json").output == "[]\n")
  }
}
