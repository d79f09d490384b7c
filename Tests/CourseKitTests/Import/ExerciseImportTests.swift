import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseKit
@testable import LearningStore

struct ExerciseImportTests {
  private let folder: TemporaryFolder
  private let fixture: LibraryFixture

  init() throws {
    folder = try TemporaryFolder()
    fixture = try LibraryFixture()
  }

  private static let task = """
    ---
    title: Sum
    language: python
    check: python3 test_sum.py
    ---
    Add marmots.

    ## Hint

    Use a wombat.

    ## Solution

    Write quokka.

    """

  /// Creates a course with one exercise.
  private func course(_ files: [String: String]) throws -> String {
    let path = folder.file("course")
    try? FileManager.default.removeItem(atPath: path)
    let exercise = path + "/1-g/1-l/1-sum"
    try FileManager.default.createDirectory(atPath: exercise, withIntermediateDirectories: true)
    try folder.write(Data("title: C\nkey: c".utf8), to: "course/course.yml")
    try folder.write(Data(Self.task.utf8), to: "course/1-g/1-l/1-sum/exercise.md")
    for (name, text) in files { try folder.write(Data(text.utf8), to: "course/1-g/1-l/1-sum/" + name) }
    return path
  }

  private func exercise() throws -> Exercise? {
    guard case .exercise(let exercise) = try fixture.library.content(at: PlacePath("c/g/l/sum")) else { return nil }
    return exercise
  }

  private func texts() throws -> [String: String] {
    let files = try #require(try exercise()).files
    return Dictionary(
      uniqueKeysWithValues: try files.map { file in
        (file.path, String(decoding: try #require(try fixture.library.bytes(of: file)), as: UTF8.self))
      })
  }

  private func storedFiles() throws -> Int? {
    try fixture.library.store.read { try $0.value("SELECT count(*) FROM picture") }
  }

  private static let files = ["sum.py": "def sum(): pass\n", "test_sum.py": "import sum\n", "empty.py": ""]

  @Test func `files are stored with the course, replaced by an edition, and deleted with the course`() throws {
    try fixture.library.importCourse(from: course(Self.files))
    let first = (texts: try texts(), count: try storedFiles())
    let changed = Self.files.merging(["sum.py": "def sum(): ...\n"]) { $1 }
    let report = try fixture.library.importCourse(from: course(changed))
    let second = (texts: try texts(), count: try storedFiles())
    try fixture.library.remove(PlacePath("c"))

    #expect(first.texts == Self.files && first.count == 2)
    #expect(report.difference.changed == 1)
    #expect(second.texts == changed && second.count == 2)
    #expect(try storedFiles() == 0)
  }

  @Test func `a change of a file alone is a change of the course, and no change is none`() throws {
    try fixture.library.importCourse(from: course(Self.files))

    let same = try fixture.library.importCourse(from: course(Self.files))

    #expect(same.difference.isEmpty)
  }

  @Test(arguments: ["json", "zip"])
  func `a course with exercises is equal after an export and an import`(_ form: String) throws {
    try fixture.library.importCourse(from: course(Self.files))
    let before = (try exercise(), try texts())
    var bytes: [UInt8] = []
    if form == "json" {
      bytes = Array(try fixture.library.export(PlacePath("c")).utf8)
    } else {
      try fixture.library.exportArchive(PlacePath("c")) {
        bytes += $0
        return true
      }
    }
    try folder.write(Data(bytes), to: "c." + form)
    try fixture.library.remove(PlacePath("c"))

    let report = try fixture.library.importCourse(from: folder.file("c." + form))

    #expect(report.diagnostics == [] && report.imported)
    #expect(try exercise() == before.0)
    #expect(try texts() == before.1)
    #expect(try fixture.library.store.read { try $0.contentProblems() } == [])
  }

  @Test(arguments: [("marmots", 1), ("wombat", 1), ("quokka", 0), ("def", 0), ("sum", 1)])
  func `search finds the task and the hints, and neither the solution nor files`(_ word: String, _ count: Int) throws {
    try fixture.library.importCourse(from: course(Self.files))

    #expect(try fixture.library.search(word).hits.count == count)
  }
}
