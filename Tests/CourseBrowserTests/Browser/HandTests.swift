import CourseLibrary
import LearningModel
import NavigationService
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct HandTests {
  private static let goal: PlaceName = "english-for-business/negotiating"
  private static let activity: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"

  /// Drags from one column to others, each a tenth of a second after the last, with the button down from the first on.
  private func drag(_ fixture: BrowserFixture, row: Int = 10, _ columns: Int..., at time: Double = 1) {
    fixture.mouse(.press(.left), columns[0], row, at: time)
    for (index, column) in columns.dropFirst().enumerated() {
      fixture.mouse(.drag(.left), column, row, at: time + 0.1 * Double(index + 1))
    }
  }

  private func release(_ fixture: BrowserFixture, _ column: Int, row: Int = 10, at time: Double) {
    fixture.mouse(.release(.left), column, row, at: time)
  }

  @Test func `dragging from the left edge shows the way up at every fraction`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    drag(fixture, 0, 10, 20)
    // The system holds whoever stands still: the fraction is that of the hand.
    let quarter = fixture.text(at: 5)

    #expect(quarter == (try PictureFixture().text(of: Self.goal, to: "english-for-business", at: 0.25)))
    fixture.mouse(.drag(.left), 40, 10, at: 6)
    #expect(
      fixture.text(at: 6) == (try PictureFixture().text(of: Self.goal, to: "english-for-business", at: 0.5)))
  }

  @Test func `let go far enough, it finishes, and the log has one step, by mouse`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let before = try fixture.steps
    drag(fixture, 0, 20, 50)
    #expect(try fixture.steps == before)

    release(fixture, 50, at: 2)
    #expect(try fixture.steps == before + 1)
    let step = try fixture.lastStep
    #expect(step.operation == .pop && step.cause == .mouse && step.isAnimated)
    #expect(fixture.screen(at: 4)[2].hasPrefix("   English for Business"))
    #expect(fixture.browser.stack.screens.count == 2)
  }

  @Test func `let go too early, it springs back, and nothing is written`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let (screen, steps) = (fixture.screen(at: 0.5), try fixture.steps)
    drag(fixture, 0, 10, 20)
    release(fixture, 20, at: 2)

    #expect(fixture.screen(at: 2.02) != screen)
    #expect(fixture.screen(at: 4) == screen)
    #expect(try fixture.steps == steps)
    fixture.press(.down, at: 5)
    fixture.press(.enter, at: 6)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   Opening offers"))
  }

  @Test func `a quick hand needs no distance, and one that turns back takes it back`() throws {
    let quick = try BrowserFixture(opening: Self.goal)
    quick.mouse(.press(.left), 0, 10, at: 1)
    for column in 1...4 { quick.mouse(.drag(.left), column * 5, 10, at: 1 + 0.02 * Double(column)) }
    release(quick, 20, at: 1.08)
    #expect(quick.screen(at: 3)[2].hasPrefix("   English for Business"))

    let turning = try BrowserFixture(opening: Self.goal)
    drag(turning, 0, 40, 60)
    for column in 1...3 { turning.mouse(.drag(.left), 60 - column * 8, 10, at: 1.2 + 0.02 * Double(column)) }
    release(turning, 36, at: 1.27)
    #expect(turning.screen(at: 3)[2].hasPrefix("   Negotiating"))
  }

  @Test func `a key in between takes the page back and is done`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let steps = try fixture.steps
    drag(fixture, 0, 20, 50)
    fixture.press("n", at: 1.5)
    fixture.mouse(.drag(.left), 60, 10, at: 1.6)
    release(fixture, 60, at: 1.7)

    #expect(fixture.screen(at: 3)[2].hasPrefix("   Writing"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .next)
  }

  @Test func `a key while the page arrives goes to the page that arrives`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    drag(fixture, 0, 20, 50)
    release(fixture, 50, at: 1.3)
    _ = fixture.screen(at: 1.32)
    fixture.press(.down, at: 1.33)
    fixture.press(.enter, at: 1.34)

    #expect(fixture.screen(at: 3)[2].hasPrefix("   Writing"))
  }

  @Test func `when the step cannot be performed the page stays and says why`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    drag(fixture, 0, 20, 50)
    _ = try fixture.browser.library.remove(PlacePath("english-for-business"))
    release(fixture, 50, at: 2)

    #expect(
      fixture.text(at: 4) == """
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

           Counter-offers                                                      0 of 3
           Answering a number with a number, and with a reason.          about 18 min

           Closing the deal                                                    0 of 3
           Sum up, agree the next step, and stop talking.                about 17 min




           Could not open 'Negotiating': it is not in the course any more. The
           nearest place that is: '/' (Courses).
           ↵ open   ← up   n p goal   / find   ? help     [1 Learn] 2 Find  3 History
        """)
    #expect(fixture.browser.hand == nil)
  }

  @Test func `the wheel to the left does the same, and three tenths of a second of silence let go`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let steps = try fixture.steps
    for number in 0..<8 { fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 1 + 0.1 * Double(number)) }
    #expect(
      fixture.text(at: 1.9) == (try PictureFixture().text(of: Self.goal, to: "english-for-business", at: 0.48)))
    #expect(try fixture.steps == steps)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)

    fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 5)
    fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 5.1)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)
  }

  @Test func `an activity follows the hand sideways to its neighbour`() throws {
    let fixture = try BrowserFixture(opening: Self.activity)
    drag(fixture, 60, 50, 20)
    let half = fixture.text(at: 3)
    #expect(
      half == """
           Courses › … › Negotiating › Opening offers                 activity 3 of 4

                                                   Anchors and ranges
        vice is half right.             6 min      Twelve cards on how a first number ho
        ───────────────────────────────────────  ───────────────────────────────────────

        e first, and nine will say “Never        ╭──────────────────────────────────────
        ice that lets us avoid something         │
        e.                                       │
                                                 │
                                                 │                                 an an
                                                 │
        very later number towards it. People     │
        and it works on them all the same. If    │
        ad, the conversation is now about the    ╰──────────────────────────────────────
        one end of it.



        ll as they do,
         in one breath,

           Space  Turn the card over                          Say it first; then look
           Space turn   ← up   x done   i info   ? help   [1 Learn] 2 Find  3 History
        """)

    release(fixture, 20, at: 4)
    #expect(fixture.screen(at: 6)[2].hasPrefix("   Anchors and ranges"))
    #expect(try fixture.lastStep.operation == .next)

    drag(fixture, 10, 40, 70, at: 7)
    release(fixture, 70, at: 8)
    #expect(fixture.screen(at: 10)[2].hasPrefix("   Who speaks first?"))
  }

  @Test func `the last of a course gives way to a hand, the less the farther it pulls, and springs back`() throws {
    let last: PlaceName = "english-for-business/presenting/questions/question-time"
    let fixture = try BrowserFixture(opening: last)
    let (rest, steps) = (fixture.screen(at: 0.5), try fixture.steps)
    let page = try #require(fixture.browser.page)
    func column() -> Double { page.sheet.presentation.transform.translation.x }

    drag(fixture, row: 2, 60, 50, 20)
    let far = column()
    #expect(far < -10 && far > -40 * 0.55)
    fixture.mouse(.drag(.left), 0, 2, at: 2)
    #expect(column() < far && column() - far > far)
    #expect(fixture.screen(at: 2)[0] == rest[0])
    release(fixture, 0, row: 2, at: 2.5)
    _ = fixture.screen(at: 2.55)
    let springing = column()
    #expect(springing > far - 12 && springing < 0)

    // Caught on its way back it is held there.
    fixture.mouse(.press(.left), 60, 2, at: 2.55)
    fixture.mouse(.drag(.left), 57, 2, at: 2.56)
    #expect(abs(column() - springing) < 6)
    release(fixture, 57, row: 2, at: 4)
    #expect(fixture.screen(at: 5)[..<20] == rest[..<20])
    #expect(column() == 0)
    #expect(try fixture.steps == steps)
  }

  @Test func `a key while a page gives way is done, and the page slides on from where it is`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/presenting/questions/question-time")
    drag(fixture, row: 2, 60, 50, 20)
    let before = fixture.screen(at: 1.3)

    fixture.press("p", at: 1.3)

    #expect(fixture.screen(at: 1.3)[1..<20] == before[1..<20])
    release(fixture, 20, row: 2, at: 1.35)
    #expect(try fixture.lastStep.operation == .previous)
    #expect(!fixture.screen(at: 3)[2].hasPrefix(before[2].prefix(10)))
  }

  @Test func `a hand that turns round goes through the page where it began to the neighbour on the other side`() throws
  {
    let straight = try BrowserFixture(opening: Self.activity)
    drag(straight, 40, 30, 20)
    let fixture = try BrowserFixture(opening: Self.activity)
    let (rest, steps) = (fixture.screen(at: 0.5), try fixture.steps)
    drag(fixture, 40, 60, 41, 40, 20)

    #expect(fixture.text(at: 2) == straight.text(at: 2))
    fixture.mouse(.drag(.left), 40, 10, at: 3)
    #expect(fixture.screen(at: 3)[1..<22] == rest[1..<22])
    fixture.mouse(.drag(.left), 60, 10, at: 4)
    let back = try BrowserFixture(opening: Self.activity)
    drag(back, 40, 50, 60)
    #expect(fixture.text(at: 4) == back.text(at: 4))
    #expect(try fixture.steps == steps)

    fixture.mouse(.drag(.left), 0, 10, at: 5)
    release(fixture, 0, at: 6)
    #expect(fixture.screen(at: 8)[2].hasPrefix("   Anchors and ranges"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .next)
  }

  @Test func `a page that gives way is taken to its neighbour when the hand turns round`() throws {
    let last: PlaceName = "english-for-business/presenting/questions/question-time"
    let fixture = try BrowserFixture(opening: last)
    let page = try #require(fixture.browser.page)
    drag(fixture, row: 3, 40, 30, 20)
    #expect(page.sheet.presentation.transform.translation.x < -5)

    fixture.mouse(.drag(.left), 60, 3, at: 2)
    #expect(page.sheet.presentation.transform.translation.x == 20)
    #expect(fixture.browser.hand?.flight.transition.fractionComplete == 0.25)
    fixture.mouse(.drag(.left), 39, 3, at: 3)
    #expect(page.sheet.presentation.transform.translation.x < 0)
    release(fixture, 39, row: 3, at: 4)
    #expect(page.sheet.presentation.transform.translation.x < 0)
    _ = fixture.screen(at: 5)
    #expect(page.sheet.presentation.transform.translation.x == 0)
    #expect(fixture.browser.hand == nil && fixture.browser.flight == nil)
  }

  @Test func `who catches a page and drags it past its end has the one behind that in the hand`() throws {
    let fixture = try BrowserFixture(opening: Self.activity)
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.1)
    fixture.mouse(.press(.left), 79, 10, at: 1.1)
    for column in stride(from: 76, through: 4, by: -4) { fixture.mouse(.drag(.left), column, 10, at: 1.1) }
    #expect(fixture.browser.page?.title == "Anchors and ranges")
    #expect(fixture.browser.hand?.isPerformed == false)

    release(fixture, 4, at: 3)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   Make the first offer"))
    #expect(try fixture.browser.navigation.history(limit: 2).rows.map(\.operation) == [.next, .next])
  }

  @Test func `who catches a page and drags it past its beginning has undone it, and goes on to the one before`() throws
  {
    let fixture = try BrowserFixture(opening: Self.activity)
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.03)
    fixture.mouse(.press(.left), 4, 10, at: 1.03)
    for column in stride(from: 7, through: 79, by: 4) { fixture.mouse(.drag(.left), column, 10, at: 1.03) }
    #expect(try fixture.browser.navigation.history(limit: 2).rows.map(\.operation) == [.back, .next])

    release(fixture, 79, at: 3)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   Read the brief"))
    #expect(try fixture.lastStep.operation == .previous)
  }

  @Test func `a hand that first trembles to the left takes the page all the same, and asks once`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    drag(fixture, 1, 0, 20)
    #expect(fixture.browser.hand?.flight.transition.fractionComplete == 19.0 / 80)

    let top = try BrowserFixture()
    drag(top, 1, 0, 5)
    #expect(top.screen(at: 2)[22].hasPrefix("   This is the list of courses"))
    top.browser.screen.endNotice()
    top.mouse(.drag(.left), 30, 10, at: 3)
    #expect(!top.screen(at: 3)[22].hasPrefix("   This is the list of courses"))
  }

  @Test func `the first column of a drag is seen`() throws {
    for columns in [80, 200] {
      let fixture = try BrowserFixture(columns, 24, opening: Self.goal)
      let before = fixture.screen(at: 0.5)
      drag(fixture, 0, 1)

      #expect(fixture.screen(at: 1.1) != before)
    }
  }

  @Test func `where nothing is to be animated a hand changes nothing`() throws {
    let fixture = try BrowserFixture(opening: Self.goal, motion: .none)
    let (screen, steps) = (fixture.screen(at: 0), try fixture.steps)
    drag(fixture, 0, 20, 50)
    release(fixture, 50, at: 2)

    #expect(fixture.screen(at: 3) == screen)
    #expect(try fixture.steps == steps)
  }

  @Test func `at the list of courses there is nothing to take`() throws {
    let fixture = try BrowserFixture()
    drag(fixture, 0, 20, 50)
    release(fixture, 50, at: 2)

    #expect(fixture.screen(at: 3)[22].hasPrefix("   This is the list of courses: there is nothing above it."))
  }

  @Test func `a wheel's steps are smoothed: the page glides to where it is turned, and stops there`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    var seen: [Double] = []
    for frame in 0..<60 {
      let time = 1 + Double(frame) / 120
      if frame.isMultiple(of: 6), frame < 36 { fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: time) }
      _ = fixture.browser.stage.tick(at: time)
      seen.append(fixture.browser.hand?.flight.transition.fractionComplete ?? 0)
    }
    let steps = zip(seen, seen.dropFirst()).map { $1 - $0 }

    #expect(seen.last == 0.36)
    #expect(steps.allSatisfy { $0 >= 0 && $0 < 0.02 })
    // Between two turns it never stands still.
    #expect(steps[2..<34].allSatisfy { $0 > 0.0005 }, "\(steps)")
  }

  @Test func `what a wheel turns beyond an end need not be turned back`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    func fraction() -> Double { fixture.browser.hand?.flight.transition.fractionComplete ?? -1 }
    func turn(_ columns: Int, _ times: Int, at time: Double) {
      for number in 0..<times {
        fixture.mouse(.scroll(columns: columns, rows: 0), 40, 10, at: time + 0.001 * Double(number))
      }
      _ = fixture.browser.stage.tick(at: time + 0.25)
    }
    turn(-1, 40, at: 1)
    #expect(fraction() == 1)
    turn(1, 1, at: 1.25)
    #expect(abs(fraction() - 0.94) < 1e-9)
    turn(1, 40, at: 1.5)
    #expect(fraction() == 0)
    turn(-1, 2, at: 1.75)
    #expect(abs(fraction() - 0.12) < 1e-9)
  }

  @Test func `a hand that takes the page from a wheel keeps it, and a wheel takes nothing from a hand`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    for number in 0..<5 { fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 1 + 0.01 * Double(number)) }
    _ = fixture.screen(at: 1.25)
    drag(fixture, 0, 1, at: 1.2)
    fixture.mouse(.scroll(columns: -1, rows: 0), 40, 10, at: 1.4)

    _ = fixture.screen(at: 5)
    #expect(fixture.browser.hand?.isHeld == true)
    #expect(abs((fixture.browser.hand?.flight.transition.fractionComplete ?? 0) - 0.3) < 0.02)
    release(fixture, 1, at: 5)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   Negotiating"))
  }

  // MARK: - Steps that are on their way

  @Test func `a step up by key is caught on its way, stays where the hand holds it, and goes on from there`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let (start, steps) = (fixture.screen(at: 0), try fixture.steps)
    fixture.press(.left, at: 1)
    let caught = fixture.screen(at: 1.12)
    fixture.mouse(.press(.left), 0, 10, at: 1.12)
    fixture.mouse(.drag(.left), 1, 10, at: 1.12)

    // The hand has moved by one column, which is not yet a row of the card's way.
    #expect(fixture.screen(at: 1.12) == caught)
    #expect(fixture.screen(at: 9) == caught)
    #expect(fixture.browser.hand?.isPerformed == true)
    release(fixture, 1, at: 9)

    #expect(caught != start)
    #expect(fixture.screen(at: 11)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)
  }

  @Test func `thrown back, it is undone by one more step, which counts as no visit`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let before = fixture.screen(at: 0.5)
    let visits = try fixture.browser.navigation.recents(limit: 10).map(\.place.title)
    fixture.press(.left, at: 1)
    _ = fixture.screen(at: 1.03)
    // Caught at its beginning and let go there: it was not meant.
    fixture.mouse(.press(.left), 1, 10, at: 1.03)
    fixture.mouse(.drag(.left), 0, 10, at: 1.035)
    #expect(fixture.browser.hand?.isHeld == true)
    fixture.mouse(.release(.left), 0, 10, at: 1.3)

    #expect(fixture.screen(at: 3) == before)
    #expect(fixture.browser.page?.title == "Negotiating")
    let newest = try fixture.browser.navigation.history(limit: 2).rows
    #expect(newest.map(\.operation) == [.back, .pop])
    #expect(newest.map(\.to.title) == ["Negotiating", "English for Business"])
    #expect(newest.map(\.cause) == [.mouse, .key])
    #expect(try fixture.browser.navigation.currentPlace().title == "Negotiating")
    #expect(try fixture.browser.navigation.recents(limit: 10).map(\.place.title) == visits)
    // What comes next goes on from there.
    fixture.press(.enter, at: 4)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   Preparing"))
    #expect(try fixture.lastStep.operation == .push)
  }

  @Test func `a page that springs back is caught and taken along after all`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    let steps = try fixture.steps
    drag(fixture, 0, 20, 24)
    release(fixture, 24, at: 1.4)
    _ = fixture.screen(at: 1.45)
    fixture.mouse(.press(.left), 0, 10, at: 1.46)
    for column in 1...50 { fixture.mouse(.drag(.left), column, 10, at: 1.46 + 0.01 * Double(column)) }
    #expect(try fixture.steps == steps)
    release(fixture, 50, at: 3)

    #expect(fixture.screen(at: 5)[2].hasPrefix("   English for Business"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .pop)
  }

  @Test func `a neighbour that comes in is caught by the page, and pushed back`() throws {
    let fixture = try BrowserFixture(opening: Self.activity)
    fixture.press("n", at: 1)
    _ = fixture.screen(at: 1.03)
    fixture.mouse(.press(.left), 20, 10, at: 1.03)
    for column in [24, 30, 60] { fixture.mouse(.drag(.left), column, 10, at: 1.04) }
    release(fixture, 60, at: 2)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Who speaks first?"))
    #expect(try fixture.browser.navigation.history(limit: 2).rows.map(\.operation) == [.back, .next])
  }

  @Test func `the wheel catches a step too`() throws {
    let fixture = try BrowserFixture(opening: Self.goal)
    fixture.press(.left, at: 1)
    _ = fixture.screen(at: 1.03)
    for number in 0..<12 { fixture.mouse(.scroll(columns: 2, rows: 0), 40, 10, at: 1.03 + 0.01 * Double(number)) }
    _ = fixture.screen(at: 1.2)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Negotiating"))
    #expect(try fixture.browser.navigation.history(limit: 2).rows.map(\.operation) == [.back, .pop])
  }
}
