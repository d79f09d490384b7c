import Answers
import Foundation
import LearningModel
import NIOCore
import NavigationKit
import Synchronization

/// Streams each learner's own navigation events, including those that other programs write to the same database.
///
/// A stream belongs to a token and, once the learner is known, to the learner's id. The stream ends when the token is
/// revoked, expires, gets another scope or is assigned to another learner. Events are read in one transaction with the
/// tokens that may receive them, so a stream never receives an event that was recorded after its token became invalid.
final class NavigationEventFeed: Sendable {
  /// An open stream.
  ///
  /// It holds a slot of its token until the last reference to it is released.
  final class Subscriber: Sendable {
    private let feed: NavigationEventFeed
    fileprivate let number: Int
    fileprivate let token: Int64
    fileprivate let ending: Ending
    /// The number of the newest navigation event when the stream was opened. Later events are delivered by ``events``.
    let last: Int64
    /// The encoded navigation events after ``last``. The sequence finishes when the stream ends, or when too many
    /// events are pending.
    let events: AsyncStream<ByteBuffer>

    /// Whether the stream has ended. If `true`, pending events must not be sent.
    var hasEnded: Bool { ending.hasEnded }

    fileprivate init(
      of feed: NavigationEventFeed, number: Int, token: Int64, ending: Ending, last: Int64,
      events: AsyncStream<ByteBuffer>
    ) {
      (self.feed, self.number, self.token, self.ending) = (feed, number, token, ending)
      (self.last, self.events) = (last, events)
    }

    deinit { feed.close(self) }
  }

  fileprivate final class Ending: Sendable {
    private let value = Atomic(false)

    var hasEnded: Bool { value.load(ordering: .acquiring) }

    /// Ends the stream. Returns `false` if it had already ended.
    func end() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
  }

  private struct StreamSink {
    let continuation: AsyncStream<ByteBuffer>.Continuation
    let ending: Ending
    /// The number of the last event that is not sent. Only events with a greater number are sent.
    let last: Int64
  }

  /// A token with open streams.
  private struct TokenStreams {
    let scope: AccessScope
    /// The learner of the token, or `nil` until the learner's first navigation event.
    var learner: LearnerID?
    var sinks: [Int: StreamSink] = [:]

    /// Returns whether the streams of the token may continue.
    ///
    /// - Parameter authority: The current authority of the token, as just read from the database, or `nil` if the token
    ///   is invalid.
    func matches(_ authority: StreamAuthority?) -> Bool {
      guard let authority else { return false }
      return authority.token.scope == scope && (learner == nil || learner == authority.learner)
    }
  }

  private struct State {
    var tokenStreams: [Int64: TokenStreams] = [:]
    var next = 0
    /// The number of open connections of each token, including streams that have ended but are not closed.
    var streams: [Int64: Int] = [:]
    /// The number of the newest event that is not sent to a stream opened now.
    var last: Int64
    /// The number of the newest event that was delivered to the streams of its learner.
    var delivered: Int64
  }

  /// The time between two checks of the database for changes: half of the maximum delay of an event.
  private static let interval = Duration.milliseconds(100)
  /// The time between two checks of the tokens: half of the maximum time until a stream with an invalid token ends.
  private static let checkInterval = Duration.milliseconds(500)
  /// The time between two comments in a stream. Sending comments reveals connections that were closed.
  private static let keepAliveInterval = Duration.seconds(15)
  /// The maximum number of pending events of a stream.
  private static let maximumPendingEvents = 1_024
  /// The maximum number of events in one read.
  private static let pageSize = 200
  /// The maximum number of missed events that are sent. A client that missed more gets a `reset` event instead and must
  /// read the history.
  private static let maximumMissedEvents = 10_000
  private static let keepAliveEvent = ByteBuffer(string: ":\n\n")

  private let navigation: NavigationService
  private let metrics: Metrics
  private let state: Mutex<State>

  init(_ navigation: NavigationService, metrics: Metrics) {
    self.navigation = navigation
    self.metrics = metrics
    let newest = (try? navigation.access.newestStepNumber()) ?? 0
    state = Mutex(State(last: newest, delivered: newest))
  }

  // MARK: - Opening and closing

