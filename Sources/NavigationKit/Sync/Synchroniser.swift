import LearningModel
import LearningStore

/// The result of a synchronisation.
package struct SyncReport: Hashable, Encodable, Sendable {
  /// The learner's name in this database.
  package let learner: String
  /// The number of steps, activity events and changes that were sent.
  package var sent = Count()
  /// The number of steps, activity events and changes that were received.
  package var received = Count()
  /// The number of sessions that both sides had continued. The continuation on this side is now a session of its own.
  package var parted = 0
  /// The number of messages that were sent.
  package var messages = 0
  /// If the learner was created in this database, the name of a known learner that differs only in case, white space or
  /// invisible characters. Otherwise `nil`.
  package var similarName: String?

  private enum CodingKeys: String, CodingKey { case learner, sent, received, parted, messages }

  /// Whether nothing was exchanged or, in a preview, would be exchanged.
  package var isEmpty: Bool { sent == Count() && received == Count() }

  package var hasReceived: Bool { received != Count() }

  /// An amount of data.
  package struct Count: Hashable, Encodable, Sendable {
    package var steps = 0
    package var activities = 0
    /// The number of changes of bookmarks, positions, quizzes, settings and passages, including deletions.
    package var facts = 0

    /// The sum of all numbers.
    package var all: Int { steps + activities + facts }
  }
}

