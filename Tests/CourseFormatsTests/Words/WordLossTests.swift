import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Compares the words of each source, which are read independently, with the words of the course. Every word that is not
/// shown is in `word-losses.txt` with a reason.
struct WordLossTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// A word that is in a source and not in its course.
  private struct MissingWord: Hashable, Decodable {
    let word: String
    let count: Int
  }

  /// Returns the missing words of a source as lines `source TAB count TAB word`.
  private func missingWords(of path: String, named name: String) throws -> [String] {
    let draft = try FormatRegistry.read(CourseSource(path: path))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Self.folder.appending(path: "word-oracle.py").path, path, draft.format]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(draft.shownText().utf8))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try data.split(separator: 0x0A).map { try JSONDecoder().decode(MissingWord.self, from: $0) }
      .map { "\(name)\t\($0.count)\t\($0.word)" }
  }

  /// Returns the lines of `word-losses.txt` for a source, without their reasons.
  private func explainedWords(of name: String) throws -> [String] {
    let text = try String(contentsOf: Self.folder.appending(path: "word-losses.txt"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix(name + "\t") }.map { line in
      line.split(separator: "\t").prefix(3).joined(separator: "\t")
    }
  }

  @Test func `each lost word has a reason`() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "word-losses.txt"), encoding: .utf8)

    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.split(separator: "\t").count == 4, "\(line)")
    }
  }

  @Test(arguments: [
    "epub/chairs", "epub/tea", "html/mirror", "html/page.html", "html/rustdoc", "html/sphinx", "jupyter/book",
    "jupyter/notebooks", "epub/notes",
  ])
  func `a course contains all words of its source`(_ name: String) throws {
    let missing = try missingWords(of: fixtures.appending(path: name).path, named: name)

    let explained = try explainedWords(of: name)
    #expect(missing == explained)
  }

  @Test(
    .enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"),
    arguments: [
      "epub3/childrens-literature", "epub3/internallinks", "epub3/pride-and-prejudice", "jupyter/handson-ml3",
    ])
  func `a course contains all words of a sample`(_ name: String) throws {
    let missing = try missingWords(of: #require(samples) + "/" + name, named: name)

    let explained = try explainedWords(of: name)
    #expect(missing == explained)
  }

  @Test func `a lost word is reported`() throws {
    let folder = try TestFolder(["page.html": "<main><h1>Bread</h1><p>Flour <em>water</em></p></main><p>Salt</p>"])

    let lines = try withExtendedLifetime(folder) { try missingWords(of: folder.path, named: "page") }

    #expect(lines == ["page\t1\tSalt"])
  }
}

extension CourseDraft {
  /// All texts of the course: the titles, and the contents with the sources of their formulas. The title of an activity
  /// that has the title of its lesson is included once.
  fileprivate func shownText() throws -> String {
    var lines: [String] = []
    for (index, node) in nodes.enumerated() {
      if node.parent.map({ nodes[$0].title != node.title }) ?? true { lines.append(node.title) }
      guard node.kind == .activity else { continue }
      let content = try contents.content(at: index)
      lines.append(content.plainText)
      lines.append(content.storedFormulas)
    }
    return lines.joined(separator: "\n")
  }
}

extension ActivityContent {
  /// The LaTeX sources of the formulas, which plain text contains in another form.
  fileprivate var storedFormulas: String {
    let search = searchedText
    return String(search.dropFirst(plainText.count))
  }
}
