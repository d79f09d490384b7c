import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Gestures that take over a running transition.
@MainActor @Suite struct InteractiveTakeoverTests {
  @Test func `a drag takes over a running pop and completes it`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let (start, steps) = (fixture.screen(at: 0), try fixture.steps)
    fixture.press(.left, at: 1)
    let takenOver = fixture.screen(at: 1.12)
    fixture.mouse(.press(.left), 0, 10, at: 1.12)
    fixture.mouse(.drag(.left), 1, 10, at: 1.12)

    // The drag has moved by one column, which is less than a row of the card's motion.
    #expect(fixture.screen(at: 1.12) == takenOver)
    #expect(fixture.screen(at: 9) == takenOver)
    #expect(fixture.browser.hand?.isPerformed == true)
    fixture.release(1, at: 9)

    #expect(takenOver != start)
    #expect(fixture.screen(at: 11)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)
  }

  @Test func `cancelling a pop that was already recorded adds a back step, which is not a visit`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let before = fixture.screen(at: 0.5)
    let visits = try fixture.browser.navigation.places.recents(limit: 10).map(\.place.title)
    fixture.press(.left, at: 1)
    _ = fixture.screen(at: 1.03)
    // The drag takes over the pop near its beginning and is released there, which cancels the pop.
    fixture.mouse(.press(.left), 1, 10, at: 1.03)
    fixture.mouse(.drag(.left), 0, 10, at: 1.035)
    #expect(fixture.browser.hand?.isGestureActive == true)
    fixture.mouse(.release(.left), 0, 10, at: 1.3)

    #expect(fixture.screen(at: 3) == before)
    #expect(fixture.browser.page?.title == "Negotiating")
    let newest = try fixture.browser.navigation.history.page(limit: 2).rows
    #expect(newest.map(\.operation) == [.back, .pop])
    #expect(newest.map(\.to.title) == ["Negotiating", "English for Business"])
    #expect(newest.map(\.cause) == [.mouse, .key])
    #expect(try fixture.browser.navigation.currentPlace().title == "Negotiating")
    #expect(try fixture.browser.navigation.places.recents(limit: 10).map(\.place.title) == visits)
    // Later steps start at this place.
    fixture.press(.enter, at: 4)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   Preparing"))
    #expect(try fixture.lastStep.operation == .push)
  }

  @Test func `a drag takes over a cancelled pop and completes it`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let steps = try fixture.steps
    fixture.drag(0, 20, 24)
    fixture.release(24, at: 1.4)
    _ = fixture.screen(at: 1.45)
    fixture.mouse(.press(.left), 0, 10, at: 1.46)
    for column in 1...50 { fixture.mouse(.drag(.left), column, 10, at: 1.46 + 0.01 * Double(column)) }
    #expect(try fixture.steps == steps)
    fixture.release(50, at: 3)

    #expect(fixture.screen(at: 5)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .pop)
  }

  @Test func `a drag takes over a slide to a neighbour and reverses it`() throws {
    let fixture = try BrowserFixture.inColour(opening: GesturePlaces.activity)
    fixture.slidesFullWidth()
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.03)
    fixture.mouse(.press(.left), 20, 10, at: 1.03)
    for column in [24, 30, 60] { fixture.mouse(.drag(.left), column, 10, at: 1.04) }
    fixture.release(60, at: 2)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Who speaks first?"))
    #expect(try fixture.browser.navigation.history.page(limit: 2).rows.map(\.operation) == [.back, .next])
  }

  @Test func `a drag during a step by key begins a slide of its own`() throws {
    let fixture = try BrowserFixture.inColour(opening: GesturePlaces.activity)
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.03)
    fixture.mouse(.press(.left), 20, 10, at: 1.03)
    for column in [24, 30, 60] { fixture.mouse(.drag(.left), column, 10, at: 1.04) }
    #expect(fixture.browser.hand?.isPerformed == false)
    fixture.release(60, at: 2)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Who speaks first?"))
    #expect(try fixture.browser.navigation.history.page(limit: 2).rows.map(\.operation) == [.previous, .next])
  }
}
