import LearningModel
import Testing

@testable import CourseKit
@testable import LearningStore

struct RenamingTests {
  let shelf: LibraryFixture

  init() throws {
    shelf = try LibraryFixture()
    try shelf.importOutline(ReimportTests.before)
  }

  private func title(_ key: String) throws -> String? {
    try shelf.id(key).flatMap { id in try shelf.library.store.read { try $0.node(id)?.title } }
  }

  @Test func `renaming changes only the title and updates the search at once`() throws {
    let before = try shelf.drawing()

    let (was, now) = try shelf.library.rename(PlacePath("english/meetings"), to: "  Sitting together ")

    #expect([was, now] == ["Meetings", "Sitting together"])
    #expect(try shelf.drawing() == before.replacing("\"Meetings\"", with: "\"Sitting together\""))
    #expect(try shelf.path("meetings") == "english/meetings")
    #expect(try shelf.library.search("sitting").hits.map(\.path.description) == ["english/meetings"])
    #expect(try shelf.library.search("meetings").hits.isEmpty)
    #expect(try shelf.library.check() == [])
  }

  @Test func `a given name survives imports that update the author's title`() throws {
    for key in ["english", "english/meetings", "english/meetings/opening/agenda"] {
      try shelf.library.rename(PlacePath(key), to: "Mine")
    }

    let same = try shelf.importOutline(ReimportTests.before)
    let edited = try shelf.importOutline(
      ReimportTests.before.replacing("\"Meetings\"", with: "\"Gatherings\"")
        .replacing("Read the agenda.", with: "Read it."))

    #expect(same.difference.renamed == 0 && same.difference.changed == 0)
    #expect((edited.difference.renamed, edited.difference.changed) == (1, 1))
    #expect(try ["english", "meetings", "agenda"].map(title) == ["Mine", "Mine", "Mine"])
    #expect(try shelf.library.rename(PlacePath("english/meetings"), to: nil).now == "Gatherings")
    #expect(try shelf.library.rename(PlacePath("english"), to: nil).now == "English")
  }

  @Test func `renaming a place to its author's title removes the given name`() throws {
    try shelf.library.rename(PlacePath("english/meetings"), to: "Mine")
    try shelf.library.rename(PlacePath("english/meetings"), to: "Meetings")

    try shelf.importOutline(ReimportTests.before.replacing("\"Meetings\"", with: "\"Gatherings\""))

    #expect(try title("meetings") == "Gatherings")
    let node = try #require(try shelf.id("meetings"))
    #expect(try shelf.library.authorTitle(of: node) == nil)
  }

  @Test func `a removed course that is imported again keeps its given name`() throws {
    try shelf.library.rename(PlacePath("english"), to: "Mine")
    try shelf.library.remove(PlacePath("english"))

    try shelf.importOutline(ReimportTests.before)

    #expect(try title("english") == "Mine")
  }

  @Test(
    arguments: [
      ("english", "", RenamingObstacle.blank), ("english", " \n", .blank), ("english", "two\nlines", .severalLines),
      ("english", "\u{1B}[2J", .severalLines),
      ("english", String(repeating: "x", count: 201), .tooLong(characters: 201)),
      ("/", "All", .root),
    ])
  func `an invalid name is refused and changes nothing`(path: String, name: String, reason: RenamingObstacle)
    throws
  {
    #expect(throws: CourseLibraryError.cannotRename(path: PlacePath(path), reason: reason)) {
      try shelf.library.rename(PlacePath(path), to: name)
    }
    #expect(throws: CourseLibraryError.self) { try shelf.library.rename(PlacePath("english/meeting"), to: "Mine") }
    #expect(try shelf.drawing() == ReimportTests.before)
  }

  @Test func `each refusal of a name states a remedy`() {
    let path = PlacePath("english")

    #expect(
      [RenamingObstacle.root, .blank, .tooLong(characters: 201), .severalLines].map {
        CourseLibraryError.cannotRename(path: path, reason: $0).description
      } == [
        "Could not rename 'english': the list of courses cannot be renamed. Name a course or a place in a course.",
        "Could not rename 'english': the name is empty. Write at least one letter.",
        "Could not rename 'english': the name has 201 characters. Write one of at most 200.",
        "Could not rename 'english': the name has line breaks or control characters. Write it on one line.",
      ])
    #expect(CourseLibraryError.cannotRename(path: path, reason: .blank).kind == .refused)
  }
}
