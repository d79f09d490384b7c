// Seven animations are drawn at five times each, which explains the length of this file.

import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Each kind of animation at its beginning, at three quarters in between, and at its end. The opening of a card, the
/// turn of a flashcard and the verdict of a quiz are drawn in their own tests.
@MainActor @Suite struct DrawnMotionTests {
  private static let goal: PlaceName = "english-for-business/negotiating"

  private func fixture(_ place: PlaceName = goal) throws -> BrowserFixture {
    let fixture = try BrowserFixture.inColour(60, 18, opening: place)
    _ = fixture.screen(at: 0.5)
    return fixture
  }

  /// Returns the screen at each quarter of an animation that begins at two seconds.
  private func quarters(_ fixture: BrowserFixture, _ duration: Double, _ curve: TimingCurve) -> [String] {
    stride(from: 0, through: 1, by: 0.25).map { fraction in
      fixture.text(at: 2 + AnimationTime.seconds(to: fraction, of: duration, curve))
    }
  }

  @Test func `the v key moves every card from its frame in one layout to its frame in the other`() throws {
    let fixture = try fixture()
    fixture.press("v", at: 2)

    let screens = quarters(
      fixture, ListScreen.layoutTime, .spring(duration: ListScreen.layoutTime, dampingRatio: 1))

    #expect(
      screens[0] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min



           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[1] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min

           · Closing the deal                      0 of 3  15 min


           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[2] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ Preparing                               0 of 4  20 min │
         │ What you want, what they want, and where you stop.     │
         ╰────────────────────────────────────────────────────────╯
           Opening offers                          0 of 4  25 min
           Who speaks first, how high, and how to say it.

           Counter-offers                          0 of 3  20 min
           Answering a number with a number, and with a reason.


           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[3] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ Preparing                               0 of 4  20 min │
         │ What you want, what they want, and where you stop.     │
         ╰────────────────────────────────────────────────────────╯
           Opening offers                          0 of 4  25 min
           Who speaks first, how high, and how to say it.

           Counter-offers                          0 of 3  20 min
           Answering a number with a number, and with a reason.

           ↓ 1 more
           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[4] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ Preparing                               0 of 4  20 min │
         │ What you want, what they want, and where you stop.     │
         ╰────────────────────────────────────────────────────────╯
           Opening offers                          0 of 4  25 min
           Who speaks first, how high, and how to say it.

           Counter-offers                          0 of 3  20 min
           Answering a number with a number, and with a reason.

           ↓ 1 more
           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
  }

