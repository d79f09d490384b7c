import Testing
import TextCanvas

@testable import CoursePages

@Suite struct DurationTests {
  @Test(arguments: [
    (0, ""), (1, "1 min"), (9, "9 min"), (12, "10 min"), (13, "15 min"), (28, "30 min"), (58, "1 h"), (66, "1 h 05"),
    (125, "2 h 05"), (299, "5 h"), (640, "11 h"),
  ])
  func `the time column rounds estimates`(minutes: Int, text: String) {
    #expect(DisplayFormat.timeColumn(minutes: minutes) == text)
  }

  @Test(arguments: [
    (0, "1 min", "1 minute"), (6, "6 min", "6 minutes"), (28, "about 30 min", "about 30 minutes"),
    (66, "about 1 h 05", "about 1 hour 5 minutes"), (125, "about 2 h 05", "about 2 hours 5 minutes"),
    (299, "about 5 h", "about 5 hours"),
  ])
  func `a header and linear mode show the same estimate`(minutes: Int, text: String, spoken: String) {
    #expect(DisplayFormat.about(minutes: minutes) == text)
    #expect(DisplayFormat.about(minutes: minutes, .spoken) == spoken)
  }

  @Test(arguments: [
    (400, "0 s", "0 seconds"), (59_999, "59 s", "59 seconds"), (60_000, "1 min", "1 minute"),
    (4_020_000, "1 h 07", "1 hour 7 minutes"), (7_200_000, "2 h", "2 hours"),
  ])
  func `a measured duration is rounded down`(milliseconds: Int64, text: String, spoken: String) {
    #expect(DisplayFormat.duration(milliseconds: milliseconds) == text)
    #expect(DisplayFormat.duration(milliseconds: milliseconds, .spoken) == spoken)
  }

  @Test func `equal neighbouring titles are one breadcrumb`() {
    let drawing = PageDrawing(
      theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode,
      metrics: PageMetrics(size: CellSize(columns: 60, rows: 20)))
    let breadcrumb = PageModel.Breadcrumb(titles: ["Courses", "Lab", "Goal", "Goal"], places: [], position: "")

    #expect(drawing.breadcrumb(breadcrumb).textRows[0].hasPrefix("Courses › Lab › Goal   "))
    #expect(drawing.breadcrumbItem(at: 17, of: breadcrumb) == 3)
    #expect(drawing.shortenedBreadcrumb(["Lab", "Goal", "Goal"], in: 40) == "Lab › Goal")
  }
}
