import CourseKit
import Foundation
import LearningModel
import LearningStore
import TestSupport
import Testing

// The program of the front page, copied literally.
func shelf(in path: String, with source: String) throws -> [String] {
  let library = CourseLibrary(try LearningDatabase(.file(path)))
  let preview = try library.importCourse(from: source, options: ImportOptions(isDryRun: true))
  let report = try library.importCourse(from: source) { progress in
    if case .reading(let count) = progress { print("\(count) places so far") }
  }

  var lines = ["\(preview.difference.added) to add, imported \(report.imported)"]
  guard let course = report.course else { return lines }
  for entry in try library.tree(from: course) {
    lines.append(String(repeating: "  ", count: entry.depth) + entry.title)
  }
  let hits = try library.search("meeting", in: course).hits
  lines += hits.map { "found \($0.title)" }

  // Its own format imports back to the same course.
  let text = try library.export(course)
  let again = try library.importCourse(named: "garden.json", bytes: Array(text.utf8))
  lines.append("again: \(again.difference.unchanged) unchanged")
  try library.remove(course)
  return lines
}

struct FrontPageTests {
  private let testFolder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test func `the program of the front page runs and returns the documented lines`() throws {
    let folder = try TemporaryFolder()
    let source = testFolder.appending(path: "../../Fixtures/english-for-business.json").standardized.path

    let lines = try shelf(in: folder.file("waymark.sqlite"), with: source)

    #expect(lines.first?.hasSuffix("to add, imported true") == true)
    #expect(lines.dropFirst().first == "English for Business")
    #expect(lines.contains { $0.hasPrefix("found ") })
    let count = lines.filter { !$0.hasPrefix("found ") }.count - 2
    #expect(lines.last == "again: \(count) unchanged")
  }

  @Test func `the front page shows the program that runs`() throws {
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let page = try String(
      contentsOf: testFolder.appending(path: "../../Sources/CourseKit/Documentation.docc/CourseKit.md").standardized,
      encoding: .utf8)
    let program = try #require(
      source.components(separatedBy: "copied literally.\n").dropFirst().first?
        .components(separatedBy: "\n\nstruct FrontPageTests").first)

    #expect(page.contains("```swift\n\(program)\n```"))
  }
}
