import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests sources whose names lead to the same key.
struct SameNameTests {
  private let folder: TemporaryFolder
  private let library: CourseLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
    try write("# Ladders\n\nThree points of contact.\n", to: "a/book/README.md")
    try write("# Ropes\n\nTie a knot.\n", to: "b/book/README.md")
  }

  private func write(_ text: String, to name: String) throws {
    let file = URL(filePath: folder.file(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(atPath: folder.file(old), toPath: folder.file(new))
  }

  @discardableResult
  private func importSource(_ name: String, _ options: ImportOptions = ImportOptions()) throws -> ImportReport {
    try library.importCourse(from: folder.file(name), options: options)
  }

  /// Returns the titles of the courses by their paths.
  private func titles() throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try library.courses().map { ($0.path.description, $0.title) })
  }

  @Test func `a source with the name of another one becomes a second course, and the report names both`() throws {
    try importSource("a/book")

    let dry = try importSource("b/book", ImportOptions(isDryRun: true))
    let report = try importSource("b/book")

    #expect(dry.key == "book-2" && report.key == "book-2")
    #expect(
      report.diagnostics == [
        Diagnostic(
          severity: .warning, file: "book",
          message: "The key 'book' belongs to the course from '\(folder.file("a/book"))', so this course has the key "
            + "'book-2'. To update the other course instead, import this source with the key 'book'.")
      ])
    #expect(try titles() == ["ladders": "Ladders", "ropes": "Ropes"])
  }

  @Test func `each source updates its own course`() throws {
    try importSource("a/book")
    try importSource("b/book")
    try write("# Ropes\n\nTie two knots.\n", to: "b/book/README.md")

    let ladders = try importSource("a/book")
    let ropes = try importSource("b/book")
    let updated = try library.update(PlacePath("ladders"))

    #expect(ladders.key == "book" && ladders.difference.isEmpty && ladders.diagnostics == [])
    #expect(ropes.key == "book-2" && ropes.difference.changed > 0 && ropes.diagnostics == [])
    #expect(updated.key == "book" && updated.difference.isEmpty)
    #expect(try titles() == ["ladders": "Ladders", "ropes": "Ropes"])
  }

  @Test func `single files of two formats next to each other are two courses`() throws {
    try write("# Ladders\n\nThree points of contact.\n", to: "notes.md")
    try write("<h1>Ropes</h1><p>Tie a knot.</p>", to: "notes.html")

    let keys = try ["notes.md", "notes.html", "notes.md", "notes.html"].map { try importSource($0).key }

    #expect(keys == ["notes", "notes-2", "notes", "notes-2"])
  }

  @Test func `a moved source, and a source with the same content, remain the same course`() throws {
    try importSource("a/book")

    try write("# Ladders\n\nThree points of contact.\n", to: "c/book/README.md")
    let copied = try importSource("c/book")
    try FileManager.default.removeItem(atPath: folder.file("c"))
    try FileManager.default.removeItem(atPath: folder.file("a"))
    try write("# Ladders\n\nFour points of contact.\n", to: "d/book/README.md")
    let moved = try importSource("d/book")

    #expect(copied.key == "book" && copied.difference.isEmpty)
    #expect(moved.key == "book" && moved.difference.removed == 0)
    #expect(try titles() == ["ladders": "Ladders"])
  }

  @Test func `a source that was moved without a change is updated from its new place`() throws {
    try importSource("a/book")
    try move("a", to: "c")

    let moved = try importSource("c/book")
    let updated = try library.update(PlacePath("ladders"))

    #expect(moved.key == "book" && moved.difference.isEmpty)
    #expect(updated.key == "book" && updated.difference.isEmpty)
  }

  @Test func `a key that the user or the source names belongs to the same course`() throws {
    try importSource("a/book")
    try write("key: book\ntitle: Stairs\n", to: "c/stairs/course.yml")
    try write("# One step\n\nText.\n", to: "c/stairs/1-goal/1-lesson/1-step.md")

    let named = try importSource("b/book", ImportOptions(key: "book", replaces: true))
    let written = try importSource("c/stairs", ImportOptions(replaces: true))

    #expect(named.key == "book" && !named.diagnostics.contains { $0.message.contains("belongs") })
    #expect(written.key == "book" && !written.diagnostics.contains { $0.message.contains("belongs") })
    #expect(try library.courses().map(\.title) == ["Stairs"])
  }

  @Test func `a file that is replaced by a course with another written key does not change the first course`() throws {
    func course(_ key: String) -> String {
      #"{"waymark": 1, "course": {"key": "\#(key)", "title": "\#(key)", "children": [{"key": "g", "title": "G", "#
        + #""children": [{"key": "l", "title": "L", "children": [{"key": "a", "title": "A", "reading": "T"}]}]}]}}"#
    }
    try write(course("one"), to: "course.json")
    try importSource("course.json")
    try write(course("two"), to: "course.json")

    let report = try importSource("course.json")

    #expect(report.key == "two")
    #expect(try titles() == ["one": "one", "two": "two"])
  }

  @Test func `a source that was imported with a key of its own keeps this key`() throws {
    try importSource("a/book", ImportOptions(key: "ladders"))

    #expect(try importSource("a/book").key == "ladders")
    #expect(try importSource("b/book").key == "book")
  }

  @Test func `keys that differ only in their Unicode form are one course`() throws {
    try write("# Thé\n\nText.\n", to: "x/the.md")
    let first = try importSource("x/the.md", ImportOptions(key: "th\u{E9}"))
    let second = try importSource("x/the.md", ImportOptions(key: "the\u{301}"))

    #expect(first.imported && second.difference.isEmpty)
    #expect(try library.courses().count == 1)
    #expect(try library.place(at: PlacePath("the\u{301}")) == library.place(at: PlacePath("th\u{E9}")))
  }
}
