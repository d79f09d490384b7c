import Answers
import Foundation
import HTTPTypes
import Hummingbird
import LearningModel
import Logging
import NIOCore
import NavigationKit
import WholeNumbers

/// The context of a request: its identifier and logger, and the connection that it arrived on.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The IP address of the connection's other end, or `?` if it is unknown.
  let address: String
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    address = source.channel.remoteAddress?.ipAddress ?? "?"
    channel = source.channel
  }
}

extension Backend {
  /// Returns the token in the header fields of a request, or `nil` if it is missing or invalid.
  func validToken(in headers: HTTPFields) throws -> AccessToken? {
    try headers.bearerToken.flatMap { try hub.validToken($0, at: Timestamp(date: Date())) }
  }
}

extension HTTPFields {
  /// The bearer token, or `nil` if it is missing, empty or longer than 200 bytes.
  ///
  /// Source: RFC 6750, section 2.1.
  fileprivate var bearerToken: String? {
    guard let value = self[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
    let secret = value.dropFirst("bearer ".count).trimmingPrefix { $0 == " " }
    return secret.isEmpty || secret.utf8.count > 200 ? nil : String(secret)
  }
}

/// Finds the route and checks the token of each request, and converts errors to problem documents.
struct ServerResponder: HTTPResponder {
  let backend: Backend
  let endpoints: [Endpoint]

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let begin = ContinuousClock.now
    // HEAD is answered like GET, without the body. Source: RFC 9110, section 9.3.2.
    let method = request.method == .head ? .get : request.method
    let path = request.uri.path
    let matches = endpoints.compactMap { endpoint in
      endpoint.match(path).map { (endpoint: endpoint, rest: $0) }
    }
    let route = matches.first { $0.endpoint.method == method }
    var response: Response
    do {
      try request.checkFraming()
      guard let route else {
        throw matches.isEmpty
          ? Problem.noRoute(
            of: backend.hasDatabase ? nil : endpoints.map { "\($0.method.rawValue) \($0.route)" })
          : Problem.wrongMethod(allowed: matches.map(\.endpoint.method.rawValue).sorted())
      }
      // Open routes, such as `/live`, must answer even while all reader threads wait for the database.
      let threads = route.endpoint.access == .open ? nil : backend.readers
      response = try await withTaskExecutorPreference(threads) {
        try await answer(request, route.endpoint, route.rest, context)
      }
      if threads != nil { backend.health.reportSuccess() }
    } catch {
      response = problem(of: error, context).response
    }
    response.headers[.requestID] = context.id
    response.headers[.xContentTypeOptions] = "nosniff"
    // A client that waits for the interim response has not sent its body yet. If the connection stayed open, the next
    // bytes would be read as the body.
    if request.headers[.connection] == "close" || request.method != .head && route?.endpoint.watchesClient == true
      || request.expectsContinue && (response.status.code >= 400 || !request.hasBody)
    {
      response.headers[.connection] = "close"
    }
    if request.method == .head { response = response.createHeadResponse() }

    let seconds = begin.duration(to: .now) / .seconds(1)
    let name = route?.endpoint.route ?? "none"
    backend.metrics.recordResponse(
      route == nil ? "none" : method.rawValue, name, status: Int(response.status.code), seconds: seconds)
    // Paths and queries contain places and names of learners, so they are not logged.
    context.logger.log(
      level: request.method == .unreadable ? .debug : .info, "answered",
      metadata: [
        "method": "\(method.rawValue)", "route": "\(name)", "status": "\(response.status.code)",
        "ms": "\(Int(clamping: seconds * 1_000))",
      ])
    return response
  }

  private func problem(of error: any Error, _ context: ServerContext) -> Problem {
    let cause = (error as? AuditFailure)?.cause ?? error
    let isReported = backend.health.report(cause)
    if isReported, !(error is AuditFailure) { return .databaseFailed(error) }
    if !isReported, error is AuditFailure {
      context.logger.error("failed", metadata: ["error": "\(CommandWords.text(cause))"])
    }
    if let problem = Problem(error) { return problem }
    // An error of the channel means that the client has closed the connection.
    if !(error is ChannelError) { context.logger.error("failed", metadata: ["error": "\(CommandWords.text(error))"]) }
    return .failed
  }

