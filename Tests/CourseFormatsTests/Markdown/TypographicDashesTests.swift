import LearningModel
import Testing

@testable import CourseFormats

struct TypographicDashesTests {
  @Test(arguments: [
    ("a --- b, c---d, \"e\" --- f", "a — b, c—d, \"e\" — f"),
    ("10--100 GB -- or more --", "10–100 GB – or more –"),
    ("(x)--but", "(x)–but"),
    ("use --help or [--all], then -- stop", "use --help or [--all], then – stop"),
    ("a --> b <-- c, <!-- d -->, ---- e", "a --> b <-- c, <!-- d -->, ---- e"),
    ("https://example.org/a--b and well-known", "https://example.org/a--b and well-known"),
  ])
  func `two and three hyphens are dashes, except in options, arrows and addresses`(text: String, shown: String) {
    #expect(TypographicDashes.replaced(in: text) == shown)
  }

  @Test func `dashes are replaced in pages of Quarto and MyST, but not in code, formulas and other Markdown`() throws {
    let text = """
      # A

      Bread --- *good -- bread* `a -- b` [x---y](https://example.org/a--b) <https://example.org/a--b> $a -- b$[^n]

      ```
      a -- b
      ```

      [^n]: A note --- below.
      """
    let quarto = try TestFolder(["_quarto.yml": "project:\n  type: website\n", "a.qmd": text]).read()
    let myst = try TestFolder(["_toc.yml": "format: jb-book\nroot: a\n", "a.md": text]).read()
    let other = try TestFolder(["a.md": text, "b.md": "# B\n\nText."]).read()

    for draft in [quarto, myst] {
      #expect(
        try draft.sketch("a#") == [
          "Bread — *good – bread* `a -- b` [x—y](https://example.org/a--b) "
            + "[https://example.org/a--b](https://example.org/a--b) $a -- b$[1]",
          "```", "a -- b", "```", "---", "[1] A note — below.",
        ])
    }
    #expect(try other.sketch("a#").last == "[1] A note --- below.")
  }
}
