import Foundation
import CoursePages
import Testing

/// Compares token classes with those of Pygments 2, another highlighter, if a Python with Pygments is installed.
///
/// `WAYMARK_ORACLE_PYTHON` selects a Python other than `/usr/bin/python3`. `WAYMARK_SAMPLES` and `WAYMARK_PYGMENTS`,
/// the unpacked source distribution of Pygments, add third-party texts to those in this folder.
struct PygmentsTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private static let python = [environment["WAYMARK_ORACLE_PYTHON"], "/usr/bin/python3"].compactMap(\.self)
    .first { python in (try? run(python, ["-c", "import pygments"])) != nil }

  private struct CommandFailed: Error {}

  private static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandFailed() }
    return data
  }

  /// Languages that Pygments classifies differently before version 2.21, such as the 2.14 of Debian.
  private static let readOtherwise: Set = ["diff", "Go", "TOML"]

  private struct Answer: Decodable {
    var version: String
  }

  private struct Judged: Decodable {
    var language: String
    var text: String
    var classes: String
  }

  /// The number of characters other than white space, and how many of them have the same class in Pygments.
  private struct Score {
    var all = 0
    var same = 0
    var coloured = 0
    var sameOfColoured = 0

    mutating func add(_ judged: Judged, _ runs: [HighlightedRun]) {
      var classes = runs.makeIterator()
      var run = classes.next()
      var offset = 0
      for (scalar, theirs) in zip(judged.text.unicodeScalars, judged.classes) {
        while let current = run, current.end <= offset { run = classes.next() }
        offset += scalar.utf8.count
        if scalar.properties.isWhitespace { continue }
        let isSame = run?.tokenClass.letter == theirs
        all += 1
        same += isSame ? 1 : 0
        if theirs == "." { continue }
        coloured += 1
        sameOfColoured += isSame ? 1 : 0
      }
    }

    var share: Double { 100 * Double(same) / Double(max(all, 1)) }
    var shareOfColoured: Double { 100 * Double(sameOfColoured) / Double(max(coloured, 1)) }

    func row(of language: String) -> String {
      "| \(language) | \(all) | \(String(format: "%.1f", share)) | \(String(format: "%.1f", shareOfColoured)) |"
    }
  }

  @Test(
    .enabled(
      if: python != nil, "no Python with Pygments: install python3-pygments, or name one in WAYMARK_ORACLE_PYTHON"))
  func `at least 97 % of all characters and 92 % of coloured ones match Pygments`() throws {
    let arguments = [
      Self.folder.appending(path: "pygments-oracle.py").path, Self.folder.appending(path: "Texts").path,
      Self.environment["WAYMARK_SAMPLES"] ?? "", Self.environment["WAYMARK_PYGMENTS"] ?? "",
    ]
    let lines = try Self.run(try #require(Self.python), arguments).split(separator: 0x0A)
    let version = try JSONDecoder().decode(Answer.self, from: try #require(lines.first)).version
    let isOld = version.compare("2.21", options: .numeric) == .orderedAscending
    var scores: [String: Score] = [:]

    for line in lines.dropFirst() {
      let judged = try JSONDecoder().decode(Judged.self, from: line)
      let language = try #require(Language.named(judged.language))
      scores[language.name, default: Score()].add(judged, language.runs(of: judged.text))
    }

    for (language, score) in scores.sorted(by: { $0.key.lowercased() < $1.key.lowercased() }) {
      print(score.row(of: language))
      if isOld, Self.readOtherwise.contains(language) { continue }
      #expect(score.share >= 97 && score.shareOfColoured >= 92, "\(score.row(of: language))")
    }
    #expect(scores.count >= 7)
  }
}