  @Test func `a search result opens like a card, and content of both pages moves`()
    throws
  {
    let fixture = try fixture("english-for-business")
    fixture.press("2", at: 1)
    fixture.type("counter", at: 1.4)
    _ = fixture.screen(at: 1.5)
    fixture.press(.enter, at: 2)

    let screens = quarters(
      fixture, OpenCardTransition.downDuration, .spring(duration: OpenCardTransition.downDuration, bounce: 0))

    #expect(
      screens[0] == """
           Find

           counter▎                                      2 places
           in all courses, best first   Tab: 1 lesson, 1 activity
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ Counter-offers                                  lesson │
         │ English for Business › Negotiating           not begun │
         │ Answering a number with a number, and with a reason.   │
         ╰────────────────────────────────────────────────────────╯
           Dropping anchor too early                      reading
           English for Business › … › Counter-offers    not begun
           …In a counter-offer the order matters: reason first,…



           Esc  Back to English for Busi…  Shift-Tab: this course
           ↵ open  ↑↓ select          Learn [Find] History Review
        """)
    #expect(
      screens[1] == """
           Find

           counter▎                                      2 places
           in all courses, best first   Tab: 1 lesson, 1 activity
         ╭────────────────────────────────────────────────────────╮
         │ Counter-offers                                  lesson │
         │ English for Business › Negotiating           not begun │
         │ Answering a number with a number, and with a reason.   │
         │────────────────────────────────────────────────────────│
         │ Dropping anchor too early                      reading │
         │ English for Business › … › Counter-offers    not begun │
         ╰────────────────────────────────────────────────────────╯




           Esc  Back to English for Busi…  Shift-Tab: this course
           ↵ open  ↑↓ select          Learn [Find] History Review
        """)
    #expect(
      screens[2] == """
           Courses › … › Negotiating                lesson 3 of 4


        ╭──────────────────────────────────────────────────────────╮
        │  Counter-offers                             0 of 3 done  │
        │  Answering a number with a number, and w…  about 20 min  │
        │──────────────────────────────────────────────────────────│
        │                                                          │
        │  · Dropping anchor too early        reading       6 min  │
        │    The other side has said a terrible number. Do not s…  │
        │                                                          │
        │                                                          │
        ╰──────────────────────────────────────────────────────────╯



           .  Begin with “Dropping anchor too e…”  reading, 6 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[3] == """
           Courses › … › Negotiating                lesson 3 of 4

        ╭──────────────────────────────────────────────────────────╮
        │  Counter-offers                             0 of 3 done  │
        │  Answering a number with a number, and w…  about 20 min  │
        │──────────────────────────────────────────────────────────│
        │                                                          │
        │                                                          │
        │  · Dropping anchor too early        reading       6 min  │
        │    The other side has said a terrible number. Do not s…  │
        │                                                          │
        │  · If you, then we                  flashcards    6 min  │
        │  · The number comes back            quiz          6 min  │
        │                                                          │
        ╰──────────────────────────────────────────────────────────╯

           .  Begin with “Dropping anchor too e…”  reading, 6 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[4] == """
           Courses › … › Negotiating                lesson 3 of 4

           Counter-offers                             0 of 3 done
           Answering a number with a number, and w…  about 20 min
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Dropping anchor too early        reading       6 min │
         │   The other side has said a terrible number. Do not s… │
         ╰────────────────────────────────────────────────────────╯
           · If you, then we                  flashcards    6 min
           · The number comes back            quiz          6 min




           .  Begin with “Dropping anchor too e…”  reading, 6 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
  }

  @Test func `pages without shared content change row by row`() throws {
    let fixture = try fixture()
    fixture.browser.stage.perform(at: 2) {
      fixture.browser.navigate(.open("english-for-business/writing/tone"), cause: .link)
    }

    let screens = quarters(
      fixture, 0.12, .linear)

    #expect(
      screens[0] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min



           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[1] == """
           Courses › … › Writing                    lesson 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min



           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[2] == """
           Courses › … › Writing                    lesson 2 of 4

           Tone                                       0 of 3 done
           Polite, warm, firm. Three settings, one…  about 15 min
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · How a full stop sounds           reading       5 min │
         │   Writing has no face. Where does the anger come from… │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min



           .  Begin with “How a full stop sounds”  reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[3] == """
           Courses › … › Writing                    lesson 2 of 4

           Tone                                       0 of 3 done
           Polite, warm, firm. Three settings, one…  about 15 min
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · How a full stop sounds           reading       5 min │
         │   Writing has no face. Where does the anger come from… │
         ╰────────────────────────────────────────────────────────╯
           · Saying no on paper               reading       5 min
           · Softer, please                   flashcards    4 min




           .  Begin with “How a full stop sounds”  reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[4] == """
           Courses › … › Writing                    lesson 2 of 4

           Tone                                       0 of 3 done
           Polite, warm, firm. Three settings, one…  about 15 min
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · How a full stop sounds           reading       5 min │
         │   Writing has no face. Where does the anger come from… │
         ╰────────────────────────────────────────────────────────╯
           · Saying no on paper               reading       5 min
           · Softer, please                   flashcards    4 min




           .  Begin with “How a full stop sounds”  reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
  }

  @Test func `the help panel grows out of its key in the footer`() throws {
    let fixture = try fixture()
    fixture.press("?", at: 2)

    let screens = quarters(
      fixture, GrowTransition.duration, .easeOut)

    #expect(
      screens[0] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min



           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[1] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰────────────────────────────────────────────────────────╯
           · Opening offers                        0 of 4  25 min
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min
          ╭───────────────────╮
          │ Keys              │
          ├───────────────────┤
          ╰───────────────────╯ columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[2] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Preparing                             0 of 4  20 min │
         │   What you want, what they want, and where you stop.   │
         ╰╭───────────────────────────────╮───────────────────────╯
          │ Keys                          │        0 of 4  25 min
          ├───────────────────────────────┤        0 of 3  20 min
          │ This page                     │        0 of 3  15 min
          │ ↵          open               │
          │ ←          up                 │
          │ n p        goal               │
          ╰───────────────────────────────╯one…”   reading, 5 min
           ↑↓ scroll  Esc close       [Learn] Find History Review
        """)
    #expect(
      screens[3] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────╮
         │ Keys                           : runs comma│───────────╮
         ├────────────────────────────────────────────┤ 4  20 min │
         │ This page                                  │ou stop.   │
         │ ↵          open                            │───────────╯
         │ ←          up                              │ 4  25 min
         │ n p        goal                            │ 3  20 min
         │ /          find                            │ 3  15 min
         │ .          continue                        │
         │ i          info                            │
         │ m          bookmark                        │
         ╰────────────────────────────────────────────╯ing, 5 min
           ↑↓ scroll  Esc close       [Learn] Find History Review
        """)
    #expect(
      screens[4] == """
           Courses › English for Business             goal 2 of 4
         ╭────────────────────────────────────────────────────────╮
         │ Keys                           : runs commands by name │
         ├────────────────────────────────────────────────────────┤
         │ This page                                              │
         │ ↵          open                                        │
         │ ←          up                                          │
         │ n p        goal                                        │
         │ /          find                                        │
         │ .          continue                                    │
         │ i          info                                        │
         │ m          bookmark                                    │
         │ Home End   first, last                                 │
         │ y          copy                                        │
         │ v          layout                                      │
         │ ↓ 46 more                                              │
         ╰────────────────────────────────────────────────────────╯
           ↑↓ scroll  Esc close       [Learn] Find History Review
        """)
  }

  @Test func `the details panel of a card grows out of the card`() throws {
    let fixture = try fixture()
    fixture.press(.down, at: 1)
    _ = fixture.screen(at: 1.5)
    fixture.press("i", at: 2)

    let screens = quarters(
      fixture, GrowTransition.duration, .easeOut)

    #expect(
      screens[0] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

           · Preparing                             0 of 4  20 min
         ╭────────────────────────────────────────────────────────╮
         │ · Opening offers                        0 of 4  25 min │
         │   Who speaks first, how high, and how to say it.       │
         ╰────────────────────────────────────────────────────────╯
           · Counter-offers                        0 of 3  20 min
           · Closing the deal                      0 of 3  15 min



           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[1] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Opening offers                        0 of 4  25 min │
         │   Who speaks first, how high, and how to say it.       │
         ├────────────────────────────────────────────────────────┤
         │ place       2 of 4 in Negotiating                      │
         │ path        english-for-business/negotiating/opening-  │
         ╰────────────────────────────────────────────────────────╯



           .  Begin with “Three columns on one…”   reading, 5 min
           ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(
      screens[2] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ · Opening offers                        0 of 4  25 min │
         │   Who speaks first, how high, and how to say it.       │
         ├────────────────────────────────────────────────────────┤
         │ place       2 of 4 in Negotiating                      │
         │ path        english-for-business/negotiating/opening-  │
         │             offers                                     │
         │ time        about 25 min                               │
         ╰────────────────────────────────────────────────────────╯


           .  Begin with “Three columns on one…”   reading, 5 min
           Esc close  y copy path     [Learn] Find History Review
        """)
    #expect(
      screens[3] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ · Opening offers                        0 of 4  25 min │
         │   Who speaks first, how high, and how to say it.       │
         ├────────────────────────────────────────────────────────┤
         │ place       2 of 4 in Negotiating                      │
         │ path        english-for-business/negotiating/opening-  │
         │             offers                                     │
         │ time        about 25 min                               │
         │ progress    0 of 4 done                                │
         │ visits      none                                       │
         ╰────────────────────────────────────────────────────────╯
           .  Begin with “Three columns on one…”   reading, 5 min
           Esc close  y copy path     [Learn] Find History Review
        """)
    #expect(
      screens[4] == """
           Courses › English for Business             goal 2 of 4

           Negotiating                               0 of 14 done
           Prepare, make the first offer, trade, a…  about 1 h 20
         ╭────────────────────────────────────────────────────────╮
         │ · Opening offers                        0 of 4  25 min │
         │   Who speaks first, how high, and how to say it.       │
         ├────────────────────────────────────────────────────────┤
         │ place       2 of 4 in Negotiating                      │
         │ path        english-for-business/negotiating/opening-  │
         │             offers                                     │
         │ time        about 25 min                               │
         │ progress    0 of 4 done                                │
         │ visits      none                                       │
         │ source      english-for-business.json, waymark         │
         │ imported    on Monday at 09:30, revision 1, in English │
         ╰────────────────────────────────────────────────────────╯
           Esc close  y copy path     [Learn] Find History Review
        """)
  }
}
