import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct QuizScreenTests {
  @Test func `the hint counts the choices below the visible rows`() throws {
    let fixture = try ActivityFixture("quiz", 40, 9)
    let before = fixture.rows(at: 0)[7]
    fixture.press(.down, .down, at: 1)
    #expect(before == " Space  Select an answer, ↓ 1 more")
    #expect(fixture.rows(at: 2)[7] == " Space  Select an answer")
  }

  @Test func `a question is asked, answered, checked and explained`() throws {
    let fixture = try ActivityFixture("quiz")
    let question = fixture.screen(at: 0)
    fixture.press("1", at: 1)
    let answered = fixture.screen(at: 1)
    fixture.press(.enter, at: 2)
    let checked = fixture.screen(at: 3)

    expectSnapshot(question, "asked")
    expectSnapshot(answered, "answered")
    expectSnapshot(checked, "checked")
    #expect(try fixture.attempts("quiz") == [])
  }

  @Test func `a wrong choice shakes`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("1", at: 1)
    fixture.press(.enter, at: 2)

    let frames = [2.0, 2.1, 2.2, 2.3, 2.4].map { fixture.rows(at: $0)[8] }

    #expect(
      frames == [
        "   ✗ 1 (•) Nobody                             Your answer",
        "    ✗ 1 (•) Nobody                             Your answer",
        "  ✗ 1 (•) Nobody                             Your answer",
        "    ✗ 1 (•) Nobody                             Your answer",
        "   ✗ 1 (•) Nobody                             Your answer",
      ])
    #expect(fixture.rows(at: 2.1)[9] == fixture.rows(at: 2.4)[9])
    // Nothing remains to be drawn, and the answer is stored a moment later.
    _ = fixture.rows(at: 3.1)
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `a band of colour crosses a right choice from left to right`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("2", at: 1)
    fixture.press(.enter, at: 2)

    // Without colours, the band is bold: it reaches the symbol at the left first and the word at the right last.
    let swept = [2.0, 2.1, 2.2, 2.3, 2.4].map { time in
      let row = fixture.cells(at: time, row: 9)
      return [row[3], row[56]].map { $0.attributes.contains(.bold) }
    }

    #expect(swept == [[false, false], [true, false], [true, false], [true, false], [true, true]])
    #expect(fixture.rows(at: 2.2)[9] == "   ✓ 2 (•) The one who knows               Correct answer")
  }

  @Test func `with reduced motion or without motion, the verdict appears at once`() throws {
    for motion in [MotionPreference.reduced, .none] {
      let fixture = try ActivityFixture("quiz", motion: motion)
      fixture.press("1", at: 1)
      fixture.press(.enter, at: 2)

      #expect(fixture.rows(at: 2)[8] == "   ✗ 1 (•) Nobody                             Your answer")
      #expect(fixture.rows(at: 2.1)[8] == fixture.rows(at: 2)[8])
    }
  }

  @Test func `arrows select choices and Space ticks them, and several choices can be right`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press(.down, at: 1)
    fixture.press(" ", at: 1)
    fixture.press(.enter, at: 2)
    fixture.press(.enter, at: 3)
    fixture.press(" ", at: 4)
    fixture.press(.down, .down, at: 4)
    fixture.press(" ", at: 4)
    let several = fixture.screen(at: 5)
    fixture.press(.enter, at: 6)

    expectSnapshot(several)
    #expect(try fixture.attempts("quiz").map(\.answers) == [[[1], [0, 2]]])
    #expect(try fixture.attempts("quiz").map(\.score) == [1])
  }

  @Test func `Space alone goes through a quiz, from the first question to the next activity`() throws {
    let fixture = try ActivityFixture("quiz", 60, 30)
    var hints: [String] = []

    for press in 0..<7 {
      let time = Double(2 * press + 1)
      hints.append(String(fixture.rows(at: time)[28].trimmed.prefix(14)))
      fixture.press(" ", at: time)
    }

    #expect(
      hints == [
        "Space  Select ",
        "Space  Check",
        "Space  Continu",
        "Space  Select ",
        "Space  Check",
        "Space  Show th",
        "r  Retry the 2",
      ])
    #expect(try fixture.attempts("quiz").map(\.answers) == [[[0], [0]]])
    let rows = fixture.rows(at: 16)
    #expect(fixture.browser.page is LinkScreen)
    #expect(rows[27] == "   “Quiz” is not done: 0 of 2 right. p returns to it.")
  }

  @Test func `keys that were typed before the verdict was visible do not continue`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.browser.handle(.key(KeyEvent(.character("1"))), at: 1)
    for _ in 0..<3 { fixture.browser.handle(.key(KeyEvent(.enter)), at: 1) }
    let verdict = fixture.rows(at: 1.5)
    fixture.browser.handle(.key(KeyEvent(.enter)), at: 2)

    #expect(verdict[2].hasSuffix("question 1 of 2"))
    #expect(verdict.contains { $0.contains("Incorrect") })
    #expect(fixture.rows(at: 3)[2].hasSuffix("question 2 of 2"))
  }

  @Test func `the label of Space changes with the selected choice`() throws {
    let fixture = try ActivityFixture("quiz", 60, 18)
    fixture.press("1", at: 1)
    let onTicked = fixture.rows(at: 1)[16...17].joined()
    fixture.press(.down, at: 2)
    let onOther = fixture.rows(at: 2)[16...17].joined()

    #expect(onTicked.contains("Space  Check"))
    #expect(onOther.contains("↵  Check") && onOther.contains("Space select"))
  }

  @Test func `the number of a ticked choice removes its tick if several can be right`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("2", at: 1)
    fixture.press(.enter, .enter, at: 2)

    fixture.press("1", at: 3)
    #expect(fixture.rows(at: 3)[10] == "   ▌ 1 [✓] Time")
    fixture.press("1", at: 4)

    #expect(fixture.rows(at: 4)[10] == "   ▌ 1 [ ] Time")
  }

  @Test func `a tick replaces the previous tick, and checking requires a tick`() throws {
    let fixture = try ActivityFixture("quiz")

    fixture.press("13", at: 1)
    #expect(fixture.rows(at: 1)[8...10].map { $0.prefix(11) } == ["     1 ( ) ", "     2 ( ) ", "   ▌ 3 (•) "])
    fixture.press("2", at: 1)
    fixture.press(.enter, .enter, .enter, at: 2)
    // The first Enter ticks the selected choice, so that it is visible before it is checked.
    #expect(fixture.rows(at: 3)[10] == "   ▌ 1 [✓] Time")
    #expect(try !fixture.isDone("quiz"))
  }

  @Test func `the result is shown after the last question, and again after the browser is restarted`() throws {
    let first = try ActivityFixture("quiz")
    first.press("1", at: 1)
    first.press(.enter, .enter, at: 2)
    first.press("13", at: 3)
    first.press(.enter, .enter, at: 4)
    expectSnapshot(first.screen(at: 5), "first at 5")
    #expect(
      try first.attempts("quiz") == [
        QuizAttempt(answers: [[0], [0, 2]], score: 0.5, at: Timestamp("2026-11-20T10:00:00Z")!)
      ])
    #expect(try !first.isDone("quiz"))

    first.press("r", at: 6)
    #expect(first.rows(at: 7)[2] == "   Quiz                                   question 1 of 1")
    first.browser.close()
    let second = try ActivityFixture("quiz", after: first)
    expectSnapshot(second.screen(at: 0), "second at 0")
  }

  @Test func `a question that does not fit scrolls before its choices are selected`() throws {
    let fixture = try ActivityFixture("quiz", 20, 6, symbols: .ascii)
    let top = fixture.screen(at: 0)
    fixture.press(.down, .down, at: 1)
    let choices = fixture.screen(at: 1)
    fixture.press(.down, at: 2)
    fixture.press(" ", at: 2)
    let ticked = fixture.screen(at: 2)
    fixture.press(.enter, at: 3)

    expectSnapshot(top, "top")
    expectSnapshot(choices, "choices")
    expectSnapshot(ticked, "ticked")
    expectSnapshot(fixture.screen(at: 4), "at 4")
  }

  @Test func `Tab selects a link in an explanation, and Enter follows it`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("2", at: 1)
    fixture.press(.enter, at: 2)

    fixture.press(.tab, at: 3)
    #expect(fixture.rows(at: 3)[18] == "   ↵  Open “Long”                          reading, 4 min")
    fixture.press(.enter, at: 4)

    #expect(fixture.rows(at: 5)[1].hasPrefix("   Long "))
    #expect(fixture.rows(at: 5).contains("   Far below"))
  }

  @Test func `the card and the details of an unfinished quiz show its progress`()
    throws
  {
    let fixture = try ActivityFixture("quiz")
    fixture.press("2", at: 1)
    fixture.press(.enter, .enter, at: 2)
    fixture.press(.left, at: 3)
    expectSnapshot(fixture.screen(at: 4), "at 4")
    fixture.press("i", at: 5)
    // The rows below contain the path of the course's temporary folder.
    expectSnapshot(fixture.rows(at: 6).drop { !$0.contains("◐ Quiz") }.prefix(9), "2")
    fixture.press(.escape, at: 7)
    fixture.press("3", at: 8)
    expectSnapshot(fixture.screen(at: 9), "at 9")
  }

  @Test func `digits select tabs only after the last question`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("9", at: 1)
    let none = fixture.rows(at: 1)[8...11]
    fixture.press("2", at: 2)
    fixture.press(.enter, at: 3)
    fixture.press("3", at: 4)
    let checked = fixture.rows(at: 5)[8...9]
    let tab = fixture.browser.tabs.selectedIndex
    fixture.press(.enter, at: 6)
    fixture.press("13", at: 7)
    fixture.press(.enter, .enter, at: 8)
    let last = fixture.rows(at: 9)[19]
    fixture.press("3", at: 10)

    #expect(
      none == [
        "   ▌ 1 ( ) Nobody", "     2 ( ) The one who knows", "     3 ( ) Everyone at once, as loudly as",
        "           they can",
      ])
    #expect(checked == ["     1 ( ) Nobody", "   ✓ 2 (•) The one who knows               Correct answer"])
    #expect(tab == 0)
    #expect(last == "   ↵ open  r retry  [1 Learn] 2 Find 3 History 4 Review 5")
    #expect(fixture.browser.tabs.selectedIndex == 2)
  }

  @Test func `an unfinished quiz continues, and a finished quiz starts from the beginning`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("1", at: 1)
    fixture.press(.enter, at: 2)
    fixture.press(.tab, at: 3)
    let before = fixture.rows(at: 3)
    fixture.press(.enter, at: 4)
    _ = fixture.screen(at: 5)

    fixture.press("H", at: 6)
    #expect(fixture.rows(at: 7)[2...16] == before[2...16])
    fixture.press(.enter, at: 8)
    fixture.press("13", at: 9)
    fixture.press(.left, at: 10)
    _ = fixture.screen(at: 11)
    fixture.press(.enter, at: 12)
    expectSnapshot(fixture.screen(at: 13))
    fixture.press(.enter, .enter, at: 14)
    fixture.press(.left, at: 15)
    _ = fixture.screen(at: 16)
    fixture.press(.enter, at: 17)
    #expect(fixture.rows(at: 18)[18] == "   Space  Retry                               2 questions")
  }

  @Test func `an unfinished quiz continues after the browser is restarted`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("1", at: 1)
    fixture.press(.enter, .enter, at: 2)
    fixture.press("13", at: 3)
    let before = fixture.rows(at: 4)
    fixture.browser.close()

    let other = try ActivityFixture("quiz", after: fixture)
    let restored = other.rows(at: 1)
    other.press(.enter, at: 2)
    let checked = other.rows(at: 3)
    other.browser.close()
    let last = try ActivityFixture("quiz", after: other)

    #expect(restored == before.enumerated().map { [10, 12, 19].contains($0) ? restored[$0] : $1 })
    #expect(restored[10...12] == ["   ▌ 1 [✓] Time", "     2 [ ] The office cat", "     3 [✓] Words"])
    #expect(checked.contains { $0.contains("Correct") })
    #expect(try last.attempts("quiz").map(\.answers) == [[[0], [0, 2]]])
    #expect(last.rows(at: 1)[18] == "   Space  Retry                               2 questions")
  }

  @Test func `answers are stored one second after the last answer`() throws {
    let fixture = try ActivityFixture("quiz")
    fixture.press("1", at: 1)
    fixture.press(.enter, .enter, at: 2)
    _ = fixture.rows(at: 3.5)

    let other = try ActivityFixture("quiz", after: fixture)

    #expect(other.rows(at: 1)[2] == "   Quiz                                   question 2 of 2")
  }

  @Test func `with ASCII symbols, right answers do not look crossed out`() throws {
    let fixture = try ActivityFixture("quiz", symbols: .ascii)
    fixture.press("2", at: 1)
    fixture.press(.enter, at: 2)

    expectSnapshot(fixture.screen(at: 3))
  }

  @Test func `a click ticks a choice`() throws {
    let fixture = try ActivityFixture("quiz")

    fixture.click(column: 12, row: 9, at: 1)

    #expect(fixture.rows(at: 1)[9] == "   ▌ 2 (•) The one who knows")
  }
}
