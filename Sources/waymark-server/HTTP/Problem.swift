import Answers
import CourseKit
import HTTPTypes
import Hummingbird
import LearningModel
import LearningStore
import NavigationKit

/// An error response to the client.
///
/// Source: RFC 9457, "Problem Details for HTTP APIs".
struct Problem: Error {
  let status: HTTPResponse.Status
  /// The kind of the problem: the last component of its `type`.
  let name: String
  /// The cause and the remedy, for people.
  let detail: String
  var headers = HTTPFields()
  /// The session to which the problem relates, for programs. `nil` for most problems.
  var session: String?

  private struct Document: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let session: String?

    private enum Member: CodingKey { case type, title, status, detail, session }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Member.self)
      try container.encode(type, forKey: .type)
      try container.encode(title, forKey: .title)
      try container.encode(status, forKey: .status)
      try container.encode(detail, forKey: .detail)
      // Clients may rely on `session` being either missing or a text, never null.
      if let session { try container.encode(session, forKey: .session) }
    }
  }

  /// The response with the problem document.
  var response: Response {
    let document = Document(
      type: "urn:waymark:problem:\(name)", title: status.reasonPhrase, status: Int(status.code), detail: detail,
      session: session)
    // Encoding cannot fail, because the document contains only texts and a number.
    let text = try! AnswerText.json(document)
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension Problem {
  /// The request is malformed.
  static func unreadable(_ detail: String, headers: HTTPFields = [:]) -> Problem {
    Problem(status: .badRequest, name: "unreadable", detail: detail, headers: headers)
  }

  /// The request is well-formed, but the activity does not support it.
  static func notPossible(_ detail: String) -> Problem {
    Problem(status: .unprocessableContent, name: "senseless", detail: detail)
  }

  /// The token is missing or invalid. The response does not reveal whether it is unknown, expired or revoked.
  static let unauthorized = Problem(
    status: .unauthorized, name: "unauthorized",
    detail: "Could not answer: the request has no valid token. "
      + "Send a token as 'Authorization: Bearer TOKEN'.",
    headers: [.wwwAuthenticate: "Bearer realm=\"waymark\""])

  /// The token is valid, but does not allow the request.
  static let forbidden = Problem(
    status: .forbidden, name: "forbidden",
    detail: "Could not answer: this token does not permit the request. "
      + "Omit the other learner, or ask the administrator of the server for another token.")

  static func tooManyRequests(_ detail: String, after seconds: Int) -> Problem {
    Problem(
      status: .tooManyRequests, name: "too-many-requests", detail: detail, headers: [.retryAfter: String(seconds)])
  }

  /// The body is longer than the maximum of the route.
  static func tooLarge(_ limit: Int) -> Problem {
    Problem(
      status: .contentTooLarge, name: "too-large",
      detail: "Could not read the request: its body is longer than \(limit) bytes. Shorten it.",
      headers: [.connection: "close"])
  }

  /// A name occurs twice in one object of the body.
  static func repeated(_ name: String) -> Problem {
    unreadable("Could not read the request: '\(name.prefix(80))' occurs twice in one object of its body. Send it once.")
  }

  /// No route has the address.
  ///
  /// - Parameter routes: The routes of a hub on PostgreSQL, which has no OpenAPI document. `nil` for other servers.
  static func noRoute(of routes: [String]?) -> Problem {
    Problem(
      status: .notFound, name: "no-such-route",
      detail: "Could not answer: there is no such route. "
        + (routes.map { "This hub has \($0.joined(separator: ", "))." } ?? "See /v1/openapi.json for the routes."))
  }

  /// The address exists, but does not support the method.
  static func wrongMethod(allowed: [String]) -> Problem {
    Problem(
      status: .methodNotAllowed, name: "method-not-allowed",
      detail: "Could not answer: this route does not support the method. Use \(allowed.joined(separator: ", ")).",
      headers: [.allow: allowed.joined(separator: ", ")])
  }

  /// The `Idempotency-Key` was used for a different request.
  static let reusedKey = Problem(
    status: .unprocessableContent, name: "reused-key",
    detail: "Could not perform the request: its Idempotency-Key was used for another request. "
      + "Send a new key with each request.")

  /// The request reads the data of other learners, and the audit record cannot be written.
  static let notAudited = Problem(
    status: .serviceUnavailable, name: "not-audited",
    detail: "Could not answer: the access to other learners' data could not be recorded. Try again later.",
    headers: [.retryAfter: "60"])

  /// The server shuts down before it has started the request.
  static let stopping = Problem(
    status: .serviceUnavailable, name: "busy",
    detail: "Could not answer: the server is shutting down. Send the request again.", headers: [.retryAfter: "1"])

  /// Creates the problem for an error.
  ///
  /// - Returns: `nil` if the error is a failure of the machine. The description of such an error belongs in the log,
  ///   not in a response.
  init?(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case is ReusedKey: self = .reusedKey
    case NavigationError.invalidToken: self = .unauthorized
    case is AuditFailure: self = .notAudited
    case is CancellationError, NavigationError.cancelled, CourseLibraryError.searchInterrupted: self = .stopping
    case let error as any ExplainedError:
      guard let kind = Self.kind(of: error) else { return nil }
      self.init(status: kind.status, name: kind.name, detail: APIErrorMessage.text(error), headers: kind.headers)
    default: return nil
    }
  }

  /// The database is unreachable, not migrated or full. The log contains one entry for all of these responses.
  static func databaseFailed(_ error: any Error) -> Problem {
    Problem(
      status: .serviceUnavailable, name: error is HubError ? "hub-away" : "unavailable",
      detail: APIErrorMessage.failure,
      headers: [.retryAfter: "5"])
  }

  /// Any other failure of the machine.
  static let failed = Problem(status: .internalServerError, name: "failed", detail: APIErrorMessage.failure)

  private static func kind(
    of error: any ExplainedError
  ) -> (status: HTTPResponse.Status, name: String, headers: HTTPFields)? {
    switch error {
    case NavigationError.busy, NavigationError.database(.busy): (.serviceUnavailable, "busy", [.retryAfter: "1"])
    case NavigationError.learnerIsHere: (.conflict, "learner-is-here", [:])
    case NavigationError.removedPlace, CourseLibraryError.removedPlace: (.gone, "removed", [:])
    case NavigationError.database, NavigationError.noSessionLock: nil
    case SyncError.otherVersion: (.badRequest, "newer", [:])
    case SyncError.contradictory: (.unprocessableContent, "senseless", [:])
    default:
      switch error.kind {
      case .notFound: (.notFound, "not-found", [:])
      case .refused: (.conflict, "refused", [:])
      case .invalidArgument: (.badRequest, "unreadable", [:])
      case .tryAgain: (.serviceUnavailable, "busy", [.retryAfter: "1"])
      case .badData, .unavailable, .cannotCreate, .inputOutput, .noPermission: nil
      }
    }
  }
}

/// The audit record of a request could not be written.
struct AuditFailure: Error {
  let cause: any Error
}

extension HTTPField.Name {
  static let confirm = HTTPField.Name("Waymark-Confirm")!
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
  static let lastEventID = HTTPField.Name("Last-Event-ID")!
  static let link = HTTPField.Name("Link")!
  static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
  static let requestID = HTTPField.Name("X-Request-Id")!
}
