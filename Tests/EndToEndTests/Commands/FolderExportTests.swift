import Foundation
import TerminalHarness
import Testing

/// Folders that `waymark export` writes must not destroy other files.
struct FolderExportTests {
  private let home: HomeFixture

  init() throws { home = try .withBundledCourse() }

  private func export(_ form: String, _ arguments: String...) throws -> Answer {
    try home.waymark(["export", "english-for-business", "--as", form, "--output", home.path("out")] + arguments)
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: home.path("out")).sorted()
  }

  @Test func `a course exported as Markdown is imported with the same keys`() throws {
    let answer = try export("markdown")
    let again = try home.waymark("import", home.path("out"))

    #expect(
      answer
        == Answer(code: 0, output: "Wrote the course “English for Business” to the folder '\(home.path("out"))'.\n"))
    // Two images have another path.
    #expect(again.output.contains("\n  changes  2 changed, 71 unchanged\n"), "\(again)")
    #expect(!again.output.contains("reduced"), "\(again)")
  }

  @Test func `a second export needs the force option, deletes pages of the first one and keeps other files`() throws {
    let first = try export("html")
    let pages = try files()
    try home.write("mine", to: "out/CNAME")
    let list = try String(contentsOfFile: home.path("out/.waymark-export"), encoding: .utf8)
    try home.write("old", to: "out/old.html")
    try home.write("precious", to: "precious")
    try home.write(list + "old.html\n../precious\n", to: "out/.waymark-export")

    let refused = try export("html")
    let second = try export("html", "--force")

    let written =
      "Wrote the course “English for Business” as a web site. Open '\(home.path("out"))/index.html' in a web browser.\n"
    #expect(first == Answer(code: 0, output: written) && second == first)
    #expect(pages.contains("search.html") && pages.count { $0.hasSuffix(".html") } > 70)
    expectAnswer(
      refused, code: 73,
      errors: "Could not write to the folder '\(home.path("out"))': it contains an earlier export. "
        + "Choose another name, or replace the export with --force.\n")
    #expect(try files() == (pages + ["CNAME"]).sorted())
    #expect(FileManager.default.fileExists(atPath: home.path("precious")))
  }

  @Test func `a folder with other files and a file are not written, even with the force option`() throws {
    try FileManager.default.createDirectory(atPath: home.path("out"), withIntermediateDirectories: true)
    try home.write("mine", to: "out/index.html")
    try home.write("mine", to: "file")

    let folder = try export("html", "--force")
    let file = try home.waymark(
      "export", "english-for-business", "--as", "markdown", "--output", home.path("file"), "--force")
    let missing = try home.waymark(
      "export", "english-for-business", "--as", "html", "--output", home.path("none/out"))

    expectAnswer(
      folder, code: 73,
      errors: "Could not create '\(home.path("out"))': the folder contains other files. Choose another path.\n")
    expectAnswer(
      file, code: 73, errors: "Could not create '\(home.path("file"))': it is a file. Choose another path.\n")
    expectAnswer(
      missing, code: 73,
      errors: "Could not create '\(home.path("none/out"))': no such file or directory. Choose another path.\n")
    #expect(try files() == ["index.html"])
  }

  @Test func `a folder needs a name`() throws {
    let answer = try home.waymark("export", "english-for-business", "--as", "html")

    #expect(answer.code == 64)
    #expect(answer.errors.hasPrefix("Error: --as html writes a folder. Name it with --output.\n"))
  }
}
