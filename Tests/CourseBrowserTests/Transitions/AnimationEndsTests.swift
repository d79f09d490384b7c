import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Every animation begins with the earlier screen and ends with the final one. Compares complete screens with styles in
/// three sizes.
@MainActor @Suite struct AnimationEndsTests {
  nonisolated static let sizes = [
    CellSize(columns: 80, rows: 24), CellSize(columns: 120, rows: 40), CellSize(columns: 40, rows: 12),
  ]

  @Test(arguments: AnimationCase.all, sizes)
  func `every animation begins with the earlier screen and ends with the final one`(
    motion: AnimationCase, size: CellSize
  )
    throws
  {
    try check(motion, size, .full)
  }

  @Test(arguments: AnimationCase.all)
  func `with reduced motion, every animation keeps its first and last screen`(motion: AnimationCase) throws {
    try check(motion, Self.sizes[0], .reduced)
  }

  private func check(_ motion: AnimationCase, _ size: CellSize, _ preference: MotionPreference) throws {
    // A small terminal has only one layout and shows a notice instead.
    if PageMetrics(size: size).isSmall, (motion.before + [motion.key]).contains(KeyEvent(.character("v"))) { return }
    let fixture = try BrowserFixture.inColour(size.columns, size.rows, opening: .text(motion.place), motion: preference)
    let time = fixture.press(motion.before)
    let before = fixture.surface(at: time)

    fixture.browser.handle(.key(motion.key), at: time)
    let first = fixture.surface(at: time)
    let duration = fixture.browser.wayOnItsWay
    let last = fixture.surface(at: time + max(0, duration - 0.0005))
    let final = fixture.surface(at: time + duration)
    // The preview of the new page can be read after the transition.
    let after = fixture.surface(at: fixture.rest(after: time) + 1)

    if !motion.exceptions.contains(.respondsImmediately) {
      #expect(first.differences(from: before) == [], "the first frame\n\(first.drawn)")
    }
    var differences = last.differences(from: final)
    if motion.exceptions.contains(.changesProgress) {
      differences.removeAll { ["2: ", "3: ", "4: "].contains(where: $0.hasPrefix) }
    }
    #expect(differences == [], "the last frame\n\(last.drawn)")
    fixture.browser.stage.resize(to: CellSize(columns: size.columns - 1, rows: size.rows))
    _ = fixture.browser.stage.tick(at: fixture.browser.stage.now)
    fixture.browser.stage.resize(to: size)
    let newLayout = fixture.surface(at: fixture.browser.stage.now)
    #expect(after.differences(from: newLayout) == [], "the final screen\n\(after.drawn)")
  }
}

extension Browser {
  /// The duration of the transition that has just begun in seconds, or 0.
  fileprivate var wayOnItsWay: Double {
    let coordinator =
      screen.presented?.transitionCoordinator ?? tabs.transitionCoordinator ?? stack.transitionCoordinator
    return coordinator?.transitionDuration ?? 0
  }
}

extension BrowserFixture {
  /// Presses keys, each after the animations of the previous one have ended.
  ///
  /// - Returns: The time at which nothing moves.
  func press(_ keys: [KeyEvent]) -> Double {
    var time = 10.0
    for key in keys {
      browser.handle(.key(key), at: time)
      time = rest(after: time)
    }
    return time
  }

  /// Draws frames until nothing moves.
  ///
  /// - Returns: The time after the last frame.
  fileprivate func rest(after time: Double) -> Double {
    var time = time
    repeat {
      time += 0.02
      _ = browser.stage.tick(at: time)
    } while browser.stage.nextFrameTime.map { $0 <= time + 0.001 } ?? false
    return time
  }
}

extension Surface {
  fileprivate var drawn: String { textRows.joined(separator: "\n") }

  /// Returns the rows that differ, with both versions.
  fileprivate func differences(from other: Surface) -> [String] {
    if cells == other.cells { return [] }
    return (0..<rows).filter { row in (0..<columns).contains { self[$0, row] != other[$0, row] } }
      .map { "\($0): '\(other.textRows[$0])' is '\(textRows[$0])'" }
  }
}
