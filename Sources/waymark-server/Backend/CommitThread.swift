import Foundation
import NavigationKit
import Synchronization

/// The one thread on which the server writes: what is asked for while it waits for the disk is committed together.
///
/// SQLite takes one writer at a time, and a commit that survives a power cut waits for the disk. So requests line up here,
/// and never hold a thread that answers others.
final class CommitThread: Sendable {
  private struct Job: Sendable {
    let deadline: ContinuousClock.Instant
    /// Whether it brings its own transaction, or none.
    let isAlone: Bool
    /// Does it, and keeps what came of it.
    let run: @Sendable () -> Void
    /// Tells what came of it, or why nothing has happened.
    let finish: @Sendable ((any Error)?) -> Void
  }

  private struct State {
    var jobs: [Job] = []
    /// Jobs that take long, each of which is a transaction of its own or none.
    var longJobs: [Job] = []
    /// How many times other jobs went first since the last long one began.
    var overtakings = 0
    var isStopping = false
    var isOver = false
  }

  /// Requests that may wait; others are told at once that the database is busy.
  private static let longestLine = 4_096
  /// Requests that are committed together at most: a commit takes a fraction of a second.
  private static let most = 256
  /// The maximum number of commits that go before a long job, so that it begins at some time.
  private static let mostOvertakings = 16

  private let state = Mutex(State())
  private let condition = NSCondition()
  private let house: NavigationService
  private let metrics: Metrics
  private let wait: Duration

  /// Begins.
  ///
  /// - Parameters:
  ///   - house: Whose database it is.
  ///   - milliseconds: How long a request waits for a busy database.
  init(_ house: NavigationService, waitingAtMost milliseconds: Int, metrics: Metrics) {
    self.house = house
    self.metrics = metrics
    wait = .milliseconds(milliseconds)
    let thread = Thread { [self] in work() }
    thread.name = "waymark.commits"
    thread.start()
  }

  /// Writes, and answers when it is on the disk.
  ///
  /// - Parameters:
  ///   - isLong: Whether `body` may take long. Then other writes that arrive before it begins go first, and it has a
  ///     transaction of its own.
  ///   - body: Called on the thread, inside a transaction that others may share.
  /// - Throws: What `body` throws, `NavigationError.busy` where the database was busy for too long, and why the commit
  ///   failed; then nothing has happened.
  func write<Answer: Sendable>(
    isLong: Bool = false, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await line(up: body, isLong: isLong, isAlone: false)
  }

  /// Does what brings its own transactions, or what no transaction can, while no request writes. Other writes that arrive
  /// before it begins go first.
  func alone<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
    try await line(up: body, isLong: true, isAlone: true)
  }

  /// How many writes wait.
  var waitingCount: Int { state.withLock { $0.jobs.count + $0.longJobs.count } }

  /// Does what is asked for already, and ends.
  func stop() {
    condition.lock()
    state.withLock { $0.isStopping = true }
    condition.broadcast()
    while !state.withLock({ $0.isOver }) { condition.wait() }
    condition.unlock()
  }

  private func line<Answer: Sendable>(
    up body: @escaping @Sendable () throws -> Answer, isLong: Bool, isAlone: Bool
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let result = Outcome<Answer>()
      let job = Job(
        deadline: .now + wait, isAlone: isAlone, run: { result.set(Result { try body() }) },
        finish: { error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume(with: result.get()) }
        })
      condition.lock()
      let isTaken = state.withLock { state in
        guard !state.isStopping, state.jobs.count + state.longJobs.count < Self.longestLine else { return false }
        if isLong { state.longJobs.append(job) } else { state.jobs.append(job) }
        return true
      }
      condition.signal()
      condition.unlock()
      if !isTaken { job.finish(NavigationError.busy) }
    }
  }

  /// What came of a job, once it was run.
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

  /// Returns the next jobs: all that are short, or one that is long. `nil` if there is none and none will arrive.
  private func next() -> [Job]? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let (jobs, isOver) = state.withLock { state -> ([Job], Bool) in
        if !state.longJobs.isEmpty, state.jobs.isEmpty || state.overtakings >= Self.mostOvertakings {
          state.overtakings = 0
          return ([state.longJobs.removeFirst()], false)
        }
        let jobs = Array(state.jobs.prefix(Self.most))
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
      let left = max(0, Int(ContinuousClock.now.duration(to: first) / .milliseconds(1)))
      do {
        try house.together(waitingAtMost: left) { for job in jobs { job.run() } }
        metrics.noteCommit(of: jobs.count)
        for job in jobs { job.finish(nil) }
        return
      } catch NavigationError.busy {
        // A caller that has waited for long enough is told so; the others wait on.
        let now = ContinuousClock.now
        let late = jobs.filter { $0.deadline <= now }
        jobs.removeAll { $0.deadline <= now }
        for job in late { job.finish(NavigationError.busy) }
      } catch {
        for job in jobs { job.finish(error) }
        return
      }
    }
  }
}
