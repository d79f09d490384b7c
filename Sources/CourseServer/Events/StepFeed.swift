import Answers
import Foundation
import LearningModel
import NIOCore
import NavigationService
import Synchronization

/// Tells learners of their own steps, whatever wrote them: this server, or another program on the same database.
final class StepFeed: Sendable {
  /// A client that listens.
  struct Listener: Sendable {
    fileprivate let learner: String
    fileprivate let number: Int
    fileprivate let token: Int64
    fileprivate let left: Left
    /// The step that was told last, to all, before this one began to listen.
    let last: Int64
    /// What is told from then on, as it is sent. It ends where the server stops, and where the listener does not keep up.
    let events: AsyncStream<ByteBuffer>
  }

  /// Whether a listener has left.
  fileprivate final class Left: Sendable {
    private let value = Atomic(false)

    func isFirst() -> Bool { !value.exchange(true, ordering: .relaxed) }
  }

  /// Where a listener is told.
  private struct Ear {
    let continuation: AsyncStream<ByteBuffer>.Continuation
    /// The step that the client knows: it is not told again.
    let known: Int64
  }

  private struct State {
    var listeners: [String: [Int: Ear]] = [:]
    var next = 0
    /// How many streams each token has open.
    var streams: [Int64: Int] = [:]
    /// The newest step that was told.
    var last: Int64
    var isOver = false
  }

  /// How often the database is looked at, a half of how late a step may be told.
  private static let interval = Duration.milliseconds(100)
  /// How often listeners hear that the server is there, so that those who have gone are found out.
  private static let pulse = Duration.seconds(15)
  /// Events that wait for a listener at most.
  private static let longestLine = 1_024
  private static let pulseEvent = ByteBuffer(string: ":\n\n")

  private let house: NavigationService
  private let metrics: Metrics
  private let state: Mutex<State>

  init(_ house: NavigationService, metrics: Metrics) {
    self.house = house
    self.metrics = metrics
    let newest = try? house.history(HistoryFilter(learner: .everyone), limit: 1).rows.first?.id
    state = Mutex(State(last: (newest ?? nil) ?? 0))
  }

  /// Whether a token may listen once more.
  func mayListen(_ token: Int64) -> Bool {
    state.withLock { $0.streams[token, default: 0] < ServerSettings.streamsOfToken }
  }

  /// Begins to listen.
  ///
  /// - Parameter known: The last step that the client knows; 0 where it knows none.
  /// - Returns: `nil` where the token listens too often.
  func listen(for learner: String, by token: Int64, knowing known: Int64) -> Listener? {
    let (events, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.longestLine))
    return state.withLock { state in
      guard state.streams[token, default: 0] < ServerSettings.streamsOfToken else { return nil }
      state.streams[token, default: 0] += 1
      state.next += 1
      metrics.noteStreams(1)
      if state.isOver {
        continuation.finish()
      } else {
        state.listeners[learner, default: [:]][state.next] = Ear(continuation: continuation, known: known)
      }
      return Listener(
        learner: learner, number: state.next, token: token, left: Left(), last: state.last, events: events)
    }
  }

  /// Listens no longer. A second time changes nothing.
  func leave(_ listener: Listener) {
    guard listener.left.isFirst() else { return }
    metrics.noteStreams(-1)
    state.withLock { state in
      let streams = state.streams[listener.token, default: 0] - 1
      state.streams[listener.token] = streams > 0 ? streams : nil
      state.listeners[listener.learner]?.removeValue(forKey: listener.number)?.continuation.finish()
      if state.listeners[listener.learner]?.isEmpty == true { state.listeners[listener.learner] = nil }
    }
  }

  /// Ends every stream.
  func end() {
    let all = state.withLock { state in
      state.isOver = true
      defer { state.listeners = [:] }
      return state.listeners.values.flatMap(\.values)
    }
    for ear in all { ear.continuation.finish() }
  }

  /// Looks for steps until its task is cancelled.
  ///
  /// - Parameter read: Runs what may wait for the database where that may be.
  func run(reading read: @escaping @Sendable (@escaping @Sendable () throws -> Void) async throws -> Void) async throws
  {
    let changes = try house.changes(every: Self.interval)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: Self.pulse)) != nil { self.beat() }
      }
      group.addTask {
        // What has come since the server looked first.
        try? await read { try self.tell() }
        for await _ in changes { try? await read { try self.tell() } }
      }
    }
  }

  private func beat() {
    for ear in state.withLock({ $0.listeners.values.flatMap(\.values) }) { ear.continuation.yield(Self.pulseEvent) }
  }

  /// Tells what has come since the last time.
  private func tell() throws {
    let last = state.withLock { $0.last }
    var rows: [HistoryRow] = []
    try house.forEachRow(HistoryFilter(learner: .everyone)) { row in
      guard row.id > last else { return false }
      rows.append(row)
      return true
    }
    guard let newest = rows.first?.id else { return }
    metrics.noteEvents(rows.count)
    state.withLock { state in
      state.last = newest
      for row in rows.reversed() {
        guard let listeners = state.listeners[row.learner], let event = try? Self.event(row) else { continue }
        for (number, ear) in listeners where row.id > ear.known {
          // A client that does not keep up comes back, and says what it had.
          if case .dropped = ear.continuation.yield(event) {
            state.listeners[row.learner]?.removeValue(forKey: number)?.continuation.finish()
          }
        }
      }
    }
  }

  /// A step as it is told: its number, and its row of the history on one line.
  ///
  /// Source: the HTML Standard, 9.2.5, "Parsing an event stream".
  static func event(_ row: HistoryRow) throws -> ByteBuffer {
    ByteBuffer(string: "id: \(row.id)\nevent: step\ndata: \(try AnswerText.jsonLine(row))\n\n")
  }
}
