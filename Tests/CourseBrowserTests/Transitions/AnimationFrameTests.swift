import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Rules for every frame of an animation: no half characters, and no overlapping texts.
@MainActor @Suite struct AnimationFrameTests {
  nonisolated private static let motions = [
    AnimationCase.down, AnimationCase.up, AnimationCase.sibling, AnimationCase.distant, AnimationCase.tabs,
  ].joined()
    .filter { !$0.exceptions.contains(.covers) }

  @Test(arguments: motions, AnimationEndsTests.sizes)
  func `no animation draws two texts in one cell`(motion: AnimationCase, size: CellSize) throws {
    let fixture = try BrowserFixture.inColour(size.columns, size.rows, opening: .text(motion.place))
    let start = fixture.press(motion.before)

    fixture.browser.handle(.key(motion.key), at: start)
    for step in 0...20 {
      let (tree, surface) = fixture.frame(at: start + Double(step) * 0.02)
      let rules = FrameRules(
        surface: surface, tree: tree, look: fixture.browser.appearance, isCovered: false)
      let violations = Array(rules.brokenOnTheWay.prefix(4))
      #expect(violations == [], "after \(20 * step) ms\n\(rules.surface.textRows.joined(separator: "\n"))")
      if !violations.isEmpty { return }
    }
  }
}
