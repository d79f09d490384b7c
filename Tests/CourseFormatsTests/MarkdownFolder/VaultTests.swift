import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

/// Tests with notes of Obsidian, Logseq and Foam.
struct VaultTests {
  private func read(_ files: [String: String], pictures: [String] = []) throws -> CourseDraft {
    let folder = try TestFolder(files, name: "vault")
    for picture in pictures { try folder.write(tinyPNG(), to: picture) }
    return try folder.read()
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  // MARK: Embeds

  @Test func `an embedded picture is found by its name in any folder, and its size is not shown`() throws {
    let draft = try read(
      [
        "a/P.md":
          "# P\n\n![[loaf.png]]\n\nText ![[loaf.png|100]] ![[Loaf.png|a caption]] ![a|30x20](loaf.png)\n\n![[no.png]]"
      ],
      pictures: ["pictures/loaf.png"])

    #expect(
      try draft.images() == [
        "/pictures/loaf.png|loaf.png|3×2", "/pictures/loaf.png|loaf.png|3×2", "/pictures/loaf.png|a caption|3×2",
        "loaf.png|a|3×2", "no.png|no.png",
      ])
    #expect(losses(draft) == ["1 image: shown as its description because its file is missing"])
  }

  @Test func `the pages of a vault without settings are read as notes`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "markdown-folder/vault").path))

    #expect(
      try draft.sketch("Sour dough#") == [
        "A starter is alive and wants food.", "Press ![spoon.svg](/spoon.svg) to stir. ![loaf.png](/loaf.png)",
        "## Feeding {feeding}", "Once a day, said **everybody’s aunt**.",
        "See [Sour dough](waymark:Sour dough##^alive) and [Flour > Rye](waymark:Flour##rye).",
        "! box [Flour > Rye](waymark:Flour##rye)", "  Dark.", "| Key | Note |", "| a | [the flour](waymark:Flour) |",
      ])
    #expect(losses(draft) == ["1 hidden comment: left out"])
  }

  // MARK: Other markup

  @Test func `properties, block references and embeds of Logseq are read`() throws {
    let identifier = "64b1c0de-0000-4000-8000-123456789abc"
    let draft = try read([
      "logseq/config.edn": "{}", "pages/a___b.md": "- # B\n- x\n  id:: \(identifier)\n  collapsed:: true",
      "pages/Home.md": "title:: Home\nauthor:: Ann\n\n- [[a/b]] ((\(identifier)))\n- {{embed [[a/b]]}}",
    ])

    #expect(
      try draft.sketch("pages/Home#") == [
        "author: Ann", "- [a/b](waymark:pages/a___b) [A/b](waymark:pages/a___b##\(identifier))",
        "- [a/b](waymark:pages/a___b)", "  ! box [a/b](waymark:pages/a___b)", "    - **B**", "    - x",
      ])
  }

  @Test func `links of Logseq may have words`() throws {
    let identifier = "64b1c0de-0000-4000-8000-123456789abc"
    let draft = try read([
      "logseq/config.edn": "{}", "pages/b.md": "- x\n  id:: \(identifier)",
      "pages/a.md": "- See [the page]([[b]]), [the block](((\(identifier)))) and [none]([[Nowhere]]).",
    ])

    #expect(
      try draft.sketch("pages/a#") == [
        "- See [the page](waymark:pages/b), [the block](waymark:pages/b##\(identifier)) and none."
      ])
    #expect(losses(draft) == ["1 broken link: shown as text"])
  }

  @Test(arguments: [
    HostileText("links", "[[a]] "), HostileText("open brackets", "[["), HostileText("embeds", "![[A]]\n"),
    HostileText("sections", "![[A#x]]\n\n"), HostileText("identifiers", "^a\n\n"), HostileText("comments", "%%"),
    HostileText("notes", "^["), HostileText("highlights", "==a "), HostileText("backticks", "`%%"),
  ])
  func `a note with repeated markup is read in linear time`(_ mark: HostileText) throws {
    let text =
      "# A\n\n[[A]]\n\n" + String(repeating: mark.text, count: 100_000 / mark.text.utf8.count) + "\n\n## x\n\ny"

    #expect(try read(["A.md": text]).nodes.count == 4)
  }
}
