import Motion
import NavigationService
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct HelpScreenTests {
  private static let help = """
       Waymark                                                                ada
     ╭────────────────────────────────────────────────────────────────────────────╮
     │ Keys                                            : does any of this by name │
     │────────────────────────────────────────────────────────────────────────────│
     │ Choose and open                           Read and do                      │
     │ ↑ k            the one above              Space      a page on, then next  │
     │ ↓ j            the one below              b PageUp   a page back           │
     │ Home g         the first, the top         x          done, or not done     │
     │ End G          the last, the end          r          once more             │
     │ ↵ → l          open it                    y          copy code, link, path │
     │ ← h Backspace  up, or close                                                │
     │                                           Look around                      │
     │ Go                                        1 2 3      Learn, Find, History  │
     │ .              the next step              Tab        the next tab, or link │
     │ n              the next one beside        Shift-Tab  the tab before        │
     │ p              the one before             f          History: only some    │
     │ Alt-← H        where you were before      e          History: into a file  │
     │ Alt-→ L        forward again              v          cards or one row each │
     │ /              find anything              i          all about it          │
     │ :              a path or a command        a          add a course          │
     │ m              mark, or take it away      ?          every key             │
     │ '              what you marked            q Ctrl-C   leave Waymark         │
     ╰────────────────────────────────────────────────────────────────────────────╯
       Esc close                                      [1 Learn] 2 Find  3 History
    """

  @Test func `the question mark shows every key, and each of three keys closes it again`() throws {
    for key in [Key.character("?"), .character("q"), .escape] {
      let fixture = try BrowserFixture()
      let before = fixture.screen(at: 0)
      fixture.press("?", at: 1)

      #expect(fixture.text(at: 2) == Self.help)

      fixture.press(key, at: 3)
      #expect(fixture.screen(at: 4) == before)
      #expect(!fixture.browser.isFinished)
    }
  }

  @Test func `it grows from its key in the last row while the page steps back`() throws {
    let fixture = try BrowserFixture()
    fixture.press("?", at: 1)

    #expect(
      fixture.text(at: 1.02) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ English for Business                                             not begun │
         │ Meet, negotiate, write and present with confidence.              about 5 h │
         ╰────────────────────────────────────────────────────────────────────────────╯
           + Add a course: a folder, a book, an archive                             a









                                   ╭──────────────────╮
                                   │ Keys             │
                                   │──────────────────│
           .  Begin with “Why are w╰──────────────────╯                reading, 6 min
           ↵ open   ↑↓ choose   / find   ? help   q quit  [1 Learn] 2 Find  3 History
        """)
    #expect(fixture.style(of: "Waymark", at: 2)?.attributes == .faint)
  }

  @Test func `while it grows nothing of it is seen outside its frame`() throws {
    for columns in [80, 93, 120] {
      let fixture = try BrowserFixture(columns, 40, opening: "english-for-business")
      _ = fixture.screen(at: 0)
      let page = fixture.screen(at: 0.5)
      fixture.press("?", at: 1)
      for step in 1..<32 {
        let rows = fixture.screen(at: 1 + 0.005 * Double(step))
        // Below the cards, where the page has nothing, only what is in the frame is seen.
        for row in 18..<38 where page[row].allSatisfy({ $0 == " " }) {
          let words = rows[row].trimmed
          let ends = [words.first, words.last]
          #expect(
            words.isEmpty || ends == ["│", "│"] || ends == ["╭", "╮"] || ends == ["╰", "╯"],
            "\(columns) \(step): \(words)")
        }
      }
    }
  }

  @Test func `with reduced motion it fades in where it stands, and with none it is there`() throws {
    let reduced = try BrowserFixture(motion: .reduced)
    let none = try BrowserFixture(motion: .none)
    for fixture in [reduced, none] { fixture.press("?", at: 1) }

    #expect(none.text(at: 1) == Self.help)
    #expect(reduced.text(at: 1.03) != Self.help)
    #expect(reduced.screen(at: 1.1)[1].hasPrefix(" ╭──"))
    #expect(reduced.text(at: 1.2) == Self.help)
  }

  @Test func `in a small terminal it takes the whole page, in one column, and scrolls to its end`() throws {
    let fixture = try BrowserFixture(40, 12, symbols: .ascii)
    fixture.press("?", at: 1)

    #expect(
      fixture.text(at: 2) == """
         Keys        : does any of this by name
        ----------------------------------------
         Choose and open
         Up k           the one above
         Down j         the one below
         Home g         the first, the top
         End G          the last, the end
         Enter Right l  open it
         Left h Esc     up, or close

         Down 29 more
         Up/Down scroll  Esc close
        """)
    fixture.press("G", at: 3)
    #expect(
      fixture.text(at: 4) == """
         Keys        : does any of this by name
        ----------------------------------------
         Shift-Tab      the tab before
         f              History: only some
         e              History: into a file
         v              cards or one row each
         i              all about it
         a              add a course
         ?              every key
         q Ctrl-C       leave Waymark
         Up back up
         Up/Down scroll  Esc close
        """)
  }

  @Test func `a key in mid-flight turns it around, and Control-C leaves from it`() throws {
    let fixture = try BrowserFixture()
    let before = fixture.screen(at: 0)
    fixture.press("?", at: 1)
    _ = fixture.screen(at: 1.08)
    fixture.press(.escape, at: 1.08)
    #expect(fixture.screen(at: 2) == before)

    fixture.press("?", at: 3)
    fixture.press(.character("c"), .control, at: 4)
    #expect(fixture.browser.isFinished)
  }

  @Test func `every command stands in one row, and no key means two`() {
    let rows = KeyBindings.rows

    #expect(Set(rows.map(\.command)).count == rows.count)
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(Set(rows.flatMap(\.keys)).count == rows.flatMap(\.keys).count)
    #expect(rows.allSatisfy { $0.does.displayWidth <= 21 })
  }
}
