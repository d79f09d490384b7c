import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

/// Compares courses that are read from folders with snapshots: the outline, the text of each activity, the losses and the
/// diagnostics.
struct FolderCaseTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")

  /// The names of the files in the folder `Cases`. Each name states a behaviour. The folders name the programs.
  private static let cases = FileManager.default.subpaths(atPath: folder.path)!.filter { $0.hasSuffix(".txt") }.sorted()

  /// Reads the files of a folder from a case. Each file begins with a line `=== path`.
  private func files(of name: String) throws -> [String: String] {
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    let parts = ("\n" + text.dropLast()).components(separatedBy: "\n=== ").dropFirst()
    return Dictionary(
      uniqueKeysWithValues: parts.map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(lines[0]), lines.count == 2 ? String(lines[1]) : "")
      })
  }

  private func lines(_ draft: CourseDraft) throws -> [String] {
    let texts = try draft.nodes.filter { $0.kind == .activity }.flatMap { node in
      try ["", "text \(node.key)"] + draft.sketch(node.key).map { "  " + $0 }
    }
    return draft.outline + texts + [""] + draft.lost + draft.said
  }

  @Test(arguments: cases) func `the files of a case are read as the course of its snapshot`(name: String) throws {
    let draft = try TestFolder(files(of: name)).read()

    try expectSnapshot(lines(draft), String(name.split(separator: "/")[1].dropLast(4)))
  }

  /// Folders in `Fixtures/markdown-folder`, and the behaviours that they test.
  private static let fixtureFolders = [
    "docsify": "the sidebar determines order, groups and titles, and callouts, included files and links are converted",
    "hugging-face": "the table of contents determines order and titles, and a quiz is a list with collapsed answers",
    "myst-references": "labels are link targets, and their links have numbers",
    "mdx-components": "text in components is shown, and components without text are counted",
    "jekyll-links": "links with filters and tags of Liquid lead to pages",
    "heading-markup": "the markup of site generators is removed from headings",
    "quarto-book": "a book is read with its order, parts and appendices",
    "quarto-site": "a web site is read in the order of its sidebar and navigation bar",
  ]

  @Test(arguments: fixtureFolders)
  func `a folder of the fixtures is read as the course of its snapshot`(name: String, behaviour: String) throws {
    let path = fixtures.appending(path: "markdown-folder/\(name)").path

    try expectSnapshot(lines(FormatRegistry.read(CourseSource(path: path))), name)
  }
}
