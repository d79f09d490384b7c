import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Testing

/// Tests a page whose sections are activities that are joined into one activity when the page becomes shorter.
struct JoinedSectionsTests {
  private let fixture: NavigationFixture
  private let library: CourseLibrary
  private let section = "book/a/a/two"

  init() throws {
    fixture = try NavigationFixture()
    library = try CourseLibrary(databaseAt: fixture.database) { [fixture] in fixture.now }
    try importBook(words: 900)
  }

  private func importBook(words: Int) throws {
    let long = Array(repeating: "word", count: words).joined(separator: " ")
    let files = [
      "book.toml": "[book]\ntitle = \"Book\"\n", "src/SUMMARY.md": "- [A](a.md)\n- [B](b.md)\n",
      "src/a.md": "# A\n\n\(long)\n\n## One\n\n\(long)\n\n## Two\n\n\(long)\n", "src/b.md": "# B\n\nx\n",
    ]
    for (name, text) in files {
      let file = URL(filePath: fixture.folder + "/book/" + name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try library.importCourse(from: fixture.folder + "/book")
  }

  @Test func `a joined section's path leads to the activity that contains it`() throws {
    let service = try fixture.service()
    #expect(try service.places.named(.text(section)).title == "Two")

    try importBook(words: 90)
    #expect(try service.places.named(.text(section)).path.description == "book/a/a/a")
    #expect(try service.perform(.open(.text(section))).to.title == "A")
    #expect(try service.places.evenRemoved(.text(section)).title == "Two")

    try importBook(words: 900)
    #expect(try service.places.named(.text(section)).path.description == section)
  }

  @Test func `a reader of a joined section is moved to the joined activity, also when resuming`() throws {
    let service = try fixture.service()
    let away = try fixture.service("bob", session: .named("old"))
    _ = try service.perform(.open(.text(section)))
    _ = try away.perform(.open(.text(section)))

    fixture.advance(seconds: 60)
    try importBook(words: 90)

    #expect(try service.currentPlace().path.description == "book/a/a/a")
    fixture.advance(seconds: 5 * 3600)
    let step = try fixture.service("bob").perform(.resume)
    #expect(step.to.path.description == "book/a/a/a")
    #expect(try service.check() == [])
  }

  @Test func `a joined section's bookmark is kept for a later split`() throws {
    let service = try fixture.service()
    func marks() throws -> [String] { try service.notes.bookmarks().map { "\($0.title) \($0.path) \($0.isRemoved)" } }
    try service.notes.setBookmark(true, at: .text(section))

    try importBook(words: 90)
    #expect(try marks() == ["Two book/a/a/two true"])
    // The path now leads to another place, which can have its own bookmark.
    fixture.advance(seconds: 1)
    #expect(try service.notes.setBookmark(true, at: .text(section)))
    #expect(try marks() == ["A book/a/a/a false", "Two book/a/a/two true"])
    #expect(try service.notes.setBookmark(false, at: .text(section)))
    #expect(try marks() == ["A book/a/a/a false"])
    try service.notes.setBookmark(false, at: "book/a/a/a")

    try importBook(words: 900)
    #expect(try marks() == [])
    try service.notes.setBookmark(true, at: .text(section))
    try importBook(words: 90)
    try importBook(words: 900)
    #expect(try marks() == ["Two book/a/a/two false"])
  }

  @Test func `progress counts the joined activity and, after a split, all activities`() throws {
    let service = try fixture.service()
    func done() throws -> LearningProgress { try service.places.summary(of: "book/a").progress }
    for slug in ["a", "two"] { _ = try service.progress.record(.markedDone, in: .text("book/a/a/" + slug)) }
    #expect(try done() == LearningProgress(done: 2, total: 3))

    try importBook(words: 90)
    #expect(try done() == LearningProgress(done: 1, total: 1))
    try importBook(words: 900)

    #expect(try done() == LearningProgress(done: 2, total: 3))
  }
}
