/// The states that Esc leaves, from the innermost to the outermost.
///
/// This table fixes the order. Each page and tab lists the targets that it has at the moment, and Esc leaves the first
/// one. The last row shows its label.
enum EscapeTarget: Int, CaseIterable, Comparable {
  case overlay
  /// A search field.
  case typing
  /// The running check of an exercise.
  case check
  /// The focus in a side pane, in a preview, or in the output of a check.
  case pane
  /// The matches of a search in a text.
  case search
  /// A selected paragraph, table or code block.
  case block
  case link
  /// A selected attempt at a quiz.
  case attempt
  /// The matches of the query with which a page was opened.
  case matches
  /// The result of the check of an exercise.
  case result
  /// The explanation of a question in the results of a quiz.
  case explanation
  /// The results of an earlier attempt at a quiz.
  case pastResults
  /// A filter of the history.
  case filter
  /// The review in progress.
  case review
  /// The place to which the Review tab is limited.
  case reviewPlace
  /// A tab other than Learn.
  case tab
  /// The page itself. Esc opens the page that contains it.
  case page

  /// The label of Esc in the last row.
  var label: String {
    switch self {
    case .overlay, .tab, .result: "close"
    case .check: "end check"
    case .typing: "cancel"
    case .pane: "back to the page"
    case .search: "end search"
    case .block, .link, .attempt: "deselect"
    case .matches: "clear"
    case .explanation: "all questions"
    case .pastResults: "all attempts"
    case .filter: "all steps"
    case .review: "end review"
    case .reviewPlace: "all courses"
    case .page: "up"
    }
  }

  static func < (first: EscapeTarget, second: EscapeTarget) -> Bool { first.rawValue < second.rawValue }
}

/// A page or tab with things that Esc leaves.
@MainActor protocol EscapeTargetOwner {
  /// The targets that exist now, in any order.
  var escapeTargets: Set<EscapeTarget> { get }

  /// Leaves a target. Returns `false` if an ancestor must leave it.
  func leave(_ target: EscapeTarget) -> Bool
}

extension EscapeTargetOwner {
  /// The innermost target.
  var escapeTarget: EscapeTarget { escapeTargets.min() ?? .page }

  /// Leaves the innermost target.
  func leaveInnermost() -> Bool { leave(escapeTarget) }
}
