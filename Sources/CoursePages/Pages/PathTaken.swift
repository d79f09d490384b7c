package import LearningModel
package import NavigationKit

/// The learner's visits to a course, goal or lesson: sessions, time, quiz scores and the path between its places.
package struct PathTaken {
  /// The last steps at the place and below it, the oldest first.
  private let rows: [HistoryRow]
  /// The number of sessions, or `nil` if there are more steps than were read.
  private let sessionCount: Int?
  private let activeMilliseconds: Int64
  private let scores: [(right: Int, of: Int)]

  /// The maximum number of steps that are read.
  private static let maximumRows = 2000

  /// Reads the visits of a place.
  package init(in place: NamedPlace, from navigation: NavigationService) throws {
    let page = try navigation.history.page(
      HistoryFilter(under: .place(place.place)), limit: Self.maximumRows)
    rows = page.rows.withoutUnattendedVisits().reversed()
    sessionCount = page.next == nil ? Set(rows.map(\.session)).count : nil
    activeMilliseconds = rows.compactMap(\.activeTime?.milliseconds).reduce(0, +)
    let quizzes = try navigation.progress.lastQuizAttempts(under: .place(place.place)).map(\.quiz.place)
    scores = try navigation.places.summaries(of: quizzes).values.compactMap(\.best).map { ($0.right, $0.of) }
  }

  /// The number of sessions, such as `2 sessions`. Empty if the place was not visited.
  package var sessions: String {
    rows.isEmpty
      ? "" : sessionCount.map { DisplayFormat.count($0, "session") } ?? "many sessions"
  }

  /// Whether the summary contains only that there was one session.
  package var isBrief: Bool { sessionCount == 1 && activeMilliseconds < 60_000 && scores.isEmpty }

  /// The time, the sessions and the quiz scores, such as `25 min in 2 sessions, 4 of 5 right`.
  package var summary: String {
    let time = activeMilliseconds < 60_000 ? "" : DisplayFormat.duration(milliseconds: activeMilliseconds)
    let visits = [time, sessions].filter { !$0.isEmpty }.joined(separator: " in ")
    let (right, total) = scores.reduce((0, 0)) { ($0.0 + $1.right, $0.1 + $1.of) }
    return [visits, total == 0 ? "" : "\(right) of \(total) right"].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Draws the last steps of the path, the oldest first: the graph of the history, and the title of each place.
  ///
  /// - Parameter limit: The maximum number of steps. If there are more, the first line is an ellipsis.
  package func lines(limit: Int, symbols: Symbols) -> [(graph: String, title: String, kind: PlaceKind)] {
    let shown = rows.suffix(limit)
    let top = shown.map { $0.stack.count - 1 }.min() ?? 0
    let graph = HistoryGraph(showsRoot: true, level: 2)
    let width = graph.width(depth: (shown.map { $0.stack.count - 1 }.max() ?? 0) - top)
    var previous: HistoryRow?
    let steps = shown.map { row -> (graph: String, title: String, kind: PlaceKind) in
      defer { previous = row }
      let before = previous.flatMap { earlier in
        earlier.session == row.session
          ? HistoryGraph.PreviousStep(level: earlier.stack.count - 1 - top, isJump: !row.isAdjacent(to: earlier)) : nil
      }
      let cell = graph.cell(depth: row.stack.count - 1 - top, before: before, symbols: symbols)
      return (cell + String(repeating: " ", count: max(0, width - cell.count)), row.to.title, row.to.kind)
    }
    return (rows.count > shown.count ? [(symbols.ellipsis, "", .root)] : []) + steps
  }
}

extension HistoryRow {
  /// Returns whether a step leads to a descendant, an ancestor or a sibling of the previous place. Any other step is a
  /// jump.
  package func isAdjacent(to previous: HistoryRow) -> Bool {
    let (from, to) = (previous.stack.map(\.place), stack.map(\.place))
    let common = zip(from, to).prefix { $0 == $1 }.count
    return common == to.count || common == from.count || common == from.count - 1 && common == to.count - 1
  }
}
