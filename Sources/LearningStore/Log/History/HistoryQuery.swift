public import LearningModel

/// Which steps of the log are asked for.
public struct HistoryQuery: Hashable, Sendable {
  /// Whose; everyone's where `nil`.
  public var learner: LearnerID?
  /// In which session; in any where `nil`.
  public var session: SessionID?
  /// In sessions of which name; of any where `nil`.
  public var sessionName: String?
  /// In which subtrees the place after was, as the tree is today: in each of them.
  public var under: [NodeID] = []
  /// What the place after was.
  public var kind: PlaceKind?
  /// What was done.
  public var operation: NavigationOperation?
  /// What it looked like.
  public var transition: TransitionKind?
  /// Who asked.
  public var cause: NavigationCause?
  /// Not before that moment.
  public var since: Timestamp?
  /// Not after that moment.
  public var until: Timestamp?
  /// What the title of the place after holds, each of them, in capitals or not.
  public var texts: [String] = []
  /// Of which type the activity after is, as it is today.
  public var type: ActivityType?
  /// Whether the learner's last answers to the quiz after were all right.
  public var areAnswersRight: Bool?
  /// Whether the activity after is done, or begun and not done; of each the last step there.
  public var isDone: Bool?
  /// Only rows before that one, as for the next page.
  public var before: Int64?

  /// Asks for everything.
  public init() {}
}

extension StoreSnapshot {
  /// Calls a function with each step that is asked for, the newest first, until it answers `false`.
  ///
  /// - Parameter limit: At most that many; all of them where `nil`.
  public func forEachStep(
    matching query: HistoryQuery, limit: Int? = nil, _ body: (LoggedStep) throws -> Bool
  ) throws {
    guard let statement = try HistoryStatement(query, limit: limit, in: self) else { return }
    try statements.run(statement.sql, statement.values) { try body(LoggedStep(row: $0)) }
  }

  /// Returns each step that is asked for, the newest first.
  public func steps(matching query: HistoryQuery, limit: Int? = nil) throws -> [LoggedStep] {
    var steps: [LoggedStep] = []
    try forEachStep(matching: query, limit: limit) {
      steps.append($0)
      return true
    }
    return steps
  }

  /// Whether a learner, or anybody, has had a session of that name.
  public func hasSession(named name: String, of learner: LearnerID?) throws -> Bool {
    try value(Self.nameText, learner, name) == true
  }

  private static let nameText = StatementText(
    """
    SELECT 1 FROM learner
    WHERE id = ifnull(?1, id) AND EXISTS (SELECT 1 FROM visitNamed WHERE learner = learner.id AND name = ?2) LIMIT 1
    """)
}
