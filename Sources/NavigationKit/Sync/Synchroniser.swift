import LearningModel
import LearningStore

/// What came of bringing two databases together.
package struct SyncReport: Hashable, Encodable, Sendable {
  /// Whose.
  package let learner: String
  /// Steps, things done and facts that the other side had not.
  package var sent = Count()
  /// Those that this side had not.
  package var received = Count()
  /// Sessions with which both sides had gone on, and of which this side's part is one of its own now.
  package var parted = 0
  /// How many messages it took.
  package var messages = 0
  /// If the learner was created here, the name of a known learner that differs only in case, white space or invisible
  /// characters.
  package var similarName: String?

  private enum CodingKeys: String, CodingKey { case learner, sent, received, parted, messages }

  /// Whether nothing was exchanged, or has to be.
  package var isEmpty: Bool { sent == Count() && received == Count() }

  /// Whether something has come that was not here.
  package var hasReceived: Bool { received != Count() }

  /// How much of what.
  package struct Count: Hashable, Encodable, Sendable {
    /// Steps.
    package var steps = 0
    /// Things done.
    package var activities = 0
    /// Bookmarks, positions, quizzes, settings and passages, kept or taken away.
    package var facts = 0

    /// How many there are, of whatever kind.
    package var all: Int { steps + activities + facts }
  }
}

/// Brings what this database has of a learner together with what another one has.
///
/// Only what the other side lacks is sent. It may be interrupted anywhere: what was taken in stays, and the next begins
/// from there. Nothing is remembered of the other side, which may have been put back to an older state.
package struct Synchroniser {
  private let service: NavigationService
  private let limit: Int?
  private let send: (SyncMessage) throws -> SyncAnswer

  /// - Parameters:
  ///   - service: The learner of this database.
  ///   - limit: How many steps, things done and facts are written here at a time; `nil` for as many as a message has. Whoever
  ///     makes a step meanwhile waits for no more than that.
  ///   - send: Brings a message to the other side, and its answer back.
  package init(
    _ service: NavigationService, writing limit: Int? = nil, send: @escaping (SyncMessage) throws -> SyncAnswer
  ) {
    self.service = service
    self.limit = limit
    self.send = send
  }

  /// Asks the other side of whom it speaks.
  package func greet() throws -> SyncAnswer.Known {
    guard case .greeting(let known) = try send(.greet) else { throw SyncError.unexpectedAnswer }
    return known
  }

  /// Brings both sides together.
  ///
  /// - Parameters:
  ///   - joins: Whether the learner here may become the one there where that is not known yet.
  ///   - progress: Is told after each message what was sent and received, and what shall be.
  /// - Returns: What came of it.
  /// - Throws: ``SyncError``, ``NavigationError``, and what `send` throws.
  package func run(
    joining joins: Bool = false, progress: (_ done: SyncReport, _ whole: SyncReport) -> Void = { _, _ in }
  ) throws -> SyncReport {
    let known = try greet()
    let identities = try otherIdentities(of: known)
    for before in try service.identitiesBeforeJoining(known, identities, joining: joins) {
      try eraseIfErasedThere(before)
    }
    var report = SyncReport(learner: service.learner)
    report.similarName = try service.identify(as: known, identities, joining: joins)
    // Each session that both went on with is parted once.
    while true {
      do {
        // Where the other side did not believe a time, it may have something later than what was sent.
        while try exchange(known.learner, &report, progress) {}
        return report
      } catch SyncError.fork(let session) {
        try part(session, of: known.learner)
        report.parted += 1
      }
    }
  }

  /// Says what a run would send and receive, and changes nothing.
  ///
  /// If the two learners are not joined in this database yet, it reports how many steps both sides have.
  ///
  /// - Throws: What ``run(joining:progress:)`` throws before it sends anything.
  package func preview(joining joins: Bool = false) throws -> SyncReport {
    let known = try greet()
    let identities = try otherIdentities(of: known)
    var report = SyncReport(learner: service.learner)
    switch try service.untypedRead({ try service.identity(of: known, identities, joining: joins, in: $0) }) {
    case .nobody: report.received.steps = known.steps
    case .joining(_, let steps):
      report.sent.steps = steps
      report.received.steps = known.steps
    case .same:
      guard let comparison = try service.comparison(of: known.learner) else {
        throw SyncError.anotherLearner(name: service.learner)
      }
      // What was erased here is not told yet.
      let theirs = try difference(
        SyncMessage.Comparison(
          learner: known.learner, summary: comparison.summary, erased: LearnerRecord.Erased()))
      let parts = try service.parts(of: known.learner, theirs)
      report.sent = parts.lackingCount
      report.received = parts.wantedCount
    }
    return report
  }

  /// Returns the identities that the other side knows the learner by, or none if the one of its greeting is known here.
  private func otherIdentities(of known: SyncAnswer.Known) throws -> [String] {
    guard try !service.hasIdentity(known.learner), case .comparison(let all) = try send(everything(of: known.learner))
    else { return [] }
    return all.facts.compactMap(\.identity)
  }

  /// Erases the learner here if one of its identities was erased on the other side. Erased learners do not come back under
  /// another identity.
  ///
  /// - Throws: ``SyncError/erasedThere(name:)`` if the learner was erased.
  private func eraseIfErasedThere(_ uuid: String) throws {
    // An identity that the other side does not know is another learner to it, which may join.
    guard case .erased? = try? send(everything(of: uuid)) else { return }
    _ = try service.eraseLearner(service.learner)
    throw SyncError.erasedThere(name: service.learner)
  }

  /// A question that is answered with all marks: an empty summary differs in every bucket.
  private func everything(of uuid: String) -> SyncMessage {
    .compare(
      SyncMessage.Comparison(
        learner: uuid, summary: SyncSummary(sessions: [], facts: []), erased: LearnerRecord.Erased()))
  }

  private func difference(_ comparison: SyncMessage.Comparison) throws -> SyncAnswer.Difference {
    switch try send(.compare(comparison)) {
    case .comparison(let difference): return difference
    case .erased: throw SyncError.erasedThere(name: service.learner)
    default: throw SyncError.unexpectedAnswer
    }
  }

  /// - Returns: Whether to exchange once more.
  private func exchange(
    _ learner: String, _ report: inout SyncReport, _ progress: (SyncReport, SyncReport) -> Void
  ) throws -> Bool {
    guard let comparison = try service.comparison(of: learner) else {
      throw SyncError.anotherLearner(name: service.learner)
    }
    report.messages += 1
    let theirs: SyncAnswer.Difference
    do {
      theirs = try difference(comparison)
    } catch SyncError.erasedThere(let name) {
      _ = try service.eraseLearner(name)
      throw SyncError.erasedThere(name: name)
    }
    if theirs.erased != comparison.erased { _ = try service.merge(erased: theirs.erased, of: learner) }
    var parts = try service.parts(of: learner, theirs)
    if let session = parts.forked { throw SyncError.fork(session) }
    var whole = report
    whole.sent += parts.lackingCount
    whole.received += parts.wantedCount
    var isLimited = false
    while !parts.lacking.isEmpty {
      let (record, rest) = try service.parcel(of: learner, parts.lacking)
      report.messages += 1
      switch try send(.push(SyncMessage.Parcel(record: record))) {
      case .taken(let receipt):
        try service.restamp(receipt.limited, of: learner)
        isLimited = isLimited || !receipt.limited.isEmpty
        // Another database was there meanwhile.
        for part in receipt.parts(beyond: record) where !parts.wanted.sessions.contains(where: { $0.uuid == part.uuid })
        {
          parts.wanted.sessions.append(part)
        }
      case .fork(let session): throw SyncError.fork(session)
      default: throw SyncError.unexpectedAnswer
      }
      report.sent.add(record, beyond: parts.lacking)
      parts.lacking = rest
      progress(report, whole)
    }
    while !parts.wanted.isEmpty {
      report.messages += 1
      guard
        case .parcel(let share) = try send(
          .pull(SyncMessage.Wish(learner: learner, part: parts.wanted, limit: limit))), share.rest != parts.wanted
      else { throw SyncError.unexpectedAnswer }
      _ = try service.merge(share.record, of: learner, believing: true)
      report.received.add(share.record, beyond: parts.wanted)
      parts.wanted = share.rest
      progress(report, whole)
    }
    return isLimited
  }

  private func part(_ session: String, of learner: String) throws {
    guard case .names(let theirs) = try send(.names(SyncMessage.SessionName(learner: learner, session: session))) else {
      throw SyncError.unexpectedAnswer
    }
    try service.part(session, from: theirs)
  }
}

