import HTTPTypes
import Hummingbird
import LearningModel
import NavigationKit

/// A route: how it is asked, what it may be told, who may ask, and what answers it. The documentation of the interface
/// follows from the same.
struct Endpoint: Sendable {
  /// Who may ask.
  enum Access: Sendable {
    /// Anybody.
    case open
    /// Who has a token.
    case token
    /// Who has a token of a teacher, or of an administrator.
    case teacher
    /// Who has a token of an administrator.
    case admin
  }

  /// How much work an answer is.
  enum Cost: Sendable {
    /// Little, whatever the learner has done.
    case light
    /// More with each step that a learner has made, or with each text of a course. A learner has one such answer at a
    /// time, and none of them delays a light one.
    case heavy
    /// Heavy, and as long as everything of a learner. The next export of the learner waits until it was sent.
    case export
  }

  let method: HTTPRequest.Method
  /// Its address, such as `/v1/courses/{path}`. A part in braces is the last one, and takes all that follows.
  let route: String
  let access: Access
  let cost: Cost
  /// What it does, in a sentence.
  let summary: String
  let parameters: [Parameter]
  /// What the documentation says of what is sent, and of what is answered.
  let shape: Shape
  let answer: @Sendable (Exchange) async throws -> Response
  /// The name of the part of the address that may be anything; `nil` where every part is given.
  let placeholder: String?
  /// What stands before that part.
  private let beginning: String

  init(
    _ method: HTTPRequest.Method, _ route: String, for access: Access = .token, cost: Cost = .light, _ summary: String,
    _ parameters: [Parameter] = [], _ shape: Shape, answer: @escaping @Sendable (Exchange) async throws -> Response
  ) {
    self.method = method
    self.route = route
    self.access = access
    self.cost = cost
    self.summary = summary
    self.parameters = parameters
    self.shape = shape
    self.answer = answer
    let parts = route.split(separator: "{", maxSplits: 1)
    beginning = String(parts[0])
    placeholder = parts.count > 1 ? String(parts[1].dropLast()) : nil
  }

  /// What is sent, and what is answered, by their names in the documentation.
  struct Shape: Sendable {
    /// The body that the request has.
    var body: String?
    /// What is answered; `nil` where that is nothing.
    var answer: String?
    /// Whether the answer is a list in pages.
    var isList = false
    /// What the answer is written in.
    var type = "application/json"
    /// Whether a repeated request is obeyed once.
    var isRepeatable = false
    /// Whether the request needs the header field that confirms an erasure.
    var isConfirmed = false
    /// The problems that it may have beside those that every route has, by their status.
    var problems: [Int] = []

    static func list(_ answer: String, problems: [Int] = []) -> Shape {
      Shape(answer: answer, isList: true, problems: problems)
    }
  }

  /// Returns how much work the answer to a request is. A long page is heavy, whatever its rows are.
  func cost(of query: Query) -> Cost { cost == .light && query.rows.limit > Self.longestLightPage ? .heavy : cost }

  private static let longestLightPage = 100

  /// Whether its answer has an ETag, and a client that has it already is told so.
  var hasTag: Bool { method == .get && (shape.type == "application/json" || shape.type.hasPrefix("image/")) }

  /// Looks whether an address is this route's.
  ///
  /// - Returns: What stands in the place of its placeholder, as it is sent; empty where it has none. `nil` where it is not.
  func match(_ path: String) -> Substring? {
    if placeholder == nil { return path == route ? "" : nil }
    guard path.utf8.starts(with: beginning.utf8), path.utf8.count > beginning.utf8.count else { return nil }
    return Substring(path.utf8.dropFirst(beginning.utf8.count))
  }
}

extension Endpoint {
  /// Every route, in the order of the documentation. To add one, write it in a file of `Routes`, and name it here.
  static let all: [Endpoint] =
    [courses, course, page, picture, search, transitions] + [whereabouts, history, statistics, progress, learners]
    + [steps, acts, bookmarks, bookmark, unmark, position, savePosition, forgetPosition]
    + [events, sync, me, eraseMe, eraseLearner] + [document, live, ready, metrics]

  /// The routes of a hub on PostgreSQL, which has learners and no courses.
  static let hub: [Endpoint] = [sync, eraseFromHub, live, ready, metrics]

  /// The filters of the history, the same as of the commands: one parameter for each row of `HistoryCriteria`.
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
