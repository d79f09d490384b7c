import Foundation

/// The answers to one card, in order.
package struct AnsweredCard: Hashable, Sendable {
  /// An answer: how well the card was remembered, and on which day.
  package struct Answer: Hashable, Sendable {
    package let rating: CardRating
    package let day: Int

    package init(rating: CardRating, day: Int) {
      self.rating = rating
      self.day = day
    }
  }

  package var answers: [Answer]

  package init(answers: [Answer]) {
    self.answers = answers
  }
}

/// Fits the weights of the memory model to a learner's answers: gradient descent on the log loss of the predicted
/// probability of recall.
///
/// As in fsrs-rs, the first stabilities are fitted first, answers on the same day as the previous one change the memory
/// but are not predicted, and weights far from the defaults are penalised.
///
/// Source: fsrs-rs, `src/training.rs` and `src/pre_training.rs`; Kingma and Ba, "Adam", 2015.
package struct WeightFitting {
  /// The least number of answers.
  package static let minimumAnswers = 400
  /// The maximum number of answers that are used.
  package static let maximumAnswers = 20_000

  /// The typical deviation of each weight between learners.
  ///
  /// Source: fsrs-rs, `PARAMS_STDDEV`.
  private static let deviations = [
    6.43, 9.66, 17.58, 27.85, 0.57, 0.28, 0.6, 0.12, 0.39, 0.18, 0.33, 0.3, 0.09, 0.16, 0.57, 0.25, 1.03, 0.31, 0.32,
    0.14, 0.27,
  ]
  private static let epochs = 8
  private static let batchSize = 512
  private static let learningRate = 0.04

  private let cards: [AnsweredCard]

  /// Uses all answers or, if there are more than ``maximumAnswers``, the answers of a random sample of the cards. The
  /// same cards always result in the same sample.
  package init(_ cards: [AnsweredCard]) {
    guard cards.reduce(0, { $0 + $1.answers.count }) > Self.maximumAnswers else {
      self.cards = cards
      return
    }
    var remaining = Self.maximumAnswers
    self.cards = Self.shuffled(cards).compactMap { card in
      let answers = card.answers.prefix(remaining)
      remaining -= answers.count
      return answers.isEmpty ? nil : AnsweredCard(answers: Array(answers))
    }
  }

  /// The number of answers.
  package var answerCount: Int { cards.reduce(0) { $0 + $1.answers.count } }

  /// The day from which the last fifth of the predicted answers was given.
  package var testDay: Int {
    var days: [Int] = []
    for card in cards {
      for (previous, answer) in zip(card.answers, card.answers.dropFirst()) where answer.day > previous.day {
        days.append(answer.day)
      }
    }
    days.sort()
    return days.isEmpty ? .max : days[min(days.count - 1, days.count * 4 / 5)]
  }

  /// Returns the mean log loss of the predictions of a model.
  ///
  /// - Parameter days: The days whose answers are predicted. Earlier answers still change the memory.
  /// - Returns: The loss, or `nil` if no answer is predicted.
  package func loss(_ model: MemoryModel, on days: PartialRangeFrom<Int> = Int.min...) -> Double? {
    var sum = 0.0
    var count = 0
    for card in cards {
      var memory: CardMemory?
      var last: Int?
      for answer in card.answers {
        let elapsed = last.map { max(0, answer.day - $0) } ?? 0
        if elapsed > 0, days.contains(answer.day), let memory {
          let recall = model.retrievability(stability: memory.stability, days: Double(elapsed))
          sum -= log(max(1e-9, answer.rating == .again ? 1 - recall : recall))
          count += 1
        }
        memory = model.memory(after: answer.rating, from: memory, days: elapsed)
        last = answer.day
      }
    }
    return count == 0 ? nil : sum / Double(count)
  }

  /// Returns the fitted model.
  ///
  /// - Parameters:
  ///   - day: Only answers before this day are used.
  ///   - check: Called every few milliseconds. Throws an error to end the fit.
  package func fit(before day: Int = .max, checking check: () throws -> Void = {}) rethrows -> MemoryModel {
    let training = WeightFitting(
      cards.compactMap { card in
        let answers = card.answers.filter { $0.day < day }
        return answers.count > 1 ? AnsweredCard(answers: answers) : nil
      })
    return try training.descend(from: training.firstStabilities(), check)
  }

  // MARK: - First stabilities

  /// Returns the default weights with the first stabilities that predict the second answers best.
  private func firstStabilities() -> [Double] {
    var weights = MemoryModel.defaultWeights
    var observations: [CardRating: [(days: Double, isRecalled: Bool)]] = [:]
    for card in cards where card.answers.count > 1 && card.answers[1].day > card.answers[0].day {
      observations[card.answers[0].rating, default: []].append(
        (Double(card.answers[1].day - card.answers[0].day), card.answers[1].rating != .again))
    }
    for (rating, observed) in observations where observed.count >= 8 {
      let index = rating.rawValue - 1
      let initial = weights[index]
      func cost(_ logarithm: Double) -> Double {
        let stability = exp(logarithm)
        let loss = observed.reduce(0.0) { sum, observation in
          let recall = MemoryModel.standard.retrievability(stability: stability, days: observation.days)
          return sum - log(max(1e-9, observation.isRecalled ? recall : 1 - recall))
        }
        return loss + abs(stability - initial) / 16
      }
      // The loss has a single minimum. Golden-section search on the logarithm.
      var (low, high) = (log(0.001), log(100.0))
      let ratio = (5.0.squareRoot() - 1) / 2
      for _ in 0..<40 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
        if cost(left) < cost(right) { high = right } else { low = left }
      }
      weights[index] = exp((low + high) / 2)
    }
    // A better first answer never has a lower first stability.
    for index in 1..<4 { weights[index] = max(weights[index], weights[index - 1]) }
    return weights
  }

  // MARK: - Descent

  private func descend(from initial: [Double], _ check: () throws -> Void) rethrows -> MemoryModel {
    func model(_ weights: [Double]) -> MemoryModel { MemoryModel(weights: Self.clamped(weights)) ?? .standard }
    guard let initialLoss = loss(model(initial)) else { return .standard }
    var best = (weights: initial, loss: initialLoss)
    if let standard = loss(.standard), standard < best.loss { best = (MemoryModel.defaultWeights, standard) }

    var weights = initial
    var (first, second) = ([Double](repeating: 0, count: 21), [Double](repeating: 0, count: 21))
    let batches = Self.batches(of: cards)
    let steps = Self.epochs * batches.count
    let total = Double(max(1, answerCount))
    var step = 0
    for _ in 0..<Self.epochs {
      for batch in batches {
        try check()
        step += 1
        var (gradient, count) = Self.gradient(weights, batch)
        for index in gradient.indices {
          // The penalty of a whole epoch is one, divided among the batches.
          let deviation = Self.deviations[index]
          gradient[index] =
            gradient[index] / max(1, count)
            + 2 * (weights[index] - initial[index]) / (deviation * deviation) / total
        }
        let rate = Self.learningRate * 0.5 * (1 + cos(.pi * Double(step - 1) / Double(steps)))
        for index in weights.indices {
          first[index] = 0.9 * first[index] + 0.1 * gradient[index]
          second[index] = 0.999 * second[index] + 0.001 * gradient[index] * gradient[index]
          let mean = first[index] / (1 - pow(0.9, Double(step)))
          let deviation = (second[index] / (1 - pow(0.999, Double(step)))).squareRoot()
          weights[index] -= rate * mean / (deviation + 1e-8)
        }
        weights = Self.clamped(weights)
      }
      if let loss = loss(model(weights)), loss < best.loss { best = (weights, loss) }
    }
    return model(best.weights)
  }

  private static func clamped(_ weights: [Double]) -> [Double] {
    zip(weights, MemoryModel.weightRanges).map { min($1.upperBound, max($1.lowerBound, $0)) }
  }

  /// Returns the cards in a random order, which is the same each time.
  private static func shuffled(_ cards: [AnsweredCard]) -> [AnsweredCard] {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    return cards.map { (card: $0, number: next()) }.sorted { $0.number < $1.number }.map(\.card)
  }

  /// Divides the cards into batches of about ``batchSize`` answers, in an order that does not depend on their keys.
  private static func batches(of cards: [AnsweredCard]) -> [[AnsweredCard]] {
    var batches: [[AnsweredCard]] = []
    var count = batchSize
    for card in shuffled(cards) {
      if count >= batchSize {
        batches.append([])
        count = 0
      }
      batches[batches.count - 1].append(card)
      count += card.answers.count
    }
    return batches
  }

  /// Returns the sum of the gradients of the log loss, and the number of predicted answers.
  private static func gradient(_ weights: [Double], _ cards: [AnsweredCard]) -> ([Double], Double) {
    let model = DifferentiableModel(weights)
    var sum = SIMD32<Double>.zero
    var count = 0.0
    for card in cards {
      var stability = Dual(0)
      var difficulty = Dual(0)
      var last: Int?
      for answer in card.answers {
        guard let before = last else {
          (stability, difficulty) = model.first(answer.rating)
          last = answer.day
          continue
        }
        let days = max(0, answer.day - before)
        if days > 0 {
          let recall = model.retrievability(stability, Double(days))
          let probability = min(1 - 1e-9, max(1e-9, recall.value))
          let derivative = answer.rating == .again ? 1 / (1 - probability) : -1 / probability
          sum += recall.derivatives * derivative
          count += 1
          let next =
            answer.rating == .again
            ? model.forgotten(stability, difficulty, recall)
            : model.remembered(stability, difficulty, recall, answer.rating)
          difficulty = model.difficulty(difficulty, answer.rating)
          stability = next.clamped(0.001, 36_500)
        } else {
          let next = model.sameDay(stability, answer.rating)
          difficulty = model.difficulty(difficulty, answer.rating)
          stability = next.clamped(0.001, 36_500)
        }
        last = answer.day
      }
    }
    return ((0..<21).map { sum[$0] }, count)
  }
}

