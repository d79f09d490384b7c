import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The preview below a list while pages open and close.
@MainActor @Suite struct PreviewDuringTransitionTests {
  nonisolated private static let course = "english-for-business"
  nonisolated private static let goal = course + "/negotiating"

  @Test(
    arguments: [
      ("/", Key.enter), (course, .enter), (goal, .enter), (goal, .left), (course, .left), (goal, .character("n")),
    ],
    [(100, 36), (200, 60)])
  func `the page is complete when its motion ends`(
    step: (place: String, key: Key), size: (columns: Int, rows: Int)
  ) throws {
    let fixture = try BrowserFixture.inColour(size.columns, size.rows, opening: .text(step.place))
    _ = fixture.screen(at: 1)
    fixture.press(step.key, at: 1)
    for frame in 0...36 { _ = fixture.browser.stage.tick(at: 1 + Double(frame) / 120) }
    let end = fixture.screen(at: 1 + OpenCardTransition.downDuration + ListScreen.frameFade + 0.03)

    #expect(end == fixture.screen(at: 4))
  }
}
