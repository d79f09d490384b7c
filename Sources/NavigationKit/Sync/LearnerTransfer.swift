import LearningModel
import LearningStore

/// Copies a learner's data from one server to another, so that both have the same data.
///
/// Uses the sync protocol on both servers, so data that is already present is not sent again. A transfer can be
/// interrupted at any time and repeated.
package struct LearnerTransfer {
  private let from: (SyncMessage) throws -> SyncAnswer
  private let to: (SyncMessage) throws -> SyncAnswer

  /// Creates a transfer.
  ///
  /// - Parameters:
  ///   - from: Sends a message to the server that has the learner.
  ///   - to: Sends a message to the server that receives the learner. It must trust the times of changes.
  package init(from: @escaping (SyncMessage) throws -> SyncAnswer, to: @escaping (SyncMessage) throws -> SyncAnswer) {
    (self.from, self.to) = (from, to)
  }

  /// The amount of data that was copied.
  package struct Count: Hashable, Codable, Sendable {
    package var steps = 0
    package var activities = 0
    /// Changes of bookmarks, reading positions, quizzes, settings and passages, including deletions.
    package var facts = 0
    /// Erasures: sessions that were truncated, and periods whose bookmarks, settings and positions were erased.
    package var marks = 0

    package init() {}

    package static func += (count: inout Self, other: Self) {
      count.steps += other.steps
      count.activities += other.activities
      count.facts += other.facts
      count.marks += other.marks
    }
  }

  /// Copies all data of a learner.
  ///
  /// - Parameters:
  ///   - learner: The learner's UUID.
  ///   - isForReports: Whether the other server is a reporting replica. Of the bookmarks, settings and other entries, only
  ///     the reading positions are then copied, because reports depend on them. The replica must not have data that the
  ///     source lacks.
  /// - Returns: The amount of data that was missing on the other server.
  /// - Throws: ``SyncError``; ``SyncError/fork(_:)`` if both servers have continued the same session,
  ///   ``SyncError/contradictory(detail:)`` if a replica has data that the source lacks.
  package func run(_ learner: String, forReports isForReports: Bool = false) throws -> Count {
    var source = try completeSummary(of: learner, from, erased: LearnerRecord.Erasure())
    if isForReports { source.facts.removeAll { !$0.isReadingPosition } }
    let before = try completeSummary(of: learner, to, erased: LearnerRecord.Erasure())
    var count = Count()
    count.marks = source.erased.marks.subtracting(before.erased.marks).count
    let target = count.marks == 0 ? before : try completeSummary(of: learner, to, erased: source.erased)

    let (sessionsThere, facts) = (target.sessions.byName, target.facts.byKey)
    if let forked = source.sessions.first(where: { version in sessionsThere[version.uuid].map(version.isFork) ?? false }
    ) {
      throw SyncError.fork(forked.uuid)
    }
    if isForReports, !target.isPart(of: source) {
      throw SyncError.contradictory(detail: "the reporting replica has data that the hub lacks")
    }
    let ahead = source.sessions.filter { $0.isAhead(of: sessionsThere[$0.uuid]) }
    var delta = RecordDelta(
      sessions: ahead.map { version in
        SessionDelta(
          uuid: version.uuid, steps: sessionsThere[version.uuid]?.steps ?? 0,
          acts: sessionsThere[version.uuid]?.acts ?? 0)
      },
      facts: source.facts.filter { $0.isAhead(of: facts[$0.key]) }.map(\.key))
    for version in ahead {
      count.steps += max(0, version.steps - (sessionsThere[version.uuid]?.steps ?? 0))
      count.activities += max(0, version.acts - (sessionsThere[version.uuid]?.acts ?? 0))
    }
    count.facts = FactVersion.count(delta.facts)
    while !delta.isEmpty {
      guard case .payload(let payload) = try from(.pull(SyncMessage.PullRequest(learner: learner, part: delta))),
        payload.rest != delta
      else { throw SyncError.unexpectedAnswer }
      switch try to(.push(SyncMessage.PushPayload(record: payload.record))) {
      case .acknowledged: break
      case .fork(let session): throw SyncError.fork(session)
      case .erased: throw SyncError.erasedHere
      default: throw SyncError.unexpectedAnswer
      }
      delta = payload.rest
    }
    return count
  }

  private func completeSummary(
    of learner: String, _ send: (SyncMessage) throws -> SyncAnswer, erased: LearnerRecord.Erasure
  ) throws -> SyncAnswer.Difference {
    // An empty summary differs from every state, so the answer contains everything.
    let emptySummary = SyncSummary(sessions: [], facts: [])
    switch try send(.compare(SyncMessage.Comparison(learner: learner, summary: emptySummary, erased: erased))) {
    case .comparison(let all): return all
    case .erased: throw SyncError.erasedHere
    default: throw SyncError.unexpectedAnswer
    }
  }
}

extension SyncAnswer.Difference {
  /// Returns whether another server has all of this data.
  fileprivate func isPart(of other: Self) -> Bool {
    let (sessionsThere, factsThere) = (other.sessions.byName, other.facts.byKey)
    return erased.marks.isSubset(of: other.erased.marks)
      && sessions.allSatisfy { !$0.isAhead(of: sessionsThere[$0.uuid]) }
      && facts.allSatisfy { !$0.isAhead(of: factsThere[$0.key]) }
  }
}

extension LearnerRecord.Erasure {
  /// A text for each erasure, so that erasures can be compared and counted.
  fileprivate var marks: Set<String> {
    Set(sessions.map { "\($0.session) \($0.step) \($0.act)" } + spans.map { "\($0.since) \($0.until)" })
  }
}
