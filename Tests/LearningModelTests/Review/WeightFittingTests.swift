import Foundation
import LearningModel
import TestSupport
import Testing

struct WeightFittingTests {
  /// The weights of a learner, from the reference file.
  private static let truth = MemoryModel(weights: [
    0.335561, 1.6840581, 5.166598, 11.659035, 7.466705, 0.7205129, 2.622295, 0.001, 1.315015, 0.10468433, 0.8349206,
    1.822305, 0.12473127, 0.26111007, 2.3030033, 0.13117497, 3.0265594, 0.41468078, 0.09714265, 0.106824234, 0.20447432,
  ])!

  /// The answers of a learner whose memory follows a model.
  private func answers(_ count: Int, of model: MemoryModel, seed: UInt64) -> [AnsweredCard] {
    var random = SplitMix64(seed: seed)
    func share() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    var cards: [AnsweredCard] = []
    var total = 0
    while total < count {
      var day = random.below(300)
      var (last, memory, state) = (day, CardMemory?.none, CardState.new)
      var answers: [AnsweredCard.Answer] = []
      for _ in 0..<(2 + random.below(14)) {
        let isRecalled =
          memory.map { share() < model.retrievability(stability: $0.stability, days: Double(day - last)) }
          ?? (share() < 0.75)
        let rating: CardRating = isRecalled ? (share() < 0.15 ? .hard : share() < 0.1 ? .easy : .good) : .again
        answers.append(.init(rating: rating, day: day))
        memory = model.memory(after: rating, from: memory, days: day - last)
        let outcome = ReviewScheduler().outcome(of: rating, from: state, days: day - last, seed: random.next())
        (state, last) = (outcome.state, day)
        if case .days(let days) = outcome.interval { day += days }
      }
      cards.append(AnsweredCard(answers: answers))
      total += answers.count
    }
    return cards
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `weights that are fitted to a log predict it as well as the weights that made it`(seed: UInt64) throws {
    let fitting = WeightFitting(answers(1_500, of: Self.truth, seed: seed))

    let fitted = try #require(fitting.loss(fitting.fit()))

    #expect(fitted <= 1.02 * (try #require(fitting.loss(Self.truth))))
    #expect(fitted <= (try #require(fitting.loss(.standard))))
  }

  @Test func `of many answers, the same 20,000 are used each time`() throws {
    let cards = answers(30_000, of: Self.truth, seed: 5)
    let day = WeightFitting(cards).testDay

    let (first, second) = (WeightFitting(cards), WeightFitting(cards))

    #expect(first.answerCount == 20_000 && WeightFitting(Array(cards.prefix(100))).answerCount < 20_000)
    #expect(first.loss(.standard) == second.loss(.standard) && second.testDay == day)
    #expect(first.loss(.standard) != WeightFitting(Array(cards.dropLast(100))).loss(.standard))
  }

  @Test func `a fit can be ended between two steps`() {
    struct Ended: Error {}
    let fitting = WeightFitting(answers(1_500, of: Self.truth, seed: 1))
    var steps = 0

    #expect(throws: Ended.self) {
      try fitting.fit {
        steps += 1
        if steps == 2 { throw Ended() }
      }
    }
    #expect(steps == 2)
  }

  @Test func `only answers before the day of the test are used, and the test has a fifth of the predictions`() throws {
    let fitting = WeightFitting(answers(1_500, of: Self.truth, seed: 4))
    let day = fitting.testDay
    var (before, after) = (0, 0)
    for card in answers(1_500, of: Self.truth, seed: 4) {
      for (previous, answer) in zip(card.answers, card.answers.dropFirst()) where answer.day > previous.day {
        if answer.day < day { before += 1 } else { after += 1 }
      }
    }

    #expect((0.18...0.22).contains(Double(after) / Double(before + after)))
    #expect(fitting.loss(.standard, on: day...) != fitting.loss(.standard))
  }

  @Test func `a log without predictions has no loss`() throws {
    let fitting = WeightFitting([AnsweredCard(answers: [.init(rating: .good, day: 1), .init(rating: .good, day: 1)])])

    #expect(fitting.loss(.standard) == nil)
    let fitted = try fitting.fit()
    #expect(fitted == .standard)
  }
  // MARK: - fsrs-rs

  private static let python = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../.build/test-python/bin/python").standardized.path

  private static func run(_ arguments: [String], input text: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = arguments
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  private static let hasReference = (try? run(["-c", "import fsrs_rs_python"])) != nil

  /// Returns the weights that fsrs-rs fits to a log.
  private func referenceFit(_ cards: [AnsweredCard]) throws -> MemoryModel {
    let lines = cards.map { card in
      var last = card.answers.first?.day ?? 0
      return card.answers.map { answer in
        defer { last = answer.day }
        return "\(answer.rating.rawValue):\(answer.day - last)"
      }.joined(separator: " ")
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "fsrs-oracle.py").path
    let weights = try Self.run([script], input: lines.joined(separator: "\n")).split { $0 == " " || $0 == "\n" }
    // fsrs-rs calculates with 32 bits, so a weight at the end of its range may be slightly outside.
    return try #require(
      MemoryModel(
        weights: zip(weights.compactMap { Double($0) }, MemoryModel.weightRanges).map {
          min($1.upperBound, max($1.lowerBound, $0))
        }))
  }

  /// Logs of learners with known weights, and the sequences of the reference file.
  private static let logs = ["the learner's weights", "the default weights", "few answers", "the reference file"]

  @Test(.enabled(if: hasReference, "fsrs-rs-python is not installed in .build/test-python"), arguments: logs)
  func `the fitted weights predict a log within 2 % of the weights that fsrs-rs fits`(log: String) throws {
    let cards =
      switch log {
      case "the learner's weights": answers(6_000, of: Self.truth, seed: 11)
      case "the default weights": answers(6_000, of: .standard, seed: 12)
      case "few answers": answers(WeightFitting.minimumAnswers, of: Self.truth, seed: 13)
      default:
        try FSRSReference().sequences.map { sequence in
          var day = 0
          return AnsweredCard(
            answers: sequence.reviews.map { review in
              day += review.days
              return AnsweredCard.Answer(rating: review.rating, day: day)
            })
        }
      }
    let fitting = WeightFitting(cards)

    let fitted = try #require(fitting.loss(fitting.fit()))
    let reference = try #require(fitting.loss(try referenceFit(cards)))

    #expect(fitted <= 1.02 * reference, "\(fitted) and \(reference)")
  }
}
