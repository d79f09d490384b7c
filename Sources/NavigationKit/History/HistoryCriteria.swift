public import Foundation
public import LearningModel
import LearningStore

/// The criteria of a ``HistoryFilter``: the only declaration of each.
///
/// The query language, the command-line options, the parameters of the server and the conditions of the SQL statement are
/// derived from these properties, in their order. To add a criterion, add a property. If no `HistoryCondition` expresses it,
/// add that too.
public struct HistoryCriteria: Sendable {
  /// The course that contains the place.
  public let course = HistoryCriterion(place: "course", "Only steps in this course.", form: .course)
  /// The place whose current subtree contains the step. A removed place counts at its last parent.
  public let under = HistoryCriterion(place: "under", "Only steps at this place or below it.", words: ["in", "under"])
  /// The current type of an activity.
  public let type = HistoryCriterion<ActivityType>(
    "type", "Only steps at this type of activity.", words: ["kind", "type"]
  ) {
    .type($0)
  }
  /// The kind of a place.
  public let kind = HistoryCriterion<PlaceKind>(
    "kind", "Only steps at this kind of place.", listed: PlaceKind.allCases.reversed()
  ) {
    .kind($0)
  }
  /// The operation of a step.
  public let operation = HistoryCriterion<NavigationOperation>("operation", "Only this operation.") { .operation($0) }
  /// The transition of a step.
  public let transition = HistoryCriterion<TransitionKind>("transition", "Only this transition.") { .transition($0) }
  /// The number or UUID of a session, or the name of sessions.
  public let session = HistoryCriterion("session", "Only this session, by number or name.", form: .session) {
    try $1.session($0)
  }
  /// The cause of a step.
  public let cause = HistoryCriterion<NavigationCause>(
    "cause", "Only steps with this cause.", words: ["by", "cause"]
  ) { .cause($0) }
  /// The first moment.
  public let since = HistoryCriterion(
    "since", "Only steps since this time: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.",
    words: ["after": { $0.start }, "since": { $0.start }, "on": { $0.start }]
  ) { .since(Timestamp(date: $0)) }
  /// The last moment.
  public let until = HistoryCriterion(
    "until", "Only steps until this time, in the same formats.",
    words: [
      "before": { Timestamp(date: $0.start).advanced(byMilliseconds: -1).date }, "until": { $0.end }, "on": { $0.end },
    ]
  ) { .until(Timestamp(date: $0)) }
  /// A text in the title of a place.
  public let text = HistoryCriterion("text", "Only steps at places whose title contains this text.", form: .text) {
    text, _ in
    .title(containing: text)
  }
  /// The result of the learner's last answers to a quiz.
  public let answers = HistoryCriterion<LastAnswers>(
    "answers", "Only steps at quizzes with this result of the last attempt."
  ) {
    .lastAnswers(areRight: $0 == .right)
  }
  /// The state of an activity. Only the last step at each activity matches.
  public let state = HistoryCriterion<ActivityState>("is", "Only the last step at each activity in this state.") {
    .lastStep(atDone: $0 == .done)
  }
}

/// The result of the last answers to a quiz.
public enum LastAnswers: String, CaseIterable, Sendable {
  /// At least one answer was wrong.
  case wrong
  /// All answers were right.
  case right
}

/// The state of an activity that a learner has visited.
public enum ActivityState: String, CaseIterable, Sendable {
  /// Begun and not done.
  case begun
  /// Done.
  case done
}

extension HistoryCriteria {
  static let table = HistoryCriteria()

  /// Each criterion, in the order of the table.
  static let all = Mirror(reflecting: table).children.compactMap { $0.value as? any AnyHistoryCriterion }

  /// The names of the filters in the query language.
  static let wordNames: [String] = all.flatMap(\.wordNames).reduce(into: []) { names, name in
    if !names.contains(name) { names.append(name) }
  }

  /// The option that takes the query language.
  package static let query = HistoryOption(
    name: "query",
    help: "Filters as in the History tab: 'after:monday kind:quiz rust'. An option overrides the same filter in it.",
    form: .text)

  /// The options of commands and the parameters of requests, in their order.
  package static let options = all.map(\.option) + [query]
}

/// An option of a command, or a parameter of a request, that filters the history.
package struct HistoryOption: Sendable {
  /// The form of its value.
  package enum Form: Sendable {
    /// The path of a course.
    case course
    /// The path of a place.
    case place
    /// The number or name of a session.
    case session
    /// A time that ``HistoryTime`` reads.
    case time
    /// Any text.
    case text
    /// One word of an enumeration.
    case word(any HistoryWord.Type)
  }

  /// The name, such as `under`.
  package let name: String
  /// A sentence that describes the matching steps.
  package let help: String
  package let form: Form
}

