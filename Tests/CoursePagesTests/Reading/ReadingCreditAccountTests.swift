import LearningModel
import TestSupport
import Testing
import TextCanvas

@testable import CoursePages

/// Tests properties of the reading progress, on random texts with all kinds of blocks in windows of several sizes.
@Suite struct ReadingCreditAccountTests {
  /// The visible part of a text in a terminal.
  struct Window: CustomTestStringConvertible {
    var terminal: String
    var columns, rows: Int
    var testDescription: String { terminal }

    static let all = [
      Window(terminal: "80 x 24", columns: 74, rows: 17), Window(terminal: "120 x 40", columns: 74, rows: 33),
      Window(terminal: "200 x 60", columns: 74, rows: 53), Window(terminal: "40 x 12", columns: 38, rows: 7),
    ]

    func text(_ blocks: [Block]) -> ReadingText {
      ReadingLayout(width: columns, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode).text(
        blocks)
    }
  }

  @Test(arguments: Window.all, 0..<12)
  func `reading every line at 300 words per minute reads the whole text`(_ window: Window, seed: Int) {
    let blocks = [Block].random(seed: UInt64(seed))
    let text = window.text(blocks)
    var account = ReadingProgressTracker(blocks)
    let rows = text.rows(of: account.text.passages)
    var now = 0.0

    var isRead = Set<Int>()
    var top = 0
    while true {
      let visible = top..<min(text.lines.count, top + window.rows)
      account.show(rows[visible], isEnd: visible.upperBound == text.lines.count, since: now)
      let words = visible.filter { isRead.insert($0).inserted }.reduce(0) { $0 + text.lines[$1].words }
      now += Double(words) / 5
      _ = account.creditUntil(at: now)
      if visible.upperBound == text.lines.count { break }
      top = text.nextPage(from: top, visible: window.rows, overlap: 2, rows: window.rows)
    }

    #expect(account.share == 1)
    #expect(account.isRead)
  }

  @Test(arguments: Window.all, 0..<12)
  func `jumping around never credits more than the elapsed time and never reduces progress`(_ window: Window, seed: Int)
  {
    let blocks = [Block].random(seed: UInt64(seed))
    var account = ReadingProgressTracker(blocks)
    let passages = account.text.passages
    let widths = Dictionary(Window.all.map { ($0.columns, $0) }, uniquingKeysWith: { first, _ in first })
      .mapValues { $0.text(blocks).rows(of: passages) }
    let lines = widths[window.columns]!.count
    var random = SplitMix64(seed: UInt64(100 + seed))
    let words = Double(TextPassage.passages(of: blocks).reduce(0) { $0 + $1.length }) / ReadingCredit.cellsPerWord
    var (now, share) = (0.0, 0.0)

    for _ in 0..<200 {
      // Resizes the window from time to time.
      let rows = widths[(random.oneIn(6) ? Window.all[random.below(4)] : window).columns]!
      let top = random.below(max(1, min(lines, rows.count)))
      let visible = top..<min(rows.count, top + window.rows)
      account.show(rows[visible], isEnd: visible.upperBound == rows.count, since: now)
      now += random.oneIn(3) ? 0 : Double(random.below(40)) / 100
      _ = account.creditUntil(at: now)
      #expect(account.share >= share)
      #expect(account.share * words <= ReadingCredit.credit(for: now) + 1e-6)
      share = account.share
      // Stores and restores the progress from time to time.
      if random.oneIn(20) { account = ReadingProgressTracker(blocks, read: account.text.ranges) }
      #expect(account.share == share)
    }
  }

  @Test(arguments: Window.all) func `jumps without elapsed time credit nothing`(_ window: Window) {
    let blocks = [Block].random(seed: 1)
    let text = window.text(blocks)
    var account = ReadingProgressTracker(blocks)
    let rows = text.rows(of: account.text.passages)

    for top in Array(0..<text.lines.count) + [0, text.lines.count - 1, 0] {
      account.show(rows[top..<min(text.lines.count, top + window.rows)], isEnd: true, since: 5)
      _ = account.creditUntil(at: 5)
    }

    #expect(account.share == 0)
  }

