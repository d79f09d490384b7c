import Foundation
import HTTPTypes
import Logging
import NavigationKit
import Synchronization
import TestSupport
import Testing

@testable import waymark_server

/// The order in which requests start while other requests are blocked.
@Suite(.timeLimit(.minutes(2))) struct FairnessTests {
  /// The names of requests and writes in the order in which they started.
  private final class Log: Sendable {
    private let state = Mutex<[String]>([])

    var names: [String] { state.withLock { $0 } }

    func note(_ name: String) { state.withLock { $0.append(name) } }

    /// Waits until a number of names were logged.
    func reaches(_ count: Int) async throws { try await FairnessTests.until { self.names.count >= count } }
  }

  private static func until(_ condition: @Sendable () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  private let folder: TemporaryFolder
  private let backend: Backend
  private let log = Log()
  private let gate = DispatchSemaphore(value: 0)

  init() throws {
    folder = try TemporaryFolder()
    backend = try Backend(
      ServerSettings(database: folder.file("waymark.sqlite")),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Answers an expensive request, which blocks its thread until the gate is opened once.
  private func heavyAnswer(_ learner: String, _ name: String) async throws {
    try await backend.answering(.heavy, for: learner) { threads, _ in
      await withTaskExecutorPreference(threads) {
        log.note(name)
        hold()
      }
    }
  }

  private func hold() { gate.wait() }

  @Test func `an inexpensive request starts while expensive requests of several learners are blocked`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        group.addTask { try await heavyAnswer("ada", "ada") }
        if number == 1 { try await log.reaches(1) }
      }
      try await Self.until { backend.learnerQueue.count(of: "ada") == 8 }
      group.addTask { try await heavyAnswer("ben", "ben") }
      try await log.reaches(2)
      // All threads for expensive requests are occupied when the third learner's request arrives.
      group.addTask { try await heavyAnswer("cleo", "cleo") }

      let answer = try await backend.answering(.light, for: "ada") { _, _ in try await backend.read { "light" } }

      #expect(answer == "light")
      #expect(log.names == ["ada", "ben"])
      for _ in 1...10 { gate.signal() }
      try await group.waitForAll()
    }
    #expect(log.names.sorted() == Array(repeating: "ada", count: 8) + ["ben", "cleo"])
    await backend.close()
  }

  @Test func `a learner with many expensive requests does not delay another learner`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask { try await heavyAnswer("ada", "ada \(number)") }
        try await Self.until { backend.learnerQueue.count(of: "ada") == number }
      }

      group.addTask { try await heavyAnswer("ben", "ben") }
      try await log.reaches(2)

      #expect(log.names == ["ada 1", "ben"])
      for _ in 1...5 { gate.signal() }
      try await group.waitForAll()
    }
    #expect(log.names == ["ada 1", "ben", "ada 2", "ada 3", "ada 4"])
    await backend.close()
  }

  @Test func `a cancelled request is removed from the queue`() async throws {
    let turns = LearnerQueue()
    let first = try await turns.acquire(for: "ada")
    let second = Task { _ = try await turns.acquire(for: "ada") }
    try await Self.until { turns.count(of: "ada") == 2 }

    second.cancel()

    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(turns.count(of: "ada") == 1)
    withExtendedLifetime(first) {}
    let problem = Problem(CancellationError())
    #expect(problem?.status == .serviceUnavailable)
    #expect(problem?.detail == "Could not answer: the server is shutting down. Send the request again.")
  }

  @Test func `requests beyond the queue of a learner are refused without affecting other learners`() async throws {
    let turns = LearnerQueue()
    var first: LearnerQueue.Turn? = try await turns.acquire(for: "ada")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<turns.maximumWaitingCount { group.addTask { _ = try await turns.acquire(for: "ada") } }
      try await Self.until { turns.count(of: "ada") == turns.maximumWaitingCount + 1 }

      let refusal = await #expect(throws: Problem.self) { _ = try await turns.acquire(for: "ada") }
      _ = try await turns.acquire(for: "ben")

      #expect(refusal?.status == .tooManyRequests)
      #expect(
        refusal?.detail
          == "Could not answer: 256 requests of this learner are already waiting. Wait for their answers first.")
      first = nil
      try await group.waitForAll()
    }
    #expect(first == nil)
  }

  @Test func `a second computation of the same learner is refused, and that of another learner waits`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["ada", "ben"] {
        group.addTask {
          try await backend.answering(.fit, for: name) { threads, _ in
            await withTaskExecutorPreference(threads) {
              log.note(name)
              hold()
            }
          }
        }
        if name == "ada" { try await log.reaches(1) }
      }

      let refusal = await #expect(throws: Problem.self) {
        try await backend.answering(.fit, for: "ada") { _, _ in log.note("second") }
      }

      #expect(refusal?.status == .tooManyRequests)
      #expect(
        refusal?.detail
          == "Could not answer: the previous request of this learner is not answered yet. Wait for its answer first.")
      #expect(log.names == ["ada"])
      for _ in 0..<2 { gate.signal() }
      try await group.waitForAll()
    }
    #expect(log.names == ["ada", "ben"])
    await backend.close()
  }

  @Test func `short writes overtake a long write, but not indefinitely`() async throws {
    let navigation = backend.navigation
    let commits = CommitThread(navigation, waitingAtMost: .seconds(60), metrics: Metrics())
    try await withThrowingTaskGroup(of: Void.self) { group in
      func add(_ name: String, isLong: Bool = false, isHeld: Bool = false) {
        group.addTask {
          try await commits.write(by: nil, isLong: isLong) {
            log.note(name)
            if isHeld { hold() }
          }
        }
      }
      add("first", isHeld: true)
      try await log.reaches(1)
      add("long 1", isLong: true, isHeld: true)
      try await Self.until { commits.waitingCount == 1 }
      add("long 2", isLong: true)
      try await Self.until { commits.waitingCount == 2 }
      add("short 1")
      try await Self.until { commits.waitingCount == 3 }
      gate.signal()
      try await log.reaches(3)
      add("short 2")
      try await Self.until { commits.waitingCount == 2 }
      gate.signal()
      try await group.waitForAll()
    }
    #expect(log.names == ["first", "short 1", "long 1", "short 2", "long 2"])

    // Each short write is followed by another one, so that a short write is always waiting.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while !log.names.contains("last") { try await commits.write(by: nil) { log.note("short") } }
        }
      }
      try await commits.write(by: nil, isLong: true) { log.note("last") }
      try await group.waitForAll()
    }
    commits.stop()
    await backend.close()
  }

  @Test func `routes whose responses grow with a history or a course are classified as expensive`() throws {
    let heavy = Endpoint.all.filter { $0.cost != .light }.map { "\($0.method) \($0.route)" }
    let courses = try #require(Endpoint.all.first { $0.route == "/v1/courses" })

    #expect(
      heavy == [
        "GET /v1/search", "GET /v1/history", "GET /v1/statistics", "GET /v1/progress", "GET /v1/review/list",
        "GET /v1/review/log", "POST /v1/review/add", "POST /v1/review/suspend", "POST /v1/review/resume",
        "POST /v1/review/fit", "POST /v1/sync", "GET /v1/me",
        "DELETE /v1/me", "DELETE /v1/learners/{name}",
      ])
    #expect(courses.cost(of: try Query("limit=100", courses.parameters)) == .light)
    #expect(courses.cost(of: try Query("limit=101", courses.parameters)) == .heavy)
  }
}
