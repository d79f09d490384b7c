import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Animations that continue during other actions.
@MainActor @Suite struct ContinuedAnimationTests {
  private static let frame = 1.0 / 240

  @Test(arguments: [0.16, 0.2, 0.24], ["down", "space"])
  func `scrolling an opening text shrinks its header row by row`(later: Double, key: String) throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating/opening-offers")
    fixture.press(.down, at: 0.5)
    fixture.press(.enter, at: 1)
    var rules: [Int] = []
    for step in -2...120 {
      let time = 1 + later + Double(step) * Self.frame
      if step == 0 { fixture.press(key == "down" ? .down : .character(" "), at: time) }
      let rows = fixture.screen(at: time)
      let title = rows.firstIndex { $0.contains("Who speaks first?") } ?? 0
      rules.append(rows.indices.first { $0 > title && rows[$0].contains("────") } ?? -1)
    }

    #expect(rules.last == 2)
    #expect(zip(rules, rules.dropFirst()).allSatisfy { abs($0 - $1) <= 1 }, "\(rules)")
  }

  @Test func `a header stays in place while a gesture holds a card on its page`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business")
    fixture.press(.enter, at: 1)
    for time in [1.15, 1.17] { fixture.mouse(.scroll(columns: -1, rows: 0), 30, 10, at: time) }
    for (time, key) in [(1.47, Key.character("v")), (1.652, .enter), (1.823, .down), (1.968, .character("H"))] {
      _ = fixture.screen(at: time)
      fixture.press(key, at: time)
    }
    _ = fixture.screen(at: 2.176)
    fixture.mouse(.press(.left), 0, 12, at: 2.176)
    fixture.mouse(.drag(.left), 1, 12, at: 2.186)
    fixture.mouse(.drag(.left), 40, 12, at: 2.2)

    // The card is in its earlier position, and the gesture has not ended.
    let rows = fixture.screen(at: 2)
    #expect(rows[2].contains("Meetings"))
    #expect(rows[4].contains("────"))
    #expect(fixture.browser.hand?.isGestureActive == true)
  }

  @Test func `a card continues to open while its tab slides out`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business")
    let browser = fixture.browser
    let layers = browser.screen.layer.sublayers.count
    fixture.press(.end, at: 0.5)
    fixture.press(.enter, at: 1)
    _ = fixture.screen(at: 1.06)
    fixture.press("3", at: 1.06)

    let tops = stride(from: 1.06, through: 1.13, by: 0.01).map { time in
      fixture.screen(at: time).firstIndex { $0.contains("╮") } ?? -1
    }

    #expect(browser.screen.layer.sublayers.count == layers)
    #expect(
      tops[0] > (tops.last ?? 0) + 2 && zip(tops, tops.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 <= 2 }, "\(tops)")
    _ = fixture.screen(at: 2)
    #expect(!browser.stack.hasDetachedAnimations && browser.stack.layer.sublayers.count == 1)
  }

  @Test func `a neighbour continues to slide in while its tab slides out`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating")
    fixture.slidesFullWidth()
    let browser = fixture.browser
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.08)
    let page = try #require(browser.page)
    let before = page.sheet.presentation.transform.translation.x
    fixture.press("3", at: 1.08)
    let after = page.sheet.presentation.transform.translation.x
    _ = fixture.screen(at: 1.1)
    let later = page.sheet.presentation.transform.translation.x

    #expect(before > 8 && abs(after - before) < 0.001)
    #expect(later < after - 4)
    _ = fixture.screen(at: 2)
    #expect(!browser.stack.hasDetachedAnimations && page.sheet.sublayers.count == 2)
  }

  @Test(arguments: [0.02, 0.033, 0.05])
  func `pages that change in quick succession slide side by side`(pause: Double) throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/meetings")
    fixture.slidesFullWidth()
    for number in 0..<2 { fixture.press("n", at: 1 + pause * Double(number)) }
    let time = 1 + 2 * pause
    let before = fixture.screen(at: time)
    fixture.press("n", at: time)
    let after = fixture.screen(at: time)

    #expect(before[1..<22] == after[1..<22], "\(before.joined(separator: "\n"))\n\(after.joined(separator: "\n"))")
  }

  @Test func `sliding pages keep their distance when the terminal becomes wider`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating")
    fixture.slidesFullWidth()
    let browser = fixture.browser
    let old = try #require(browser.page)
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.08)
    let new = try #require(browser.page)
    let positions = { (old.sheet.presentation.transform.translation.x, new.sheet.presentation.transform.translation.x) }
    let before = positions()
    browser.stage.resize(to: CellSize(columns: 128, rows: 24), at: 1.08)
    let after = positions()

    #expect(abs(before.1 - before.0 - 80) < 0.001 && abs(after.1 - after.0 - 128) < 0.001)
    #expect(abs(before.1 / 80 - after.1 / 128) < 0.001)
    _ = browser.stage.tick(at: 2)
    #expect(new.sheet.presentation.transform.translation.x == 0 && browser.flight == nil)
  }

  @Test func `pages that change in quick succession stay side by side when the terminal becomes wider`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/meetings")
    fixture.slidesFullWidth()
    let browser = fixture.browser
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.04)
    let old = try #require(browser.page)
    fixture.press("n", at: 1.04)
    _ = fixture.screen(at: 1.06)
    let new = try #require(browser.page)
    let first = try #require(browser.stack.layer.sublayers.last)
    let positions = { [first, old.sheet, new.sheet].map { $0.presentedFrame().x } }
    let before = positions()
    browser.stage.resize(to: CellSize(columns: 128, rows: 24), at: 1.06)
    let after = positions()

    for (place, later) in zip(before, after) { #expect(abs(place / 80 - later / 128) < 0.001) }
    #expect(abs(before[1] - before[0] - 80) < 0.001 && abs(before[2] - before[1] - 80) < 0.001)
    _ = browser.stage.tick(at: 2)
    #expect(browser.stack.layer.sublayers.count == 1)
  }

  @Test func `the page that a step opens fades in while its tab is moving out`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating/preparing/where-do-you-stop")
    fixture.press("3", at: 1)
    let before = fixture.screen(at: 1.03)
    fixture.browser.navigate(.previous, cause: .key)

    #expect(fixture.screen(at: 1.03).dropLast(2) == before.dropLast(2))
    _ = fixture.screen(at: 2)
    #expect(fixture.browser.stack.layer.sublayers.count == 1)
    #expect(fixture.browser.page?.title == "Three columns on one page")
  }

  @Test func `with reduced motion, layouts fade without an empty frame in between`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business", motion: .reduced)
    let cards = fixture.screen(at: 1)
    fixture.press("v", at: 1)

    let times = stride(from: 1.0, through: 1.12, by: 0.01)
    let titles = times.map { time in
      let text = fixture.screen(at: time).joined()
      return ["Meetings", "Negotiating", "Writing", "Presenting"].filter(text.contains).count
    }
    let list = fixture.screen(at: 1.2)

    #expect(titles.allSatisfy { $0 == 4 }, "\(titles)")
    #expect(cards != list)
    #expect(list[7].contains("· Meetings") || list[6].contains("· Meetings"), "\(list)")
  }
}
