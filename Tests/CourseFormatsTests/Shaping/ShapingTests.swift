import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

struct WordCountTests {
  @Test(arguments: [
    ("", 0), ("  one two\n three ", 3), ("自学指南", 4), ("用 Git 吧", 3), ("かな and カナ", 5), ("don't re-read", 2),
  ])
  func `words are separated by white space, or are single characters in scripts without spaces`(
    _ text: String, _ count: Int
  ) {
    #expect(WordCount.count(in: text) == count)
  }
}

struct NaturalOrderTests {
  @Test func `numbers are compared by value, and letters without case`() {
    let names = ["10-ten", "b", "2-two", "A", "1", "a2", "a10", "02-two-again", "B2"]

    #expect(
      names.sorted(by: NaturalOrder.precedes) == ["1", "2-two", "02-two-again", "10-ten", "A", "a2", "a10", "b", "B2"])
  }

  @Test func `the pages of a folder are adjacent in path order`() {
    let paths = ["b/1.md", "a/10.md", "a/2.md", "a.md", "b.md"]

    #expect(paths.sorted(by: NaturalOrder.pathPrecedes) == ["a/2.md", "a/10.md", "a.md", "b/1.md", "b.md"])
  }

  @Test(arguments: 0..<20) func `exactly one of two different names precedes the other`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func name(_ random: inout SplitMix64) -> String {
      String((0..<4).map { _ in Array("01aAb-")[Int.random(in: 0..<6, using: &random)] })
    }
    for _ in 0..<200 {
      let (one, other) = (name(&random), name(&random))
      if one == other { continue }
      #expect(NaturalOrder.precedes(one, other) != NaturalOrder.precedes(other, one), "\(one) \(other)")
    }
  }
}

struct NeighboursTests {
  @Test func `up to twelve entries share one goal`() {
    #expect(GoalGrouping.groups(of: (1...12).map { "Part \($0)" }) == [0..<12])
    #expect(GoalGrouping.groups(of: []) == [])
  }

  @Test(arguments: [24, 30, 61, 100, 135])
  func `24 or more entries are divided into goals of 8 to 12 entries`(_ count: Int) {
    let groups = GoalGrouping.groups(of: (1...count).map { "\($0). Title" })

    #expect(groups.allSatisfy { (8...12).contains($0.count) })
    #expect(groups.flatMap(Array.init) == Array(0..<count))
  }

  @Test func `front and back matter get separate goals`() {
    let titles = ["Title", "Preface"] + (1...20).map { "CHAPTER \($0)" } + ["Notes"]

    #expect(GoalGrouping.groups(of: titles) == [0..<2, 2..<12, 12..<22, 22..<23])
  }

  @Test(arguments: [
    (["Chapter 1", "Chapter 2"], "Chapter 1 – Chapter 2"), (["I. Home", "II. Away", "III. Back"], "I – III"),
    (["3 Loops", "12 Files"], "3 – 12"), (["Alone"], "Alone"),
    (["I am here", "You are there"], "I am here – You are there"),
    (["Bees", "A title with so many words that no card has room for it"], "Bees – A title with so many words…"),
  ])
  func `a goal of several entries is named by numbers or titles`(_ titles: [String], _ name: String) {
    #expect(GoalGrouping.name(of: titles) == name)
  }
}

struct TellingTitlesTests {
  @Test func `a title that most siblings share is replaced by the name`() {
    #expect(
      DistinctTitles.titles(["Introduction", "introduction", "Bees"], names: ["Hives", "Honey", "Bees"])
        == ["Hives", "Honey", "Bees"])
    #expect(
      DistinctTitles.titles(["Introduction", "Frames", "Smoke", "Introduction"], names: ["A", "B", "C", "D"])
        == ["Introduction", "Frames", "Smoke", "Introduction"])
  }
}

struct PagePartsTests {
  private func words(_ count: Int, _ word: String = "word") -> String {
    Array(repeating: word, count: count).joined(separator: " ")
  }

