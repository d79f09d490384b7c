import Foundation
import Testing

/// A course that is edited and imported again. The learner's data must be preserved.
struct ReimportJourneyTests {
  private let home: HomeFixture

  init() throws { home = try HomeFixture(copying: Self.before) }

  private static let before = Result { try HomeFixture.original(walk) }

  /// The learner's activity before the course is edited.
  private static func walk(_ home: HomeFixture) throws {
    try #require(home.waymark("import", home.write(EditedBookSource.before, to: "book.json")).code == 0)
    let openings = [
      ("desk", "meetings/opening/greeting"), ("phone", "meetings/closing/farewell"),
      ("sofa", "negotiating/offers/brief"),
      ("train", "negotiating/offers/anchor"), ("bath", "meetings/closing/thanks"),
    ]
    for (session, place) in openings {
      try #require(home.waymark("nav", "open", "english/" + place, "--session", session).code == 0)
    }
    for place in ["meetings/opening/greeting", "meetings/closing/farewell", "negotiating/offers/anchor"] {
      try #require(home.waymark("bookmarks", "add", "english/" + place).code == 0)
      try #require(home.waymark("progress", "mark", "english/" + place, "done").code == 0)
    }
  }

  private func importBook(_ text: String, _ more: String...) throws -> Answer {
    try home.waymark(["import", home.write(text, to: "book.json")] + more)
  }

  private func list(_ arguments: String...) throws -> [[String: Any]] {
    let answer = try home.waymark(arguments + ["--format", "json"])
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return try #require(answer.output.json as? [[String: Any]])
  }

  /// The parts of the history that must not change.
  private func happenings() throws -> [String] {
    try list("history").reversed().map { row in
      let to = row["to"] as? [String: Any] ?? [:]
      return ["id", "uuid", "session", "sequence", "operation", "at"].map { "\(row[$0] ?? "")" }.joined(separator: " ")
        + " \(to["title"] ?? "")"
    }
  }

  private func bookmarks(removed: Bool = false) throws -> Set<String> {
    try Set(list("bookmarks").filter { $0["removed"] as? Bool == removed }.compactMap { $0["path"] as? String })
  }

  private func done(_ place: String) throws -> Int? {
    try list("progress", "english").first { $0["path"] as? String == "english" + place }?["done"] as? Int
  }

  /// Returns the path of a session's current place.
  private func place(of session: String) throws -> String? {
    let answer = try home.waymark("nav", "pop", "--dry-run", "--session", session, "--format", "json")
    return ((answer.output.json as? [String: Any])?["from"] as? [String: Any])?["path"] as? String
  }

  @Test func `the history remains unchanged, and removed places keep their titles in it`() throws {
    let before = try happenings()

    try #require(importBook(EditedBookSource.after).code == 0)

    let after = try happenings()
    #expect(Array(after.prefix(before.count)) == before.map { $0.replacing("Anchor", with: "Anchoring") })
    let added = try list("history").prefix(after.count - before.count)
    #expect(added.allSatisfy { $0["operation"] as? String == "repair" && $0["cause"] as? String == "system" })
    #expect(try home.waymark("history").output.contains("Greeting"))
    #expect(try home.waymark("history", "--text", "thanks").output.contains("Thanks"))
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `open sessions move with their places, or to the parent of removed places`() throws {
    try #require(importBook(EditedBookSource.after).code == 0)

    let places = try ["desk", "phone", "sofa", "train", "bath"].map(place)

    #expect(
      places == [
        "english/meetings/opening", "english/meetings/opening/farewell", "english/negotiating/offers/brief",
        "english/negotiating/offers/anchor", "english/meetings",
      ])
  }

  @Test func `bookmarks and progress move with their places and return with restored ones`() throws {
    let all: Set = [
      "english/meetings/opening/greeting", "english/meetings/closing/farewell", "english/negotiating/offers/anchor",
    ]
    #expect(try bookmarks() == all)
    #expect(try done("") == 3)

    try #require(importBook(EditedBookSource.after).code == 0)
    #expect(try bookmarks() == ["english/meetings/opening/farewell", "english/negotiating/offers/anchor"])
    #expect(try bookmarks(removed: true) == ["english/meetings/opening/greeting"])
    #expect(try home.waymark("bookmarks").output.contains("activity, removed  english/meetings/opening/greeting"))
    #expect(try done("") == 2)

    try #require(importBook(EditedBookSource.before).code == 0)
    #expect(try bookmarks() == all)
    #expect(try done("") == 3)
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `a bookmark of a removed place can be removed but not added`() throws {
    try #require(importBook(EditedBookSource.after).code == 0)
    let greeting = "english/meetings/opening/greeting"

    let removed = try home.waymark("bookmarks", "remove", greeting)
    let added = try home.waymark("bookmarks", "add", greeting)

    #expect(removed == Answer(code: 0, output: "Removed the bookmark for “Greeting”.\n"))
    #expect(added.code == 1 && added.errors.contains("it is no longer in the course"))
    #expect(try bookmarks(removed: true) == [])
  }

  @Test func `links to moved places work, and links to removed ones name the remaining parent`()
    throws
  {
    try #require(importBook(EditedBookSource.after).code == 0)

    for (link, place) in [
      ("meetings/closing/farewell", "meetings/opening/farewell"),
      ("negotiating/offers/anchor", "negotiating/offers/anchor"),
      ("negotiating/offers/brief", "negotiating/offers/brief"), ("meetings/opening/agenda", "meetings/opening/agenda"),
    ] {
      let answer = try home.waymark("nav", "open", "english/" + link, "--dry-run", "--format", "json")
      let to = (answer.output.json as? [String: Any])?["to"] as? [String: Any]
      #expect(to?["path"] as? String == "english/" + place)
    }
    let removed = try home.waymark("nav", "open", "english/meetings/opening/greeting")
    #expect(removed.code == 1)
    #expect(removed.errors.contains("english/meetings/opening"))
  }

  @Test func `a destructive import is refused without changes unless it is confirmed`() throws {
    let bookmarked = try bookmarks()
    let events = try happenings()
    let tree = try home.waymark("tree").output

    let destructive = try importBook(EditedBookSource.ruin)
    let other = try home.waymark("import", Fixtures.path("mdbook/with-parts"), "--key", "english")
    let broken = try importBook(EditedBookSource.after.replacing("\"key\": \"anchor\"", with: "\"key\": \"range\""))

    #expect(destructive.code == 65 && other.code == 65 && broken.code == 65)
    #expect(destructive.errors.contains("--replace"))
    #expect(other.errors.contains("--replace") && other.errors.contains("--key"))
    #expect(broken.errors.contains("book.json:"))
    #expect(try happenings() == events)
    #expect(try home.waymark("tree").output == tree)
    #expect(try bookmarks() == bookmarked)
    #expect(try importBook(EditedBookSource.ruin, "--replace").code == 0, "--replace confirms the import")
    #expect(try importBook(EditedBookSource.before).code == 0)
    #expect(try bookmarks() == bookmarked)
    #expect(try done("") == 3)
  }
}
