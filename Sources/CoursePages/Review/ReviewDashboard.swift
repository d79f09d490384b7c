package import LearningModel
package import NavigationKit
package import TextCanvas

/// The contents of the Review tab: what is due by course, the next cards, and the drawings of the future and the past.
package struct ReviewDashboard {
  /// The rows of the list: the sum, and then the courses, of which the last ones are not begun. With a filter, only the sum.
  package let rows: [WaitingReviews]
  /// The numbers of own cards that are due and of all own cards.
  package let own: (due: Int, all: Int)
  /// The cards of today, in words.
  package let outlook: ReviewOutlook
  /// The numbers of cards of the next days.
  package let forecast: ForecastChart
  /// The answers of the last year.
  package let year: YearMap
  /// The share of remembered cards in each month.
  package let retention: RetentionChart
  /// The next cards in the order of the review.
  private let nextCards: [(question: String, lesson: String, due: String, last: String)]
  /// The numbers of suspended cards by course.
  private let suspended: [Place: Int]
  /// The courses that are not begun, with the numbers of their cards and of those with progress.
  private let notBegun: [Place: (all: Int, met: Int)]
  /// The numbers of cards of the next days by course.
  private let forecasts: [Place: [Int]]
  private let time: Timestamp

  private static let maximumNextCards = 12
  private static let daysOfRow = 7

  /// Reads the contents.
  ///
  /// - Parameters:
  ///   - place: The place whose cards are shown, or `nil` for all courses.
  ///   - time: The current time.
  package init(of navigation: NavigationService, in place: PlaceName? = nil, at time: Timestamp)
    throws(NavigationError)
  {
    self.time = time
    let reviews = navigation.reviews
    outlook = try ReviewOutlook(of: navigation, in: place)
    let overview = outlook.overview
    var (rows, notBegun, forecasts): ([WaitingReviews], [Place: (all: Int, met: Int)], [Place: [Int]]) = (
      overview.courses, [:], [:]
    )
    if place == nil {
      for course in try reviews.courseCards()
      where try navigation.places.summary(of: .place(course.place.place)).state == .notBegun {
        notBegun[course.place.place] = (course.all, course.met)
        if !rows.contains(where: { $0.place == course.place }) { rows.append(WaitingReviews(without: course.place)) }
      }
    }
    for row in rows {
      forecasts[row.place.place] = try reviews.forecast(days: Self.daysOfRow, in: .place(row.place.place)).map(\.cards)
    }
    self.rows = [overview.total] + (rows.count > 1 ? rows : [])
    (self.notBegun, self.forecasts) = (notBegun, forecasts)
    own = place == nil ? (try navigation.cards.ownDue(until: time).count, try navigation.cards.own().count) : (0, 0)
    forecast = ForecastChart(try reviews.forecast(days: 14, in: place))
    year = YearMap(try reviews.days(last: 365, in: place))
    let settings = try reviews.settings()
    retention = RetentionChart(try reviews.retentionByMonth(last: 12, in: place), desired: settings.retention)
    suspended = Dictionary(grouping: try navigation.cards.suspended(in: place), by: \.course).mapValues(\.count)
    let today = ReviewDay.number(at: time, in: navigation.timeZone)
    nextCards = try reviews.nextCards(in: place, limit: Self.maximumNextCards).map {
      id throws(NavigationError) in
      let card = try reviews.card(id)
      let last = try reviews.lastAnswers(to: id, limit: 1).first?.rating
      return (
        card.faces.question.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " "),
        card.ancestorTitles.last ?? card.place.title,
        card.due.flatMap(ReviewDay.number(ofDate:)).map { ReviewText.shortDay($0, today: today) } ?? "today",
        last.map { $0 == .again ? "forgot" : settings.hasFourAnswers ? $0.name : "knew" } ?? "new"
      )
    }
  }

  /// Whether the learner has never had a card to review.
  package var isEmpty: Bool { outlook.isEmpty }

  // MARK: - The list

  /// Returns the number of suspended cards of a row.
  package func suspendedCards(in row: WaitingReviews) -> Int {
    row == rows.first ? suspended.values.reduce(0, +) : suspended[row.place.place] ?? 0
  }

  /// Returns whether a row is a course that is not begun and of which no card is due.
  package func isNotBegun(_ row: WaitingReviews) -> Bool {
    row.today + row.later == 0 && notBegun[row.place.place] != nil
  }

  /// Returns the numbers of a row: the cards that are due now and later today, those of them that are new, and the suspended
  /// ones. If the rows of the courses exceed the daily limit together, their numbers are upper bounds: `up to 10 now`.
  package func counts(of row: WaitingReviews) -> String {
    let suspendedCards = suspendedCards(in: row)
    let suspendedText = suspendedCards == 0 ? nil : "\(ReviewText.number(suspendedCards)) suspended"
    if isNotBegun(row), let cards = notBegun[row.place.place] {
      return "not begun, " + (cards.met > 0 ? "\(cards.met) with progress" : ReviewText.count(cards.all, "card"))
    }
    let isBound = row != rows[0] && rows.dropFirst().map(\.today).reduce(0, +) > rows[0].today && row.today > 0
    let parts = [
      row.today == 0 ? "none now" : "\(isBound ? "up to " : "")\(ReviewText.number(row.today)) now",
      row.later == 0 ? nil : "\(ReviewText.number(row.later)) later",
      row.new == 0 ? nil : "\(ReviewText.number(row.new)) new", suspendedText,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// Returns the cards of the next days of a row as bars.
  package func bars(of row: WaitingReviews, _ symbols: Symbols) -> String {
    symbols.bars(of: forecasts[row.place.place] ?? forecast.days.prefix(Self.daysOfRow).map(\.cards))
  }

  /// Returns the sum of all rows, as long as it fits: `6 now · 12 within 10 min · about 4 min`.
  package func total(columns: Int, _ symbols: Symbols) -> String {
    let total = rows[0]
    let wait = total.lastStepAt.map { end -> CardInterval in
      // Rounded up, because all steps end within this time.
      let seconds = Int(max(0, end.milliseconds - time.milliseconds) + 999) / 1000
      let unit = seconds <= 3_600 ? 60 : 3_600
      return .seconds((seconds + unit - 1) / unit * unit)
    }
    let answers = year.days.map(\.answers).reduce(0, +)
    let perAnswer = answers < 10 ? 10_000 : year.days.map(\.milliseconds).reduce(0, +) / answers
    let minutes = ((total.today + total.later) * perAnswer + 59_999) / 60_000
    var parts = ["\(ReviewText.number(total.today)) now"]
    if total.later > 0 {
      let interval = wait.map { "within " + ReviewText.shortInterval($0) } ?? "later"
      parts.append("\(ReviewText.number(total.later)) \(interval)")
    }
    if minutes > 0 { parts.append("about \(minutes) min") }
    let separator = symbols.isAscii ? ", " : " · "
    while parts.count > 1, parts.joined(separator: separator).displayWidth > columns { parts.removeLast() }
    return parts.joined(separator: separator)
  }

  // MARK: - The charts

  /// A chart of the tab. It takes one row until it is selected.
  package enum Chart: String, CaseIterable, Hashable, Sendable {
    case forecast = "14 days"
    case retention = "Remembered"
    case year = "Last year"
  }

  /// The weeks of a bar of the last year.
  private static let daysOfBar = 28

  /// Returns a chart in one row.
  package func bars(of chart: Chart, _ symbols: Symbols) -> String {
    switch chart {
    case .forecast: return symbols.bars(of: forecast.days.map(\.cards))
    case .retention:
      guard let last = retention.months.last(where: { $0.retention != nil })?.retention else { return "no data yet" }
      return symbols.bars(of: retention.months.suffix(9).map { Int(($0.retention ?? 0) * 100) }) + " "
        + DisplayFormat.percent(last)
    case .year:
      let first = year.days.count % Self.daysOfBar
      return symbols.bars(
        of: stride(from: first, to: year.days.count, by: Self.daysOfBar).map { start in
          year.days[start..<min(start + Self.daysOfBar, year.days.count)].map(\.answers).reduce(0, +)
        })
    }
  }

  /// Returns the text next to the name of a selected chart.
  package func title(of chart: Chart) -> String {
    switch chart {
    case .forecast: forecast.tomorrow
    case .retention: RetentionChart.title.replacing("Remembered ", with: "")
    case .year: "answers a day"
    }
  }

  /// The permitted numbers of rows of a selected chart.
  private func heights(of chart: Chart) -> ClosedRange<Int> {
    switch chart {
    case .forecast: forecast.isEmpty ? 1...1 : 4...8
    case .retention: 5...8
    case .year: YearMap.rows...YearMap.rows
    }
  }

  /// Returns the rows of a selected chart below its first row, at most a number of rows. A chart that needs more rows is a
  /// row of text.
  package func rows(of chart: Chart, atMost available: Int) -> Int {
    let heights = heights(of: chart)
    return available < heights.lowerBound ? 1 : min(heights.upperBound, available)
  }

  /// Draws a selected chart in ``rows(of:atMost:)``.
  package func drawing(of chart: Chart, width: Int, atMost available: Int, _ lines: LineDrawing) -> Surface {
    let size = CellSize(columns: width, rows: rows(of: chart, atMost: available))
    let missing = heights(of: chart).lowerBound - available
    guard missing <= 0 else {
      var surface = Surface(size)
      let text = "The chart needs \(missing) more row\(missing == 1 ? "" : "s")."
      surface.draw(
        StyledLine(text, style: lines.theme[.quiet]).truncated(to: width, ellipsis: lines.symbols.ellipsis), at: .zero)
      return surface
    }
    return switch chart {
    case .forecast: forecast.drawing(size, lines)
    case .retention: retention.drawing(size, lines)
    case .year: year.drawing(width: width, lines)
    }
  }

  // MARK: - The next cards

  /// Returns the rows of the next cards, after a row with the names of the columns. A narrow row shows no lessons.
  package func nextCardLines(width: Int, _ lines: LineDrawing) -> [StyledLine] {
    let theme = lines.theme
    let (dueColumns, lastColumns) = (10, 8)
    let fromColumns = width < 56 ? 0 : min(24, width * 2 / 5)
    let questionColumns = width - fromColumns - dueColumns - lastColumns
    guard questionColumns > 0 else { return [] }
    func line(_ texts: [String], _ roles: [Role]) -> StyledLine {
      var line = StyledText()
      for (index, columns) in [questionColumns, fromColumns, dueColumns, lastColumns].enumerated() where columns > 0 {
        let text = texts[index].truncated(to: columns - 2, ellipsis: lines.symbols.ellipsis)
        line.append(
          text + String(repeating: " ", count: max(0, columns - text.displayWidth)), style: theme[roles[index]])
      }
      return StyledLine(line.runs)
    }
    return [line(["Next cards", "from", "due", "last"], [.strong, .quiet, .quiet, .quiet])]
      + nextCards.map { line([$0.question, $0.lesson, $0.due, $0.last], [.foreground, .quiet, .quiet, .quiet]) }
  }

  // MARK: - The side pane

  /// The rows of the retention, without its title.
  private static let chartRows = 6...9

  /// Draws the answers of the last year and the retention, one below the other, for a side pane.
  package func past(width: Int, rows: Int, _ lines: LineDrawing) -> Surface {
    let chartRows = min(Self.chartRows.upperBound, max(Self.chartRows.lowerBound, rows - YearMap.rows - 4))
    let charts = [
      Self.titled("The last year", year.drawing(width: width, lines), lines),
      Self.titled(
        RetentionChart.title, retention.drawing(CellSize(columns: width, rows: chartRows), lines), lines),
    ]
    var surface = Surface(columns: width, rows: charts.map(\.rows).reduce(1, +))
    surface.copy(charts[0], at: .zero)
    surface.copy(charts[1], at: CellPoint(column: 0, row: charts[0].rows + 1))
    return surface
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

extension Symbols {
  /// Returns a bar for each number, relative to the highest one. A dot stands for 0.
  fileprivate func bars(of numbers: some Collection<Int>) -> String {
    let highest = max(1, numbers.max() ?? 0)
    return numbers.map { $0 <= 0 ? open : bars[max(1, ($0 * (bars.count - 1) + highest / 2) / highest)] }.joined()
  }
}
