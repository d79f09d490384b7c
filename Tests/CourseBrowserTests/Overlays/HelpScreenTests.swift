import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct HelpScreenTests {
  @Test func `the question mark key lists all keys, and three keys close the list`() throws {
    for key in [Key.character("?"), .character("q"), .escape] {
      let fixture = try BrowserFixture()
      let before = fixture.screen(at: 0.9)
      fixture.press("?", at: 1)

      expectSnapshot(fixture.text(at: 2))

      fixture.press(key, at: 3)
      #expect(fixture.screen(at: 4) == before)
      #expect(!fixture.browser.isFinished)
    }
  }

  @Test func `the help panel grows out of its key while the page is dimmed`() throws {
    let fixture = try BrowserFixture()
    fixture.press("?", at: 1)

    #expect(
      fixture.text(at: 1.02) == """
           Waymark                                                        learner ada

           Begin      Why are we here?                   6 min   English for Business
           Select a course and press Enter.
         ──────────────────────────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────────────────────────╮
         │ · English for Business  ──────────    0 %  begins with: Why are we here?   │
         │   Meet, negotiate, write and present with confidence.      0 of 52  4 h 40 │
         ╰────────────────────────────────────────────────────────────────────────────╯
           + Add a course: a folder, a book, an archive                             a

         ──────────────────────────────────────────────────────────────────────────────
           English for Business                            Preview · Ctrl-W to select

           · Meetings                                                 0 of 13  1 h 15
             · Opening                                                 0 of 4  25 min
             · Steering                                                0 of 4  25 min
             · Across borders                                          0 of 3  15 min
             · Closing    ╭──────────────────╮                         0 of 2  10 min
           ↓ 15 more      │ Keys             │
                          ├──────────────────┤
           .  Begin with “╰──────────────────╯                         reading, 6 min
           ↵ open  ↑↓ select  ? help  q quit      [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(fixture.style(of: "Waymark", at: 2)?.attributes == .faint)
  }

  @Test func `the growing help panel shows nothing outside its frame`() throws {
    for columns in [80, 93, 120] {
      let fixture = try BrowserFixture(columns, 40, opening: "english-for-business")
      _ = fixture.screen(at: 0)
      let page = fixture.screen(at: 0.5)
      fixture.press("?", at: 1)
      for step in 1..<32 {
        let rows = fixture.screen(at: 1 + 0.005 * Double(step))
        // In the empty rows below the cards, only the overlay is visible.
        for row in 18..<38 where page[row].allSatisfy({ $0 == " " }) {
          let text = rows[row].trimmed
          let ends = [text.first, text.last]
          #expect(
            text.isEmpty || ends == ["│", "│"] || ends == ["├", "┤"] || ends == ["╭", "╮"] || ends == ["╰", "╯"],
            "\(columns) \(step): \(text)")
        }
      }
    }
  }

  @Test func `with reduced motion the help fades in, and without motion it appears at once`() throws {
    let reduced = try BrowserFixture(motion: .reduced)
    let none = try BrowserFixture(motion: .none)
    for fixture in [reduced, none] { fixture.press("?", at: 1) }

    let help = none.text(at: 1)
    expectSnapshot(help)
    #expect(reduced.text(at: 1.03) != help)
    #expect(reduced.screen(at: 1.1)[1].hasPrefix(" ╭──"))
    #expect(reduced.text(at: 1.2) == help)
  }

  @Test func `in a small terminal, the help fills the page and scrolls`() throws {
    let fixture = try BrowserFixture(40, 12, symbols: .ascii)
    fixture.press("?", at: 1)

    expectSnapshot(fixture.text(at: 2), "at 2")
    fixture.press("G", at: 3)
    expectSnapshot(fixture.text(at: 4), "at 4")
  }

  @Test func `Escape reverses the opening of the help, and Control-C quits from it`() throws {
    let fixture = try BrowserFixture()
    let before = fixture.screen(at: 0.9)
    fixture.press("?", at: 1)
    _ = fixture.screen(at: 1.08)
    fixture.press(.escape, at: 1.08)
    #expect(fixture.screen(at: 2) == before)

    fixture.press("?", at: 3)
    fixture.press(.character("c"), .control, at: 4)
    #expect(fixture.browser.isFinished)
  }

  @Test func `the keys of the page below the help are listed first`() throws {
    func firstRows(_ path: PlaceName, _ keys: String = "") throws -> String {
      let fixture = try BrowserFixture(120, 44, opening: path)
      fixture.type(keys, at: 1)
      fixture.press("?", at: 2)
      let leftColumn = fixture.screen(at: 3).drop { !$0.contains("│ This page ") }.dropFirst().map {
        String($0.trimmed.dropFirst(2).prefix(44)).split(separator: " ").joined(separator: " ")
      }
      return leftColumn.prefix { !$0.isEmpty }.joined(separator: ", ")
    }
    let lesson = "english-for-business/negotiating/opening-offers/"

    let pages = try [
      firstRows(PlaceName(stringLiteral: lesson + "who-speaks-first")),
      firstRows(PlaceName(stringLiteral: lesson + "make-the-first-offer"), " "),
      firstRows(PlaceName(stringLiteral: lesson + "anchors-and-ranges"), " "), firstRows("english-for-business", "3"),
      firstRows("english-for-business/negotiating"),
    ]

    #expect(
      pages == [
        "Space more, ← up, e note, M highlight, x done, i info, m bookmark, Home End top, end, y copy, b previous page, d u half a page, / find in text, { } select a block, w wrap, \" notes, c make a card",
        "Space check, ↑↓ move, ← up, x done, i info, m bookmark, r start again, y copy, 2 3 4 select it",
        "Space knew it, f forgot, ↵ turn, ← up, x done, i info, m bookmark, r start again, y copy",
        "↵ open, ↑↓ select, / search, f filter, ← → week, r replay, y copy, Ctrl-W pane, i info, m bookmark",
        "↵ open, ← up, n p goal, / find, . continue, i info, m bookmark, Home End first, last, y copy, Ctrl-W pane, v layout",
      ])
  }
}
