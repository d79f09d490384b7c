import LearningModel
import LearningStore

/// The result of fitting the weights of the memory model to a learner's answers.
public struct ReviewFit: Hashable, Encodable, Sendable {
  /// Whether the new weights are used from now on.
  public let isApplied: Bool
  /// The number of answers in the log.
  public let answers: Int
  /// The mean log loss of all predictions with the previous weights.
  public let lossBefore: Double
  /// The mean log loss of all predictions with the new weights.
  public let lossAfter: Double
  /// The mean log loss of the last fifth of the predictions, which were not used for the fit, with the previous weights.
  public let testLossBefore: Double
  /// The mean log loss of the last fifth with the new weights.
  public let testLossAfter: Double
  /// The new weights, w0…w20.
  public let weights: [Double]

  /// Whether the new weights predict the last fifth better.
  public var isBetter: Bool { testLossAfter < testLossBefore }

  private enum CodingKeys: String, CodingKey {
    case isApplied = "applied"
    case answers, lossBefore, lossAfter, testLossBefore, testLossAfter, weights
  }
}

extension NavigationService {
  /// Fits the weights of the memory model to the learner's answers.
  ///
  /// The weights are fitted to the first four fifths of the answers, and compared on the last fifth. Intervals that were
  /// shown before do not change.
  ///
  /// - Parameter isApplying: Whether the new weights are stored if they predict the last fifth better.
  /// - Throws: ``NavigationError/tooFewAnswers(count:needed:)`` below 400 answers, and errors of the database.
  public func fitReviewWeights(applying isApplying: Bool = true) throws(NavigationError) -> ReviewFit {
    let (fitting, previous) = try read { snapshot -> (WeightFitting, MemoryModel) in
      guard let learner = try snapshot.learner(named: learner) else { return (WeightFitting([]), .standard) }
      var cards: [AnsweredCard] = []
      try snapshot.forEachAnswerSequence(of: learner.id) { sequence in
        cards.append(AnsweredCard(answers: sequence.map { .init(rating: $0.rating, day: $0.day) }))
      }
      return (WeightFitting(cards), try snapshot.memoryModel(of: learner.id))
    }
    let count = fitting.answerCount
    let testDay = fitting.testDay
    guard count >= WeightFitting.minimumAnswers, let testLossBefore = fitting.loss(previous, on: testDay...) else {
      throw .tooFewAnswers(count: count, needed: WeightFitting.minimumAnswers)
    }
    let fitted = fitting.fit(before: testDay)
    let testLossAfter = fitting.loss(fitted, on: testDay...) ?? .infinity
    let isApplied = isApplying && testLossAfter < testLossBefore
    if isApplied { try set(ReviewWeights.value(fitted), forSetting: ReviewWeights.setting) }
    return ReviewFit(
      isApplied: isApplied, answers: count, lossBefore: fitting.loss(previous) ?? 0,
      lossAfter: fitting.loss(fitted) ?? 0, testLossBefore: testLossBefore, testLossAfter: testLossAfter,
      weights: fitted.weights)
  }
}
