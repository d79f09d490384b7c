import NavigationService
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// What there is to see where there is room for little: every row and every column of it is needed.
@MainActor @Suite struct SmallScreenTests {
  private static let goal: PlaceName = "english-for-business/negotiating"

  @Test func `in the smallest terminal titles are worth more than the numbers beside them`() throws {
    let fixture = try PictureFixture(20, 6)

    expect(
      try fixture.text(of: "/"),
      """
       Waymark        ada
       Courses   1 course
      ────────────────────
       ▌ English for Bus…

       ↵ open  ↑↓ choose
      """)
    expect(
      try fixture.text(of: "english-for-business"),
      """
       Courses     1 of 1
       English for Busin…
      ────────────────────
       ▌ Meetings
         Negotiating
       ↵ open  ← up
      """)
    expect(
      try fixture.text(of: Self.goal),
      """
       English f…  2 of 4
       Negotiating
      ────────────────────
       ▌ Preparing
         Opening offers
       ↵ open  ← up
      """)
    expect(
      try fixture.text(of: "english-for-business/negotiating/opening-offers"),
      """
       Negotiating
       Opening offers
      ────────────────────
       ▌ Read the brief
         Who speaks firs…
       ↵ open  ← up
      """)
  }

  @Test func `in the smallest terminal what is begun keeps its sign`() throws {
    expect(
      try PictureFixture(20, 6).text(of: Self.goal, pressing: "Enter x Left", after: 1),
      """
       English f…  2 of 4
       Negotiating
      ━───────────────────
       ▌ Preparing      ◐
         Opening offers
       ↵ open  ← up
      """)
  }

  @Test func `a page that closes to the smallest terminal has beside its title what stays there`() throws {
    expect(
      try PictureFixture(20, 6).text(of: "english-for-business/negotiating/preparing", to: Self.goal, at: 0.75),
      """
       English f…  2 of 4
       Negotiating
      ────────────────────
       ▌ Preparing
         Opening offers
       ↵ open  ← up
      """)
  }

  @Test func `the page of a text begins with a paragraph where the page before ended with one`() throws {
    let text: PlaceName = "english-for-business/negotiating/opening-offers/who-speaks-first"

    expect(
      try PictureFixture(40, 12).text(of: text, pressing: "Space", after: 1),
      """
       Opening offers         activity 2 of 4
       Who speaks first?                  4 %
      ━━──────────────────────────────────────
       The case for going first

       The first number on the table pulls
       every later number towards it. People
       know this, they are warned about it,
       and it works on them all the same. If
       you say 48 and Marta had 34 in her
       n  Next: Anchors and ranges     ↓ more
       Space page  ← up  x done  ? help
      """)
    expect(
      try PictureFixture(40, 12).text(of: text, pressing: "Space Space", after: 1),
      """
       Opening offers         activity 2 of 4
       Who speaks first?                  8 %
      ━━━─────────────────────────────────────
       and it works on them all the same. If
       you say 48 and Marta had 34 in her
       head, the conversation is now about
       the space between the two, and you
       chose one end of it.

       Go first when
       n  Next: Anchors and ranges     ↓ more
       Space page  ← up  x done  ? help
      """)
  }

  @Test func `the back of a card gives up its air for all of it to be read at once`() throws {
    let deck: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    expect(
      try PictureFixture(40, 12).text(of: deck, pressing: "Space", after: 1),
      """
       Opening offers         activity 3 of 4
       Anchors and ranges        card 1 of 12
      ────────────────────────────────────────
      ╭──────────────────────────────────────╮
      │              an anchor               │
      │ The first figure that is said aloud. │
      │ Later figures move around it, as a   │
      │ boat moves around the real thing:    │
      │ some freedom, not much.              │
      ╰──────────────────────────────────────╯
       Space  You knew it
       ↓ not yet  ↵ turn  ← up  ? help
      """)
  }

  @Test func `nothing is written on the edge of a card as it turns`() throws {
    let deck: PlaceName = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

    expect(
      try PictureFixture(34, 12).text(of: deck, pressing: "Space", after: 0.24),
      """
       Opening offers   activity 3 of 4
       Anchors and ranges  card 1 of 12
      ──────────────────────────────────
        ╭─────────────────────────────╮
        │         an anchor           │
        │                             │
        │   first figure that is said │
        │      Later figures move     │
        │      it, as a boat moves    │
        ╰─────────────────────────────╯
       ↑  You knew it
       Space more  ↓ not yet  ← up
      """)
  }

  @Test func `the names of commands leave room for what they do`() throws {
    expect(
      try PictureFixture(40, 12).text(of: Self.goal, pressing: ":", after: 1),
      """
       : ▎a path, or what to do
      ────────────────────────────────────────
       ▌ go on       the next step          .
         next        next, or next match    n
         previous    the one before         p
         back    where you were before  Alt-←
         forward     forward again      Alt-→
         find        in text, or anywhere   /
         previous match  the match before   N
         headings    of this text           #
       ↓ 44 more
       ↵ do it  Tab complete  Esc close
      """)
  }

  @Test func `a path that nothing continues says so, and what to do beside opening it`() throws {
    expect(
      try PictureFixture(40, 12).text(of: "/", pressing: "a / x y z q", after: 1),
      """
       Add /xyzq▎
      ────────────────────────────────────────
       Nothing there begins like that.








       ↵ look in  Tab complete  Esc close
      """)
  }

  @Test func `says why there are no cards in a small terminal`() throws {
    expect(
      try PictureFixture(40, 12).text(of: Self.goal, pressing: "v", after: 1),
      """
       English for Business       goal 2 of 4
       Negotiating               0 of 14 done
      ────────────────────────────────────────
       ▌ Preparing                     0 of 4
         Opening offers                0 of 4
         Counter-offers                0 of 3
         Closing the deal              0 of 3



       Cards need 60 columns and 18 rows.
       ↵ open  ← up  n p goal  / find  ? help
      """)
  }

  @Test func `in the smallest terminal whole sentences say that nothing was found`() throws {
    expect(
      try PictureFixture(20, 6).text(of: Self.goal, pressing: "/ x y l o p h", after: 1),
      """
       Negotiating
       xyloph▎
      ────────────────────
       No title and no
       text has it.
       Tab kind
      """)
    expect(
      try PictureFixture(20, 6).text(of: Self.goal, pressing: "3 f z z z Enter", after: 1),
      """
       Negotiating    ada
       Only places with…
      ────────────────────
       No such step.

       / search  f filter
      """)
  }
}
