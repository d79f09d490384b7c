import Testing

@testable import CourseFormats

struct YAMLFieldsTests {
  private func fields(_ yaml: String) throws -> YAMLFields {
    try YAMLFields(yaml, file: "a.yml", limits: .standard)
  }

  @Test func `fields have a value and a line number`() throws {
    let fields = try fields("title: Who? Me.\n# comment\nminutes: 5\nsummary: >\n  two\n  lines\nempty:\nkey: 'a: b'\n")

    #expect(fields.all.map(\.name) == ["title", "minutes", "summary", "empty", "key"])
    #expect(fields.all.map(\.value) == ["Who? Me.", "5", "two lines", "", "a: b"])
    #expect(fields.all.map(\.line) == [1, 3, 4, 7, 8])
    #expect(fields["empty"] == nil)
  }

  @Test func `a list or a mapping is not accepted as a line of text`() throws {
    #expect(try fields("title: [a, b]").all.map(\.value) == [nil])
    #expect(try fields("title:\n  a: b").all.map(\.value) == [nil])
  }

  @Test func `an empty text has no fields`() throws {
    #expect(try fields("").all.isEmpty)
    #expect(try fields("# nothing\n").all.isEmpty)
  }

  @Test(arguments: [
    ("title: a: b", 1, "the YAML is invalid: mapping values are not allowed in this context"),
    ("title: a\ntitle: b", 1, "the field 'title' occurs twice"),
    ("just words", 1, "the YAML has no fields"),
  ])
  func `malformed YAML is reported with its line`(_ yaml: String, _ line: Int, _ found: String) {
    #expect {
      try fields(yaml)
    } throws: {
      guard case CourseFormatError.malformed("a.yml", line, found, _) = $0 else { return false }
      return true
    }
  }

  @Test func `an alias bomb is rejected at the maximum number of aliases`() {
    var bomb = "a0: &a0 [x, x]\n"
    for level in 1...30 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1), *a\(level - 1)]\n" }

    #expect(throws: CourseFormatError.limit(.aliases(64), file: "a.yml", line: 23)) { try fields(bomb) }
  }

  @Test(arguments: [
    HostileText("lists", String(repeating: "[", count: 30_000)),
    HostileText("fields", "a: " + String(repeating: "{a: ", count: 3_000)),
    HostileText("items", String(repeating: "- ", count: 10_000) + "x"),
    HostileText("questions", String(repeating: "? ", count: 10_000)),
  ])
  func `YAML that is nested too deeply is rejected before parsing`(_ hostile: HostileText) {
    #expect(throws: CourseFormatError.limit(.nestingDepth(64), file: "a.yml", line: 1)) { try fields(hostile.text) }
  }

  @Test func `YAML that is too long is rejected`() {
    #expect(throws: CourseFormatError.limit(.yamlSize(64 << 10), file: "a.yml", line: 1)) {
      try fields("title: " + String(repeating: "x", count: 64 << 10))
    }
  }
}

struct FrontMatterTests {
  @Test func `fields are read between two lines of hyphens, and the body follows`() throws {
    let front = try FrontMatter("---\ntitle: A\n---\n\nbody\n---\n", file: "a.md", limits: .standard)

    #expect(front.fields["title"]?.value == "A")
    #expect(front.fields["title"]?.line == 2)
    #expect(front.body == "\nbody\n---\n")
    #expect(front.bodyLine == 4)
  }

  @Test func `a text without front matter consists only of a body`() throws {
    let front = try FrontMatter("body\n---\n", file: "a.md", limits: .standard)

    #expect(front.fields.all.isEmpty && front.body == "body\n---\n" && front.bodyLine == 1)
  }

  @Test func `front matter that is not closed is an error`() {
    #expect(
      throws: CourseFormatError.malformed(
        file: "a.md", line: 1, problem: "the fields at the top are not closed", advice: "Write a line '---' below them."
      )
    ) {
      try FrontMatter("---\ntitle: A\n", file: "a.md", limits: .standard)
    }
  }
}
