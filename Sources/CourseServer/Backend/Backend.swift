import CourseLibrary
import Foundation
import LearningModel
import NavigationService

/// What every request is answered from: the doors to the database, and the threads that may wait for it.
final class Backend: Sendable {
  let settings: ServerSettings
  let library: CourseLibrary
  /// Opens the database, and speaks for nobody.
  let house: NavigationService
  let commits: CommitThread
  let feed: StepFeed
  let metrics = Metrics()
  /// How often an address may be wrong about its token.
  let wrongTokens = Allowance<String>(atOnce: 20, perSecond: 1.0 / 3)
  /// How often a token may ask.
  let requests: Allowance<Int64>?
  let readers: ReaderThreads

  /// Opens the database, and makes it and brings it up to date where that is needed.
  init(_ settings: ServerSettings) throws {
    self.settings = settings
    library = try CourseLibrary(databaseAt: settings.database)
    house = try NavigationService(databaseAt: settings.database, learner: "server", session: .none)
    commits = CommitThread(house, waitingAtMost: ServerSettings.longestWait, metrics: metrics)
    // As many as there are connections for reading.
    readers = ReaderThreads(count: 4)
    feed = StepFeed(house, metrics: metrics)
    let rate = Double(settings.requestsPerSecond)
    requests = rate > 0 ? Allowance(atOnce: 4 * rate, perSecond: rate) : nil
  }

  /// Asks the database on a thread that may wait for it: on this one, where it may.
  func read<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await withTaskExecutorPreference(readers) { try body() }
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
    commits.stop()
    await readers.stop()
  }
}

extension NavigationService.SessionChoice {
  /// That of a question: it has none, and begins none.
  static let none = NavigationService.SessionChoice.process(named: "question")
}
