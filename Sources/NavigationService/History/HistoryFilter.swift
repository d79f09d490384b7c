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
