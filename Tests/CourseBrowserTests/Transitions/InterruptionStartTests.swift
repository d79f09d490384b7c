import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// At the time of a key press nothing moves: animated content continues from its position, cell by cell.
@MainActor @Suite struct InterruptionStartTests {
  nonisolated private static let fractions = Tier.isLong ? [0.15, 0.3, 0.45, 0.6] : [0.3]

  nonisolated private static let steps = (AnimationCase.down + AnimationCase.up + AnimationCase.sibling).flatMap {
    motion in
    // On these pages, Enter begins a round or a quiz, which appears at once.
    let begins = ["flashcards open", "a quiz opens"].contains(motion.name)
    return ["Esc", "n", "H"].map { (motion, $0) } + (begins ? [] : [(motion, "Enter")])
  }

  nonisolated private static let within = AnimationCase.within.filter {
    ["the frame goes to the next card", "a page of text", "cards become a list"].contains($0.name)
  }

  /// Changes to a tab whose selected entry is another place.
  nonisolated private static let entries = [
    AnimationCase("Find", at: "english-for-business/negotiating", "Left Down Enter n n Left 2"),
    AnimationCase("history", at: "english-for-business/negotiating", "Left 3 Down Esc 3"),
  ]

  @Test(arguments: steps, fractions)
  func `a step during a transition begins with the screen that is visible`(
    step: (AnimationCase, String), fraction: Double
  )
    throws
  {
    let changed = try changes(step.0, by: step.1, at: fraction)

    #expect(changed == [])
  }

  @Test(arguments: entries, [0.05, 0.2, 0.35, 0.5, 0.75])
  func `an entry opens from the visible screen while its tab is appearing`(motion: AnimationCase, fraction: Double)
    throws
  {
    let changed = try changes(motion, by: "Enter", at: fraction) { $0.tabs.selectedIndex == 0 }

    #expect(changed == [])
  }

  @Test(arguments: within, ["Esc", "n", "Enter", "i"])
  func `animations on a page continue when another animation begins`(motion: AnimationCase, key: String) throws {
    let changed = try changes(motion, by: key, at: 0.25)

    #expect(changed == [])
  }

  @Test(arguments: AnimationCase.down + AnimationCase.up + AnimationCase.sibling, fractions)
  func `the details grow from the visible position of a moving card`(motion: AnimationCase, fraction: Double) throws {
    let changed = try changes(motion, by: "i", at: fraction)

    #expect(changed == [])
  }

  @Test(arguments: ["a text opens", "go on, from another goal"], ["Down", "Space"])
  func `an opening text scrolls from its visible position`(name: String, key: String) throws {
    let motion = try #require(AnimationCase.all.first { $0.name == name })
    for fraction in [0.15, 0.3, 0.5, 0.7, 0.9] {
      #expect(try changes(motion, by: key, at: fraction) == [], "at \(fraction)")
    }
  }

  @Test(arguments: [0.2, 0.5, 0.9, 1.2, 1.5])
  func `a second key continues the turn of a card from its current state`(fraction: Double) throws {
    let motion = try #require(AnimationCase.within.first { $0.name == "a card turns over" })

    let changed = try changes(motion, by: "Space", at: fraction)

    #expect(changed == [])
  }

  /// Returns the rows that a key changes at the time of the press, before and after. The last two rows and
  /// the row of a notice are ignored.
  ///
  /// - Parameter isExpected: Whether the key has had its expected effect.
  private func changes(
    _ motion: AnimationCase, by key: String, at fraction: Double, isExpected: (Browser) -> Bool = { _ in true }
  ) throws -> [String] {
    let fixture = try BrowserFixture.inColour(opening: .text(motion.place))
    let start = fixture.press(motion.before)
    fixture.browser.handle(.key(motion.key), at: start)
    _ = fixture.surface(at: start)
    let time = start + fraction * 0.2
    let before = fixture.surface(at: time)
    fixture.browser.handle(.key(try #require(KeyEvent(name: key))), at: time)
    #expect(isExpected(fixture.browser))
    let after = fixture.surface(at: time)

    return zip(before.textRows, after.textRows).dropLast(3).filter { $0 != $1 }.map { "\($0) is \($1)" }
  }
}
