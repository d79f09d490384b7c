import CourseKit
import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Drags from the left edge. The pop follows the drag, and is completed or cancelled when the button is released.
@MainActor @Suite struct EdgeGestureTests {
  @Test func `the progress of a pop follows a drag from the left edge`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    fixture.drag(0, 10, 20)
    // The progress follows the drag and does not change with time.
    let quarter = fixture.text(at: 5)

    #expect(quarter == (try RendererFixture().text(of: GesturePlaces.goal, to: "english-for-business", at: 0.25)))
    fixture.mouse(.drag(.left), 40, 10, at: 6)
    #expect(
      fixture.text(at: 6) == (try RendererFixture().text(of: GesturePlaces.goal, to: "english-for-business", at: 0.5)))
  }

  @Test func `releasing a drag far enough completes the pop and records one step`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let before = try fixture.steps
    fixture.drag(0, 20, 50)
    #expect(try fixture.steps == before)

    fixture.release(50, at: 2)
    #expect(try fixture.steps == before + 1)
    let step = try fixture.lastStep
    #expect(step.operation == .pop && step.cause == .mouse && step.isAnimated)
    #expect(fixture.screen(at: 4)[2].hasPrefix("   English for Business"))
    #expect(fixture.browser.stack.screens.count == 2)
  }

  @Test func `releasing a drag too early cancels the pop without recording it`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let (screen, steps) = (fixture.screen(at: 0.5), try fixture.steps)
    fixture.drag(0, 10, 20)
    fixture.release(20, at: 2)

    #expect(fixture.screen(at: 2.02) != screen)
    #expect(fixture.screen(at: 4) == screen)
    #expect(try fixture.steps == steps)
    fixture.press(.down, at: 5)
    fixture.press(.enter, at: 6)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   Opening offers"))
  }

  @Test func `a short fast drag completes the pop, a reversed one cancels it`() throws {
    let fast = try BrowserFixture(opening: GesturePlaces.goal)
    fast.mouse(.press(.left), 0, 10, at: 1)
    for column in 1...4 { fast.mouse(.drag(.left), column * 5, 10, at: 1 + 0.02 * Double(column)) }
    fast.release(20, at: 1.08)
    #expect(fast.screen(at: 3)[2].hasPrefix("   English for Business"))

    let reversed = try BrowserFixture(opening: GesturePlaces.goal)
    reversed.drag(0, 40, 60)
    for column in 1...3 { reversed.mouse(.drag(.left), 60 - column * 8, 10, at: 1.2 + 0.02 * Double(column)) }
    reversed.release(36, at: 1.27)
    #expect(reversed.screen(at: 3)[2].hasPrefix("   Negotiating"))
  }

  @Test func `a key during a drag cancels the pop and takes effect`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    let steps = try fixture.steps
    fixture.drag(0, 20, 50)
    fixture.press("n", at: 1.5)
    fixture.mouse(.drag(.left), 60, 10, at: 1.6)
    fixture.release(60, at: 1.7)

    #expect(fixture.screen(at: 3)[2].hasPrefix("   Writing"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .next)
  }

  @Test func `a key pressed while a page arrives applies to that page`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    fixture.drag(0, 20, 50)
    fixture.release(50, at: 1.3)
    _ = fixture.screen(at: 1.32)
    fixture.press(.down, at: 1.33)
    fixture.press(.enter, at: 1.34)

    #expect(fixture.screen(at: 3)[2].hasPrefix("   Writing"))
  }

  @Test func `if the step fails, the page returns and shows the reason`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    fixture.drag(0, 20, 50)
    _ = try fixture.browser.library.remove(PlacePath("english-for-business"))
    fixture.release(50, at: 2)

    #expect(
      fixture.text(at: 4) == """
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



           Could not open 'Negotiating': it is no longer in the course. The nearest
           remaining place is '/' (Courses).
           .  Begin with “Three columns on one page”                   reading, 5 min
           ↵ open  ← up  n p goal  ? help         [1 Learn] 2 Find 3 History 4 Review
        """)
    #expect(fixture.browser.hand == nil)
  }

  @Test func `a drag that first moves left begins the pop only once`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal)
    fixture.drag(1, 0, 20)
    #expect(fixture.browser.hand?.runningStep.transition.fractionComplete == 19.0 / 80)

    let top = try BrowserFixture()
    top.drag(row: 7, 1, 0, 5)
    #expect(top.screen(at: 2)[21].hasPrefix("   This is the list of courses"))
    top.browser.screen.endNotice()
    top.mouse(.drag(.left), 30, 10, at: 3)
    #expect(!top.screen(at: 3)[22].hasPrefix("   This is the list of courses"))
  }

  @Test func `the first column of a drag already moves the page`() throws {
    for columns in [80, 200] {
      let fixture = try BrowserFixture(columns, 24, opening: GesturePlaces.goal)
      let before = fixture.screen(at: 0.5)
      fixture.drag(0, 1)

      #expect(fixture.screen(at: 1.1) != before)
    }
  }

  @Test func `without motion, a drag has no effect`() throws {
    let fixture = try BrowserFixture(opening: GesturePlaces.goal, motion: .none)
    let (screen, steps) = (fixture.screen(at: 0), try fixture.steps)
    fixture.drag(0, 20, 50)
    fixture.release(50, at: 2)

    #expect(fixture.screen(at: 3) == screen)
    #expect(try fixture.steps == steps)
  }

  @Test func `a drag on the list of courses has no effect because it has no parent`() throws {
    let fixture = try BrowserFixture()
    fixture.drag(row: 16, 0, 20, 50)
    fixture.release(50, row: 16, at: 2)

    #expect(fixture.screen(at: 3)[21].hasPrefix("   This is the list of courses: there is nothing above it."))
  }
}
