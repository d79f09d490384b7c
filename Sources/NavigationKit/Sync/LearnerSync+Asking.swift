import LearningModel
import LearningStore

extension LearnerSync {
  /// The data that two databases do not have in common.
  struct SyncDifference {
    /// The data that the other database lacks.
    var missingThere: RecordDelta
    /// The data that this database lacks.
    var missingHere: RecordDelta
    /// The amount of data that the other database lacks.
    var missingThereCount = SyncReport.Count()
    /// The amount of data that this database lacks.
    var missingHereCount = SyncReport.Count()
    /// The UUID of a session that both databases have continued, or `nil`.
    var forked: String?
  }

  /// Stores the identity that the other side has sent for the learner, and creates the learner if missing.
  ///
  /// - Parameters:
  ///   - remote: The learner in the other database.
  ///   - identities: Further identities of the learner in the other database.
  ///   - joins: Whether the learners of both databases may be joined if they are not known to be the same.
  /// - Returns: If the learner was created, the name of a known learner that is similar to the new name. Otherwise
  ///   `nil`.
  @discardableResult
  func identify(as remote: SyncAnswer.Hello, _ identities: [String] = [], joining joins: Bool) throws -> String? {
    let time = session.now()
    return try session.untypedWrite { transaction in
      switch try identity(of: remote, identities, joining: joins, in: transaction.snapshot) {
      case .same: return nil
      case .nobody:
        let accepted = try LearnerName.accepted(session.learner, in: transaction.snapshot)
        _ = try transaction.makeLearner(named: accepted.name, uuid: remote.learner, at: time)
        return accepted.similar
      case .joining(let localLearner, _):
        try transaction.join(localLearner, with: remote.learner, at: time)
        return nil
      }
    }
  }

  /// The relation of the other side's learner to the learners in this database.
  enum Identity {
    /// It is the learner of this service, and its identity is stored.
    case same
    /// No learner in this database has the name of the service's learner.
    case nobody
    /// It can be joined with the learner of this service, which has this number of steps. Its identity is not stored
    /// yet. Either the caller allows joining, or another identity shows that the learners were joined before.
    case joining(LearnerID, steps: Int)
  }

  /// Returns the relation of the other side's learner to the learners in this database.
  ///
  /// - Parameters:
  ///   - remote: The learner in the other database.
  ///   - identities: Further identities of the learner in the other database.
  ///   - joins: Whether learners that are not known to be the same may be joined.
  ///   - snapshot: The database.
  /// - Throws: ``SyncError`` if it cannot be the learner of this service.
  func identity(
    of remote: SyncAnswer.Hello, _ identities: [String], joining joins: Bool, in snapshot: StoreSnapshot
  ) throws -> Identity {
    for uuid in [remote.learner] + identities where try snapshot.isErased(learnerWithUUID: uuid) {
      throw SyncError.erasedHere
    }
    if let owner = try snapshot.learner(identifiedBy: remote.learner) {
      guard owner.name == session.learner else { throw SyncError.knownAs(name: session.learner, other: owner.name) }
      return .same
    }
    let owners = try identities.compactMap { try snapshot.learner(identifiedBy: $0)?.name }
    if let other = owners.first, !owners.contains(session.learner) {
      throw SyncError.knownAs(name: session.learner, other: other)
    }
    guard let localLearner = try snapshot.learner(named: session.learner) else { return .nobody }
    let steps = try snapshot.navigationEventCount(of: localLearner.id)
    guard joins || !owners.isEmpty else {
      throw SyncError.notJoined(name: session.learner, steps: steps, otherName: remote.name, otherSteps: remote.steps)
    }
    return .joining(localLearner.id, steps: steps)
  }

  /// Returns whether a UUID is an identity of any learner in this database.
  func hasIdentity(_ uuid: String) throws -> Bool {
    try session.untypedRead { try $0.learner(identifiedBy: uuid) != nil }
  }

  /// Returns the identities of the learner in this database if it will be joined with the other side's learner,
  /// otherwise an empty array.
  func identitiesBeforeJoining(
    _ remote: SyncAnswer.Hello, _ identities: [String], joining joins: Bool
  ) throws -> [String] {
    try session.untypedRead { snapshot in
      guard case .joining(let localLearner, _) = try identity(of: remote, identities, joining: joins, in: snapshot)
      else {
        return []
      }
      return try snapshot.identities(of: localLearner)
    }
  }

  /// Returns a summary of the learner's data in this database, or `nil` if the UUID is not an identity of the learner.
  func comparison(of uuid: String) throws -> SyncMessage.Comparison? {
    try session.untypedRead { snapshot in
      guard let storedLearner = try snapshot.learner(named: session.learner),
        try snapshot.isIdentity(uuid, of: storedLearner.id)
      else {
        return nil
      }
      return SyncMessage.Comparison(
        learner: uuid, summary: try snapshot.syncState(of: storedLearner.id).summary,
        erased: try snapshot.erased(of: storedLearner.id))
    }
  }

