import CourseKit
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// How keys contribute to reading progress. See `Documentation/progress.md`.
@MainActor @Suite struct ReadingCreditTests {
  private let text = "english-for-business/negotiating/opening-offers/who-speaks-first"

  private func opened(_ columns: Int, _ rows: Int, after other: BrowserFixture? = nil) throws -> BrowserFixture {
    let fixture = try BrowserFixture(columns, rows, opening: .text(text), after: other)
    _ = fixture.browser.stage.tick(at: 0)
    return fixture
  }

  private func reading(_ fixture: BrowserFixture) throws -> ReadingScreen {
    try #require(fixture.browser.page as? ReadingScreen)
  }

  private func isDone(_ fixture: BrowserFixture) throws -> Bool {
    try fixture.browser.navigation.places.summary(of: .text(text)).state == .done
  }

  @Test func `jumping through a text without pause earns no credit`() throws {
    let fixture = try opened(80, 24)

    for _ in 0..<3 {
      fixture.press("G", at: 0)
      fixture.press("g", at: 0)
      for _ in 0..<5 { fixture.press(.tab, at: 0) }
    }

    #expect(try reading(fixture).account.share == 0)
    #expect(fixture.text(at: 0).contains("6 min") && !fixture.text(at: 0).contains("% read"))
  }

  @Test func `jumping to the end and back earns only the elapsed time`() throws {
    let fixture = try opened(80, 24)

    fixture.press("G", at: 1)
    fixture.press("g", at: 2)
    _ = fixture.text(at: 2)

    let share = try reading(fixture).account.share
    #expect(share > 0 && share < 0.1)
    #expect(try !isDone(fixture))
  }

  @Test(arguments: [(80, 24), (120, 40), (200, 60), (40, 12)])
  func `reading at 300 words per minute completes the text at its last line`(
    _ columns: Int, _ rows: Int
  ) throws {
    let fixture = try opened(columns, rows)
    let page = try reading(fixture)
    var now = 0.0
    var read = 0

    while true {
      _ = fixture.screen(at: now)
      let lines = max(read, page.visibleLines.lowerBound)..<max(read, page.visibleLines.upperBound)
      let words = lines.reduce(0) { $0 + page.text.lines[$1].text.split(separator: " ").count }
      now += Double(words) / 5
      read = lines.upperBound
      if page.endIsInView { break }
      fixture.press(" ", at: now)
    }
    _ = fixture.screen(at: now)
    fixture.press(.left, at: now)

    #expect(page.account.share == 1)
    #expect(try isDone(fixture))
  }

  @Test(arguments: [(80, 24), (120, 40), (200, 60), (40, 12)].map { CellSize(columns: $0, rows: $1) }, 0..<4)
  func `credit never exceeds elapsed time and never decreases`(_ size: CellSize, seed: Int) throws {
    var fixture = try opened(size.columns, size.rows)
    var random = SplitMix64(seed: UInt64(seed))
    let keys: [Key] = [
      .end, .home, .pageDown, .pageUp, .down, .up, .tab, .character("G"), .character("g"), .character("b"),
    ]
    let length = try reading(fixture).account.text.passages.reduce(0) { $0 + $1.length }
    var (now, elapsed, share) = (0.0, 0.0, 0.0)

    for _ in 0..<80 {
      let pause = random.oneIn(3) ? 0 : Double(random.below(30)) / 100
      (now, elapsed) = (now + pause, elapsed + pause)
      if random.oneIn(8) {
        let size = [CellSize(columns: 80, rows: 24), CellSize(columns: 47, rows: 13)][random.below(2)]
        fixture.browser.handle(.resize(size), at: now)
      } else if random.oneIn(12) {
        fixture.press(.left, at: now)
        now += 1
        _ = fixture.screen(at: now)
        fixture.press(.enter, at: now)
        now += 1
        _ = fixture.screen(at: now)
        elapsed += 2
      } else if random.oneIn(20) {
        fixture.browser.close()
        fixture = try opened(size.columns, size.rows, after: fixture)
        now = 0
      } else {
        let key = keys[random.below(keys.count)]
        // At the end, this key opens the next activity.
        let isEnd = try reading(fixture).endIsInView
        if key != .pageDown || !isEnd { fixture.press(key, at: now) }
      }
      let after = try reading(fixture).account.share
      #expect(after >= share)
      #expect(after * Double(length) / ReadingCredit.cellsPerWord <= ReadingCredit.credit(for: elapsed) + 1e-6)
      share = after
    }
    #expect(share > 0)
  }

