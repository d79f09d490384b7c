import Testing

@testable import CourseFormats

struct TranslationsTests {
  private func kept(_ paths: [String], language: String? = nil, named: Set<String> = []) -> ([String], [String: Int]) {
    let found = Translations(paths, language: language, isNamed: named.contains)
    return (found.chosenFiles, found.skippedLanguages)
  }

  @Test func `a file whose name ends with a language is a translation of its sibling`() {
    let (paths, others) = kept(["a.md", "a.en.md", "a.zh-CN.md", "b.md", "README.md", "README_fr.md", "sign-in.md"])

    #expect(paths == ["a.md", "b.md", "README.md", "sign-in.md"])
    #expect(others == ["en": 1, "zh-CN": 1, "fr": 1])
  }

  @Test func `without an original, the language of the course is read, otherwise English`() {
    let paths = ["a.de.md", "a.en.md", "a.ja.md"]

    #expect(kept(paths).0 == ["a.en.md"])
    #expect(kept(paths, language: "ja").0 == ["a.ja.md"])
    #expect(kept(paths, language: "de-AT").0 == ["a.de.md"])
    #expect(kept(["a.de.md", "b.md"]).0 == ["a.de.md", "b.md"])
  }

  @Test func `a folder with the same pages as its sibling is a translation`() {
    let (paths, others) = kept(["1.md", "2.md", "Chinese/1.md", "Chinese/2.md", "translations/es/1.md", "it/tools.md"])

    #expect(paths == ["1.md", "2.md", "it/tools.md"])
    #expect(others == ["Chinese": 2, "es": 1])
  }

  @Test func `only one of several language folders is read`() {
    let (paths, others) = kept(["docs/de/a.md", "docs/en/a.md", "docs/en/b.md", "docs/more.md"])

    #expect(paths == ["docs/en/a.md", "docs/en/b.md", "docs/more.md"])
    #expect(others == ["de": 1])
  }

  @Test func `a page that a navigation lists is read in any language`() {
    #expect(kept(["a.md", "a.en.md"], named: ["a.en.md"]).0 == ["a.md", "a.en.md"])
  }
}
