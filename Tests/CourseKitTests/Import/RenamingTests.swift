import LearningModel
import Testing

@testable import CourseKit
@testable import LearningStore

struct RenamingTests {
  let fixture: LibraryFixture

  init() throws {
    fixture = try LibraryFixture()
    try fixture.importOutline(ReimportTests.before)
  }

  private func title(_ key: String) throws -> String? {
    try fixture.id(key).flatMap { id in try fixture.library.store.read { try $0.node(id)?.title } }
  }

  @Test func `renaming changes only the title and updates the search at once`() throws {
    let before = try fixture.drawing()

    let (previousTitle, newTitle) = try fixture.library.rename(PlacePath("english/meetings"), to: "  Sitting together ")

    #expect([previousTitle, newTitle] == ["Meetings", "Sitting together"])
    #expect(try fixture.drawing() == before.replacing("\"Meetings\"", with: "\"Sitting together\""))
    #expect(try fixture.path("meetings") == "english/meetings")
    #expect(try fixture.library.search("sitting").hits.map(\.path.description) == ["english/meetings"])
    #expect(try fixture.library.search("meetings").hits.isEmpty)
    #expect(try fixture.library.check() == [])
  }

  @Test func `a given name survives imports that update the author's title`() throws {
    for key in ["english", "english/meetings", "english/meetings/opening/agenda"] {
      try fixture.library.rename(PlacePath(key), to: "Mine")
    }

    let same = try fixture.importOutline(ReimportTests.before)
    let edited = try fixture.importOutline(
      ReimportTests.before.replacing("\"Meetings\"", with: "\"Gatherings\"")
        .replacing("Read the agenda.", with: "Read it."))

    #expect(same.difference.renamed == 0 && same.difference.changed == 0)
    #expect((edited.difference.renamed, edited.difference.changed) == (1, 1))
    #expect(try ["english", "meetings", "agenda"].map(title) == ["Mine", "Mine", "Mine"])
    #expect(try fixture.library.rename(PlacePath("english/meetings"), to: nil).now == "Gatherings")
    #expect(try fixture.library.rename(PlacePath("english"), to: nil).now == "English")
  }

  @Test func `renaming a place to its author's title removes the given name`() throws {
    try fixture.library.rename(PlacePath("english/meetings"), to: "Mine")
    try fixture.library.rename(PlacePath("english/meetings"), to: "Meetings")

    try fixture.importOutline(ReimportTests.before.replacing("\"Meetings\"", with: "\"Gatherings\""))

    #expect(try title("meetings") == "Gatherings")
    let node = try #require(try fixture.id("meetings"))
    #expect(try fixture.library.authorTitle(of: node) == nil)
  }

  @Test func `a removed course that is imported again keeps its given name`() throws {
    try fixture.library.rename(PlacePath("english"), to: "Mine")
    try fixture.library.remove(PlacePath("english"))

    try fixture.importOutline(ReimportTests.before)

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
      try fixture.library.rename(PlacePath(path), to: name)
    }
    #expect(throws: CourseLibraryError.self) { try fixture.library.rename(PlacePath("english/meeting"), to: "Mine") }
    #expect(try fixture.drawing() == ReimportTests.before)
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