  @Test func `no text is credited below an overlay, in another tab or without focus`() throws {
    let fixture = try opened(80, 24)
    let page = try reading(fixture)
    _ = fixture.screen(at: 0)

    fixture.press("?", at: 0)
    _ = fixture.screen(at: 30)
    fixture.press(.escape, at: 30)
    fixture.press("3", at: 30)
    _ = fixture.screen(at: 60)
    fixture.press("1", at: 60)
    _ = fixture.screen(at: 60)
    fixture.browser.handle(.focus(false), at: 60)
    _ = fixture.screen(at: 90)
    #expect(page.account.share == 0)

    fixture.browser.handle(.focus(true), at: 90)
    _ = fixture.screen(at: 120)
    #expect(page.account.share > 0.1)
  }

  @Test func `an idle page wakes the program once, when its visible text is credited`() throws {
    let fixture = try opened(80, 24)
    let page = try reading(fixture)
    let due = try #require(fixture.browser.stage.nextFrameTime)

    _ = fixture.screen(at: due)
    let share = page.account.share
    // The position is stored one second later.
    _ = fixture.screen(at: due + 1)
    _ = fixture.screen(at: due + 600)

    #expect(due > 3 && due < 15)
    #expect(share > 0 && page.account.share == share)
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `reading progress survives a new session with another width`() throws {
    let first = try opened(80, 24)
    _ = first.screen(at: 20)
    let share = try reading(first).account.share
    first.browser.close()

    let second = try opened(47, 20, after: first)

    #expect(share > 0)
    #expect(try reading(second).account.share == share)
  }

  @Test func `an import that changes a paragraph removes its credit until the paragraph returns`() throws {
    let first = try ActivityFixture("long")
    _ = first.rows(at: 60)
    let read = try #require(first.browser.page as? ReadingScreen).account
    first.browser.close()
    func importing(_ word: String) throws -> ReadingProgressTracker {
      let folder = try TemporaryFolder()
      for (name, text) in ActivityFixture.course {
        let file = URL(filePath: folder.file(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.replacing("Paragraph 2 begins", with: word).utf8).write(to: file)
      }
      try first.browser.library.importCourse(from: folder.path)
      let fixture = try ActivityFixture("long", after: first)
      defer { fixture.browser.close() }
      return try #require(fixture.browser.page as? ReadingScreen).account
    }

    let changed = try importing("Something else begins")
    let again = try importing("Paragraph 2 begins")

    let removed = Set(read.text.ranges.keys).subtracting(changed.text.ranges.keys)
    #expect(read.share > 0.2)
    #expect(removed.count == 1 && changed.share < read.share)
    #expect(again.text.ranges == read.text.ranges && again.share == read.share)
  }

  @Test func `a read text is marked as done, and removing the mark is permanent`() throws {
    let fixture = try ActivityFixture("short")
    #expect(fixture.rows(at: 0)[2].hasPrefix("   Short"))

    let read = fixture.rows(at: 1)
    fixture.press("x", at: 2)

    #expect(read[2] == "   Short                                           ✓ done")
    #expect(read[17] == "   Text read: marked as done. x undoes it.")
    #expect(fixture.rows(at: 60)[18] != "       Text read: marked as done. x undoes it.")
    #expect(try !fixture.isDone("short"))
    fixture.browser.close()
    let again = try ActivityFixture("short", after: fixture)
    _ = again.screen(at: 60)
    #expect(try !again.isDone("short"), "no further text is credited")
  }

  @Test func `the rule shows the position and moves only with the page`() throws {
    let fixture = try opened(80, 24)
    func heavy(at time: Double) -> Int { fixture.screen(at: time).joined().count { $0 == "━" } }
    let first = heavy(at: 0)

    // The share that counts as read grows, but the page does not move.
    #expect(heavy(at: 20) == first)
    #expect(try reading(fixture).account.share > 0)
    fixture.press("G", at: 21)
    let last = heavy(at: 30)
    fixture.press("g", at: 31)

    #expect(heavy(at: 40) == first && last > first)
    #expect(try reading(fixture).header.fraction < 1)
  }

  @Test func `Space after a text that is not done opens the next activity and names the key that returns`()
    throws
  {
    let fixture = try ActivityFixture("long")

    for _ in 0..<30 where (fixture.browser.page as? ReadingScreen)?.endIsInView == false {
      fixture.press(" ", at: 0)
    }
    fixture.press(" ", at: 0)
    let rows = fixture.rows(at: 1)

    #expect(fixture.browser.page is FlashcardsScreen)
    #expect(rows[17] == "   “Long” is not done: 0 % read. p returns to it.")
    fixture.press("px", at: 2)
    #expect(try fixture.isDone("long"))
  }

  @Test func `a notice about another activity does not change what a key does`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.end, at: 0)
    fixture.press(" ", at: 0)
    let notice = fixture.rows(at: 1)[17]
    fixture.press("x", at: 2)

    #expect(notice.contains("“Long” is not done"))
    #expect(try [fixture.isDone("long"), fixture.isDone("cards")] == [false, true])
  }

