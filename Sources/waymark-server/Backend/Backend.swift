import CourseKit
import Foundation
import LearningModel
import Logging
import NIOPosix
import NavigationKit

/// What every request is answered from: the doors to the database, and the threads that may wait for it.
final class Backend: Sendable {
  let settings: ServerSettings
  /// Whom databases of learners are brought together with.
  let hub: any HubStore
  private let own: OwnDatabase?
  let metrics = Metrics()
  /// How often an address may be wrong about its token.
  let wrongTokens = Allowance<String>(atOnce: 20, perSecond: 1.0 / 3)
  /// How often a token may ask.
  let requests: Allowance<Int64>?
  /// The threads that answer light requests. A heavy request never runs on them.
  let readers: ReaderThreads
  let health: DatabaseHealth
  private let logger: Logger
  /// The threads that answer heavy requests.
  let heavyReaders: ReaderThreads
  /// Lets each learner have one heavy answer at a time.
  let turns = LearnerTurns()
  /// Lets each learner have one export whose answer is not sent yet.
  private let exports = LearnerTurns()

  /// Opens the database; creates or migrates it if needed.
  init(_ settings: ServerSettings, logger: Logger) throws {
    self.settings = settings
    self.logger = logger
    health = DatabaseHealth(logger)
    if let hub = settings.hub {
      own = nil
      self.hub = try PostgresStore(hub.address, tenant: hub.tenant)
      // Each has a connection of its own, and waits for it.
      readers = ReaderThreads(count: 4)
      heavyReaders = ReaderThreads(count: 16)
    } else {
      let own = try OwnDatabase(settings.database, metrics: metrics)
      self.own = own
      hub = EmbeddedStore(own.house)
      // Fewer than the connections of the store for reading, so that no thread waits for another one's connection.
      readers = ReaderThreads(count: 4)
      heavyReaders = ReaderThreads(count: 2)
    }
    let rate = Double(settings.requestsPerSecond)
    requests = rate > 0 ? Allowance(atOnce: 4 * rate, perSecond: rate) : nil
  }

  /// Whether there is a database of its own, with courses; a hub on PostgreSQL has none.
  var hasDatabase: Bool { own != nil }
  var library: CourseLibrary { database.library }
  /// Opens the database, and speaks for nobody.
  var house: NavigationService { database.house }
  var commits: CommitThread { database.commits }
  var feed: StepFeed { database.feed }

  private var database: OwnDatabase {
    guard let own else { preconditionFailure("A route of a hub on PostgreSQL asks for a database of its own.") }
    return own
  }

  /// Asks the database on a thread that may wait for it: on this one, where it may.
  func read<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withTaskExecutorPreference(readers) { try body() }
  }

  /// Truncates the write-ahead log if it may hold rows that were erased.
  func clearLogOfErasures() async throws {
    let house = house
    guard try await read({ try house.isSweepPending() }) else { return }
    _ = try await commits.alone { try house.truncateLog(over: 0) }
  }

  /// Logs an error of background work, once while the database fails.
  func report(_ error: any Error, _ message: String) {
    if !health.note(error) { logger.error("\(message)", metadata: ["error": "\(error)"]) }
  }

  /// Answers a request where it delays no lighter one, and not before the learner's other heavy answers.
  ///
  /// - Parameter body: Receives the threads that read the database for this answer, and for an export the turn to hold
  ///   until it was sent.
  func answering<Answer: Sendable>(
    _ cost: Endpoint.Cost, for learner: String,
    _ body: @Sendable (ReaderThreads, LearnerTurns.Turn?) async throws -> Answer
  ) async throws -> Answer {
    guard cost != .light else { return try await body(readers, nil) }
    let exportTurn = cost == .export ? try await exports.take(for: learner) : nil
    let turn = try await turns.take(for: learner)
    defer { withExtendedLifetime(turn) {} }
    return try await withTaskExecutorPreference(heavyReaders) { try await body(heavyReaders, exportTurn) }
  }

  /// The door for one learner.
  ///
  /// - Parameters:
  ///   - session: Which session moves, or is asked about.
  ///   - zone: The learner's time zone.
  func navigation(
    for learner: String, session: NavigationService.SessionChoice = .none, zone: TimeZone
  ) throws -> NavigationService {
    try NavigationService(beside: house, learner: learner, session: session, timeZone: zone)
  }

  /// Ends what is at work, when the last request was answered.
  func close() async {
    own?.commits.stop()
    await readers.stop()
    await heavyReaders.stop()
  }
}

/// The database of a server, and what stands before it.
private struct OwnDatabase: Sendable {
  let library: CourseLibrary
  let house: NavigationService
  let commits: CommitThread
  let feed: StepFeed

  init(_ file: String, metrics: Metrics) throws {
    library = try CourseLibrary(databaseAt: file)
    house = try NavigationService(databaseAt: file, learner: "server", session: .none)
    commits = CommitThread(house, waitingAtMost: ServerSettings.longestWait, metrics: metrics)
    feed = StepFeed(house, metrics: metrics)
  }
}

extension NavigationService.SessionChoice {
  /// That of a question: it has none, and begins none.
  static let none = NavigationService.SessionChoice.process(named: "question")
}

/// The threads that may wait for the database. A request is answered on one of them from its beginning to its end: each
/// change of threads on the way would wait for a processor anew, for milliseconds where the machine is busy.
final class ReaderThreads: TaskExecutor {
  private let pool: NIOThreadPool

  /// Begins.
  init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Also while they end: a task that is not run would never end.
    pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Ends, when what waits is done.
  func stop() async { try? await pool.shutdownGracefully() }
}
