import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Snapshots
import Testing

/// Tests with the books in `Fixtures/epub`: `tea` covers EPUB 3, `chairs` covers EPUB 2.
struct EPUBFixtureTests {
  private func folder(_ name: String) -> String { fixtures.appending(path: "epub/" + name).path }

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: folder(name)))
  }

  @Test func `the tree consists of the table of contents and the unlisted pages`() throws {
    try expectSnapshot(read("tea").outline)
  }

  @Test func `the authors, the description and the language of a book are read from the package`() throws {
    let draft = try read("tea")

    #expect(draft.nodes[0].summary == "By M. Leaf, N. Kettle. What happens before the water boils.")
    #expect(draft.language == "en-GB")
    #expect(draft.format == "epub")
  }

  @Test func `a footnote is shown below the text that refers to it`() throws {
    let draft = try read("tea")

    #expect(
      try draft.sketch("text/leaf.xhtml#") == [
        "All tea is one plant[1], and the rest is handwork.", "---", "[1] Its name is *Camellia sinensis*.",
      ])
  }

  @Test func `an unlisted page is appended to the previous text, and links are resolved`() throws {
    let draft = try read("tea")

    #expect(
      try draft.sketch("text/leaf.xhtml#picking#") == [
        "Two leaves and a bud, before the sun is high. A picker fills *one basket* by noon; see "
          + "[the black kind](waymark:text/grün tee.xhtml#black), [the answers](waymark:text/answers.xhtml), "
          + "a picture, nothing, a script and [the web](https://example.org/).",
        "茶(cha) is the word that travelled.",
      ])
    #expect(
      try draft.sketch("text/leaf.xhtml#withering#") == [
        "The leaf lies in the air until it bends and does not break[*].",
        "What it loses is water, and what it gains is scent.", "### A word on baskets {picking}",
        "Bamboo breathes; see [above](waymark:text/leaf.xhtml#withering##picking) and "
          + "[before](waymark:text/leaf.xhtml#picking).",
        "---", "[*] Eighteen hours, more or less.",
      ])
  }

  @Test func `tables, code, formulas, images and sounds are converted for a terminal`() throws {
    let draft = try read("tea")

    #expect(
      try draft.sketch("text/grün tee.xhtml#") == [
        "Heat stops the leaf from turning brown.", "*Two teas*", "| Tea | Water |", "| Green | 70 °C |", "```text",
        "70 °C   two minutes", "95 °C   four minutes", "```", "The strength is $s = \\frac{m}{v^{2}}$.",
      ])
    #expect(
      try draft.sketch("text/grün tee.xhtml#black#") == [
        "The leaf is rolled, and turns in the air.", "![A kettle on a stove](OPS/kettle.png)", "*Our kettle*",
        "![A drop]()", "*Sound: boiling.mp3*![](OPS/text/unnamed.png)", "> Never stir with a wet spoon.",
      ])
    #expect(try draft.sketch("text/cup.svg#") == ["![A cup. Steam rises from it.]()"])
    let cup = try #require(try draft.content("text/cup.svg#"))
    #expect(cup.storedImages.map(\.size) == [.init(width: 600, height: 600)])
    #expect(try draft.sketch("text/water.json#") == ["Soft water, freshly drawn."])
  }

  @Test func `losses are counted, and errors are reported with their location`() throws {
    let draft = try read("tea")

    expectSnapshot(draft.lost)
    #expect(
      draft.said == [
        "warning OPS/text/broken.xhtml:4: The page is not well-formed XML (Entity 'nbsp' not defined), and was read "
          + "like HTML. Correct this line.",
        "warning OPS/tea.opf: The page 'OPS/text/missing.xhtml' does not exist and is left out.",
        "warning OPS/film.mp4: It is of the type 'video/mp4' without a readable fallback, and is left out.",
      ])
  }

  @Test func `an EPUB 2 book is read in the order of its NCX, and HTML entities are decoded`() throws {
    let draft = try read("chairs")

    expectSnapshot(draft.outline)
    #expect(try draft.sketch("legs.html#") == ["A chair with three good legs—and one\u{A0}bad."])
    #expect(try draft.sketch("seats.html#") == ["Cane is woven wet. Back to [legs](waymark:legs.html#short)."])
    #expect(draft.lost == [] && draft.said == [])
  }

  @Test(arguments: ["tea", "chairs"]) func `a packed book is read like the folder with its files`(name: String) throws {
    let top = URL(filePath: folder(name))
    let paths = try FileManager.default.subpathsOfDirectory(atPath: top.path).sorted()
    let entries = try paths.filter { !top.appending(path: $0).hasDirectoryPath && $0.contains(".") || $0 == "mimetype" }
      .map { ($0, try String(contentsOf: top.appending(path: $0), encoding: .utf8)) }
    let packed = try TestFolder()
    try packed.write(Archives.zip(entries), to: "book.epub")

    let draft = try FormatRegistry.read(CourseSource(path: packed.path + "/book.epub"))

    let unpacked = try read(name)
    #expect(draft.outline == unpacked.outline)
    #expect(try draft.allContents() == unpacked.allContents())
    #expect(draft.losses == unpacked.losses && draft.diagnostics == unpacked.diagnostics)
    #expect(draft.sourceDigest == unpacked.sourceDigest)
  }
}
