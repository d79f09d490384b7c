import Answers
import Foundation
import LearningModel
import NIOCore
import NavigationKit
import Synchronization

/// Sends learners their own steps, whichever program on the same database has made them.
///
/// A stream belongs to a token and, once the learner is known, to the learner's id. It ends when the token is revoked,
/// expires, gets another scope or belongs to another learner. Steps are read together with the tokens that may receive
/// them, so a stream receives no step that was made after its authority ended.
final class StepFeed: Sendable {
  /// An open stream.
  struct Listener: Sendable {
    fileprivate let number: Int
    fileprivate let token: Int64
    fileprivate let ending: Ending
    /// The newest step when the stream was opened. Later steps arrive in ``events``.
    let last: Int64
    /// The bytes of the events after ``last``. Finishes when the stream ends, or when too many events are pending.
    let events: AsyncStream<ByteBuffer>

    /// Whether the stream has ended. Pending events must not be sent any more.
    var hasEnded: Bool { ending.hasEnded }
  }

  /// Whether a stream has ended.
  fileprivate final class Ending: Sendable {
    private let value = Atomic(false)

    var hasEnded: Bool { value.load(ordering: .acquiring) }

    /// Ends the stream, and returns whether it was open.
    func end() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
  }

  /// The sending side of a stream.
  private struct Recipient {
    let continuation: AsyncStream<ByteBuffer>.Continuation
    let ending: Ending
    /// Only steps with a greater number are sent.
    let last: Int64
  }

  /// A token with open streams.
  private struct Holder {
    let scope: AccessScope
    /// `nil` until the learner has made a first step.
    var learner: LearnerID?
    var recipients: [Int: Recipient] = [:]

    /// Whether the streams of the token may go on.
    func matches(_ authority: StreamAuthority?) -> Bool {
      guard let authority else { return false }
      return authority.token.scope == scope && (learner == nil || learner == authority.learner)
    }
  }

  private struct State {
    var holders: [Int64: Holder] = [:]
    var next = 0
    /// How many streams each token has open, also those that have ended and are not closed yet.
    var streams: [Int64: Int] = [:]
    /// The newest step that streams opened now do not receive.
    var last: Int64
    /// The newest step that was sent to the streams of its learner.
    var delivered: Int64
  }

  /// How often the database is checked for changes: half of the maximum delay of an event.
  private static let interval = Duration.milliseconds(100)
  /// How often tokens are checked: half of the maximum time until a stream ends.
  private static let checkInterval = Duration.milliseconds(500)
  /// How often a comment is sent, so that closed connections are found.
  private static let pulse = Duration.seconds(15)
  /// The maximum number of pending events of a stream.
  private static let longestLine = 1_024
  /// The number of steps that one read returns.
  private static let pageSize = 200
  /// The maximum number of missed steps that are sent. A client that has missed more reads the history.
  private static let longestAbsence = 10_000
  private static let pulseEvent = ByteBuffer(string: ":\n\n")

  private let house: NavigationService
  private let metrics: Metrics
  private let state: Mutex<State>

  init(_ house: NavigationService, metrics: Metrics) {
    self.house = house
    self.metrics = metrics
    let newest = (try? house.newestStepNumber()) ?? 0
    state = Mutex(State(last: newest, delivered: newest))
  }

  // MARK: - Opening and closing

  /// Returns whether a token may open one more stream.
  func mayListen(_ token: Int64) -> Bool {
    state.withLock { $0.streams[token, default: 0] < ServerSettings.streamsOfToken }
  }

