public import Foundation
public import LearningModel

/// The learners of a history query.
public enum LearnerScope: Hashable, Sendable {
  /// The service's learner. No steps match if the database does not contain this learner.
  case current
  /// The learner with this name.
  case named(String)
  /// All learners.
  case everyone
}

/// A filter for steps of the history. A filter without criteria matches all steps of the service's learner.
///
/// Criteria are set with the names of the properties of ``HistoryCriteria``: `filter.kind = .activity`.
@dynamicMemberLookup public struct HistoryFilter: Sendable {
  /// The learners whose steps match.
  public var learner: LearnerScope
  /// Texts that the title of the place must contain. All of them must match.
  public var titleTexts: [String]
  private var values: [String: any Hashable & Sendable] = [:]

  /// Creates a filter. A criterion that is `nil` matches every step.
  public init(
    learner: LearnerScope = .current, course: PlaceName? = nil, under: PlaceName? = nil, kind: PlaceKind? = nil,
    operation: NavigationOperation? = nil, transition: TransitionKind? = nil, cause: NavigationCause? = nil,
    session: String? = nil, since: Date? = nil, until: Date? = nil, text: String? = nil,
    type: ActivityType? = nil, answers: LastAnswers? = nil, state: ActivityState? = nil, titleTexts: [String] = []
  ) {
    self.learner = learner
    self.titleTexts = titleTexts
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
    self.answers = answers
    self.state = state
  }

  /// The value of a criterion, or `nil` if the filter does not have the criterion.
  public subscript<Value>(dynamicMember criterion: KeyPath<HistoryCriteria, HistoryCriterion<Value>>) -> Value? {
    get { self[HistoryCriteria.table[keyPath: criterion]] }
    set { self[HistoryCriteria.table[keyPath: criterion]] = newValue }
  }

  subscript<Value>(_ criterion: HistoryCriterion<Value>) -> Value? {
    get { values[criterion.option.name] as? Value }
    set { values[criterion.option.name] = newValue }
  }
}

extension HistoryFilter: Hashable {
  /// Returns whether two filters have the same learners, title texts and criteria.
  public static func == (first: HistoryFilter, second: HistoryFilter) -> Bool {
    (first.learner, first.titleTexts, first.hashableValues) == (
      second.learner, second.titleTexts, second.hashableValues
    )
  }

  /// Hashes the learners, title texts and criteria.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(learner)
    hasher.combine(titleTexts)
    hasher.combine(hashableValues)
  }

  private var hashableValues: [String: AnyHashable] { values.mapValues { AnyHashable($0) } }
}

extension HistoryFilter {
  /// Checks that the period does not end before it begins.
  ///
  /// - Throws: ``NavigationError/reversedPeriod(since:until:)``.
  package func checkPeriod() throws(NavigationError) {
    guard let since = self.since, let until = self.until, until < since else { return }
    throw .reversedPeriod(since: Timestamp(date: since), until: Timestamp(date: until))
  }
}

/// The end of a page of the history. The next page starts after it, even if steps were added since.
public struct HistoryCursor: Hashable, Sendable, CustomStringConvertible {
  /// The number of the last row of the page.
  public let event: Int64

  /// Creates the end of a page whose last row has a number.
  public init(event: Int64) {
    self.event = event
  }

  /// Creates a cursor from the number of a row. Returns `nil` if the text is not a positive number.
  public init?(_ text: String) {
    guard let event = Int64(text), event > 0 else { return nil }
    self.event = event
  }

  /// The number of the row.
  public var description: String { String(event) }
}

/// The current time and the time zone, which are needed to read times such as `yesterday`.
struct HistoryClock {
  let now: Date
  let zone: TimeZone

  func time(_ text: String) throws(NavigationError) -> HistoryTime { try HistoryTime(text, now: now, in: zone) }
}

