import Foundation
import WholeNumbers

/// The stage of a card between its first answer and long intervals.
public enum CardPhase: String, Codable, CaseIterable, Hashable, Sendable {
  /// The card has not been answered.
  case new
  /// The card is in its learning steps.
  case learning
  /// The card is repeated after days.
  case review
  /// The card was forgotten and is in its relearning steps.
  case relearning
}

/// The time from an answer to the next one.
public enum CardInterval: Hashable, Sendable {
  /// A step on the same day, in seconds.
  case seconds(Int)
  /// A number of days, at least 1.
  case days(Int)

  /// The interval in seconds. A day has 86,400 seconds.
  public var seconds: Int {
    switch self {
    case .seconds(let seconds): seconds
    case .days(let days): days * 86_400
    }
  }
}

/// The state of a card after its last answer.
public struct CardState: Hashable, Sendable {
  /// The stage of the card.
  public var phase: CardPhase
  /// The index of the current learning or relearning step, from 0. 0 in other phases.
  public var step: Int
  /// The memory, or `nil` before the first answer.
  public var memory: CardMemory?
  /// The last interval in whole days, or 0 if the last interval was a step.
  public var intervalDays: Int
  /// The number of answers so far.
  public var answers: Int
  /// How often the card was forgotten in the phase ``CardPhase/review``.
  public var lapses: Int

  /// The state of a card without answers.
  public static let new = CardState(phase: .new, step: 0, memory: nil, intervalDays: 0, answers: 0, lapses: 0)

  /// Creates a state.
  public init(phase: CardPhase, step: Int, memory: CardMemory?, intervalDays: Int, answers: Int, lapses: Int) {
    self.phase = phase
    self.step = step
    self.memory = memory
    self.intervalDays = intervalDays
    self.answers = answers
    self.lapses = lapses
  }
}

/// The result of an answer: the state after it, and the time to the next answer.
public struct CardOutcome: Hashable, Sendable {
  /// The state after the answer.
  public var state: CardState
  /// The time to the next answer.
  public var interval: CardInterval
}

/// The rules that determine the intervals.
public struct ReviewRules: Hashable, Sendable {
  /// The probability of recall at which a card becomes due, 0.7…0.99.
  public var retention: Double = 0.9
  /// The steps of a new card, in seconds.
  public var learningSteps: [Int] = [60, 600]
  /// The steps of a forgotten card, in seconds.
  public var relearningSteps: [Int] = [600]
  /// The longest interval, in days.
  public var maximumInterval = 36_500
  /// How often a card must be forgotten to be a leech, or 0 if no card becomes one.
  public var leechLapses = 8
  /// Whether intervals vary a little, so that cards that were learned together do not stay together.
  public var isFuzzed = true
  /// Whether better answers get longer intervals even if rounding makes them equal: *easy* is at least *good* + 1 day, and
  /// after the steps *good* at least *hard* + 1 day, an interval that grows at least the previous one + 1 day, and an interval
  /// that may be as long as the previous one is not shorter. Without steps, intervals of less than half a day are seconds.
  public var separatesAnswers = true

  /// The default rules.
  public init() {}

  /// The permitted values of ``retention``.
  public static let retentionRange = 0.7...0.99
  /// The range of the cards and reviews of a day, and of the lapses of a leech.
  package static let countRange = 0...9_999
  /// The range of the longest interval, in days.
  package static let intervalRange = 1...36_500

  /// Returns whether a card in a state is a leech: it was forgotten ``leechLapses`` times or more.
  public func isLeech(_ state: CardState) -> Bool { leechLapses > 0 && state.lapses >= leechLapses }

  /// Returns whether a card becomes a leech with its number of lapses, or should be pointed out as one again: at
  /// ``leechLapses``, then after half as many further lapses, rounded up.
  public func isLeechAgain(_ state: CardState) -> Bool {
    isLeech(state) && (state.lapses - leechLapses) % ((leechLapses + 1) / 2) == 0
  }
}

/// Computes the next state of a card after an answer. Pure: it reads no clock and stores nothing.
///
/// The rules are those of Anki. Source: Anki, `rslib/src/scheduler/states`.
public struct ReviewScheduler: Hashable, Sendable {
  /// The formulas of the memory, with their weights.
  public let model: MemoryModel
  /// The rules that determine the intervals.
  public let rules: ReviewRules

  /// Creates a scheduler.
  public init(model: MemoryModel = .standard, rules: ReviewRules = ReviewRules()) {
    self.model = model
    self.rules = rules
  }