/// Synchronises the data of a learner in this database with another database.
///
/// Only data that the other side lacks is sent. A synchronisation can be interrupted at any time: received data is
/// kept, and the next synchronisation continues. No state of the other side is stored, because it may have been
/// restored from a backup.
package struct Synchroniser {
  private let service: NavigationService
  private let limit: Int?
  private let send: (SyncMessage) throws -> SyncAnswer

  /// Creates a synchroniser.
  ///
  /// - Parameters:
  ///   - service: The service of the learner in this database.
  ///   - limit: The maximum number of steps, activity events and changes to write in one transaction, which other
  ///     writers have to wait for. If `nil`, the number in one message.
  ///   - send: Sends a message to the other side and returns its answer.
  package init(
    _ service: NavigationService, writing limit: Int? = nil, send: @escaping (SyncMessage) throws -> SyncAnswer
  ) {
    self.service = service
    self.limit = limit
    self.send = send
  }

  /// Requests the identity of the learner in the other database.
  package func sendHello() throws -> SyncAnswer.Hello {
    guard case .hello(let remote) = try send(.hello) else { throw SyncError.unexpectedAnswer }
    return remote
  }

  /// Synchronises both sides.
  ///
  /// - Parameters:
  ///   - joins: Whether the learners of both databases may be joined if they are not known to be the same.
  ///   - progress: Called after each message with the exchanged amount and the total amount.
  /// - Returns: The exchanged amount.
  /// - Throws: ``SyncError``, ``NavigationError``, and the errors of `send`.
  package func run(
    joining joins: Bool = false, progress: (_ done: SyncReport, _ total: SyncReport) -> Void = { _, _ in }
  ) throws -> SyncReport {
    let remote = try sendHello()
    let identities = try otherIdentities(of: remote)
    for identity in try service.sync.identitiesBeforeJoining(remote, identities, joining: joins) {
      try eraseIfErasedRemotely(identity)
    }
    var report = SyncReport(learner: service.learner)
    report.similarName = try service.sync.identify(as: remote, identities, joining: joins)
    // The sessions of the other side to which this database was adapted.
    var forked: Set<String> = []
    while true {
      do {
        // If the other side has changed a time, its own data may be the later one, so both sides are compared again.
        while try exchange(remote.learner, &report, progress) {}
        while try service.session.settleMemories(limit: limit) {}
        return report
      } catch SyncError.fork(let session) {
        // Another database may have changed the session on the other side meanwhile, but not again and again.
        guard forked.insert(session).inserted else { throw SyncError.fork(session) }
        try forkSession(session, of: remote.learner)
        report.parted += 1
      }
    }
  }

  /// Returns the amounts that ``run(joining:progress:)`` would send and receive, without changing anything.
  ///
  /// If the two learners are not joined in this database yet, the report contains only the numbers of steps on both
  /// sides.
  ///
  /// - Throws: The errors that ``run(joining:progress:)`` throws before it sends data.
  package func preview(joining joins: Bool = false) throws -> SyncReport {
    let remote = try sendHello()
    let identities = try otherIdentities(of: remote)
    var report = SyncReport(learner: service.learner)
    switch try service.session.untypedRead({ try service.sync.identity(of: remote, identities, joining: joins, in: $0) }
    ) {
    case .nobody: report.received.steps = remote.steps
    case .joining(_, let steps):
      report.sent.steps = steps
      report.received.steps = remote.steps
    case .same:
      guard let comparison = try service.sync.comparison(of: remote.learner) else {
        throw SyncError.anotherLearner(name: service.learner)
      }
      // Erasures in this database are not sent, because the other side would apply them.
      let answer = try difference(
        SyncMessage.Comparison(
          learner: remote.learner, summary: comparison.summary, erased: LearnerRecord.Erasure()))
      let syncDifference = try service.sync.syncDifference(of: remote.learner, answer)
      report.sent = syncDifference.missingThereCount
      report.received = syncDifference.missingHereCount
    }
    return report
  }

  /// Returns the other side's identities of the learner, or an empty array if the identity in `remote` is known here.
  private func otherIdentities(of remote: SyncAnswer.Hello) throws -> [String] {
    guard try !service.sync.hasIdentity(remote.learner),
      case .comparison(let all) = try send(completeRequest(of: remote.learner))
    else { return [] }
    return all.facts.compactMap(\.identity)
  }

  /// Erases the learner here if one of the learner's identities was erased on the other side, because erased learners
  /// must not be restored under another identity.
  ///
  /// - Throws: ``SyncError/erasedThere(name:)`` if the learner was erased.
  private func eraseIfErasedRemotely(_ uuid: String) throws {
    // If the other side does not know the identity, it returns an error. The learner may then be joined.
    guard case .erased? = try? send(completeRequest(of: uuid)) else { return }
    _ = try service.learners.erase(service.learner)
    throw SyncError.erasedThere(name: service.learner)
  }

  /// Returns a message that requests all data: an empty summary differs from every state.
  private func completeRequest(of uuid: String) -> SyncMessage {
    .compare(
      SyncMessage.Comparison(
        learner: uuid, summary: SyncSummary(sessions: [], facts: []), erased: LearnerRecord.Erasure()))
  }

  private func difference(_ comparison: SyncMessage.Comparison) throws -> SyncAnswer.Difference {
    switch try send(.compare(comparison)) {
    case .comparison(let difference): return difference
    case .erased: throw SyncError.erasedThere(name: service.learner)
    default: throw SyncError.unexpectedAnswer
    }
  }

  /// Sends and requests the data that differs.
  ///
  /// - Returns: Whether to compare once more, because the other side has changed a time.
  private func exchange(
    _ learner: String, _ report: inout SyncReport, _ progress: (SyncReport, SyncReport) -> Void
  ) throws -> Bool {
    guard let comparison = try service.sync.comparison(of: learner) else {
      throw SyncError.anotherLearner(name: service.learner)
    }
    report.messages += 1
    let answer: SyncAnswer.Difference
    do {
      answer = try difference(comparison)
    } catch SyncError.erasedThere(let name) {
      _ = try service.learners.erase(name)
      throw SyncError.erasedThere(name: name)
    }
    if answer.erased != comparison.erased { _ = try service.sync.merge(erased: answer.erased, of: learner) }
    var syncDifference = try service.sync.syncDifference(of: learner, answer)
    if let session = syncDifference.forked { throw SyncError.fork(session) }
    var total = report
    total.sent += syncDifference.missingThereCount
    total.received += syncDifference.missingHereCount
    var isLimited = false
    while !syncDifference.missingThere.isEmpty {
      let (record, remaining) = try service.sync.pushPayload(of: learner, syncDifference.missingThere)
      report.messages += 1
      switch try send(.push(SyncMessage.PushPayload(record: record))) {
      case .acknowledged(let acknowledgement):
        try service.sync.restamp(acknowledgement.limited, of: learner)
        isLimited = isLimited || !acknowledgement.limited.isEmpty
        // Another database may have sent data to the other side since the comparison.
        for delta in acknowledgement.sessionDeltas(beyond: record)
        where !syncDifference.missingHere.sessions.contains(where: { $0.uuid == delta.uuid }) {
          syncDifference.missingHere.sessions.append(delta)
        }
      case .fork(let session): throw SyncError.fork(session)
      default: throw SyncError.unexpectedAnswer
      }
      report.sent.add(record, beyond: syncDifference.missingThere)
      syncDifference.missingThere = remaining
      progress(report, total)
    }
    while !syncDifference.missingHere.isEmpty {
      report.messages += 1
      guard
        case .payload(let payload) = try send(
          .pull(SyncMessage.PullRequest(learner: learner, part: syncDifference.missingHere, limit: limit))),
        payload.rest != syncDifference.missingHere
      else { throw SyncError.unexpectedAnswer }
      _ = try service.sync.merge(payload.record, of: learner, trustsTimes: true)
      report.received.add(payload.record, beyond: syncDifference.missingHere)
      syncDifference.missingHere = payload.rest
      progress(report, total)
    }
    return isLimited
  }

  private func forkSession(_ session: String, of learner: String) throws {
    guard case .names(let names) = try send(.names(SyncMessage.SessionName(learner: learner, session: session))) else {
      throw SyncError.unexpectedAnswer
    }
    try service.sync.forkSession(session, of: learner, from: names)
  }
}

