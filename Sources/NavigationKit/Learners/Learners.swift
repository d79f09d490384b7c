public import Foundation
public import LearningModel
import LearningStore
import Synchronization

/// The result of importing a learner's file.
public struct LearnerImport: Hashable, Encodable, Sendable {
  /// The name that the learner has in this database.
  public let learner: String
  /// The number of sessions that were added or extended.
  public let sessions: Int
  /// The number of steps that were added.
  public let steps: Int
  /// The number of activity events that were added.
  public let activities: Int
  /// The number of places in the file that no course in this database contains. Their history is readable, and they
  /// become places of a course when a course that contains them is imported.
  public let unknownPlaces: Int
  /// The name of a known learner that differs only in case, white space or invisible characters. `nil` if no name is
  /// similar, or if the learner was known before the import.
  public let similarName: String?

  private enum CodingKeys: String, CodingKey { case learner, sessions, steps, activities, unknownPlaces }
}

/// The result of an erasure.
public struct Erasure: Hashable, Encodable, Sendable {
  /// The learner's name.
  public let learner: String
  /// The number of sessions that were erased completely.
  public let sessions: Int
  /// The number of erased steps.
  public let steps: Int
  /// The number of erased activity events.
  public let activities: Int
  /// Whether the file, including its free pages, and its write-ahead log no longer contain the data. `false` while
  /// another program reads the database; call ``NavigationService/sweep()`` later in this case.
  public let isSwept: Bool
  /// Whether the write-ahead log no longer contains the data. `false` if an earlier read did not end in time; a server
  /// clears the log within a minute after that read.
  public let isLogCleared: Bool
  /// The copies next to the database, made before migrations, from which the learner was erased too.
  public var copies: [String] = []
  /// The copies next to the database, made before migrations, that still contain the data, with the reasons.
  public var untouchedCopies: [UntouchedCopy] = []

  /// A copy of the database that still contains the erased data.
  public struct UntouchedCopy: Hashable, Encodable, Sendable {
    /// The path of the copy.
    public let path: String
    /// The reason why the copy still contains the data, as a sentence.
    public let reason: String
    /// The remedy, if it depends on the program. It is not encoded.
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

/// The learners of a database: exports, imports and erases them.
public struct Learners: Sendable {
  let session: LearnerSession

  /// Returns all learners, sorted by name.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func all() throws(NavigationError) -> [Learner] {
    try session.read { try $0.learners() }
  }

  /// Returns the names of all learners, including learners without history for whom an access token was created.
  package func knownNames() throws(NavigationError) -> [String] { try session.read { try $0.knownNames() } }

  /// Exports all data of a learner as JSON, which ``import(from:named:as:)`` can import into another database.
  /// The required memory does not depend on the length of the history. The record of a learner who has only an access
  /// token is empty.
  ///
  /// - Parameters:
  ///   - name: The learner's name.
  ///   - write: Receives the next piece of the text. Returns whether to continue; on `false`, the export ends without
  ///     an error.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``, ``NavigationError/database(_:)``.
  public func export(_ name: String, to write: (String) -> Bool) throws(NavigationError) {
    struct Stopped: Error {}
    try session.read { snapshot in
      try session.store.recordDeparture(of: snapshot)
      let token = try snapshot.learner(named: name) == nil ? snapshot.accessTokens().first { $0.learner == name } : nil
      let learner = try token == nil ? snapshot.existingLearner(name).id : nil
      let empty = token.map {
        LearnerRecord(uuid: UUID().uuidString.lowercased(), name: name, createdAt: $0.createdAt)
      }
      do {
        try LearnerFile.write(recordOf: learner, or: empty, in: snapshot) { text in
          if !write(text) { throw Stopped() }
        }
      } catch is Stopped {}
    }
  }

  /// Merges a learner's file into the learner of the same name, in one transaction. Creates the learner if it is
  /// missing. Importing a file a second time has no further effect.
  ///
  /// - Parameters:
  ///   - data: The output of ``export(_:to:)``.
  ///   - file: The name of the file for errors.
  ///   - name: The learner to merge into. If `nil`, the learner with the name in the file. Useful if several learners
  ///     have the same name, such as `student`, on their own computers.
  /// - Returns: The numbers of added sessions, steps and activity events.
  /// - Throws: ``NavigationError/unreadableLearner(file:problem:)``, ``NavigationError/unusableName(name:)``.
  @discardableResult
  public func `import`(from data: Data, named file: String, as name: String? = nil) throws(NavigationError)
    -> LearnerImport
  {
    var record = try LearnerFile.read(data, from: file)
    return try session.durably { transaction in
      let accepted = try LearnerName.accepted(name ?? record.name, in: transaction.snapshot)
      record.name = accepted.name
      let merged = try transaction.merge(record, at: session.now())
      while try transaction.settleMemories(of: merged.learner.id) {}
      return LearnerImport(
        learner: merged.learner.name, sessions: merged.sessions, steps: merged.steps, activities: merged.activities,
        unknownPlaces: merged.unknownNodes, similarName: accepted.similar)
    }
  }

