import Foundation
package import LearningModel

/// A condition on the navigation events of a ``HistoryQuery``: its SQL, and the index that finds the matching events of
/// a learner.
package struct HistoryCondition {
  /// An SQL expression that is true if the row `event` of `navigationEvent` matches.
  let sql: String
  let values: [any ColumnValue]
  /// Returns the index that finds a learner's matching events. `nil` if no index supports the condition.
  private(set) var index: ((LearnerID) -> HistoryIndex)?
  /// The activity events that meet the condition.
  private(set) var activityEvents = ActivityEvents.all
  /// The session to which the condition limits the query, or `nil`.
  private(set) var session: SessionID?
  /// The place to whose subtree the condition limits the query, or `nil`.
  private(set) var subtree: NodeID?
  /// The start or end of the period to which the condition limits the query, or `nil`.
  private(set) var bound: Bound?

  enum ActivityEvents {
    case all
    case none
    case matching((ActivityEvent, StoreSnapshot) throws -> Bool)
  }

  enum Bound {
    case since(Timestamp)
    case until(Timestamp)
  }

  /// Creates a condition without an index. All activity events meet it.
  ///
  /// - Parameter sql: An expression that is true if the row `event` of `navigationEvent` matches.
  private init(_ sql: String, _ values: any ColumnValue...) {
    self.sql = sql
    self.values = values
  }

  /// Creates a condition on the learner and the place of an event. The same SQL decides for activity events.
  ///
  /// - Parameters:
  ///   - sql: An expression that uses no columns of `event` other than `learner` and `toNode`.
  ///   - stepSQL: A second condition that only navigation events must meet.
  private init(place sql: String, _ value: any ColumnValue, stepSQL: String? = nil) {
    self.init(([sql] + [stepSQL].compactMap(\.self)).joined(separator: " AND "), value)
    activityEvents = .matching { event, snapshot in
      var isMatching = false
      try snapshot.statements.run(
        "SELECT \(sql) FROM (SELECT ? AS learner, ? AS toNode) AS event", [value, event.learner, event.node]
      ) { row in
        isMatching = row[0]
        return false
      }
      return isMatching
    }
  }
}

extension HistoryCondition {
  /// Matches events whose destination currently is in the subtree of a place.
  package static func under(_ node: NodeID) -> HistoryCondition {
    var condition = HistoryCondition(
      """
      EXISTS (SELECT 1 FROM visitUnder AS u WHERE u.learner = event.learner AND u.node = ? AND u.event = event.id)
      """, node)
    condition.subtree = node
    condition.index = { learner in
      HistoryIndex(
        name: "visitUnder AS visit", isSeparate: true, id: "visit.event", sql: "visit.learner = ? AND visit.node = ?",
        values: [learner, node])
    }
    condition.activityEvents = .matching { event, snapshot in
      try snapshot.chain(to: event.node).contains { $0.id == node }
    }
    return condition
  }

  /// Matches events whose destination is of the given kind.
  package static func kind(_ kind: PlaceKind) -> HistoryCondition {
    var condition = column("toKind", kind.rawValue, index: "navigationEventByKind")
    if kind == .activity { condition.activityEvents = .all }
    return condition
  }

  /// Matches events with an operation.
  package static func operation(_ operation: NavigationOperation) -> HistoryCondition {
    column("operation", operation.rawValue, index: "navigationEventByOperation")
  }

  /// Matches events with a transition.
  package static func transition(_ transition: TransitionKind) -> HistoryCondition {
    column("transition", transition.rawValue, index: "navigationEventByTransition")
  }

  /// Matches events with a cause.
  package static func cause(_ cause: NavigationCause) -> HistoryCondition {
    column("cause", cause.rawValue, index: "navigationEventByCause")
  }

  /// Matches events with a value in a column of `navigationEvent`. No activity event has such a column.
  private static func column(_ column: String, _ value: String, index: String) -> HistoryCondition {
    var condition = HistoryCondition("event.\(column) = ?", value)
    condition.index = { learner in
      HistoryIndex(
        name: "navigationEvent AS event INDEXED BY \(index)", sql: "event.learner = ? AND event.\(column) = ?",
        values: [learner, value])
    }
    condition.activityEvents = .none
    return condition
  }