  private func parts(_ markdown: String) throws -> [PageSection] {
    try PageSplitter.sections(of: MarkdownText.parse(markdown, file: "a.md", limits: .standard))
  }

  @Test func `a page of up to 2,000 words is not split`() throws {
    let found = try parts("Before.\n\n## One\n\n\(words(900))\n\n## Two\n\n\(words(1_000))")

    #expect(found.map(\.title) == [nil])
    #expect(found.map(\.anchor) == [""])
    #expect(found.map(\.anchors) == [["one", "two"]])
    #expect(found[0].blocks.count == 5)
  }

  @Test func `a longer page is split at the highest level with two headings`() throws {
    let found = try parts(
      "# Once\n\n\(words(700))\n\n## One\n\n\(words(800))\n\n### Deep\n\n\(words(10))\n\n## Two\n\n\(words(900))")

    #expect(found.map(\.title) == [nil, "One", "Two"])
    #expect(found.map(\.anchor) == ["", "one", "two"])
    #expect(found.map(\.anchors) == [["once"], ["one", "deep"], ["two"]])
    #expect(found.map(\.wordCount) == [701, 812, 901])
  }

  @Test func `short sections are joined, and their heading remains in the text`() throws {
    let found = try parts(
      "\(words(300))\n\n## A\n\n\(words(500))\n\n## B\n\n\(words(700))\n\n## C\n\n\(words(100))\n\n## D\n\n\(words(900))"
    )

    #expect(found.map(\.title) == [nil, "B", "D"])
    #expect(found.map(\.wordCount) == [801, 802, 901])
    #expect(found[0].anchors == ["a"])
    #expect(found[0].blocks[1] == .heading(level: 2, text: [.text("A")], anchor: "a"))
    #expect(found[1].anchors == ["b", "c"])
  }

  @Test func `sections that would be too long together are not joined`() throws {
    let found = try parts("\(words(100))\n\n## A\n\n\(words(2_350))\n\n## B\n\n\(words(900))")

    #expect(found.map(\.wordCount) == [100, 2_351, 901])
  }

  @Test func `a long page without such headings is split before exercises with a title`() throws {
    let found = try parts(
      "\(words(1_200))\n\n<div class=\"admonition exercise\">\n\n<span class=\"admonition-title\">Loops</span>\n\nDo it.\n\n</div>\n\n\(words(1_300))"
    )

    #expect(found.map(\.title) == [nil, "Loops"])
    #expect(found.map(\.anchor) == ["", "loops"])
  }

  @Test func `a long page that begins with an exercise keeps its own title`() throws {
    let title = "<span class=\"admonition-title\">NAME</span>"
    let exercise = "<div class=\"admonition exercise\">\n\n\(title)\n\n\(words(1_300))\n\n</div>\n\n"

    let found = try parts(
      exercise.replacing("NAME", with: "Loops") + exercise.replacing("NAME", with: "Lists") + words(800))

    #expect(found.map(\.title) == [nil, "Lists"])
    #expect(found.map(\.anchor) == ["", "lists"])
  }

  @Test func `splitting a page with sections of any length keeps all text exactly once`() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<60 {
      let sections = (0..<Int.random(in: 1...12, using: &random)).map { index in
        "## H\(index)\n\n" + words(Int.random(in: 0...900, using: &random), "w\(index)")
      }
      let text = try MarkdownText.parse(sections.joined(separator: "\n\n"), file: "a.md", limits: .standard)

      let found = try PageSplitter.sections(of: text)

      let shown = found.map { ($0.title.map { $0 + "\n" } ?? "") + $0.blocks.plainText }.joined(separator: "\n")
      let all = text.blocks.map(\.block).plainText
      // A heading without text is joined with the previous section or, at the end of a page, left out.
      #expect(shown.split(whereSeparator: \.isWhitespace) == all.split(whereSeparator: \.isWhitespace))
      #expect(found.dropFirst().allSatisfy { !$0.anchor.isEmpty })
    }
  }
}
