import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

struct BookIncludesTests {
  private let file = "1\n// ANCHOR: a\n2\n// ANCHOR: b\n3\n// ANCHOR_END: b\n4\n// ANCHOR_END: a\n5\n"

  @Test(arguments: [
    ("", "1\n2\n3\n4\n5"), ("a", "2\n3\n4"), ("b", "3"), ("1", "1"), ("3:5", "2\n3"), ("7:", "4\n5"), (":3", "1\n2"),
    ("0:1", "1"), ("7:99", "4\n5"), (":", "1\n2\n3\n4\n5"), ("x", nil), ("42", nil), ("5:3", nil),
    ("-9223372036854775808", "1"), ("9223372036854775807:", nil), ("7:9223372036854775807", "4\n5"),
  ])
  func `a part of a file is selected by lines or by an anchor`(_ part: String, _ text: String?) {
    #expect(IncludeRange(part).extracted(from: file) == text)
  }

  /// Expands a page of a book with these files.
  private func expand(
    _ page: String, _ files: [String: String], limits: SourceLimits = .standard
  ) throws -> (text: String, losses: [Loss]) {
    let folder = try TestFolder(files)
    var includes = BookIncludes(try CourseSource(path: folder.path, limits: limits))
    let text = try includes.expand(page, of: "src/page.md")
    return (text, includes.findings.losses)
  }

  @Test func `includes are resolved relative to the file that contains them`() throws {
    let (text, losses) = try expand(
      "a {{#include part/one.md}} b\n{{ #include ../code.rs:here }}\n{{#title T}}{{#playground ../code.rs}}",
      [
        "src/part/one.md": "one {{#include two.md}}", "src/part/two.md": "two\n",
        "code.rs": "x\n// ANCHOR: here\ny\n// ANCHOR_END: here",
      ])

    #expect(text == "a one two b\ny\n```rust\nx\ny\n```")
    #expect(losses == [])
  }

  @Test func `an include that fails is named in the text and counted`() throws {
    let (text, losses) = try expand(
      "{{#include gone.md}}\n```\n{{#rustdoc_include gone.rs:a}}\n```\n{{#include ../../out.md}}\n{{#include /etc/passwd}}\n"
        + "{{#include own.md}}",
      ["src/own.md": "x {{#include own.md}}"])

    #expect(
      text == "*[missing include: `gone.md`]*\n```\n[missing include: gone.rs]\n```\n"
        + "*[include from outside the book: `../../out.md`]*\n*[include from outside the book: `/etc/passwd`]*\n"
        + "x *[include that includes itself: `own.md`]*")
    #expect(
      losses == [
        Loss(what: "missing include", count: 2, treatment: "shown as its name"),
        Loss(what: "include from outside the book", count: 2, treatment: "shown as its name"),
        Loss(what: "include that includes itself", count: 1, treatment: "shown as its name"),
      ])
  }

  @Test func `a symbolic link to a file outside the book is not included`() throws {
    let outside = try TestFolder(["secret.md": "secret"])
    let folder = try TestFolder(["src/a.md": ""])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/src/link.md", withDestinationPath: outside.path + "/secret.md")
    var includes = BookIncludes(try CourseSource(path: folder.path))

    #expect(
      try includes.expand("{{#include link.md}}", of: "src/page.md") == "*[include from outside the book: `link.md`]*")
  }

  @Test func `escaped braces are shown, foreign directives are removed, and other braces remain`() throws {
    let (text, losses) = try expand(
      "\\{{#include a.md}} {{ name }} {{#unknown x}}`{{%code}}` {{\n```\n{{%code}}\n```", [:])

    #expect(text == "{{#include a.md}} {{ name }} `{{%code}}` {{\n```\n{{%code}}\n```")
    #expect(losses == [Loss(what: "markup of another program", count: 1, treatment: "left out")])
  }

  @Test(arguments: [
    HostileText("without an end", String(repeating: "{{", count: 20_000)),
    HostileText("with one end", String(repeating: "{{", count: 20_000) + "}}"),
    HostileText("with names", String(repeating: "{{#a", count: 20_000) + "}}"),
    HostileText("with words", String(repeating: "{{ #x y", count: 10_000) + "}}"),
  ])
  func `hostile braces are processed quickly and remain unchanged`(_ hostile: HostileText) throws {
    var text = ""

    let time = try processorSeconds { text = try expand(hostile.text, [:]).0 }

    // Only the last directive with a name is closed, and it belongs to another program.
    #expect(text == hostile.text || text + "{{#a}}" == hostile.text)
    #expect(time < 10)
  }

  @Test func `nested includes fail at the maximum depth`() throws {
    var files: [String: String] = [:]
    for number in 0..<20 { files["src/\(number).md"] = "{{#include \(number + 1).md}}" }

    #expect(throws: CourseFormatError.limit(.includeDepth(10), file: "src/page.md", line: nil)) {
      try expand("{{#include 0.md}}", files)
    }
  }

  @Test func `includes that multiply fail at the maximum size`() throws {
    var files: [String: String] = ["src/8.md": String(repeating: "x", count: 1000)]
    for number in 0..<8 { files["src/\(number).md"] = String(repeating: "{{#include \(number + 1).md}}\n", count: 10) }

    var limits = SourceLimits()
    limits.expandedSize = 1 << 20

    #expect(throws: CourseFormatError.limit(.expandedSize(1 << 20), file: "src/page.md", line: nil)) {
      try expand("{{#include 0.md}}", files, limits: limits)
    }
  }
}

struct BookCodeTests {
  private let code = BookCode(hiddenPrefixes: ["python": "~"])

  @Test(arguments: [
    ("rust,ignore", "# use a;\n#\n  # b\n#[c]\n#!d\n##e\nf # g", "rust", "#[c]\n#!d\n#e\nf # g"),
    ("python", "~a\nb\n  ~c", "python", "b"), ("yaml", "# a\nb", "yaml", "# a\nb"),
    ("sh,hidelines=$", "$a\nb", "sh", "b"), ("rust{.x}", "a", "rust", "a"), (nil, "# a", nil, "# a"),
  ])
  func `hidden lines are removed, and the label is only the language`(
    _ information: String?, _ text: String, _ language: String?, _ shown: String
  ) {
    #expect(code.block(information, text) == .code(language: language, text: shown))
  }
}
