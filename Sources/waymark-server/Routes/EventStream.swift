import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit
import ServiceLifecycle

extension Endpoint {
  /// Streams the steps that any program makes for the learner.
  ///
  /// Source: the HTML Standard, 9.2, "Server-sent events".
  static let events = Endpoint(
    .get, "/v1/events",
    [
      Parameter(
        "after", .number(0...Parameter.maximum),
        "The id of the last known step, for clients that cannot send Last-Event-ID.")
    ], Shape(answer: "Events", type: "text/event-stream")
  ) { exchange in
    guard let token = exchange.token else { throw Problem.unauthorized }
    let lastKnown = try exchange.lastEvent()
    let feed = exchange.backend.feed
    // The stream is counted until the body is released, even if the client disconnects before the body is sent.
    guard let subscriber = feed.subscribe(by: token, knowing: lastKnown ?? 0) else {
      throw Problem.tooManyRequests(
        "Could not open an event stream: this token has \(ServerSettings.streamsOfToken) open streams. "
          + "Close one first.",
        after: 60)
    }
    let body = ResponseBody { writer in
      // The stream is released before its connection.
      exchange.whenClientCloses { [weak subscriber] in if let subscriber { feed.unsubscribe(subscriber) } }
      // At shutdown the stream ends, and the client reconnects to the next server process.
      try await withGracefulShutdownHandler {
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        var last = lastKnown ?? subscriber.last
        while true {
          let position = last
          let page = try await exchange.backend.read { try feed.missed(by: subscriber, after: position) }
          guard let page, !subscriber.hasEnded else { break }
          try await writer.write(page.events)
          last = page.last
        }
        for await event in subscriber.events {
          guard !subscriber.hasEnded else { break }
          try await writer.write(event)
        }
      } onGracefulShutdown: {
        feed.unsubscribe(subscriber)
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
  }
}

extension RequestExchange {
  /// Returns the number of the last event that the client has received, or `nil` if the request does not contain it.
  fileprivate func lastEvent() throws(Problem) -> Int64? {
    if let text = request.headers[.lastEventID] {
      guard let id = Int64(text), id >= 0 else {
        throw .unreadable("Could not read the request: Last-Event-ID is not the id of an event. Omit it.")
      }
      return id
    }
    return query["after"].flatMap { Int64($0) }
  }
}
