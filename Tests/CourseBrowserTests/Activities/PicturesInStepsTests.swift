import Foundation
import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// Images on flashcards and in quizzes.
@MainActor @Suite struct PicturesInStepsTests {
  private let course: ImageCourseFixture
  private var fixture: BrowserFixture { course.fixture }

  init() throws {
    course = try ImageCourseFixture([
      "1-cards.md": """
      ---
      title: Cards
      type: flashcards
      ---

      ## What is ![A red square](red.png)

      Red.

      ## What is blue?

      ![A blue square](blue.png)
      """,
      "2-quiz.md": """
      ---
      title: Quiz
      type: quiz
      ---

      ## Which colour is this?

      ![A red square](red.png)

      - [x] Red
      - [ ] ![A blue square](blue.png)

      > ![A blue square](blue.png)
      """,
    ])
  }

  @Test func `a card shows its image centred and in the largest size that fits`() throws {
    try course.open("c/g/l/cards", at: 0)

    #expect(fixture.text(at: 0).contains("A red square"))
    #expect(course.inked(at: 0) == 0)

    course.decode()
    let cells = course.inkedCells(at: 1)
    let columns = (cells.map(\.column).min() ?? 0)...(cells.map(\.column).max() ?? 0)
    #expect(cells.count == 16 * 8)
    #expect(columns == 32...47)
    let inView = fixture.browser.picturesInView
    #expect(inView.map(\.cells) == [CellRect(column: 32, row: cells[0].row, columns: 16, rows: 8)])
  }

