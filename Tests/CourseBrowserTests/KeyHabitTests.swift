import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Keys that learners know from less, vim and Helix.
@MainActor @Suite struct KeyHabitTests {
  private nonisolated static let text = "english-for-business/negotiating/opening-offers/who-speaks-first"

  /// Keys, and the line to which they scroll from line 6 of a text, given the number of visible rows and the last line.
  private nonisolated static let meanings: [(keys: [KeyEvent], line: @Sendable (_ rows: Int, _ last: Int) -> Int)] = [
    (keys("j e", .down), { _, _ in 7 }), (keys("k y p", .up), { _, _ in 5 }),
    (keys("f v", .pageDown), { rows, _ in 6 + rows }), (keys("b", .pageUp), { rows, _ in 6 - rows }),
    (keys("d"), { rows, _ in 6 + rows / 2 }), (keys("u"), { rows, _ in 6 - rows / 2 }),
    (keys("< g", .home), { _, _ in 0 }), (keys("> G", .end), { _, last in last }),
  ]

  /// Returns the letters with and without Ctrl, as less and vim use them, and the other keys.
  private nonisolated static func keys(_ letters: String, _ others: Key...) -> [KeyEvent] {
    letters.filter { $0 != " " }.flatMap { letter -> [KeyEvent] in
      let (plain, control) = (KeyEvent(.character(letter)), KeyEvent(.character(letter), modifiers: .control))
      switch letter {
      case "j", "k", "<", ">", "g", "G": return [plain]
      case "b", "d", "f", "u": return [plain, control]
      default: return [control]
      }
    } + others.map { KeyEvent($0) }
  }

  @Test(arguments: meanings.indices)
  func `keys scroll a text as in less and vim`(index: Int) throws {
    let (keys, line) = Self.meanings[index]
    for key in keys {
      let fixture = try BrowserFixture(60, 20, opening: .text(Self.text))
      _ = fixture.screen(at: 0)
      for step in 0..<6 { fixture.press(.down, at: 1 + Double(step) / 10) }
      _ = fixture.screen(at: 2)
      let text = try #require(fixture.browser.page as? ReadingScreen)
      let rows = text.visibleRows

      fixture.press(key.key, key.modifiers, at: 3)
      _ = fixture.screen(at: 4)

      let expected = max(0, min(text.lastScroll, line(rows, text.lastScroll)))
      // A page overlaps the previous one by a line or two and ends with a paragraph.
      let isPage = abs(expected - 6) >= rows && expected != text.lastScroll && expected != 0
      #expect(isPage ? abs(text.scroll - expected) <= rows / 2 + 2 : text.scroll == expected, "\(key.name)")
      #expect(try fixture.browser.navigation.currentPlace().title == "Who speaks first?")
    }
  }

  /// Screens, with the place and the keys that open them.
  private nonisolated static let screens: [(name: String, place: String, keys: String)] = [
    ("courses", "/", ""), ("goals", "english-for-business", "j"),
    ("activities", "english-for-business/negotiating/opening-offers", "j"),
    ("text", text, "jjj"), ("search", text, "/the\r"),
    ("cards", "english-for-business/negotiating/opening-offers/anchors-and-ranges", " "),
    ("quiz", "english-for-business/negotiating/opening-offers/make-the-first-offer", " "),
    ("history", "english-for-business", "3"), ("find", "english-for-business", "2"),
  ]

  /// Keys to press on every screen: letters, letters with Ctrl, and named keys.
  private static let pressed: [KeyEvent] =
    "jkhlgGdubfeynNrwoxvzZU<>+-".map { KeyEvent(.character($0)) }
    + "fbduepyonrv".map { KeyEvent(.character($0), modifiers: .control) }
    + [.home, .end, .pageUp, .pageDown, .insert].map { KeyEvent($0) }

  @Test(arguments: screens.indices)
  func `on every screen, every key has an effect or shows a notice once`(index: Int) throws {
    let (name, place, before) = Self.screens[index]
    var fixture = try BrowserFixture(opening: .text(place))
    func begin() throws {
      fixture = try BrowserFixture(opening: .text(place))
      _ = fixture.screen(at: 0)
      for key in before {
        fixture.press(key == "\r" ? .enter : .character(key), at: 1)
        _ = fixture.screen(at: 2)
      }
    }
    var silent: [String] = []
    try begin()
    var (initial, time) = (fixture.screen(at: 3), 3.0)
    for key in Self.pressed {
      fixture.press(key.key, key.modifiers, at: time + 1)
      let after = fixture.screen(at: time + 2)
      if after == initial { silent.append(key.name) }
      // A notice disappears by itself. After any other change, the screen is opened again.
      time += 10
      if fixture.screen(at: time) == initial { continue }
      try begin()
      (initial, time) = (fixture.screen(at: 3), 3)
    }

    // At the end of a list, a key has no effect and shows no notice.
    #expect(Set(silent) == Set(Self.silent[name] ?? []), "\(name)")
  }

  /// The keys without visible effect on each screen. There is one course, the text contains the word once, the question
  /// fits on its page with its first choice selected, the history has one step, and Find lists nothing yet. `Ctrl-O`
  /// navigates back below the open tab.
  private static let silent: [String: [String]] = [
    "courses": names("k g G d u b < > ^F ^B ^D ^U ^P ^Y ^V Home End PageUp PageDown"),
    "search": names("k g u b < ^B ^U ^P ^Y Home PageUp"),
    "quiz": names("k g G d u b < > ^F ^B ^D ^U ^P ^Y ^V Home End PageUp PageDown"),
    "history": names("j k g G d u b < > ^F ^B ^D ^U ^E ^P ^Y ^O ^V Home End PageUp PageDown"),
    "find": names("^F ^B ^D ^U ^E ^P ^O ^N ^V ^Y Home End PageUp PageDown"),
  ]

  private static func names(_ text: String) -> [String] {
    text.split(separator: " ").map { String($0).replacing("^", with: "Ctrl-") }
  }

  @Test func `an unused key shows a quiet notice that names the help key, but only once`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.text))
    _ = fixture.screen(at: 0)

    fixture.press("z", at: 1)
    let notice = fixture.screen(at: 2)[21]
    let style = fixture.style(of: "does nothing", at: 2)
    let later = fixture.screen(at: 7)[22]
    fixture.press("z", at: 8)

    #expect(notice.trimmed == "z does nothing here. ? lists the keys.")
    #expect(style?.attributes == [])
    #expect(later == fixture.screen(at: 9)[22])
  }
}
