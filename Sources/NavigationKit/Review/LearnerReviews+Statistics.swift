public import LearningModel
import LearningStore

/// An answer in the log of reviews.
public struct ReviewLogRow: Hashable, Encodable, Sendable {
  /// The activity that contains the card.
  public let place: NamedPlace
  /// The key of the card.
  public let card: String
  /// The time of the answer.
  public let at: Timestamp
  /// How well the learner remembered the card.
  public let rating: CardRating
  /// The time until the card was to be shown again, in seconds.
  public let intervalSeconds: Int
  /// The time that the answer took, in milliseconds.
  public let milliseconds: Int
  /// Whether the answer was undone.
  public let isUndone: Bool

  private enum Key: String, CodingKey { case card, at, rating, intervalSeconds, durationMs, undone }

  /// Encodes `path`, `kind` and `title`, followed by the answer.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(card, forKey: .card)
    try container.encode(at, forKey: .at)
    try container.encode(rating.name, forKey: .rating)
    try container.encode(intervalSeconds, forKey: .intervalSeconds)
    try container.encode(milliseconds, forKey: .durationMs)
    try container.encode(isUndone, forKey: .undone)
  }
}

extension LearnerReviews {
  /// Returns the number of cards of each of the next days, beginning with today: those that become due, and the new ones
  /// that the daily limits add if the learner answers all cards of each day. The number of today is that of
  /// ``overview(of:)`` with the cards in steps.
  ///
  /// - Parameters:
  ///   - days: The number of days, 1…3,650.
  ///   - name: A place, to count its cards only. `nil` or the root for all courses.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func forecast(days: Int = 14, in name: PlaceName? = nil) throws(NavigationError) -> [ForecastDay] {
    try session.readMemories { try forecast(days: days, in: session.reviewScope($0, name)) }
  }

  func forecast(days: Int, in scope: ReviewScope) throws -> [ForecastDay] {
    let period = scope.today...(scope.today + min(3_650, max(1, days)) - 1)
    var due =
      try scope.learner.map {
        try scope.snapshot.dueDays(of: $0, in: scope.cards, days: period, among: scope.tagged)
      } ?? [:]
    let overview = try overview(in: scope)
    let new = try newCards(of: overview, on: period, besides: due, in: scope)
    due[scope.today] = overview.total.today - overview.total.new + overview.total.later
    return period.map { day in
      let new = new[day] ?? 0
      return ForecastDay(date: ReviewDay.date(of: day), cards: (due[day] ?? 0) + new, new: new)
    }
  }

  /// Returns the numbers of new cards that the daily limits permit on each day.
  private func newCards(
    of overview: ReviewOverview, on days: ClosedRange<Int>, besides due: [Int: Int], in scope: ReviewScope
  ) throws -> [Int: Int] {
    var permitted = overview.total.new
    var courses: [(left: Int, limit: Int)] = try (scope.chain.isEmpty ? overview.courses : [overview.total]).map {
      row in
      let today = min(row.new, permitted)
      permitted -= today
      let key = try (scope.chain.first?.id ?? row.place.place.node).flatMap(scope.key(of:))
      let reader = ReviewSettingsReader(snapshot: scope.snapshot, learner: scope.learner)
      return (row.notMet - today, try key.flatMap { try reader.ownLimits(of: $0).newCards } ?? .max)
    }
    var counts = [scope.today: overview.total.new]
    for day in days.dropFirst() where courses.contains(where: { $0.left > 0 }) {
      let reviews = scope.settings.newIgnoreLimit ? .max : max(0, scope.settings.reviews - (due[day] ?? 0))
      permitted = min(scope.settings.newCards, reviews)
      for index in courses.indices {
        let added = min(courses[index].left, courses[index].limit, permitted)
        courses[index].left -= added
        permitted -= added
        counts[day, default: 0] += added
      }
    }
    return counts
  }

  /// Returns the answers of each of the last days, the oldest first. The last day is today. A day without answers is
  /// included with zeros.
  ///
  /// - Parameters:
  ///   - days: The number of days, 1…36,500. The heat map of a year has 365 days.
  ///   - name: A course, to count its answers only. For a place in a course, the answers of the whole course are
  ///     counted. `nil` or the root for all courses.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func days(last days: Int = 365, in name: PlaceName? = nil) throws(NavigationError) -> [ReviewDaySummary] {
    let count = min(36_500, max(1, days))
    return try session.readMemories { snapshot in
      let (period, counts) = try counts(count, name, in: snapshot)
      return period.map { ReviewDaySummary(day: $0, counts[$0] ?? ReviewCounts()) }
    }
  }

  /// Returns the share of remembered cards in each of the last months, the oldest first. Only answers to cards that
  /// were due after days are counted.
  ///
  /// - Parameters:
  ///   - months: The number of months, 1…1,200, including the current one.
  ///   - name: As in ``days(last:in:)``.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func retentionByMonth(last months: Int = 12, in name: PlaceName? = nil) throws(NavigationError)
    -> [MonthRetention]
  {
    let count = min(1_200, max(1, months))
    return try session.readMemories { snapshot in
      let (period, counts) = try counts(count * 31, name, in: snapshot)
      var sums: [String: ReviewCounts] = [:]
      var names: [String] = []
      for day in period {
        let month = ReviewDay.month(of: day)
        if names.last != month { names.append(month) }
        if let counts = counts[day] { sums[month] = (sums[month] ?? ReviewCounts()) + counts }
      }
      return names.suffix(count).map { month in
        let sum = sums[month] ?? ReviewCounts()
        return MonthRetention(
          month: month, reviews: sum.reviews,
          retention: sum.reviews == 0 ? nil : Double(sum.passed) / Double(sum.reviews))
      }
    }
  }

  private func counts(_ days: Int, _ name: PlaceName?, in snapshot: StoreSnapshot) throws
    -> (ClosedRange<Int>, [Int: ReviewCounts])
  {
    let learner = try snapshot.learner(named: session.learner)?.id
    let today = try session.reviewDay(of: learner, in: snapshot)
    let chain = try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) } ?? []
    let period = (today - days + 1)...today
    guard let learner else { return (period, [:]) }
    let stored = try snapshot.reviewDays(of: learner, in: chain.first?.id, days: period)
    return (period, Dictionary(uniqueKeysWithValues: stored.map { ($0.day, $0.counts) }))
  }

  /// Returns the answers, the newest first. Answers that were undone are included.
  ///
  /// - Parameters:
  ///   - name: A place, to return the answers to its cards only. `nil` or the root for all.
  ///   - limit: The maximum number of answers; `nil` for all.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func log(in name: PlaceName? = nil, limit: Int? = nil) throws(NavigationError) -> [ReviewLogRow] {
    try session.read { snapshot in
      guard let learner = try snapshot.learner(named: session.learner) else { return [] }
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil).last }
      let nodes = try node.map { Set(try snapshot.subtree(from: .node($0.id)).map(\.node.id)) }
      let names = PlaceNames(snapshot)
      return try snapshot.answers(of: learner.id, in: nodes, limit: limit).map { answer in
        ReviewLogRow(
          place: try names.name(of: .node(answer.card.node)), card: answer.card.key, at: answer.at,
          rating: answer.detail.rating.flatMap(CardRating.init) ?? .good,
          intervalSeconds: answer.detail.days.map { $0 * 86_400 } ?? answer.detail.seconds ?? 0,
          milliseconds: answer.detail.ms ?? 0, isUndone: answer.isUndone)
      }
    }
  }
}