extension HistoryFilter {
  /// Creates a filter from a text in the query language: filters such as `after:monday` and `kind:quiz`, and words that
  /// the title must contain, in any order. A value with a space is quoted: `after:"tuesday 10:15"`. The names of the
  /// filters are those of ``HistoryCriteria``.
  ///
  /// | filter | matching steps |
  /// |---|---|
  /// | `after:monday`, `since:monday` | since the start of a day or moment |
  /// | `before:2026-11-20` | before the start of the day |
  /// | `until:yesterday` | until the end of the day |
  /// | `on:today` | from the start to the end of the day |
  /// | `kind:quiz` | at a kind of place or a type of activity |
  /// | `in:english-for-business` | at a place and its descendants |
  ///
  /// If a filter is repeated, the last one wins.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - now: The current time.
  ///   - zone: The learner's time zone.
  /// - Throws: ``NavigationError/unknownFilter(name:nearest:)``,
  ///   ``NavigationError/unknownFilterValue(filter:value:known:)``, ``NavigationError/openQuotation(text:)`` and
  ///   ``NavigationError/unknownTime(text:)``.
  public init(titleTexts text: String, now: Date, in zone: TimeZone) throws(NavigationError) {
    self.init()
    try NavigationError.checkQuotation(of: text, marks: "\"")
    let clock = HistoryClock(now: now, zone: zone)
    for token in Self.tokens(of: text) {
      let isName = HistoryCriteria.wordNames.contains { token.lowercased() == $0 + ":" }
      guard let colon = token.firstIndex(of: ":"), !token.hasPrefix("\""),
        isName || token.index(after: colon) < token.endIndex
      else {
        let word = token.replacing("\"", with: "")
        if !word.isEmpty { titleTexts.append(word) }
        continue
      }
      let name = token[..<colon].lowercased()
      let value = token[token.index(after: colon)...].replacing("\"", with: "")
      guard name.allSatisfy(\.isLetter), !name.isEmpty else {
        titleTexts.append(token)
        continue
      }
      try set(name, to: String(value), at: clock)
    }
  }

  /// Creates a filter from the options of a command or the parameters of a request. An option replaces the filter with
  /// the same name in the query.
  ///
  /// - Parameters:
  ///   - learner: The learners.
  ///   - now: The current time.
  ///   - zone: The learner's time zone.
  ///   - value: Returns the text of the option with the given name, which is one of ``HistoryCriteria/options``, or
  ///     `nil` if the option is not given.
  /// - Throws: The errors of ``init(titleTexts:now:in:)``.
  package init(
    of learner: LearnerScope, now: Date, in zone: TimeZone, option value: (_ name: String) -> String?
  ) throws(NavigationError) {
    try self.init(titleTexts: value(HistoryCriteria.query.name) ?? "", now: now, in: zone)
    self.learner = learner
    let options = HistoryCriteria.all.compactMap { criterion in
      value(criterion.option.name).map { (criterion: criterion, name: criterion.option.name, text: $0) }
    }
    for option in options {
      for replaced in HistoryCriteria.all where replaced.wordNames.contains(option.name) {
        replaced.remove(from: &self)
      }
    }
    let clock = HistoryClock(now: now, zone: zone)
    for option in options where try !option.criterion.read(option.text, as: option.name, at: clock, into: &self) {
      throw NavigationError.unknownFilterValue(
        filter: option.name, value: option.text, known: option.criterion.knownValues)
    }
  }

  /// Sets the criteria with the given name for which the value is valid, and removes the other criteria with that name.
  /// For example, `on:` sets both ends of the period, and `kind:` sets either the kind or the type.
  private mutating func set(_ name: String, to text: String, at clock: HistoryClock) throws(NavigationError) {
    let criteria = HistoryCriteria.all.filter { $0.wordNames.contains(name) }
    guard !criteria.isEmpty else {
      throw NavigationError.unknownFilter(
        name: name, nearest: FuzzyMatch.nearest(to: name, among: HistoryCriteria.wordNames))
    }
    var isKnown = false
    for criterion in criteria where try criterion.read(text, as: name, at: clock, into: &self) { isKnown = true }
    if !isKnown {
      throw NavigationError.unknownFilterValue(filter: name, value: text, known: criteria.flatMap(\.knownValues))
    }
  }

  /// Splits a text at white space outside quotes. The tokens keep their quotes.
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
