import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// A learner completes a whole course: Space turns pages and cards, and questions are answered.
@MainActor @Suite struct WholeCourseTests {
  @Test(arguments: [(80, 24), (40, 12), (20, 6), (200, 60)])
  func `a learner who reads 300 words per minute and presses Space completes the course`(
    columns: Int, rows: Int
  ) throws {
    let fixture = try BrowserFixture(columns, rows, opening: "english-for-business", motion: .none)
    var time = 1.0
    func press(_ key: Key) {
      time += 0.01
      fixture.press(key, at: time)
      // On a slow disk, a write may have to wait for a checkpoint, which the stage's clock does not wait for.
      #expect(fixture.browser.pendingWrites.finish() == nil)
      _ = fixture.browser.stage.tick(at: time)
    }
    func goUp() throws {
      for _ in 0..<4 where fixture.browser.page?.page.kind != .course { press(.left) }
      try #require(fixture.browser.page?.page.kind == .course)
    }
    press(.character("."))

    var visited: [Place] = []
    var pressesHere = 0
    while let page = fixture.browser.page as? ActivityScreen, pressesHere < 200 {
      pressesHere = page.place == visited.last ? pressesHere + 1 : 0
      if page.place != visited.last { visited.append(page.place) }
      time += Self.secondsOfReading(page)
      _ = fixture.browser.stage.tick(at: time)
      press(Self.key(for: page))
    }

    #expect(visited.count == 52)
    #expect(Set(visited).count == 52, "no activity is visited twice")
    // Only the learner knows whether they have opened a link.
    let undone = try visited.filter { try fixture.browser.navigation.places.summary(of: .place($0)).state != .done }
    let types = try undone.map { try fixture.browser.navigation.places.summary(of: .place($0)).type }
    #expect(types == [.link, .link, .link, .link])
    #expect(fixture.browser.page?.place == .root, "Space also continues from the end of the course")
    guard columns >= 80 else { return }
    press(.enter)

    for remaining in [3, 2, 1, 0] {
      try goUp()
      press(.character("."))
      let place = try #require(fixture.browser.page?.place)
      #expect(undone.contains(place))
      press(.enter)
      let progress = try fixture.browser.navigation.places.summary(of: .text("english-for-business")).progress
      #expect(progress.total - progress.done == remaining)
    }
    try goUp()
    #expect(fixture.screen(at: time + 10).contains { $0.contains("Everything is done.") })
    for _ in 0..<3 {
      press(.end)
      press(.enter)
    }
    press(.character("n"))
    let end = fixture.screen(at: time)
    #expect(end.contains { $0.contains("End of English for Business") && $0.contains("✓ done") })
    #expect(end.contains { $0.contains("done      52 of 52 activities") })
  }

  @Test func `pressing Space without reading leads to the end of the course and earns no credit`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business", motion: .none)
    fixture.press(".", at: 1)

    var visited: Set<Place> = []
    while let page = fixture.browser.page as? ActivityScreen, fixture.browser.overlay == nil {
      visited.insert(page.place)
      fixture.press(Self.key(for: page), at: 1)
    }

    let texts = try visited.map { try fixture.browser.navigation.places.summary(of: .place($0)) }.filter {
      $0.type == .reading
    }
    #expect(visited.count == 52)
    #expect(texts.count > 20 && texts.allSatisfy { $0.state != .done })
    #expect(texts.allSatisfy { $0.reading?.fraction ?? 0 == 0 })
  }

  @Test func `when everything is done, the next step is the end of the course`() throws {
    let fixture = try ActivityFixture("short")
    for activity in ["long", "cards", "quiz", "link", "short"] {
      _ = try fixture.navigation.progress.record(.markedDone, in: .text("lab/goal/lesson/" + activity))
    }

    fixture.press("p", at: 1)
    #expect(fixture.rows(at: 2)[18] == "   Space  Next: Short                reading, 1 min, done")
    fixture.press("n", at: 3)
    #expect(fixture.rows(at: 4)[18] == "   Space  End of “Lab”                           all done")
    fixture.press(.left, at: 5)
    #expect(fixture.rows(at: 6)[18] == "   Everything is done.")
  }

  /// Returns the seconds that reading the visible words takes at 300 words per minute.
  private static func secondsOfReading(_ page: ActivityScreen) -> Double {
    guard let page = page as? ReadingScreen else { return 0 }
    return page.visibleLines.reduce(0) { $0 + Double(page.text.lines[$1].text.split(separator: " ").count) } / 5
  }

  /// Returns the key that continues: Space, or an answer to the question.
  private static func key(for page: ActivityScreen) -> Key {
    if let quiz = page as? QuizScreen, let run = quiz.run, let question = run.question {
      let unticked = question.choices.indices.first { question.choices[$0].isRight && !run.ticked.contains($0) }
      return run.isChecked ? .enter : unticked.map { .character(Character(String($0 + 1))) } ?? .enter
    }
    return .character(" ")
  }
}
