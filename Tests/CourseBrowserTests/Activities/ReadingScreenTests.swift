import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct ReadingScreenTests {
  @Test func `the card of a started text shows progress and remaining time only once`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(" ", at: 0)
    fixture.press(.left, at: 1)
    fixture.press("v", at: 2)
    expectSnapshot(fixture.rows(at: 3)[5...10])
  }

  @Test func `a text shows the remaining time of what is not read yet`() throws {
    let fixture = try ActivityFixture("long")
    let top = fixture.screen(at: 0)
    fixture.press(" ", at: 1)
    let middle = fixture.screen(at: 2)
    fixture.press("b", at: 3)

    expectSnapshot(top, "top")
    expectSnapshot(middle, "middle")
    #expect(
      fixture.rows(at: 4)[2...3] == [
        "   Long",
        "   A text of many lines.                       3 min left",
      ])
  }

  @Test func `scrolling by a page is animated, and lines keep their places`() throws {
    let fixture = try ActivityFixture("long")
    let before = fixture.rows(at: 0)

    fixture.press(" ", at: 1)

    #expect(fixture.rows(at: 1)[6..<18] == before[6..<18])
    #expect(fixture.rows(at: 1.06)[4] == "   Paragraph 3 begins here.")
    #expect(fixture.rows(at: 1.12)[4] == "   Paragraph 4 begins here.")
    // After one second the position is stored. Then the visible text is credited, and the credit is stored. After that
    // the page is idle.
    #expect(fixture.browser.stage.nextFrameTime == 2)
    _ = fixture.screen(at: 2)
    #expect(fixture.browser.stage.nextFrameTime.map { ($0 * 100).rounded() } == 221)
    _ = fixture.screen(at: 2.3)
    _ = fixture.screen(at: 3.3)
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `with reduced motion, a page appears at once`() throws {
    let fixture = try ActivityFixture("long", motion: .reduced)

    fixture.press(" ", at: 1)

    #expect(fixture.rows(at: 1)[4] == "   Paragraph 4 begins here.")
  }

  @Test func `a second page that is requested during the animation appears at once`() throws {
    let fixture = try ActivityFixture("long")

    fixture.press("  ", at: 1)

    #expect(fixture.rows(at: 1) == fixture.rows(at: 2))
  }

  @Test func `arrow keys, scrolling, Home and End scroll by lines`() throws {
    let fixture = try ActivityFixture("long")

    fixture.press(.down, at: 1)
    #expect(fixture.rows(at: 1.5)[4] == "   It goes on.")
    fixture.wheel(rows: 1, at: 2)
    #expect(fixture.rows(at: 2)[3] == "   Paragraph 2 begins here.")
    fixture.press(.end, at: 3)
    #expect(
      fixture.rows(at: 3)[16...17] == ["   │ let answer = 42                                Swift", ""],
      "a blank row separates the text from the next step")
    fixture.press(.home, at: 4)
    #expect(fixture.rows(at: 4)[6] == "   Paragraph 1 begins here.")
  }

  // MARK: - Done

  @Test func `a text is done when all of it was visible long enough`() throws {
    let fixture = try ActivityFixture("long")
    let page = try #require(fixture.browser.page as? ReadingScreen)
    var time = 0.0
    while !page.endIsInView {
      time = try #require(page.account.fullyCreditedAt)
      fixture.press(" ", at: time)
      time += 0.2
      _ = fixture.screen(at: time)
    }
    let due = try #require(page.account.fullyCreditedAt)

    _ = fixture.screen(at: due - 0.1)
    #expect(try !fixture.isDone("long"))
    #expect(fixture.rows(at: due + 0.02)[1] == "   Long                                            ✓ done")
    #expect(fixture.rows(at: due + 0.02)[17] == "   Text read: marked as done. x undoes it.")
    #expect(try fixture.isDone("long"))
    #expect(fixture.rows(at: due + 5)[18] == "   Space  Next: Cards                 flashcards, 3 cards")
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `the x key undoes the automatic mark of a read text permanently`() throws {
    let fixture = try ActivityFixture("short")
    #expect(fixture.rows(at: 2)[17] == "   Text read: marked as done. x undoes it.")
    #expect(try fixture.isDone("short"))

    fixture.press("x", at: 2.5)

    #expect(try !fixture.isDone("short"))
    #expect(!fixture.rows(at: 2.5)[18].contains("Text read"), "the outdated notice disappears")
    #expect(fixture.rows(at: 60)[2] == "   Short")
    #expect(try !fixture.isDone("short"), "the text is visible for a minute, but is not marked as done again")
  }

  @Test func `a text that fits shows its duration and is done when it is credited`() throws {
    let fixture = try ActivityFixture("short")
    let before = fixture.rows(at: 0)
    // 17 cells of text, at fifteen words of six cells per second.
    let due = try #require(fixture.browser.stage.nextFrameTime)
    #expect(abs(due - 17.0 / 6 / 15 - 0.01) < 1e-9)

    #expect(before[2...3] == ["   Short", "   One line.                                        1 min"])
    #expect(
      fixture.rows(at: due)[2...3] == ["   Short                                           ✓ done", "   One line."])
    _ = fixture.rows(at: 6)
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `a text that is left before it is credited is not done`() throws {
    let fixture = try ActivityFixture("short")

    fixture.press(.left, at: 0.1)
    _ = fixture.screen(at: 10)

    #expect(try !fixture.isDone("short"))
  }

  @Test func `seeing the end earns no credit for the lines before it`() throws {
    let fixture = try ActivityFixture("long")

    fixture.press(.end, at: 0)

    #expect(fixture.rows(at: 60)[1] == "   Long                                        3 min left")
    #expect(fixture.rows(at: 60)[19].hasPrefix("   y copy  ← up"))
    #expect(try !fixture.isDone("long"))
  }

  @Test func `a text marked as not done is not marked as done again in the same session`() throws {
    let fixture = try ActivityFixture("long")
    let time = try fixture.browser.readToTheEnd(from: 0)
    #expect(try fixture.isDone("long"))

    fixture.press("x", at: time + 1)
    _ = fixture.screen(at: time + 20)
    #expect(try !fixture.isDone("long"))
    #expect(fixture.rows(at: time + 20)[1] == "   Long", "the whole text is still read, so no time remains")

    fixture.press(.up, .end, at: time + 21)
    _ = fixture.screen(at: time + 60)
    #expect(try !fixture.isDone("long"))
  }

  @Test func `Space at the end marks a read text as done and continues`() throws {
    let fixture = try ActivityFixture("short")

    // Just before the scheduled credit.
    fixture.press(" ", at: 17.0 / 6 / 15 + 0.005)

    #expect(try fixture.isDone("short"))
    #expect(fixture.rows(at: 3).contains { $0.contains("End of Lab") })
  }

  @Test func `Space at the end of an unread text continues without marking it`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.end, at: 0)

    fixture.press(" ", at: 0.1)

    #expect(try !fixture.isDone("long"))
    #expect(fixture.rows(at: 3)[2] == "   Cards                                      card 1 of 3")
  }

  @Test func `the x key marks a text as done or not done and updates the count of its lesson`() throws {
    let fixture = try ActivityFixture("long")

    fixture.press("x", at: 1)
    #expect(fixture.rows(at: 1)[2] == "   Long                                            ✓ done")
    fixture.press(.left, at: 2)
    #expect(fixture.rows(at: 3)[2] == "   Lesson                                     1 of 5 done")
    fixture.press(.enter, at: 4)
    fixture.press("x", at: 5)
    fixture.press(.left, at: 6)
    #expect(fixture.rows(at: 7)[2] == "   Lesson                                     0 of 5 done")
  }

  @Test func `a scrolled text shows its remaining time only once while it closes`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(" ", at: 1)
    _ = fixture.screen(at: 2)

    fixture.press(.left, at: 3)

    let rows = stride(from: 3.04, through: 3.08, by: 0.005).flatMap { fixture.rows(at: $0) }
    let summaries = rows.filter { $0.contains("A text of many lines.") }
    #expect(!summaries.isEmpty, "the summary reappears during the transition")
    #expect(summaries.allSatisfy { !$0.contains(" min") })
  }

  // MARK: - Position

  @Test func `a text continues where it was left, and its card shows the heading`() throws {
    let first = try ActivityFixture("long")
    first.press("  ", at: 1)
    let before = first.rows(at: 2)
    first.press(.left, at: 2)
    expectSnapshot(first.screen(at: 3))
    first.browser.close()

    let second = try ActivityFixture("long", after: first)
    #expect(second.rows(at: 0)[1] == "   Long                                        3 min left")
    #expect(second.rows(at: 0)[3..<19] == before[3..<19])
  }

  @Test func `the position is stored after one second, or after thirty seconds of continuous scrolling`() throws {
    let fixture = try ActivityFixture("long")
    func storedFraction() throws -> Double? {
      try fixture.navigation.places.summary(of: .text("lab/goal/lesson/long")).reading?.fraction
    }

    fixture.press(.down, at: 1)
    fixture.press(.down, at: 1.9)
    _ = fixture.screen(at: 2.8)
    #expect(try storedFraction() == nil)
    _ = fixture.screen(at: 2.9)
    let initial = try #require(try storedFraction())
    #expect(fixture.browser.stage.nextFrameTime == nil)

    // Up and down, twice a second.
    for half in 0..<59 {
      fixture.press(half == 0 ? .pageDown : half % 2 == 0 ? .up : .down, at: 10 + Double(half) / 2)
    }
    #expect(try storedFraction() == initial)
    fixture.press(.down, at: 40)
    _ = fixture.screen(at: 40.1)
    #expect(try storedFraction() ?? 0 > initial)
  }

  @Test func `the same words stay at the top when the terminal is resized`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.end, at: 1)
    fixture.press(.up, .up, at: 1)

    fixture.browser.handle(.resize(CellSize(columns: 100, rows: 20)), at: 2)
    fixture.browser.handle(.resize(CellSize(columns: 60, rows: 20)), at: 3)

    #expect(fixture.rows(at: 4)[3] == "   It goes on.")
  }

  // MARK: - Links and code

  @Test func `Tab moves through the links and shows their targets`() throws {
    let fixture = try ActivityFixture("long")

    fixture.press(.tab, at: 1)
    #expect(fixture.rows(at: 2)[18] == "   ↵  Open “Cards”                    flashcards, 3 cards")
    fixture.press(.tab, .tab, at: 3)
    #expect(fixture.rows(at: 3)[18] == "   ↵  Open https://example.org/somew…  outside the course")
    fixture.browser.handle(.key(KeyEvent(.tab, modifiers: .shift)), at: 3)
    #expect(fixture.rows(at: 3)[18] == "   ↵  Open “Quiz”                       quiz, 2 questions")
  }

  @Test func `Escape first deselects a link and then navigates to the parent`() throws {
    let fixture = try ActivityFixture("short", 80, 24)
    fixture.press(.tab, at: 1)
    #expect(fixture.rows(at: 1)[23].contains("Space end  Esc deselect"))
    fixture.press(.escape, at: 2)
    let selected = fixture.rows(at: 2)
    #expect(selected[2].hasPrefix("   Short") && selected[23].contains("Space end  ← up  e note"))
    fixture.press(.escape, at: 3)
    #expect(fixture.rows(at: 4)[2].hasPrefix("   Lesson"))
  }

  @Test func `the header grows back in the same time in which it shrank`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.down, at: 1)
    let scrolled = fixture.rows(at: 2)
    fixture.press(.up, at: 3)
    let first = fixture.rows(at: 3)
    let middle = fixture.rows(at: 3.05)
    let end = fixture.rows(at: 3.12)

    #expect(first[2...17] == scrolled[2...17])
    expectSnapshot(middle[1...8])
    #expect(end == fixture.rows(at: 4))
  }

  @Test func `a link to a heading shows its title and scrolls there`() throws {
    let fixture = try ActivityFixture(
      "text", 60, 18,
      course: [
        "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
        "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
        "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\n---\n\nSee [below](#in-the-end).\n\n"
          + (1...10).map { "Paragraph \($0).\n\n" }.joined() + "## In the end\n\nHere.\n",
      ])

    fixture.press(.tab, at: 0)
    expectSnapshot(fixture.screen(at: 0))
    fixture.press(.enter, at: 2)
    #expect(fixture.rows(at: 3)[12...14] == ["   In the end", "", "   Here."])
  }

  @Test func `Enter follows a link to a heading, and back returns`() throws {
    let fixture = try ActivityFixture("short")

    fixture.press(.tab, .enter, at: 1)
    #expect(fixture.rows(at: 2)[1].hasPrefix("   Long "))
    #expect(fixture.rows(at: 2).contains("   Far below"))
    fixture.press("H", at: 3)
    #expect(fixture.rows(at: 4)[2].hasPrefix("   Short"))
  }

  @Test
  func `back returns to the end of a text, but opening the text again shows its beginning`()
    throws
  {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    let time = try fixture.browser.readToTheEnd(from: 0)
    fixture.press(.tab, at: time + 8)
    let end = fixture.screen(at: time + 9)
    fixture.press(.enter, at: time + 10)
    let target = fixture.screen(at: time + 11)
    fixture.press("H", at: time + 12)
    let back = fixture.text(at: time + 13)
    fixture.press(.left, at: time + 14)
    _ = fixture.screen(at: time + 15)
    fixture.press(.enter, at: time + 16)

    #expect(end[22].contains("↵") && end[23].contains("Esc deselect"))
    #expect(target[2].contains("Anchors and ranges"))
    expectSnapshot(back)
    #expect(fixture.screen(at: time + 17)[2].hasPrefix("   Who speaks first?"))
    #expect(fixture.screen(at: time + 17)[6].hasPrefix("   Ask ten people"))
  }

  @Test func `a click follows a link, but a web link needs a second click`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.end, at: 1)

    fixture.click(column: 48, row: 13, at: 1)
    #expect(fixture.rows(at: 1)[18] == "   ↵  Open https://example.org/somew…  outside the course")
    #expect(fixture.copied == [])
    fixture.click(column: 48, row: 13, at: 1)
    #expect(fixture.copied == ["https://example.org/somewhere"])
    #expect(fixture.rows(at: 1)[17] == "   Copied the address: https://example.org/somewhere")
    fixture.click(column: 8, row: 13, at: 1)
    #expect(fixture.rows(at: 2)[2].hasPrefix("   Cards "))
  }

  @Test func `the y key copies visible code, or the path of the place if no code is visible`() throws {
    let fixture = try ActivityFixture("long")

    fixture.press("y", at: 1)
    fixture.press(.end, at: 2)
    fixture.press("y", at: 2)

    #expect(fixture.copied == ["lab/goal/lesson/long", "let answer = 42"])
  }

  // MARK: - Sizes

  @Test func `a text fits 40 by 12 and 20 by 6 cells`() throws {
    let small = try ActivityFixture("long", 40, 12)
    small.press(" ", at: 1)
    let smallest = try ActivityFixture("long", 20, 6, symbols: .ascii)
    smallest.press(" ", at: 1)

    expectSnapshot(small.screen(at: 2), "small at 2")
    expectSnapshot(smallest.screen(at: 2), "smallest at 2")
  }

  @Test func `in a wide terminal, lines stay short`() throws {
    let rows = try ActivityFixture("long", 400, 120).rows(at: 0)

    // The side pane shows the siblings. The text is in the column of its title.
    #expect(rows[6].hasPrefix(String(repeating: " ", count: 113) + "Paragraph 1 begins here.   "))
    #expect(rows[6..<118].allSatisfy { $0.dropFirst(113 + 74).prefix(20).allSatisfy { $0 == " " } })
  }

  @Test func `the horizontal lines above a scrolled text and above the side pane are aligned`() throws {
    let fixture = try ActivityFixture("long", 200, 40)
    fixture.press(" ", at: 1)

    let rows = fixture.rows(at: 2)

    #expect(!rows[6].contains("Paragraph 1 begins here."))
    #expect(rows[4].filter { $0 != " " }.allSatisfy { "─━".contains($0) })
    #expect(rows[4].split(separator: " ").map(\.count) == [98, 74])
  }

  @Test func `the setting for the width limits the length of lines`() throws {
    let fixture = try ActivityFixture(
      "text", 100, 20,
      course: [
        "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
        "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
        "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: Long.\n---\n\n"
          + String(repeating: "word ", count: 60) + "\n",
      ])
    var lengths: [Int] = []
    for width in [74, 40, 94] {
      fixture.browser.show(
        Appearance(theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode, measure: width))
      lengths.append(fixture.rows(at: 1)[6].drop { $0 == " " }.count)
    }

    #expect(lengths == [74, 39, 94])
  }
}
