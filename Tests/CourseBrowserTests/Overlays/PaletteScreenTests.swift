import LearningModel
import NavigationService
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct PaletteScreenTests {
  @Test func `the colon lists what can be done, and writing narrows it down`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)

    #expect(
      fixture.text(at: 2) == """
           Courses › English for Business                                 goal 2 of 4

           Negotiating                                                   0 of 14 done
           Prepare, make the first offer, trade, and close.              about 80 min
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Preparing                                                           0 of 4 │
         │ What you want, what they want, and where you stop.            about 20 min │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Opening offers                                                      0 of 4
           Who speaks first, how high, and how to say it.                about 25 min
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ : ▎a path, or what to do                                                   │
         │────────────────────────────────────────────────────────────────────────────│
         │ ▌ go on            the next step                                         . │
         │   next             the next one beside                                   n │
         │   previous         the one before                                        p │
         │   back             where you were before                             Alt-← │
         │   forward          forward again                                     Alt-→ │
         │   find             find anything                                         / │
         │   mark             mark, or take it away                                 m │
         │   marks            what you marked                                       ' │
         ╰────────────────────────────────────────────────────────────────────────────╯
           ↵ do it   Tab complete   Esc close             [1 Learn] 2 Find  3 History
        """)

    fixture.type("ne", at: 3)
    #expect(
      fixture.text(at: 3) == """
           Courses › English for Business                                 goal 2 of 4

           Negotiating                                                   0 of 14 done
           Prepare, make the first offer, trade, and close.              about 80 min
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Preparing                                                           0 of 4 │
         │ What you want, what they want, and where you stop.            about 20 min │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Opening offers                                                      0 of 4
           Who speaks first, how high, and how to say it.                about 25 min
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ : ne▎                                                                      │
         │────────────────────────────────────────────────────────────────────────────│
         │ ▌ next         the next one beside                                       n │
         │   next tab     the next tab, or link                                   Tab │
         │   choose next  the one below                                             ↓ │
         │   go on        the next step                                             . │
         │   read on      a page on, then next                                  Space │
         │   Negotiating  english-for-business/negotiating                       goal │
         │                                                                            │
         │                                                                            │
         ╰────────────────────────────────────────────────────────────────────────────╯
           ↵ do it   Tab complete   Esc close             [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `Enter does what is chosen`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)
    fixture.type("nex", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Writing"))
  }

  @Test func `Tab completes a path level by level, and Enter goes there`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("eng", at: 2)
    fixture.press(.tab, at: 3)
    fixture.type("neg", at: 4)
    fixture.press(.tab, at: 5)

    #expect(
      fixture.text(at: 6) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ English for Business                                             not begun │
         │ Meet, negotiate, write and present with confidence.              about 5 h │
         ╰────────────────────────────────────────────────────────────────────────────╯
           + Add a course: a folder, a book, an archive                             a

         ╭────────────────────────────────────────────────────────────────────────────╮
         │ : english-for-business/negotiating/▎                                       │
         │────────────────────────────────────────────────────────────────────────────│
         │ ▌ Negotiating       all of it                                         goal │
         │   Preparing         preparing                                       lesson │
         │   Opening offers    opening-offers                                  lesson │
         │   Counter-offers    counter-offers                                  lesson │
         │   Closing the deal  closing-the-deal                                lesson │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         ╰────────────────────────────────────────────────────────────────────────────╯
           ↵ do it   Tab complete   Esc close             [1 Learn] 2 Find  3 History
        """)

    fixture.press(.down, at: 7)
    fixture.press(.down, at: 7)
    fixture.press(.enter, at: 8)
    #expect(fixture.screen(at: 9)[2].hasPrefix("   Opening offers"))
    #expect(try fixture.lastStep.operation == .open)
  }

  @Test func `a name without a slash means what is near, and a path may begin with it`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)
    fixture.type("opening-offers/anch", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Anchors and ranges"))
  }

  @Test func `what is unknown is said with what was meant, and the line stays`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("hlep", at: 2)
    fixture.press(.enter, at: 3)

    #expect(
      fixture.text(at: 4) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ English for Business                                             not begun │
         │ Meet, negotiate, write and present with confidence.              about 5 h │
         ╰────────────────────────────────────────────────────────────────────────────╯
           + Add a course: a folder, a book, an archive                             a

         ╭────────────────────────────────────────────────────────────────────────────╮
         │ : hlep▎                                                                    │
         │────────────────────────────────────────────────────────────────────────────│
         │ No command and no place is called “hlep”. Did you mean help?               │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         │                                                                            │
         ╰────────────────────────────────────────────────────────────────────────────╯
           ↵ do it   Tab complete   Esc close             [1 Learn] 2 Find  3 History
        """)
    fixture.press(.escape, at: 5)
    #expect(fixture.screen(at: 6)[2].hasPrefix("   Courses"))
  }

  @Test func `in a small terminal, with signs of every terminal, it takes the page`() throws {
    let fixture = try BrowserFixture(40, 12, symbols: .ascii)
    fixture.press(":", at: 1)
    fixture.type("ma", at: 2)

    #expect(
      fixture.text(at: 3) == """
         : ma|
        ----------------------------------------
         > mark   mark, or take it away       m
           marks  what you marked             '







         Enter do it  Tab complete  Esc close
        """)
  }

  @Test func `in Find it opens a place too, and a command opens the next overlay`() throws {
    let fixture = try BrowserFixture()
    fixture.press("3", at: 1)
    fixture.press(":", at: 2)
    fixture.type("english", at: 3)
    fixture.press(.enter, at: 4)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   English for Business"))

    fixture.press(":", at: 6)
    fixture.type("help", at: 7)
    fixture.press(.enter, at: 8)
    #expect(fixture.screen(at: 9)[2].hasPrefix(" │ Keys"))
  }
}
