import GRDB
public import LearningModel

/// A row of the navigation log.
public struct LoggedStep: Hashable, Sendable {
  /// The step.
  public let event: NavigationEvent
  /// What the place before was then; `nil` for the first step of a session.
  public let fromKind: PlaceKind?
  /// What the place after was then.
  public let toKind: PlaceKind
  /// Of a traversal, the sequence of the visit that it returned to.
  public let returnsTo: Int?

  static let columns = """
    event.id, event.uuid, event.learner, event.session, event.sequence, event.operation, event.returnsTo, \
    event.transition, event.direction, event.reason, event.movingNode, event.animated, event.cause, event.fromKind, \
    event.fromNode, event.toKind, event.toNode, event.stack, event.at, event.leftAt, event.activeMs, \
    event.courseRevision
    """

  init(row: Row) throws {
    let transition: TransitionChoice? =
      if let kind = try row.word(TransitionKind.self, at: 7), let reason = try row.word(TransitionReason.self, at: 9) {
        TransitionChoice(
          kind: kind, direction: try row.word(TransitionDirection.self, at: 8), reason: reason,
          node: (row[10] as Int64?).map(NodeID.init(rawValue:)))
      } else {
        nil
      }
    fromKind = try row.word(PlaceKind.self, at: 13)
    toKind = try row.word(PlaceKind.self, at: 15) ?? .root
    returnsTo = row[6]
    event = NavigationEvent(
      id: row[0], uuid: row[1], learner: LearnerID(rawValue: row[2]), session: SessionID(rawValue: row[3]),
      sequence: row[4], operation: try row.word(NavigationOperation.self, at: 5) ?? .open, transition: transition,
      isAnimated: row[11], cause: try row.word(NavigationCause.self, at: 12) ?? .system,
      from: fromKind == nil ? nil : Place((row[14] as Int64?).map(NodeID.init(rawValue:))),
      to: Place((row[16] as Int64?).map(NodeID.init(rawValue:))),
      stack: [.root] + StackText.nodes(row[17]).map(Place.node), at: Timestamp(milliseconds: row[18]),
      leftAt: (row[19] as Int64?).map(Timestamp.init(milliseconds:)), activeMilliseconds: row[20],
      courseRevision: row[21])
  }
}

/// The stack as the log writes it: the ids from the course down, as a JSON array.
enum StackText {
  static func write(_ nodes: [NodeID]) -> String {
    "[" + nodes.map { String($0.rawValue) }.joined(separator: ",") + "]"
  }

  static func nodes(_ text: String) -> [NodeID] {
    text.split { !("0"..."9").contains($0) }.compactMap { Int64($0).map(NodeID.init(rawValue:)) }
  }
}

extension Row {
  /// Reads a word of a closed list.
  ///
  /// - Throws: ``LearningStoreError/damaged(path:detail:)`` where the column holds another word.
  func word<Word: RawRepresentable>(_ type: Word.Type, at column: Int) throws -> Word? where Word.RawValue == String {
    guard let text = self[column] as String? else { return nil }
    guard let word = Word(rawValue: text) else {
      throw LearningStoreError.damaged(path: "navigationEvent", detail: "'\(text)' is no \(type)")
    }
    return word
  }
}

extension StoreSnapshot {
  /// Returns the last step of a session; `nil` before its first.
  public func lastStep(of session: SessionID) throws -> LoggedStep? {
    let sql = """
      SELECT \(LoggedStep.columns) FROM navigationEvent AS event
      WHERE session = ? ORDER BY sequence DESC LIMIT 1
      """
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [session.rawValue]).map(LoggedStep.init)
  }

  /// Returns what was done after a step in its session; `nil` where it is the last one.
  public func operation(after step: LoggedStep) throws -> NavigationOperation? {
    let sql = "SELECT operation FROM navigationEvent WHERE session = ? AND sequence = ?"
    return try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [step.event.session.rawValue, step.event.sequence + 1]
    ).flatMap { try $0.word(NavigationOperation.self, at: 0) }
  }

  /// Returns the newest step of a learner in any session; `nil` where they have no history.
  public func newestStep(of learner: LearnerID) throws -> LoggedStep? {
    let sql = """
      SELECT \(LoggedStep.columns) FROM navigationEvent AS event INDEXED BY navigationEventOfLearner
      WHERE learner = ? ORDER BY id DESC LIMIT 1
      """
    return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [learner.rawValue]).map(LoggedStep.init)
  }

  /// Returns the steps of a session in their order.
  public func steps(of session: SessionID) throws -> [LoggedStep] {
    let sql = "SELECT \(LoggedStep.columns) FROM navigationEvent AS event WHERE session = ? ORDER BY sequence"
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [session.rawValue]).map(LoggedStep.init)
  }

  /// Returns the last step of a session that led to a node by a moment; `nil` where none had.
  public func lastVisit(of node: NodeID, in session: SessionID, by moment: Timestamp) throws -> LoggedStep? {
    let sql = """
      SELECT \(LoggedStep.columns) FROM navigationEvent AS event
      WHERE session = ? AND toNode = ? AND at <= ? ORDER BY sequence DESC LIMIT 1
      """
    return try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [session.rawValue, node.rawValue, moment.milliseconds]
    ).map(LoggedStep.init)
  }
}
