import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// The card of a goal opens and becomes its page, and the page closes into the card.
@MainActor @Suite struct OpenCardTransitionTests {
  @Test func `at the beginning, the card is among its siblings`() throws {
    let frame = try frame(from: goals, to: lessons, at: 0)

    #expect(
      frame == """
           Courses

           English for Business                                          0 of 52 done
           Meet, negotiate, write and present with confidence.           about 4 h 40
         ──────────────────────────────────────────────────────────────────────────────

           Meetings                                                   0 of 13  1 h 15
           Open, steer and close a meeting that people leave on time.
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Negotiating                                                0 of 14  1 h 20 │
         │ Prepare, make the first offer, trade, and close.                           │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Writing                                                    0 of 12     1 h
           Messages that are read, answered and not misunderstood.

           Presenting                                                 0 of 13  1 h 05
           Stand up, say one thing, and be remembered for it.





           .  Begin with “Why are we here?”                            reading, 6 min
           ↵ open  ← up  / find  i info  ? help   [1 Learn] 2 Find 3 History 4 Review
        """)
  }

  @Test func `after a quarter, the frame rises and the old title stays`() throws {
    let frame = try frame(from: goals, to: lessons, at: 0.25)

    expectSnapshot(frame)
  }

  @Test func `in the middle, the old title is part of the breadcrumb`() throws {
    let frame = try frame(from: goals, to: lessons, at: 0.5)

    expectSnapshot(frame)
  }

  @Test func `after three quarters, the old title has become a breadcrumb`() throws {
    let frame = try frame(from: goals, to: lessons, at: 0.75)

    expectSnapshot(frame)
  }

  @Test func `at the end, the frame is around the first card of the page`() throws {
    let frame = try frame(from: goals, to: lessons, at: 1)

    #expect(
      frame == """
           Courses › English for Business                                 goal 2 of 4

           Negotiating                                                   0 of 14 done
           Prepare, make the first offer, trade, and close.              about 1 h 20
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Preparing                                                   0 of 4  20 min │
         │ What you want, what they want, and where you stop.                         │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Opening offers                                              0 of 4  25 min
           Who speaks first, how high, and how to say it.

           Counter-offers                                              0 of 3  20 min
           Answering a number with a number, and with a reason.

           Closing the deal                                            0 of 3  15 min
           Sum up, agree the next step, and stop talking.





           .  Begin with “Three columns on one page”                   reading, 5 min
           ↵ open  ← up  n p goal  ? help         [1 Learn] 2 Find 3 History 4 Review
        """)
  }

  @Test(arguments: [0.1, 0.25, 0.4, 0.6, 0.75, 0.9]) func `closing shows the same frames in reverse`(fraction: Double)
    throws
  {
    #expect(try frame(from: lessons, to: goals, at: 1 - fraction) == frame(from: goals, to: lessons, at: fraction))
  }

  @Test func `during the transition, the frame and the title are strictly between their end positions`() {
    let path = stride(from: 0.25, through: 0.75, by: 0.25).map { geometry($0) }

    for step in path {
      #expect(step.frame.row > 1 && step.frame.row < 8)
      #expect(step.frame.endRow > 12 && step.frame.endRow < 22)
      #expect(step.titleRow > 2 && step.titleRow < 9)
    }
    #expect(geometry(0).frame == CellRect(column: 1, row: 8, columns: 78, rows: 4))
    #expect(geometry(1).frame == CellRect(column: 0, row: 1, columns: 80, rows: 21))
  }

  // MARK: - Changes before and during the transition

  @Test func `a page closes into its card even after scrolling and resizing`() throws {
    let fixture = try BrowserFixture.inColour(80, 18, opening: "english-for-business")
    _ = fixture.screen(at: 0)
    // Not all cards fit, so the list is scrolled to the last one.
    for (index, key) in [Key.character("v"), .end, .enter].enumerated() { fixture.press(key, at: 1 + Double(index)) }
    #expect(fixture.screen(at: 4)[2].hasPrefix("   Presenting"))

    let size = CellSize(columns: 100, rows: 30)
    fixture.browser.stage.resize(to: size, at: 5)
    fixture.press(.left, at: 6)
    let opening = try #require(fixture.browser.openings.first)
    fixture.browser.flight?.transition.fractionComplete = 0.98

    let rows = fixture.rows(at: 6.1, of: size)
    let row = try #require(rows.firstIndex { $0.hasPrefix(" │ Presenting") })
    #expect(opening.stage != nil && rows[row - 1].hasPrefix(" ╭──") && rows[row + 2].hasPrefix(" ╰──"))
    fixture.browser.flight?.transition.finish()
    let page = fixture.rows(at: 8, of: size)
    #expect(page.firstIndex { $0.hasPrefix(" │ Presenting") } == row)
  }

  @Test func `resizing during the transition shows the same progress in the new size`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business")
    _ = fixture.screen(at: 0)
    fixture.press(.enter, at: 1)
    fixture.browser.flight?.transition.fractionComplete = 0.5
    _ = fixture.screen(at: 1)
    let size = CellSize(columns: 100, rows: 30)

    fixture.browser.stage.resize(to: size, at: 2)

    let picture = try RendererFixture(100, 30).text(
      of: "english-for-business", to: "english-for-business/meetings", at: 0.5)
    let rows = picture.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).map(String.init)
    #expect(fixture.rows(at: 2, of: size).dropLast(2).elementsEqual(rows))
  }

  @Test func `pages cross-fade if the card is not visible`() throws {
    let fixture = try BrowserFixture.inColour(60, 18, opening: "english-for-business")
    let before = fixture.screen(at: 0)
    let otherPlace = try fixture.browser.navigation.places.named("english-for-business/writing/tone").place.node
    var isVended = true
    fixture.browser.transitions.override = { [otherPlace] _, from, to in
      let opening = otherPlace.flatMap { OpenCardTransition(.down, of: $0, from: from, to: to) }
      isVended = opening != nil
      return opening ?? CrossFadeTransition()
    }
    fixture.press(.enter, at: 1)

    #expect(!isVended && fixture.browser.openings.isEmpty)
    let half = fixture.screen(at: 1.06)
    #expect(half[2].hasPrefix("   Meetings"))
    #expect(half[13..<16] == before[13..<16])
  }

  @Test func `in a small terminal, a row rises and becomes the header`() throws {
    let fixture = try RendererFixture(40, 12)

    #expect(
      try fixture.text(of: goals, to: lessons, at: 0.3) == """
         Courses
         English for Business      0 of 52 done
        ────────────────────────────────────────
          Negotiating                   0 of 14
        ────────────────────────────────────────
         ▌ Preparing                     0 of 4
           Opening offers                0 of 4
           Writing                      0 of 12
           Presenting                   0 of 13

         .  Begin with “Why are we here?”
         ↵ open  ← up  / find  ? help [1] 2 3 4
        """)
    #expect(
      try fixture.text(of: goals, to: lessons, at: 0.5) == """
         English for Business       goal 2 of 4


         Negotiating               0 of 14 done
        ────────────────────────────────────────
         ▌ Preparing                     0 of 4
           Opening offers                0 of 4
           Counter-offers                0 of 3
           Writing                      0 of 12
           Presenting                   0 of 13
         .  Begin with “Three columns on one…”
         ↵ open  ← up  / find  ? help [1] 2 3 4
        """)
    #expect(
      try fixture.text(of: lessons, to: goals, at: 0.2) == """
         English for Business       goal 2 of 4

         Negotiating               0 of 14 done
        ────────────────────────────────────────
         ▌ Preparing                     0 of 4
           Opening offers                0 of 4
           Counter-offers                0 of 3
           Closing the deal              0 of 3


         .  Begin with “Three columns on one…”
         ↵ open  ← up  / find  ? help [1] 2 3 4
        """)
  }

  @Test func `the frame around the selection disappears when a closing page moves`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating")
    let page = fixture.screen(at: 0)
    fixture.press(.left, at: 1)

    #expect(fixture.screen(at: 1)[2..<22] == page[2..<22])
    fixture.browser.flight?.transition.fractionComplete = 0.11
    #expect(!fixture.screen(at: 1)[6..<20].contains { $0.contains("╭") })
  }

  private let goals: PlaceName = "english-for-business"
  private let lessons: PlaceName = "english-for-business/negotiating"

  private func geometry(_ fraction: Double) -> OpeningGeometry {
    OpeningGeometry(
      card: CellRect(column: 1, row: 8, columns: 78, rows: 4),
      opened: CellRect(column: 0, row: 1, columns: 80, rows: 21), cardRule: 3, openedRule: 3, fraction: fraction)
  }

  private func frame(from place: PlaceName, to target: PlaceName, at fraction: Double) throws -> String {
    try RendererFixture().text(of: place, to: target, at: fraction)
  }
}