  /// Returns the outcome of each of the four answers. The outcome of an answer is the one that was previewed.
  ///
  /// - Parameters:
  ///   - state: The state before the answer.
  ///   - days: The number of days since the last answer, as in ``MemoryModel/memory(after:from:days:)``. Ignored for
  ///     the first answer.
  ///   - seed: The seed of the fuzz: see ``fuzzSeed(card:answers:)``.
  public func outcomes(from state: CardState, days: Int, seed: UInt64) -> [CardRating: CardOutcome] {
    var intervals = DayIntervals(scheduler: self, state: state, seed: seed)
    return CardRating.allCases.reduce(into: [:]) { outcomes, rating in
      outcomes[rating] = outcome(of: rating, from: state, days: days, &intervals)
    }
  }

  /// Returns the outcome of one answer.
  public func outcome(of rating: CardRating, from state: CardState, days: Int, seed: UInt64) -> CardOutcome {
    // The interval of an answer can depend on those of the answers below it.
    var intervals = DayIntervals(scheduler: self, state: state, seed: seed)
    var last: CardOutcome?
    for lower in CardRating.allCases where lower.rawValue <= rating.rawValue {
      last = outcome(of: lower, from: state, days: days, &intervals)
    }
    return last!
  }

  private func outcome(
    of rating: CardRating, from state: CardState, days: Int, _ intervals: inout DayIntervals
  ) -> CardOutcome {
    var next = state
    next.memory = model.memory(after: rating, from: state.memory, days: days)
    next.answers += 1
    if state.phase == .review, rating == .again { next.lapses += 1 }

    let isRelearning = state.phase == .relearning || state.phase == .review
    let steps = isRelearning ? rules.relearningSteps : rules.learningSteps
    if let (step, seconds) = Self.step(after: rating, in: state, of: steps) {
      next.phase = isRelearning ? .relearning : .learning
      next.step = step
      let interval = Self.interval(ofStep: seconds)
      next.intervalDays = if case .days(let days) = interval { days } else { 0 }
      intervals.skip(rating, stability: next.memory!.stability)
      return CardOutcome(state: next, interval: interval)
    }
    if steps.isEmpty, rules.separatesAnswers, rating != .easy, state.phase != .review || rating == .again,
      model.describesSameDay,
      case let days = model.interval(stability: next.memory!.stability, retention: rules.retention), days < 0.5
    {
      next.phase = isRelearning ? .relearning : .learning
      next.step = 0
      next.intervalDays = 0
      intervals.skip(rating, stability: next.memory!.stability)
      return CardOutcome(state: next, interval: .seconds(max(1, Int(clamping: days * 86_400))))
    }
    next.phase = .review
    next.step = 0
    next.intervalDays = intervals.days(for: rating, stability: next.memory!.stability)
    return CardOutcome(state: next, interval: .days(next.intervalDays))
  }

  /// Returns the step that follows an answer and its duration in seconds, or `nil` if the card leaves the steps.
  private static func step(after rating: CardRating, in state: CardState, of steps: [Int]) -> (Int, Int)? {
    guard let first = steps.first else { return nil }
    if state.phase == .review { return rating == .again ? (0, first) : nil }
    let step = min(state.step, steps.count)
    switch rating {
    case .again: return (0, first)
    case .hard:
      guard step < steps.count else { return nil }
      if step > 0 { return (step, steps[step]) }
      // Between the first two steps. With a single step, half as long again, but at most one day longer.
      return (0, steps.count > 1 ? (first + steps[1]) / 2 : min(first * 3 / 2, first + 86_400))
    case .good: return step + 1 < steps.count ? (step + 1, steps[step + 1]) : nil
    case .easy: return nil
    }
  }

  /// Steps of one day and more are rounded to days.
  private static func interval(ofStep seconds: Int) -> CardInterval {
    seconds < 86_400 ? .seconds(seconds) : .days((seconds + 43_200) / 86_400)
  }

  /// Returns the seed of the fuzz of a card: equal cards and answer numbers have equal seeds on all machines.
  ///
  /// Source: FNV-1a with 64 bits, and the finaliser of SplitMix64.
  public static func fuzzSeed(card: String, answers: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in card.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash &+= UInt64(truncatingIfNeeded: answers) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}

/// The intervals in days of the answers to one card, from *again* to *easy*.
private struct DayIntervals {
  let scheduler: ReviewScheduler
  /// The interval before the answer, in days. `nil` unless the card is in the phase ``CardPhase/review``.
  let previous: Int?
  /// The fraction of the fuzz, 0 up to but not including 1. `nil` without fuzz.
  let fraction: Double?
  /// The least interval of the next better answer.
  private var least = 1