extension SyncAnswer.Acknowledgement {
  /// Returns the parts of sessions on the other side after the events that were sent.
  fileprivate func sessionDeltas(beyond record: LearnerRecord) -> [SessionDelta] {
    (sessions ?? []).compactMap { version in
      let steps = record.steps.last { $0.session == version.uuid }?.sequence ?? version.steps
      let acts = record.activities.last { $0.session == version.uuid }?.sequence ?? version.acts
      return version.steps > steps || version.acts > acts
        ? SessionDelta(uuid: version.uuid, steps: min(steps, version.steps), acts: min(acts, version.acts)) : nil
    }
  }
}

extension SyncReport.Count {
  fileprivate static func += (count: inout Self, other: Self) {
    count.steps += other.steps
    count.activities += other.activities
    count.facts += other.facts
  }

  /// Counts the data of a record without the events that both sides have.
  fileprivate mutating func add(_ record: LearnerRecord, beyond delta: RecordDelta) {
    let sent = Dictionary(delta.sessions.map { ($0.uuid, $0) }) { $1 }
    steps += record.steps.count { $0.sequence > sent[$0.session]?.steps ?? 0 }
    activities += record.activities.count { $0.sequence > sent[$0.session]?.acts ?? 0 }
    facts += record.changes.count { !$0.isIdentity } + record.passages.count
  }
}

/// An event during synchronisation in the background.
package enum SyncEvent: Hashable, Sendable {
  /// Data was received from the other side.
  case received
  /// Synchronising failed for this reason.
  case failed(String)
}

/// The schedule of synchronising in the background.
///
/// Once a minute, the program checks whether the database has changed and, if so, synchronises it. An unchanged
/// database is synchronised every fifth minute, to receive changes from other databases without many requests for idle
/// learners.
package struct SyncPollInterval: Sendable {
  /// The number of seconds between two checks.
  package static let interval = 60.0
  /// The number of checks after which to synchronise even if the database has not changed.
  private static let checksPerPoll = 5

  /// The number of the database's state at the last synchronisation. `nil` before the first one.
  private var lastCommonState: Int?
  private var checkCount = 0

  /// Creates a schedule that is due at the first check.
  package init() {}

  /// Counts a check, and returns whether to synchronise now.
  ///
  /// - Parameter state: The number of the database's state: ``NavigationService/changeNumber()``.
  package mutating func isDue(_ state: Int) -> Bool {
    checkCount += 1
    return state != lastCommonState || checkCount >= Self.checksPerPoll
  }

  /// Records a successful synchronisation. Do not call this after a failure, so that the next check is due as well.
  ///
  /// - Parameter state: The number of the database's state after the synchronisation.
  package mutating func ended(_ state: Int) {
    lastCommonState = state
    checkCount = 0
  }
}
