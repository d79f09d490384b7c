import Foundation
import Testing

private let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
private let hasSwift = path.split(separator: ":").contains {
  FileManager.default.isExecutableFile(atPath: "\($0)/swift")
}

/// The errors of the manifest on systems on which the package cannot be built.
@Suite(.enabled(if: hasSwift, "There is no 'swift' on the PATH."))
struct ManifestTests {
  /// Evaluates the manifest, optionally with an inverted condition to simulate an unsupported system.
  private func answer(turningRound condition: (String, String)? = nil) throws -> Answer {
    let home = try HomeFixture()
    home.environment["PATH"] = path
    let manifest = Fixtures.folder.deletingLastPathComponent().appending(path: "Package.swift")
    var text = try String(contentsOf: manifest, encoding: .utf8)
    if let (original, replacement) = condition {
      try #require(text.ranges(of: original).count == 1)
      text = text.replacing(original, with: replacement)
    }
    try home.write(text, to: "package/Package.swift")
    return try home.run(
      "/usr/bin/env",
      ["swift", "package", "--package-path", home.path("package"), "--disable-sandbox", "dump-package"])
  }

  @Test func `the manifest is accepted on a supported system`() throws {
    let answer = try answer()

    #expect(answer.code == 0)
    #expect((answer.output.json as? [String: Any])?["name"] as? String == "waymark")
  }

  @Test(arguments: [
    (
      ("compiler(<6.3)", "compiler(>=6.3)"),
      "Waymark requires Swift 6.3 or later; it is tested with 6.3.1. Install it from swift.org and build again."
    ),
    (
      ("!canImport(Glibc) && !canImport(Darwin)", "canImport(Glibc) || canImport(Darwin)"),
      "Waymark requires Linux with glibc, or macOS; it is tested on Debian 12. Build it on one of these systems."
    ),
  ])
  func `the manifest refuses an unsupported system with one sentence`(condition: (String, String), sentence: String)
    throws
  {
    let answer = try answer(turningRound: condition)

    #expect(answer.code == 1)
    #expect(
      answer.errors.lines.filter { $0.contains("Package.swift:") }.map { $0.split(separator: " error: ").last } == [
        sentence[...]
      ])
  }
}
