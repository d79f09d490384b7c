import CoursePages
import LearningModel
import NavigationKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// The states that Esc leaves, in the order of `EscapeTarget`.
@MainActor @Suite struct EscapeTests {
  /// Presses Esc until the page that contains the current one is open, and returns what was left.
  ///
  /// Checks each time that the last row names what Esc leaves, and that Esc leaves only that.
  private func escape(_ browser: Browser, rows: (Double) -> [String], from time: Double) -> [EscapeTarget] {
    var left: [EscapeTarget] = []
    var now = time
    let place = browser.page?.place
    for _ in 0..<12 {
      let target = browser.footer.escapeTarget
      let row = rows(now).last ?? ""
      switch target {
      case .page: #expect(row.contains("← up") || browser.page?.place == .root, "\(row)")
      case .tab: break
      default: #expect(row.contains("Esc " + target.label), "\(target): \(row)")
      }
      left.append(target)
      browser.handle(.key(KeyEvent(.escape)), at: now)
      _ = rows(now + 1)
      now += 2
      if target == .page {
        #expect(browser.page?.place != place)
        return left
      }
      #expect(browser.page?.place == place)
    }
    return left
  }

  @Test(
    arguments: [
      ("long", [], [.page]),
      ("long", ["}"], [.block, .page]),
      ("long", ["Tab"], [.link, .page]),
      ("long", ["Tab", "}"], [.block, .page]),
      ("long", ["/", "p"], [.typing, .page]),
      ("long", ["/", "p", "Enter"], [.search, .page]),
      ("long", ["/", "p", "Enter", "}"], [.search, .block, .page]),
      ("long", ["/", "p", "Enter", "}", "Ctrl-W"], [.pane, .search, .block, .page]),
      ("long", ["Tab", "?"], [.overlay, .link, .page]),
      ("long", ["}", "2", "x"], [.tab, .block, .page]),
      ("long", ["3", "/", "x"], [.typing, .tab, .page]),
      ("long", ["3", "/", "l", "Enter"], [.filter, .tab, .page]),
      ("cards", [" ", "Ctrl-W"], [.pane, .page]),
      ("quiz", ["Enter", "1", "Enter", "Enter", "1", "2", "Enter", "Enter", "Enter"], [.explanation, .page]),
    ] as [(String, [String], [EscapeTarget])])
  func `Esc leaves the innermost thing, and the last row names it`(
    activity: String, keys: [String], expected: [EscapeTarget]
  ) throws {
    let fixture = try ActivityFixture(activity, 200, 60)
    _ = fixture.rows(at: 1)

    var time = 2.0
    for key in keys {
      let event = try #require(KeyEvent(name: key == " " ? "Space" : key))
      fixture.browser.handle(.key(event), at: time)
      _ = fixture.rows(at: time + 0.9)
      time += 1
    }

    #expect(escape(fixture.browser, rows: fixture.rows(at:), from: time) == expected)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `after random keys, repeated Esc leaves things from the innermost to the outermost`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let activity = try #require(["long", "cards", "quiz", "link", "short"].randomElement(using: &random))
    let fixture = try ActivityFixture(activity, 200, 60)
    let place = fixture.browser.page?.place
    var time = 1.0
    _ = fixture.rows(at: time)
    let names = ["Tab", "}", "{", "/", "e", "Space", "Down", "Ctrl-W", "w", "y", "1"]

    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let name = try #require(names.randomElement(using: &random))
      let key = try #require(KeyEvent(name: name))
      fixture.browser.handle(.key(key), at: time)
      _ = fixture.rows(at: time + 0.9)
      time += 1
    }
    guard fixture.browser.page?.place == place else { return }
    let left = escape(fixture.browser, rows: fixture.rows(at:), from: time)