  /// Returns the data that each side lacks.
  ///
  /// - Parameters:
  ///   - uuid: An identity of the learner.
  ///   - answer: The other side's answer to the comparison.
  func syncDifference(of uuid: String, _ answer: SyncAnswer.Difference) throws -> SyncDifference {
    try session.untypedRead { snapshot in
      let storedLearner = try self.existingLearner(uuid, in: snapshot)
      let state = try snapshot.syncState(of: storedLearner.id)
      let (sessions, facts) = (
        state.sessions(differingFrom: answer.summary), state.facts(differingFrom: answer.summary)
      )
      let (local, remote) = (sessions.byName, answer.sessions.byName)
      // The other side may have the same entry under another key of its place.
      let keys = try snapshot.keysByOtherKeys()
      let localFacts = state.facts(differingFrom: SyncSummary(sessions: [], facts: [])).byKey
      let remoteFacts = Dictionary(answer.facts.map { $0.translated(keys) }.map { ($0.key, $0) }) {
        $1.isAhead(of: $0) ? $1 : $0
      }
      let aheadRemotely = answer.sessions.filter { $0.isAhead(of: local[$0.uuid]) }
      let forked = answer.sessions.first { local[$0.uuid]?.isFork(of: $0) ?? false }
      let aheadLocally = sessions.filter { $0.isAhead(of: remote[$0.uuid]) }
      var difference = SyncDifference(
        missingThere: RecordDelta(
          sessions: aheadLocally.map { $0.delta(beyond: remote[$0.uuid]) },
          facts: facts.filter { $0.isAhead(of: remoteFacts[$0.key]) }.map(\.key)),
        missingHere: RecordDelta(
          sessions: aheadRemotely.map { $0.delta(beyond: local[$0.uuid]) },
          facts: answer.facts.filter { fact in
            let local = fact.translated(keys)
            return local.isAhead(of: localFacts[local.key])
          }.map(\.key)),
        forked: forked?.uuid)
      difference.missingThereCount = SyncReport.Count(
        aheadLocally, beyond: remote, facts: FactVersion.count(difference.missingThere.facts))
      difference.missingHereCount = SyncReport.Count(
        aheadRemotely, beyond: local, facts: FactVersion.count(difference.missingHere.facts))
      return difference
    }
  }

  /// Replaces the times of changes with the times that the other side has stored for them.
  func restamp(_ versions: [FactVersion], of uuid: String) throws {
    guard !versions.isEmpty else { return }
    try session.untypedWrite { transaction in
      try transaction.restamp(versions, of: try self.existingLearner(uuid, in: transaction.snapshot).id)
    }
  }

  /// Adapts the sessions of this database to a session of the other side. Events that only this database has become
  /// separate sessions.
  ///
  /// - Parameters:
  ///   - uuid: The UUID of the session.
  ///   - learner: An identity of the learner.
  ///   - remoteNames: The UUIDs of the session's events on the other side.
  func forkSession(_ uuid: String, of learner: String, from remoteNames: SyncAnswer.Names) throws {
    try session.untypedWrite { transaction in
      do {
        try transaction.adapt(
          uuid, of: self.existingLearner(learner, in: transaction.snapshot).id, toSteps: remoteNames.steps,
          activityEvents: remoteNames.acts)
      } catch LearningDatabaseError.otherContent(let uuid) {
        throw SyncError.otherContent(uuid: uuid)
      }
    }
  }
}

extension SyncReport.Count {
  /// Counts the data in sessions that another database lacks.
  fileprivate init(_ sessions: [SessionVersion], beyond others: [String: SessionVersion], facts: Int) {
    self.init(
      steps: sessions.reduce(0) { $0 + max(0, $1.steps - (others[$1.uuid]?.steps ?? 0)) },
      activities: sessions.reduce(0) { $0 + max(0, $1.acts - (others[$1.uuid]?.acts ?? 0)) }, facts: facts)
  }
}

extension [SessionVersion] {
  var byName: [String: SessionVersion] { Dictionary(map { ($0.uuid, $0) }) { $1 } }
}

extension [FactVersion] {
  var byKey: [String: FactVersion] { Dictionary(map { ($0.key, $0) }) { $1 } }
}

extension SessionVersion {
  /// Returns the part of the session that another database lacks.
  fileprivate func delta(beyond other: SessionVersion?) -> SessionDelta {
    SessionDelta(uuid: uuid, steps: other?.steps ?? 0, acts: other?.acts ?? 0)
  }
}
