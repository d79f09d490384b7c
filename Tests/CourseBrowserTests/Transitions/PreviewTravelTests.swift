import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The text of a preview moves to its place on the page that opens, and back.
@MainActor @Suite struct PreviewTravelTests {
  nonisolated private static let lesson: PlaceName = "english-for-business/negotiating/opening-offers"
  /// The beginning of the first row of the text.
  private static let words = "For this lesson"
  private static let inPreview = CellPoint(column: 13, row: 17)
  private static let onPage = CellPoint(column: 13, row: 6)

  private func fixture() throws -> BrowserFixture {
    let fixture = try BrowserFixture.inColour(120, 36, opening: Self.lesson)
    _ = fixture.screen(at: 0.5)
    return fixture
  }

  /// Returns the positions of the text in 60 frames per second.
  private func positions(_ fixture: BrowserFixture, from start: Double, frames: Int = 30) -> [CellPoint?] {
    (0...frames).map { position(in: fixture.screen(at: start + Double($0) / 60)) }
  }

  private func position(in rows: [String]) -> CellPoint? {
    let found = rows.enumerated().compactMap { row, text in
      text.firstRange(of: Self.words).map {
        CellPoint(column: String(text[..<$0.lowerBound]).displayWidth, row: row)
      }
    }
    #expect(found.count <= 1, "the text is visible once")
    return found.first
  }

  /// Returns the rows that differ from an earlier screen, before and after. The last two rows are ignored.
  private func changed(from before: [String], in fixture: BrowserFixture, at time: Double) -> [String] {
    zip(before, fixture.screen(at: time)).dropLast(2).filter { $0 != $1 }.map { "\($0) is \($1)" }
  }

  /// Returns the greatest number of rows and columns between two frames in which the text is visible.
  private func steps(_ positions: [CellPoint?]) -> (rows: Int, columns: Int) {
    let visible = positions.compactMap { $0 }
    let pairs = zip(visible, visible.dropFirst())
    return (
      pairs.map { abs($0.row - $1.row) }.max() ?? 0, pairs.map { abs($0.column - $1.column) }.max() ?? 0
    )
  }

  @Test func `the text moves from the preview to the page and back without a jump`() throws {
    let fixture = try fixture()
    fixture.press(.enter, at: 1)
    let opening = positions(fixture, from: 1)
    fixture.press(.left, at: 2)
    let closing = positions(fixture, from: 2)

    for (positions, start, end) in [(opening, Self.inPreview, Self.onPage), (closing, Self.onPage, Self.inPreview)] {
      #expect(positions.first == start)
      #expect(positions.last == end)
      // The lower edge of the frame can cover the row in one frame.
      #expect(positions.count { $0 == nil } <= 1)
      let step = steps(positions)
      #expect(step.rows <= 3 && step.columns <= 3, "\(positions)")
    }
  }

  @Test(arguments: [(Self.lesson, 8), ("english-for-business/negotiating", 4), ("english-for-business", 2)])
  func `the lower half of the screen always shows text`(place: PlaceName, minimum: Int) throws {
    let fixture = try BrowserFixture.inColour(120, 36, opening: place)
    _ = fixture.screen(at: 0.5)
    func rowsWithText(at time: Double) -> Int {
      fixture.screen(at: time)[18..<33].count { $0.contains(where: \.isLetter) }
    }
    fixture.press(.enter, at: 1)
    let opening = (0...30).map { rowsWithText(at: 1 + Double($0) / 60) }
    fixture.press(.left, at: 2)
    let closing = (0...30).map { rowsWithText(at: 2 + Double($0) / 60) }

    #expect((opening + closing).allSatisfy { $0 >= minimum }, "\(opening), \(closing)")
  }

  @Test(arguments: [0.03, 0.06, 0.1, 0.15], ["Left", "Space", "n", "H", "i", "Down"])
  func `a key during the motion begins with the screen that is visible`(pause: Double, name: String) throws {
    let fixture = try fixture()
    fixture.press(.enter, at: 1)
    let before = fixture.screen(at: 1 + pause)
    fixture.browser.handle(.key(try #require(KeyEvent(name: name))), at: 1 + pause)

    #expect(changed(from: before, in: fixture, at: 1 + pause) == [])
  }

  @Test func `a text that was scrolled as it opened returns without a jump`() throws {
    let fixture = try fixture()
    fixture.press(.enter, at: 1)
    _ = fixture.screen(at: 1.005)
    fixture.press(" ", at: 1.005)
    // The text has been scrolled, and the card is still opening.
    let time = 1.01 + TextPane.glideTime
    let before = fixture.screen(at: time)
    fixture.press(.left, at: time)

    #expect(changed(from: before, in: fixture, at: time) == [])
    #expect(position(in: fixture.screen(at: 3)) == Self.inPreview)
  }

  @Test(arguments: [0.03, 0.06, 0.1, 0.15])
  func `a text that closes before it has opened returns to the preview`(pause: Double) throws {
    let fixture = try fixture()
    fixture.press(.enter, at: 1)
    let opening = (0...Int(pause * 240)).map { position(in: fixture.screen(at: 1 + Double($0) / 240)) }
    fixture.press(.left, at: 1 + pause)
    let closing = (0...120).map { position(in: fixture.screen(at: 1 + pause + Double($0) / 240)) }

    #expect(closing.last == Self.inPreview)
    let step = steps(opening + closing)
    #expect(step.rows <= 1 && step.columns <= 1, "\(opening + closing)")
  }
}
