import CoursePages
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// The drawing of the lines of History.
extension HistoryScreen {
  /// Draws a line.
  ///
  /// - Parameter aboveText: A text for the right end of a heading, about the lines above the visible ones.
  func surface(of index: Int, besides aboveText: String? = nil) -> Surface {
    let theme = drawing.theme
    switch lines[index] {
    case .gap: return Surface(columns: metrics.textWidth, rows: 1)
    case .message(let text): return row(StyledText(text, style: theme[typing?.mistake == nil ? .quiet : .warn]), "")
    case .day(let title, let summary):
      return row(
        StyledText(title, style: theme.bold(.strong)),
        [summary, aboveText ?? ""].filter { !$0.isEmpty }.joined(separator: "   "))
    case .session(let title):
      var line = StyledText(title + " ", style: theme[.quiet])
      let width = max(0, metrics.textWidth - line.displayWidth)
      line.append(String(repeating: drawing.symbols.horizontal, count: width), style: theme.line(.faint))
      return row(line, "")
    case .step(let step, let previous):
      let hasDetails = index == chosen && hasFrame
      var surface = Surface(columns: metrics.textWidth, rows: hasDetails ? 2 : 1)
      surface.copy(stepRow(step, before: previous, isChosen: index == chosen))
      if hasDetails {
        surface.draw(details(of: step), at: CellPoint(column: titleColumn, row: 1), style: theme[.quiet])
      }
      return surface
    }
  }

  /// Whether the graph of the path is drawn. A narrow terminal shows only the names of places.
  private var hasGraph: Bool { metrics.textWidth >= Self.minimumColumnsForGraph }
  private static let minimumColumnsForGraph = 36

  private var graph: HistoryGraph { HistoryGraph(showsRoot: hasRoot, level: metrics.isSmall ? 2 : 3) }

  /// The column at which the graph starts, after the time.
  private var graphColumn: Int { 8 }

  var titleColumn: Int {
    guard hasGraph else { return graphColumn }
    // Activities are at depth 4.
    return graphColumn + (metrics.isSmall ? graph.width(depth: 4) + 1 : max(15, graph.width(depth: 5) + 2))
  }

  private func stepRow(_ step: HistoryRow, before previous: HistoryGraph.PreviousStep?, isChosen: Bool) -> Surface {
    let theme = context.appearance.theme
    var leftText = StyledText()
    if metrics.isSmall {
      leftText.append(isChosen ? drawing.symbols.marker + " " : "  ", style: theme.bold(Role(step.to.kind)))
    }
    leftText.append(context.dayNames.time(step.at), style: theme[.quiet])
    leftText.append(String(repeating: " ", count: max(1, graphColumn - leftText.displayWidth)))
    let depth = step.stack.count - 1
    let graph = graph.cell(depth: depth, before: previous, symbols: context.appearance.symbols)
    if hasGraph { leftText.append(graph, style: theme.line(Role(step.to.kind))) }
    leftText.append(String(repeating: " ", count: max(hasGraph ? 1 : 0, titleColumn - leftText.displayWidth)))
    let isMarked = isChosen && metrics.isSmall
    leftText.append(step.to.title, style: isMarked ? theme.bold(Role(step.to.kind)) : theme[.foreground])
    if step.to.kind == .course {
      leftText.append(courseNames.suffix(of: step.to.title, at: step.to.path), style: theme[.quiet])
    }
    // If there is too little space, the duration is omitted first, then the outcome. The title is always shown.
    let rightTexts = [facts(of: step, withTime: true), facts(of: step, withTime: false), StyledText()]
    let rightText =
      rightTexts.first { leftText.displayWidth + 2 + $0.displayWidth <= metrics.textWidth } ?? StyledText()
    return drawing.lines.row(leftText, rightText, width: metrics.textWidth)
  }

  /// The width of the column of outcomes, so that all durations end in the same column. 0 if there are no outcomes.
  private var outcomeWidth: Int { outcomes.values.contains { outcomeText($0).displayWidth > 0 } ? 9 : 0 }

  /// The minimum width at which durations and outcomes are both shown. At this width they fit next to most titles.
  private static let minimumColumnsForOutcomes = 64

  /// Returns the duration and the outcome of a visit, each in its column: `27 min 62 % read`. If only one fits, returns
  /// the outcome.
  private func facts(of step: HistoryRow, withTime: Bool) -> StyledText {
    let quiet = drawing.theme[.quiet]
    guard let active = step.activeTime?.milliseconds else {
      return StyledText(step.id == newest ? "you are here" : "", style: quiet)
    }
    let outcome = outcomes[step.id].map(outcomeText) ?? StyledText()
    let time = active < 1000 || !withTime ? "" : DisplayFormat.duration(milliseconds: active)
    var text = StyledText(time, style: quiet)
    if metrics.textWidth < Self.minimumColumnsForOutcomes || time.isEmpty {
      return outcome.displayWidth > 0 ? outcome : text
    }
    let width = outcomeWidth
    if width > 0 { text.append(String(repeating: " ", count: 2 + max(0, width - outcome.displayWidth))) }
    text.append(outcome)
    return text
  }