  @Test func `the end of a text reports what was not read, and why, until it is read`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("G", at: 0.5)
    let end = fixture.rows(at: 1)[18]
    fixture.press("g", at: 2)
    while (fixture.browser.page as? ReadingScreen)?.endIsInView == false {
      fixture.press(" ", at: fixture.browser.stage.now + 1.5)
      _ = fixture.rows(at: fixture.browser.stage.now + 1)
    }
    let read = fixture.rows(at: fixture.browser.stage.now + 0.5)[18]
    fixture.press(" ", at: fixture.browser.stage.now + 2)

    #expect(end.hasSuffix(" not read"))
    #expect(!read.contains("not read"))
    #expect(try fixture.isDone("long"))
  }

  @Test func `Space after a text whose mark was removed does not mark it again`() throws {
    let fixture = try ActivityFixture("short")
    _ = fixture.rows(at: 1)

    fixture.press("x ", at: 2)

    // The text is the last one of its course.
    #expect(try !fixture.isDone("short"))
    #expect(fixture.screen(at: 3).contains("“Short” is not done: 99 % read. p returns to it."))
    fixture.press("x", at: 4)
    #expect(try fixture.isDone("short"))
  }

  @Test func `a failed quiz and a link count with their whole time`() throws {
    let fixture = try ActivityFixture("quiz")
    let navigation = fixture.navigation
    let whole = try navigation.places.summary(of: .text("lab")).secondsLeft

    for name in ["quiz", "link"] {
      let place = PlaceName.text("lab/goal/lesson/" + name)
      try navigation.progress.save(
        ReadingPosition(block: 0, fraction: 1, heading: nil, savedAt: Timestamp("2026-11-20T10:00:00Z")!),
        in: navigation.perform(.open(place)).to.place)
    }
    _ = try navigation.progress.record(.quizChecked(answers: [[]], score: 0), in: .text("lab/goal/lesson/quiz"))

    #expect(try navigation.places.summary(of: .text("lab")).secondsLeft == whole)
  }
}
