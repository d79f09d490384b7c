import Testing
import TextCanvas

@testable import CourseBrowser

@Suite struct RowTests {
  private let lines = LineDrawing(theme: Theme(depth: .none, tone: .dark), symbols: .unicode)

  @Test(arguments: [
    ("Opening offers", "lesson 2 of 4", 30, "Opening offers   lesson 2 of 4"),
    ("Opening offers", "lesson 2 of 4", 24, "Opening…   lesson 2 of 4"),
    ("Opening offers", "lesson 2 of 4", 20, "Open…  lesson 2 of 4"),
    ("Opening offers", "lesson 2 of 4", 19, "Ope…  lesson 2 of 4"),
    ("Opening offers", "lesson 2 of 4", 18, "Opening o…  2 of 4"),
    ("Opening offers", "lesson 2 of 4", 12, "Ope…  2 of 4"),
    ("Opening offers", "lesson 2 of 4", 11, "Opening of…"),
    ("Opening offers", "not begun", 12, "Opening off…"),
    ("Go", "lesson 2 of 4", 17, "Go  lesson 2 of 4"), ("", "lesson 2 of 4", 15, "  lesson 2 of 4"),
    ("", "lesson 2 of 4", 12, "      2 of 4"), ("各种各样的文字", "12 %", 11, "各种…  12 %"),
  ])
  func `the left end of a row gives way, but not to nothing`(left: String, right: String, width: Int, row: String) {
    #expect(lines.row(StyledText(left), StyledText(right), width: width).textRows == [row])
  }
}