  @Test func `the lines contain every character of every block in order, at any width`() {
    for seed in 0..<12 {
      let blocks = [Block].random(seed: UInt64(seed))
      let passages = TextPassage.passages(of: blocks)
      for window in Window.all {
        let rows = window.text(blocks).rows(of: passages)
        for (number, passage) in passages.enumerated() {
          let dealt = rows.filter { $0.passage == number }.map(\.characters)
          #expect(dealt.first?.lowerBound == 0 && dealt.last?.upperBound == passage.length)
          #expect(zip(dealt, dealt.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
      }
    }
  }

  @Test func `newly read ranges are returned only once`() {
    let blocks: [Block] = [.paragraph([.text("One two three.")])]
    var account = ReadingProgressTracker(blocks)
    account.show(
      ArraySlice(ReadText.Row.rows(inks: [12], of: account.text.passages[0], 0)), isEnd: true, since: 0)

    var unsaved = [account.takeUnsavedRanges().values.map(\.count)]
    _ = account.creditUntil(at: 0.1)
    for _ in 0..<2 { unsaved.append(account.takeUnsavedRanges().values.map(\.count)) }
    #expect(account.fullyCreditedAt.map { ($0 * 1000).rounded() } == 133)
    _ = account.creditUntil(at: 1)
    unsaved.append(account.takeUnsavedRanges().values.map(\.count))

    #expect(unsaved == [[], [9], [], [12]])
    #expect(account.fullyCreditedAt == nil)
  }

  /// A text whose first page takes ten seconds at the highest speed.
  private func longPage() -> (account: ReadingProgressTracker, rows: ArraySlice<ReadText.Row>) {
    let account = ReadingProgressTracker([.paragraph([.text(String(repeating: "abcdef", count: 150))])])
    return (
      account, ArraySlice(ReadText.Row.rows(inks: Array(repeating: 60, count: 15), of: account.text.passages[0], 0))
    )
  }

  @Test(arguments: [(0.9, 0.09), (1.0, 1.0), (3.0, 1.0)])
  func `a page counts as read if it was visible for a second and is left with Space`(_ seconds: Double, _ share: Double)
  {
    var (account, rows) = longPage()
    account.show(rows, isEnd: true, since: 5)

    #expect(account.shareAfterPage == 1)
    let hasNewCredit = account.turnPage(at: 5 + seconds)

    #expect(hasNewCredit)
    #expect((account.share * 100).rounded() / 100 == share)
    #expect(account.isRead == (share == 1))
  }

  @Test func `a second begins again when other rows become visible`() {
    var (account, rows) = longPage()
    account.show(rows[..<8], isEnd: false, since: 0)
    account.show(rows[7...], isEnd: true, since: 0.8)

    _ = account.turnPage(at: 1.2)

    #expect(account.share < 0.1)
  }

  @Test func `nothing of a glance is stored, and all of it once half of the page was read`() {
    var (account, rows) = longPage()
    account.show(rows, isEnd: true, since: 0)
    _ = account.creditUntil(at: 4.8)
    let glance = (account.takeUnsavedRanges(), account.shareToStore, account.share > 0.4)
    _ = account.creditUntil(at: 5.2)

    let unsaved = account.takeUnsavedRanges().values.map(\.count)

    #expect(glance.0.isEmpty && glance.1 == 0 && glance.2)
    #expect(unsaved == [468])
    #expect(account.shareToStore == account.share)
  }

  @Test func `a turned page is stored at once`() {
    var (account, rows) = longPage()
    account.show(rows, isEnd: true, since: 0)

    _ = account.turnPage(at: 0.4)
    let unsaved = account.takeUnsavedRanges().values.map(\.count)

    #expect(unsaved == [36])
  }
}

extension StyledLine {
  /// The number of words in the line.
  fileprivate var words: Int {
    text.split(separator: " ").count { $0.contains { $0.isLetter || $0.isNumber } }
  }
}

extension [Block] {
  /// Returns a random text with blocks of many kinds.
  fileprivate static func random(seed: UInt64) -> [Block] {
    var random = SplitMix64(seed: seed)
    func words(_ count: Int) -> String {
      (0..<count).map { _ in String(repeating: "n", count: 1 + random.below(12)) }.joined(separator: " ")
    }
    func line(_ most: Int) -> [Inline] { [.text(words(1 + random.below(most)))] }
    return (0..<(12 + random.below(30))).map { number in
      switch random.below(12) {
      case 0: .heading(level: 2, text: line(6), anchor: "a\(number)")
      case 1: .bulletList(items: (0..<1 + random.below(6)).map { _ in ListItem(blocks: [.paragraph(line(30))]) })
      case 2: .orderedList(start: 1, items: (0..<3).map { _ in ListItem(blocks: [.paragraph(line(9))]) })
      case 3: .quote([.paragraph(line(60)), .paragraph(line(10))])
      case 4:
        .code(
          language: nil,
          text: (0..<1 + random.below(20)).map { _ in words(1 + random.below(6)) }.joined(separator: "\n"))
      case 5:
        .table(
          alignments: [.left, .left, .right], header: [line(2), line(2), line(1)],
          rows: (0..<1 + random.below(8)).map { _ in [line(3), line(16), line(2)] })
      case 6: .rule
      case 7: .paragraph([.text("The same words again and again.")])
      default: .paragraph(line(90))
      }
    }
  }
}
