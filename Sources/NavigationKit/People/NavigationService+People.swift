public import Foundation
public import LearningModel
import LearningStore
import Synchronization

/// What came in with a learner's file.
public struct LearnerImport: Hashable, Encodable, Sendable {
  /// Whose file it is.
  public let learner: String
  /// Sessions that were not here, or are here longer now.
  public let sessions: Int
  /// Steps in them.
  public let steps: Int
  /// Things done in them.
  public let activities: Int
  /// Places that no course has here. Their history reads, and they come to life when a course that has them is imported.
  public let unknownPlaces: Int
  /// If the learner is new here, the name of a known learner that differs only in case, white space or invisible characters.
  public let similarName: String?
  /// The parts of sessions that were left out because the sessions are open here.
  public let unmerged: [UnmergedSession]

  /// The part of a session that was left out because the session is open here.
  public struct UnmergedSession: Hashable, Sendable {
    /// The session's name.
    public let name: String
    /// The number of steps that were left out.
    public let steps: Int
    /// The number of activity events that were left out.
    public let activities: Int
    /// Whether both databases continued the session. A later import is then refused; synchronising with a server keeps both.
    public let isForked: Bool
    /// When the session ends if it is not used until then, or `nil` if it ends with its process.
    public let endsAt: Timestamp?
  }

  private enum CodingKeys: String, CodingKey { case learner, sessions, steps, activities, unknownPlaces }
}

/// What was erased.
public struct Erasure: Hashable, Encodable, Sendable {
  /// Whose.
  public let learner: String
  /// Sessions of which nothing is left.
  public let sessions: Int
  /// Steps.
  public let steps: Int
  /// Things done.
  public let activities: Int
  /// Whether nothing is left in the file, its free pages and its write-ahead log. `false` while another program reads the
  /// database: then ``NavigationService/sweep()`` does it later.
  public let isSwept: Bool
  /// Whether the write-ahead log holds nothing of it. `false` if a read that began before the erasure did not end in time;
  /// a server clears the log within a minute after that read.
  public let isLogCleared: Bool
  /// The copies beside the database, from before updates, from which a learner was erased too.
  public var copies: [String] = []
  /// The copies from before updates that still hold what was erased, and for each why.
  public var untouchedCopies: [UntouchedCopy] = []

  /// A copy of the database that still holds what was erased from it.
  public struct UntouchedCopy: Hashable, Encodable, Sendable {
    /// The path of the copy.
    public let path: String
    /// Why the copy still holds the data, as a sentence.
    public let reason: String
    /// The advice, if each program offers it in its own way. Not encoded.
    public let remedy: Remedy?

    package init(path: String, reason: String, remedy: Remedy? = nil) {
      self.path = path
      self.reason = reason
      self.remedy = remedy
    }

    private enum CodingKeys: String, CodingKey { case path, reason }
  }

  private enum CodingKeys: String, CodingKey {
    case learner, sessions, steps, activities
    case isSwept = "swept"
    case isLogCleared = "logCleared"
    case copies, untouchedCopies
  }
}

extension NavigationService {
  /// Writes everything of one learner as JSON, which can be read or imported elsewhere. Memory does not grow with the
  /// length of the history.
  ///
  /// - Parameters:
  ///   - name: The learner's name.
  ///   - write: Receives the text in pieces. If it returns `false`, the export ends without an error.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``, ``NavigationError/database(_:)``.
  public func exportLearner(_ name: String, to write: (String) -> Bool) throws(NavigationError) {
    struct Stopped: Error {}
    try read { snapshot in
      do {
        try LearnerFile.write(recordOf: snapshot.known(name).id, in: snapshot) { text in
          if !write(text) { throw Stopped() }
        }
      } catch is Stopped {}
    }
  }

  /// Merges a learner's file into the learner of that name, in one transaction. A second import has no further effect.
  ///
  /// A session that is open here is left unchanged. The result names the parts that were left out because of that.
  ///
  /// - Parameters:
  ///   - data: What ``exportLearner(_:to:)`` wrote.
  ///   - file: What errors call it.
  ///   - name: What the learner is called here, where that is not what the file says: two members of a class may both be
  ///     `student` on their own machines.
  /// - Throws: ``NavigationError/unreadableLearner(file:found:)``, ``NavigationError/unusableName(name:)``.
  @discardableResult
  public func importLearner(from data: Data, named file: String, as name: String? = nil) throws(NavigationError)
    -> LearnerImport
  {
    var record = try LearnerFile.read(data, from: file)
    return try durably { transaction in
      let accepted = try Self.accepted(name ?? record.name, in: transaction.snapshot)
      record.name = accepted.name
      let merged = try transaction.merge(record, at: now())
      return LearnerImport(
        learner: merged.learner.name, sessions: merged.sessions, steps: merged.steps, activities: merged.activities,
        unknownPlaces: merged.unknownNodes, similarName: accepted.similar,
        unmerged: merged.skipped.map(LearnerImport.UnmergedSession.init))
    }
  }

