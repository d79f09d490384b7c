import LearningModel
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

  /// Which siblings of an answered card wait until tomorrow: the cards of the same flashcard, or of the same note of Anki.
  public enum WaitingSiblings: String, CaseIterable, Codable, Sendable {
    case none, new, all
  }

  /// The settings of a learner who has not changed any.
  public static let standard = ReviewSettings(
    retention: 0.9, newCards: 20, reviews: 200, hasFourAnswers: false, newIgnoreLimit: false, waitingSiblings: .new)
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

  /// Creates a change.
  public init(
    retention: Double? = nil, newCards: Int? = nil, reviews: Int? = nil, hasFourAnswers: Bool? = nil,
    newIgnoreLimit: Bool? = nil, waitingSiblings: ReviewSettings.WaitingSiblings? = nil
  ) {
    (self.retention, self.newCards, self.reviews) = (retention, newCards, reviews)
    (self.hasFourAnswers, self.newIgnoreLimit, self.waitingSiblings) = (hasFourAnswers, newIgnoreLimit, waitingSiblings)
  }
}

/// The names of the settings. They are stored with the other settings of the learner: the later of two changes on
/// different machines wins.
private enum SettingName: String {
  case retention = "review.retention"
  case newCards = "review.new"
  case reviews = "review.reviews"
  case fourAnswers = "review.four-answers"
  case newIgnoreLimit = "review.new-ignore-limit"
  case waitingSiblings = "review.waiting-siblings"

  /// The name of the setting of a course.
  func of(_ course: String?) -> String { course.map { "\(rawValue)@\($0)" } ?? rawValue }
}

/// Reads review settings in a snapshot.
struct ReviewSettingsReader {
  let snapshot: StoreSnapshot
  let learner: LearnerID?

  private func value(_ name: SettingName, of course: String?) throws -> String? {
    try learner.flatMap { try snapshot.setting(name.of(course), of: $0) }
  }

  /// Returns a limit of a course of its own, or `nil` if the course has none.
  func ownLimits(of course: String) throws -> (newCards: Int?, reviews: Int?) {
    (try value(.newCards, of: course).flatMap { Int($0) }, try value(.reviews, of: course).flatMap { Int($0) })
  }

  /// Returns the settings of a course, by its key. A setting that the course does not have is that of all courses.
  func settings(of course: String?) throws -> ReviewSettings {
    var settings = ReviewSettings.standard
    settings.retention = try scheduling(of: course).retention
    if let count = try find(.newCards, of: course).flatMap({ Int($0) }), count >= 0 { settings.newCards = count }
    if let count = try find(.reviews, of: course).flatMap({ Int($0) }), count >= 0 { settings.reviews = count }
    settings.hasFourAnswers = try value(.fourAnswers, of: nil) == "true"
    settings.newIgnoreLimit = try value(.newIgnoreLimit, of: nil) == "true"
    settings.waitingSiblings =
      try value(.waitingSiblings, of: nil).flatMap(ReviewSettings.WaitingSiblings.init) ?? settings.waitingSiblings
    return settings
  }

  /// Returns the probability of recall at which a card of a course becomes due, and the memory model.
  func scheduling(of course: String?) throws -> (retention: Double, model: MemoryModel) {
    guard let learner else { return (ReviewSettings.standard.retention, .standard) }
    let (all, own) = (SettingName.retention.rawValue, SettingName.retention.of(course))
    let (values, model) = try snapshot.settings(all, own, of: learner)
    guard let retention = (values[own] ?? values[all]).flatMap({ Double($0) }),
      ReviewRules.retentionRange.contains(retention)
    else { return (ReviewSettings.standard.retention, model) }
    return (retention, model)
  }

  private func find(_ name: SettingName, of course: String?) throws -> String? {
    if let course, let own = try value(name, of: course) { return own }
    return try value(name, of: nil)
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
        .settings(
          of: course)
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
  ///   - name: The course. `nil` or the root for all courses. Only ``ReviewSettings/retention`` and the two limits can belong to a
  ///     course.
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
    for (name, count) in [("new cards a day", change.newCards), ("reviews a day", change.reviews)] {
      if let count, !(0...9_999).contains(count) {
        throw .reviewSetting(name: name, value: "\(count)", range: "0 to 9999")
      }
    }
    let time = session.now()
    return try session.write { transaction in
      let course = try courseKey(name, in: transaction.snapshot)
      let storedLearner = try session.makeLearner(in: transaction, at: time)
      func set(_ value: String?, _ name: SettingName, _ course: String?) throws {
        guard let value else { return }
        try transaction.set(value, forSetting: name.of(course), of: storedLearner.id, at: time)
      }
      try set(change.retention.map { "\($0)" }, .retention, course)
      try set(change.newCards.map { "\($0)" }, .newCards, course)
      try set(change.reviews.map { "\($0)" }, .reviews, course)
      try set(change.hasFourAnswers.map { "\($0)" }, .fourAnswers, nil)
      try set(change.newIgnoreLimit.map { "\($0)" }, .newIgnoreLimit, nil)
      try set(change.waitingSiblings?.rawValue, .waitingSiblings, nil)
      return try ReviewSettingsReader(snapshot: transaction.snapshot, learner: storedLearner.id).settings(of: course)
    }
  }

  private func courseKey(_ name: PlaceName?, in snapshot: StoreSnapshot) throws -> String? {
    guard let name else { return nil }
    let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
    guard chain.count <= 1 else {
      throw NavigationError.notACourse(place: NamedPlace(chain).path, course: NamedPlace([chain[0]]).path)
    }
    return chain.first?.key
  }
}
