import Answers
import CourseKit
import Foundation
import LearningModel
import LearningStore
import Logging
import NIOPosix
import NavigationKit
import ServiceLifecycle

/// The state that all requests share: the database or hub, the rate limits, and the threads on which requests are
/// answered.
final class Backend: Sendable {
  let settings: ServerSettings
  /// The store with which other databases of learners synchronise: the server's own database, or a hub on PostgreSQL.
  let hub: any HubStore
  private let serverDatabase: ServerDatabase?
  let metrics = Metrics()
  /// Limits the number of requests with invalid tokens from each client address.
  let wrongTokens = RateLimiter<String>(atOnce: 20, perSecond: 1.0 / 3)
  /// Limits the number of requests with each token. `nil` if it is unlimited.
  let requests: RateLimiter<Int64>?
  /// The threads that answer inexpensive requests. Expensive requests never run on these threads.
  let readers: ReaderThreads
  let health: DatabaseHealth
  private let logger: Logger
  /// The threads that answer expensive requests.
  let heavyReaders: ReaderThreads
  /// The thread that fits weights.
  private let fitThread = ReaderThreads(count: 1)
  /// Limits each learner to one fit at a time.
  let fits = LearnerQueue(maximumWaitingCount: 0)
  /// Limits each learner to one expensive request at a time.
  let learnerQueue = LearnerQueue()
  /// Limits each learner to one export that has not been sent completely.
  let exports = LearnerQueue()

  /// Opens the database; creates or migrates it if needed. A hub on PostgreSQL is connected at the first request.
  init(_ settings: ServerSettings, logger: Logger) throws {
    self.settings = settings
    self.logger = logger
    health = DatabaseHealth(logger)
    if let hub = settings.hub {
      serverDatabase = nil
      self.hub = try PostgresStore(hub.address, tenant: hub.tenant)
      // Each thread has its own connection, and blocks until PostgreSQL answers.
      readers = ReaderThreads(count: 4)
      heavyReaders = ReaderThreads(count: 16)
    } else {
      let database = try ServerDatabase(settings.database, metrics: metrics)
      self.serverDatabase = database
      hub = EmbeddedStore(database.navigation)
      // There are fewer threads than the store has connections for reading, so that no thread waits for a connection.
      readers = ReaderThreads(count: 4)
      heavyReaders = ReaderThreads(count: 2)
    }
    let rate = Double(settings.requestsPerSecond)
    requests = rate > 0 ? RateLimiter(atOnce: 4 * rate, perSecond: rate) : nil
  }

  /// Whether the server has its own database with courses. `false` for a hub on PostgreSQL.
  var hasDatabase: Bool { serverDatabase != nil }
  var library: CourseLibrary { database.library }
  /// The navigation facade of the server itself, which does not act for any learner.
  var navigation: NavigationService { database.navigation }
  var commits: CommitThread { database.commits }
  var feed: NavigationEventFeed { database.feed }

  private var database: ServerDatabase {
    guard let serverDatabase else {
      preconditionFailure("A route of a hub on PostgreSQL asks for a database of its own.")
    }
    return serverDatabase
  }

  /// Reads the database on one of ``readers``. If the caller is already on one of these threads, runs `body` directly.
  func read<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withTaskExecutorPreference(readers) { try body() }
  }

  /// Truncates the write-ahead log if it may still contain erased rows.
  func clearLogOfErasures() async throws {
    let navigation = navigation
    guard try await read({ try navigation.access.isSweepPending() }) else { return }
    _ = try await commits.writeExclusively { try navigation.truncateLog(over: 0) }
  }

  /// Logs an error of background work. While the database is failing, only the first error is logged.
  func report(_ error: any Error, _ message: String) {
    if !health.report(error) { logger.error("\(message)", metadata: ["error": "\(CommandWords.text(error))"]) }
  }

  /// Answers a request on the threads for inexpensive or for expensive requests. An expensive request first waits until
  /// the learner's previous expensive request has been answered.
  ///
  /// - Parameter body: Produces the answer. Its arguments are the threads on which to read the database and, for an
  ///   export, the turn to hold until the answer has been sent.
  func answering<Answer: Sendable>(
    _ cost: Endpoint.Cost, for learner: String,
    _ body: @escaping @Sendable (ReaderThreads, LearnerQueue.Turn?) async throws -> Answer
  ) async throws -> Answer {
    guard cost != .light else { return try await body(readers, nil) }
    if cost == .fit {
      let turn = try await fits.acquire(for: learner)
      defer { withExtendedLifetime(turn) {} }
      return try await cancelWhenGracefulShutdown { try await body(self.fitThread, nil) }
    }
    let exportTurn = cost == .export ? try await exports.acquire(for: learner) : nil
    let turn = try await learnerQueue.acquire(for: learner)
    defer { withExtendedLifetime(turn) {} }
    return try await withTaskExecutorPreference(heavyReaders) { try await body(heavyReaders, exportTurn) }
  }

  /// Returns the navigation facade for a learner.
  ///
  /// - Parameters:
  ///   - session: The session to navigate in or to query.
  ///   - zone: The learner's time zone.
  func navigation(
    for learner: String, session: SessionChoice = .none, zone: TimeZone
  ) throws -> NavigationService {
    try NavigationService(sharingDatabaseOf: navigation, learner: learner, session: session, timeZone: zone)
  }

  /// Stops the threads. Must be called after the last request has been answered.
  func close() async {
    serverDatabase?.commits.stop()
    await readers.stop()
    await heavyReaders.stop()
    await fitThread.stop()
  }
}

/// The server's SQLite database, with its facades, its writer thread and its event feed.
private struct ServerDatabase: Sendable {
  let library: CourseLibrary
  let navigation: NavigationService
  let commits: CommitThread
  let feed: NavigationEventFeed

  init(_ file: String, metrics: Metrics) throws {
    let database = try LearningDatabase(.file(file))
    library = CourseLibrary(database)
    navigation = try NavigationService(database, learner: "server", session: .none)
    commits = CommitThread(navigation, waitingAtMost: ServerSettings.busyTimeout, metrics: metrics)
    feed = NavigationEventFeed(navigation, metrics: metrics)
  }
}

extension SessionChoice {
  /// The session choice of a query, for which no session is looked up or created.
  static let none = SessionChoice.process(named: "question")
}

/// Threads that may block while they wait for the database.
///
/// A request runs on one of these threads from beginning to end. Each change of threads would wait for a processor,
/// which takes milliseconds on a busy machine.
final class ReaderThreads: TaskExecutor {
  private let pool: NIOThreadPool

  /// Starts the threads.
  init(count: Int) {
    pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Jobs are run even during shutdown, because a task whose job is dropped would never end.
    pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs the pending jobs, then stops the threads.
  func stop() async { try? await pool.shutdownGracefully() }
}