  /// Opens a stream.
  ///
  /// - Parameter lastKnown: The number of the last event that the client has received; 0 for a new client.
  /// - Returns: `nil` if the token has too many open streams.
  func subscribe(by token: AccessToken, knowing lastKnown: Int64) -> Subscriber? {
    let (events, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.maximumPendingEvents))
    return state.withLock { state in
      guard state.streams[token.id, default: 0] < ServerSettings.streamsOfToken else { return nil }
      state.streams[token.id, default: 0] += 1
      state.next += 1
      metrics.recordStreams(1)
      let ending = Ending()
      // The other streams of the token were opened with a scope that is no longer valid.
      if let holder = state.tokenStreams[token.id], holder.scope != token.scope { Self.end(token.id, in: &state) }
      state.tokenStreams[token.id, default: TokenStreams(scope: token.scope)].sinks[state.next] =
        StreamSink(continuation: continuation, ending: ending, last: max(lastKnown, state.last))
      return Subscriber(
        of: self, number: state.next, token: token.id, ending: ending, last: state.last, events: events)
    }
  }

  /// Ends a stream. Calling this again has no effect.
  func unsubscribe(_ subscriber: Subscriber) {
    state.withLock { state in
      if subscriber.ending.end() {
        state.tokenStreams[subscriber.token]?.sinks.removeValue(forKey: subscriber.number)?.continuation.finish()
        if state.tokenStreams[subscriber.token]?.sinks.isEmpty == true { state.tokenStreams[subscriber.token] = nil }
      }
    }
  }

  /// Ends a stream and releases its slot.
  private func close(_ subscriber: Subscriber) {
    unsubscribe(subscriber)
    metrics.recordStreams(-1)
    state.withLock { state in
      let streams = state.streams[subscriber.token, default: 0] - 1
      state.streams[subscriber.token] = streams > 0 ? streams : nil
    }
  }

  /// Ends all streams of a token.
  private static func end(_ token: Int64, in state: inout State) {
    for recipient in state.tokenStreams.removeValue(forKey: token)?.sinks.values ?? [:].values {
      _ = recipient.ending.end()
      recipient.continuation.finish()
    }
  }

  // MARK: - Missed events

  /// Returns the next page of the events that a client has missed.
  ///
  /// Also checks the token, so each stream must call it at least once, even if the client has missed nothing.
  ///
  /// - Parameter lastKnown: The number of the last event that the client has received.
  /// - Returns: The encoded events and the number of the last one, from which to continue. `nil` if there are no more
  ///   pages or the stream has ended.
  func missed(by subscriber: Subscriber, after lastKnown: Int64) throws -> (events: ByteBuffer, last: Int64)? {
    let missed = try navigation.access.missedSteps(
      of: subscriber.token, numbered: lastKnown < subscriber.last ? lastKnown + 1...subscriber.last : nil,
      limit: Self.pageSize,
      acceptable: Self.maximumMissedEvents)
    check([subscriber.token: missed?.authority])
    guard let missed, !subscriber.hasEnded else { return nil }
    // A client that missed too many events gets a single `reset` event instead of them.
    if missed.exceedsLimit {
      return (ByteBuffer(string: "id: \(subscriber.last)\nevent: reset\ndata: {}\n\n"), subscriber.last)
    }
    guard let last = missed.rows.last?.id else { return nil }
    var events = ByteBuffer()
    for row in missed.rows { events.writeImmutableBuffer(try Self.event(row)) }
    return (events, last)
  }

  // MARK: - New events

  /// Sends new events and checks the tokens until the task is cancelled.
  ///
  /// - Parameter read: Runs a function that reads the database, on a thread that may block.
  func run(reading read: @escaping @Sendable (@escaping @Sendable () throws -> Void) async throws -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: Self.keepAliveInterval)) != nil { self.sendKeepAlive() }
      }
      group.addTask {
        while (try? await Task.sleep(for: Self.checkInterval)) != nil {
          try? await read { try self.checkTokens() }
        }
      }
      group.addTask {
        // The iteration throws while the database cannot be read, for example while its disk is not mounted. It is then
        // started again.
        repeat {
          guard let changes = try? self.navigation.changes(every: Self.interval) else { continue }
          // Delivers events that were recorded before the observation started.
          try? await read { try self.deliver() }
          do {
            for try await _ in changes { try? await read { try self.deliver() } }
          } catch {
            // The error is not logged here, because the requests that fail report it.
          }
        } while (try? await Task.sleep(for: Self.checkInterval)) != nil
      }
    }
  }

  private func sendKeepAlive() {
    let recipients = state.withLock { $0.tokenStreams.values.flatMap(\.sinks.values) }
    for recipient in recipients { recipient.continuation.yield(Self.keepAliveEvent) }
  }

  /// Ends the streams of all tokens that have become invalid.
  func checkTokens() throws {
    let tokens = state.withLock { Array($0.tokenStreams.keys) }
    guard !tokens.isEmpty else { return }
    let authorities = try navigation.access.authorities(of: tokens)
    check(Dictionary(uniqueKeysWithValues: tokens.map { ($0, authorities[$0]) }))
  }

  /// Ends the streams of tokens that do not allow them any more, according to the authorities just read.
  private func check(_ authorities: [Int64: StreamAuthority?]) {
    state.withLock { Self.check(authorities, in: &$0) }
  }

  private static func check(_ authorities: [Int64: StreamAuthority?], in state: inout State) {
    for (token, authority) in authorities {
      guard let holder = state.tokenStreams[token] else { continue }
      if holder.matches(authority) {
        state.tokenStreams[token]?.learner = authority?.learner ?? holder.learner
      } else {
        end(token, in: &state)
      }
    }
  }

  /// Delivers the events that were recorded since the last call.
  ///
  /// A stream that is opened during the call reads the events up to ``Subscriber/last`` itself.
  func deliver() throws {
    let newest = try navigation.access.newestStepNumber()
    var delivered = state.withLock { state in
      state.last = max(state.last, newest)
      return state.delivered
    }
    while delivered < newest {
      var checked: [Int64] = []
      let new = try navigation.access.newSteps(numbered: delivered + 1...newest, limit: Self.pageSize) { learners in
        checked = state.withLock { state in
          state.tokenStreams.filter { $0.value.learner.map(learners.contains) ?? true }.map(\.key)
        }
        return checked
      }
      let events = try new.steps.map { (learner: $0.learner, number: $0.row.id, data: try Self.event($0.row)) }
      metrics.recordEvents(events.count)
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
    for (key, recipient) in state.tokenStreams[token]?.sinks ?? [:] where number > recipient.last {
      // A client that falls behind receives the events that are pending, and must then reconnect with `Last-Event-ID`.
      if case .dropped = recipient.continuation.yield(event) {
        state.tokenStreams[token]?.sinks.removeValue(forKey: key)?.continuation.finish()
      }
    }
  }

  /// Encodes a navigation event as a server-sent event with its number as id and its history row as JSON on one line.
  ///
  /// Source: the HTML Standard, 9.2.5, "Parsing an event stream".
  private static func event(_ row: HistoryRow) throws -> ByteBuffer {
    ByteBuffer(string: "id: \(row.id)\nevent: step\ndata: \(try AnswerText.jsonLine(row))\n\n")
  }
}
