import NavigationKit
import Testing
import TextCanvas

/// Intermediate frames of animations within a page and of overlays.
@MainActor @Suite struct KeyedMotionTests {
  private static let goal: PlaceName = "english-for-business/negotiating"
  private static let cards: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"
  private static let quiz: PlaceName = "english-for-business/negotiating/opening-offers/make-the-first-offer"

  @Test func `the next card is already below a card that leaves`() throws {
    let fixture = try RendererFixture(60, 18)

    let frame = try fixture.text(of: Self.cards, pressing: "Space Space", after: 0.1)
    #expect(
      frame == """
           Courses › … › Opening offers           activity 3 of 4

           Anchors and ranges                        card 2 of 12
           Twelve cards on how a first number holds,…  7 min left
         ━━━━━─────────────────────────────────────────────────────
         │                       an anchor                        │
         │                                                        │
         │   The first figure that is said aloud. Later figures   │
         │ move around it, as a boat moves around the real thing: │
         │                some freedom, not much.                 │
         │                                                        │
         ╰────────────────────────────────────────────────────────╯
         │                                                        │
         │                                                        │
         ╰────────────────────────────────────────────────────────╯

           Space  Turn the card          Answer first, then check
           ← up  ? help    [1 Learn] 2 Find 3 History 4 Review 16
        """)
  }

  @Test func `outside the band of colour, the text of a right answer is plain`() throws {
    let fixture = try BrowserFixture.inColour(opening: Self.quiz)
    fixture.press("1", at: 1)
    fixture.press(.enter, at: 2)

    let styles = [0, 0.1, 0.3].map { fixture.style(of: "Name a figure", at: 2 + $0) }

    #expect(styles.map { $0?.attributes } == [[], .bold, []])
    #expect(fixture.style(of: "Correct answer", at: 3)?.attributes == .bold)
  }

  @Test func `in a small terminal, an overlay grows in its full width`() throws {
    let frame = try RendererFixture(40, 12).text(of: Self.goal, pressing: ":", after: 0.05)
    #expect(
      frame == """
         English for Business       goal 2 of 4
         Negotiating               0 of 14 done
        ────────────────────────────────────────
         ▌ Preparing                     0 of 4
           Opening offers                0 of 4
           Counter-offers                0 of 3
         : ▎a command or a path
        ────────────────────────────────────────
         ▌ next        go to the next place   n
           previous    go to previous place   p
           find        find text              /
         ↵ open  ← up  / find  ? help [1] 2 3 4
        """)
    #expect(
      try RendererFixture(40, 12).text(of: Self.goal, pressing: "Down i", after: 0.02) == """
         English for Business       goal 2 of 4
         Negotiating               0 of 14 done
        ────────────────────────────────────────
         Opening offers                  lesson
        ────────────────────────────────────────
           Counter-offers                0 of 3
           Closing the deal              0 of 3



         .  Begin with “Three columns on one…”
         ↵ open  ← up  / find  ? help [1] 2 3 4
        """)
  }

  @Test func `opening the details of a scrolled text keeps its title in place`() throws {
    let fixture = try BrowserFixture.inColour(
      opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    fixture.press(" ", at: 1)
    fixture.press("i", at: 3)

    let rows = [0, 0.05, 0.1, 1].map { fixture.screen(at: 3 + $0)[1].prefix(24) }

    // The header has no frame, so one fades in.
    #expect(rows == ["   Who speaks first?    "] + Array(repeating: " │ Who speaks first?    ", count: 3))
  }

  @Test func `a text that starts scrolling fills the header's rows without overlapping the header`()
    throws
  {
    let fixture = try BrowserFixture.inColour(
      opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    let initial = fixture.screen(at: 1)
    fixture.press(.down, at: 2)
    func place(of text: String, at time: Double) -> Int {
      fixture.screen(at: time).firstIndex { $0.contains(text) } ?? -1
    }
    var rowsByFrame: [[Int]] = []
    for frame in 0...16 {
      let time = 2 + Double(frame) / 120
      rowsByFrame.append(
        [place(of: "Who speaks first?", at: time), place(of: "────", at: time), place(of: "you!” It sounds", at: time)])
    }

    #expect(
      initial[2].contains("Who speaks first?") && initial[4].contains("────") && initial[7].contains("you!” It sounds"))
    #expect(rowsByFrame.first == [2, 4, 7])
    #expect(rowsByFrame.last == [1, 2, 3])
    for (before, after) in zip(rowsByFrame, rowsByFrame.dropFirst()) {
      #expect(zip(before, after).allSatisfy { $0 >= $1 && $0 - $1 <= 1 }, "\(rowsByFrame)")
      #expect(after[0] < after[1] && after[1] < after[2])
    }
    // A key during the animation continues from the current position.
    fixture.press(.up, at: 3)
    fixture.press(.down, at: 4)
    let interrupted = place(of: "frightening.", at: 4.03)
    fixture.press(.down, at: 4.03)
    #expect(abs(place(of: "frightening.", at: 4.03) - interrupted) <= 1)
    #expect(place(of: "frightening.", at: 5) == 3)
  }
}