    #expect(left == left.sorted() && left.last == .page)
  }

  @Test func `Left scrolls a wide block back, and Esc deselects it at once`() throws {
    let fixture = try ActivityFixture("long", 80, 24)
    let page = try #require(fixture.browser.page as? ReadingScreen)
    page.chosenBlock = 0
    page.opened.unwrapped[0] = 8

    fixture.press(.escape, at: 1)

    #expect(page.chosenBlock == nil && fixture.browser.page === page)
  }

  @Test func `returning from a link does not select the link again`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(.tab, .enter, at: 1)
    _ = fixture.rows(at: 2)
    #expect(fixture.browser.page is FlashcardsScreen)

    fixture.press("H", at: 3)
    _ = fixture.rows(at: 4)

    #expect((fixture.browser.page as? ReadingScreen)?.chosenLink == nil)
    #expect(fixture.browser.footer.escapeTarget == .page)
  }

  @Test func `U undoes x on an activity and in a list`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("x", at: 1)
    #expect(fixture.rows(at: 2)[17] == "   Done. U undoes it.")
    fixture.press("U", at: 3)
    #expect(try !fixture.isDone("long"))
    #expect(fixture.rows(at: 4)[17] == "   Not done again: “Long”.")
    fixture.press("U", at: 4.1)
    #expect(fixture.rows(at: 4.2)[17] == "   There is no change to undo.")

    fixture.press(.left, at: 5)
    _ = fixture.rows(at: 6)
    fixture.press("x", at: 7)
    #expect(fixture.rows(at: 8)[17] == "   Done: “Long”. U undoes it.")
    fixture.press("U", at: 9)

    #expect(try !fixture.isDone("long"))
  }

  @Test func `U undoes a bookmark, also from another page, and names the place`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("m", at: 1)
    fixture.press(.left, at: 2)
    fixture.press(.left, at: 3)
    fixture.press("U", at: 5)

    #expect(fixture.rows(at: 5.5)[17] == "   Bookmark removed: “Long” in “Lesson”.")
  }

  @Test func `a bookmark that another program has changed since is not undone`() throws {
    let fixture = try ActivityFixture("long")
    let place = try #require(fixture.browser.page?.place)
    fixture.press("m", at: 1)
    try fixture.navigation.notes.setBookmark(false, at: .place(place))
    fixture.press("U", at: 2)

    #expect(fixture.rows(at: 3)[17] == "   This was changed since, so nothing was undone.")
  }

  @Test func `U undoes marks, bookmarks, names and answers in the order of time, also after a restart`() throws {
    let fixture = try ActivityFixture("long", 80)
    func notice(_ time: Double) -> String { fixture.rows(at: time)[17].trimmed }
    fixture.press("x", at: 1)
    fixture.press("m", at: 2)
    let place = try fixture.navigation.places.named(.place(try #require(fixture.browser.page?.place)))
    fixture.browser.courses.rename(place, to: "Longer")
    fixture.press("n", at: 4)
    _ = fixture.rows(at: 5)
    fixture.press(" ", at: 6)
    fixture.press("f", at: 7)
    fixture.press("m", at: 8)

    let undone = (0..<5).map { number in
      fixture.press("U", at: 10 + Double(number))
      return notice(10.5 + Double(number))
    }

    #expect(
      undone == [
        "Bookmark removed: “Cards”.", "Undone: “forgot”.", "Renamed back to “Long”.",
        "Bookmark removed: “Long” in “Lesson”.", "Not done again: “Long” in “Lab”.",
      ])
    fixture.press(" ", at: 20)
    try fixture.navigation.endSession()
    let second = try ActivityFixture("long", 80, after: fixture)
    second.press("U", at: 1)
    #expect(second.rows(at: 2)[17] == "   The answer “knew it” to “an anchor” in “Cards”, “Lab” was undone.")
  }

  @Test func `Alt with a key that has no meaning is Escape and then the key`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press("}", at: 1)
    fixture.browser.handle(.key(KeyEvent(.character("x"), modifiers: .alt)), at: 2)
    let isSelected = (fixture.browser.page as? ReadingScreen)?.chosenBlock != nil
    let isDone = try fixture.isDone("long")
    fixture.browser.context.distinguishesAlt = true
    fixture.browser.handle(.key(KeyEvent(.character("x"), modifiers: .alt)), at: 3)

    #expect(!isSelected && isDone)
    #expect(try fixture.isDone("long"))
  }
}
