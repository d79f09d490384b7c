import LearningModel
package import NavigationKit
package import TextCanvas

/// The numbers of cards that become due on the next days, as bars and in words.
package struct ForecastChart {
  /// The days, beginning with today.
  package let days: [ForecastDay]

  /// Creates a chart of at least one day.
  package init(_ days: [ForecastDay]) {
    self.days = days
  }

  /// The widest bar with its gap, in columns.
  private static let maximumPitch = 6

  /// Whether no card becomes due on any of the days.
  package var isEmpty: Bool { days.allSatisfy { $0.cards == 0 } }

  /// The cards of tomorrow in words, or an empty text if the chart ends today.
  package var tomorrow: String { days.dropFirst().first.map { "Tomorrow: " + ReviewText.cards(of: $0) } ?? "" }

  /// Draws a bar for each day, with its number above it and its weekday below it. If the numbers do not fit, the first
  /// row contains the highest one. Days that do not fit are omitted. Without cards, one sentence is drawn instead.
  package func drawing(_ size: CellSize, _ lines: LineDrawing) -> Surface {
    var surface = Surface(size)
    guard !isEmpty else {
      surface.draw(
        StyledLine("No card becomes due on these days.", style: lines.theme[.quiet])
          .truncated(to: size.columns, ellipsis: lines.symbols.ellipsis), at: .zero)
      return surface
    }
    guard size.columns > 0, size.rows >= 3, !days.isEmpty else { return surface }
    let (theme, symbols) = (lines.theme, lines.symbols)
    let pitch = max(1, min(Self.maximumPitch, size.columns / days.count))
    let barWidth = max(1, pitch - 1)
    let highest = days.map(\.cards).max() ?? 0
    let numbersFit = String(highest).count <= barWidth
    // The rows above the bars and below them hold the numbers and the weekdays.
    let barRows = size.rows - 2
    let levels = symbols.bars.count - 1

    for (index, day) in days.prefix(size.columns / pitch).enumerated() {
      let column = index * pitch
      let height = Self.height(of: day.cards, highest: highest, levels: barRows * levels)
      for row in 0..<barRows {
        let level = min(levels, max(0, height - row * levels))
        guard level > 0 else { break }
        surface.draw(
          String(repeating: symbols.bars[level], count: barWidth),
          at: CellPoint(column: column, row: barRows - row), style: theme.line(.accent))
      }
      if numbersFit {
        let fullRows = (height + levels - 1) / levels
        surface.draw(
          String(day.cards), at: CellPoint(column: column, row: barRows - fullRows),
          style: theme[day.cards == 0 ? .quiet : .foreground])
      }
      if let number = ReviewDay.number(ofDate: day.date) {
        surface.draw(
          String(ReviewText.weekdayName(of: number).prefix(min(3, barWidth))),
          at: CellPoint(column: column, row: size.rows - 1), style: theme[index == 0 ? .strong : .quiet])
      }
    }
    if !numbersFit {
      surface.draw(
        StyledLine("at most \(ReviewText.number(highest)) a day", style: theme[.quiet])
          .truncated(to: size.columns, ellipsis: symbols.ellipsis), at: .zero)
    }
    return surface
  }

  /// Returns the height of a bar. It is 0 only for no cards.
  private static func height(of cards: Int, highest: Int, levels: Int) -> Int {
    guard cards > 0, highest > 0 else { return 0 }
    return max(1, DisplayFormat.portion(Double(cards) / Double(highest), of: levels))
  }

  /// The days with cards in words, one sentence each, after a sentence with the sum.
  package var sentences: [String] {
    let sum = days.map(\.cards).reduce(0, +)
    guard sum > 0, let today = days.first.flatMap({ ReviewDay.number(ofDate: $0.date) }) else {
      return ["No cards become due in the next \(ReviewText.count(days.count, "day"))."]
    }
    let rows = days.compactMap { day -> String? in
      guard day.cards > 0, let number = ReviewDay.number(ofDate: day.date) else { return nil }
      let name =
        switch number - today {
        case 0: "Today"
        case 1: "Tomorrow"
        default: "\(ReviewText.weekdayName(of: number)) \(ReviewText.date(of: number))"
        }
      return "\(name): \(ReviewText.cards(of: day))."
    }
    return [
      "\(ReviewText.count(sum, "card")) \(sum == 1 ? "becomes" : "become") due in the next "
        + "\(ReviewText.count(days.count, "day"))."
    ] + rows
  }
}
