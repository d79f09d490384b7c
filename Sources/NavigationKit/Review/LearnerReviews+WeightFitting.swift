public import LearningModel
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
  /// The courses whose answers are not used, because they have weights of their own. Empty if a course was fitted.
  public let leftOut: [PlacePath]

  /// Whether the new weights predict the last fifth better.
  public var isBetter: Bool { testLossAfter < testLossBefore }

  /// A sentence about ``leftOut``, after a space. Empty if no course was left out.
  package var leftOutNote: String { Self.note(on: leftOut) }

  static func note(on leftOut: [PlacePath]) -> String {
    guard !leftOut.isEmpty else { return "" }
    return " Courses with weights of their own are left out: \(leftOut.map(\.description).joined(separator: ", "))."
  }

  private enum CodingKeys: String, CodingKey {
    case isApplied = "applied"
    case answers, lossBefore, lossAfter, testLossBefore, testLossAfter, weights, leftOut
  }
}

extension LearnerReviews {
  /// Fits the weights of the memory model to the learner's answers, at most 20,000 of them: those of a random sample of
  /// the cards, which is the same each time.
  ///
  /// The weights are fitted to the first four fifths of the answers, and compared on the last fifth. Intervals that were
  /// shown before do not change.
  ///
  /// - Parameters:
  ///   - name: The course whose answers are used and whose weights are fitted. `nil` or the root fits the weights of all
  ///     courses to the answers of the courses without weights of their own.
  ///   - isApplying: Whether the new weights are stored if they predict the last fifth better.
  /// - Throws: ``NavigationError/tooFewAnswers(count:needed:leftOut:)`` below 400 answers,
  ///   ``NavigationError/notACourse(place:course:)``, ``NavigationError/unknownPlace(name:nearest:)``,
  ///   ``NavigationError/cancelled`` if the task is cancelled, and errors of the database.
  public func fitWeights(of name: PlaceName? = nil, applying isApplying: Bool = true) throws(NavigationError)
    -> ReviewFit
  {
    let fit = try fittedWeights(of: name)
    return isApplying ? try apply(fit, to: name) : fit
  }

  /// Stores the weights of a fit of a course, or of all courses, if they predict the last fifth better.
  package func apply(_ fit: ReviewFit, to name: PlaceName? = nil) throws(NavigationError) -> ReviewFit {
    guard fit.isBetter else { return fit }
    try set(ReviewSettingsChange(weights: fit.weights), of: name)
    var fit = fit
    fit.isApplied = true
    return fit
  }

  /// Fits the weights like ``fitWeights(of:applying:)``, and stores nothing.
  package func fittedWeights(of name: PlaceName? = nil) throws(NavigationError) -> ReviewFit {
    let (cards, previous, leftOut) = try session.read { snapshot -> ([AnsweredCard], MemoryModel, [PlacePath]) in
      let course = try courseKey(name, in: snapshot)
      guard let learner = try snapshot.learner(named: session.learner)?.id else { return ([], .standard, []) }
      func isFitted(_ key: String?) throws -> Bool {
        try course.map { $0 == key }
          ?? (key.flatMap { try snapshot.setting(ReviewSettingName.weights.of($0), of: learner) } == nil)
      }
      var (cards, fitted): ([AnsweredCard], [NodeID: Bool]) = ([], [:])
      try snapshot.forEachAnswerSequence(of: learner) { sequence, node in
        try Task.checkCancellation()
        let isFitted = try fitted[node] ?? isFitted(snapshot.keys(of: node)?.course)
        fitted[node] = isFitted
        if isFitted { cards.append(AnsweredCard(answers: sequence.map { .init(rating: $0.rating, day: $0.day) })) }
      }
      let others = try course == nil ? snapshot.children(of: .root).filter { try !isFitted($0.key) } : []
      let model = try ReviewSettingsReader(snapshot: snapshot, learner: learner).scheduling(of: course).model
      return (cards, model, others.map { NamedPlace([$0]).path })
    }
    let count = cards.reduce(0) { $0 + $1.answers.count }
    let fitting = WeightFitting(cards)
    let testDay = fitting.testDay
    guard count >= WeightFitting.minimumAnswers, let testLossBefore = fitting.loss(previous, on: testDay...) else {
      throw .tooFewAnswers(count: count, needed: WeightFitting.minimumAnswers, leftOut: leftOut)
    }
    let fitted = try session.store.typed { try fitting.fit(before: testDay, checking: Task.checkCancellation) }
    return ReviewFit(
      isApplied: false, answers: count, lossBefore: fitting.loss(previous) ?? 0, lossAfter: fitting.loss(fitted) ?? 0,
      testLossBefore: testLossBefore, testLossAfter: fitting.loss(fitted, on: testDay...) ?? .infinity,
      weights: fitted.weights, leftOut: leftOut)
  }
}
