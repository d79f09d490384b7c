import CourseFormats
import Foundation
import LearningModel
import Testing

/// Tests that a page that cannot be read does not make the import of a folder fail.
struct UnreadPageTests {
  private static let latin1 = Data("# Latin\n\ncaf".utf8) + [0xE9] + Data(" au lait\n".utf8)
  private static let deep = "# Deep\n\n" + String(repeating: "> ", count: 80) + "x"
  private static let leftOut = Loss(what: "page that cannot be read", count: 1, treatment: "left out")
  private static let notUTF8 = "Byte 0xE9 at offset 12 is not UTF-8 text. Save the file as UTF-8."

  private func folder(_ files: [String: String] = [:]) throws -> TestFolder {
    let folder = try TestFolder(["good.md": "# Fine\n\nA good page.\n"].merging(files) { $1 })
    try folder.write(Self.latin1, to: "latin1.md")
    return folder
  }

  @Test func `a page with invalid bytes is left out, named and counted`() throws {
    let draft = try folder().read()

    #expect(
      draft.outline == ["c course | Course", "  g good! | Fine", "    l good | Fine", "      a good# | Fine"])
    #expect(draft.diagnostics.map(\.description) == ["latin1.md:3: warning: \(Self.notUTF8) The page is left out."])
    #expect(draft.losses == [Self.leftOut])
  }

  @Test func `a page that is nested too deeply is left out, also if it is the only page of its goal`() throws {
    let draft = try TestFolder([
      "one/a.md": "# A\n\nSee [deep](../two/deep.md).", "one/b.md": "# B\n\nText.", "two/deep.md": Self.deep,
    ]).read()

    #expect(
      draft.outline == [
        "c course | Course", "  g one/ | One", "    l one/a | A", "      a one/a# | A", "    l one/b | B",
        "      a one/b# | B",
      ])
    #expect(try draft.sketch("one/a#") == ["See deep."])
    #expect(
      draft.diagnostics.map(\.description) == [
        "two/deep.md:3: warning: Its content is nested more than 64 levels deep. Reduce the nesting. The page is left "
          + "out."
      ])
    #expect(draft.losses == [Self.leftOut, Loss(what: "linked file", count: 1, treatment: "shown as text")])
  }

  @Test func `a strict import fails with the error of the page`() throws {
    let draft = try folder().read(options: ReadOptions(isStrict: true))

    #expect(draft.isRefused)
    #expect(draft.diagnostics.map(\.description) == ["latin1.md:3: error: \(Self.notUTF8)"])
  }

  @Test func `an import without any readable page fails`() throws {
    let draft = try folder(["good.md": "# No text"]).read()

    #expect(draft.diagnostics.map(\.description) == ["latin1.md:3: error: \(Self.notUTF8)"])
  }

  @Test func `a damaged notebook is left out like a page`() throws {
    let draft = try TestFolder(["a.ipynb": "{\"cells\": [", "b.md": "# B\n\nText."]).read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.key) == ["b#"])
    #expect(draft.losses == [Self.leftOut])
    #expect(draft.diagnostics.map(\.severity) == [.warning])
  }

  @Test func `an unreadable chapter is left out, and its nested chapter stays below its title`() throws {
    let folder = try TestFolder([
      "book.toml": "[book]\ntitle = \"Book\"", "src/inner.md": "# Inner\n\nText.",
      "src/SUMMARY.md": "# Summary\n\n- [Bad](bad.md)\n- [Outer](outer.md)\n  - [Inner](inner.md)",
    ])
    try folder.write(Self.latin1, to: "src/bad.md")
    try folder.write(Self.latin1, to: "src/outer.md")

    let draft = try folder.read()

    #expect(
      draft.outline == [
        "c course | Book", "  g outer.md! | Outer", "    l inner.md | Inner", "      a inner.md# | Inner",
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "src/bad.md:3: warning: \(Self.notUTF8) The page is left out.",
        "src/outer.md:3: warning: \(Self.notUTF8) The page is left out.",
      ])
    #expect(draft.losses == [Loss(what: "page that cannot be read", count: 2, treatment: "left out")])
  }

  @Test func `the last good edition of an unreadable page is kept with its links`() throws {
    var options = ReadOptions()
    options.lastEdition = { course, page in
      guard course == "course", page == "latin1" else { return nil }
      let blocks: [Block] = [
        .heading(level: 2, text: [.text("Milk")], anchor: "milk"),
        .paragraph([.link(destination: "waymark:good", text: [.text("Fine")])]),
      ]
      return PageEdition(
        title: "Coffee", summary: "With milk.",
        activities: [
          .init(key: "latin1#", title: "Coffee", summary: "", minutes: 3, content: .reading(blocks))
        ])
    }

    let draft = try folder(["good.md": "# Fine\n\nSee [milk](latin1.md#milk)."]).read(options: options)

    #expect(
      draft.outline == [
        "c course | Course", "  g good! | Course", "    l good | Fine", "      a good# | Fine", "    l latin1 | Coffee",
        "      a latin1# | Coffee",
      ])
    #expect(try draft.sketch("good#") == ["See [milk](waymark:latin1##milk)."])
    #expect(try draft.sketch("latin1#") == ["## Milk {milk}", "[Fine](waymark:good)"])
    #expect(draft.nodes.last?.minutes == 3)
    #expect(
      draft.diagnostics.map(\.description) == [
        "latin1.md:3: warning: \(Self.notUTF8) The last good edition of the page stays."
      ])
    #expect(
      draft.losses == [
        Loss(what: "page that cannot be read", count: 1, treatment: "shown as its last good edition")
      ])
  }
}