extension SyncAnswer.Receipt {
  /// What the other side has of the sessions of a parcel behind what was brought.
  fileprivate func parts(beyond record: LearnerRecord) -> [SessionPart] {
    (sessions ?? []).compactMap { mark in
      let steps = record.steps.last { $0.session == mark.uuid }?.sequence ?? mark.steps
      let acts = record.activities.last { $0.session == mark.uuid }?.sequence ?? mark.acts
      return mark.steps > steps || mark.acts > acts
        ? SessionPart(uuid: mark.uuid, steps: min(steps, mark.steps), acts: min(acts, mark.acts)) : nil
    }
  }
}

extension SyncReport.Count {
  fileprivate static func += (count: inout Self, other: Self) {
    count.steps += other.steps
    count.activities += other.activities
    count.facts += other.facts
  }

  /// Counts what a parcel holds but for what both know.
  fileprivate mutating func add(_ record: LearnerRecord, beyond part: RecordPart) {
    let known = Dictionary(part.sessions.map { ($0.uuid, $0) }) { $1 }
    steps += record.steps.count { $0.sequence > known[$0.session]?.steps ?? 0 }
    activities += record.activities.count { $0.sequence ?? 0 > known[$0.session]?.acts ?? 0 }
    facts += (record.changes?.count { !$0.isIdentity } ?? 0) + (record.passages?.count ?? 0)
  }
}

/// What is told of synchronising in the background.
package enum SyncNews: Hashable, Sendable {
  /// Something has come from the other side.
  case received
  /// It does not work, for this reason.
  case failed(String)
}

/// When a database synchronises in the background: it looks once a minute whether something was done.
///
/// What was done here goes with the next look. What was done elsewhere is asked for with every fifth, so that a server hears
/// seldom of those who do nothing.
package struct SyncRounds: Sendable {
  /// Seconds between two looks.
  package static let interval = 60.0
  /// With which look the other side is asked, whatever was done here.
  private static let asking = 5

  /// The state that both sides had in common last; `nil` before the first time.
  private var known: Int?
  private var looks = 0

  /// Begins with the next look.
  package init() {}

  /// Whether to synchronise with this look.
  ///
  /// - Parameter state: The number of the state of the database: ``NavigationService/changeNumber()``.
  package mutating func isDue(_ state: Int) -> Bool {
    looks += 1
    return state != known || looks >= Self.asking
  }

  /// Takes note that both sides have the same. Where that failed, the next look is due again.
  ///
  /// - Parameter state: The number of the state of the database now.
  package mutating func ended(_ state: Int) {
    known = state
    looks = 0
  }
}