  /// Returns the outcome of a visit: `✓ done`, `✓ 80 %`, `62 % read`, `3 of 8`.
  private func outcomeText(_ outcome: VisitOutcome) -> StyledText {
    let quiet = drawing.theme[.quiet]
    let score = outcome.score.map(DisplayFormat.percent)
    guard outcome.isDone else {
      let read = outcome.fraction.flatMap { fraction in
        fraction <= 0
          ? nil
          : outcome.itemCount.map { "\(DisplayFormat.portion(fraction, of: $0)) of \($0)" } ?? DisplayFormat.percent(
            fraction) + " read"
      }
      return StyledText(score ?? read ?? "", style: quiet)
    }
    var text = StyledText(drawing.symbols.done, style: drawing.theme[.good])
    text.append(" " + (score ?? "done"), style: quiet)
    return text
  }

  /// Returns a text on how the learner came to the place and, if it fits, when they left.
  private func details(of step: HistoryRow) -> String {
    let departureText = step.leftAt.map { "; you left at " + context.dayNames.time($0) } ?? ""
    return titleColumn + (step.sentence + departureText).displayWidth <= metrics.textWidth
      ? step.sentence + departureText : step.sentence
  }
}

/// The steps as lines, grouped by day.
extension HistoryScreen {
  /// A line of the list.
  enum Line: Hashable {
    case day(title: String, summary: String)
    case step(HistoryRow, before: HistoryGraph.PreviousStep?)
    /// The heading of a session that is not the first of its day, with its time and duration.
    case session(title: String)
    case gap
    /// A row of the message of an empty list.
    case message(String)

    var isDay: Bool { if case .day = self { true } else { false } }
    var step: HistoryRow? { if case .step(let step, _) = self { step } else { nil } }
  }

  /// Returns the lines for steps: the days from newest to oldest, each with its steps in chronological order.
  ///
  /// - Parameters:
  ///   - isAll: Whether no older steps exist. If `false`, the number of steps on the oldest day is unknown.
  ///   - isPart: Whether steps between the given ones are omitted. If `true`, the graph connects only consecutive
  ///     steps.
  ///   - isTight: Whether blank rows are omitted except between days, for small terminals.
  static func lines(
    of rows: [HistoryRow], isAll: Bool, isPart: Bool = false, isTight: Bool = false,
    _ dates: RelativeDateFormat
  ) -> [Line] {
    let days = Dictionary(grouping: rows) { dates.calendar.startOfDay(for: $0.at.date) }
    let oldest = days.keys.min()
    return days.keys.sorted(by: >).enumerated().flatMap { number, day -> [Line] in
      let steps = days[day]!.sorted { $0.id < $1.id }
      let active = steps.compactMap(\.activeTime?.milliseconds).reduce(0, +)
      let title = dates.weekday(Timestamp(date: day)) + " " + dates.date(Timestamp(date: day))
      // A duration of less than a second is omitted.
      let time = active < 1000 ? "" : DisplayFormat.duration(milliseconds: active) + ", "
      let summary = time + DisplayFormat.count(steps.count, "step")
      let header = Line.day(title: title, summary: isAll || day != oldest ? summary : "")
      return (isTight ? number == 0 ? [header] : [.gap, header] : [.gap, header, .gap])
        + steps.enumerated().flatMap { index, step -> [Line] in
          let previous = index > 0 && steps[index - 1].session == step.session ? steps[index - 1] : nil
          let isJoined = previous.map { !isPart || $0.sequence + 1 == step.sequence } ?? false
          let row = Line.step(
            step,
            before: isJoined
              ? previous.map { HistoryGraph.PreviousStep(level: $0.stack.count - 1, isJump: !step.isAdjacent(to: $0)) }
              : nil)
          let startsSession = index > 0 && steps[index - 1].session != step.session && !isTight
          return startsSession ? [.session(title: sessionTitle(ofSessionFrom: step, in: steps, dates)), row] : [row]
        }
    }
  }

  /// Returns the time and the duration of a session that is not the first of its day: `20:13, 48 min`.
  private static func sessionTitle(ofSessionFrom step: HistoryRow, in steps: [HistoryRow], _ dates: RelativeDateFormat)
    -> String
  {
    let active = steps.filter { $0.session == step.session }.compactMap(\.activeTime?.milliseconds).reduce(0, +)
    return dates.time(step.at) + (active < 1000 ? "" : ", " + DisplayFormat.duration(milliseconds: active))
  }
}

/// The activity bars of this week and earlier weeks.
extension HistoryScreen {
  private static let weekLength: Int64 = 7 * 24 * 3_600_000

  /// Shows the bars of another week and selects the last step of that week.
  ///
  /// - Parameter step: The number of weeks to move; -1 for the previous week.
  func showWeek(by step: Int) {
    let next = min(0, weekNumber + step)
    guard next != weekNumber else { return }
    let time = context.now.advanced(byMilliseconds: Int64(next) * Self.weekLength)
    context.trying {
      let week = try HistoryWeek(of: context.navigation, at: time, now: context.now, symbols: drawing.symbols)
      // The learner can go back only to the week of the first step.
      let until = HistoryFilter(until: week.end.date)
      guard try next == 0 || !context.navigation.history.page(until, limit: 1).rows.isEmpty else {
        return context.notify("There is no earlier history.", .warn)
      }
      (self.week, weekNumber) = (week, next)
      chooseLastStep(until: week.end)
    }
  }
}
