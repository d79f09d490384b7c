public import Foundation
public import LearningModel
import LearningStore
import Synchronization

/// The one way in which front ends move through courses, and ask where somebody is and was.
///
/// A service speaks for one learner in one session. It may be used from any thread. Asking begins no session and makes no
/// learner; the first step that is performed does both.
///
/// ```swift
/// let service = try NavigationService(databaseAt: path, learner: "ada", session: .named("shell"))
/// let step = try service.perform(.open("english-for-business/negotiating"))
/// print(step.to.title, step.transition?.choice.kind as Any)
/// ```
public final class NavigationService: Sendable {
  /// Whose steps these are.
  public let learner: String
  /// The session that the steps are of.
  public let sessionChoice: SessionChoice
  /// The learner's time zone.
  public let timeZone: TimeZone

  let store: LearningStore
  let now: @Sendable () -> Timestamp
  let sitting = Mutex(Sitting())

  /// Which session the steps of a front end are of.
  public enum SessionChoice: Hashable, Sendable {
    /// One that lives and ends with this process, as a browser's does.
    case process(named: String)
    /// The open one of that name, which has no process and ends after four idle hours.
    case named(String)

    /// The name in the log.
    public var name: String {
      switch self {
      case .process(let name), .named(let name): name
      }
    }

    /// A browser's.
    public static let browser = SessionChoice.process(named: "browser")
    /// The one of commands that name none.
    public static let shell = SessionChoice.named("shell")
  }

  /// What the service remembers of its session beyond what the database has.
  struct Sitting {
    /// The session that was begun by this service.
    var session: SessionID?
    /// What shows other processes that it lives.
    var lock: ProcessLock?
    /// The presence in the visit of that event, as far as it is not saved yet.
    var presence: (event: Int64, presence: Presence)?
    /// When presence was last saved.
    var savedAt: Timestamp?
    /// Where the learner is, for as long as the database is in that state.
    var known: (state: Int, situation: Situation)?
  }

  /// Opens the database, and closes the sessions in it whose processes are gone, at their last input.
  ///
  /// - Parameters:
  ///   - path: Where the database is or shall be.
  ///   - learner: The learner's name. White space at its ends is ignored. A new learner is created by the first step.
  ///   - ignoresCase: Whether a known learner whose name differs only in case is meant if no learner has this name.
  ///   - session: Which session the steps are of.
  ///   - timeZone: The learner's time zone: what `yesterday` means.
  ///   - now: Tells the time.
  /// - Throws: ``NavigationError``.
  public init(
    databaseAt path: String, learner: String, ignoringCase ignoresCase: Bool = false, session: SessionChoice = .shell,
    timeZone: TimeZone = .current, now: @escaping @Sendable () -> Timestamp = { Timestamp(date: Date()) }
  ) throws {
    // An empty name is refused before a database is created for it.
    let name = LearnerName.trimmed(learner)
    guard !name.isEmpty else { throw NavigationError.unusableName(name: learner) }
    sessionChoice = session
    self.timeZone = timeZone
    self.now = now
    let store = try Self.explaining { try LearningStore.open(at: path) }
    self.store = store
    self.learner = try Self.knownOrUsable(name, ignoringCase: ignoresCase, in: store)
    try closeDeadSessions()
  }

  /// Speaks for another learner, or in another session, on a database that is open: quick enough for a single question.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package init(
    beside other: NavigationService, learner: String, session: SessionChoice, timeZone: TimeZone
  ) throws {
    self.learner = try Self.knownOrUsable(LearnerName.trimmed(learner), in: other.store)
    sessionChoice = session
    self.timeZone = timeZone
    store = other.store
    now = other.now
  }

  // MARK: - The door to the store

  /// Asks the store, and puts its errors into the service's own words.
  func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try Self.explaining { try store.read(body) }
  }

  /// Asks the store for as little as a screen shows after a step, and puts its errors into the service's own words.
  func glance<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    try Self.explaining { try store.glance(body) }
  }

  /// Changes the store, and puts its errors into the service's own words.
  func write<Answer>(
    waitingAtMost milliseconds: Int? = nil, _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    try Self.explaining { try store.write(waitingAtMost: milliseconds ?? 10_000, body) }
  }

  /// Lets this service continue without recording when the database cannot be written, because its disk is full or it is
  /// read-only. Steps then go to a copy in memory, which is lost when the process ends.
  ///
  /// Meant for interactive front ends; a command that only records must fail instead.
  public func allowUnrecordedSteps() { store.allowScratch() }

  /// Why steps are not recorded, as a sentence; `nil` while they are.
  public var unrecordedNotice: String? {
    guard store.isScratch else { return nil }
    switch store.refusal {
    case .diskFull: return "Nothing is recorded: the disk of the database is full. Make room, then start Waymark again."
    default: return "Nothing is recorded: the database can be read, but not written."
    }
  }

  static func explaining<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as LearningStoreError {
      if error.kind == .tryAgain { throw NavigationError.busy }
      throw NavigationError.database(error.kind, words: error.description)
    }
  }

  /// A number that changes when another process has changed the database.
  public func dataVersion() throws -> Int {
    try Self.explaining { try store.dataVersion() }
  }
}

extension Timestamp {
  /// The moment of a date, to the millisecond.
  public init(date: Date) {
    self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// The date of the moment.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
