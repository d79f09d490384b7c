import LearningModel
package import NavigationKit

extension HistoryRow {
  /// A sentence about the event, such as `You went on with a key`.
  package var sentence: String {
    ["You " + operation.phrase, cause.phrase].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension [HistoryRow] {
  /// Returns the rows in the same order, without the visits in ``Swift/Array/unattendedVisitIDs()``.
  package func withoutUnattendedVisits() -> [HistoryRow] {
    let unattended = map(\.visitTime).unattendedVisitIDs()
    return unattended.isEmpty ? self : filter { !unattended.contains($0.id) }
  }
}

extension [VisitTime] {
  /// Returns the IDs of visits that do not show that the learner was present, such as those of a script.
  ///
  /// Such a visit begins a session and lasts less than a second. The next step of the session was caused by a shell
  /// command, or there is no next step. The newest visit is never included.
  package func unattendedVisitIDs() -> Set<Int64> {
    let newest = map(\.id).max()
    let candidates = filter {
      $0.operation == .resume && $0.id != newest && $0.activeMilliseconds.map { $0 < 1000 } ?? false
    }
    guard !candidates.isEmpty else { return [] }
    let sessions = Set(candidates.map(\.session))
    let visits = Dictionary(grouping: filter { sessions.contains($0.session) }, by: \.session)
    return Set(
      candidates.filter { visit in
        let others = visits[visit.session] ?? []
        return !(others.count > 1 && !others.contains { $0.sequence == visit.sequence + 1 && $0.cause == .shell })
      }.map(\.id))
  }
}

extension NavigationOperation {
  fileprivate var phrase: String {
    switch self {
    case .push, .open: "opened it"
    case .pop, .popTo, .popToRoot: "went up"
    case .select: "selected it"
    case .next: "went to the next place"
    case .previous: "went to the previous place"
    case .back: "went back"
    case .forward: "went forward"
    case .resume: "resumed here"
    case .repair: "were moved here because the course changed"
    // Operations of a later version.
    case .other: "came here"
    }
  }
}

extension NavigationCause {
  /// The input that caused the event. Empty for events that the system caused, because the learner did nothing.
  fileprivate var phrase: String {
    switch self {
    case .key: "with a key"
    case .mouse: "with the mouse"
    case .search: "from Find"
    case .bookmark: "from your bookmarks or notes"
    case .link: "with a link"
    case .shell: "with a command"
    case .api: "with another program"
    case .system, .other: ""
    }
  }
}
