import LearningModel
import LearningStore
import Synchronization

extension NavigationService {
  /// What two databases lack of one another.
  struct Parts {
    /// What the other one lacks.
    var lacking: RecordPart
    /// What this one lacks.
    var wanted: RecordPart
    /// A session that is being lived here, and with which somebody else has gone on; `nil` where there is none.
    var livingElsewhere: String?
  }

  /// Lets the learner here be the one of whom the other side speaks.
  func identify(as known: SyncAnswer.Known, joining joins: Bool) throws {
    let moment = now()
    try write { transaction in
      let snapshot = transaction.snapshot
      if try snapshot.isErased(learnerWithUUID: known.learner) { throw SyncError.erasedHere }
      let owner = try snapshot.learner(withUUID: known.learner)
      if let owner, owner.name != learner { throw SyncError.knownAs(name: learner, other: owner.name) }
      guard owner == nil else { return }
      guard let here = try snapshot.learner(named: learner) else {
        _ = try transaction.makeLearner(named: learner, uuid: known.learner, at: moment)
        return
      }
      guard joins else {
        throw SyncError.notJoined(
          name: learner, steps: try snapshot.stepCount(of: here.id), otherName: known.name, otherSteps: known.steps)
      }
      try transaction.identify(here.id, as: known.learner)
    }
  }

  /// What this database has of the learner; `nil` where they are somebody else.
  func comparison(of uuid: String) throws -> SyncMessage.Comparison? {
    try read { snapshot in
      guard let known = try snapshot.learner(withUUID: uuid), known.name == learner else { return nil }
      return SyncMessage.Comparison(
        learner: uuid, summary: try snapshot.syncSummary(of: known.id), erased: try snapshot.erased(of: known.id))
    }
  }

  /// What both sides lack, as the other side knows everything.
  func parts(of uuid: String, _ theirs: SyncAnswer.Difference) throws -> Parts {
    try read { snapshot in
      let known = try self.known(uuid, in: snapshot)
      let sessions = try snapshot.sessionMarks(of: known.id, differingFrom: theirs.summary)
      let facts = try snapshot.factMarks(of: known.id, differingFrom: theirs.summary)
      let (here, there) = (sessions.byName, theirs.sessions.byName)
      let (factsHere, factsThere) = (facts.byKey, theirs.facts.byKey)
      let ahead = theirs.sessions.filter { $0.isAhead(of: here[$0.uuid]) }
      let living = try ahead.first { mark in
        guard let mine = here[mark.uuid], mark.steps > mine.steps || mark.acts > mine.acts else { return false }
        return try snapshot.session(withUUID: mark.uuid)?.session.endedAt == nil
      }
      return Parts(
        lacking: RecordPart(
          sessions: sessions.filter { $0.isAhead(of: there[$0.uuid]) }.map { $0.part(beyond: there[$0.uuid]) },
          facts: facts.filter { $0.isAhead(of: factsThere[$0.key]) }.map(\.key)),
        wanted: RecordPart(
          sessions: ahead.map { $0.part(beyond: here[$0.uuid]) },
          facts: theirs.facts.filter { $0.isAhead(of: factsHere[$0.key]) }.map(\.key)),
        livingElsewhere: living?.uuid)
    }
  }

  /// Takes over the times for which the other side takes changes that were made here.
  func restamp(_ marks: [FactMark], of uuid: String) throws {
    guard !marks.isEmpty else { return }
    try write { transaction in
      try transaction.restamp(marks, of: try self.known(uuid, in: transaction.snapshot).id)
    }
  }

  /// Parts from a session what was done here after both knew the same.
  func part(_ session: String, from theirs: SyncAnswer.Names) throws {
    try write { transaction in
      guard let mine = try transaction.snapshot.names(inSession: session) else { return }
      func common(_ one: [String], _ other: [String]) -> Int { zip(one, other).prefix { $0 == $1 }.count }
      try transaction.part(
        session, keepingSteps: common(mine.steps, theirs.steps), acts: common(mine.acts, theirs.acts),
        as: (RandomIdentifier.make(), RandomIdentifier.make()))
    }
  }
}

extension [SessionMark] {
  fileprivate var byName: [String: SessionMark] { Dictionary(map { ($0.uuid, $0) }) { $1 } }
}

extension [FactMark] {
  fileprivate var byKey: [String: FactMark] { Dictionary(map { ($0.key, $0) }) { $1 } }
}

extension SessionMark {
  /// What another database lacks of the session.
  fileprivate func part(beyond other: SessionMark?) -> SessionPart {
    SessionPart(uuid: uuid, steps: other?.steps ?? 0, acts: other?.acts ?? 0)
  }
}
