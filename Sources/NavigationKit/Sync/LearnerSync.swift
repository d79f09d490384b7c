package import Foundation
import LearningModel
import LearningStore

/// One side of the synchronisation of a learner's data between two databases.
package struct LearnerSync: Sendable {
  let session: LearnerSession

  /// The maximum size of a message in bytes (1 MB).
  package static let maximumMessageBytes = 1_000_000

  /// The maximum number of steps, activity events and changes in a message. Such a message has a size of about 40 kB.
  /// A learner who performs a step waits for at most one message.
  package static let maximumItemsPerMessage = 100
  /// The minimum number of requested items. A part of a session repeats its last known step and activity event, so a
  /// smaller message could contain nothing new.
  package static let minimumItemsPerMessage = 3

  /// The maximum size of a step or an activity event in bytes (256 kB).
  package static let maximumEventBytes = 256_000

  /// Answers a sync message from another database about the learner of this service.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - trustsTimes: Whether the times of changes come from a server and are therefore stored unchanged.
  /// - Returns: The answer.
  /// - Throws: ``SyncError``, ``NavigationError``. In this case nothing was changed.
  package func respond(_ message: SyncMessage, trustsTimes: Bool = false) throws -> SyncAnswer {
    do {
      switch message {
      case .hello: return try hello()
      case .compare(let comparison): return try difference(to: comparison)
      case .push(let payload): return try mergePayload(payload, trustsTimes)
      case .pull(let request): return try pull(request)
      case .names(let name): return try names(name)
      }
    } catch SyncError.erasedHere {
      return .erased
    }
  }

  private func hello() throws -> SyncAnswer {
    let time = session.now()
    return try session.untypedWrite { transaction in
      let storedLearner = try transaction.makeLearner(named: session.learner, at: time)
      return .hello(
        SyncAnswer.Hello(
          learner: try transaction.snapshot.uuid(of: storedLearner.id) ?? "", name: storedLearner.name,
          steps: try transaction.snapshot.navigationEventCount(of: storedLearner.id)))
    }
  }

  private func difference(to comparison: SyncMessage.Comparison) throws -> SyncAnswer {
    if !comparison.erased.isEmpty { _ = try merge(erased: comparison.erased, of: comparison.learner) }
    return try session.untypedRead { snapshot in
      let storedLearner = try self.existingLearner(comparison.learner, in: snapshot)
      let state = try snapshot.syncState(of: storedLearner.id)
      return .comparison(
        SyncAnswer.Difference(
          summary: state.summary, sessions: state.sessions(differingFrom: comparison.summary),
          facts: state.facts(differingFrom: comparison.summary),
          erased: try snapshot.erased(of: storedLearner.id)))
    }
  }

  private func mergePayload(_ payload: SyncMessage.PushPayload, _ trustsTimes: Bool) throws -> SyncAnswer {
    let uuid = payload.record.uuid
    do {
      let merged = try merge(payload.record, of: uuid, trustsTimes: trustsTimes)
      let versions = try session.untypedRead { snapshot in
        let id = try self.existingLearner(uuid, in: snapshot).id
        return try payload.record.sessions.compactMap { try snapshot.sessionVersion(of: $0.uuid, by: id) }
      }
      return .acknowledged(SyncAnswer.Acknowledgement(limited: merged.limited, sessions: versions))
    } catch SyncError.fork(let session) {
      return .fork(session)
    }
  }

  private func pull(_ request: SyncMessage.PullRequest) throws -> SyncAnswer {
    let (record, remaining) = try pushPayload(of: request.learner, request.part, limit: request.limit)
    return .payload(SyncAnswer.PullPayload(record: record, rest: remaining))
  }

  private func names(_ name: SyncMessage.SessionName) throws -> SyncAnswer {
    try session.untypedRead { snapshot in
      let storedLearner = try self.existingLearner(name.learner, in: snapshot)
      guard try snapshot.session(withUUID: name.session)?.session.learner == storedLearner.id,
        let names = try snapshot.names(inSession: name.session)
      else { return .names(SyncAnswer.Names(steps: [], acts: [])) }
      return .names(SyncAnswer.Names(steps: names.steps, acts: names.acts))
    }
  }

  // MARK: - Used by both sides

  /// Returns the learner of this service.
  ///
  /// - Throws: ``SyncError/erasedHere`` if the learner with the UUID was erased, ``SyncError/anotherLearner(name:)`` if
  ///   the UUID is not an identity of the learner.
  func existingLearner(_ uuid: String, in snapshot: StoreSnapshot) throws -> Learner {
    if try snapshot.isErased(learnerWithUUID: uuid) { throw SyncError.erasedHere }
    guard let storedLearner = try snapshot.learner(named: session.learner),
      try snapshot.isIdentity(uuid, of: storedLearner.id)
    else {
      throw SyncError.anotherLearner(name: session.learner)
    }
    return storedLearner
  }

  /// Merges a part of the learner's record in one transaction.
  ///
  /// - Parameters:
  ///   - record: The part of the record.
  ///   - uuid: An identity of the learner.
  ///   - trustsTimes: Whether the times of changes come from a server and are therefore stored unchanged.
  /// - Throws: ``SyncError``, ``NavigationError``.
  func merge(_ record: LearnerRecord, of uuid: String, trustsTimes: Bool = false) throws -> MergedRecord {
    let time = session.now()
    return try LearningStore.explaining(writing: true) {
      do {
        return try session.store.write(durability: .powerCut) { transaction in
          try transaction.merge(
            record, into: try self.existingLearner(uuid, in: transaction.snapshot), at: time, trustsTimes: trustsTimes,
            isFromClient: !trustsTimes)
        }
      } catch LearningDatabaseError.fork(let session) {
        throw SyncError.fork(session)
      } catch LearningDatabaseError.otherContent(let uuid) {
        throw SyncError.otherContent(uuid: uuid)
      } catch LearningDatabaseError.contradictoryRecord(_, let detail) {
        throw SyncError.contradictory(detail: detail)
      }
    }
  }

  /// Erases the data that was erased in another database.
  func merge(erased: LearnerRecord.Erasure, of uuid: String) throws -> MergedRecord {
    var record = LearnerRecord(uuid: uuid, name: session.learner, createdAt: session.now())
    record.erased = erased
    return try merge(record, of: uuid)
  }

  /// Returns as much of a part of the learner's record as fits into one message, and the rest of the part.
  ///
  /// - Parameters:
  ///   - uuid: An identity of the learner.
  ///   - delta: The part of the record.
  ///   - requestedLimit: The maximum number of steps, activity events and changes; `nil` for as many as fit.
  /// - Throws: ``SyncError`` if a single event is too large for a message.
  func pushPayload(
    of uuid: String, _ delta: RecordDelta, limit requestedLimit: Int? = nil
  ) throws -> (record: LearnerRecord, rest: RecordDelta) {
    var limit = min(
      max(Self.minimumItemsPerMessage, requestedLimit ?? Self.maximumItemsPerMessage), Self.maximumItemsPerMessage)
    while true {
      let payload = try session.untypedRead { snapshot in
        try session.store.recordDeparture(of: snapshot)
        return try snapshot.record(of: try self.existingLearner(uuid, in: snapshot).id, delta: delta, limit: limit)
      }
      guard var payload else { throw SyncError.anotherLearner(name: session.learner) }
      payload.record.uuid = uuid
      if let event = payload.record.activities.first(where: { $0.detail?.utf8.count ?? 0 > Self.maximumEventBytes }) {
        throw SyncError.eventTooLarge(uuid: event.uuid, bytes: event.detail?.utf8.count ?? 0)
      }
      let size = try SyncCoding.data(payload.record).count
      // The remaining tenth is for the description of the rest, which may be in the same message.
      if size <= Self.maximumMessageBytes * 9 / 10 { return payload }
      guard limit > Self.minimumItemsPerMessage else { throw SyncError.tooLarge(bytes: size) }
      limit = max(Self.minimumItemsPerMessage, limit / 2)
    }
  }
}

/// The encoding of messages: JSON with sorted keys.
package enum SyncCoding {
  /// Encodes a message or an answer.
  package static func data(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Decodes an answer.
  ///
  /// - Throws: ``SyncError/unknownMessage`` if the data is an answer with content that only later versions understand,
  ///   otherwise `DecodingError`.
  package static func answer(from data: Data) throws -> SyncAnswer {
    do {
      return try value(SyncAnswer.self, from: data)
    } catch let error as DecodingError {
      guard try value(SyncAnswer.Member.self, from: data).isKnown else { throw error }
      throw SyncError.unknownMessage
    }
  }

  /// Decodes a message or another value.
  package static func value<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }
}
