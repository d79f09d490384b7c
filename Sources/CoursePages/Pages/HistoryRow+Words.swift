import LearningModel
package import NavigationService

extension HistoryRow {
  /// What was done and how, as a person would tell it: `You went on with a key`.
  package var told: String { ["You " + operation.told, cause.told].filter { !$0.isEmpty }.joined(separator: " ") }
}

extension [HistoryRow] {
  /// Without those where nobody was: where a sitting began only to be led elsewhere by the command that began it, and
  /// where it ended at once where it had begun. The newest step stays, and so does the order.
  package func withoutPassing() -> [HistoryRow] {
    let newest = map(\.id).max()
    let sittings = Dictionary(grouping: self, by: \.session)
    return filter { row in
      guard row.operation == .resume, row.id != newest, let active = row.activeMilliseconds, active < 1000 else {
        return true
      }
      let sitting = sittings[row.session] ?? []
      return sitting.count > 1 && !sitting.contains { $0.sequence == row.sequence + 1 && $0.cause == .shell }
    }
  }
}

extension NavigationOperation {
  fileprivate var told: String {
    switch self {
    case .push, .open: "opened it"
    case .pop, .popTo, .popToRoot: "went up"
    case .select: "went over"
    case .next: "went on"
    case .previous: "went back one"
    case .back: "went back"
    case .forward: "went forward"
    case .resume: "began here"
    case .repair: "were brought here: the course had changed"
    // A later program knows more ways.
    case .other: "came here"
    }
  }
}

extension NavigationCause {
  /// By what; nothing where the system did it, since nobody did anything then.
  fileprivate var told: String {
    switch self {
    case .key: "with a key"
    case .mouse: "with the mouse"
    case .search: "from Find"
    case .bookmark: "from your marks or notes"
    case .link: "by a link"
    case .shell: "by a command"
    case .api: "by another program"
    case .system, .other: ""
    }
  }
}
