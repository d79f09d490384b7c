import CourseFormats
import LearningModel
import Testing

/// Tests of folders with texts in several formats: the book is read, and the other texts are named.
struct FoundBookTests {
  private func format(_ files: [String: String]) throws -> String {
    let folder = try TestFolder(files)
    return try FormatRegistry.reader(for: CourseSource(path: folder.path)).name
  }

  private static let page = "Flour comes from grain, and a miller knows by touch how fine it is."

  @Test(arguments: [
    (["README.md": page, "book.asc": "= Bread\n\nx", "one.asc": page], "document"),
    (["README.md": page, "LICENSE.md": page, "main.tex": "\\chapter{A}", "b.tex": page], "document"),
    (["README.md": page, "CONTRIBUTING.rst": page + page], "markdown"),
    (["README.rst": page + page, "a.md": page], "markdown"),
    (["a.md": page, "b.md": page, "notes.org": "* Note"], "markdown"),
    (["a.md": page, "b.rst": page + page], "document"),
    (["a.md": "x", "b.rst": page, "_toc.yml": "root: a\nchapters:\n- file: b.rst"], "markdown"),
    (["README.md": page, "a.md": "x", "b.adoc": page, "mkdocs.yml": "nav:\n- b.adoc"], "document"),
    (["README.md": page, "KEYS.asc": "-----BEGIN PGP PUBLIC KEY BLOCK-----\n" + page + page], "markdown"),
    (["LICENSE.md": page, "src/META-INF/container.xml": "<container/>", "images/a.svg": ""], "epub"),
  ])
  func `a folder is read as the format with most of its text`(_ files: [String: String], _ format: String) throws {
    #expect(try self.format(files) == format)
  }

  @Test func `texts in formats that are not read are named with their number`() throws {
    let draft = try TestFolder([
      "README.md": Self.page, "a.md": "# A\n\n" + Self.page + Self.page, "b.adoc": "= B", "c/d.typ": "= D",
      "c/e.typ": "= E",
      "f.py": "import marimo\n\napp = marimo.App()\n", "g.py": "print(1)",
      "book.xml": "<?xml version=\"1.0\"?>\n<book xmlns=\"http://docbook.org/ns/docbook\"/>",
      "h.xml": "<a/>", "preamble.tex": "\\newcommand{\\N}{n}", "LICENSE.rst": "x",
    ]).read()

    #expect(
      draft.lost == [
        "1 AsciiDoc text: left out, but can be imported as “document”",
        "1 DocBook text: left out", "2 Typst text: left out",
        "1 marimo notebook: left out", "1 code file (.py): left out",
      ])
  }

  @Test(arguments: [
    ("a.typ", "= A", ForeignFormat.typst), ("a.py", "# x\nimport marimo\n__generated_with = \"0.9\"", .marimo),
    ("a.xml", "<!DOCTYPE chapter PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\"><chapter/>", .docBook),
  ])
  func `a folder of texts that cannot be read is refused with the name of the format`(
    _ name: String, _ text: String, _ format: ForeignFormat
  ) throws {
    let folder = try TestFolder(["one/" + name: text])

    #expect(throws: format.refusal(of: "course", isFolder: true)) {
      try FormatRegistry.read(CourseSource(path: folder.path))
    }
  }

  @Test func `folders called layouts or themes are read unless they belong to Hugo`() throws {
    let pages = ["layouts/boxes.md": "# Boxes\n\nx", "themes/colours.md": "# Colours\n\nx", "content/a.md": "# A\n\nx"]

    let plain = try TestFolder(pages).read()
    let hugo = try TestFolder(pages.merging(["hugo.toml": "title = \"Bread\"", "archetypes/default.md": "x"]) { $1 })
      .read()

    #expect(plain.nodes.filter { $0.kind == .lesson }.map(\.title) == ["A", "Boxes", "Colours"])
    #expect(hugo.nodes.filter { $0.kind == .lesson }.map(\.title) == ["A"])
    #expect(
      hugo.lost == ["archetypes", "layouts", "themes"].map { "1 page in a folder '\($0)': left out" })
  }
}
