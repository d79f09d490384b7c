import LearningModel
import LearningStore

/// The result of fitting the weights of the memory model to a learner's answers.
public struct ReviewFit: Hashable, Encodable, Sendable {
  /// Whether the new weights are used from now on.
  public fileprivate(set) var isApplied: Bool
  /// The number of answers in the log. At most 20,000 of them are used, those of a random sample of the cards.
  public let answers: Int
  /// The mean log loss of all predictions of the used answers, with the previous weights.
  public let lossBefore: Double
  /// The mean log loss of all predictions of the used answers, with the new weights.
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

extension LearnerReviews {
  /// Fits the weights of the memory model to the learner's answers, at most 20,000 of them: those of a random sample of
  /// the cards, which is the same each time.
  ///
  /// The weights are fitted to the first four fifths of the answers, and compared on the last fifth. Intervals that were
  /// shown before do not change.
  ///
  /// - Parameter isApplying: Whether the new weights are stored if they predict the last fifth better.
  /// - Throws: ``NavigationError/tooFewAnswers(count:needed:)`` below 400 answers, ``NavigationError/cancelled`` if the
  ///   task is cancelled, and errors of the database.
  public func fitWeights(applying isApplying: Bool = true) throws(NavigationError) -> ReviewFit {
    let fit = try fittedWeights()
    return isApplying ? try apply(fit) : fit
  }

  /// Stores the weights of a fit if they predict the last fifth better.
  package func apply(_ fit: ReviewFit) throws(NavigationError) -> ReviewFit {
    guard fit.isBetter, let model = MemoryModel(weights: fit.weights) else { return fit }
    try session.set(model.storedText, forSetting: ReviewSettingName.weights.rawValue)
    var fit = fit
    fit.isApplied = true
    return fit
  }

  /// Fits the weights like ``fitWeights(applying:)``, and stores nothing.
  package func fittedWeights() throws(NavigationError) -> ReviewFit {
    let (cards, previous) = try session.read { snapshot -> ([AnsweredCard], MemoryModel) in
      guard let learner = try snapshot.learner(named: session.learner) else { return ([], .standard) }
      var cards: [AnsweredCard] = []
      try snapshot.forEachAnswerSequence(of: learner.id) { sequence in
        try Task.checkCancellation()
        cards.append(AnsweredCard(answers: sequence.map { .init(rating: $0.rating, day: $0.day) }))
      }
      return (cards, try snapshot.memoryModel(of: learner.id))
    }
    let count = cards.reduce(0) { $0 + $1.answers.count }
    let fitting = WeightFitting(cards)
    let testDay = fitting.testDay
    guard count >= WeightFitting.minimumAnswers, let testLossBefore = fitting.loss(previous, on: testDay...) else {
      throw .tooFewAnswers(count: count, needed: WeightFitting.minimumAnswers)
    }
    let fitted = try session.store.typed { try fitting.fit(before: testDay, checking: Task.checkCancellation) }
    return ReviewFit(
      isApplied: false, answers: count, lossBefore: fitting.loss(previous) ?? 0, lossAfter: fitting.loss(fitted) ?? 0,
      testLossBefore: testLossBefore, testLossAfter: fitting.loss(fitted, on: testDay...) ?? .infinity,
      weights: fitted.weights)
  }
}
