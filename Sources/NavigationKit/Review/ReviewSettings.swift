package import LearningModel
import LearningStore

/// A learner's settings of reviews, for all courses or for one course.
public struct ReviewSettings: Hashable, Encodable, Sendable {
  /// The probability of recall at which a card becomes due, 0.7…0.99.
  public var retention: Double
  /// The maximum number of new cards on a day, at least 0.
  public var newCards: Int
  /// The maximum number of reviews on a day, at least 0.
  public var reviews: Int
  /// Whether the learner answers with *again*, *hard*, *good* or *easy* instead of *forgot* or *knew it*.
  public var hasFourAnswers: Bool
  /// Whether new cards are shown although the limit of reviews is reached.
  public var newIgnoreLimit: Bool
  /// The cards that wait until tomorrow after another card of their note was answered.
  public var waitingSiblings: WaitingSiblings
  /// The steps of a new card, in seconds: at most 20, each from 1 to 31,536,000.
  public var learningSteps: [Int]
  /// The steps of a forgotten card, in seconds: at most 20, each from 1 to 31,536,000.
  public var relearningSteps: [Int]
  /// The longest interval, in days, 1…36,500.
  public var maximumInterval: Int
  /// How often a card must be forgotten to be a leech, 1…9,999, or 0 if no card becomes one.
  public var leechLapses: Int
  /// Whether a card that becomes a leech is suspended.
  public var suspendsLeeches = false
  /// The hour at which a day begins, 0…23.
  public var dayStart: Int
  /// The 21 weights of the memory model.
  public var weights: [Double]

  /// Which siblings of an answered card wait until tomorrow: the cards of the same flashcard, or of the same note of Anki.
  public enum WaitingSiblings: String, CaseIterable, Codable, Sendable {
    case none, new, all
  }

  /// The settings of a learner who has not changed any.
  public static let standard = ReviewSettings(
    retention: 0.9, newCards: 20, reviews: 200, hasFourAnswers: false, newIgnoreLimit: false, waitingSiblings: .new,
    learningSteps: ReviewRules().learningSteps, relearningSteps: ReviewRules().relearningSteps,
    maximumInterval: ReviewRules().maximumInterval, leechLapses: ReviewRules().leechLapses,
    dayStart: ReviewDay.startHour,
    weights: MemoryModel.defaultWeights)
}

/// Changes of review settings. A `nil` value leaves the setting unchanged.
public struct ReviewSettingsChange: Hashable, Sendable {
  /// See ``ReviewSettings/retention``.
  public var retention: Double?
  /// See ``ReviewSettings/newCards``.
  public var newCards: Int?
  /// See ``ReviewSettings/reviews``.
  public var reviews: Int?
  /// See ``ReviewSettings/hasFourAnswers``.
  public var hasFourAnswers: Bool?
  /// See ``ReviewSettings/newIgnoreLimit``.
  public var newIgnoreLimit: Bool?
  /// See ``ReviewSettings/waitingSiblings``.
  public var waitingSiblings: ReviewSettings.WaitingSiblings?
  /// See ``ReviewSettings/learningSteps``.
  public var learningSteps: [Int]?
  /// See ``ReviewSettings/relearningSteps``.
  public var relearningSteps: [Int]?
  /// See ``ReviewSettings/maximumInterval``.
  public var maximumInterval: Int?
  /// See ``ReviewSettings/leechLapses``.
  public var leechLapses: Int?
  /// See ``ReviewSettings/dayStart``.
  public var dayStart: Int?
  /// See ``ReviewSettings/weights``. Also the 19 or 17 weights of FSRS-5 and FSRS-4.5.
  public var weights: [Double]?
  /// See ``ReviewSettings/suspendsLeeches``.
  public var suspendsLeeches: Bool?

