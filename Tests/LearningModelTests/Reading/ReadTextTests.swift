import LearningModel
import TestSupport
import Testing

@Suite struct ReadTextTests {
  private func text(_ paragraphs: String...) -> ReadText {
    ReadText(TextPassage.passages(of: paragraphs.map { .paragraph([.text($0)]) }))
  }

  @Test func `a row counts as one word per six cells, and as at least one word`() {
    #expect([0, 1, 6, 7, 60].map(ReadingCredit.price(ofRowWith:)) == [1, 1, 1, 7.0 / 6, 10])
  }

  @Test func `a second in view counts as fifteen words read, and unused time is not carried over`() {
    var text = text(String(repeating: "a", count: 60), String(repeating: "b", count: 60))
    let rows = [
      ReadText.Row(passage: 0, characters: 0..<60, visibleCells: 60),
      ReadText.Row(passage: 1, characters: 0..<60, visibleCells: 60),
    ]

    #expect(text.secondsUntilCredited(rows) == 20.0 / 15)
    text.credit(rows, for: 1)
    #expect(text.ranges.values.map(\.count).sorted() == [30, 60])
    text.credit(rows.prefix(1), for: 1000)
    #expect(text.readFraction == 0.75)
    #expect(!text.isEndRead)
    text.credit(rows, for: 0.5)
    #expect(text.readFraction == 1)
    #expect(text.isEndRead)
    let again = text.credit(rows, for: 10)
    #expect(!again)
  }

  @Test func `reading a row with a single letter takes as long as reading one word`() {
    var text = text("a")
    let row = [ReadText.Row(passage: 0, characters: 0..<1, visibleCells: 1)]

    text.credit(row, for: 0.066)
    #expect(text.readFraction == 0)
    text.credit(row, for: 0.067)
    #expect(text.readFraction == 1)
  }

  @Test func `zero or negative time counts as no words read`() {
    var text = text("Words")
    let row = [ReadText.Row(passage: 0, characters: 0..<5, visibleCells: 5)]

    let credited = [text.credit(row, for: 0), text.credit(row, for: -5)]
    #expect(credited == [false, false])
    #expect(text.readFraction == 0)
  }

  @Test func `passages are identified by their words without markup, repeated ones separately`() {
    let plain = TextPassage.passages(of: [
      .paragraph([.text("Say it once.")]), .rule, .paragraph([.text("Say it once.")]),
    ])
    let marked = TextPassage.passages(of: [
      .paragraph([.text("Say "), .strong([.text("it")]), .text(" once.")]), .paragraph([.text("Größe 合意")]),
    ])

    #expect(plain.map(\.length) == [10, 0, 10])
    #expect(marked.map(\.length) == [10, 7])
    #expect(plain[0] == marked[0])
    #expect(plain[0].digest != plain[2].digest)
    #expect(plain[0].digest.count == 16)
    #expect(TextPassage.passages(of: [.paragraph([.text("foobar")])])[0].digest == "85944171f73967e8")
  }

  @Test func `only the summary of collapsed details counts, at any nesting level`() {
    let details = Block.details(summary: [.text("Why?")], blocks: [.paragraph([.text("Because of the bees.")])])
    let passages = TextPassage.passages(of: [
      details, .quote([details]), .bulletList(items: [ListItem(blocks: [details])]),
    ])

    #expect(passages.map(\.length) == [4, 4, 4])
  }

  @Test func `progress within a passage survives changes of the surrounding text`() {
    var first = text("One.", "Two.", "Three.")
    first.credit([ReadText.Row(passage: 1, characters: 0..<4, visibleCells: 4)], for: 1)

    let later = ReadText(
      TextPassage.passages(of: ["New.", "Two.", "One, edited."].map { .paragraph([.text($0)]) }), read: first.ranges)

    #expect(first.readFraction == 4.0 / 14)
    #expect(later.readFraction == 4.0 / 19)
    #expect(later.ranges == first.ranges)
  }

  @Test(arguments: 0..<50) func `no sequence of edits loses any reading progress`(
    seed: Int
  ) {
    var random = SplitMix64(seed: UInt64(seed))
    let original = (0..<12).map { String(repeating: "word\($0 % 9) ", count: 1 + random.below(40)) }
    var paragraphs = original
    var stored: [String: RangeSet<Int>] = [:]
    func passages() -> [TextPassage] { TextPassage.passages(of: paragraphs.map { .paragraph([.text($0)]) }) }

    for _ in 0..<40 {
      var text = ReadText(passages(), read: stored)
      // Passages that are still in the text keep their previous progress.
      for passage in text.passages { #expect(text.ranges[passage.digest] == stored[passage.digest]) }
      let rows = text.passages.indices.map {
        ReadText.Row(passage: $0, characters: 0..<text.passages[$0].length, visibleCells: text.passages[$0].length)
      }
      let fraction = text.readFraction
      text.credit(rows[random.below(rows.count)...], for: Double(random.below(20)) / 10)
      #expect(text.readFraction >= fraction)
      let before = stored
      stored.merge(text.ranges) { $0.union($1) }
      #expect(before.allSatisfy { $0.value.subtracting(stored[$0.key] ?? RangeSet()).isEmpty })

      switch random.below(5) {
      case 0: paragraphs[random.below(paragraphs.count)] += "and more"
      case 1: paragraphs.insert("Something new \(random.below(3)).", at: random.below(paragraphs.count))
      case 2 where paragraphs.count > 4: paragraphs.remove(at: random.below(paragraphs.count))
      case 3: paragraphs.swapAt(random.below(paragraphs.count), random.below(paragraphs.count))
      default: paragraphs = original
      }
    }
    paragraphs = original
    #expect(ReadText(passages(), read: stored).readFraction > 0)
  }

  @Test func `a text without words is completely read`() {
    let text = ReadText(TextPassage.passages(of: [.rule]))

    #expect(text.readFraction == 1)
    #expect(text.isEndRead)
  }

  @Test(arguments: 0..<50) func `progress never exceeds the credit for the elapsed time`(
    seed: Int
  ) {
    var random = SplitMix64(seed: UInt64(seed))
    let lengths = (0..<20).map { _ in Int.random(in: 1...400, using: &random) }
    var text = ReadText(
      TextPassage.passages(
        of: lengths.enumerated().map { .paragraph([.text(String(repeating: "x", count: $1 * 31 + $0))]) }))
    var seconds = 0.0
    for _ in 0..<60 {
      let passage = Int.random(in: 0..<20, using: &random)
      let length = text.passages[passage].length
      let from = Int.random(in: 0..<length, using: &random)
      let rows = stride(from: from, to: length, by: 40).prefix(10).map { start in
        ReadText.Row(
          passage: passage, characters: start..<min(length, start + 40), visibleCells: min(40, length - start))
      }
      let time = Double.random(in: 0...1.5, using: &random)
      let before = text.readFraction
      text.credit(rows, for: time)
      seconds += time
      #expect(text.readFraction >= before)
      #expect(Double(text.ranges.values.reduce(0) { $0 + $1.count }) / 6 <= ReadingCredit.credit(for: seconds) + 1e-6)
    }
  }
}
