internal import LearningModel
internal import NavigationService

extension HistoryRow {
  /// What was done and how, as a person would tell it: `You went on with a key`.
  var told: String { ["You " + operation.told, cause.told].filter { !$0.isEmpty }.joined(separator: " ") }
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
    case .bookmark: "from your marks"
    case .link: "by a link"
    case .shell: "by a command"
    case .api: "by another program"
    case .system: ""
    }
  }
}
