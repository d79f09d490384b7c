public import Foundation
public import LearningModel

/// Whose history is asked for.
public enum LearnerScope: Hashable, Sendable {
  /// The service's learner; nothing where they have never been here.
  case own
  /// Somebody of that name, who must exist.
  case named(String)
  /// Everyone.
  case everyone
}

/// Which steps of the history are asked for. Without a filter it is every step of the service's learner.
public struct HistoryFilter: Hashable, Sendable {
  /// Whose.
  public var learner: LearnerScope
  /// Only in that course.
  public var course: PlaceName?
  /// Only in the subtree of that place, as the tree is today; removed places count at their last place.
  public var under: PlaceName?
  /// Only at places of that kind.
  public var kind: PlaceKind?
  /// Only steps of that operation.
  public var operation: NavigationOperation?
  /// Only steps of that transition.
  public var transition: TransitionKind?
  /// Only steps that were asked for so.
  public var cause: NavigationCause?
  /// Only in the session of that number or identifier, or in those of that name.
  public var session: String?
  /// Not before that moment.
  public var since: Timestamp?
  /// Not after that moment.
  public var until: Timestamp?
  /// Only at places whose title holds that text.
  public var text: String?
  /// Only at activities of that type, as they are today.
  public var type: ActivityType?
  /// Only at quizzes whose last answers were all right, or were not.
  public var areAnswersRight: Bool?
  /// Only at activities that are done, or that are begun and not done, and of each the last step there.
  public var isDone: Bool?
  /// Only at places whose title holds each of these.
  public var words: [String]

  /// Makes a filter.
  public init(
    learner: LearnerScope = .own, course: PlaceName? = nil, under: PlaceName? = nil, kind: PlaceKind? = nil,
    operation: NavigationOperation? = nil, transition: TransitionKind? = nil, cause: NavigationCause? = nil,
    session: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, text: String? = nil,
    type: ActivityType? = nil, areAnswersRight: Bool? = nil, isDone: Bool? = nil, words: [String] = []
  ) {
    self.learner = learner
    self.course = course
    self.under = under
    self.kind = kind
    self.operation = operation
    self.transition = transition
    self.cause = cause
    self.session = session
    self.since = since
    self.until = until
    self.text = text
    self.type = type
    self.areAnswersRight = areAnswersRight
    self.isDone = isDone
    self.words = words
  }
}

extension HistoryFilter {
  /// Checks that the period does not end before it begins.
  ///
  /// - Throws: ``NavigationError/reversedPeriod(since:until:)``.
  package func checkPeriod() throws {
    if let since, let until, until < since { throw NavigationError.reversedPeriod(since: since, until: until) }
  }
}

/// Where a page of the history ended: the next one begins there, however much has been added meanwhile.
public struct HistoryCursor: Hashable, Sendable, CustomStringConvertible {
  /// The row that was the last of its page.
  public let event: Int64

  /// Ends a page at that row.
  public init(event: Int64) {
    self.event = event
  }

  /// Reads the written form; `nil` where it is none.
  public init?(_ text: String) {
    guard let event = Int64(text), event > 0 else { return nil }
    self.event = event
  }

  /// The row's number.
  public var description: String { String(event) }
}

extension HistoryFilter {
  /// The filters that can be written, in the order in which they are told.
  ///
  /// | written | means |
  /// |---|---|
  /// | `after:monday` | since that day or moment began; `since:` is the same |
  /// | `before:2026-11-20` | before it began |
  /// | `until:yesterday` | until it ended |
  /// | `on:today` | from its beginning to its end |
  /// | `kind:quiz` | at quizzes; also `reading`, `flashcards`, `link`, `activity`, `lesson`, `goal`, `course` |
  /// | `answers:wrong` | at quizzes whose last answers were not all right; `answers:right` where they were |
  /// | `is:begun` | at activities that are begun and not done, the last step at each; `is:done` at those that are |
  /// | `in:english-for-business` | at a place, by its path, and everything in it |
  /// | `by:search` | what was asked for so: `key`, `mouse`, `search`, `bookmark`, `link`, `shell`, `api`, `system` |
  /// | `session:12` | in the session of that number or name |
  static let wordNames = ["after", "since", "before", "until", "on", "kind", "answers", "is", "in", "by", "session"]

