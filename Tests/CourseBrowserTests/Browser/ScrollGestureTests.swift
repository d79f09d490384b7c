import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Horizontal scrolling as an interactive gesture. Terminals report scrolling in steps, and do not report its end.
@MainActor @Suite struct ScrollGestureTests {
  @Test func `scroll events have no effect on a page while its tab is moving in`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    fixture.press("3", at: 1)
    _ = fixture.screen(at: 2)
    fixture.press("1", at: 2)
    _ = fixture.screen(at: 2.18)
    fixture.mouse(.scroll(columns: -2, rows: 0), 30, 10, at: 2.18)
    _ = fixture.screen(at: 4)

    #expect(try fixture.browser.navigation.currentPlace().title == "Negotiating")
    #expect(fixture.browser.stack.top.title == "Negotiating")
  }

  @Test func `a scroll to the left pops the page after 300 ms without events`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let steps = try fixture.steps
    for number in 0..<8 { fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 1 + 0.1 * Double(number)) }
    #expect(
      fixture.text(at: 1.9)
        == (try RendererFixture().text(of: GesturePlaces.goal, to: "english-for-business", at: 0.48)))
    #expect(try fixture.steps == steps)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)

    fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 5)
    fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 5.1)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)
  }

  @Test func `the page moves smoothly between scroll events and stops at their total distance`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    var fractions: [Double] = []
    for frame in 0..<60 {
      let time = 1 + Double(frame) / 120
      if frame.isMultiple(of: 6), frame < 36 { fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: time) }
      _ = fixture.browser.stage.tick(at: time)
      fractions.append(fixture.browser.hand?.runningStep.transition.fractionComplete ?? 0)
    }
    let steps = zip(fractions, fractions.dropFirst()).map { $1 - $0 }

    #expect(fractions.last == 0.36)
    #expect(steps.allSatisfy { $0 >= 0 && $0 < 0.02 })
    // The page never stops between two events.
    #expect(steps[2..<34].allSatisfy { $0 > 0.0005 }, "\(steps)")
  }

  @Test func `after scrolling beyond an end, scrolling back moves the page at once`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    func fraction() -> Double { fixture.browser.hand?.runningStep.transition.fractionComplete ?? -1 }
    func turn(_ columns: Int, _ times: Int, at time: Double) {
      for number in 0..<times {
        fixture.mouse(.scroll(columns: columns, rows: 0), 40, 10, at: time + 0.001 * Double(number))
      }
      _ = fixture.browser.stage.tick(at: time + 0.25)
    }
    turn(-1, 40, at: 1)
    #expect(fraction() == 1)
    turn(1, 1, at: 1.25)
    #expect(abs(fraction() - 0.94) < 1e-9)
    turn(1, 40, at: 1.5)
    #expect(fraction() == 0)
    turn(-1, 2, at: 1.75)
    #expect(abs(fraction() - 0.12) < 1e-9)
  }

  @Test func `a drag takes over from scrolling, and scrolling does not disturb a drag`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    for number in 0..<5 { fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 1 + 0.01 * Double(number)) }
    _ = fixture.screen(at: 1.25)
    fixture.drag(0, 1, at: 1.2)
    fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 1.4)

    _ = fixture.screen(at: 5)
    #expect(fixture.browser.hand?.isGestureActive == true)
    #expect(abs((fixture.browser.hand?.runningStep.transition.fractionComplete ?? 0) - 0.3) < 0.02)
    fixture.release(1, at: 5)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   Negotiating"))
  }

  @Test func `scrolling takes over a running pop`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    fixture.press(.left, at: 1)
    _ = fixture.screen(at: 1.03)
    for number in 0..<12 { fixture.mouse(.scroll(columns: 2, rows: 0), 40, 10, at: 1.03 + 0.01 * Double(number)) }
    _ = fixture.screen(at: 1.2)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Negotiating"))
    #expect(try fixture.browser.navigation.history.page(limit: 2).rows.map(\.operation) == [.back, .pop])
  }
}
