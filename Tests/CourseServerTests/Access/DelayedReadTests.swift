import Foundation
import HTTPTypes
import LearningModel
import NavigationKit
import Synchronization
import TestSupport
import Testing

@testable import waymark_server

/// Expensive reads whose token is revoked, or whose learner is erased, while they wait.
@Suite(.timeLimit(.minutes(3))) struct DelayedReadTests {
  /// The causes of a wait.
  enum Obstacle: String, CaseIterable {
    /// The learner's previous expensive request is not answered yet.
    case turn
    /// The client has not read the learner's previous export yet.
    case export
    /// Requests of other learners occupy the threads.
    case threads
  }

  /// A number that several threads increment.
  private final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func increment() { number.add(1, ordering: .relaxed) }
  }

  private static let bodies = [
    "POST /v1/sync": #"{"greet":{},"version":2}"#,
    "POST /v1/review/fit?dryRun=true": "",
  ]
  private static let reads = [
    "GET /v1/search?q=offer", "GET /v1/history", "GET /v1/statistics?by=course", "GET /v1/progress",
    "GET /v1/review/list", "GET /v1/review/log", "GET /v1/me", "GET /v1/courses?limit=101", "POST /v1/sync",
  ]
  private static let cases =
    reads.flatMap { line in [(line, Obstacle.turn), (line, .threads)] }
    + [("GET /v1/me", .export), ("POST /v1/review/fit?dryRun=true", .threads)]

  @Test(arguments: cases, [false, true])
  func `an expensive read is refused if its token becomes invalid while it waits`(
    waiting: (line: String, obstacle: Obstacle), isErased: Bool
  ) async throws {
    let home = try ServerFixture()
    let server = try await LocalServer(database: home.database)
    let (backend, navigation) = (server.backend, server.backend.navigation)
    let (secret, token) = try server.token("ada")
    try Self.visit("english-for-business/writing", in: backend)
    let isFit = waiting.line.contains("/fit")
    let gate = DispatchSemaphore(value: 0)
    let occupied = Counter()
    var turn: LearnerQueue.Turn?
    var others: [Task<Void, any Error>] = []
    switch waiting.obstacle {
    case .turn: turn = try await backend.learnerQueue.acquire(for: "ada")
    case .export: turn = try await backend.exports.acquire(for: "ada")
    case .threads:
      for name in isFit ? ["ben"] : ["ben", "cleo"] {
        others.append(
          Task {
            try await backend.answering(isFit ? .fit : .heavy, for: name) { threads, _ in
              await withTaskExecutorPreference(threads) {
                occupied.increment()
                Self.wait(for: gate)
              }
            }
          })
      }
      let count = others.count
      try await LocalServer.until { occupied.value == count }
    }

    let connection = try HTTPConnection(port: server.port)
    let words = waiting.line.split(separator: " ").map(String.init)
    try connection.send(words[0], words[1], token: secret, body: Self.bodies[waiting.line])
    // The request is counted after its token was accepted.
    try await LocalServer.until {
      switch waiting.obstacle {
      case .turn: backend.learnerQueue.count(of: "ada") == 2
      case .export: backend.exports.count(of: "ada") == 2
      case .threads: (isFit ? backend.fits : backend.learnerQueue).count(of: "ada") == 1
      }
    }
    if isErased {
      _ = try navigation.learners.erase("ada", sweeping: false, by: .test)
      _ = try server.token("ada")
      try Self.visit("english-for-business/meetings", in: backend)
    } else {
      #expect(try navigation.access.revokeToken(token.id))
    }
    withExtendedLifetime(turn) { turn = nil }
    for _ in others { gate.signal() }
    try await LocalServer.until { connection.isAnswered(within: 0) }
    let answer = try connection.answer()

    #expect(answer.status == 401, "\(answer)")
    #expect(answer.object["type"] as? String == "urn:waymark:problem:unauthorized")
    for other in others { try await other.value }
    connection.close()
    await server.stop()
  }

  private static func visit(_ place: String, in backend: Backend) throws {
    _ = try backend.navigation(for: "ada", session: .named("web"), zone: .gmt).perform(.open(.text(place)))
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }

  @Test func `every expensive read is tested`() throws {
    let tested = (Self.cases.map(\.0)).map { $0.prefix { $0 != "?" } }

    for endpoint in Endpoint.all where endpoint.cost != .light && endpoint.method == .get {
      #expect(tested.contains("GET \(endpoint.route)"))
    }
  }
}
