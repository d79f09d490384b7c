import LearningModel
import LearningStore

/// Brings what one server has of a learner to another one, so that both have the same.
///
/// It asks and tells both what a leaf would, so what is there already is not sent again: it may be interrupted anywhere, and
/// begun anew.
package struct LearnerTransfer {
  private let from: (SyncMessage) throws -> SyncAnswer
  private let to: (SyncMessage) throws -> SyncAnswer

  /// - Parameters:
  ///   - from: Asks the server that has the learner.
  ///   - to: Asks and tells the one that shall have them; it believes the times of facts.
  package init(from: @escaping (SyncMessage) throws -> SyncAnswer, to: @escaping (SyncMessage) throws -> SyncAnswer) {
    (self.from, self.to) = (from, to)
  }

  /// How much was brought.
  package struct Count: Hashable, Codable, Sendable {
    /// Steps.
    package var steps = 0
    /// Things done.
    package var activities = 0
    /// Bookmarks, positions, quizzes, settings and passages, kept or taken away.
    package var facts = 0
    /// Sessions that were cut by an erasure, and spans of time of which facts were erased.
    package var marks = 0

    /// Begins with nothing.
    package init() {}

    package static func += (count: inout Self, other: Self) {
      count.steps += other.steps
      count.activities += other.activities
      count.facts += other.facts
      count.marks += other.marks
    }
  }

  /// Brings everything of a learner over.
  ///
  /// - Parameter learner: Who they are everywhere.
  /// - Returns: How much the other server did not have.
  /// - Throws: ``SyncError``; ``SyncError/fork(_:)`` where both servers went on with a session.
  package func run(_ learner: String) throws -> Count {
    let here = try everything(of: learner, from, erased: LearnerRecord.Erased())
    let before = try everything(of: learner, to, erased: LearnerRecord.Erased())
    var count = Count()
    count.marks = here.erased.marks.subtracting(before.erased.marks).count
    let there = count.marks == 0 ? before : try everything(of: learner, to, erased: here.erased)

    let known = Dictionary(there.sessions.map { ($0.uuid, $0) }) { $1 }
    let facts = Dictionary(there.facts.map { ($0.key, $0) }) { $1 }
    if let forked = here.sessions.first(where: { mark in known[mark.uuid].map(mark.isFork) ?? false }) {
      throw SyncError.fork(forked.uuid)
    }
    let ahead = here.sessions.filter { $0.isAhead(of: known[$0.uuid]) }
    var part = RecordPart(
      sessions: ahead.map { mark in
        SessionPart(uuid: mark.uuid, steps: known[mark.uuid]?.steps ?? 0, acts: known[mark.uuid]?.acts ?? 0)
      },
      facts: here.facts.filter { $0.isAhead(of: facts[$0.key]) }.map(\.key))
    for mark in ahead {
      count.steps += max(0, mark.steps - (known[mark.uuid]?.steps ?? 0))
      count.activities += max(0, mark.acts - (known[mark.uuid]?.acts ?? 0))
    }
    count.facts = FactMark.count(part.facts)
    while !part.isEmpty {
      guard case .parcel(let share) = try from(.pull(SyncMessage.Wish(learner: learner, part: part))),
        share.rest != part
      else { throw SyncError.unexpectedAnswer }
      switch try to(.push(SyncMessage.Parcel(record: share.record))) {
      case .taken: break
      case .fork(let session): throw SyncError.fork(session)
      case .erased: throw SyncError.erasedHere
      default: throw SyncError.unexpectedAnswer
      }
      part = share.rest
    }
    return count
  }

  private func everything(
    of learner: String, _ send: (SyncMessage) throws -> SyncAnswer, erased: LearnerRecord.Erased
  ) throws -> SyncAnswer.Difference {
    // A summary without numbers differs everywhere.
    let nothing = SyncSummary(sessions: [], facts: [])
    switch try send(.compare(SyncMessage.Comparison(learner: learner, summary: nothing, erased: erased))) {
    case .comparison(let all): return all
    case .erased: throw SyncError.erasedHere
    default: throw SyncError.unexpectedAnswer
    }
  }
}

extension LearnerRecord.Erased {
  /// Its marks, so that they can be counted.
  fileprivate var marks: Set<String> {
    Set(sessions.map { "\($0.session) \($0.step) \($0.act)" } + spans.map { "\($0.since) \($0.until)" })
  }
}
