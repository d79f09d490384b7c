import Foundation
import LearningModel
import NavigationKit
import Synchronization

/// The only thread on which the server writes. Requests that arrive while it waits for the disk are committed together.
///
/// SQLite allows one writer at a time, and a durable commit waits for the disk. Writes therefore queue up here and
/// never block a thread that answers other requests.
final class CommitThread: Sendable {
  private struct Job: Sendable {
    let deadline: ContinuousClock.Instant
    /// Whether the job has its own transactions, or must run outside a transaction.
    let isAlone: Bool
    /// Performs the job and stores its result.
    let run: @Sendable () -> Void
    /// Passes the stored result to the caller. If an error is given, the job had no effect, and the caller receives the
    /// error.
    let finish: @Sendable ((any Error)?) -> Void
  }

  private struct State {
    var jobs: [Job] = []
    /// Jobs that may take long. Each runs in its own transaction, or outside any transaction.
    var longJobs: [Job] = []
    /// The number of commits of short jobs since the last long job started. Counted only while a long job is waiting.
    var overtakings = 0
    var isStopping = false
    var isOver = false
  }

  /// The maximum number of waiting requests. Further requests fail at once with `NavigationError.busy`.
  private static let maximumWaitingCount = 4_096
  /// The maximum number of requests in one commit, so that a commit takes a fraction of a second.
  private static let maximumBatchSize = 256
  /// The maximum number of commits that may overtake a waiting long job. After them, the long job starts.
  private static let maximumOvertakings = 16

  private let state = Mutex(State())
  private let condition = NSCondition()
  private let navigation: NavigationService
  private let metrics: Metrics
  private let busyTimeout: Duration

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - navigation: The navigation facade of the server, whose database is written.
  ///   - timeout: The time for which a request waits for other writers.
  init(_ navigation: NavigationService, waitingAtMost timeout: Duration, metrics: Metrics) {
    self.navigation = navigation
    self.metrics = metrics
    busyTimeout = timeout
    let thread = Thread { [self] in work() }
    thread.name = "waymark.commits"
    thread.start()
  }

  /// Writes to the database. Returns when the change is on disk.
  ///
  /// - Parameters:
  ///   - token: The token of the request, which is checked in the transaction. `nil` for a write of the server itself.
  ///   - isLong: Whether `body` may take long. If `true`, it gets its own transaction, and short writes that arrive
  ///     before it starts may overtake it.
  ///   - body: Called on the writer thread, inside a transaction that it may share with other requests.
  /// - Throws: The error of `body`, `NavigationError.invalidToken`, `NavigationError.busy` if the database was busy for too long, or the error of the
  ///   commit. If an error is thrown, nothing was changed.
  func write<Answer: Sendable>(
    by token: AccessToken?, isLong: Bool = false, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    let navigation = navigation
    return try await enqueue(
      up: {
        if let token { try navigation.access.check(token) }
        return try body()
      }, isLong: isLong, isAlone: false)
  }

  /// Runs `body` outside a shared transaction while no request writes, for example because `body` has its own
  /// transactions.
  ///
  /// Short writes that arrive before `body` starts may overtake it.
  func writeExclusively<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await enqueue(up: body, isLong: true, isAlone: true)
  }

  /// The number of waiting writes.
  var waitingCount: Int { state.withLock { $0.jobs.count + $0.longJobs.count } }

  /// Performs the waiting jobs, then ends the thread.
  func stop() {
    condition.lock()
    state.withLock { $0.isStopping = true }
    condition.broadcast()
    while !state.withLock({ $0.isOver }) { condition.wait() }
    condition.unlock()
  }

  private func enqueue<Answer: Sendable>(
    up body: @escaping @Sendable () throws -> Answer, isLong: Bool, isAlone: Bool
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let result = Outcome<Answer>()
      let job = Job(
        deadline: .now + busyTimeout, isAlone: isAlone, run: { result.set(Result { try body() }) },
        finish: { error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume(with: result.get()) }
        })
      condition.lock()
      let isTaken = state.withLock { state in
        guard !state.isStopping, state.jobs.count + state.longJobs.count < Self.maximumWaitingCount else {
          return false
        }
        if isLong { state.longJobs.append(job) } else { state.jobs.append(job) }
        return true
      }
      condition.signal()
      condition.unlock()
      if !isTaken { job.finish(NavigationError.busy) }
    }
  }

  /// The result of a job, available after the job has run.
  private final class Outcome<Answer: Sendable>: Sendable {
    private let result = Mutex<Result<Answer, any Error>>(.failure(NavigationError.busy))

    func set(_ new: Result<Answer, any Error>) { result.withLock { $0 = new } }
    func get() -> Result<Answer, any Error> { result.withLock { $0 } }
  }

  // MARK: - On the thread

  private func work() {
    while let jobs = next() {
      if jobs[0].isAlone {
        jobs[0].run()
        jobs[0].finish(nil)
      } else {
        commit(jobs)
      }
    }
    condition.lock()
    state.withLock { $0.isOver = true }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for jobs and returns the next ones: all short jobs, or one long job. Returns `nil` if ``stop()`` was called
  /// and no job is waiting.
  private func next() -> [Job]? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let (jobs, isOver) = state.withLock { state -> ([Job], Bool) in
        if !state.longJobs.isEmpty, state.jobs.isEmpty || state.overtakings >= Self.maximumOvertakings {
          state.overtakings = 0
          return ([state.longJobs.removeFirst()], false)
        }
        let jobs = Array(state.jobs.prefix(Self.maximumBatchSize))
        state.jobs.removeFirst(jobs.count)
        if !jobs.isEmpty, !state.longJobs.isEmpty { state.overtakings += 1 }
        return (jobs, jobs.isEmpty && state.isStopping)
      }
      if !jobs.isEmpty { return jobs }
      if isOver { return nil }
      condition.wait()
    }
  }

  private func commit(_ all: [Job]) {
    var jobs = all
    while !jobs.isEmpty {
      let first = jobs.map(\.deadline).min() ?? .now
      let remaining = max(.zero, ContinuousClock.now.duration(to: first))
      do {
        try navigation.access.groupCommit(waitingAtMost: remaining) { for job in jobs { job.run() } }
        metrics.recordCommit(of: jobs.count)
        for job in jobs { job.finish(nil) }
        return
      } catch NavigationError.busy {
        // Callers whose deadline has passed get an error. The other jobs are tried again.
        let now = ContinuousClock.now
        let expired = jobs.filter { $0.deadline <= now }
        jobs.removeAll { $0.deadline <= now }
        for job in expired { job.finish(NavigationError.busy) }
      } catch {
        for job in jobs { job.finish(error) }
        return
      }
    }
  }
}
