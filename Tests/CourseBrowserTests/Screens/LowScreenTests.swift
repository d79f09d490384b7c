import LearningModel
import NavigationService
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Screens in a terminal that is low but wide, as where several lie above each other: rows are spared, and no words.
@MainActor @Suite struct LowScreenTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  @Test func `a low and wide list has its trail, its time, the tabs, and why to go on`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers))

    #expect(
      fixture.text(at: 1) == """
         Courses › English for Business › Negotiating                                         lesson 2 of 4
         Opening offers                                                           0 of 4 done, about 25 min
        ────────────────────────────────────────────────────────────────────────────────────────────────────
         ▌ Read the brief                                                      reading                5 min
           Who speaks first?                                                   reading                6 min
           Anchors and ranges                                                  flashcards          12 cards
           Make the first offer                                                quiz             5 questions



         .  Begin with “Read the brief”                                                      reading, 5 min
         ↵ open   ← up   n p lesson   x done   / find   i info   ? help         [1 Learn] 2 Find  3 History
        """)
    fixture.mouse(.press(.left), 84, 11, at: 2)
    #expect(fixture.browser.tabs.selectedIndex == 1)
  }

  @Test func `so has what is read there`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers + "/who-speaks-first"))
    fixture.press(" ", at: 1)

    #expect(
      fixture.text(at: 2) == """
         Courses › English for Business › Negotiating › Opening offers                      activity 2 of 4
         Who speaks first?                                                             4 % read, 6 min left
        ━━━━────────────────────────────────────────────────────────────────────────────────────────────────
         The case for going first

         The first number on the table pulls every later number towards it. People
         know this, they are warned about it, and it works on them all the same. If
         you say 48 and Marta had 34 in her head, the conversation is now about the
         space between the two, and you chose one end of it.

         n  Next: Anchors and ranges                                                                 ↓ more
         Space page   ← up   x done   i info   m mark   ? help                  [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `the numbers stand beside the title on its way too`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers))
    fixture.press(.enter, at: 1)

    #expect(
      fixture.text(at: 1.1) == """
         Courses › English for Business › Negotiating                                       activity 1 of 4
                                                 Opening offers
          Read the brief                                                                              5 min
        ────────────────────────────────────────────────────────────────────────────────────────────────────
         For this lesson and the next two you work at Kestrel Lifts, a firm of
         forty people that repairs and services lifts. On Thursday you meet Marta
         Oliveira, who buys for the Bellavista hotels. Read what your colleagues
         have found out; later nobody will give you time to look it up.


         n  Next: Who speaks first?                                                                  ↓ more
         Space page   ← up   x done   i info   m mark   ? help                  [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `the history has its whole trail, and the tabs`() throws {
    let fixture = try BrowserFixture(100, 12, opening: .text(Self.offers + "/read-the-brief"))
    fixture.press("x", at: 1)
    fixture.press(.left, at: 61)
    fixture.press("3", at: 62)

    #expect(
      fixture.text(at: 63) == """
         Courses › English for Business › Negotiating › Opening offers                                  ada
         History
        ────────────────────────────────────────────────────────────────────────────────────────────────────
         Friday 20 November                                                                         2 steps
           10:00       ● Read the brief                                                              ✓ done
         ▌ 10:00     ●─╯ Opening offers                                                        you are here




         r  Replay this sitting                                                          2 steps, 3 seconds
         ↵ go there   / search   f filter   ← → week   ↑↓ choose   ? help        1 Learn  2 Find [3 History]
        """)
  }
}
