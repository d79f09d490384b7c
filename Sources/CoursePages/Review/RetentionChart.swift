package import NavigationKit
package import TextCanvas

/// The share of remembered cards in each month, as a line and in words.
package struct RetentionChart {
  /// The months, the oldest first.
  package let months: [MonthRetention]
  /// The desired share, 0…1, drawn as a dotted line.
  package let desired: Double

  /// Creates a chart.
  package init(_ months: [MonthRetention], desired: Double) {
    self.months = months
    self.desired = desired
  }

  /// The title. Answers in learning steps are not counted.
  package static let title = "Remembered by month, after a day or more"

  /// The columns of the labels at the left: `100 % `.
  private static let labelWidth = 6
  private static let pitches = 4...8

  /// Draws the line, with the name and the percentage of each month below it. A month without reviews interrupts the
  /// line. If not all months fit, the oldest ones are omitted.
  package func drawing(_ size: CellSize, _ lines: LineDrawing) -> Surface {
    var surface = Surface(size)
    let (theme, symbols) = (lines.theme, lines.symbols)
    let available = size.columns - Self.labelWidth
    guard size.rows >= 5, available >= Self.pitches.lowerBound else { return surface }
    guard months.contains(where: { $0.retention != nil }) else {
      let lines = StyledText(Self.withoutReviews, style: theme[.quiet]).wrapped(to: size.columns)
      for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: 0, row: row)) }
      return surface
    }
    let pitch = min(Self.pitches.upperBound, max(Self.pitches.lowerBound, available / months.count))
    let visible = months.suffix(available / pitch)
    let scale = Scale(visible.compactMap(\.retention) + [desired], rows: size.rows - 2)

    let width = visible.count * pitch - 1
    surface.draw(
      String(repeating: symbols.dotted, count: width),
      at: CellPoint(column: Self.labelWidth, row: scale.row(of: desired)), style: theme.line(.faint))
    for share in [desired, scale.lowest, 1] {
      let label = DisplayFormat.percent(share)
      surface.draw(
        String(repeating: " ", count: max(0, 5 - label.count)) + label,
        at: CellPoint(column: 0, row: scale.row(of: share)), style: theme[.quiet])
    }
    var previous: CellPoint?
    for (index, month) in visible.enumerated() {
      let column = Self.labelWidth + index * pitch
      surface.draw(
        String(ReviewText.month(month.month).prefix(3)), at: CellPoint(column: column, row: size.rows - 2),
        style: theme[index == visible.count - 1 ? .strong : .quiet])
      guard let share = month.retention else {
        previous = nil
        continue
      }
      let point = CellPoint(column: column + 1, row: scale.row(of: share))
      if let previous { draw(from: previous, to: point, on: &surface, lines) }
      surface.draw(symbols.place, at: point, style: theme.line(.good))
      surface.draw(
        String(DisplayFormat.portion(share, of: 100)), at: CellPoint(column: column, row: size.rows - 1),
        style: theme[.foreground])
      previous = point
    }
    return surface
  }

  /// Draws a line with one step between two points.
  private func draw(from start: CellPoint, to end: CellPoint, on surface: inout Surface, _ lines: LineDrawing) {
    let symbols = lines.symbols
    let style = lines.theme.line(.good)
    let middle = (start.column + end.column) / 2
    func put(_ symbol: Character, _ column: Int, _ row: Int) {
      surface.draw(String(symbol), at: CellPoint(column: column, row: row), style: style)
    }
    for column in start.column + 1..<end.column where column != middle || start.row == end.row {
      put(symbols.horizontal, column, column < middle ? start.row : end.row)
    }
    guard start.row != end.row else { return }
    let isRising = end.row < start.row
    put(symbols.corners[isRising ? 3 : 1], middle, start.row)
    put(symbols.corners[isRising ? 0 : 2], middle, end.row)
    for row in min(start.row, end.row) + 1..<max(start.row, end.row) { put(symbols.vertical, middle, row) }
  }

  /// The vertical axis: from a multiple of ten percent, at most 80 %, to 100 %.
  private struct Scale {
    let lowest: Double
    let rows: Int

    init(_ shares: [Double], rows: Int) {
      lowest = min(0.8, ((shares.min() ?? 0) * 10).rounded(.down) / 10)
      self.rows = rows
    }

    func row(of share: Double) -> Int {
      let fraction = min(1, max(0, (1 - share) / (1 - lowest)))
      return DisplayFormat.portion(fraction, of: rows - 1)
    }
  }

  private static let withoutReviews = "Counts cards that came back after a day or more. None has been answered yet."

  /// The months with reviews in words, the newest first.
  package var sentences: [String] {
    let rows = months.reversed().compactMap { month -> String? in
      guard let share = month.retention else { return nil }
      let percent = DisplayFormat.percent(share).replacing(" %", with: " percent")
      return "\(ReviewText.month(month.month)): \(percent) of \(ReviewText.count(month.reviews, "review")) remembered."
    }
    return rows.isEmpty ? [Self.withoutReviews] : rows
  }
}
