import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Presses random keys at random times while the terminal is resized.
@MainActor @Suite struct AnyKeyTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `after random keys and resizes, the screen shows the navigator's current place`(
    seed: UInt64
  ) throws {
    let fixture = try BrowserFixture()
    var random = SplitMix64(seed: seed)
    var time = 1.0
    var issues: [ScreenIssue] = []
    fixture.browser.stage.onIssue = { issues.append($0) }

    for _ in 0..<400 {
      time += [0, 0, 0.001, 0.02, 0.1, 0.6].randomElement(using: &random)!
      if random.oneIn(25) {
        let size = CellSize(columns: 10 + random.below(150), rows: 3 + random.below(50))
        fixture.browser.stage.resize(to: size, at: time)
      } else if random.oneIn(12) {
        let point = CellPoint(column: random.below(80), row: random.below(24))
        fixture.browser.handle(.mouse(MouseEvent(.press(.left), at: point)), at: time)
        fixture.browser.handle(.mouse(MouseEvent(.release(.left), at: point)), at: time)
      } else {
        fixture.browser.handle(.key(Self.keys.randomElement(using: &random)!), at: time)
      }
      if random.oneIn(3) { _ = fixture.browser.stage.tick(at: time) }
    }

    // Closes whatever is open and waits until nothing moves.
    for _ in 0..<6 {
      time += 1
      fixture.browser.handle(.key(KeyEvent(.escape)), at: time)
    }
    while let due = fixture.browser.stage.nextFrameTime, due < time + 60 {
      _ = fixture.browser.stage.tick(at: max(due, fixture.browser.stage.now + 0.02))
    }
    let visible = fixture.browser.stack.screens.compactMap { ($0 as? PageScreen)?.place }
    #expect(try visible == fixture.browser.navigation.currentStack().map(\.place))
    #expect(issues.isEmpty, "\(issues)")
  }

  private static let keys: [KeyEvent] =
    KeyRow.all.filter { $0.command != .quit && $0.command != .add }.flatMap(\.keys)
    + [KeyEvent(.enter), KeyEvent(.down), KeyEvent(.escape), KeyEvent(.character("e"))].flatMap { [$0, $0, $0] }
}