/// A number with its derivatives with respect to the 21 weights.
private struct Dual {
  var value: Double
  var derivatives: SIMD32<Double>

  init(_ value: Double, _ derivatives: SIMD32<Double> = .zero) {
    self.value = value
    self.derivatives = derivatives
  }

  static func weight(_ index: Int, _ value: Double) -> Dual {
    var derivatives = SIMD32<Double>.zero
    derivatives[index] = 1
    return Dual(value, derivatives)
  }

  static func + (left: Dual, right: Dual) -> Dual {
    Dual(left.value + right.value, left.derivatives + right.derivatives)
  }
  static func - (left: Dual, right: Dual) -> Dual {
    Dual(left.value - right.value, left.derivatives - right.derivatives)
  }
  static func * (left: Dual, right: Dual) -> Dual {
    Dual(left.value * right.value, left.derivatives * right.value + right.derivatives * left.value)
  }
  static func + (left: Dual, right: Double) -> Dual { Dual(left.value + right, left.derivatives) }
  static func * (left: Dual, right: Double) -> Dual { Dual(left.value * right, left.derivatives * right) }

  var exponential: Dual {
    let value = exp(self.value)
    return Dual(value, derivatives * value)
  }
  var logarithm: Dual { Dual(log(value), derivatives * (1 / value)) }
  var inverse: Dual { Dual(1 / value, derivatives * (-1 / (value * value))) }
  /// The power of a positive number.
  func power(_ exponent: Dual) -> Dual { (logarithm * exponent).exponential }

