import LearningModel
import NavigationService
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Screens in the narrowest terminal that has room for frames.
@MainActor @Suite struct NarrowScreenTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  @Test func `the trail ends with the place right above, whatever is left out before that`() throws {
    let fixture = try BrowserFixture(60, 24, opening: .text(Self.offers))

    #expect(
      fixture.text(at: 1) == """
           Courses › … › Negotiating                lesson 2 of 4

           Opening offers                             0 of 4 done
           Who speaks first, how high, and how to…   about 25 min
         ──────────────────────────────────────────────────────────

         ╭────────────────────────────────────────────────────────╮
         │ · Read the brief               reading           5 min │
         │   Eleven hotels, thirty lifts, one bride. This is the… │
         ╰────────────────────────────────────────────────────────╯
           · Who speaks first?            reading           6 min
           · Anchors and ranges           flashcards     12 cards
           · Make the first offer         quiz        5 questions









           .  Begin with “Read the brief”          reading, 5 min
           ↵ open   ← up   x done     [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `of a step in the history is said what became of it, else how long it was`() throws {
    let fixture = try BrowserFixture(60, 24, opening: .text(Self.offers + "/read-the-brief"))
    fixture.press("x", at: 1)
    fixture.press(.left, at: 61)
    fixture.press("3", at: 62)
    fixture.press(.up, at: 63)

    #expect(
      fixture.text(at: 64) == """
           Courses › … › Negotiating › Opening offers         ada

           History
           M   T   W   T   F   S   S           1 sitting, 2 steps
         ──────────────────────────────────────────────────────────

           Friday 20 November                             2 steps

         ╭────────────────────────────────────────────────────────╮
         │ 10:00            ●     Read the brief           ✓ done │
         │                        You opened it by a command      │
         ╰────────────────────────────────────────────────────────╯
           10:00         ●──╯     Opening offers     you are here









           r  Replay this sitting              2 steps, 3 seconds
           ↵ go there   / search       1 Learn  2 Find [3 History]
        """)
  }

  @Test func `Find says where it looks, and how to look elsewhere`() throws {
    let fixture = try BrowserFixture(60, 24, opening: .text(Self.offers))
    fixture.press("/", at: 1)
    fixture.type("anchors", at: 2)

    #expect(
      fixture.text(at: 3) == """
           Courses › … › Negotiating › Opening offers

           anchors▎                                      2 places
           in everything          Tab: goals, lessons, activities
         ──────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────╮
         │ Anchors and ranges                          flashcards │
         │ English for Business › … › Opening offers    not begun │
         │ …The best anchors are benchmarks that happen to suit…  │
         ╰────────────────────────────────────────────────────────╯
           Who speaks first?                              reading
           English for Business › … › Opening offers    not begun










           Esc  Back to Opening offers     Shift-Tab: this course
           ↵ open   ↑↓ choose   Tab kind     Learn [Find] History
        """)
  }

  @Test(arguments: [
    (50, "Courses › English for Business › Negotiating"), (44, "Courses › English for Business › Negotiating"),
    (43, "Courses › … › Negotiating"), (25, "Courses › … › Negotiating"), (24, "… › Negotiating"),
    (15, "… › Negotiating"), (14, "… › Negotiati…"),
  ])
  func `what a trail leaves out`(columns: Int, words: String) {
    let size = CellSize(columns: max(60, columns + 6 + 15), rows: 24)
    let position = String(repeating: "x", count: PageMetrics(size: size).textWidth - columns - 2)
    let drawing = PageDrawing(
      theme: Theme(depth: .none, tone: .dark), symbols: .unicode, metrics: PageMetrics(size: size))
    let trail = PageModel.Trail(crumbs: ["Courses", "English for Business", "Negotiating"], position: position)

    #expect(
      drawing.trail(trail).textRows == [words + String(repeating: " ", count: columns + 2 - words.count) + position])
  }
}