  /// Erases everything of one learner: also from the pages of the file that become free, from its write-ahead log, and from
  /// the copies that were kept beside it before updates. Copies that somebody has made are not touched.
  ///
  /// - Parameters:
  ///   - name: Whose.
  ///   - sweeping: If `true`, sweeps the file, which takes time proportional to its size. Otherwise the erased rows are
  ///     overwritten and removed from the write-ahead log, and ``sweep()`` removes their remains in free pages later.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``, and ``NavigationError/learnerIsHere(name:)`` while one of
  ///   their sessions lives in a process, which would write them down again.
  @discardableResult
  public func eraseLearner(_ name: String, sweeping: Bool = true) throws(NavigationError) -> Erasure {
    try eraseLearner(name, sweeping: sweeping, by: .command("learners erase"))
  }

  /// Erases everything of one learner, and records the origin of the erasure in the audit.
  ///
  /// - Parameter barsIdentities: Whether the learner does not come back from any database that it was joined with. A hub
  ///   remembers only its own identity of the learner: another hub, to which it may be moved, keeps the learner.
  package func eraseLearner(
    _ name: String, sweeping: Bool, barringIdentities barsIdentities: Bool = true, by actor: AuditActor
  ) throws(NavigationError) -> Erasure {
    let (known, open) = try read { snapshot in
      let known = try snapshot.known(name)
      return (known, try snapshot.openSessions().filter { $0.session.learner == known.id })
    }
    let locks = try locks(of: open, name)
    defer { withExtendedLifetime(locks) {} }
    let erased = try Self.typed(in: store) {
      try Self.explaining(writing: true) {
        try store.erase(known.id, sweeping: sweeping, barringIdentities: barsIdentities, by: actor, at: now())
      }
    }
    if name == learner { sitting.withLock { $0 = Sitting() } }
    var erasure = Erasure(known.name, erased)
    for copy in store.copiesBeforeMigrations() {
      do {
        if try LearningStore.erase(learnerNamed: known.name, fromCopyAt: copy) { erasure.copies.append(copy) }
      } catch {
        erasure.untouchedCopies.append(
          Erasure.UntouchedCopy(path: copy, reason: error.description, remedy: error.remedy))
      }
    }
    return erasure
  }

  /// Locks sessions whose processes have ended, so that no process uses them during an erasure. The lock files are
  /// deleted with the locks.
  ///
  /// - Throws: ``NavigationError/learnerIsHere(name:)`` if a process uses one of the sessions.
  private func locks(of sessions: [SessionRecord], _ name: String) throws(NavigationError) -> [ProcessLock] {
    var locks: [ProcessLock] = []
    for file in sessions.compactMap(\.lockFile) {
      guard let lock = ProcessLock.takeOver(ofSession: file, of: store.path) else { throw .learnerIsHere(name: name) }
      locks.append(lock)
    }
    return locks
  }

  /// Erases what the learner did from a moment on: in each session everything from the first step at that time. A visit
  /// that began before stays, with how long it lasted; bookmarks and settings stay. Copies from before updates stay as they
  /// are, and are named in the answer.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``, and ``NavigationError/learnerIsHere(name:)`` while another
  ///   process uses one of their sessions: it would continue at a place that the history no longer has.
  @discardableResult
  public func eraseHistory(since date: Date) throws(NavigationError) -> Erasure {
    let own = sitting.withLock { $0.session }
    let (known, open) = try read { snapshot in
      let known = try snapshot.known(learner)
      return (known, try snapshot.openSessions().filter { $0.session.learner == known.id && $0.session.id != own })
    }
    let locks = try locks(of: open, known.name)
    defer { withExtendedLifetime(locks) {} }
    let moment = (first: Timestamp(date: date), now: now())
    let entry = AuditEntry(.command("history erase"), of: known.name, at: moment.now)
    var erasure = Erasure(
      known.name,
      try Self.typed(in: store) {
        try Self.explaining(writing: true) {
          try store.eraseHistory(of: known.id, since: moment.first, at: moment.now, noting: entry)
        }
      })
    erasure.untouchedCopies = store.copiesBeforeMigrations().map {
      Erasure.UntouchedCopy(
        path: $0, reason: "Could not erase a part of the history in '\($0)': it is an older version.")
    }
    return erasure
  }
}

