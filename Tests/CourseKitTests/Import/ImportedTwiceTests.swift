import CourseKit
import Foundation
import LearningModel
import TestSupport
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Tests that importing courses of every format twice reports no difference.
struct ImportedTwiceTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures").path

  /// The courses in `Fixtures`, as paths relative to that folder.
  private static let courses: [String] = {
    let formats = ["epub", "jupyter", "markdown-folder", "mdbook"]
    let inside = formats.flatMap { format in
      ((try? FileManager.default.contentsOfDirectory(atPath: fixtures + "/" + format)) ?? []).sorted()
        .map { format + "/" + $0 }
    }
    return ["english-for-business", "english-for-business.json"] + inside
  }()

  private func expectNoChange(importing path: String) throws {
    let folder = try TemporaryFolder()
    let library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }

    let first = try library.importCourse(from: path)
    let second = try library.importCourse(from: path)

    #expect(
      first.difference.added == first.counts.course + first.counts.goal + first.counts.lesson + first.counts.activity)
    #expect(second.difference.isEmpty && second.revision == first.revision, "\(path)")
    #expect(second.losses == first.losses && second.diagnostics == first.diagnostics)
    #expect(try library.check() == [])
  }

  @Test(arguments: courses) func `a fixture imported twice has no difference`(_ name: String) throws {
    try expectNoChange(importing: Self.fixtures + "/" + name)
  }

  @Test(
    .enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"),
    arguments: [
      "markdown/carpentries-shell-novice", "markdown/hugo-docs", "markdown/jupyterbook-scientific-python",
      "markdown/mkdocs-cs-self-learning", "jupyter/handson-ml3", "epub3/childrens-literature", "epub3/internallinks",
      "epub3/pride-and-prejudice", "mdbook/rust-book",
    ])
  func `a real course imported twice has no difference`(_ name: String) throws {
    try expectNoChange(importing: try #require(samples) + "/" + name)
  }
}