  /// Erases all data of a learner. The data is removed from the file with its free pages, from its write-ahead log, and
  /// from the copies that were made next to the file before migrations. Other copies are not changed.
  ///
  /// - Parameters:
  ///   - name: The learner's name.
  ///   - sweeping: If `true`, sweeps the file, which takes time proportional to its size. Otherwise the erased rows are
  ///     overwritten and removed from the write-ahead log, and ``NavigationService/sweep()`` removes their remains in free pages later.
  /// - Returns: The numbers of erased sessions, steps and activity events, and the copies that still contain the data.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``, and ``NavigationError/learnerIsHere(name:)`` if one
  ///   of the learner's sessions is open in a running process, which would continue to record.
  @discardableResult
  public func erase(_ name: String, sweeping: Bool = true) throws(NavigationError) -> Erasure {
    try erase(name, sweeping: sweeping, by: .command("learners erase"))
  }

  /// Erases all data of a learner, and records the erasure with its origin in the audit.
  ///
  /// - Parameters:
  ///   - name: The learner's name.
  ///   - sweeping: Whether to sweep the file, as in ``erase(_:sweeping:)``.
  ///   - barsIdentities: Whether later synchronisations and imports must not restore the learner from any database. A
  ///     server sets `false`: it only bars its own identity of the learner, so that the learner can be moved to another
  ///     server.
  ///   - actor: The origin of the erasure.
  package func erase(
    _ name: String, sweeping: Bool, barringIdentities barsIdentities: Bool = true, by actor: AuditActor
  ) throws(NavigationError) -> Erasure {
    // A learner who has only an access token gets a row, which is erased with the token.
    if try session.read({ try $0.learner(named: name) == nil && $0.isKnown(learnerNamed: name) }) {
      try session.durably { _ = try $0.makeLearner(named: name, at: session.now()) }
    }
    let (storedLearner, openSessions) = try session.read { snapshot in
      let storedLearner = try snapshot.existingLearner(name)
      return (storedLearner, try snapshot.openSessions().filter { $0.session.learner == storedLearner.id })
    }
    let locks = try locks(of: openSessions, name)
    defer { withExtendedLifetime(locks) {} }
    let erased = try session.store.typed(writing: true) {
      try session.store.erase(
        storedLearner.id, sweeping: sweeping, barringIdentities: barsIdentities, by: actor, at: session.now())
    }
    if name == session.learner { session.cache.withLock { $0 = LearnerSession.Cache() } }
    var erasure = Erasure(storedLearner.name, erased)
    for copy in session.store.copiesBeforeMigrations() {
      do {
        if try LearningStore.erase(learnerNamed: storedLearner.name, fromCopyAt: copy) { erasure.copies.append(copy) }
      } catch {
        erasure.untouchedCopies.append(
          Erasure.UntouchedCopy(path: copy, reason: error.description, remedy: error.remedy))
      }
    }
    return erasure
  }

  /// Acquires the locks of sessions whose processes no longer run, so that no process uses the sessions during an
  /// erasure. The lock files are deleted when the locks are released.
  ///
  /// - Throws: ``NavigationError/learnerIsHere(name:)`` if a running process uses one of the sessions.
  private func locks(of sessions: [SessionRecord], _ name: String) throws(NavigationError) -> [ProcessLock] {
    var locks: [ProcessLock] = []
    for file in sessions.compactMap(\.lockFile) {
      guard let lock = ProcessLock.takeOver(ofSession: file, of: session.store.path) else {
        throw .learnerIsHere(name: name)
      }
      locks.append(lock)
    }
    return locks
  }

  /// Erases the learner's history since a time: in each session, the first step at or after that time and everything
  /// after it. A visit that began earlier keeps its duration. Bookmarks and settings are kept.
  ///
  /// Copies that were made before migrations are not changed; ``Erasure/untouchedCopies`` lists them.
  ///
  /// - Parameter date: The time.
  /// - Returns: The numbers of erased sessions, steps and activity events, and the copies that still contain the data.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``, and ``NavigationError/learnerIsHere(name:)`` if
  ///   another process uses one of the learner's sessions, because the current place of that session would no longer be
  ///   in the history.
  @discardableResult
  public func eraseHistory(since date: Date) throws(NavigationError) -> Erasure {
    let ownSession = session.cache.withLock { $0.session }
    let (storedLearner, openSessions) = try session.read { snapshot in
      let storedLearner = try snapshot.existingLearner(session.learner)
      return (
        storedLearner,
        try snapshot.openSessions().filter { $0.session.learner == storedLearner.id && $0.session.id != ownSession }
      )
    }
    let locks = try locks(of: openSessions, storedLearner.name)
    defer { withExtendedLifetime(locks) {} }
    let time = (first: Timestamp(date: date), now: session.now())
    let entry = AuditEntry(.command("history erase"), of: storedLearner.name, at: time.now)
    var erasure = Erasure(
      storedLearner.name,
      try session.store.typed(writing: true) {
        try session.store.eraseHistory(of: storedLearner.id, since: time.first, at: time.now, noting: entry)
      })
    erasure.untouchedCopies = session.store.copiesBeforeMigrations().map {
      Erasure.UntouchedCopy(
        path: $0, reason: "Could not erase a part of the history in \(quoted: $0): it is an older version.")
    }
    return erasure
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
  /// Returns the learner with the given name.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  fileprivate func existingLearner(_ name: String) throws -> Learner {
    if let learner = try learner(named: name) { return learner }
    throw NavigationError.unknownLearner(
      name: name, nearest: FuzzyMatch.nearest(to: name, among: try learners().map(\.name)))
  }
}
