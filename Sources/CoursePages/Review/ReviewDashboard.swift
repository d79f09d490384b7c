import LearningModel
package import NavigationKit
package import TextCanvas

/// The contents of the Review tab: what waits today, and the drawings of the future and the past.
package struct ReviewDashboard {
  /// The rows of the list: the sum, and then the courses if there are several. With a filter, only the sum.
  package let rows: [WaitingReviews]
  /// The cards of today, in words.
  package let outlook: ReviewOutlook
  /// The numbers of cards of the next days.
  package let forecast: ForecastChart
  /// The answers of the last year.
  package let year: YearMap
  /// The share of remembered cards in each month.
  package let retention: RetentionChart
  /// The numbers of suspended cards by course.
  private let suspended: [Place: Int]

  /// Reads the contents.
  ///
  /// - Parameter place: The place whose cards are shown, or `nil` for all courses.
  package init(of navigation: NavigationService, in place: PlaceName? = nil) throws(NavigationError) {
    outlook = try ReviewOutlook(of: navigation, in: place)
    let courses = outlook.overview.courses
    rows = [outlook.overview.total] + (courses.count > 1 ? courses : [])
    forecast = ForecastChart(try navigation.reviews.forecast(days: 14, in: place))
    year = YearMap(try navigation.reviews.days(last: 365, in: place))
    retention = RetentionChart(
      try navigation.reviews.retentionByMonth(last: 12, in: place), desired: try navigation.reviews.settings().retention
    )
    suspended = Dictionary(grouping: try navigation.cards.suspended(in: place), by: \.course).mapValues(\.count)
  }

  /// Whether the learner has never had a card to review.
  package var isEmpty: Bool { outlook.isEmpty }

  // MARK: - The list

  /// Returns the number of suspended cards of a row.
  package func suspendedCards(in row: WaitingReviews) -> Int {
    row == rows.first ? suspended.values.reduce(0, +) : suspended[row.place.place] ?? 0
  }

  /// Returns the numbers of a row: the cards to repeat today, the new ones, and the suspended ones. If the rows of the
  /// courses exceed the daily limit together, their numbers are upper bounds: `up to 10 new`.
  package func counts(of row: WaitingReviews) -> String {
    let suspendedCards = suspendedCards(in: row)
    let suspendedText = suspendedCards == 0 ? nil : "\(ReviewText.number(suspendedCards)) suspended"
    guard row.today > 0 else { return ["none today", suspendedText].compactMap { $0 }.joined(separator: ", ") }
    func bound(_ value: (WaitingReviews) -> Int) -> String {
      guard row != rows[0], rows.dropFirst().map(value).reduce(0, +) > value(rows[0]) else { return "" }
      return "up to "
    }
    let repeated = row.steps + row.reviews
    let parts = [
      repeated == 0 ? nil : "\(bound(\.reviews))\(ReviewText.number(repeated)) to repeat",
      row.new == 0 ? nil : "\(bound(\.new))\(ReviewText.number(row.new)) new", suspendedText,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ") + (row.canBeAsked ? "" : ", later today")
  }

  // MARK: - The drawings

  /// A drawing below its title.
  package struct Section {
    /// The first row and column, relative to the first row below the list.
    package let origin: CellPoint
    package let surface: Surface
  }

  /// The columns between two drawings next to each other.
  private static let gap = 4
  /// The width from which two drawings are next to each other, in columns.
  private static let twoColumns = 90
  /// The rows of the forecast and of the retention, without their titles.
  private static let chartRows = 6...9

  /// Draws the future and, if there is no side pane, the past.
  ///
  /// From 90 columns on, the forecast and the retention are next to each other. Otherwise, the drawings are one below
  /// the other, in the order of their importance.
  ///
  /// - Parameters:
  ///   - width: The available columns.
  ///   - rows: The available rows. They determine how high the charts are; the drawings may need more.
  ///   - hasPane: Whether the side pane shows ``past(width:rows:_:)``.
  package func sections(width: Int, rows: Int, hasPane: Bool, _ lines: LineDrawing) -> [Section] {
    let isStacked = hasPane || width < Self.twoColumns
    // Two titles, the year map, and the blank rows between the drawings.
    let chartRows = Self.limited(isStacked ? rows - 2 : rows - YearMap.rows - 4)
    guard !isStacked else {
      let forecast = forecastSurface(width: width, rows: chartRows, lines)
      let first = Section(origin: .zero, surface: forecast)
      return hasPane ? [first] : [first] + past(width: width, chartRows: chartRows, below: forecast.rows + 1, lines)
    }
    let half = (width - Self.gap) / 2
    return [
      Section(origin: .zero, surface: forecastSurface(width: half, rows: chartRows, lines)),
      Section(
        origin: CellPoint(column: half + Self.gap, row: 0),
        surface: retentionSurface(width: width - Self.gap - half, rows: chartRows, lines)),
      Section(
        origin: CellPoint(column: 0, row: chartRows + 2),
        surface: Self.titled("The last year", year.drawing(width: width, lines), lines)),
    ]
  }

  /// Draws the answers of the last year and the retention, one below the other.
  package func past(width: Int, rows: Int, _ lines: LineDrawing) -> Surface {
    let sections = past(width: width, chartRows: Self.limited(rows - YearMap.rows - 4), below: 0, lines)
    var surface = Surface(columns: width, rows: sections.map { $0.origin.row + $0.surface.rows }.max() ?? 0)
    for section in sections { surface.copy(section.surface, at: section.origin) }
    return surface
  }

  private static func limited(_ rows: Int) -> Int { min(chartRows.upperBound, max(chartRows.lowerBound, rows)) }

  private func past(width: Int, chartRows: Int, below row: Int, _ lines: LineDrawing) -> [Section] {
    let year = Self.titled("The last year", year.drawing(width: width, lines), lines)
    return [
      Section(origin: CellPoint(column: 0, row: row), surface: year),
      Section(
        origin: CellPoint(column: 0, row: row + year.rows + 1),
        surface: retentionSurface(width: width, rows: chartRows, lines)),
    ]
  }

  private func forecastSurface(width: Int, rows: Int, _ lines: LineDrawing) -> Surface {
    Self.titled(
      "The next 14 days", forecast.drawing(CellSize(columns: width, rows: forecast.isEmpty ? 1 : rows), lines), lines)
  }

  private func retentionSurface(width: Int, rows: Int, _ lines: LineDrawing) -> Surface {
    Self.titled(RetentionChart.title, retention.drawing(CellSize(columns: width, rows: rows), lines), lines)
  }

  private static func titled(_ title: String, _ drawing: Surface, _ lines: LineDrawing) -> Surface {
    var surface = Surface(columns: drawing.columns, rows: drawing.rows + 1)
    surface.draw(
      StyledLine(title, style: lines.theme.bold(.strong)).truncated(
        to: drawing.columns, ellipsis: lines.symbols.ellipsis), at: .zero)
    surface.copy(drawing, at: CellPoint(column: 0, row: 1))
    return surface
  }
}
