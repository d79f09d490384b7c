import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct TourTests {
  /// Returns a browser without courses, in which the tour began at one second.
  private func touring(motion: MotionPreference = .full) throws -> BrowserFixture {
    let fixture = try BrowserFixture(motion: motion, isEmpty: true)
    fixture.press(.end, at: 0.5)
    fixture.press(.enter, at: 1)
    return fixture
  }

  private func titles(_ fixture: BrowserFixture) throws -> [String] {
    try fixture.browser.navigation.history.page().rows.reversed().map { "\($0.operation.rawValue) \($0.to.title)" }
  }

  @Test func `the tour explains each action`() throws {
    let fixture = try touring()

    let explanations = [1.5, 3.5, 4.9, 7.5, 10.5, 15.5, 18].map { time in
      let rows = fixture.screen(at: time)
      let title = String(rows[2].trimmed.prefix(24)).trimmed
      return title + " | " + rows[22].trimmed
    }

    expectSnapshot(explanations)
  }

  @Test func `the tour ends in History and returns to the learner's place`() throws {
    let fixture = try touring()
    for time in stride(from: 1.1, to: 20.5, by: 0.5) { _ = fixture.screen(at: time) }

    expectSnapshot(fixture.text(at: 20.5))
    let end = fixture.screen(at: 23)
    #expect(end[0].trimmed.hasPrefix("Waymark"))
    #expect(end[21].trimmed == "The tour has ended. ↵ opens the selection, ? lists all keys.")
    #expect(try fixture.browser.navigation.currentPlace().place == .root)
  }

  @Test func `a tour records no steps, positions or progress`() throws {
    let fixture = try touring()
    for time in stride(from: 1.1, to: 25, by: 0.3) { _ = fixture.screen(at: time) }

    let navigation = fixture.browser.navigation
    let text = try navigation.places.named("english-for-business/negotiating/opening-offers/who-speaks-first")
    #expect(try titles(fixture) == ["resume Courses"])
    #expect(try navigation.progress.readingPosition(in: text.place) == nil)
    #expect(try navigation.places.summary(of: .place(.root)).state == .notBegun)
    #expect(try navigation.places.recents().isEmpty)
  }

  @Test(arguments: [4.7, 6.05, 7.0])
  func `a key ends the tour at the visible place and takes effect`(_ time: Double) throws {
    let fixture = try touring()
    for frame in stride(from: 1.1, to: time, by: 0.05) { _ = fixture.screen(at: frame) }
    let place = fixture.browser.page?.title ?? ""

    fixture.press("n", at: time)

    #expect(["English for Business", "Negotiating"].contains(place))
    #expect(fixture.browser.context.playback == nil)
    #expect(
      try titles(fixture)
        == ["resume Courses", "open \(place)"] + (place == "Negotiating" ? ["next Writing"] : []))
    #expect(fixture.screen(at: time + 2)[2].trimmed.hasPrefix(place == "Negotiating" ? "Writing" : place))
    // The remaining actions of the tour are not performed.
    #expect(fixture.screen(at: time + 30)[2] == fixture.screen(at: time + 2)[2])
  }

  @Test func `a letter that is typed while the tour searches is entered in Find`() throws {
    let fixture = try touring()
    for frame in stride(from: 1.1, to: 18, by: 0.1) { _ = fixture.screen(at: frame) }

    fixture.press(.backspace, at: 18)

    #expect(fixture.screen(at: 19)[2].trimmed.hasPrefix("speak▎"))
    #expect(try titles(fixture) == ["resume Courses", "open Opening offers"])
  }

  @Test func `Esc ends the tour and returns to the learner's place`() throws {
    let fixture = try touring()
    for frame in stride(from: 1.1, to: 9.4, by: 0.1) { _ = fixture.screen(at: frame) }

    fixture.press(.escape, at: 9.4)

    #expect(fixture.screen(at: 11)[0].trimmed.hasPrefix("Waymark"))
    #expect(try titles(fixture) == ["resume Courses"])
  }

  @Test func `quitting during the tour records nothing`() throws {
    let fixture = try touring()
    for frame in stride(from: 1.1, to: 9.4, by: 0.1) { _ = fixture.screen(at: frame) }

    fixture.press("q", at: 9.4)

    #expect(fixture.browser.isFinished)
    #expect(try titles(fixture) == ["resume Courses"])
  }

  @Test(arguments: [MotionPreference.reduced, .none])
  func `with reduced motion or without motion, the tour shows the same pages without moving`(_ motion: MotionPreference)
    throws
  {
    let fixture = try touring(motion: motion)

    // In the middle of the course's opening, where an animated card would be between its start and end positions.
    _ = fixture.screen(at: 2.99)
    let rows = [3.03, 3.06, 3.09].map { fixture.screen(at: $0) }

    #expect(rows.allSatisfy { $0[22].trimmed == "A course is a card. ↵ opens it, and the card becomes the page." })
    #expect(rows.allSatisfy { row in row.allSatisfy { !$0.hasPrefix("╭") } })
    #expect(fixture.screen(at: 3.5)[2].trimmed.hasPrefix("English for Business"))
  }

  @Test func `the palette starts the tour from any place, and Esc returns to that place`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/writing/tone")
    _ = fixture.screen(at: 0)
    fixture.press(":", at: 1)
    fixture.type("tour", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.screen(at: 4)[22].trimmed == "A course is a card. ↵ opens it, and the card becomes the page.")
    fixture.press(.escape, at: 5)
    #expect(fixture.screen(at: 7)[2].trimmed.hasPrefix("Tone"))
  }

  @Test func `the tour takes about twenty seconds`() throws {
    let fixture = try BrowserFixture()
    let route = try #require(try TourRoute(in: fixture.browser.navigation, fixture.browser.library))

    #expect(abs(Tour(route, for: fixture.browser.playback).duration - 20) <= 1)
  }
}