  /// Matches events of a session.
  package static func session(_ session: SessionID) -> HistoryCondition {
    var condition = HistoryCondition("event.session = ?", session)
    condition.session = session
    condition.index = { _ in
      HistoryIndex(
        name: "navigationEvent AS event INDEXED BY navigationEventOfSession", sql: "event.session = ?",
        values: [session])
    }
    condition.activityEvents = .matching { event, _ in event.session == session }
    return condition
  }

  /// Matches events of the sessions with the given name.
  package static func session(named name: String) -> HistoryCondition {
    var condition = HistoryCondition(
      "EXISTS (SELECT 1 FROM session WHERE session.id = event.session AND session.name = ?)", name)
    condition.index = { learner in
      HistoryIndex(
        name: "visitNamed AS visit", isSeparate: true, id: "visit.event", sql: "visit.learner = ? AND visit.name = ?",
        values: [learner, name])
    }
    condition.activityEvents = .matching { event, snapshot in
      try snapshot.session(event.session)?.session.name == name
    }
    return condition
  }

  /// Matches events at or after a time.
  package static func since(_ time: Timestamp) -> HistoryCondition {
    var condition = HistoryCondition("event.at >= ?", time)
    condition.bound = .since(time)
    condition.activityEvents = .matching { event, _ in event.at >= time }
    return condition
  }

  /// Matches events at or before a time.
  package static func until(_ time: Timestamp) -> HistoryCondition {
    var condition = HistoryCondition("event.at <= ?", time)
    condition.bound = .until(time)
    condition.activityEvents = .matching { event, _ in event.at <= time }
    return condition
  }

  /// Matches events whose destination has a title that contains a text. Case and accents are ignored, as in a search.
  package static func title(containing text: String) -> HistoryCondition {
    HistoryCondition(
      place: """
        instr(folded(ifnull((SELECT node.title FROM contentNode AS node WHERE id = event.toNode), 'Courses')), ?) > 0
        """, text.foldedForSearch)
  }

  /// Matches events whose destination is an activity that currently has a type.
  package static func type(_ type: ActivityType) -> HistoryCondition {
    HistoryCondition(place: "(SELECT type FROM activityContent WHERE node = event.toNode) = ?", type.rawValue)
  }

  /// Matches events whose destination is a quiz that the learner last answered without a mistake. If `areRight` is
  /// `false`, matches events whose destination is a quiz that the learner last answered with mistakes.
  package static func lastAnswers(areRight: Bool) -> HistoryCondition {
    HistoryCondition(
      place: """
        (SELECT score = 1 FROM activityEvent AS answered INDEXED BY activityEventOfLearner
         WHERE learner = event.learner AND node = event.toNode AND kind = 'quizChecked'
         ORDER BY orderedAt DESC, (SELECT uuid FROM session WHERE id = answered.session) DESC, sequence DESC
         LIMIT 1) = ?
        """, areRight)
  }

  /// Matches the last event that led the learner to each activity that is done. If `isDone` is `false`, matches the
  /// last event that led to each activity that was begun but is not done. All activity events of these activities match.
  package static func lastStep(atDone isDone: Bool) -> HistoryCondition {
    HistoryCondition(
      place: """
        (SELECT doneAt IS NOT NULL FROM progress
         WHERE learner = event.learner AND node = event.toNode AND isBegun = 1) = ?
        """, isDone,
      stepSQL: """
        NOT EXISTS (
          SELECT * FROM navigationEvent AS later
          WHERE later.toNode = event.toNode AND later.learner = event.learner
            AND (later.clock, later.id) > (event.clock, event.id))
        """)
  }
}

/// An index that finds the navigation events of a learner that meet a condition.
struct HistoryIndex {
  /// The SQL text after FROM.
  let name: String
  /// Whether the index is a separate table. Otherwise it contains the columns of `event`.
  var isSeparate = false
  /// The column with the ID of the event.
  var id = "event.id"
  /// An SQL expression that is true for the entries of the matching events.
  let sql: String
  let values: [any ColumnValue]

  /// Returns the index of all events of a learner.
  static func log(of learner: LearnerID) -> HistoryIndex {
    HistoryIndex(
      name: "navigationEvent AS event INDEXED BY navigationEventOfLearner", sql: "event.learner = ?",
      values: [learner])
  }
}