  private func answer(
    _ request: Request, _ endpoint: Endpoint, _ parameter: Substring, _ context: ServerContext
  ) async throws -> Response {
    let limit = endpoint.shape.maximumBodyBytes
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw Problem.tooLarge(limit)
    }
    let token = endpoint.access == .open ? nil : try await token(of: request, context)
    switch endpoint.access {
    case .teacher: guard token?.scope.mayReadOthers == true else { throw Problem.forbidden }
    case .admin: guard token?.scope == .admin else { throw Problem.forbidden }
    case .open, .token: break
    }
    guard let decoded = String(parameter).removingPercentEncoding else {
      throw Problem.unreadable("Could not read the address: it is not percent-encoded UTF-8. Encode it.")
    }
    guard decoded.unicodeScalars.count <= Parameter.maximumTextLength else {
      throw Problem.longAddress(Parameter.maximumTextLength, "characters")
    }
    let query = try Query(request.uri.query, endpoint.parameters)
    return try await backend.answering(endpoint.cost(of: query), for: token?.learner ?? "") { threads, exportTurn in
      let body = try await body(of: request, endpoint, context)
      return try await endpoint.answer(
        RequestExchange(
          backend: backend, request: request, endpoint: endpoint, query: query, placeholderValue: decoded, token: token,
          body: body, context: context, threads: threads, exportPermit: exportTurn))
    }
  }

  /// Reads the body of a request. Its Content-Type must be JSON or missing. For a route without a body, it must be
  /// missing or an empty object.
  ///
  /// - Throws: ``Problem``.
  private func body(of request: Request, _ endpoint: Endpoint, _ context: ServerContext) async throws -> [UInt8] {
    guard endpoint.shape.body != nil || request.hasBody else { return [] }
    if let type = request.headers[.contentType]?.lowercased(),
      type.prefix(while: { $0 != ";" && $0 != " " }) != "application/json"
    {
      throw Problem(
        status: .unsupportedMediaType, name: "unsupported-media-type",
        detail: "Could not read the request: the type of its body is \(quoted: type). Send application/json.")
    }
    try request.checkContentCoding()
    let bytes: [UInt8]
    do {
      try await request.askForBody(on: context.channel)
      bytes = Array(try await request.body.collect(upTo: endpoint.shape.maximumBodyBytes).readableBytesView)
    } catch is NIOTooManyBytesError {
      throw Problem.tooLarge(endpoint.shape.maximumBodyBytes)
    } catch {
      // The error of the connection: a malformed chunk, or a client that closed the connection.
      context.logger.debug("could not read the body", metadata: ["error": "\(error)"])
      throw Problem.unreadableBody
    }
    if endpoint.shape.body == nil, !bytes.isEmpty { _ = try JSONObject(bytes, knowing: []) }
    return bytes
  }

  /// Returns the token of a request after checking it and the request limits.
  ///
  /// - Throws: ``Problem/unauthorized`` for every missing or invalid token, and ``Problem/tooManyRequests(_:after:)``.
  private func token(of request: Request, _ context: ServerContext) async throws -> AccessToken {
    // A request without a token does not count as an attempt to guess one.
    guard request.headers.bearerToken != nil else { throw Problem.unauthorized }
    guard let token = try await backend.read({ try backend.validToken(in: request.headers) }) else {
      backend.metrics.recordWrongToken()
      if let seconds = backend.wrongTokens.acquire(address(of: request, context)) {
        throw Problem.tooManyRequests(
          "Could not answer: this address sent too many requests with invalid tokens. Wait, and send a valid token.",
          after: seconds)
      }
      throw Problem.unauthorized
    }
    if let seconds = backend.requests?.acquire(token.id) {
      throw Problem.tooManyRequests(
        "Could not answer: this token sent too many requests. Wait for the seconds in Retry-After.", after: seconds)
    }
    return token
  }

  /// The address of the client. Behind a proxy, this is the last entry of `X-Forwarded-For`, which the proxy has added.
  private func address(of request: Request, _ context: ServerContext) -> String {
    guard backend.settings.isBehindProxy, let chain = request.headers[values: .forwardedFor].last,
      let last = chain.split(separator: ",").last
    else { return context.address }
    return String(last.trimmingPrefix { $0 == " " }.prefix(64))
  }
}