  /// Creates a change.
  public init(
    retention: Double? = nil, newCards: Int? = nil, reviews: Int? = nil, hasFourAnswers: Bool? = nil,
    newIgnoreLimit: Bool? = nil, waitingSiblings: ReviewSettings.WaitingSiblings? = nil, learningSteps: [Int]? = nil,
    relearningSteps: [Int]? = nil, maximumInterval: Int? = nil, leechLapses: Int? = nil, suspendsLeeches: Bool? = nil,
    dayStart: Int? = nil, weights: [Double]? = nil
  ) {
    (self.retention, self.newCards, self.reviews) = (retention, newCards, reviews)
    (self.hasFourAnswers, self.newIgnoreLimit, self.waitingSiblings) = (hasFourAnswers, newIgnoreLimit, waitingSiblings)
    (self.learningSteps, self.relearningSteps, self.maximumInterval) = (learningSteps, relearningSteps, maximumInterval)
    (self.leechLapses, self.suspendsLeeches) = (leechLapses, suspendsLeeches)
    (self.dayStart, self.weights) = (dayStart, weights)
  }
}

/// Reads review settings in a snapshot.
struct ReviewSettingsReader {
  let snapshot: StoreSnapshot
  let learner: LearnerID?

  private func values(_ names: [ReviewSettingName], of course: String?) throws -> [ReviewSettingName: String] {
    try learner.map { try snapshot.settings(names, of: $0, course: course) } ?? [:]
  }

  /// Returns a limit of a course of its own, or `nil` if the course has none.
  func ownLimits(of course: String) throws -> (newCards: Int?, reviews: Int?) {
    func limit(_ name: ReviewSettingName) throws -> Int? {
      try learner.flatMap { try snapshot.setting(name.of(course), of: $0) }.flatMap { Int($0) }
    }
    return (try limit(.newCards), try limit(.reviews))
  }

  func waitingSiblings(of course: String?) throws -> ReviewSettings.WaitingSiblings {
    try values([.waitingSiblings], of: course)[.waitingSiblings].flatMap(ReviewSettings.WaitingSiblings.init)
      ?? ReviewSettings.standard.waitingSiblings
  }

