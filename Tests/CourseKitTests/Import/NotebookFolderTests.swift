import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

/// Tests a folder of notebooks that is edited and imported again.
struct NotebookFolderTests {
  private let folder: TemporaryFolder
  private let library: CourseLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
  }

  private func write(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder.file("bread"), withIntermediateDirectories: true)
    let cell = "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"\(text)\"}], \"nbformat\": 4}"
    try folder.write(Data((name.hasSuffix("ipynb") ? cell : text).utf8), to: "bread/" + name)
  }

  @Test func `a folder of notebooks imported twice has no difference`() throws {
    try write("1-dough.ipynb", "# Dough\\n\\nWater and flour.")
    try write("2-oven.ipynb", "It is hot.")
    let first = try library.importCourse(from: folder.file("bread"))

    let second = try library.importCourse(from: folder.file("bread"))

    #expect(first.format == "jupyter" && first.difference.added == 6)
    #expect(second.difference.isEmpty && second.revision == first.revision)
  }

  @Test func `adding Markdown to a folder of notebooks changes the format but no key`() throws {
    try write("1-dough.ipynb", "Words.")
    try write("2-oven.ipynb", "Words.")
    _ = try library.importCourse(from: folder.file("bread"))
    try write("3-cooling.md", "Words.")

    let report = try library.importCourse(from: folder.file("bread"))

    #expect(report.format == "markdown")
    #expect(report.difference.removed == 0 && report.difference.added == 2)
  }
}
