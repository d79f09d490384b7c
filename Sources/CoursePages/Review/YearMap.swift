import LearningModel
package import NavigationKit
package import TextCanvas

/// The numbers of answers of each day of a year, as a map with one column for each week, and in words.
///
/// The symbol of a day shows its number, so the map is readable without colours.
package struct YearMap {
  /// The days, the oldest first. The last day is today.
  package let days: [ReviewDaySummary]
  private let highest: Int

  /// Creates a map.
  package init(_ days: [ReviewDaySummary]) {
    self.days = days
    highest = days.map(\.answers).max() ?? 0
  }

  /// The rows of the drawing: the months, the seven weekdays, and the meaning of the symbols.
  package static let rows = 9
  private static let labelWidth = 4

  /// Returns the width of the drawing: all weeks in one or two columns each, or the last weeks that fit.
  private func layout(width: Int, weeks: Int) -> (pitch: Int, weeks: Int) {
    let available = max(0, width - Self.labelWidth)
    let pitch = available >= weeks * 2 ? 2 : 1
    return (pitch, min(weeks, available / pitch))
  }

  /// Draws the map in ``rows`` rows. If not all weeks fit, the oldest ones are omitted.
  package func drawing(width: Int, _ lines: LineDrawing) -> Surface {
    var surface = Surface(columns: max(0, width), rows: Self.rows)
    let (theme, symbols) = (lines.theme, lines.symbols)
    guard let last = days.last.flatMap({ ReviewDay.number(ofDate: $0.date) }) else { return surface }
    let first = last - days.count + 1
    let firstMonday = first - ReviewText.weekday(of: first)
    let weeks = (last - firstMonday) / 7 + 1
    let layout = layout(width: width, weeks: weeks)

    for (row, name) in [(1, "Mon"), (3, "Wed"), (5, "Fri")] {
      surface.draw(name, at: CellPoint(column: 0, row: row), style: theme[.quiet])
    }
    var firstFreeColumn = Self.labelWidth
    for week in 0..<layout.weeks {
      let column = Self.labelWidth + week * layout.pitch
      let monday = firstMonday + (weeks - layout.weeks + week) * 7
      if let month = Self.monthBeginning(in: monday), column >= firstFreeColumn, column + 3 <= width {
        surface.draw(month, at: CellPoint(column: column, row: 0), style: theme[.quiet])
        firstFreeColumn = column + month.count + 1
      }
      for weekday in 0..<7 where (first...last).contains(monday + weekday) {
        let level = level(of: days[monday + weekday - first].answers)
        surface.draw(
          symbols.shades[level], at: CellPoint(column: column, row: 1 + weekday),
          style: theme.line(level == 0 ? .faint : .good))
      }
    }
    surface.draw(legend(lines, width: width), at: CellPoint(column: 0, row: 8))
    return surface
  }

  /// Returns the name of the month that begins in the week from a Monday on, or `nil` if none begins.
  private static func monthBeginning(in monday: Int) -> String? {
    guard let day = (monday..<monday + 7).first(where: { ReviewDay.date(of: $0).hasSuffix("-01") }) else { return nil }
    return String(ReviewText.month(ReviewDay.month(of: day)).prefix(3))
  }

  /// Returns the level of a number of answers: 0 for none, otherwise 1…4 in equal steps up to the highest number.
  private func level(of answers: Int) -> Int {
    guard answers > 0, highest > 0 else { return 0 }
    return min(4, (answers * 4 + highest - 1) / highest)
  }

  private func legend(_ lines: LineDrawing, width: Int) -> StyledLine {
    let (theme, symbols) = (lines.theme, lines.symbols)
    var full = StyledText()
    var short = StyledText()
    for level in 1...4 {
      let (low, high) = ((level - 1) * highest / 4 + 1, level * highest / 4)
      guard low <= high else { continue }
      let range = low == high ? "\(low)" : "\(low)\(symbols.isAscii ? "-" : "–")\(high)"
      full.append(symbols.shades[level], style: theme.line(.good))
      full.append(" \(range)  ", style: theme[.quiet])
      short.append(symbols.shades[level], style: theme.line(.good))
    }
    guard highest > 0 else { return StyledLine("No answers in this period.", style: theme[.quiet]) }
    full.append("answers a day", style: theme[.quiet])
    short.append(" 1 to \(highest) answers a day", style: theme[.quiet])
    let text = full.displayWidth <= width ? full : short
    return StyledLine(text.runs).truncated(to: max(0, width), ellipsis: symbols.ellipsis)
  }

  /// The months with answers in words, the newest first, after a sentence with the sum.
  package var sentences: [String] {
    let active = days.filter { $0.answers > 0 }
    guard !active.isEmpty else { return ["No answers in the last year."] }
    var months: [(name: String, days: [ReviewDaySummary])] = []
    for day in active.reversed() {
      let name = String(day.date.prefix(7))
      if months.last?.name != name { months.append((name, [])) }
      months[months.count - 1].days.append(day)
    }
    let sum = active.map(\.answers).reduce(0, +)
    return [
      "\(ReviewText.count(sum, "answer")) on \(ReviewText.count(active.count, "day")) of the last "
        + "\(ReviewText.count(days.count, "day"))."
    ]
      + months.map { month in
        let answers = month.days.map(\.answers).reduce(0, +)
        return "\(ReviewText.month(month.name)): \(ReviewText.count(answers, "answer")) on "
          + "\(ReviewText.count(month.days.count, "day"))."
      }
  }
}
