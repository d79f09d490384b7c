import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests a page whose sections are activities, which are joined into one activity by a later import.
struct JoinedSectionsTests {
  private let folder: TemporaryFolder
  private let library: CourseLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
  }

  private func importBook(words: Int) throws {
    let long = Array(repeating: "word", count: words).joined(separator: " ")
    let files = [
      "book/book.toml": "[book]\ntitle = \"Book\"\n", "book/src/SUMMARY.md": "- [A](a.md)\n- [B](b.md)\n",
      "book/src/a.md": "# A\n\n\(long)\n\n## One\n\n\(long)\n\n## Two\n\n\(long)\n", "book/src/b.md": "# B\n\nx\n",
    ]
    try FileManager.default.createDirectory(atPath: folder.file("book/src"), withIntermediateDirectories: true)
    for (name, text) in files { try folder.write(Data(text.utf8), to: name) }
    try library.importCourse(from: folder.file("book"))
  }

  @Test func `a joined section's path leads to the activity that contains it`() throws {
    try importBook(words: 900)
    let course = try #require(library.place(at: PlacePath("book")).node).id
    let section = PlacePath("book/a/a/two")
    let before = try library.place(at: section)
    try importBook(words: 90)

    let after = try library.place(at: section)
    let target = try #require(try library.target(of: "waymark:a.md#two", inCourse: course))
    try importBook(words: 900)

    #expect(before.node?.key == "a.md#two")
    #expect(after.node?.key == "a.md#")
    #expect(target.node.key == "a.md#" && target.anchor == "two")
    #expect(try library.place(at: section).node?.id == before.node?.id)
  }
}
