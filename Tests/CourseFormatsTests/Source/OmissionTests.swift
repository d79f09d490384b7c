import CourseFormats
import Foundation
import LearningModel
import Testing

/// Tests that files, folders and quizzes that an import leaves out are counted and reported.
struct OmissionTests {
  /// Makes a file whose name has arbitrary bytes, or a folder if `text` is `nil`.
  private func make(_ name: [UInt8], in folder: String, text: String?) throws {
    let path = (Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]).map(CChar.init(bitPattern:))
    guard let text else {
      try #require(mkdir(path, 0o755) == 0)
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    try #require(descriptor >= 0)
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  private static let latin1 = Array("r".utf8) + [0xE9] + Array("sum".utf8) + [0xE9] + Array(".md".utf8)
  private static let notUTF8 = "file or folder whose name is not UTF-8"

  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "Darwin's disks refuse such names."))
  func `files and folders whose names are not UTF-8 are counted and reported`() throws {
    let folder = try TestFolder(["ok.md": "# OK\n\nx"])
    try make(Self.latin1, in: folder.path, text: "# Resume\n\nx")
    try make([0x63, 0xE9], in: folder.path, text: nil)

    let draft = try folder.read()

    #expect(draft.outline.count == 4)
    #expect(draft.losses == [Loss(what: Self.notUTF8, count: 2, treatment: "left out")])
    #expect(
      draft.diagnostics.map(\.description) == [
        #"c\xE9: warning: The name is not UTF-8, so this is left out. Rename it."#,
        #"r\xE9sum\xE9.md: warning: The name is not UTF-8, so this is left out. Rename it."#,
      ])
  }

  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "Darwin's disks refuse such names."))
  func `a folder in which no name is UTF-8 is rejected, and one name is reported`() throws {
    let folder = try TestFolder()
    try make(Self.latin1, in: folder.path, text: "# Resume\n\nx")

    #expect(throws: CourseFormatError.nameNotUTF8(file: #"r\xE9sum\xE9.md"#)) { try folder.read() }
    #expect(
      CourseFormatError.nameNotUTF8(file: #"r\xE9sum\xE9.md"#).description
        == #"Could not read 'r\xE9sum\xE9.md': the name is not UTF-8. Rename it."#)
  }

  @Test func `a folder that is nested too deeply is skipped with a warning`() throws {
    let deep = (1...30).map { "d\($0)" }.joined(separator: "/")
    let edge = (1...25).map { "d\($0)" }.joined(separator: "/")
    let inside = (1...24).map { "d\($0)" }.joined(separator: "/")

    let draft = try TestFolder(["a.md": "# A\n\nx", inside + "/b.md": "# B\n\nx", deep + "/c.md": "# C\n\nx"]).read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["A", "B"])
    #expect(draft.losses == [Loss(what: "folder more than 24 deep", count: 1, treatment: "left out")])
    #expect(
      draft.diagnostics.map(\.description) == [
        "\(edge): warning: The folder is more than 24 deep, and is left out with its content. Move the content up."
      ])
  }

  @Test func `a source whose pages are all nested too deeply is rejected with the folder`() throws {
    let deep = (1...30).map { "d\($0)" }.joined(separator: "/")
    let edge = (1...25).map { "d\($0)" }.joined(separator: "/")
    let folder = try TestFolder([deep + "/c.md": "# C\n\nx"])

    #expect(throws: CourseFormatError.limit(.pathDepth(24), file: edge, line: nil)) { try folder.read() }
  }

  @Test func `pages with hidden names or in hidden folders are counted for each folder`() throws {
    let folder = try TestFolder([
      "README.md": "# Track\n\nx", "one/.docs/instructions.md": "# One\n\nx", "two/.docs/instructions.md": "# Two\n\nx",
      "two/.docs/more/hints.md": "# Hints\n\nx", ".meta/design.md": "# Design\n\nx", ".draft.md": "# Draft\n\nx",
      ".git/description.md": "x", ".github/pull_request_template.md": "x", ".docs/node_modules/a.md": "x",
    ])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/.loop", withDestinationPath: folder.path)

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["Track"])
    #expect(
      draft.losses == [
        Loss(what: "page whose name begins with a dot", count: 1, treatment: "left out"),
        Loss(what: "page in a folder '.docs'", count: 3, treatment: "left out"),
        Loss(what: "page in a folder '.meta'", count: 1, treatment: "left out"),
      ])
  }

  @Test func `quizzes of mdbook-quiz are counted separately`() throws {
    let draft = try TestFolder([
      "book.toml": "[book]\ntitle = \"Q\"", "src/SUMMARY.md": "- [One](one.md)",
      "src/one.md": "# One\n\nText.\n\n{{#quiz ../quizzes/one.toml}}\n\n{{%other}}\n\nAfter.",
    ]).read()

    #expect(
      draft.losses == [
        Loss(what: "quiz of mdbook-quiz", count: 1, treatment: "left out"),
        Loss(what: "markup of another program", count: 1, treatment: "left out"),
      ])
  }

  @Test(arguments: [
    ("- [[X]] three\n- [[ ]] two", 1), ("[[ ]] a\n[[x]] b\n\ntext\n\n[( )] a\n[(X)] b\n[[?]] hint", 2),
    ("What is 1+1?\n\n    [[2]]\n    [[?]] hint\n    [[?]] another", 1), ("[[Page]]\n\n[[Another|words]]", 0),
    ("[[X]] is a page", 0), ("```\n- [[ ]] two\n```", 0), ("- [ ] to do\n- [x] done", 0),
  ])
  func `quizzes of LiaScript are counted`(text: String, count: Int) throws {
    let draft = try TestFolder(["a.md": "# A\n\n" + text]).read()

    #expect(
      draft.losses == (count == 0 ? [] : [Loss(what: "quiz of LiaScript", count: count, treatment: "shown as text")]))
  }
}
