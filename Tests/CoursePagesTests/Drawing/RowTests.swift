import Testing
import TextCanvas

@testable import CoursePages

@Suite struct RowTests {
  private let lines = LineDrawing(theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode)

  @Test(arguments: [
    ("Opening offers", "lesson 2 of 4", 30, "Opening offers   lesson 2 of 4"),
    ("Opening offers", "lesson 2 of 4", 24, "Opening offers    2 of 4"),
    ("Opening offers", "lesson 2 of 4", 20, "Opening offers      "),
    ("Opening offers", "lesson 2 of 4", 19, "Opening offers     "),
    ("Opening offers", "lesson 2 of 4", 18, "Opening offers    "),
    ("Opening offers", "lesson 2 of 4", 12, "Opening off…"),
    ("Opening offers", "lesson 2 of 4", 11, "Opening of…"),
    ("Opening offers and ends", "lesson 2 of 4", 22, "Opening offer…  2 of 4"),
    ("Opening offers", "not begun", 12, "Opening off…"),
    ("Opening offers and what becomes of them", "lesson 2 of 4", 44, "Opening offers and what beco…  lesson 2 of 4"),
    (
      "Opening offers and what becomes of them", "about 30 minutes or a little more", 44,
      "Opening…   about 30 minutes or a little more"
    ),
    ("Go", "lesson 2 of 4", 17, "Go  lesson 2 of 4"), ("", "lesson 2 of 4", 15, "  lesson 2 of 4"),
    ("", "lesson 2 of 4", 12, "      2 of 4"), ("各种各样的文字", "12 %", 11, "各种各样的…"),
  ])
  func `the left text of a row is truncated but never removed`(
    leftText: String, rightText: String, width: Int, row: String
  ) {
    #expect(lines.row(StyledText(leftText), StyledText(rightText), width: width).textRows == [row])
  }

  @Test(arguments: [
    (31, "Opening offers  ✓ 2 of 14 words"), (30, "Opening offers       ✓ 2 of 14"),
    (22, "Opening offers        "), (16, "Opening offers  "), (13, "Opening offe…"),
  ])
  func `the right text of a row is shortened before the left text is truncated`(
    width: Int, row: String
  ) {
    #expect(
      lines.row("Opening offers", "✓ 2 of 14 words", fewer: "✓ 2 of 14", width: width).textRows == [row])
  }

  @Test func `the indentation of a row does not count as part of its text`() {
    #expect(lines.row("▌ Preparing", "0 of 13", width: 18).textRows == ["▌ Preparing       "])
    #expect(lines.row("▌ Preparing", "0 of 13", indent: 2, width: 18).textRows == ["▌ Preparing       "])
  }

  @Test(arguments: [
    ("2 of 14 done", "2 of 14"), ("goal 2 of 4", "2 of 4"), ("3 of 12 cards", "3 of 12"), ("card 10 of 12", "10 of 12"),
    ("62 % read", "62 %"), ("62 % read, 2 min left", "62 %"), ("✓ done", "✓"), ("done", ""), ("begun", ""),
    ("not begun", ""), ("5 questions", "5 questions"), ("6 min", "6 min"), ("", ""), ("a", "a"),
    ("2 of the best", "2 of the best"), ("% of", "% of"),
  ])
  func `a progress text is shortened to its number or symbol`(text: String, fewer: String) {
    #expect(DisplayFormat.shortened(text) == fewer)
  }
}
