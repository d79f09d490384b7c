import HTTPTypes
import Hummingbird
import LearningModel
import NavigationService
import ServiceLifecycle

extension Endpoint {
  /// Source: the HTML Standard, 9.2, "Server-sent events".
  static let events = Endpoint(
    .get, "/v1/events", "Tells the learner's own steps as they are made, by whichever program.",
    [
      Parameter(
        "after", .number(0...Parameter.greatest),
        "The id of the last step that is known, where the client cannot send Last-Event-ID.")
    ], Shape(answer: "Events", type: "text/event-stream")
  ) { exchange in
    guard let token = exchange.token else { throw Problem.unauthorized }
    let known = try exchange.lastEvent()
    let feed = exchange.backend.feed
    guard feed.mayListen(token.id) else {
      throw Problem.tooMany(
        "Could not tell events: this token has \(ServerSettings.streamsOfToken) streams open. Close one first.",
        after: 60)
    }
    // No stream is kept before the head is sent: a client that has gone by then leaves nothing behind.
    let body = ResponseBody { writer in
      guard let listener = feed.listen(for: token.learner, by: token.id, knowing: known ?? 0) else { return }
      defer { feed.leave(listener) }
      // At a stop the stream ends, so that the client comes back to the server that is here then.
      try await withGracefulShutdownHandler {
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        for event in try await exchange.missed(since: known, upTo: listener.last) { try await writer.write(event) }
        for await event in listener.events { try await writer.write(event) }
      } onGracefulShutdown: {
        feed.leave(listener)
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
  }
}

extension Exchange {
  /// Steps that are told again at most; a client that was away for longer reads the history.
  private static let longestAbsence = 10_000

  /// The last step that the client knows.
  fileprivate func lastEvent() throws(Problem) -> Int64? {
    if let text = request.headers[.lastEventID] {
      guard let id = Int64(text), id >= 0 else {
        throw .unreadable("Could not read the request: Last-Event-ID is no id of an event. Leave it out.")
      }
      return id
    }
    return query["after"].flatMap { Int64($0) }
  }

  /// The learner's steps behind the one that the client knows, the oldest first.
  fileprivate func missed(since known: Int64?, upTo last: Int64) async throws -> [ByteBuffer] {
    guard let known, known < last else { return [] }
    let service = try navigation()
    return try await backend.read {
      var events: [ByteBuffer] = []
      var isWhole = true
      try service.forEachRow(after: HistoryCursor(event: last + 1)) { row in
        guard row.id > known else { return false }
        guard events.count < Self.longestAbsence else {
          isWhole = false
          return false
        }
        events.append(try StepFeed.event(row))
        return true
      }
      // Some of it is not told: then nothing is, and the client is told so.
      return isWhole ? events.reversed() : [ByteBuffer(string: "id: \(last)\nevent: reset\ndata: {}\n\n")]
    }
  }
}