  /// Reads a filter as people write it: filters such as `after:monday` and `kind:quiz`, and words that the titles of the
  /// places hold, each of them and in any order. What has a blank in it stands in quotes: `after:"tuesday 10:15"`.
  ///
  /// A time is written as ``HistoryTime`` reads it. Of two filters of a kind the last one counts.
  ///
  /// - Parameters:
  ///   - text: What is written.
  ///   - now: The moment at which it is asked.
  ///   - zone: The asker's time zone.
  /// - Throws: ``NavigationError/unknownFilter(name:nearest:)``, ``NavigationError/unknownFilterValue(filter:value:known:)``
  ///   and ``NavigationError/unknownTime(text:)``.
  public init(words text: String, now: Timestamp, in zone: TimeZone) throws {
    self.init()
    for token in Self.tokens(of: text) {
      // Who has not written what comes behind it yet means nothing by it.
      if Self.wordNames.contains(where: { token.lowercased() == $0 + ":" }) { continue }
      guard let colon = token.firstIndex(of: ":"), !token.hasPrefix("\""), token.index(after: colon) < token.endIndex
      else {
        let word = token.replacing("\"", with: "")
        if !word.isEmpty { words.append(word) }
        continue
      }
      let name = token[..<colon].lowercased()
      let value = token[token.index(after: colon)...].replacing("\"", with: "")
      guard name.allSatisfy(\.isLetter), !name.isEmpty else {
        words.append(token)
        continue
      }
      try set(name, to: String(value)) { try HistoryTime($0, now: now, in: zone) }
    }
  }

  private mutating func set(_ name: String, to value: String, time: (String) throws -> HistoryTime) throws {
    switch name {
    case "after", "since": since = try time(value).start
    case "before": until = try time(value).start.advanced(byMilliseconds: -1)
    case "until": until = try time(value).end
    case "on":
      let stretch = try time(value)
      (since, until) = (stretch.start, stretch.end)
    case "kind":
      (kind, type) = (PlaceKind(rawValue: value.lowercased()), ActivityType(rawValue: value.lowercased()))
      if kind == nil, type == nil {
        throw NavigationError.unknownFilterValue(
          filter: name, value: value,
          known: ActivityType.allCases.map(\.rawValue) + PlaceKind.allCases.reversed().map(\.rawValue))
      }
    case "answers":
      guard let right = ["wrong": false, "right": true][value.lowercased()] else {
        throw NavigationError.unknownFilterValue(filter: name, value: value, known: ["wrong", "right"])
      }
      areAnswersRight = right
    case "is":
      guard let done = ["begun": false, "done": true][value.lowercased()] else {
        throw NavigationError.unknownFilterValue(filter: name, value: value, known: ["begun", "done"])
      }
      isDone = done
    case "in": under = .text(value)
    case "by":
      cause = NavigationCause(rawValue: value.lowercased())
      if cause == nil {
        throw NavigationError.unknownFilterValue(
          filter: name, value: value, known: NavigationCause.allCases.map(\.rawValue))
      }
    case "session": session = value
    default:
      throw NavigationError.unknownFilter(name: name, nearest: Likeness.nearest(to: name, among: Self.wordNames))
    }
  }

  /// What stands between blanks; a blank in quotes is none.
  private static func tokens(of text: String) -> [String] {
    var (tokens, token, isQuoted) = ([String](), "", false)
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character.isWhitespace, !isQuoted {
        if !token.isEmpty { tokens.append(token) }
        token = ""
      } else {
        token.append(character)
      }
    }
    return token.isEmpty ? tokens : tokens + [token]
  }
}