  /// Opens a stream.
  ///
  /// - Parameter known: The last step that the client has received; 0 for a new client.
  /// - Returns: `nil` if the token has too many open streams.
  func listen(by token: AccessToken, knowing known: Int64) -> Listener? {
    let (events, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.longestLine))
    return state.withLock { state in
      guard state.streams[token.id, default: 0] < ServerSettings.streamsOfToken else { return nil }
      state.streams[token.id, default: 0] += 1
      state.next += 1
      metrics.noteStreams(1)
      let ending = Ending()
      // The scope has changed since the other streams were opened.
      if let holder = state.holders[token.id], holder.scope != token.scope { Self.end(token.id, in: &state) }
      state.holders[token.id, default: Holder(scope: token.scope)].recipients[state.next] =
        Recipient(continuation: continuation, ending: ending, last: max(known, state.last))
      return Listener(number: state.next, token: token.id, ending: ending, last: state.last, events: events)
    }
  }

  /// Closes a stream. A second call has no effect.
  func leave(_ listener: Listener) {
    state.withLock { state in
      if listener.ending.end() {
        state.holders[listener.token]?.recipients.removeValue(forKey: listener.number)?.continuation.finish()
        if state.holders[listener.token]?.recipients.isEmpty == true { state.holders[listener.token] = nil }
      }
    }
  }

  /// Forgets a stream whose connection sends nothing any more.
  func close(_ listener: Listener) {
    leave(listener)
    metrics.noteStreams(-1)
    state.withLock { state in
      let streams = state.streams[listener.token, default: 0] - 1
      state.streams[listener.token] = streams > 0 ? streams : nil
    }
  }

  /// Ends the streams of a token.
  private static func end(_ token: Int64, in state: inout State) {
    for recipient in state.holders.removeValue(forKey: token)?.recipients.values ?? [:].values {
      _ = recipient.ending.end()
      recipient.continuation.finish()
    }
  }

  // MARK: - Missed steps

  /// Returns the next page of the steps that a client has missed.
  ///
  /// Checks the token, so every stream calls it once, also if nothing was missed.
  ///
  /// - Parameter known: The last step that the client has received.
  /// - Returns: The events and the number of the step to go on after; `nil` after the last page, and if the stream has
  ///   ended.
  func missed(by listener: Listener, after known: Int64) throws -> (events: ByteBuffer, last: Int64)? {
    let found = try house.missedSteps(
      of: listener.token, numbered: known < listener.last ? known + 1...listener.last : nil, limit: Self.pageSize,
      acceptable: Self.longestAbsence)
    check([listener.token: found?.authority])
    guard let found, !listener.hasEnded else { return nil }
    // A client that cannot receive all of them receives none, and is notified.
    if found.areTooMany {
      return (ByteBuffer(string: "id: \(listener.last)\nevent: reset\ndata: {}\n\n"), listener.last)
    }
    guard let last = found.rows.last?.id else { return nil }
    var events = ByteBuffer()
    for row in found.rows { events.writeImmutableBuffer(try Self.event(row)) }
    return (events, last)
  }

  // MARK: - New steps

  /// Sends new steps, and checks the tokens, until its task is cancelled.
  ///
  /// - Parameter read: Runs a function that reads the database on a thread that may block.
  func run(reading read: @escaping @Sendable (@escaping @Sendable () throws -> Void) async throws -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: Self.pulse)) != nil { self.beat() }
      }
      group.addTask {
        while (try? await Task.sleep(for: Self.checkInterval)) != nil {
          try? await read { try self.checkTokens() }
        }
      }
      group.addTask {
        // The changes end while the database cannot be read, for example while its disk is away.
        repeat {
          guard let changes = try? self.house.changes(every: Self.interval) else { continue }
          // Steps that were made before the first change was observed.
          try? await read { try self.deliver() }
          for await _ in changes { try? await read { try self.deliver() } }
        } while (try? await Task.sleep(for: Self.checkInterval)) != nil
      }
    }
  }

  private func beat() {
    let recipients = state.withLock { $0.holders.values.flatMap(\.recipients.values) }
    for recipient in recipients { recipient.continuation.yield(Self.pulseEvent) }
  }

  /// Ends the streams of all tokens that are not valid any more.
  func checkTokens() throws {
    let tokens = state.withLock { Array($0.holders.keys) }
    guard !tokens.isEmpty else { return }
    let authorities = try house.authorities(of: tokens)
    check(Dictionary(uniqueKeysWithValues: tokens.map { ($0, authorities[$0]) }))
  }

  /// Compares open streams with the authorities that were read, and ends those that do not match.
  private func check(_ authorities: [Int64: StreamAuthority?]) {
    state.withLock { Self.check(authorities, in: &$0) }
  }

  private static func check(_ authorities: [Int64: StreamAuthority?], in state: inout State) {
    for (token, authority) in authorities {
      guard let holder = state.holders[token] else { continue }
      if holder.matches(authority) {
        state.holders[token]?.learner = authority?.learner ?? holder.learner
      } else {
        end(token, in: &state)
      }
    }
  }

  /// Sends the steps that were made since the last call.
  ///
  /// Streams that are opened during the call read the steps before ``Listener/last`` themselves.
  func deliver() throws {
    let newest = try house.newestStepNumber()
    var delivered = state.withLock { state in
      state.last = max(state.last, newest)
      return state.delivered
    }
    while delivered < newest {
      var checked: [Int64] = []
      let new = try house.newSteps(numbered: delivered + 1...newest, limit: Self.pageSize) { learners in
        checked = state.withLock { state in
          state.holders.filter { $0.value.learner.map(learners.contains) ?? true }.map(\.key)
        }
        return checked
      }
      let events = try new.steps.map { (learner: $0.learner, number: $0.row.id, data: try Self.event($0.row)) }
      metrics.noteEvents(events.count)
      let tokens = Dictionary(grouping: new.authorities.values.filter { $0.learner != nil }) { $0.learner! }
      state.withLock { state in
        Self.check(Dictionary(uniqueKeysWithValues: checked.map { ($0, new.authorities[$0]) }), in: &state)
        for event in events {
          for authority in tokens[event.learner] ?? [] {
            Self.send(event.data, number: event.number, to: authority.token.id, in: &state)
          }
        }
        state.delivered = new.last
      }
      delivered = new.last
    }
  }

  private static func send(_ event: ByteBuffer, number: Int64, to token: Int64, in state: inout State) {
    for (key, recipient) in state.holders[token]?.recipients ?? [:] where number > recipient.last {
      // A client that does not keep up reconnects with Last-Event-ID. It receives the pending events first.
      if case .dropped = recipient.continuation.yield(event) {
        state.holders[token]?.recipients.removeValue(forKey: key)?.continuation.finish()
      }
    }
  }

  /// Returns a step as an event: its number, and its row of the history on one line.
  ///
  /// Source: the HTML Standard, 9.2.5, "Parsing an event stream".
  private static func event(_ row: HistoryRow) throws -> ByteBuffer {
    ByteBuffer(string: "id: \(row.id)\nevent: step\ndata: \(try AnswerText.jsonLine(row))\n\n")
  }
}
