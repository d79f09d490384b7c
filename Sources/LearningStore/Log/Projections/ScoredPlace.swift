package import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The score of a place by how often and how lately it was visited.
///
/// Each visit is worth one when it happens and half of that a week later. The sum is kept as its logarithm, as seen from
/// 1970: then the order of two places never changes while nobody visits them, and no score needs to be kept up to date.
///
/// Source: exponential decay in log space: ln(eˢ + e^(λt)), with λ = ln 2 ÷ half-life.
package enum VisitScore {
  /// After how long a visit is worth half, in milliseconds: a week.
  package static let halfLife: Double = 7 * 86_400_000

  /// Returns the score after one more visit.
  ///
  /// - Parameters:
  ///   - score: The score before; `nil` where this is the first visit.
  ///   - moment: When the visit begins.
  static func adding(visitAt moment: Timestamp, to score: Double?) -> Double {
    let visit = M_LN2 / halfLife * Double(moment.milliseconds)
    guard let score else { return visit }
    return max(score, visit) + log1p(exp(-abs(score - visit)))
  }

  /// Returns what a score is worth at a moment, in visits that happen just then.
  package static func worth(of score: Double, at moment: Timestamp) -> Double {
    exp(score - M_LN2 / halfLife * Double(moment.milliseconds))
  }
}

extension NavigationOperation {
  /// Whether arriving by it says that the learner wanted to be there: not on the way out, along old visits, or by repair.
  var scores: Bool {
    switch self {
    case .push, .select, .next, .previous, .open: true
    case .pop, .popTo, .popToRoot, .back, .forward, .resume, .repair, .other: false
    }
  }
}

extension StoreTransaction {
  /// Adds a visit to the score of a place.
  func score(_ node: NodeID, for learner: LearnerID, visitedAt moment: Timestamp) throws {
    let old: Double? = try snapshot.value(Self.scoreText, learner, node)
    try run(Self.setScoreText, learner, node, VisitScore.adding(visitAt: moment, to: old), moment)
  }

  private static let scoreText = StatementText("SELECT score FROM placeScore WHERE learner = ? AND node = ?")
  private static let setScoreText = StatementText(
    """
    INSERT INTO placeScore (learner, node, score, lastVisitAt, visits) VALUES (?, ?, ?, ?, 1)
    ON CONFLICT DO UPDATE SET score = excluded.score, lastVisitAt = max(lastVisitAt, excluded.lastVisitAt),
      visits = visits + 1
    """)
}

/// A place that a learner visits, with how often and how lately.
package struct ScoredPlace: Hashable, Sendable {
  /// The node.
  package let node: NodeID
  /// The logarithm of the score; see ``VisitScore``.
  package let score: Double
  /// When they last went there.
  package let lastVisitAt: Timestamp
  /// How often they went there.
  package let visits: Int

  fileprivate init(row: ResultRow) {
    node = row[0]
    score = row[1]
    lastVisitAt = row[2]
    visits = row[3]
  }
}

extension StoreSnapshot {
  /// Returns the living places that a learner visits, those of the highest score first.
  ///
  /// Places that were gone to as often, and within the same milliseconds, are in the order in which they were imported.
  ///
  /// - Parameter limit: At most that many; every one where `nil`.
  package func scoredPlaces(of learner: LearnerID, limit: Int?) throws -> [ScoredPlace] {
    try all(Self.scoredPlacesText, learner, limit ?? -1, as: ScoredPlace.init)
  }

  private static let scoredPlacesText = StatementText(
    """
    SELECT score.node, score.score, score.lastVisitAt, score.visits
    FROM placeScore AS score INDEXED BY placeScoreInOrder
    JOIN contentNode AS node ON node.id = score.node AND node.living = 1
    WHERE score.learner = ? ORDER BY score.score DESC, score.node LIMIT ?
    """)
  private static let scoredPlaceText = StatementText(
    "SELECT node, score, lastVisitAt, visits FROM placeScore WHERE learner = ? AND node = ?")

  /// Returns how often and how lately a learner visits a place; `nil` where they never were there.
  package func scoredPlace(_ node: NodeID, of learner: LearnerID) throws -> ScoredPlace? {
    try first(Self.scoredPlaceText, learner, node, as: ScoredPlace.init)
  }
}
