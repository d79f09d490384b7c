public import Foundation
public import LearningModel
import LearningStore

/// The criteria of a ``HistoryFilter``.
///
/// The query language, the command-line options, the parameters of the server and the conditions of the SQL statement
/// are derived from these properties, in their order. To add a criterion, add a property, and a case of
/// `HistoryCondition` if no case expresses the criterion.
public struct HistoryCriteria: Sendable {
  /// The course that contains the place.
  public let course = HistoryCriterion(place: "course", "Only steps in this course.", form: .course)
  /// The place at or below which the step was. Uses the current tree; a removed place belongs to its last parent.
  public let under = HistoryCriterion(
    place: "under", "Only steps at this place or below it.", queryNames: ["in", "under"])
  /// The current type of an activity.
  public let type = HistoryCriterion<ActivityType>(
    "type", "Only steps at this type of activity.", queryNames: ["kind", "type"]
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
  /// The number or UUID of a session, or a name that several sessions may have.
  public let session = HistoryCriterion("session", "Only this session, by number or name.", form: .session) {
    try $1.session($0)
  }
  /// The cause of a step.
  public let cause = HistoryCriterion<NavigationCause>(
    "cause", "Only steps with this cause.", queryNames: ["by", "cause"]
  ) { .cause($0) }
  /// The earliest time of a step.
  public let since = HistoryCriterion(
    "since", "Only steps since this time: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.",
    queryNames: ["after": { $0.start }, "since": { $0.start }, "on": { $0.start }]
  ) { .since(Timestamp(date: $0)) }
  /// The latest time of a step.
  public let until = HistoryCriterion(
    "until", "Only steps until this time, in the same formats.",
    queryNames: [
      "before": { Timestamp(date: $0.start).advanced(byMilliseconds: -1).date }, "until": { $0.end }, "on": { $0.end },
    ]
  ) { .until(Timestamp(date: $0)) }
  /// A text that the title of a place contains.
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
  /// The learner has started the activity but not finished it.
  case begun
  /// The learner has finished the activity.
  case done
}

extension HistoryCriteria {
  static let table = HistoryCriteria()

  /// All criteria, in the order of their properties.
  static let all = Mirror(reflecting: table).children.compactMap { $0.value as? any AnyHistoryCriterion }

  /// The names of the filters in the query language, without duplicates.
  static let wordNames: [String] = all.flatMap(\.wordNames).reduce(into: []) { names, name in
    if !names.contains(name) { names.append(name) }
  }

  /// The option whose value is a text in the query language.
  package static let query = HistoryOption(
    name: "query",
    help: "Filters as in the History tab: 'after:monday kind:quiz rust'. An option overrides the same filter in it.",
    form: .text)

  /// The options of commands and the parameters of requests, in the order of help texts.
  package static let options = all.map(\.option) + [query]
}

/// An option of a command, or a parameter of a request, that filters the history.
package struct HistoryOption: Sendable {
  /// The form of an option's value.
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
    /// One of the raw values of an enumeration.
    case word(any HistoryWord.Type)
  }

  /// The name of the option, such as `under`.
  package let name: String
  /// A sentence that describes the matching steps.
  package let help: String
  package let form: Form
}

/// An enumeration of texts, such as the kinds of places.
package typealias HistoryWord = CaseIterable & Hashable & RawRepresentable<String> & Sendable

/// A criterion by which a ``HistoryFilter`` selects steps.
public struct HistoryCriterion<Value: Hashable & Sendable>: Sendable {
  let option: HistoryOption
  /// The names of the criterion in the query language, each with a function that reads a value. The function returns
  /// `nil` for an unknown value. The option of the criterion uses the function of the name that equals the option's
  /// name.
  private let queryNames: [(name: String, read: @Sendable (String, HistoryClock) throws(NavigationError) -> Value?)]
  /// The valid values for error messages, or empty if any text can be valid.
  let knownValues: [String]
  /// Returns the condition for a value, or `nil` if every step matches.
  private let condition: @Sendable (Value, inout HistoryResolver) throws -> HistoryCondition?
}