  init(scheduler: ReviewScheduler, state: CardState, seed: UInt64) {
    self.scheduler = scheduler
    previous = state.phase == .review ? state.intervalDays : nil
    fraction = scheduler.rules.isFuzzed ? Double(seed >> 11) * 0x1p-53 : nil
  }

  private func interval(_ stability: Double) -> Double {
    min(1e6, scheduler.model.interval(stability: stability, retention: scheduler.rules.retention))
  }

  private func fuzzed(_ interval: Double, least: Int) -> Int {
    IntervalFuzz.fuzzed(interval, fraction: fraction, minimum: least, maximum: scheduler.rules.maximumInterval)
  }

  /// Takes an answer after which the card stays in its steps. *Easy* leaves them with a longer interval than *good* would.
  mutating func skip(_ rating: CardRating, stability: Double) {
    if rating == .good, scheduler.rules.separatesAnswers { least = fuzzed(interval(stability), least: 1) + 1 }
  }

  /// The least interval by the previous one: an interval that grows is longer, and one whose range includes the previous one is
  /// not shorter.
  private func least(of interval: Double, after previous: Int) -> Int {
    if interval.rounded(.toNearestOrAwayFromZero) > Double(previous) { return previous + 1 }
    let bounds = IntervalFuzz.bounds(of: interval, maximum: scheduler.rules.maximumInterval)
    return previous <= bounds.upperBound ? previous : 1
  }

  mutating func days(for rating: CardRating, stability: Double) -> Int {
    let interval = interval(stability)
    let rounded = max(1, interval.rounded(.toNearestOrAwayFromZero))
    guard scheduler.rules.separatesAnswers else { return fuzzed(rounded, least: 1) }
    switch (previous, rating) {
    // A forgotten card without relearning steps.
    case (_?, .again): return min(scheduler.rules.maximumInterval, Int(clamping: rounded))
    case (nil, .easy): return fuzzed(rounded, least: least)
    case (nil, _):
      skip(rating, stability: stability)
      return fuzzed(rounded, least: 1)
    case (let previous?, _):
      let days = fuzzed(interval, least: max(least, least(of: interval, after: previous)))
      least = days + 1
      return days
    }
  }
}

/// The range in which an interval varies.
///
/// Source: Anki, `rslib/src/scheduler/states/fuzz.rs`.
public enum IntervalFuzz {
  private static let ranges: [(from: Double, to: Double, share: Double)] = [
    (2.5, 7, 0.15), (7, 20, 0.1), (20, .infinity, 0.05),
  ]

  /// Returns the shortest and the longest interval that may replace an interval, in days.
  ///
  /// - Parameters:
  ///   - interval: The interval in days. Below 2.5 days it does not vary.
  ///   - minimum: The least result.
  ///   - maximum: The greatest result.
  public static func bounds(of interval: Double, minimum: Int = 1, maximum: Int = 36_500) -> ClosedRange<Int> {
    let minimum = min(minimum, maximum)
    let interval = min(Double(maximum), max(Double(minimum), interval))
    var delta = 0.0
    if interval >= 2.5 {
      delta = ranges.reduce(1) { $0 + $1.share * max(0, min(interval, $1.to) - $1.from) }
    }
    let lower = min(maximum, max(minimum, Int(clamping: (interval - delta).rounded(.toNearestOrAwayFromZero))))
    var upper = min(maximum, max(minimum, Int(clamping: (interval + delta).rounded(.toNearestOrAwayFromZero))))
    if upper == lower, upper > 2, upper < maximum { upper = lower + 1 }
    return lower...upper
  }

  /// Returns the interval at a fraction of the range, 0 up to but not including 1. Without a fraction, the interval is rounded.
  static func fuzzed(_ interval: Double, fraction: Double?, minimum: Int, maximum: Int) -> Int {
    let minimum = min(minimum, maximum)
    guard let fraction else {
      return min(maximum, max(minimum, Int(clamping: min(interval, 1e6).rounded(.toNearestOrAwayFromZero))))
    }
    let bounds = bounds(of: interval, minimum: minimum, maximum: maximum)
    return min(bounds.upperBound, bounds.lowerBound + Int(clamping: fraction * Double(bounds.count)))
  }
}