  /// Returns the settings of a course, by its key. A setting that the course does not have is that of all courses.
  func settings(of course: String?) throws -> ReviewSettings {
    let values = try values(ReviewSettingName.allCases, of: course)
    let (rules, model) = Self.scheduling(values)
    var settings = ReviewSettings.standard
    func count(_ name: ReviewSettingName) -> Int? { values[name].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
    settings.retention = rules.retention
    settings.newCards = count(.newCards) ?? settings.newCards
    settings.reviews = count(.reviews) ?? settings.reviews
    settings.hasFourAnswers = values[.fourAnswers] == "true"
    settings.newIgnoreLimit = values[.newIgnoreLimit] == "true"
    settings.waitingSiblings = try waitingSiblings(of: course)
    settings.suspendsLeeches = values[.suspendsLeeches] == "true"
    (settings.learningSteps, settings.relearningSteps) = (rules.learningSteps, rules.relearningSteps)
    (settings.maximumInterval, settings.leechLapses) = (rules.maximumInterval, rules.leechLapses)
    settings.dayStart = try dayStart()
    settings.weights = model.weights
    return settings
  }

  /// Returns the rules that determine the intervals of a course, and the memory model.
  func scheduling(of course: String?) throws -> (rules: ReviewRules, model: MemoryModel) {
    try Self.scheduling(
      values(
        [.retention, .weights, .learningSteps, .relearningSteps, .maximumInterval, .leechLapses], of: course))
  }

  private static func scheduling(_ values: [ReviewSettingName: String]) -> (rules: ReviewRules, model: MemoryModel) {
    var rules = ReviewRules()
    func number<Number: LosslessStringConvertible>(_ name: ReviewSettingName, _ range: ClosedRange<Number>) -> Number? {
      values[name].flatMap { Number($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
    rules.retention = number(.retention, ReviewRules.retentionRange) ?? rules.retention
    rules.learningSteps = values[.learningSteps].flatMap(ReviewSteps.steps) ?? rules.learningSteps
    rules.relearningSteps = values[.relearningSteps].flatMap(ReviewSteps.steps) ?? rules.relearningSteps
    rules.maximumInterval = number(.maximumInterval, ReviewRules.intervalRange) ?? rules.maximumInterval
    rules.leechLapses = number(.leechLapses, ReviewRules.countRange) ?? rules.leechLapses
    return (rules, values[.weights].flatMap(MemoryModel.init(storedText:)) ?? .standard)
  }

  /// Returns the hour at which a day begins.
  func dayStart() throws -> Int {
    try learner.flatMap { try snapshot.setting(ReviewSettingName.dayStart.rawValue, of: $0) }.flatMap { Int($0) }
      .flatMap { ReviewDay.hourRange.contains($0) ? $0 : nil } ?? ReviewDay.startHour
  }
}

extension LearnerReviews {
  /// Returns the review settings of a course, or those of all courses.
  ///
  /// - Parameter name: The course. `nil` or the root for all courses.
  /// - Throws: ``NavigationError/notACourse(place:course:)``, ``NavigationError/unknownPlace(name:nearest:)``.
  public func settings(of name: PlaceName? = nil) throws(NavigationError) -> ReviewSettings {
    try session.readLatest { snapshot in
      let course = try courseKey(name, in: snapshot)
      return try ReviewSettingsReader(snapshot: snapshot, learner: snapshot.learner(named: session.learner)?.id)
        .settings(of: course)
    }
  }

  /// Returns the maximum number of new cards on a day in the course of a place: the limit of the course or that of all
  /// courses, whichever is lower.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func newCardLimit(of place: NamedPlace) throws(NavigationError) -> Int {
    let course = place.path.slugs.first.map { PlaceName.path(PlacePath($0)) }
    return min(try settings().newCards, try settings(of: course).newCards)
  }

  /// Changes review settings.
  ///
  /// - Parameters:
  ///   - change: The settings to change.
  ///   - name: The course. `nil` or the root for all courses. ``ReviewSettings/hasFourAnswers``,
  ///     ``ReviewSettings/newIgnoreLimit`` and ``ReviewSettings/dayStart`` always belong to all courses.
  /// - Returns: The settings after the change.
  /// - Throws: ``NavigationError/reviewSetting(name:value:range:)`` if a value is outside its range,
  ///   ``NavigationError/notACourse(place:course:)``, ``NavigationError/unknownPlace(name:nearest:)``.
  @discardableResult
  public func set(_ change: ReviewSettingsChange, of name: PlaceName? = nil) throws(NavigationError)
    -> ReviewSettings
  {
    if let retention = change.retention, !ReviewRules.retentionRange.contains(retention) {
      throw .reviewSetting(name: "retention", value: "\(retention)", range: "0.7 to 0.99")
    }
    for (name, count, range) in [
      ("new cards a day", change.newCards, ReviewRules.countRange),
      ("reviews a day", change.reviews, ReviewRules.countRange),
      ("maximum interval", change.maximumInterval, ReviewRules.intervalRange),
      ("lapses of a leech", change.leechLapses, ReviewRules.countRange),
      ("start of the day", change.dayStart, ReviewDay.hourRange),
    ] {
      if let count, !range.contains(count) {
        throw .reviewSetting(name: name, value: "\(count)", range: "\(range.lowerBound) to \(range.upperBound)")
      }
    }
    for (name, steps) in [("learning steps", change.learningSteps), ("relearning steps", change.relearningSteps)] {
      if let steps, ReviewSteps.steps(ReviewSteps.text(steps)) != steps {
        throw .reviewSetting(
          name: name, value: ReviewSteps.text(steps), range: "one second to 365 days for each of at most 20 steps")
      }
    }
    let model = change.weights.flatMap(MemoryModel.init(converting:))
    if let weights = change.weights, model == nil || weights.count == 21 && model?.weights != weights {
      throw .reviewSetting(
        name: "weights", value: weights.map { "\($0)" }.joined(separator: " "),
        range: "the 21 weights of FSRS-6, or the 19 or 17 of an earlier version, each in its range")
    }
    let values: [ReviewSettingName: String?] = [
      .retention: change.retention.map { "\($0)" }, .newCards: change.newCards.map { "\($0)" },
      .reviews: change.reviews.map { "\($0)" }, .fourAnswers: change.hasFourAnswers.map { "\($0)" },
      .newIgnoreLimit: change.newIgnoreLimit.map { "\($0)" }, .waitingSiblings: change.waitingSiblings?.rawValue,
      .learningSteps: change.learningSteps.map(ReviewSteps.text),
      .relearningSteps: change.relearningSteps.map(ReviewSteps.text),
      .maximumInterval: change.maximumInterval.map { "\($0)" }, .leechLapses: change.leechLapses.map { "\($0)" },
      .suspendsLeeches: change.suspendsLeeches.map { "\($0)" },
      .dayStart: change.dayStart.map { "\($0)" }, .weights: model?.storedText,
    ]
    return try store(name) { _ in values.filter { $0.value != nil } }
  }

  /// Removes the settings of a course, so that those of all courses apply, or those of all courses, so that the defaults
  /// apply.
  ///
  /// - Parameter name: The course. `nil` or the root for all courses.
  /// - Returns: The settings after the change.
  /// - Throws: ``NavigationError/notACourse(place:course:)``, ``NavigationError/unknownPlace(name:nearest:)``.
  @discardableResult
  public func reset(of name: PlaceName? = nil) throws(NavigationError) -> ReviewSettings {
    try store(name) { own in own.filter { $0.key != .preset }.mapValues { _ in nil } }
  }

  /// Returns the settings that a course has of its own, as they are stored, by the key of the course.
  package func ownSettings() throws(NavigationError) -> [(course: NamedPlace, settings: ReviewPreset)] {
    try session.readLatest { snapshot in
      guard let learner = try snapshot.learner(named: session.learner)?.id else { return [] }
      return try snapshot.children(of: .root).map { course in
        (NamedPlace([course]), try own(of: course.key, learner, snapshot).filter { $0.key != .preset })
      }.filter { !$0.1.isEmpty }
    }
  }

  /// Stores the settings of the preset of an imported course. A setting that is unchanged since the last import is not
  /// stored again, because the learner may have changed or reset it.
  package func use(_ preset: ReviewPreset, of course: PlacePath) throws(NavigationError) {
    func known(_ learner: LearnerID?, _ key: String?, _ snapshot: StoreSnapshot) throws -> String? {
      try learner.flatMap { try snapshot.setting(ReviewSettingName.preset.of(key), of: $0) }
    }
    func line(_ name: ReviewSettingName, _ value: String) -> String { "\(name.rawValue)=\(value)" }
    let text = preset.map(line).sorted().joined(separator: "\n")
    // The course may not be committed yet, so that only the transaction of the import can read it.
    let former = try session.write { transaction in
      let snapshot = transaction.snapshot
      return try known(
        snapshot.learner(named: session.learner)?.id, courseKey(.path(course), in: snapshot), snapshot)
    }
    guard text != former ?? "" else { return }
    let formerLines = Set((former ?? "").split(separator: "\n").map(String.init))
    try store(.path(course)) { own in
      var changes: [ReviewSettingName: String?] = preset.filter { !formerLines.contains(line($0.key, $0.value)) }
      for (name, value) in own where preset[name] == nil && formerLines.contains(line(name, value)) {
        changes[name] = .some(nil)
      }
      changes[.preset] = text
      return changes
    }
  }

  private func own(of course: String?, _ learner: LearnerID, _ snapshot: StoreSnapshot) throws -> ReviewPreset {
    try ReviewSettingName.allCases.reduce(into: [:]) { own, name in
      guard course == nil || name.canBelongToCourse else { return }
      own[name] = try snapshot.setting(name.of(course), of: learner)
    }
  }

  /// Stores settings of a course or of all courses.
  ///
  /// - Parameter changes: Returns the values to store, or `nil` for those to remove, for the stored values.
  @discardableResult
  private func store(
    _ name: PlaceName?, _ changes: (ReviewPreset) -> [ReviewSettingName: String?]
  ) throws(NavigationError) -> ReviewSettings {
    let time = session.now()
    return try session.write { transaction in
      let course = try courseKey(name, in: transaction.snapshot)
      let learner = try session.makeLearner(in: transaction, at: time).id
      let changes = changes(try own(of: course, learner, transaction.snapshot))
      for (name, value) in changes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        try transaction.set(value, forSetting: name.of(course), of: learner, at: time)
      }
      return try ReviewSettingsReader(snapshot: transaction.snapshot, learner: learner).settings(of: course)
    }
  }

  func courseKey(_ name: PlaceName?, in snapshot: StoreSnapshot) throws -> String? {
    guard let name else { return nil }
    let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
    guard chain.count <= 1 else {
      throw NavigationError.notACourse(place: NamedPlace(chain).path, course: NamedPlace([chain[0]]).path)
    }
    return chain.first?.key
  }
}