extension LearnerImport.UnmergedSession {
  fileprivate init(_ skipped: SkippedSession) {
    let session = skipped.record.session
    self.init(
      name: session.name, steps: skipped.steps, activities: skipped.activities, isForked: skipped.isForked,
      endsAt: skipped.record.lockFile == nil
        ? session.lastInputAt.advanced(byMilliseconds: NavigationService.longestIdle) : nil)
  }
}

extension Erasure {
  fileprivate init(_ learner: String, _ rows: ErasedRows) {
    self.init(
      learner: learner, sessions: rows.sessions, steps: rows.steps, activities: rows.activities, isSwept: rows.isSwept,
      isLogCleared: rows.isLogCleared)
  }
}

extension StoreSnapshot {
  /// Returns the learner of that name.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  fileprivate func known(_ name: String) throws -> Learner {
    if let learner = try learner(named: name) { return learner }
    throw NavigationError.unknownLearner(
      name: name, nearest: FuzzyMatch.nearest(to: name, among: try learners().map(\.name)))
  }
}

// Names of learners: known names always work, and new ones follow the rules of `LearnerName`.

extension NavigationService {
  /// Returns the name that a service of a learner has.
  ///
  /// The database is asked only about names that need it, so that opening a service stays cheap.
  ///
  /// - Parameter ignoresCase: Whether a known learner whose name differs only in case is meant if no learner has this name.
  /// - Throws: ``NavigationError/unusableName(name:)``.
  static func knownOrUsable(
    _ name: String, ignoringCase ignoresCase: Bool = false, in store: LearningStore
  ) throws(NavigationError) -> String {
    let isUsable = LearnerName.fault(of: name) == nil
    guard ignoresCase || !isUsable else { return name }
    return try typed(in: store) {
      try store.glance { snapshot in
        if try snapshot.isKnown(learnerNamed: name) { return name }
        guard isUsable else { throw NavigationError.unusableName(name: name) }
        let others = try snapshot.knownNames().filter { $0.lowercased() == name.lowercased() }
        return others.count == 1 ? others[0] : name
      }
    }
  }

  /// Returns the names of the learners, and those for which tokens were given out.
  package func knownNames() throws(NavigationError) -> [String] { try read { try $0.knownNames() } }

  /// Returns the name under which a new learner, or a token for one, may be stored.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  static func checked(_ name: String, in snapshot: StoreSnapshot) throws -> String {
    let name = LearnerName.trimmed(name)
    if try snapshot.isKnown(learnerNamed: name) { return name }
    try checkNew(name, besides: try snapshot.knownNames())
    return name
  }

  /// Returns the name that a learner from another database gets, and the name of a known learner that is similar to it.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  static func accepted(_ text: String, in snapshot: StoreSnapshot) throws -> (name: String, similar: String?) {
    let name = LearnerName.trimmed(text)
    if try snapshot.learner(named: name) != nil { return (name, nil) }
    guard try LearnerName.fault(of: name) == nil || snapshot.isKnown(learnerNamed: name) else {
      throw NavigationError.unusableName(name: text)
    }
    return (name, LearnerName.similar(to: name, among: try snapshot.knownNames()).first)
  }

  /// Checks a name that no learner has yet.
  ///
  /// - Parameter names: The names of the known learners.
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package static func checkNew(_ name: String, besides names: some Sequence<String>) throws(NavigationError) {
    guard LearnerName.fault(of: name) == nil else { throw .unusableName(name: name) }
    if let known = LearnerName.similar(to: name, among: names).first {
      throw NavigationError.similarName(name: name, known: known)
    }
  }

  /// Returns the name of a class, without white space at its ends.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package static func className(_ text: String) throws(NavigationError) -> String {
    let name = LearnerName.trimmed(text)
    guard LearnerName.characterFault(of: name) == nil else { throw .unusableName(name: text) }
    return name
  }

  /// Returns the learner of this service, and creates it if it is missing.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  func makeLearner(in transaction: StoreTransaction, at moment: Timestamp) throws -> Learner {
    if let known = try transaction.snapshot.learner(named: learner) { return known }
    return try transaction.makeLearner(named: Self.checked(learner, in: transaction.snapshot), at: moment)
  }
}
