import Foundation
import GRDB
import TestSupport
import Testing

/// `waymark export --with-progress`, own cards in exports, and the way back.
struct AnkiRoundTripTests {
  /// A database with a course of two flashcards and a text; the first card is answered.
  private func home() throws -> HomeFixture {
    let home = try HomeFixture()
    let lesson = "deck/1-goal/1-lesson/"
    for (name, text) in [
      ("deck/course.yml", "title: Deck\nkey: deck\n"), ("deck/1-goal/goal.yml", "title: Goal\n"),
      (lesson + "lesson.yml", "title: Lesson\n"),
      (lesson + "1-cards.md", "---\ntitle: Cards\ntype: flashcards\n---\n## one\n\n1\n\n## two\n\n2\n"),
      (lesson + "2-page.md", "---\ntitle: Page\n---\nSome words.\n"),
    ] { try home.write(text, to: name) }
    for arguments in [["import", home.path("deck")], ["review", "add", "deck"]] {
      let answer = try home.waymark(arguments)
      try #require(answer.code == 0, "\(answer)")
    }
    let next = try home.waymark("review", "next", "--format", "json").output
    let card = try #require(try JSONDecoder().decode([Card].self, from: Data(next.utf8)).first)
    try #require(home.waymark("review", "answer", card.path, card.card, "easy").code == 0)
    return home
  }

  private struct Card: Decodable {
    let path: String
    let card: String
  }

  private func list(_ home: HomeFixture) throws -> String {
    try home.waymark("review", "list", "--format", "jsonl").output
  }

  @Test func `exported progress comes back into the same course without a second answer`() throws {
    let home = try home()
    let before = try list(home)

    let export = try home.waymark("export", "deck", "--with-progress", "--output", home.path("deck.apkg"))
    let back = try home.waymark("import", "--with-progress", home.path("deck.apkg"))

    #expect(export.code == 0 && back.code == 0, "\(export) \(back)")
    #expect(back.output.hasPrefix("Deck: no changes\n"))
    #expect(back.errors == "No card has new answers.\n")
    #expect(try list(home) == before)
    #expect(try home.waymark("courses", "--format", "csv").output.split(separator: "\n").count == 2)
  }

  @Test func `a note keeps the time of the last change of its card`() throws {
    let home = try home()
    func times() throws -> [String: Int64] {
      let output = home.path("out.apkg")
      try #require(home.waymark("export", "deck", "--force", "--output", output).code == 0)
      try #require(home.run("/usr/bin/unzip", ["-qo", output, "-d", home.path("out")]).code == 0)
      return try DatabaseQueue(path: home.path("out/collection.anki2")).read { database in
        try Row.fetchAll(database, sql: "SELECT sfld, guid, mod FROM notes").reduce(into: [:]) { times, row in
          times["\(row["sfld"] as String) \(row["guid"] as String)"] = row["mod"]
        }
      }
    }
    let first = try times()
    let file = "deck/1-goal/1-lesson/1-cards.md"
    let text = try String(contentsOfFile: home.path(file), encoding: .utf8)
    try DatabaseQueue(path: home.database.path).write { try $0.execute(sql: "UPDATE card SET changedAt = 1000") }

    try home.write(text.replacing("## one", with: "## the one"), to: file)
    try #require(home.waymark("import", home.path("deck")).code == 0)
    let second = try times()

    let one = try #require(first.keys.first { $0.hasPrefix("one ") })
    let two = try #require(first.keys.first { $0.hasPrefix("two ") })
    #expect(Set(second.keys) == ["the \(one)", two])
    #expect(second[two] == 1 && second["the \(one)"]! > 1)
  }

  @Test func `own cards are part of an export, and an import does not double them`() throws {
    let home = try home()
    try addOwnCard(to: home)

    for form in ["json", "anki-text"] {
      let answer = try home.waymark("export", "deck", "--as", form)
      #expect(answer.output.contains("Where is Oslo?"), "\(answer)")
      #expect(try !home.waymark("export", "deck", "--as", form, "--without-own-cards").output.contains("Oslo"))
    }
    try #require(home.waymark("export", "deck", "--as", "markdown", "--output", home.path("folder")).code == 0)
    let back = try home.waymark("import", home.path("folder"))
    #expect(back.output.hasPrefix("Deck: no changes"), "\(back)")
    home.environment["WAYMARK_DATABASE"] = home.path("other.sqlite")
    let other = try home.waymark("import", home.path("folder"))
    #expect(other.output.contains("3 activities"), "\(other)")
  }

  /// Adds an event that makes a card of the page, as the browser does.
  private func addOwnCard(to home: HomeFixture) throws {
    try DatabaseQueue(path: home.database.path).write { database in
      try database.execute(
        sql: """
          INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, at, orderedAt)
          SELECT '00000000-0000-4000-8000-000000000001', last.learner, last.session, last.sequence + 1, page.id, 'cardMade',
            '{"key":"own:1","front":"Where is Oslo?","back":"In Norway."}', last.at + 1, last.orderedAt + 1
          FROM activityEvent AS last, contentNode AS page
          WHERE page.title = 'Page' ORDER BY last.id DESC LIMIT 1
          """)
    }
    try #require(home.waymark("database", "rebuild").code == 0)
  }

  @Test func `a course from Anki goes back with its notes, and without them the export reports it`() throws {
    let home = try HomeFixture()
    try #require(home.waymark("import", Fixtures.path("anki/knots.apkg")).code == 0)
    let output = home.path("back.apkg")

    let export = try home.waymark("export", "knots", "--output", output)
    try DatabaseQueue(path: home.database.path).write { try $0.execute(sql: "DELETE FROM sourceNote") }
    let missing = try home.waymark("export", "knots", "--as", "anki-text")
    try #require(home.waymark("import", Fixtures.path("anki/knots.apkg")).code == 0)

    #expect(export.code == 0, "\(export)")
    #expect(
      missing.errors.hasPrefix("Could not export 'knots': its cards come from Anki, and their notes are not in"),
      "\(missing)")
    #expect(try home.waymark("export", "knots", "--as", "anki-text").output.contains("\nhitch\t"))
  }

  @Test func `progress is only exported as a package`() throws {
    let home = try HomeFixture.withDatabase()

    let answer = try home.waymark("export", "deck", "--as", "json", "--with-progress")

    #expect(answer.code == 64)
    #expect(
      answer.errors.contains(
        "--with-progress requires --as apkg: other formats have no place for answers and due dates."),
      "\(answer)")
  }
}
