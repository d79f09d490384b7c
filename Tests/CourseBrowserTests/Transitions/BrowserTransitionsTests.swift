import Foundation
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct BrowserTransitionsTests {
  @Test func `a different animator from the provider changes the transition`() throws {
    let usual = try BrowserFixture.inColour()
    let changed = try BrowserFixture.inColour()
    changed.browser.transitions.override = { _, _, _ in PageSlideTransition(towardsRight: true) }

    usual.press(.enter, at: 1)
    changed.press(.enter, at: 1)

    #expect(usual.screen(at: 1.03)[2].contains("English for Business") == false)
    #expect(changed.screen(at: 1.03)[2].contains("English"))
    #expect(usual.screen(at: 3) == changed.screen(at: 3))
  }

<<<<<<< HEAD
  @Test func `a neighbour slides in while the breadcrumb and the footer stay`() throws {
    let frame = try RendererFixture().text(
      of: "english-for-business/negotiating", to: "english-for-business/writing", at: 0.1)

    #expect(
      frame == """
           Courses › English for Business                                 goal 2 of 4

        iating                                                   0 of 14 done      Writi
        re, make the first offer, trade, and close.              about 1 h 20      Messa
        ───────────────────────────────────────────────────────────────────────  ───────
        ──────────────────────────────────────────────────────────────────────╮  ╭──────
        ring                                                  0 of 4  ~20 min │  │ Email
        you want, what they want, and where you stop.                         │  │ One m
        ──────────────────────────────────────────────────────────────────────╯  ╰──────
        ng offers                                             0 of 4  ~25 min      Tone
        peaks first, how high, and how to say it.                                  Polit

        er-offers                                             0 of 3  ~20 min      Plain
        ring a number with a number, and with a reason.                            Short

        ng the deal                                           0 of 3  ~15 min      Repor
        p, agree the next step, and stop talking.                                  Say t





           .  Begin with “Three columns on one page”                   reading, 5 min
           ↵ open  ← up  n p goal  / find  i info  ? help [1 Learn] 2 Find  3 History
        """)
  }

||||||| 1410df51
  @Test func `a neighbour slides in while the breadcrumb and the footer stay`() throws {
    let frame = try RendererFixture().text(
      of: "english-for-business/negotiating", to: "english-for-business/writing", at: 0.1)

    #expect(
      frame == """
           Courses › English for Business                                 goal 2 of 4

        iating                                                   0 of 14 done      Writi
        re, make the first offer, trade, and close.              about 80 min      Messa
        ───────────────────────────────────────────────────────────────────────  ───────
        ──────────────────────────────────────────────────────────────────────╮  ╭──────
        ring                                                           0 of 4 │  │ Email
        you want, what they want, and where you stop.            about 20 min │  │ One m
        ──────────────────────────────────────────────────────────────────────╯  ╰──────
        ng offers                                                      0 of 4      Tone
        peaks first, how high, and how to say it.                about 25 min      Polit

        er-offers                                                      0 of 3      Plain
        ring a number with a number, and with a reason.          about 18 min      Short

        ng the deal                                                    0 of 3      Repor
        p, agree the next step, and stop talking.                about 17 min      Say t





           .  Begin with “Three columns on one page”                   reading, 5 min
           ↵ open   ← up   n p goal   / find   ? help     [1 Learn] 2 Find  3 History
        """)
  }

=======
>>>>>>> hub/main
  @Test func `with reduced motion pages fade, and without motion they appear at once`() throws {
    let reduced = try BrowserFixture.inColour(motion: .reduced)
    let none = try BrowserFixture.inColour(motion: .none)
    for fixture in [reduced, none] { fixture.press(.enter, at: 1) }

    #expect(!reduced.screen(at: 1.05).contains { $0.hasPrefix("╭") })
    #expect(none.screen(at: 1.001)[2].hasPrefix("   English for Business"))
    #expect(reduced.screen(at: 2) == none.screen(at: 2))
  }
}
