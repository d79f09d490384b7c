import CourseFormats
import Foundation
import LearningModel
import Testing

/// The files in the folder of a single page.
struct LinkedPagesTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func write(_ text: String, to name: String) throws { try folder.write(Data(text.utf8), to: name) }

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: folder.path + "/" + name))
  }

  @Test func `the keys of a page do not depend on the pages that it links`() throws {
    try write("# Bees\n\nA floor. [More](1-bees.md)\n", to: "bees.md")
    let alone = try read("bees.md").outline

    try write("# More\n\nA roof.\n", to: "1-bees.md")
    let linked = try read("bees.md")

    #expect(Array(linked.outline.prefix(4)) == alone)
    #expect(linked.outline.count == 7)
    #expect(linked.outline[4] == "  g linked/ | Linked pages")
    #expect(linked.losses == [])
  }

  @Test func `pages that link each other are read once, and at most one hundred`() throws {
    try write("# Start\n\n[Back](start.md), [one](p0.md)\n", to: "start.md")
    for number in 0..<150 {
      try write("# Page \(number)\n\n[Next](p\(number + 1).md), [start](start.md)\n", to: "p\(number).md")
    }

    let draft = try read("start.md")

    #expect(draft.nodes.count { $0.kind == .activity } == 100)
    #expect(draft.losses.contains(Loss(what: "linked file", count: 1, treatment: "shown as text")))
  }

  @Test func `symbolic links that lead out of the folder are not followed`() throws {
    let other = try TestFolder()
    try other.write(Data("# Secret\n\nText.\n".utf8), to: "secret.md")
    try other.write(Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>"#.utf8), to: "secret.svg")
    for name in ["secret.md", "secret.svg"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: other.path + "/" + name)
    }
    try write("# Page\n\n![a map](secret.svg) [secret](secret.md)\n", to: "page.md")

    let draft = try read("page.md")

    #expect(draft.nodes.count == 4)
    #expect(draft.losses.map(\.what) == ["image", "broken link"])
  }

  @Test func `a linked page that cannot be read is left out`() throws {
    try write("# Page\n\n[damaged](damaged.md)\n", to: "page.md")
    try folder.write(Data([0xFF, 0x00, 0xC0]), to: "damaged.md")

    #expect(try read("page.md").nodes.count == 4)
  }
}