  @Test func `a moving card shows borders instead of images, and a card at rest shows the images`() throws {
    try course.open("c/g/l/cards", at: 0)
    course.decode()
    #expect(course.inked(at: 1) > 0)

    fixture.press(" ", at: 2)
    for moment in [2.0, 2.1, 2.2, 2.3] { #expect(course.inked(at: moment) == 0, "at \(moment)") }
    #expect(fixture.browser.picturesInView == [])
    #expect(fixture.text(at: 3).contains("Red."))
    fixture.press(" ", at: 4)
    for moment in [4.0, 4.1, 4.2] { #expect(course.inked(at: moment) == 0, "at \(moment)") }

    fixture.press(" ", at: 5)
    _ = fixture.text(at: 5.1)
    course.decode()
    #expect(course.inked(at: 5.2) == 0)
    #expect(course.inked(at: 6) == 16 * 8)
    #expect(fixture.browser.picturesInView.count == 1)

    fixture.press(.enter, at: 7)
    #expect(course.inked(at: 7.1) == 0)
    fixture.press(.enter, at: 8)
    #expect(course.inked(at: 9) == 16 * 8)
  }

  @Test func `a card in a review shows its images at rest, and borders while it moves`() throws {
    try fixture.browser.context.navigation.cards.include(from: "c/g/l/cards")
    fixture.press("4", at: 0)
    fixture.press(" ", at: 1)
    #expect(fixture.text(at: 2).contains("A red square"))
    #expect(course.inked(at: 2) == 0)
    course.decode()
    let cells = course.inkedCells(at: 3)
    let columns = (cells.map(\.column).min() ?? 0)...(cells.map(\.column).max() ?? 0)
    // The answers below the card leave fewer rows to the image than on a card of a deck.
    #expect(columns == 34...45)
    #expect(fixture.browser.picturesInView.map(\.cells.size) == [CellSize(columns: 12, rows: 6)])
    #expect(cells.count == 12 * 6)

    fixture.press(" ", at: 4)
    for moment in [4.0, 4.1, 4.2] { #expect(course.inked(at: moment) == 0, "at \(moment)") }
    fixture.press(" ", at: 5)
    for moment in [5.0, 5.1] { #expect(course.inked(at: moment) == 0, "at \(moment)") }
    fixture.press(" ", at: 6)
    _ = fixture.text(at: 6.1)
    course.decode()
    #expect(course.inked(at: 7) > 16)
    #expect(fixture.browser.picturesInView.count == 1)

    fixture.press("?", at: 8)
    #expect(course.inked(at: 9) == 0)
    #expect(fixture.browser.picturesInView == [])
    fixture.press(.escape, at: 10)
    #expect(course.inked(at: 11) > 16)
    fixture.press(.escape, at: 12)
    #expect(course.inked(at: 13) == 0)
  }

  @Test func `on a low screen, the image of a card fits the card`() throws {
    let size = CellSize(columns: 40, rows: 12)
    try course.open("c/g/l/cards", at: 0)
    fixture.browser.handle(.resize(size), at: 1)
    _ = fixture.rows(at: 1, of: size)
    course.decode()
    _ = fixture.rows(at: 2, of: size)

    let cells = try #require(fixture.browser.picturesInView.first?.cells)
    #expect(cells.rows == 2)
    #expect(cells.row > 0 && cells.endRow < 10)
    #expect(fixture.rows(at: 2, of: size).joined().contains("A red square"))
  }

  @Test func `a question, its choices and its explanation show images`() throws {
    try course.open("c/g/l/quiz", at: 0)
    course.decode()

    // The image of the choice is half as high, and below the rows that are visible at first.
    let sizes = fixture.browser.picturesInView.map(\.cells.size)
    #expect(sizes.first == CellSize(columns: 16, rows: 8))
    #expect(course.inked(at: 1) >= 16 * 8)

    fixture.press("1", at: 2)
    fixture.press(.enter, at: 3)
    course.decode()
    fixture.press(.end, at: 4)
    course.decode()
    #expect(course.inked(at: 5) >= 16 * 8)
    #expect(fixture.browser.picturesInView.map(\.cells.size) == [CellSize(columns: 16, rows: 8)])
    #expect(fixture.text(at: 5).contains("A blue square"))
  }

  @Test func `Tab selects an image of a question, and Enter enlarges it`() throws {
    try course.open("c/g/l/quiz", at: 0)
    course.decode()
    _ = course.inked(at: 1)

    fixture.press(.tab, at: 2)
    #expect(fixture.text(at: 2).contains("Enlarge"))
    fixture.press(.tab, at: 3)
    fixture.press(.enter, at: 4)
    _ = fixture.text(at: 5)
    course.decode()

    #expect(fixture.text(at: 6).contains("A blue square"))
    #expect(course.inked(at: 6) > 16 * 8)
  }

  @Test func `Enter enlarges a selected image of a card, or turns the card`() throws {
    try course.open("c/g/l/cards", at: 0)
    course.decode()
    _ = course.inked(at: 1)
    let before = fixture.surface(at: 1)

    fixture.press(.tab, at: 2)
    let chosen = fixture.surface(at: 2)
    #expect(fixture.text(at: 2).contains("Enlarge"))
    #expect(course.inked(at: 2) == 16 * 8)
    fixture.press(.enter, at: 3)
    _ = fixture.text(at: 4)
    course.decode()
    #expect(course.inked(at: 5) > 16 * 8)
    fixture.press(.escape, at: 6)
    fixture.press(.escape, at: 8)
    #expect(fixture.surface(at: 9) == before)
    fixture.press(.enter, at: 10)

    let marked = (0..<before.rows).flatMap { row in
      (0..<before.columns).filter { chosen[$0, row].style.attributes.contains(.reverse) }
        .map { chosen[$0, row].glyph.text }
    }
    #expect(marked.joined() == "A red square")
    #expect(fixture.text(at: 11).contains("Red."))
  }

  @Test func `a click follows a link on a card, or turns the card`() throws {
    let linked = try ImageCourseFixture([
      "1-cards.md": """
      ---
      title: Cards
      type: flashcards
      ---

      ## Where is more?

      [In the other text](2-text.md).
      """,
      "2-text.md": "---\ntitle: Other\n---\nMore.",
    ])
    let fixture = linked.fixture
    try linked.open("c/g/l/cards", at: 0)
    func click(_ column: Int, _ row: Int, at time: Double) {
      fixture.browser.handle(
        .mouse(MouseEvent(.press(.left), at: CellPoint(column: column, row: row))), at: time)
    }

    click(40, 10, at: 1)
    let rows = fixture.rows(at: 2, of: CellSize(columns: 80, rows: 24))
    let row = try #require(rows.firstIndex { $0.contains("In the other text") })
    let column = try #require(rows[row].range(of: "other")).lowerBound.utf16Offset(in: rows[row])
    click(column, row, at: 3)

    #expect(fixture.text(at: 5).contains("More."))
  }
}
