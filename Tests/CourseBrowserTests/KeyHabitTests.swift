import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The keys that people bring along from less, vim and helix.
@MainActor @Suite struct KeyHabitTests {
  private nonisolated static let text = "english-for-business/negotiating/opening-offers/who-speaks-first"

  /// Where a key leads from line 6 of a text, of which so many rows are seen.
  private nonisolated static let meanings: [(keys: [KeyEvent], line: @Sendable (_ rows: Int, _ last: Int) -> Int)] = [
    (keys("j e", .down), { _, _ in 7 }), (keys("k y p", .up), { _, _ in 5 }),
    (keys("f v", .pageDown), { rows, _ in 6 + rows }), (keys("b", .pageUp), { rows, _ in 6 - rows }),
    (keys("d"), { rows, _ in 6 + rows / 2 }), (keys("u"), { rows, _ in 6 - rows / 2 }),
    (keys("< g", .home), { _, _ in 0 }), (keys("> G", .end), { _, last in last }),
  ]

  /// Letters by themselves and with Ctrl, where they have that habit, and other keys.
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
  func `in a text a key does what less and vim do`(index: Int) throws {
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

      let wanted = max(0, min(text.lastScroll, line(rows, text.lastScroll)))
      // A page keeps a line or two in sight, and ends where a paragraph does.
      let isPage = abs(wanted - 6) >= rows && wanted != text.lastScroll && wanted != 0
      #expect(isPage ? abs(text.scroll - wanted) <= rows / 2 + 2 : text.scroll == wanted, "\(key.name)")
      #expect(try fixture.browser.navigation.currentPlace().title == "Who speaks first?")
    }
  }

  /// Screens, and how they are come to: the keys that are pressed at the place.
  private nonisolated static let screens: [(name: String, place: String, keys: String)] = [
    ("courses", "/", ""), ("goals", "english-for-business", "j"),
    ("activities", "english-for-business/negotiating/opening-offers", "j"),
    ("text", text, "jjj"), ("search", text, "/the\r"),
    ("cards", "english-for-business/negotiating/opening-offers/anchors-and-ranges", " "),
    ("quiz", "english-for-business/negotiating/opening-offers/make-the-first-offer", " "),
    ("history", "english-for-business", "3"), ("find", "english-for-business", "2"),
  ]

  /// What is pressed everywhere: letters, letters with Ctrl, and keys with names.
  private static let pressed: [KeyEvent] =
    "jkhlgGdubfeynNrwoxvzZU<>+-".map { KeyEvent(.character($0)) }
    + "fbduepyonrv".map { KeyEvent(.character($0), modifiers: .control) }
    + [.home, .end, .pageUp, .pageDown, .insert].map { KeyEvent($0) }

  @Test(arguments: screens.indices)
  func `everywhere a key does something, or says once that it does nothing`(index: Int) throws {
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
    var (seen, time) = (fixture.screen(at: 3), 3.0)
    for key in Self.pressed {
      fixture.press(key.key, key.modifiers, at: time + 1)
      let after = fixture.screen(at: time + 2)
      if after == seen { silent.append(key.name) }
      // A notice goes by itself; whatever else there is, is begun anew.
      time += 10
      if fixture.screen(at: time) == seen { continue }
      try begin()
      (seen, time) = (fixture.screen(at: 3), 3)
    }

    // At an end there is nowhere to go on: that is seen, and need not be said.
    #expect(Set(silent) == Set(Self.silent[name] ?? []), "\(name)")
  }

  /// The keys that change nothing that is seen, by the screen: there is one course, the text has one such word, the question
  /// fits on its page and its first choice is chosen, the history has one step, and Find lists nothing yet. `Ctrl-O` goes back below what is shown.
  private static let silent: [String: [String]] = [
    "courses": names("k g G d u b < > ^F ^B ^D ^U ^P ^Y ^V Home End PageUp PageDown"),
    "search": names("k g u b < ^B ^U ^P ^Y Home PageUp"),
    "quiz": names("k g G d u b < > ^F ^B ^D ^U ^P ^Y ^V Home End PageUp PageDown"),
    "history": names("j k g G d u b < > ^F ^B ^D ^U ^E ^P ^Y ^O ^V Home End PageUp PageDown"),
    "find": names("^F ^B ^D ^U ^E ^P ^O ^N Home End PageUp PageDown"),
  ]

  private static func names(_ text: String) -> [String] {
    text.split(separator: " ").map { String($0).replacing("^", with: "Ctrl-") }
  }

  @Test func `that a key does nothing is said once, quietly, and with the key of the help`() throws {
    let fixture = try BrowserFixture(opening: .text(Self.text))
    _ = fixture.screen(at: 0)

    fixture.press("z", at: 1)
    let said = fixture.screen(at: 2)[22]
    let style = fixture.style(of: "does nothing", at: 2)
    let later = fixture.screen(at: 7)[22]
    fixture.press("z", at: 8)

    #expect(said.trimmed == "z does nothing here. ? shows the keys.")
    #expect(style?.attributes == [])
    #expect(later == fixture.screen(at: 9)[22])
  }
}
