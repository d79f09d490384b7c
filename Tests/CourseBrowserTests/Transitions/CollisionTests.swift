import NavigationKit
import Snapshots
import Testing
import TextCanvas

/// Two transitions of different kinds at once: one continues inside of the other, and neither fades out.
@MainActor @Suite struct CollisionTests {
  private static let course: PlaceName = "english-for-business"
  private static let goal: PlaceName = "english-for-business/meetings"
  private static let lesson: PlaceName = "english-for-business/meetings/opening"

  /// Returns the screen some time after the second of two keys. The first is pressed at one second.
  private func screen(
    _ place: PlaceName, _ first: Key, _ second: Key, after pause: Double, at delay: Double
  ) throws -> String {
    let fixture = try BrowserFixture.inColour(opening: place)
    fixture.slidesFullWidth()
    _ = fixture.screen(at: 0.5)
    fixture.press(first, at: 1)
    _ = fixture.screen(at: 1 + pause - 0.001)
    fixture.press(second, at: 1 + pause)
    return fixture.text(at: 1 + pause + delay)
  }

  @Test func `a card can open on a page that is still opening`() throws {
    let frame = try screen(Self.course, .enter, .enter, after: 0.06, at: 0.04)

    expectSnapshot(frame)
  }

  @Test func `a closing page continues to close while its parent closes`() throws {
    let frame = try screen(Self.lesson, .left, .left, after: 0.08, at: 0.05)

    expectSnapshot(frame)
  }

  @Test func `an opening page continues to open while it slides away`() throws {
    let frame = try screen(Self.course, .enter, .character("n"), after: 0.06, at: 0.06)

    #expect(
      frame == """
           Courses › English for Business                                 goal 2 of 4

        ───────────────────────────╮   Negotiating
                     0 of 13 done  │   Prepare, make the first offer, trade, and close.
         on time.    about 1 h 15  │ ───────────────────────────────────────────────────
        ───────────────────────────│ ╭──────────────────────────────────────────────────
                                   │ │ Preparing
                   0 of 4  25 min  │ │ What you want, what they want, and where you stop
         go.                       │ ╰──────────────────────────────────────────────────
                                   │   Opening offers
                   0 of 4  25 min  │   Who speaks first, how high, and how to say it.
        riends.                    │
                                   │   Counter-offers
                   0 of 3  15 min  │   Answering a number with a number, and with a reas
        .                          │
                                   │   Closing the deal
                   0 of 2  10 min  │   Sum up, agree the next step, and stop talking.
                                   │
                                   │
        ───────────────────────────╯


           .  Begin with “Three columns on one page”                   reading, 5 min
           ↵ open  ← up  n p goal  ? help         [1 Learn] 2 Find 3 History 4 Review
        """)
  }

  @Test func `a card can open on a page that is still sliding in`() throws {
    let frame = try screen(Self.goal, .character("n"), .enter, after: 0.08, at: 0.05)

    expectSnapshot(frame)
  }
}
