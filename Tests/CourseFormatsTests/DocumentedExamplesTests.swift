import CourseFormats
import ExternalPrograms
import Foundation
import LearningModel
import Snapshots
import Testing

/// Tests that the examples in `Documentation/formats` give the documented results.
struct DocumentedExamplesTests {
  private static let folder = fixtures.deletingLastPathComponent().appending(path: "Documentation/formats")

  private func page(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name + ".md"), encoding: .utf8)
  }

  /// Returns the first fenced text below the heading "An example".
  private func example(_ name: String) throws -> String {
    let parts = try page(name).components(separatedBy: "## An example\n")
    let fence = try #require(parts.last?.firstMatch(of: #/(?ms)^(```+)\w*\n(.*?)^\1$/#))
    return String(fence.2)
  }

  /// Returns the kinds and titles of the nodes, with two spaces per level.
  private func tree(_ draft: CourseDraft) -> [String] {
    draft.outline.map { line in line.replacing(#/^( *\w) .* \| /#) { "\($0.1) " } }
  }

  @Test func `every format has a page with an example`() throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
      .filter { $0 != "dialects.md" }

    #expect(
      pages == [
        "anki.md", "documents.md", "epub.md", "exercises.md", "html.md", "markdown-folder.md", "mdbook.md",
        "notebooks.md", "text.md", "waymark.md",
      ])
    // Three formats have the page about exercises in common.
    #expect(pages.count + 2 == FormatRegistry.readers.count)
    for page in pages.map({ String($0.dropLast(3)) }) {
      let text = try self.page(page)
      #expect(text.contains("## An example\n") && text.contains("\n## Reduced content\n"), "\(page)")
    }
  }

  @Test func `the example of a collection of exercises produces an exercise with a hint`() throws {
    let draft = try TestFolder(
      ["info.toml": example("exercises"), "exercises/01_boxes/boxes1.rs": "// Count.\nfn main() {}\n"], name: "boxes"
    ).read()

    #expect(draft.counts.lesson == 1 && draft.counts.activity == 1)
    #expect(tree(draft).last?.hasSuffix("a boxes1") == true, "\(tree(draft))")
  }

  @Test func `the HTML example produces the documented tree`() throws {
    let start = try example("html")
    let folder = try TestFolder(
      [
        "index.html": start, "carry.html": "<h1>Carrying</h1><p>Words.", "climb.html": "<h1>Climbing</h1><p>Words.",
      ], name: "ladders")

    let draft = try folder.read()

    #expect(
      tree(draft).filter { !$0.hasPrefix("      a") } == [
        "c Safety", "  g Safety", "    l Ladders", "    l Carrying", "    l Climbing",
      ])
    #expect(try draft.sketch("index#") == ["Start with [carrying](waymark:carry)."])
  }

  @Test func `the plain text example produces the documented headings`() throws {
    let source = CourseSource(name: "ladder.txt", bytes: Array(try example("text").utf8))

    let lines = try FormatRegistry.read(source).sketch("ladder.txt#")

    #expect(lines.filter { $0.hasPrefix("#") } == ["# NAME {name}", "# OPTIONS {options}"])
    #expect(lines.contains("              The height."))
  }

  @Test(.enabled(if: ExternalProgram(named: "pandoc") != nil, "pandoc is not installed"))
  func `the Org example produces the documented text`() throws {
    let source = CourseSource(name: "ladders.org", bytes: Array(try example("documents").utf8))

    let draft = try FormatRegistry.read(source)

    #expect(tree(draft).first == "c Ladders" && draft.counts.activity == 1)
    #expect(
      try draft.sketch("ladders.org#") == [
        "# Carrying {carrying}", "Two people[1], over $l = 3$ metres.", "---", "[1] One at each end.",
      ])
  }

  @Test func `the Markdown folder example produces the documented tree`() throws {
    let listing = try #require(page("markdown-folder").firstMatch(of: #/(?ms)^```\nbread\/\n(.*?)^```$/#))
    let names = listing.1.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    let titles = ["README.md": "Bread", "1-flour/README.md": "Flour"]
    let pages = names.map { name in (String(name), "# \(titles[String(name)] ?? "Page \(name)")\n\nWords.\n") }
    let folder = try TestFolder(Dictionary(uniqueKeysWithValues: pages), name: "bread")

    try expectSnapshot(tree(folder.read()))
  }

  @Test func `the Markdown box example produces the documented blocks`() throws {
    let folder = try TestFolder(["dough.md": "# Dough\n\nWords.\n\n" + example("markdown-folder")])

    #expect(
      try folder.read().sketch("dough#") == [
        "Words.", "! box Challenge: How wet?", "  Is the dough too wet?", "  ? Solution",
        "    No: it sticks to the bowl, and not to a wet hand.",
      ])
  }

  @Test func `the mdBook example produces the documented tree`() throws {
    var files = ["book.toml": "[book]\ntitle = \"Pickles\"\n", "src/SUMMARY.md": try example("mdbook")]
    for name in ["salt", "cabbage", "cucumbers", "beetroot"] { files["src/\(name).md"] = "# \(name)\n\nWords.\n" }

    #expect(
      try tree(TestFolder(files).read()).filter { !$0.contains(" a ") } == [
        "c Pickles", "  g Salt", "    l Salt", "  g Cabbage", "    l Cabbage", "    l Cucumbers", "    l Beetroot",
      ])
  }

  @Test func `the EPUB example produces the documented tree`() throws {
    let nav = try example("epub")
    let entries = try #require(nav.firstMatch(of: #/(?s)<ol>(.*)<\/ol>/#))
    let book = SmallBook(
      ["tea.xhtml": "<p>Green.</p><p id='black'>Black.</p>", "water.xhtml": "<p>Water.</p>"],
      contents: entries.1 + "<li><a href='water.xhtml'>Water</a></li>")

    let draft = try book.read()

    #expect(
      tree(draft).prefix(6) == [
        "c Book", "  g Two kinds", "    l Green tea", "      a Green tea", "    l Black tea", "      a Black tea",
      ])
    #expect(try draft.allContents().map(\.plainText) == ["Green.", "Black.", "Water."])
  }

  @Test func `the notebook example produces the documented text`() throws {
    var cells: [[String: Any]] = []
    for line in try example("notebooks").split(separator: "\n") {
      let words = String(line.dropFirst(11))
      switch line.prefix(11).trimmingCharacters(in: .whitespaces) {
      case "markdown": cells.append(["cell_type": "markdown", "source": words])
      case "code": cells.append(["cell_type": "code", "source": words])
      case "output":
        cells[cells.count - 1]["outputs"] = [["output_type": "execute_result", "data": ["text/plain": words]]]
      default: cells[cells.count - 1]["source"] = "\(cells[cells.count - 1]["source"]!)\n\(words)"
      }
    }
    let notebook: [String: Any] = ["cells": cells, "nbformat": 4, "metadata": ["language_info": ["name": "python"]]]
    let folder = try TestFolder()
    try folder.write(JSONSerialization.data(withJSONObject: notebook), to: "dough.ipynb")

    let draft = try folder.read()

    #expect(draft.nodes.last?.title == "Wet Dough")
    #expect(
      try draft.sketch("dough#") == [
        "The share of water is $h = w / f$.", "```python", "water / flour", "```", "> ```", "> 0.7", "> ```",
      ])
  }

  @Test func `the example of Waymark's format produces the documented tree`() throws {
    let fences = try page("waymark").matches(of: #/(?ms)^````\w+ (\S+)\n(.*?)^````$/#)
    let files = fences.map { (String($0.1), String($0.2)) }

    let draft = try TestFolder(Dictionary(uniqueKeysWithValues: files)).read()

    #expect(draft.diagnostics == [])
    #expect(
      tree(draft) == [
        "c Sourdough", "  g Starter", "    l Feeding", "      a Once a day", "      a Does it float?",
        "      a The ratio",
      ])
    #expect(draft.nodes.suffix(3).map(\.type) == [.reading, .quiz, .exercise])
  }
}
