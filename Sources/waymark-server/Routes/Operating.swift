import Answers
import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

// Routes for monitoring and for clients in general.

extension Endpoint {
  static let document = Endpoint(
    .get, "/v1/openapi.json", for: .open, "This interface, as OpenAPI 3.1 describes it.", [], Shape(answer: "Document")
  ) { exchange in
    try await exchange.text { (OpenAPI.text, nil) }
  }

  static let live = Endpoint(
    .get, "/live", for: .open, "Whether the program runs.", [], Shape(answer: "Text", type: "text/plain; charset=utf-8")
  ) { _ in .plain("live\n") }

  static let ready = Endpoint(
    .get, "/ready", for: .open, "Whether requests will be answered: the database is there, and up to date.", [],
    Shape(answer: "Text", type: "text/plain; charset=utf-8", problems: [503])
  ) { exchange in
    let hub = exchange.backend.hub
    do {
      _ = try await exchange.backend.read { try hub.check() }
      exchange.backend.health.noteSuccess(isWrite: false)
    } catch {
      exchange.backend.report(error, "not ready")
      throw Problem(status: .serviceUnavailable, name: "busy", detail: ErrorWords.failure, headers: [.retryAfter: "1"])
    }
    return .plain("ready\n")
  }

  static let metrics = Endpoint(
    .get, "/metrics", for: .open, "What the server counts, as Prometheus reads it.", [],
    Shape(answer: "Text", type: "text/plain; version=0.0.4; charset=utf-8")
  ) { exchange in
    .plain(exchange.backend.metrics.text, "text/plain; version=0.0.4; charset=utf-8")
  }
}

extension Response {
  fileprivate static func plain(_ text: String, _ type: String = "text/plain; charset=utf-8") -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