/// A value that is one word of a list.
package typealias HistoryWord = CaseIterable & Hashable & RawRepresentable<String> & Sendable

/// A criterion by which a ``HistoryFilter`` selects steps.
public struct HistoryCriterion<Value: Hashable & Sendable>: Sendable {
  let option: HistoryOption
  /// The names in the query language, and how each reads its value: `nil` for an unknown word. The option reads its value
  /// as the name equal to its own.
  private let words: [(name: String, read: @Sendable (String, HistoryClock) throws(NavigationError) -> Value?)]
  /// The known values, as an error message lists them.
  let known: [String]
  /// Returns the condition for a value; `nil` if every step matches.
  private let condition: @Sendable (Value, inout HistoryResolver) throws -> HistoryCondition?
}

extension HistoryCriterion where Value: HistoryWord {
  /// Creates a criterion whose value is one word of an enumeration. In the query language upper and lower case are equal.
  fileprivate init(
    _ name: String, _ help: String, words: [String]? = nil, listed: [Value] = Array(Value.allCases),
    condition: @escaping @Sendable (Value) -> HistoryCondition
  ) {
    option = HistoryOption(name: name, help: help, form: .word(Value.self))
    self.words = (words ?? [name]).map { word in
      (word, { @Sendable text, _ in Value.allCases.first { $0.rawValue.lowercased() == text.lowercased() } })
    }
    known = listed.map(\.rawValue)
    self.condition = { value, _ in condition(value) }
  }
}

extension HistoryCriterion<PlaceName> {
  fileprivate init(place name: String, _ help: String, words: [String]? = nil, form: HistoryOption.Form = .place) {
    option = HistoryOption(name: name, help: help, form: form)
    self.words = (words ?? [name]).map { ($0, { @Sendable text, _ in .text(text) }) }
    known = []
    condition = { place, resolver in try resolver.node(place).map { .under($0) } }
  }
}

extension HistoryCriterion<String> {
  fileprivate init(
    _ name: String, _ help: String, form: HistoryOption.Form,
    condition: @escaping @Sendable (String, inout HistoryResolver) throws -> HistoryCondition
  ) {
    option = HistoryOption(name: name, help: help, form: form)
    words = [(name, { @Sendable text, _ in text })]
    known = []
    self.condition = condition
  }
}

extension HistoryCriterion<Date> {
  fileprivate init(
    _ name: String, _ help: String, words: KeyValuePairs<String, @Sendable (HistoryTime) -> Date>,
    condition: @escaping @Sendable (Date) -> HistoryCondition
  ) {
    option = HistoryOption(name: name, help: help, form: .time)
    self.words = words.map { name, moment in
      (name, { @Sendable (text, clock) throws(NavigationError) in moment(try clock.time(text)) })
    }
    known = []
    self.condition = { time, _ in condition(time) }
  }
}

/// A criterion with a value of any type.
protocol AnyHistoryCriterion: Sendable {
  var option: HistoryOption { get }
  var known: [String] { get }
  var wordNames: [String] { get }
  /// Reads a value and sets it, or removes it if the text is no known word.
  ///
  /// - Parameter word: A name of the criterion in the query language.
  /// - Returns: Whether the text is a known word.
  /// - Throws: ``NavigationError/unknownTime(text:)``.
  func read(_ text: String, as word: String, at clock: HistoryClock, into filter: inout HistoryFilter)
    throws(NavigationError) -> Bool
  /// Removes the value.
  func remove(from filter: inout HistoryFilter)
  /// Returns the condition for the value of a filter, or `nil` if every step matches.
  ///
  /// - Throws: ``NavigationError`` if the place or session does not exist.
  func condition(of filter: HistoryFilter, _ resolver: inout HistoryResolver) throws -> HistoryCondition?
}

extension HistoryCriterion: AnyHistoryCriterion {
  var wordNames: [String] { words.map(\.name) }

  func read(_ text: String, as word: String, at clock: HistoryClock, into filter: inout HistoryFilter)
    throws(NavigationError) -> Bool
  {
    filter[self] = try words.first { $0.name == word }?.read(text, clock)
    return filter[self] != nil
  }

  func remove(from filter: inout HistoryFilter) { filter[self] = nil }

  func condition(of filter: HistoryFilter, _ resolver: inout HistoryResolver) throws -> HistoryCondition? {
    try filter[self].flatMap { try condition($0, &resolver) }
  }
}
