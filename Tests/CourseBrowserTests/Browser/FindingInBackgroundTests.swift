import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct FindingInBackgroundTests {
  private func fixture() throws -> (fixture: BrowserFixture, work: ManualBackgroundWork) {
    let fixture = try BrowserFixture()
    let work = ManualBackgroundWork()
    fixture.browser.inBackground = work.runner
    fixture.press("/", at: 1)
    while !work.pending.isEmpty { work.finish() }
    _ = fixture.screen(at: 2)
    return (fixture, work)
  }

  private func rows(_ fixture: BrowserFixture, at time: Double) -> [String] {
    fixture.screen(at: time).map { String($0.dropFirst(3).prefix(40)) }
  }

  @Test func `the query is visible at once, and results appear when they arrive`() throws {
    let (fixture, work) = try fixture()
    fixture.type("anchor", at: 3)
    #expect(rows(fixture, at: 3.1)[2].hasPrefix("anchor▎"))
    #expect(!fixture.text(at: 3.1).contains("Anchors and ranges"))

    while !work.pending.isEmpty { work.finish() }

    #expect(fixture.text(at: 4).contains("Anchors and ranges"))
  }

  @Test func `one search runs at a time, and the next search uses the latest query`() throws {
    let (fixture, work) = try fixture()
    fixture.type("anchor", at: 3)
    #expect(work.pending.count == 1)

    work.finish()
    #expect(work.pending.count == 1)
    #expect(!fixture.text(at: 4).contains("Anchors and ranges"))

    work.finish()
    #expect(work.pending.isEmpty)
    #expect(fixture.text(at: 5).contains("Anchors and ranges"))
  }

  @Test func `keys pressed before results arrive act on the results`() throws {
    let (fixture, work) = try fixture()
    fixture.type("anchor", at: 3)
    fixture.press(.enter, at: 3.1)
    #expect(fixture.browser.tabs.selectedIndex == 1)

    while !work.pending.isEmpty { work.finish() }

    #expect(fixture.browser.tabs.selectedIndex == 0)
    #expect(fixture.browser.page?.title == "Anchors and ranges")
  }

  @Test func `keys after Enter act on the page that opens`() throws {
    let (fixture, work) = try fixture()
    fixture.type("anchor", at: 3)
    for key in [Key.enter, .left, .down] { fixture.press(key, at: 3.1) }
    while !work.pending.isEmpty { work.finish() }

    let lesson = try #require(fixture.browser.page as? ListScreen)
    #expect(lesson.page.header.title == "Opening offers")
    #expect(lesson.chosenCard?.title == "Make the first offer")
    #expect(fixture.browser.tabs.selectedIndex == 0)
  }

  @Test func `the same keys open the same place regardless of how long a search takes`() throws {
    let keys: [Key] = [.character("a"), .down, .character("n"), .down, .down, .up, .enter]
    let atOnce = try BrowserFixture()
    atOnce.press("/", at: 1)
    for key in keys { atOnce.press(key, at: 2) }
    let (fixture, work) = try fixture()

    for key in keys { fixture.press(key, at: 3) }
    while !work.pending.isEmpty { work.finish() }

    #expect(atOnce.browser.tabs.selectedIndex == 0)
    #expect(fixture.browser.page?.place == atOnce.browser.page?.place)
  }

  @Test func `results that arrive after the learner left Find are ignored`() throws {
    let (fixture, work) = try fixture()
    fixture.type("anchor", at: 3)
    fixture.press(.enter, at: 3.1)
    fixture.press(.escape, at: 3.2)
    while !work.pending.isEmpty { work.finish() }

    #expect(fixture.browser.tabs.selectedIndex == 0)
    #expect(fixture.screen(at: 5)[0].hasPrefix("   Waymark"))

    fixture.press("/", at: 6)
    #expect(rows(fixture, at: 7)[2].hasPrefix("▎"))
    #expect(!fixture.text(at: 7).contains("Anchors and ranges"))
  }

  @Test func `erasing the query shows the entries without a query`() throws {
    let (fixture, work) = try fixture()
    let empty = fixture.text(at: 2.5)
    fixture.type("an", at: 3)
    fixture.press(.backspace, at: 3.1)
    fixture.press(.backspace, at: 3.2)
    while !work.pending.isEmpty { work.finish() }

    #expect(fixture.text(at: 5) == empty)
  }

  @Test func `a search for an outdated query is stopped`() throws {
    let (fixture, work) = try fixture()
    fixture.type("a", at: 3)
    let first = work.pending[0]
    fixture.type("n", at: 3.1)
    // The results of the stopped search are not shown, and the next search begins.
    first()()
    #expect(!fixture.text(at: 3.2).contains("places in "))
    work.finish()

    #expect(work.pending.count == 1)
    work.finish()
    #expect(fixture.screen(at: 4)[2].hasSuffix("places   "))
  }

  @Test func `earlier results stay until new ones arrive, and the header indicates a long search`() throws {
    let (fixture, work) = try fixture()
    fixture.type("anchor", at: 3)
    while !work.pending.isEmpty { work.finish() }
    let results = fixture.screen(at: 4)
    fixture.type("s", at: 5)

    let soon = fixture.screen(at: 5.1)
    #expect(soon[2].hasPrefix("   anchors▎ "))
    #expect(Array(soon.dropFirst(3)) == Array(results.dropFirst(3)))
    #expect(soon[2].suffix(20) == results[2].suffix(20))
    let late = fixture.screen(at: 5.3)
    #expect(late[2].hasSuffix("looking …   "))
    #expect(Array(late.dropFirst(3)) == Array(results.dropFirst(3)))

    while !work.pending.isEmpty { work.finish() }
    #expect(!fixture.screen(at: 6)[2].contains("looking"))
  }
}
