import NavigationKit
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

/// Screens in the narrowest terminal with frames.
@MainActor @Suite struct NarrowScreenTests {
  private static let offers = "english-for-business/negotiating/opening-offers"

  @Test func `a narrow breadcrumb keeps the parent and omits places before it`() throws {
    let fixture = try BrowserFixture(60, 24, opening: .text(Self.offers))

    expectSnapshot(fixture.text(at: 1))
  }

  @Test func `in a narrow terminal, a step in History shows its outcome or its duration`() throws {
    let fixture = try BrowserFixture(60, 24, opening: .text(Self.offers + "/read-the-brief"))
    fixture.press("x", at: 1)
    fixture.press(.left, at: 61)
    fixture.press("3", at: 62)
    fixture.press(.up, at: 63)

    expectSnapshot(fixture.text(at: 64))
  }

  @Test func `Find shows its scope and the key that changes it`() throws {
    let fixture = try BrowserFixture(60, 24, opening: .text(Self.offers))
    fixture.press("/", at: 1)
    fixture.type("anchors", at: 2)

    expectSnapshot(fixture.text(at: 3))
  }

  @Test(arguments: [
    (50, "Courses › English for Business › Negotiating"), (44, "Courses › English for Business › Negotiating"),
    (43, "Courses › … › Negotiating"), (25, "Courses › … › Negotiating"), (24, "… › Negotiating"),
    (15, "… › Negotiating"), (14, "… › Negotiati…"),
  ])
  func `a breadcrumb omits or truncates places so that it fits`(columns: Int, text: String) {
    let size = CellSize(columns: max(60, columns + 6 + 15), rows: 24)
    let position = String(repeating: "x", count: PageMetrics(size: size).textWidth - columns - 2)
    let drawing = PageDrawing(
      theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode, metrics: PageMetrics(size: size))
    let breadcrumb = PageModel.Breadcrumb(
      titles: ["Courses", "English for Business", "Negotiating"], places: [], position: position)

    #expect(
      drawing.breadcrumb(breadcrumb).textRows == [
        text + String(repeating: " ", count: columns + 2 - text.count) + position
      ])
  }
}
