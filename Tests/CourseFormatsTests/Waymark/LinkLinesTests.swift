import Testing

@testable import CourseFormats

/// Tests of the line numbers in warnings about broken links.
struct LinkLinesTests {
  @Test func `links are searched from the last line found, and then from the start`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n[one](b.md)\n\n[two](c%20d.md) and [three](é.md)\n", "e.md": "[b](b.md)",
    ])
    var lines = LinkLines(try CourseSource(path: folder.path))

    let found = ["b.md", "c%20d.md", "%C3%A9.md", "b.md", "gone.md"].map { lines.line(of: $0, in: "a.md") }

    #expect(found == [2, 4, 4, 2, nil])
    #expect(lines.line(of: "b.md", in: "e.md") == 1)
    #expect(lines.line(of: "b.md", in: "no such file") == nil)
  }

  @Test func `no line is searched beyond the byte limit, which includes line ends`() throws {
    let folder = try TestFolder(["a.md": "ab\n\n[one](b.md)"])
    let source = try CourseSource(path: folder.path)
    func line(_ longestLook: Int) -> Int? {
      var lines = LinkLines(source, longestLook: longestLook)
      return lines.line(of: "b.md", in: "a.md")
    }

    // The lines before the link have 3 bytes and 1 byte.
    #expect([3, 4, 5].map(line) == [nil, nil, 3])
  }

  @Test func `the byte limit applies to all searches together`() throws {
    let folder = try TestFolder(["a.md": "[one](b.md)\n[two](c.md)"])
    var lines = LinkLines(try CourseSource(path: folder.path), longestLook: 12)

    #expect(lines.line(of: "b.md", in: "a.md") == 1)
    #expect(lines.line(of: "b.md", in: "a.md") == nil)
  }
}
