import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Acknowledged navigation events are on disk and are recorded once, even if the server is killed.
struct KillTests {
  @Test func `a server that is killed under load neither loses nor duplicates acknowledged events`() throws {
    let home = try ServerFixture()
    let writers = 4
    let tokens = try (0..<writers).map { try home.token("learner-\($0)") }
    var random = SplitMix64(seed: 11)
    let journal = Journal(writers)

    for _ in 0..<Tier.count(50, long: 1_000) {
      try home.serve()
      let port = home.port
      let threads = DispatchGroup()
      for number in 0..<writers {
        DispatchQueue.global().async(group: threads) { journal.write(number, token: tokens[number], port: port) }
      }
      // The server is killed after some response, while other requests are in progress.
      journal.wait(forMore: 1 + random.below(30))
      try home.stop(SIGKILL)
      threads.wait()
    }

    try home.serve()
    // Requests without a response are sent again with the same key.
    for number in 0..<writers { journal.finish(number, token: tokens[number], port: home.port) }
    #expect(try home.waymark("database", "check").code == 0)
    for number in 0..<writers {
      let rows = try home.waymark(
        "history", "list", "--format", "jsonl", "--cause", "api", learner: "learner-\(number)"
      ).output
      #expect(rows.split(separator: "\n").count == journal.answered(number))
    }
    #expect((0..<writers).map { journal.answered($0) }.reduce(0, +) > writers)
  }
}

/// Counts the acknowledged requests of each writer.
private final class Journal: @unchecked Sendable {
  private let condition = NSCondition()
  private var counts: [Int]
  private var all = 0

  init(_ writers: Int) { counts = Array(repeating: 0, count: writers) }

  func answered(_ writer: Int) -> Int { condition.withLock { counts[writer] } }

  /// Sends requests until the server ends. A request without a response is repeated by the next call with the same key.
  func write(_ writer: Int, token: String, port: Int) {
    guard let connection = try? HTTPConnection(port: port) else { return }
    while send(writer, token, connection) {}
  }

  /// Repeats the last request without a response.
  func finish(_ writer: Int, token: String, port: Int) {
    guard let connection = try? HTTPConnection(port: port) else { return }
    _ = send(writer, token, connection)
  }

  private func send(_ writer: Int, _ token: String, _ connection: HTTPConnection) -> Bool {
    let number = answered(writer)
    let body = step(
      "open", number.isMultiple(of: 2) ? "english-for-business/meetings" : "english-for-business/negotiating")
    let answer = try? connection.ask(
      "POST", "/v1/steps", token: token, headers: ["Idempotency-Key": "\(writer)-\(number)"], body: body)
    guard answer?.status == 200 else { return false }
    condition.withLock {
      counts[writer] += 1
      all += 1
      condition.broadcast()
    }
    return true
  }

  /// Waits until a number of further requests are acknowledged.
  func wait(forMore count: Int) {
    condition.withLock {
      let goal = all + count
      while all < goal, condition.wait(until: Date().addingTimeInterval(60)) {}
    }
  }
}