extension HistoryCriterion where Value: HistoryWord {
  /// Creates a criterion whose value is a raw value of an enumeration. In the query language, case is ignored.
  fileprivate init(
    _ name: String, _ help: String, queryNames: [String]? = nil, listed: [Value] = Array(Value.allCases),
    condition: @escaping @Sendable (Value) -> HistoryCondition
  ) {
    option = HistoryOption(name: name, help: help, form: .word(Value.self))
    self.queryNames = (queryNames ?? [name]).map { word in
      (word, { @Sendable text, _ in Value.allCases.first { $0.rawValue.lowercased() == text.lowercased() } })
    }
    knownValues = listed.map(\.rawValue)
    self.condition = { value, _ in condition(value) }
  }
}

extension HistoryCriterion<PlaceName> {
  fileprivate init(place name: String, _ help: String, queryNames: [String]? = nil, form: HistoryOption.Form = .place) {
    option = HistoryOption(name: name, help: help, form: form)
    self.queryNames = (queryNames ?? [name]).map { ($0, { @Sendable text, _ in .text(text) }) }
    knownValues = []
    condition = { place, resolver in try resolver.node(place).map { .under($0) } }
  }
}

extension HistoryCriterion<String> {
  fileprivate init(
    _ name: String, _ help: String, form: HistoryOption.Form,
    condition: @escaping @Sendable (String, inout HistoryResolver) throws -> HistoryCondition
  ) {
    option = HistoryOption(name: name, help: help, form: form)
    queryNames = [(name, { @Sendable text, _ in text })]
    knownValues = []
    self.condition = condition
  }
}

extension HistoryCriterion<Date> {
  fileprivate init(
    _ name: String, _ help: String, queryNames: KeyValuePairs<String, @Sendable (HistoryTime) -> Date>,
    condition: @escaping @Sendable (Date) -> HistoryCondition
  ) {
    option = HistoryOption(name: name, help: help, form: .time)
    self.queryNames = queryNames.map { name, date in
      (name, { @Sendable (text, clock) throws(NavigationError) in date(try clock.time(text)) })
    }
    knownValues = []
    self.condition = { time, _ in condition(time) }
  }
}

/// A type-erased ``HistoryCriterion``.
protocol AnyHistoryCriterion: Sendable {
  var option: HistoryOption { get }
  var knownValues: [String] { get }
  var wordNames: [String] { get }
  /// Reads a value and sets it in a filter. Removes the value from the filter if the text is not a valid value.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - word: One of the names in ``wordNames``.
  ///   - clock: The current time and the time zone.
  ///   - filter: The filter to change.
  /// - Returns: Whether the text is a valid value.
  /// - Throws: ``NavigationError/unknownTime(text:)``.
  func read(_ text: String, as word: String, at clock: HistoryClock, into filter: inout HistoryFilter)
    throws(NavigationError) -> Bool
  /// Removes the value from a filter.
  func remove(from filter: inout HistoryFilter)
  /// Returns the condition for the value in a filter, or `nil` if every step matches.
  ///
  /// - Throws: ``NavigationError`` if the place or session does not exist.
  func condition(of filter: HistoryFilter, _ resolver: inout HistoryResolver) throws -> HistoryCondition?
}

extension HistoryCriterion: AnyHistoryCriterion {
  var wordNames: [String] { queryNames.map(\.name) }

  func read(_ text: String, as word: String, at clock: HistoryClock, into filter: inout HistoryFilter)
    throws(NavigationError) -> Bool
  {
    let isBlank = text.allSatisfy(\.isWhitespace)
    filter[self] = isBlank ? nil : try queryNames.first { $0.name == word }?.read(text, clock)
    return filter[self] != nil
  }

  func remove(from filter: inout HistoryFilter) { filter[self] = nil }

  func condition(of filter: HistoryFilter, _ resolver: inout HistoryResolver) throws -> HistoryCondition? {
    try filter[self].flatMap { try condition($0, &resolver) }
  }
}
