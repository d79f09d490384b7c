import NavigationKit
import Testing
import TextCanvas

/// The breadcrumb in the first row while neighbours slide by.
@MainActor @Suite struct SlidingBreadcrumbTests {
  private static let course = "english-for-business"

  /// Returns the texts of the row from frame to frame, without repetitions. A sliding page changes it in one step.
  private func trails(
    on fixture: BrowserFixture, from start: Double, pressing keys: [(key: Key, after: Double)]
  ) -> [String] {
    var breadcrumbs: [String] = []
    var pendingKeys = keys[...]
    for frame in 0...120 {
      let later = Double(frame) / 240
      while let next = pendingKeys.first, next.after <= later + 1e-6 {
        fixture.press(next.key, at: start + later)
        pendingKeys.removeFirst()
      }
      let row = fixture.screen(at: start + later)[0].trimmed
      if row != breadcrumbs.last { breadcrumbs.append(row) }
    }
    return breadcrumbs
  }

  private func trail(_ number: Int) -> String {
    let name = "Courses › English for Business"
    let position = "goal \(number) of 4"
    return name + String(repeating: " ", count: 74 - name.count - position.count) + position
  }

  @Test(arguments: [0.01, 0.02, 0.03, 0.04])
  func `quick page changes show their breadcrumbs one after the other`(pause: Double) throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.course + "/meetings"))

    let breadcrumbs = trails(
      on: fixture, from: 1, pressing: [0, pause, 2 * pause].map { (.character("n"), $0) })

    // If two steps are only a frame or two apart, one of them may not be visible.
    #expect(breadcrumbs.first == trail(1) && breadcrumbs.last == trail(4))
    #expect(breadcrumbs == (1...4).map(trail).filter(breadcrumbs.contains), "\(breadcrumbs)")
  }

  @Test func `a page change that is reversed at once keeps the breadcrumb`() throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.course + "/negotiating"))

    let breadcrumbs = trails(on: fixture, from: 1, pressing: [(.character("n"), 0), (.character("p"), 0.03)])

    #expect(breadcrumbs == [trail(2)])
  }

  @Test func `while a key is held, intermediate breadcrumbs are shown`() throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.course + "/meetings/opening"))
    let start = fixture.screen(at: 1)[0].trimmed

    let keys = (0..<8).map { (Key.character("n"), 0.033 * Double($0)) }
    let breadcrumbs = trails(on: fixture, from: 1, pressing: keys)

    #expect(breadcrumbs.first == start && breadcrumbs.count >= 3 && !breadcrumbs.contains(""), "\(breadcrumbs)")
  }

  @Test(arguments: [Key.escape, .enter, .character("3")])
  func `a slide that is interrupted early soon shows the breadcrumb of the interrupted page`(key: Key) throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.course + "/negotiating"))

    let breadcrumbs = trails(on: fixture, from: 1, pressing: [(.character("n"), 0), (key, 0.03)])

    #expect(breadcrumbs.first == trail(2) && !breadcrumbs.contains(""), "\(breadcrumbs)")
    let isExpected = breadcrumbs.dropFirst().first.map { $0.hasSuffix("goal 3 of 4") || !$0.hasSuffix("goal 2 of 4") }
    #expect(isExpected == true, "\(breadcrumbs)")
  }
}