  func clamped(_ low: Double, _ high: Double) -> Dual {
    value < low ? Dual(low) : value > high ? Dual(high) : self
  }
}

/// The formulas of ``MemoryModel`` with derivatives.
private struct DifferentiableModel {
  private let w: [Dual]
  private let exponent: Dual
  private let factor: Dual
  private let easyDifficulty: Dual

  init(_ weights: [Double]) {
    w = weights.enumerated().map { Dual.weight($0.offset, $0.element) }
    exponent = w[20] * -1
    factor = (exponent.inverse * log(0.9)).exponential + -1
    easyDifficulty = w[4] - (w[5] * 3).exponential + 1
  }

  func retrievability(_ stability: Dual, _ days: Double) -> Dual {
    (factor * stability.inverse * days + 1).power(exponent)
  }

  func first(_ rating: CardRating) -> (Dual, Dual) {
    let difficulty = w[4] - (w[5] * Double(rating.rawValue - 1)).exponential + 1
    return (w[rating.rawValue - 1], difficulty.clamped(1, 10))
  }

  func remembered(_ stability: Dual, _ difficulty: Dual, _ recall: Dual, _ rating: CardRating) -> Dual {
    var growth = w[8].exponential * (difficulty * -1 + 11) * stability.power(w[9] * -1)
    growth = growth * ((w[10] * (recall * -1 + 1)).exponential + -1)
    if rating == .hard { growth = growth * w[15] }
    if rating == .easy { growth = growth * w[16] }
    return stability * (growth + 1)
  }

  func forgotten(_ stability: Dual, _ difficulty: Dual, _ recall: Dual) -> Dual {
    let relearned =
      w[11] * difficulty.power(w[12] * -1) * ((stability + 1).power(w[13]) + -1)
      * (w[14] * (recall * -1 + 1)).exponential
    let limit = stability * (w[17] * w[18] * -1).exponential
    return relearned.value < limit.value ? relearned : limit
  }

  func sameDay(_ stability: Dual, _ rating: CardRating) -> Dual {
    let growth = (w[17] * (w[18] + Double(rating.rawValue - 3))).exponential * stability.power(w[19] * -1)
    return rating != .again && growth.value < 1 ? stability : stability * growth
  }

  func difficulty(_ difficulty: Dual, _ rating: CardRating) -> Dual {
    let change = w[6] * -Double(rating.rawValue - 3)
    let damped = difficulty + change * (difficulty * -1 + 10) * (1 / 9)
    return (w[7] * easyDifficulty + (w[7] * -1 + 1) * damped).clamped(1, 10)
  }
}
