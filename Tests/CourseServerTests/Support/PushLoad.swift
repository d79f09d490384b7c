import Foundation

/// Simulated leaves that push events to a hub, each message as soon as the previous one is acknowledged. A message
/// without acknowledgement is sent again unchanged.
final class PushLoad: @unchecked Sendable {
  /// The number of events in a message.
  static let batch = 500

  private let condition = NSCondition()
  private let tokens: [String]
  private let port: Int
  private let goal: Int
  private var counts: [Int]
  private var refusals: [Int: Int] = [:]
  private var isOver = false
  private let threads = DispatchGroup()

  /// Starts one thread for each learner.
  ///
  /// - Parameters:
  ///   - tokens: The tokens of the learners, created by a hub on PostgreSQL.
  ///   - port: The port of the server.
  ///   - goal: The number of events to send for each learner, a multiple of ``batch``.
  ///   - join: Moves the calling thread into the server's network.
  init(_ tokens: [String], port: Int, goal: Int, join: @escaping @Sendable () throws -> Void) {
    (self.tokens, self.port, self.goal) = (tokens, port, goal)
    counts = Array(repeating: 0, count: tokens.count)
    for number in tokens.indices {
      threads.enter()
      Thread.detachNewThread { [self] in
        defer { threads.leave() }
        guard (try? join()) != nil else { return }
        push(number)
      }
    }
  }

  /// The number of acknowledged events of each learner.
  var acknowledged: [Int] { condition.withLock { counts } }

  /// The number of responses other than 200 by status. The status 0 counts lost connections.
  var refused: [Int: Int] { condition.withLock { refusals } }

  /// Waits until a number of further messages of each learner are acknowledged. The default is two, since the first one
  /// may have been in transit before.
  ///
  /// - Returns: The duration in seconds.
  /// - Throws: ``MachineCluster/Silent`` after two minutes.
  @discardableResult
  func wait(forMore messages: Int = 2, of learners: [Int]? = nil) throws -> Double {
    let start = ProcessInfo.processInfo.systemUptime
    return try condition.withLock {
      let aims = (learners ?? Array(tokens.indices)).map { ($0, min(goal, counts[$0] + messages * Self.batch)) }
      while let (learner, aim) = aims.first(where: { counts[$0.0] < $0.1 }) {
        _ = condition.wait(until: Date(timeIntervalSinceNow: 1))
        guard ProcessInfo.processInfo.systemUptime - start < 120 else {
          throw MachineCluster.Silent(description: "\(counts[learner]) of \(aim) steps; refused: \(refusals)")
        }
      }
      return ProcessInfo.processInfo.systemUptime - start
    }
  }

  /// Waits until all events are acknowledged, but not longer than a number of seconds.
  func finish(within seconds: Double) {
    if threads.wait(timeout: .now() + seconds) == .timedOut { end() }
  }

  /// Stops sending, and waits until the threads have ended.
  func end() {
    condition.withLock { isOver = true }
    threads.wait()
  }

  private func push(_ number: Int) {
    var connection: HTTPConnection?
    while !condition.withLock({ isOver || counts[number] >= goal }) {
      let body = Self.message(of: tokens[number], after: condition.withLock { counts[number] })
      var status = 0
      repeat {
        if connection == nil { connection = try? HTTPConnection(port: port) }
        status = (try? connection?.ask("POST", "/v1/sync", token: tokens[number], body: body).status) ?? 0
        condition.withLock {
          if status == 200 { counts[number] += Self.batch } else { refusals[status, default: 0] += 1 }
          condition.broadcast()
        }
        guard status != 200 else { break }
        if status == 0 { connection = nil }
        Thread.sleep(forTimeInterval: 0.2)
      } while !condition.withLock { isOver }
    }
  }

  /// Returns a message with the next events of a learner's only session.
  static func message(of token: String, after count: Int) -> String {
    let learner = String(token.split(separator: ".").last!)
    let session = "\(learner.dropLast(12))\(String(repeating: "5", count: 12))"
    let time = "2026-11-20T10:00:00.000Z"
    let steps = (count + 1...count + batch).map { sequence in
      let hexadecimal = String(sequence, radix: 16)
      let uuid = "\(learner.dropLast(12))\(String(repeating: "0", count: 12 - hexadecimal.count))\(hexadecimal)"
      // The learner enters the course, and then goes to its goal and back again and again.
      let (course, goal) = (#"{"kind":"course","node":0}"#, #"{"kind":"goal","node":1}"#)
      let isDown = sequence.isMultiple(of: 2)
      let origin =
        sequence == 1
        ? ""
        : #""from":\#(isDown ? course : goal),"transition":{"direction":"\#(isDown ? "down" : "up")","kind":"goalCard","#
          + #""node":1,"reason":"matched"},"#
      return #"{"activeMs":0,"animated":false,"at":"\#(time)","cause":"api","courseRevision":1,\#(origin)"#
        + #""leftAt":"\#(time)","operation":"\#(isDown ? "push" : "pop")","sequence":\#(sequence),"#
        + #""session":"\#(session)","stack":[\#(isDown ? "0,1" : "0")],"to":\#(isDown ? goal : course),"uuid":"\#(uuid)"}"#
    }
    return #"{"push":{"record":{"activities":[],"bookmarks":[],"changes":[],"createdAt":"\#(time)","#
      + #""erased":{"sessions":[],"spans":[]},"name":"learner","nodes":["#
      + #"{"course":"c","key":"c","kind":"course","slug":"c","title":"Course"},"#
      + #"{"course":"c","key":"g","kind":"goal","parent":0,"slug":"g","title":"Goal"}],"passages":[],"positions":[],"#
      + #""quizzes":[],"sessions":[{"activeMs":0,"lastInputAt":"\#(time)","name":"shell","startedAt":"\#(time)","#
      + #""replica":"load","timeZone":"GMT","uuid":"\#(session)"}],"settings":{},"steps":[\#(steps.joined(separator: ","))],"#
      + #""uuid":"\#(learner)"}},"version":2}"#
  }
}