/// The answers of a day or a month.
public struct ReviewPeriod: Hashable, Encodable, Sendable {
  /// The length of a period.
  public enum Unit: String, CaseIterable, Sendable {
    case day, month
  }

  /// The date or the month: `2026-11-28` or `2026-11`.
  public let period: String
  /// The number of answers.
  public let answers: Int
  /// The number of cards that were answered for the first time.
  public let new: Int
  /// The number of answers to cards that were due after days.
  public let reviews: Int
  /// The share of ``reviews`` in which the learner remembered the card, 0…1. `nil` without reviews.
  public let retention: Double?
  /// The time that the answers took, in milliseconds.
  public let milliseconds: Int

  private enum Key: String, CodingKey { case period, answers, new, reviews, retention, durationMs }

  /// Encodes all values, with `null` for a missing share.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(period, forKey: .period)
    try container.encode(answers, forKey: .answers)
    try container.encode(new, forKey: .new)
    try container.encode(reviews, forKey: .reviews)
    try container.encode(retention, forKey: .retention)
    try container.encode(milliseconds, forKey: .durationMs)
  }
}

extension LearnerReviews {
  /// Returns the days or months with answers in the last 365 days, the newest first.
  ///
  /// - Parameters:
  ///   - unit: The length of a period.
  ///   - name: As in ``days(last:in:)``.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  public func periods(by unit: ReviewPeriod.Unit = .month, in name: PlaceName? = nil) throws(NavigationError)
    -> [ReviewPeriod]
  {
    try session.readMemories { snapshot in
      let (days, counts) = try counts(365, name, in: snapshot)
      var periods: [(name: String, sum: ReviewCounts)] = []
      for day in days.reversed() {
        guard let counts = counts[day] else { continue }
        let name = unit == .day ? ReviewDay.date(of: day) : ReviewDay.month(of: day)
        if periods.last?.name == name {
          periods[periods.count - 1].sum = periods[periods.count - 1].sum + counts
        } else {
          periods.append((name, counts))
        }
      }
      return periods.map { period in
        let sum = period.sum
        return ReviewPeriod(
          period: period.name, answers: sum.answers, new: sum.new, reviews: sum.reviews,
          retention: sum.reviews == 0 ? nil : Double(sum.passed) / Double(sum.reviews),
          milliseconds: sum.milliseconds)
      }
    }
  }
}
