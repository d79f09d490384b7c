import CourseKit
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Find with an incomplete index, after an import was stopped during indexing.
@MainActor @Suite struct FindingUnfinishedIndexTests {
  private static let count = 400

  private func fixture() throws -> (fixture: BrowserFixture, work: ManualBackgroundWork) {
    let fixture = try BrowserFixture(isEmpty: true)
    let activities = (1...Self.count).map {
      let title = $0 == Self.count ? "Zebra crossing" : "Map \($0)"
      return #"{"key": "a\#($0)", "title": "\#(title)", "reading": ["Paper \#($0)."]}"#
    }
    let course = """
      {"waymark": 1, "course": {"key": "atlas", "title": "Atlas", "children": [
        {"key": "g", "title": "Maps", "children": [
          {"key": "l", "title": "Old", "children": [\(activities.joined(separator: ","))]}]}]}}
      """
    let cancellation = ImportCancellation()
    try fixture.browser.library.importCourse(
      named: "atlas.json", bytes: Array(course.utf8), cancellation: cancellation
    ) { progress in
      if case .indexing = progress { cancellation.cancel() }
    }
    try fixture.browser.begin(at: "atlas/maps")
    let work = ManualBackgroundWork()
    fixture.browser.inBackground = work.runner
    _ = fixture.screen(at: 0)
    return (fixture, work)
  }

  /// Pastes a query.
  private func write(_ query: String, into fixture: BrowserFixture, at time: Double) {
    fixture.browser.handle(.paste(query), at: time)
  }

  /// Returns the summary of the results in the header.
  private func summary(_ fixture: BrowserFixture, at time: Double) -> String {
    let row = fixture.text(at: time).split(separator: "\n", omittingEmptySubsequences: false)[2]
    return String(row.drop { $0 != "▎" }.dropFirst().drop { $0 == " " })
  }

  @Test func `results so far are shown at once and updated after indexing`() throws {
    let (fixture, work) = try fixture()
    fixture.press("/", at: 1)
    work.finish()
    write("zebra", into: fixture, at: 2)
    // The two tasks are the indexing, which the search has stopped, and the search.
    #expect(work.pending.count == 2)
    work.finish()
    expectSnapshot(fixture.text(at: 3))

    while !work.pending.isEmpty { work.finish() }

    #expect(summary(fixture, at: 4) == "1 place")
    #expect(fixture.screen(at: 4)[6].contains("Zebra crossing"))
    #expect(try fixture.browser.library.isIndexComplete())
  }

  @Test func `a search does not wait for indexing`() throws {
    let (fixture, work) = try fixture()
    fixture.press("/", at: 1)
    work.finish()
    let indexing = work.pending[0]
    write("map", into: fixture, at: 2)
    let search = work.pending[1]
    // The search finishes first, however long the indexing takes to stop.
    search()()

    #expect(summary(fixture, at: 3).hasSuffix("places so far"))
    #expect(try !fixture.browser.library.isIndexComplete())

    // The stopped indexing has done nothing, and continues when no search is waiting.
    indexing()()
    #expect(try !fixture.browser.library.isIndexComplete())
    #expect(work.pending.count == 3)
    while !work.pending.isEmpty { work.finish() }
    #expect(summary(fixture, at: 4) == "the best 50 places")
  }

  @Test func `the selected result stays selected when more results are found`() throws {
    let (fixture, work) = try fixture()
    fixture.press("/", at: 1)
    work.finish()
    write("map", into: fixture, at: 2)
    work.finish()
    for _ in 0..<3 { fixture.press(.down, at: 3) }
    let find = try #require(fixture.browser.tabs.selectedScreen as? FindScreen)
    let chosen = find.entries[find.chosen].place
    while !work.pending.isEmpty { work.finish() }

    #expect(find.entries[find.chosen].place == chosen)
    fixture.press(.enter, at: 4)
    #expect(fixture.browser.page?.place == chosen.place)
  }

  @Test func `indexing stops when Find is closed and continues when it opens again`() throws {
    let (fixture, work) = try fixture()
    fixture.press("/", at: 1)
    work.finish()
    fixture.press(.escape, at: 2)
    while !work.pending.isEmpty { work.finish() }
    #expect(try !fixture.browser.library.isIndexComplete())

    fixture.press("/", at: 3)
    while !work.pending.isEmpty { work.finish() }

    #expect(try fixture.browser.library.isIndexComplete())
  }

  @Test func `a complete index starts no indexing`() throws {
    let (fixture, work) = try fixture()
    _ = try fixture.browser.library.index(for: .seconds(60), until: SearchInterruption())
    fixture.press("/", at: 1)
    work.finish()
    write("zebra", into: fixture, at: 2)
    work.finish()

    #expect(work.pending.isEmpty)
    #expect(summary(fixture, at: 3) == "1 place")
  }
}
