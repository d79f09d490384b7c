import LearningModel
import NavigationKit
import TestSupport
import Testing
import TextCanvas

@testable import CoursePages

@Suite struct ComingBackTests {
  private func rows(_ fixture: ReviewSessionFixture) throws -> [String?] {
    let next = try fixture.navigation.places.page(of: .place(.root)).nextStep
    let comingBack = try ComingBack(next, of: fixture.navigation)
    return [comingBack.next, comingBack.review].map { row in row.map { "\($0.label): \($0.sentence)" } }
  }

  @Test func `a new learner begins with the first activity`() throws {
    let rows = try rows(ReviewSessionFixture())

    #expect(rows == ["Begin: Words  1 min  Cards", nil])
  }

  @Test func `an activity that was begun is continued, and its cards are new`() throws {
    let fixture = try ReviewSessionFixture()
    try fixture.begin(ReviewSessionFixture.words)

    let rows = try rows(fixture)

    #expect(rows == ["Continue: Words  0 of 5, 1 min  Cards", "Review: 5 cards  5 new"])
  }

  @Test func `cards that were due on earlier days are counted`() throws {
    let fixture = try ReviewSessionFixture()
    try fixture.begin(ReviewSessionFixture.words)
    var session = try fixture.session()
    for _ in 0..<2 { try fixture.answer(&session, .easy) }
    fixture.clock.advance(seconds: 30 * 86_400)

    let review = try rows(fixture)[1]

    #expect(review == "Review: 5 cards  2 of them from earlier days")
  }

  @Test(arguments: [
    (94, "◐ English for Business           ━━━━──────   41 %  next: Counter-offers                      "),
    (74, "◐ English for Business           ━━━━──────   41 %  next: Counter-offers  "),
    (64, "◐ English for Business       ━━━━──────   41 %  next: Counter-o…"),
    (38, "◐ English for Busi…  ━━━━──────   41 %"), (28, "◐ English for Busine…   41 %"),
  ])
  func `a row of the list of courses omits what is next first and the bar second`(columns: Int, row: String) {
    let size = CellSize(columns: columns < 54 ? columns + 2 : columns + 6, rows: 24)
    let drawing = PageDrawing(
      theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode, metrics: PageMetrics(size: size))
    let titles = ["English for Business", "The Rust Programming Language"]
    let cards = titles.map {
      CardModel(
        target: .unknown, kind: .course, title: $0, summary: "A summary.", progressState: .begun, fraction: 0.41)
    }

    let surface = drawing.courseRow(
      cards[0], next: "next: Counter-offers", isChosen: false, CardWindow.Columns(cards))

    #expect(surface.textRows.map(\.trimmedAtEnd) == [row.trimmedAtEnd])
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
