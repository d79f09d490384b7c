import Foundation

/// How well a learner remembered a card.
public enum CardRating: Int, Codable, CaseIterable, Hashable, Sendable {
  /// The learner did not remember the answer.
  case again = 1
  /// The learner remembered the answer with difficulty.
  case hard
  /// The learner remembered the answer.
  case good
  /// The learner remembered the answer without effort.
  case easy

  /// The name of the rating in commands and in JSON.
  public var name: String {
    switch self {
    case .again: "again"
    case .hard: "hard"
    case .good: "good"
    case .easy: "easy"
    }
  }

  /// Creates a rating from its name or its number, 1…4. Returns `nil` for other texts.
  public init?(name: String) {
    guard let rating = Self.allCases.first(where: { $0.name == name || String($0.rawValue) == name }) else {
      return nil
    }
    self = rating
  }
}

/// The memory of a card in FSRS: how long it lasts, and how hard it is to extend.
public struct CardMemory: Codable, Hashable, Sendable {
  /// The number of days after which the probability of recall has fallen to 90 %, 0.001…36,500.
  public var stability: Double
  /// How hard it is to increase the stability, 1…10.
  public var difficulty: Double

  /// Creates a memory. Values outside their ranges are clamped.
  public init(stability: Double, difficulty: Double) {
    self.stability = min(36_500, max(0.001, stability))
    self.difficulty = min(10, max(1, difficulty))
  }
}

/// The formulas of FSRS-6 with a set of weights.
///
/// Source: fsrs-rs, `src/model.rs`; py-fsrs 6.3, `scheduler.py`.
public struct MemoryModel: Hashable, Sendable {
  /// The version of the algorithm, stored with fitted weights.
  public static let version = 6

  /// The default weights of FSRS-6.
  ///
  /// Source: fsrs-rs, `DEFAULT_PARAMETERS`.
  public static let defaultWeights = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
    0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
  ]

  /// The lowest and highest value of each weight.
  ///
  /// Source: fsrs-rs, `src/parameter_clipper.rs`.
  public static let weightRanges: [ClosedRange<Double>] = [
    0.001...100, 0.001...100, 0.001...100, 0.001...100, 1...10, 0.001...4, 0.001...4, 0.001...0.75, 0...4.5, 0...0.8,
    0.001...3.5, 0.001...5, 0.001...0.25, 0.001...0.9, 0...4, 0...1, 1...6, 0...2, 0...2, 0.01...0.8, 0.1...0.8,
  ]

  /// The model with the default weights.
  public static let standard = MemoryModel(uncheckedWeights: defaultWeights)

  /// The 21 weights, w0…w20.
  public let weights: [Double]
  private let exponent: Double
  private let factor: Double
  private let lowestEasyDifficulty: Double

  /// Creates a model. Returns `nil` unless there are 21 finite weights inside ``weightRanges``.
  public init?(weights: [Double]) {
    guard weights.count == Self.weightRanges.count, zip(weights, Self.weightRanges).allSatisfy({ $1.contains($0) })
    else { return nil }
    self.init(uncheckedWeights: weights)
  }

  private init(uncheckedWeights weights: [Double]) {
    self.weights = weights
    exponent = -weights[20]
    factor = pow(0.9, 1 / exponent) - 1
    lowestEasyDifficulty = weights[4] - exp(weights[5] * 3) + 1
  }

  /// Returns the probability of recall, 0…1.
  ///
  /// - Parameters:
  ///   - stability: The stability in days.
  ///   - days: The number of days since the last answer. Negative numbers count as 0.
  public func retrievability(stability: Double, days: Double) -> Double {
    pow(1 + factor * max(0, days) / stability, exponent)
  }

  /// Returns the number of days after which the probability of recall has fallen to a value, not rounded.
  ///
  /// - Parameters:
  ///   - stability: The stability in days.
  ///   - retention: The probability of recall, greater than 0 and less than 1.
  public func interval(stability: Double, retention: Double) -> Double {
    stability / factor * (pow(retention, 1 / exponent) - 1)
  }

  /// Returns the memory after the first answer to a card.
  public func memory(afterFirst rating: CardRating) -> CardMemory {
    let grade = Double(rating.rawValue)
    return CardMemory(
      stability: weights[rating.rawValue - 1], difficulty: weights[4] - exp(weights[5] * (grade - 1)) + 1)
  }

  /// Returns the memory after an answer.
  ///
  /// - Parameters:
  ///   - memory: The memory before the answer, or `nil` for the first answer.
  ///   - rating: The answer.
  ///   - days: The number of whole days since the last answer. 0 or less is an answer on the same day.
  public func memory(after rating: CardRating, from memory: CardMemory?, days: Int) -> CardMemory {
    guard let memory else { return self.memory(afterFirst: rating) }
    let stability =
      if days < 1 {
        sameDayStability(memory.stability, rating)
      } else {
        stability(after: rating, from: memory, days: Double(days))
      }
    return CardMemory(stability: stability, difficulty: difficulty(after: rating, from: memory.difficulty))
  }

  /// Returns the memory of a card that was scheduled by SM-2.
  ///
  /// Source: fsrs-rs, `memory_state_from_sm2`.
  ///
  /// - Parameters:
  ///   - ease: The factor by which *good* lengthens an interval, such as 2.5.
  ///   - days: The last interval.
  ///   - retention: The share of cards that were remembered until now, greater than 0 and less than 1.
  public func memory(fromEase ease: Double, days: Double, retention: Double = 0.9) -> CardMemory {
    let days = max(0.001, days)
    let stability = days / interval(stability: 1, retention: retention)
    let w = weights
    let growth = exp(w[8]) * pow(stability, -w[9]) * (exp(w[10] * (1 - retention)) - 1)
    return CardMemory(stability: stability, difficulty: 11 - (ease - 1) / growth)
  }

  private func stability(after rating: CardRating, from memory: CardMemory, days: Double) -> Double {
    let w = weights
    let (stability, difficulty) = (memory.stability, memory.difficulty)
    let forgotten = 1 - retrievability(stability: stability, days: days)
    if rating == .again {
      let relearned =
        w[11] * pow(difficulty, -w[12]) * (pow(stability + 1, w[13]) - 1) * exp(w[14] * forgotten)
      return min(relearned, stability / exp(w[17] * w[18]))
    }
    let bonus = rating == .hard ? w[15] : rating == .easy ? w[16] : 1
    return stability
      * (1 + exp(w[8]) * (11 - difficulty) * pow(stability, -w[9]) * (exp(w[10] * forgotten) - 1) * bonus)
  }

  private func sameDayStability(_ stability: Double, _ rating: CardRating) -> Double {
    let w = weights
    let growth = exp(w[17] * (Double(rating.rawValue) - 3 + w[18])) * pow(stability, -w[19])
    return stability * (rating == .again ? growth : max(1, growth))
  }

  private func difficulty(after rating: CardRating, from difficulty: Double) -> Double {
    let change = -weights[6] * (Double(rating.rawValue) - 3)
    let damped = difficulty + change * (10 - difficulty) / 9
    return weights[7] * lowestEasyDifficulty + (1 - weights[7]) * damped
  }
}
