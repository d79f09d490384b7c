import Testing

@testable import CourseFormats

/// In which lines the words about broken links say that they stand.
struct LinkLinesTests {
  @Test func `links are found in the order of their text, and round again where one stands before the last`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n[one](b.md)\n\n[two](c%20d.md) and [three](é.md)\n", "e.md": "[b](b.md)",
    ])
    var lines = LinkLines(try CourseSource(path: folder.path))

    let found = ["b.md", "c%20d.md", "%C3%A9.md", "b.md", "gone.md"].map { lines.line(of: $0, in: "a.md") }

    #expect(found == [2, 4, 4, 2, nil])
    #expect(lines.line(of: "b.md", in: "e.md") == 1)
    #expect(lines.line(of: "b.md", in: "no such file") == nil)
  }

  @Test func `beyond so many bytes no line is begun, and line ends count`() throws {
    let folder = try TestFolder(["a.md": "ab\n\n[one](b.md)"])
    let source = try CourseSource(path: folder.path)
    func line(_ longestLook: Int) -> Int? {
      var lines = LinkLines(source, longestLook: longestLook)
      return lines.line(of: "b.md", in: "a.md")
    }

    // The lines before it are 3 bytes and 1.
    #expect([3, 4, 5].map(line) == [nil, nil, 3])
  }

  @Test func `what was looked through counts for all links together`() throws {
    let folder = try TestFolder(["a.md": "[one](b.md)\n[two](c.md)"])
    var lines = LinkLines(try CourseSource(path: folder.path), longestLook: 12)

    #expect(lines.line(of: "b.md", in: "a.md") == 1)
    #expect(lines.line(of: "b.md", in: "a.md") == nil)
  }
}
