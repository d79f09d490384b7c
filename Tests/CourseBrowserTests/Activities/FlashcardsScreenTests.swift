import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct FlashcardsScreenTests {
  @Test func `a card shows its front, turns over, and is graded`() throws {
    let fixture = try ActivityFixture("cards", 60, 18)
    let front = fixture.screen(at: 0)
    fixture.press(" ", at: 1)
    let back = fixture.screen(at: 2)
    fixture.press(" ", at: 3)
    let next = fixture.screen(at: 4)

    expectSnapshot(front, "front")
    expectSnapshot(back, "back")
    expectSnapshot(next, "next")
    #expect(try fixture.grades("cards") == [0: true])
  }

  @Test func `1 and 2 grade a turned card, and other digits do not leave the page`() throws {
    let fixture = try ActivityFixture("cards", 60, 18)
    fixture.press(" ", at: 2)
    for digit in "340" { fixture.press(.character(digit), at: 3) }
    #expect(try fixture.grades("cards") == [:])

    fixture.press("1", at: 4)
    fixture.press(" ", at: 5)
    fixture.press("2", at: 6)

    #expect(try fixture.grades("cards") == [0: false, 1: true])
    #expect(fixture.browser.openPages.tabs.selectedIndex == 0)
  }

  @Test func `Enter turns the card over and back`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)

    fixture.press(.enter, at: 1)
    #expect(fixture.rows(at: 2)[8] == "│   The first figure that is said aloud.   │")
    fixture.press(.enter, at: 3)
    #expect(fixture.rows(at: 4)[6] == "│                an anchor                 │")
    #expect(try fixture.grades("cards") == [:])
  }

  @Test func `Space turns each card and then grades it as known`() throws {
    let fixture = try ActivityFixture("cards")
    for press in 0..<6 {
      fixture.press(" ", at: Double(1 + press))
      _ = fixture.screen(at: Double(1 + press) + 0.5)
    }

    #expect(try fixture.grades("cards") == [0: true, 1: true, 2: true])
    #expect(try fixture.isDone("cards"))
    expectSnapshot(fixture.screen(at: 8))
    fixture.press(" ", at: 9)
    #expect(fixture.rows(at: 10)[2] == "   Quiz                                   question 1 of 2")
  }

  @Test func `a second Space during the turn shows the answer without grading the card`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)

    for _ in 0..<2 { fixture.browser.handle(.key(KeyEvent(.character(" "))), at: 1) }

    // The turn continues from its current state and ends sooner.
    #expect(fixture.rows(at: 1.09)[8] == "│   The first figure that is said aloud.   │")
    #expect(try fixture.grades("cards") == [:])
    fixture.press(" ", at: 1.1)
    #expect(try fixture.grades("cards") == [0: true])
    fixture.press("U", at: 2)
    #expect(fixture.rows(at: 2)[8] == "│   The first figure that is said aloud.   │")
  }

  @Test func `a turning card shows its back in the second half of the turn`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)
    fixture.press(" ", at: 1)
    fixture.press(" ", at: 2)
    // A card with double-width characters. They are visible completely or not at all, and no word loses letters.
    fixture.press(" ", at: 3)

    expect(
      card(fixture, at: 3),
      """
      ╭──────────────────────────────────────────╮
      │                                          │
      │                                          │
      │                   合意                   │
      │                                          │
      │                                          │
      │                                          │
      │                                          │
      ╰──────────────────────────────────────────╯
      """)
    expect(
      card(fixture, at: 3.08),
      """
        ╭──────────────────────────────────────╮
        │                                      │
        │                                      │
        │                 合意                 │
        │                                      │
        │                                      │
        │                                      │
        │                                      │
        ╰──────────────────────────────────────╯
      """)
    let edges = ["╭╮"] + Array(repeating: "││", count: 7) + ["╰╯"]
    let fromItsEdge = edges.map { String(repeating: " ", count: 21) + $0 }
    expect(card(fixture, at: 3.16), fromItsEdge.joined(separator: "\n"))
    expect(
      card(fixture, at: 3.24),
      """
        ╭──────────────────────────────────────╮
        │                                      │
        │                                      │
        │                 合意                 │
        │                                      │
        │    An agreement: 全員が賛成する。    │
        │                                      │
        │                                      │
        ╰──────────────────────────────────────╯
      """)
    expect(
      card(fixture, at: 3.32),
      """
      ╭──────────────────────────────────────────╮
      │                                          │
      │                                          │
      │                   合意                   │
      │                                          │
      │      An agreement: 全員が賛成する。      │
      │                                          │
      │                                          │
      ╰──────────────────────────────────────────╯
      """)
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `a turning card shows only whole words and keeps the question in place`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)
    let front = card(fixture, at: 0)
    fixture.press(" ", at: 1)
    let frames = (0...32).map { card(fixture, at: 1 + Double($0) / 100) }
    let words = frames.map { Set($0.split { " │╭╮╰╯━─\n".contains($0) }.map(String.init)) }

    let answer: Set = ["The", "first", "figure", "that", "is", "said", "aloud."]
    #expect(words.allSatisfy { $0.isSubset(of: answer.union(["an", "anchor"])) })
    #expect(words.contains { $0.contains("figure") && !$0.contains("The") })
    #expect(words.first == ["an", "anchor"] && words.last == answer.union(["an", "anchor"]))
    let question = front.split(separator: "\n")[3]
    #expect(question.contains("an anchor") && frames.last?.split(separator: "\n")[3] == question)
  }

  @Test func `a turn that is reversed halfway continues from its current state`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)
    fixture.press(.enter, at: 1)
    let half = card(fixture, at: 1.12)

    fixture.browser.handle(.key(KeyEvent(.enter)), at: 1.12)

    #expect(card(fixture, at: 1.12) == half)
    #expect(fixture.rows(at: 2)[6] == "│                an anchor                 │")
  }

  @Test func `with reduced motion, one side fades out before the other fades in`() throws {
    let fixture = try ActivityFixture("cards", 44, 14, motion: .reduced)
    let front = card(fixture, at: 0)
    fixture.press(" ", at: 1)

    #expect(card(fixture, at: 1) == front)
    #expect(card(fixture, at: 1.03) == front)
    expect(
      card(fixture, at: 1.06),
      """
      ╭──────────────────────────────────────────╮
      │                                          │
      │                                          │
      │                                          │
      │                                          │
      │                                          │
      │                                          │
      │                                          │
      ╰──────────────────────────────────────────╯
      """)
    #expect(card(fixture, at: 1.09) == card(fixture, at: 1.12))
    #expect(fixture.rows(at: 1.12)[8] == "│   The first figure that is said aloud.   │")
  }

  @Test func `without motion, cards change at once`() throws {
    let fixture = try ActivityFixture("cards", 44, 14, motion: .none)

    fixture.press(" ", at: 1)
    #expect(fixture.rows(at: 1)[8] == "│   The first figure that is said aloud.   │")
    fixture.press("f", at: 1)
    #expect(fixture.rows(at: 1)[6] == "│                   合意                   │")
  }

  @Test func `the deck is done after the last card, and unknown cards are repeated`() throws {
    let fixture = try ActivityFixture("cards")
    for (number, key) in [" ", "f", " "].enumerated() {
      fixture.press(" ", at: Double(2 * number + 1))
      fixture.press(key, at: Double(2 * number + 2))
    }

    expectSnapshot(fixture.screen(at: 8))
    #expect(try fixture.grades("cards") == [0: true, 1: false, 2: true])
    #expect(try fixture.isDone("cards"))

    fixture.press("r", at: 9)
    #expect(fixture.rows(at: 10)[2] == "   Cards                                      card 1 of 1")
    fixture.press(" ", at: 11)
    fixture.press(" ", at: 12)
    #expect(fixture.rows(at: 13)[6...8] == ["   You knew 1 of 1 in this round.", "", "   You know all 3 cards now."])
    fixture.press(" ", at: 14)
    #expect(fixture.rows(at: 15)[2].hasPrefix("   Quiz "))
  }

  @Test func `U undoes a grade`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)
    fixture.press(" ", at: 1)
    fixture.press("f", at: 2)

    fixture.press("U", at: 3)
    fixture.press(" ", at: 4)

    #expect(try fixture.grades("cards") == [0: true])
    #expect(fixture.rows(at: 5)[1] == " Cards                          card 2 of 3")
  }

  @Test func `a card whose grade was undone is shown again after the deck was left`() throws {
    let fixture = try ActivityFixture("cards", 60, 18)
    fixture.press(" ", at: 1)
    fixture.press("f", at: 2)
    fixture.press(" ", at: 3)
    fixture.press(" ", at: 4)
    fixture.press("U", at: 5)
    fixture.press(.left, at: 6)
    fixture.press(.enter, at: 8)

    let overview = fixture.rows(at: 10)
    fixture.press(" ", at: 11)

    #expect(overview.contains { $0.contains("You have turned 1 of 3 cards, and knew 0 of them.") })
    // The round counts the cards before it, in the header and in the rule.
    #expect(fixture.rows(at: 12)[2] == "   Cards                                      card 2 of 3")
    #expect(fixture.rows(at: 12)[4].contains("━"))
  }

  @Test func `after a restart, U shows the card that was graded last, with its back visible`() throws {
    let first = try ActivityFixture("cards", 60, 18)
    first.press(" ", at: 1)
    first.press("f", at: 2)
    try first.navigation.endSession()
    let fixture = try ActivityFixture("cards", 60, 18, after: first)

    fixture.press("U", at: 1)

    let rows = fixture.rows(at: 2)
    #expect(rows[2] == "   Cards                                      card 1 of 3")
    #expect(rows[15] == "   Undone: “forgot”.")
    #expect(try fixture.grades("cards") == [:])
    fixture.press(" ", at: 3)
    #expect(try fixture.grades("cards") == [0: true])
  }

  @Test func `keys that were typed before the back of a card was visible do not grade it`() throws {
    let fixture = try ActivityFixture("cards", 44, 14, motion: .none)
    for _ in 0..<4 { fixture.browser.handle(.key(KeyEvent(.character(" "))), at: 1) }
    fixture.browser.handle(.key(KeyEvent(.character("f"))), at: 1)
    let typedAhead = try fixture.grades("cards")
    _ = fixture.rows(at: 1)
    fixture.browser.handle(.key(KeyEvent(.character("f"))), at: 1.1)

    #expect(typedAhead == [:])
    #expect(try fixture.grades("cards") == [0: false])
  }

  @Test func `arrows and b scroll a long side as in a text, and otherwise do nothing`() throws {
    let long = try ActivityFixture("cards", 20, 6, symbols: .ascii)
    long.press(" ", at: 1)
    _ = long.rows(at: 2)
    let top = long.rows(at: 2)
    long.press(.down, at: 3)
    let scrolled = long.rows(at: 4)
    long.press("b", at: 5)

    #expect(scrolled != top && long.rows(at: 6)[1...4] == top[1...4])
    #expect(try long.grades("cards") == [:])

    let short = try ActivityFixture("cards", 44, 14)
    short.press(" ", at: 1)
    let back = short.rows(at: 2)
    short.press(.up, .down, at: 3)
    short.press("b", at: 3)

    #expect(short.rows(at: 4)[1...10] == back[1...10])
    #expect(try short.grades("cards") == [:])
  }

  @Test func `a flashcard page has one progress bar, which shows the position in the round`() throws {
    let fixture = try ActivityFixture("cards", 60, 18)

    let heavy = (0..<4).map { number in
      fixture.press(number == 0 ? "" : "  ", at: Double(2 * number))
      _ = fixture.rows(at: Double(2 * number) + 0.5)
      fixture.press(number == 0 ? "" : " ", at: Double(2 * number) + 0.6)
      return fixture.rows(at: Double(2 * number) + 1.5).map { $0.count { $0 == "━" } }.filter { $0 > 0 }
    }

    #expect(heavy.map(\.count) == [0, 1, 1, 1])
  }

  @Test func `a card cannot be graded before it is turned`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)

    fixture.press("f", at: 1)
    fixture.press(.up, .down, at: 1)

    #expect(try fixture.grades("cards") == [:])
    #expect(fixture.rows(at: 2)[1] == " Cards                          card 1 of 3")
  }

  @Test func `the deck continues where the learner stopped`() throws {
    let first = try ActivityFixture("cards")
    first.press(" ", at: 1)
    first.press("f", at: 2)
    first.press(.left, at: 3)
    #expect(
      first.rows(at: 4)[8...9] == [
        " │ ◐ Cards                     flashcards  1 of 3   2 min │",
        " │   You stopped at “合意”.           flashcards, 3 cards │",
      ])
    first.browser.close()

    let second = try ActivityFixture("cards", after: first)
    expectSnapshot(second.screen(at: 0))
    second.press(" ", at: 1)
    #expect(second.rows(at: 2)[9] == " │                          合意                          │")
  }

  @Test func `a card fits 20 by 6 cells, and its back scrolls by pages`() throws {
    let fixture = try ActivityFixture("cards", 20, 6, symbols: .ascii)

    fixture.press(" ", at: 1)
    expectSnapshot(fixture.screen(at: 2))
    fixture.press(" ", at: 3)
    #expect(fixture.rows(at: 4)[3...4] == ["    that is said", "       aloud."])
  }

  @Test func `in a very large terminal, the card keeps its height and column`() throws {
    let rows = try ActivityFixture("cards", 400, 120).rows(at: 0)

    let margin = String(repeating: " ", count: 128)
    let top = try #require(rows.firstIndex(of: margin + "╭" + String(repeating: "─", count: 62) + "╮"))
    #expect(rows.firstIndex(of: margin + "╰" + String(repeating: "─", count: 62) + "╯") == top + 11)
  }

  @Test func `a click turns the card`() throws {
    let fixture = try ActivityFixture("cards", 44, 14)

    fixture.click(column: 20, row: 7, at: 1)

    #expect(fixture.rows(at: 2)[8] == "│   The first figure that is said aloud.   │")
  }

  @Test func `in a large terminal, the card is wide and its answer is centred`() throws {
    let fixture = try ActivityFixture("cards", 120, 44)
    fixture.press(" ", at: 1)

    expectSnapshot(fixture.rows(at: 2))
  }

  @Test func `in a narrow and tall terminal, the card is wide too`() throws {
    let fixture = try ActivityFixture("cards", 60, 44)

    expectSnapshot(fixture.rows(at: 1))
  }

  /// Returns the rows of the card.
  private func card(_ fixture: ActivityFixture, at time: Double) -> String {
    fixture.rows(at: time)[3..<12].joined(separator: "\n")
  }

  @Test func `grading is offered only after the back becomes visible`() throws {
    let fixture = try ActivityFixture("cards")
    fixture.press(" ", at: 1)
    let offersGrading = { (time: Double) in fixture.rows(at: time).contains { $0.contains("You knew it") } }

    #expect([1.05, 1.1, 1.15, 1.2, 1.4].map(offersGrading) == [false, false, false, true, true])
  }

  @Test func `a card with little text has at most twelve rows`() throws {
    for (columns, rows) in [(120, 40), (200, 60), (200, 120)] {
      let fixture = try ActivityFixture("cards", columns, rows)
      fixture.press(" ", at: 1)
      let screen = try #require(fixture.browser.page as? FlashcardsScreen)
      _ = fixture.rows(at: 2)

      #expect(screen.cardView.frame.rows == 12, "\(columns) x \(rows)")
    }
  }
}
