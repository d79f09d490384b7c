package import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The score of a place, based on how often and how recently it was visited.
///
/// Each visit counts 1 at its time, and half of that a week later. The stored score is the logarithm of the sum
/// relative to 1970. The order of two places therefore does not change while neither is visited, and stored scores need
/// no updates.
///
/// Source: exponential decay in log space: ln(eˢ + e^(λt)), with λ = ln 2 ÷ half-life.
package enum VisitScore {
  /// The time in milliseconds after which a visit counts half: one week.
  package static let halfLife: Double = 7 * 86_400_000

  /// Returns the score after another visit.
  ///
  /// - Parameters:
  ///   - time: The time at which the visit begins.
  ///   - score: The previous score, or `nil` for the first visit.
  static func adding(visitAt time: Timestamp, to score: Double?) -> Double {
    let visit = M_LN2 / halfLife * Double(time.milliseconds)
    guard let score else { return visit }
    return max(score, visit) + log1p(exp(-abs(score - visit)))
  }

  /// Returns the value of a score at a point in time, in units of visits at that time.
  package static func decayed(of score: Double, at time: Timestamp) -> Double {
    exp(score - M_LN2 / halfLife * Double(time.milliseconds))
  }
}

extension NavigationOperation {
  /// Whether an event with this operation counts as a deliberate visit of its destination. Leaving a place, moving
  /// through the history and repairs do not count.
  var scores: Bool {
    switch self {
    case .push, .select, .next, .previous, .open: true
    case .pop, .popTo, .popToRoot, .back, .forward, .resume, .repair, .other: false
    }
  }
}

extension StoreTransaction {
  /// Adds a visit to the score of a place.
  func score(_ node: NodeID, for learner: LearnerID, visitedAt time: Timestamp) throws {
    let old: Double? = try snapshot.value(Self.scoreSQL, learner, node)
    try run(Self.setScoreSQL, learner, node, VisitScore.adding(visitAt: time, to: old), time)
  }

  private static let scoreSQL = StatementText("SELECT score FROM placeScore WHERE learner = ? AND node = ?")
  private static let setScoreSQL = StatementText(
    """
    INSERT INTO placeScore (learner, node, score, lastVisitAt, visits) VALUES (?, ?, ?, ?, 1)
    ON CONFLICT DO UPDATE SET score = excluded.score, lastVisitAt = max(lastVisitAt, excluded.lastVisitAt),
      visits = visits + 1
    """)
}

/// A visited place with its score.
package struct ScoredPlace: Hashable, Sendable {
  package let node: NodeID
  /// The logarithm of the score; see ``VisitScore``.
  package let score: Double
  package let lastVisitAt: Timestamp
  package let visits: Int
}

extension ScoredPlace {
  fileprivate init(row: ResultRow) {
    self.init(node: row[0], score: row[1], lastVisitAt: row[2], visits: row[3])
  }
}

extension StoreSnapshot {
  /// Returns the current places that a learner has visited, those with the highest score first. Places with equal
  /// scores are sorted by node ID, which is the order of their import.
  ///
  /// - Parameters:
  ///   - now: The current time. Later visits are ignored.
  ///   - limit: The maximum number of places, or `nil` for all of them.
  package func scoredPlaces(of learner: LearnerID, at now: Timestamp, limit: Int?) throws -> [ScoredPlace] {
    let places = try all(Self.scoredPlacesSQL, learner, now, limit ?? -1, as: ScoredPlace.init)
    // A place with a visit in the future has a higher score than one with a single visit now.
    let ahead: [NodeID] = try all(Self.visitedAheadSQL, learner, now, VisitScore.adding(visitAt: now, to: nil)) {
      $0[0]
    }
    guard !ahead.isEmpty else { return places }
    let all = try places + ahead.compactMap { try scoredPlace($0, of: learner, at: now) }
    return Array(all.sorted { ($1.score, $0.node) < ($0.score, $1.node) }.prefix(limit ?? .max))
  }

  private static let scoredPlacesSQL = StatementText(
    """
    SELECT score.node, score.score, score.lastVisitAt, score.visits
    FROM placeScore AS score INDEXED BY placeScoreInOrder
    JOIN contentNode AS node ON node.id = score.node AND node.living = 1
    WHERE score.learner = ? AND score.lastVisitAt <= ? ORDER BY score.score DESC, score.node LIMIT ?
    """)
  private static let visitedAheadSQL = StatementText(
    """
    SELECT score.node FROM placeScore AS score INDEXED BY placeScoreInOrder
    JOIN contentNode AS node ON node.id = score.node AND node.living = 1
    WHERE score.learner = ?1 AND score.lastVisitAt > ?2 AND score.score >= ?3
    """)
  private static let scoredPlaceSQL = StatementText(
    "SELECT node, score, lastVisitAt, visits FROM placeScore WHERE learner = ? AND node = ?")

  /// Returns the score of a place for a learner, or `nil` if they have never visited it.
  ///
  /// - Parameter now: The current time. Later visits are ignored.
  package func scoredPlace(_ node: NodeID, of learner: LearnerID, at now: Timestamp) throws -> ScoredPlace? {
    let stored = try first(Self.scoredPlaceSQL, learner, node, as: ScoredPlace.init)
    guard let stored, stored.lastVisitAt > now else { return stored }
    var past: ScoredPlace?
    try statements.run(Self.visitsSQL, [node, learner, now]) { row in
      guard try row.word(NavigationOperation.self, at: 1)?.scores ?? false else { return true }
      past = ScoredPlace(
        node: node, score: VisitScore.adding(visitAt: row[0], to: past?.score), lastVisitAt: row[0],
        visits: 1 + (past?.visits ?? 0))
      return true
    }
    return past
  }

  private static let visitsSQL = StatementText(
    """
    SELECT at, operation FROM navigationEvent INDEXED BY navigationEventByPlace
    WHERE toNode = ? AND learner = ? AND at <= ? ORDER BY at
    """)
}
