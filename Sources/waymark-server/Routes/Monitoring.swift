import APIDocument
import Answers
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

// Routes for monitoring and for clients in general.

extension Endpoint {
  /// Returns this OpenAPI 3.1 document.
  static let document = Endpoint(.get, "/v1/openapi.json", for: .open, [], Shape(answer: "Document")) { exchange in
    try await exchange.text { (documentText, nil) }
  }

  /// `Documentation/openapi.json`, in which a new route must be described.
  static let documentText = String(
    decoding: UnsafeBufferPointer(start: api_document(), count: api_document_size()), as: UTF8.self)

  /// Returns 200 if the server is running.
  static let live = Endpoint(.get, "/live", for: .open, [], Shape(answer: "Text", type: plainText)) { _ in
    .uncached("live\n", plainText)
  }

  /// Returns 200 if the server can answer requests: the database is up to date, intact and can be written.
  static let ready = Endpoint(.get, "/ready", for: .open, [], Shape(answer: "Text", type: plainText, problems: [503])) {
    exchange in
    let hub = exchange.backend.hub
    do {
      try await exchange.backend.read { try hub.check(after: nil) }
      exchange.backend.health.reportSuccess()
    } catch {
      exchange.backend.report(error, "not ready")
      throw Problem.notReady
    }
    // `DatabaseWatch` ends the other failures.
    guard exchange.backend.health.failure == nil else { throw Problem.notReady }
    return .uncached("ready\n", plainText)
  }

  /// Returns metrics in the format of Prometheus.
  static let metrics = Endpoint(
    .get, "/metrics", for: .open, [], Shape(answer: "Text", type: "text/plain; version=0.0.4; charset=utf-8")
  ) { exchange in
    .uncached(exchange.backend.metrics.text, "text/plain; version=0.0.4; charset=utf-8")
  }

  private static let plainText = "text/plain; charset=utf-8"
}

extension Problem {
  fileprivate static let notReady = Problem(
    status: .serviceUnavailable, name: "busy", detail: APIErrorMessage.failure, headers: [.retryAfter: "1"])
}
