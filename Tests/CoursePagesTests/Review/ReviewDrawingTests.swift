import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages
@testable import NavigationKit

/// The forecast, the map of a year and the retention by month.
struct ReviewDrawingTests {
  private static let forecast = ForecastChart(
    [12, 5, 31, 0, 1, 8, 9, 17, 3, 3, 0, 24, 2, 6].enumerated().map { ForecastDay(date: date(100 + $0), cards: $1) })
  private static let overdue = ForecastChart(
    [18_400, 5, 31, 0, 1, 8, 9].enumerated().map { ForecastDay(date: date(100 + $0), cards: $1) })
  private static let year = YearMap(
    (0..<365).map { day in
      // A pattern without chance: rest on every fifth day and from day 200 to 230.
      let answers = day % 5 == 0 || (200...230).contains(day) ? 0 : day * 7 % 31 + 1
      return ReviewDaySummary(
        date: date(day - 264), answers: answers, new: 0, reviews: answers, passed: answers, milliseconds: 0)
    })
  private static let retention = RetentionChart(
    [nil, 0.82, 0.88, 0.93, 0.91, nil, 0.6, 0.75, 0.9, 0.95, 1, 0.97].enumerated().map { index, share in
      MonthRetention(
        month: index == 0 ? "2025-12" : "2026-\(index < 10 ? "0" : "")\(index)", reviews: share == nil ? 0 : 120,
        retention: share)
    }, desired: 0.9)

  /// Returns a date, counted from 2026-08-20.
  private static func date(_ day: Int) -> String {
    ReviewDay.date(of: ReviewDay.number(ofDate: "2026-08-20")! + day)
  }

  private static func lines(_ depth: ColourDepth = .truecolor, _ symbols: Symbols = .unicode) -> LineDrawing {
    LineDrawing(theme: Theme(colourDepth: depth, pageAppearance: .dark), symbols: symbols)
  }

  /// All drawings at a width.
  private static func drawings(width: Int, _ lines: LineDrawing) -> [Surface] {
    [
      forecast.drawing(CellSize(columns: width, rows: 7), lines), year.drawing(width: width, lines),
      retention.drawing(CellSize(columns: width, rows: 9), lines),
    ]
  }

  @Test(arguments: [40, 80, 120]) func `the drawings fit their width`(width: Int) {
    expectSnapshot(
      Self.drawings(width: width, Self.lines()).flatMap { $0.textRows.map(\.withoutTrailingSpace) + [""] }, "\(width)")
  }

  @Test func `the drawings in ASCII`() {
    let rows = Self.drawings(width: 80, Self.lines(.none, .ascii)).flatMap {
      $0.textRows.map(\.withoutTrailingSpace) + [""]
    }

    expectSnapshot(rows)
    #expect(rows.joined().unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test(arguments: [ColourDepth.truecolor, .indexed, .ansi, .none])
  func `the symbols do not depend on the colours`(depth: ColourDepth) {
    let drawings = Self.drawings(width: 80, Self.lines(depth))

    #expect(drawings.map(\.textRows) == Self.drawings(width: 80, Self.lines()).map(\.textRows))
    let colours = drawings.flatMap { drawing in
      (0..<drawing.rows).flatMap { row in
        (0..<drawing.columns).map { drawing[$0, row].foreground }
      }
    }
    #expect(colours.contains { $0 != .default } == (depth != .none))
  }

  @Test func `numbers of five digits are replaced by the highest one`() {
    let rows = Self.overdue.drawing(CellSize(columns: 28, rows: 5), Self.lines()).textRows.map(\.withoutTrailingSpace)

    #expect(
      rows == [
        "at most 18,400 a day", "███", "███", "███ ▁▁▁ ▁▁▁     ▁▁▁ ▁▁▁ ▁▁▁", "Sat Sun Mon Tue Wed Thu Fri",
      ])
  }

  @Test func `without data, the drawings contain a sentence`() {
    let lines = Self.lines(.none)
    let days = (0..<3).map { ForecastDay(date: Self.date($0), cards: 0) }
    let forecast = ForecastChart(days).drawing(CellSize(columns: 30, rows: 3), lines)
    let retention = RetentionChart([MonthRetention(month: "2026-08", reviews: 0, retention: nil)], desired: 0.9)

    let sentence = "Counts cards that came back after a day or more. None has been answered yet."
    #expect(forecast.textRows[0].withoutTrailingSpace.hasPrefix("No card becomes due on these"))
    #expect(
      retention.drawing(CellSize(columns: 30, rows: 6), lines).textRows.map(\.withoutTrailingSpace)
        .joined(separator: " ").hasPrefix(sentence))
    #expect(retention.sentences == [sentence])
    #expect(ForecastChart(days).sentences == ["No cards become due in the next 3 days."])
    #expect(YearMap([]).sentences == ["No answers in the last year."])
  }

  @Test func `tiny sizes are drawn without fault`() {
    for width in 0...12 {
      for rows in 0...4 {
        _ = Self.forecast.drawing(CellSize(columns: width, rows: rows), Self.lines())
        _ = Self.retention.drawing(CellSize(columns: width, rows: rows), Self.lines())
      }
      _ = Self.year.drawing(width: width, Self.lines())
    }
  }

  @Test func `the drawings in words`() {
    expectSnapshot(Self.forecast.sentences + [""] + Self.year.sentences + [""] + Self.retention.sentences)
  }
}

extension String {
  fileprivate var withoutTrailingSpace: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
