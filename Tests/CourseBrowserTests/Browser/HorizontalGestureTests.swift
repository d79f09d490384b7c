import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Horizontal drags between activities. The first and the last activity of a course can be pulled.
@MainActor @Suite struct HorizontalGestureTests {
  @Test func `an activity follows a horizontal drag to its neighbour`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.activity)
    fixture.drag(60, 50, 20)
    let half = fixture.text(at: 3)
    #expect(
      half == """
           Courses › … › Negotiating › Opening offers                 activity 3 of 4

                                                   Anchors and ranges
        vice is half right.             6 min      Twelve cards on how a first number ho
        ───────────────────────────────────────  ───────────────────────────────────────

        e first, and nine will say “Never               ╭───────────────────────────────
        ice that lets us avoid something                │
        e.                                              │                          an an
                                                        │
                                                        │
                                                        │
        very later number towards it. People            │
        and it works on them all the same. If           │
        ad, the conversation is now about the           ╰───────────────────────────────
        one end of it.



        ll as they do,
         in one breath,

           Space  Turn the card                              Answer first, then check
           ← up  x done  i info  ? help           [1 Learn] 2 Find 3 History 4 Review
        """)

    fixture.release(20, at: 4)
    #expect(fixture.screen(at: 6)[2].hasPrefix("   Anchors and ranges"))
    #expect(try fixture.lastStep.operation == .next)

    fixture.drag(10, 40, 70, at: 7)
    fixture.release(70, at: 8)
    #expect(fixture.screen(at: 10)[2].hasPrefix("   Who speaks first?"))
  }

  @Test(arguments: [40, 80, 120, 200], [-1, 1])
  func `a flick changes the page, but a slow drag does so only beyond the threshold`(
    columns: Int, side: Int
  ) throws {
    let rows = columns < 60 ? 12 : 40
    func place(after drag: (BrowserFixture, Int) -> Void) throws -> String {
      let fixture = try BrowserFixture(columns, rows, opening: GesturePlaces.activity)
      drag(fixture, columns / 2)
      _ = fixture.screen(at: 5)
      return try fixture.lastStep.to.title
    }
    let neighbour = side < 0 ? "Anchors and ranges" : "Read the brief"

    // Fifteen columns in a tenth of a second, with one event every ten milliseconds.
    let title = try place { fixture, start in
      fixture.mouse(.press(.left), start, 5, at: 1)
      for step in 1...10 {
        fixture.mouse(.drag(.left), start + side * (3 * step / 2), 5, at: 1 + 0.01 * Double(step))
      }
      fixture.mouse(.release(.left), start + side * 15, 5, at: 1.11)
    }
    #expect(title == neighbour)

    for (fraction, isFar) in [(0.25, false), (0.3, false), (0.45, true)] {
      let title = try place { fixture, start in
        let distance = side * Int((fraction * Double(columns)).rounded())
        fixture.mouse(.press(.left), start, 5, at: 1)
        for step in 1...20 { fixture.mouse(.drag(.left), start + distance * step / 20, 5, at: 1 + 0.03 * Double(step)) }
        fixture.mouse(.release(.left), start + distance, 5, at: 2)
      }
      #expect(title == (isFar ? neighbour : "Who speaks first?"), "\(fraction)")
    }
  }

  @Test func `pulling the last activity meets increasing resistance, and the page springs back`() throws {
    let last: PlaceName = "english-for-business/presenting/questions/question-time"
    let fixture = try BrowserFixture(opening: last)
    let (before, steps) = (fixture.screen(at: 0.5), try fixture.steps)
    let page = try #require(fixture.browser.page)
    func column() -> Double { page.sheet.presentation.transform.translation.x }

    fixture.drag(row: 2, 60, 50, 20)
    let pulled = column()
    #expect(pulled < -10 && pulled > -40 * 0.55)
    fixture.mouse(.drag(.left), 0, 2, at: 2)
    #expect(column() < pulled && column() - pulled > pulled)
    #expect(fixture.screen(at: 2)[0] == before[0])
    fixture.release(0, row: 2, at: 2.5)
    _ = fixture.screen(at: 2.55)
    let springingBack = column()
    #expect(springingBack > pulled - 12 && springingBack < 0)

    // A press while the page moves back holds it in place.
    fixture.mouse(.press(.left), 60, 2, at: 2.55)
    fixture.mouse(.drag(.left), 57, 2, at: 2.56)
    #expect(abs(column() - springingBack) < 6)
    fixture.release(57, row: 2, at: 4)
    #expect(fixture.screen(at: 5)[..<20] == before[..<20])
    #expect(column() == 0)
    #expect(try fixture.steps == steps)
  }

  @Test func `a key during a pull slides the page from its current offset`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/presenting/questions/question-time")
    fixture.drag(row: 2, 60, 50, 20)
    let before = fixture.screen(at: 1.3)

    fixture.press("p", at: 1.3)

    #expect(fixture.screen(at: 1.3)[1..<20] == before[1..<20])
    fixture.release(20, row: 2, at: 1.35)
    #expect(try fixture.lastStep.operation == .previous)
    #expect(!fixture.screen(at: 3)[2].hasPrefix(before[2].prefix(10)))
  }

  @Test func `a drag that reverses its direction continues to the neighbour on the other side`() throws {
    let direct = try BrowserFixture(opening: GesturePlaces.activity)
    direct.drag(40, 30, 20)
    let fixture = try BrowserFixture(opening: GesturePlaces.activity)
    let (before, steps) = (fixture.screen(at: 0.5), try fixture.steps)
    fixture.drag(40, 60, 41, 40, 20)

    #expect(fixture.text(at: 2) == direct.text(at: 2))
    fixture.mouse(.drag(.left), 40, 10, at: 3)
    #expect(fixture.screen(at: 3)[1..<22] == before[1..<22])
    fixture.mouse(.drag(.left), 60, 10, at: 4)
    let back = try BrowserFixture(opening: GesturePlaces.activity)
    back.drag(40, 50, 60)
    #expect(fixture.text(at: 4) == back.text(at: 4))
    #expect(try fixture.steps == steps)

    fixture.mouse(.drag(.left), 0, 10, at: 5)
    fixture.release(0, at: 6)
    #expect(fixture.screen(at: 8)[2].hasPrefix("   Anchors and ranges"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .next)
  }

  @Test func `reversing the drag of a pulled page starts a slide to the previous activity`() throws {
    let last: PlaceName = "english-for-business/presenting/questions/question-time"
    let fixture = try BrowserFixture(opening: last)
    let page = try #require(fixture.browser.page)
    fixture.drag(row: 3, 40, 30, 20)
    #expect(page.sheet.presentation.transform.translation.x < -5)

    fixture.mouse(.drag(.left), 60, 3, at: 2)
    #expect(page.sheet.presentation.transform.translation.x == 20)
    #expect(fixture.browser.hand?.runningStep.transition.fractionComplete == 0.25)
    fixture.mouse(.drag(.left), 39, 3, at: 3)
    #expect(page.sheet.presentation.transform.translation.x < 0)
    fixture.release(39, row: 3, at: 4)
    #expect(page.sheet.presentation.transform.translation.x < 0)
    _ = fixture.screen(at: 5)
    #expect(page.sheet.presentation.transform.translation.x == 0)
    #expect(fixture.browser.hand == nil && fixture.browser.flight == nil)
  }

  @Test func `a drag beyond the end of a taken-over slide continues to the next neighbour`() throws {
    let fixture = try BrowserFixture.inColour(opening: GesturePlaces.activity)
    fixture.slidesFullWidth()
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.1)
    fixture.mouse(.press(.left), 79, 10, at: 1.1)
    for column in stride(from: 76, through: 4, by: -4) { fixture.mouse(.drag(.left), column, 10, at: 1.1) }
    #expect(fixture.browser.page?.title == "Anchors and ranges")
    #expect(fixture.browser.hand?.isPerformed == false)

    fixture.release(4, at: 3)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   Make the first offer"))
    #expect(try fixture.browser.navigation.history.page(limit: 2).rows.map(\.operation) == [.next, .next])
  }

  @Test func `a drag beyond the start of a taken-over slide undoes its step and continues`() throws {
    let fixture = try BrowserFixture.inColour(opening: GesturePlaces.activity)
    fixture.slidesFullWidth()
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.03)
    fixture.mouse(.press(.left), 4, 10, at: 1.03)
    for column in stride(from: 7, through: 79, by: 4) { fixture.mouse(.drag(.left), column, 10, at: 1.03) }
    #expect(try fixture.browser.navigation.history.page(limit: 2).rows.map(\.operation) == [.back, .next])

    fixture.release(79, at: 3)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   Read the brief"))
    #expect(try fixture.lastStep.operation == .previous)
  }
}
