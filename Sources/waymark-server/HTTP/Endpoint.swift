import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

/// An HTTP route: its method and address, parameters, required access, and the function that answers it.
///
/// `Documentation/openapi.json` describes the same routes; a test compares the two.
struct Endpoint: Sendable {
  /// The token that a route requires.
  enum Access: Sendable {
    /// No token is required.
    case open
    /// A valid token of any scope.
    case token
    /// A token of a teacher or an administrator.
    case teacher
    /// A token of an administrator.
    case admin
  }

  /// The effort of answering a request, which determines the threads that answer it.
  enum Cost: Sendable {
    /// An inexpensive request. The effort does not depend on the amount of recorded data.
    case light
    /// An expensive request. The effort grows with the learner's history or with the texts of a course.
    ///
    /// Only one expensive request of a learner is answered at a time. Expensive requests never delay inexpensive ones.
    case heavy
    /// An expensive request with a response of any length. The learner's next export waits until the response has been
    /// sent.
    case export
    /// A computation of seconds. A learner has at most one at a time, and all of them share one thread. It ends when the
    /// server shuts down.
    case fit
  }

  let method: HTTPRequest.Method
  /// The address, such as `/v1/courses/{path}`. A placeholder in braces must come last. It matches the rest of the
  /// address.
  let route: String
  let access: Access
  let cost: Cost
  let parameters: [Parameter]
  /// The schemas of the request and the response, and further properties of the route.
  let shape: Shape
  let answer: @Sendable (RequestExchange) async throws -> Response
  /// The name of the placeholder in the route, or `nil` if the route has none.
  let placeholder: String?
  /// The part of the route before the placeholder.
  private let beginning: String

  init(
    _ method: HTTPRequest.Method, _ route: String, for access: Access = .token, cost: Cost = .light,
    _ parameters: [Parameter] = [], _ shape: Shape,
    answer: @escaping @Sendable (RequestExchange) async throws -> Response
  ) {
    self.method = method
    self.route = route
    self.access = access
    self.cost = cost
    self.parameters = parameters
    self.shape = shape
    self.answer = answer
    let components = route.split(separator: "{", maxSplits: 1)
    beginning = String(components[0])
    placeholder = components.count > 1 ? String(components[1].dropLast()) : nil
  }

  /// The schemas of request and response in the OpenAPI document, and further properties of the route.
  struct Shape: Sendable {
    /// The schema of the request's body, or `nil` for a request without a body or with an empty
    /// object.
    var body: String?
    /// The maximum length of the request's body in bytes. A short body is parsed quickly, so that inexpensive requests
    /// of other learners do not wait for it.
    var maximumBodyBytes = ServerSettings.maximumObjectBytes
    /// The schema of the response, or `nil` for an empty response.
    var answer: String?
    /// Whether the response is a paginated list.
    var isList = false
    /// The media type of the response.
    var type = "application/json"
    /// Whether the route supports `Idempotency-Key`. A request that is repeated with the same key is performed only
    /// once.
    var isRepeatable = false
    /// Whether the request must have the `Waymark-Confirm` header field.
    var isConfirmed = false
    /// The status codes of the route's own problems, in addition to those that all routes have.
    var problems: [Int] = []

    static func list(_ answer: String, problems: [Int] = []) -> Shape {
      Shape(answer: answer, isList: true, problems: problems)
    }
  }

  /// Returns the cost of a request. A request for a long page of a list is expensive.
  func cost(of query: Query) -> Cost { cost == .light && query.rows.limit > Self.maximumLightPageSize ? .heavy : cost }

  private static let maximumLightPageSize = 100

  /// Whether the response has an `ETag`. A request with a matching `If-None-Match` is answered with status 304.
  var hasTag: Bool { method == .get && (shape.type == "application/json" || shape.type.hasPrefix("image/")) }

  /// Whether the request ends when its client closes the connection. Its further input is
  /// discarded, so it is closed after the response.
  var watchesClient: Bool { cost == .fit || shape.type == "text/event-stream" }

  /// Matches an address with the route.
  ///
  /// - Returns: The text in place of the placeholder, still percent-encoded. Empty if the route has no placeholder.
  ///   `nil` if the address does not match.
  func match(_ path: String) -> Substring? {
    if placeholder == nil { return path == route ? "" : nil }
    guard path.utf8.starts(with: beginning.utf8), path.utf8.count > beginning.utf8.count else { return nil }
    return Substring(path.utf8.dropFirst(beginning.utf8.count))
  }
}

extension Endpoint {
  /// All routes, in the order of the OpenAPI document. To add a route, define it in a file of `Routes` and add it here.
  static let all: [Endpoint] =
    [courses, course, page, image, search, transitions] + [currentLocation, history, statistics, progress, learners]
    + [navigationSteps, activityEvents, bookmarks, bookmark, removeBookmark, position, savePosition, removePosition]
    + reviews + [events, sync, me, eraseMe, eraseLearner] + [document, live, ready, metrics]

  /// The routes of a hub on PostgreSQL, which stores learners but no courses.
  static let hub: [Endpoint] = [sync, eraseFromHub, live, ready, metrics]

  /// The filters of the history, the same as those of the commands: one parameter for each option of `HistoryCriteria`.
  static let historyFilters = [.learner] + HistoryCriteria.options.map(Parameter.init) + [.timeZone]
}

extension Parameter {
  fileprivate init(_ option: HistoryOption) {
    func words<Word: HistoryWord>(of type: Word.Type) -> Kind { .word(Word.allCases.map(\.rawValue)) }
    switch option.form {
    case .course, .place: self.init(option.name, .text, option.help.dropLast() + ": its path.")
    case .session, .time, .text: self.init(option.name, .text, option.help)
    case .word(let type): self.init(option.name, words(of: type), option.help)
    }
  }
}
