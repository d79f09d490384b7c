import Foundation
import LearningModel
import TestSupport
import Testing

struct ReviewSchedulerTests {
  private static let tolerance = 2e-5

  private func isClose(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= Self.tolerance * abs(expected)
  }

  // MARK: - Reference values

  @Test func `every review of the 200 reference sequences has the reference's memory and intervals`() throws {
    let reference = try FSRSReference()
    var differences: [String] = []
    var reviews = 0

    for sequence in reference.sequences {
      let scheduler = try #require(reference.schedulers[sequence.configuration])
      var state = CardState.new
      for (index, expected) in sequence.reviews.enumerated() {
        let outcomes = scheduler.outcomes(from: state, days: expected.days, seed: 0)
        let outcome = try #require(outcomes[expected.rating])
        let previews = CardRating.allCases.compactMap { outcomes[$0]?.interval.seconds }
        let memory = try #require(outcome.state.memory)
        let retrievability = state.memory.map {
          scheduler.model.retrievability(stability: $0.stability, days: Double(expected.days))
        }
        let isEqual =
          isClose(memory.stability, expected.memory.stability)
          && isClose(memory.difficulty, expected.memory.difficulty)
          && outcome.state.phase == expected.phase && outcome.state.step == expected.step
          && outcome.interval.seconds == expected.intervalSeconds && previews == expected.previews
          && (expected.retrievability == nil || isClose(retrievability ?? 0, expected.retrievability ?? 0))
        if !isEqual { differences.append("\(sequence.id).\(index): \(outcome), previews \(previews) \(expected)") }
        state = outcome.state
        reviews += 1
      }
    }

    #expect(differences.prefix(3) == [])
    #expect(reference.schedulers.count == 7)
    #expect(reference.sequences.count == 200)
    #expect(reviews == 1_726)
  }

  @Test func `first memories, retrievabilities, intervals and fuzz bounds equal the reference's tables`() throws {
    let tables = try FSRSReference().tables
    let model = MemoryModel.standard

    for row in try #require(tables["first"]) {
      let memory = model.memory(afterFirst: try #require(CardRating(rawValue: Int(row[0]))))
      #expect(isClose(memory.stability, row[1]) && isClose(memory.difficulty, row[2]))
    }
    for row in try #require(tables["retrievability"]) {
      #expect(isClose(model.retrievability(stability: row[0], days: row[1]), row[2]))
    }
    for row in try #require(tables["interval"]) {
      // The reference rounds half to even, as Python does. Waymark rounds half away from zero, as Anki does.
      let days = model.interval(stability: row[0], retention: row[1]).rounded(.toNearestOrEven)
      #expect(min(36_500, max(1, days)) == row[2])
    }
    for row in try #require(tables["fuzz"]) {
      #expect(IntervalFuzz.bounds(of: row[0]) == Int(row[1])...Int(row[2]))
    }
    #expect(tables.mapValues(\.count) == ["first": 4, "retrievability": 35, "interval": 56, "fuzz": 15])
  }

  // MARK: - Properties

  private struct RandomCard {
    var scheduler: ReviewScheduler
    var state: CardState
    var days: Int

    /// A card after a random number of answers.
    init(_ random: inout SplitMix64, isFuzzed: Bool = true) {
      var rules = ReviewRules()
      rules.retention = 0.7 + Double(random.below(30)) / 100
      rules.isFuzzed = isFuzzed
      if random.oneIn(4) { rules.learningSteps = [] }
      if random.oneIn(4) { rules.relearningSteps = [] }
      scheduler = ReviewScheduler(rules: rules)
      state = .new
      days = 0
      for _ in 0..<random.below(12) {
        let rating = CardRating.allCases[random.below(4)]
        state = scheduler.outcome(of: rating, from: state, days: days, seed: random.next()).state
        days = random.below(3) == 0 ? 0 : random.below(max(2, 2 * state.intervalDays))
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `the stability of a remembered card never falls`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let card = RandomCard(&random)
    guard let before = card.state.memory else { return }

    for rating in [CardRating.hard, .good, .easy] {
      let after = card.scheduler.model.memory(after: rating, from: before, days: card.days)
      #expect(after.stability >= before.stability)
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a better answer never brings a card back sooner`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let card = RandomCard(&random)

    let outcomes = card.scheduler.outcomes(from: card.state, days: card.days, seed: random.next())
    let seconds = CardRating.allCases.compactMap { outcomes[$0]?.interval.seconds }

    #expect(seconds.count == 4)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 <= $1 }, "\(seconds) from \(card.state)")
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a card that is remembered at a lower retrievability gains more stability`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let card = RandomCard(&random)
    guard let before = card.state.memory else { return }
    let days = 1 + random.below(400)

    let early = card.scheduler.model.memory(after: .good, from: before, days: days)
    let late = card.scheduler.model.memory(after: .good, from: before, days: days + 1 + random.below(400))

    #expect(late.stability >= early.stability)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a preview shows the outcome of the answer`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let card = RandomCard(&random)
    let fuzz = ReviewScheduler.fuzzSeed(card: "card \(seed)", answers: card.state.answers)

    let previews = card.scheduler.outcomes(from: card.state, days: card.days, seed: fuzz)

    for rating in CardRating.allCases {
      #expect(card.scheduler.outcome(of: rating, from: card.state, days: card.days, seed: fuzz) == previews[rating])
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a fuzzed interval is inside the bounds of the interval without fuzz`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let stability = pow(10, Double(random.below(400)) / 100)
    let state = CardState(
      phase: .review, step: 0, memory: CardMemory(stability: stability, difficulty: 5), intervalDays: 0, answers: 3,
      lapses: 0)
    var rules = ReviewRules()
    rules.isFuzzed = false
    rules.separatesAnswers = false
    let exact = ReviewScheduler(rules: rules).outcome(of: .good, from: state, days: 10, seed: 0)
    rules.isFuzzed = true

    let fuzzed = ReviewScheduler(rules: rules).outcome(of: .good, from: state, days: 10, seed: random.next())

    #expect(IntervalFuzz.bounds(of: Double(exact.state.intervalDays)).contains(fuzzed.state.intervalDays))
  }

  /// The range of an interval in days that Anki allows after a previous interval, and after a shorter answer's interval.
  private func range(of interval: Double, after previous: Int, above shorter: Int) -> ClosedRange<Int> {
    func bounds(_ interval: Double, _ least: Int) -> ClosedRange<Int> {
      let interval = max(interval, Double(least))
      let shares = [(2.5, 7.0, 0.15), (7, 20, 0.1), (20, .infinity, 0.05)]
      let delta = interval < 2.5 ? 0 : shares.reduce(1) { $0 + $1.2 * max(0, min(interval, $1.1) - $1.0) }
      let (low, high) = (Int((interval - delta + 0.5).rounded(.down)), Int((interval + delta + 0.5).rounded(.down)))
      let lower = max(least, low)
      return lower...(max(least, high) == lower && lower > 2 ? lower + 1 : max(least, high))
    }
    let grows = Int((interval + 0.5).rounded(.down)) > previous
    let least = grows ? previous + 1 : previous <= bounds(interval, 1).upperBound ? previous : 1
    return bounds(interval, max(least, shorter + 1))
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `intervals of reviews reach exactly the range that Anki allows`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let previous = 1 + random.below(60)
    let memory = CardMemory(
      stability: 0.5 + Double(previous) * Double(random.below(200)) / 100,
      difficulty: 1 + Double(random.below(900)) / 100)
    let state = CardState(phase: .review, step: 0, memory: memory, intervalDays: previous, answers: 5, lapses: 0)
    let scheduler = ReviewScheduler()
    var reached: [Int] = []
    for _ in 0..<100 {
      let outcomes = scheduler.outcomes(from: state, days: previous, seed: random.next())
      var shorter = 0
      for rating in [CardRating.hard, .good, .easy] {
        let outcome = try #require(outcomes[rating])
        let allowed = range(of: try #require(outcome.state.memory).stability, after: previous, above: shorter)
        #expect(allowed.contains(outcome.state.intervalDays), "\(rating), previous \(previous)")
        shorter = outcome.state.intervalDays
        if rating == .hard { reached += [allowed.lowerBound, allowed.upperBound, shorter] }
      }
    }
    // With 100 seeds, the ends of a range of up to nine days are reached.
    let (lower, upper) = (reached[0], reached[1])
    if upper - lower < 9 {
      #expect(Set([lower, upper]).isSubset(of: stride(from: 2, to: reached.count, by: 3).map { reached[$0] }))
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `easy leaves the steps for longer than good would`(seed: UInt64) throws {
    let scheduler = ReviewScheduler()
    var state = CardState.new
    for _ in 0...seed % 5 { state = scheduler.outcome(of: .again, from: state, days: 0, seed: seed).state }

    // Good twice leaves the steps; its interval is at least a day.
    #expect(scheduler.outcome(of: .easy, from: state, days: 0, seed: seed).state.intervalDays >= 2)
  }

  @Test func `without steps, hard and good of a new card do not depend on each other`() {
    var rules = ReviewRules()
    rules.learningSteps = []
    // The stabilities after the first answer are 1.3 and 2.3 days; easy is 8.3 days.
    #expect(seconds(.new, rules: rules).dropFirst() == [86_400, 2 * 86_400, 8 * 86_400])
  }

  // MARK: - Rules

  private func seconds(_ state: CardState, days: Int = 0, rules: ReviewRules = ReviewRules()) -> [Int] {
    var rules = rules
    rules.isFuzzed = false
    let outcomes = ReviewScheduler(rules: rules).outcomes(from: state, days: days, seed: 0)
    return CardRating.allCases.compactMap { outcomes[$0]?.interval.seconds }
  }

  @Test func `a new card returns after the learning steps`() {
    #expect(seconds(.new) == [60, 330, 600, 8 * 86_400])
  }

  @Test func `hard repeats a later step`() {
    var state = CardState.new
    state = ReviewScheduler().outcome(of: .good, from: state, days: 0, seed: 0).state

    #expect(Array(seconds(state).prefix(2)) == [60, 600])
  }

  @Test func `hard on a single step is half as long again, at most one day longer`() {
    var rules = ReviewRules()
    rules.learningSteps = [900]
    #expect(seconds(.new, rules: rules)[1] == 1_350)
    rules.learningSteps = [4 * 86_400]
    #expect(seconds(.new, rules: rules)[1] == 5 * 86_400)
  }

  @Test func `good is at least a day longer than hard, and easy than good`() {
    var rules = ReviewRules()
    rules.learningSteps = []
    rules.isFuzzed = false
    var state = ReviewScheduler(rules: rules).outcome(of: .again, from: .new, days: 0, seed: 0).state
    state.memory = CardMemory(stability: 0.1, difficulty: 10)
    state.phase = .review

    #expect(seconds(state, rules: rules) == [600, 86_400, 2 * 86_400, 3 * 86_400])
  }

  @Test func `an interval that grows is at least one day longer than the previous one`() {
    var rules = ReviewRules()
    rules.isFuzzed = false
    let state = CardState(
      phase: .review, step: 0, memory: CardMemory(stability: 10, difficulty: 9), intervalDays: 10, answers: 5, lapses: 0
    )

    #expect(seconds(state, days: 0, rules: rules)[1] == 10 * 86_400)
    #expect(seconds(state, days: 10, rules: rules)[1] >= 11 * 86_400)
  }

  @Test func `the maximum interval limits every answer`() {
    var rules = ReviewRules()
    rules.maximumInterval = 5
    let state = CardState(
      phase: .review, step: 0, memory: CardMemory(stability: 100, difficulty: 5), intervalDays: 5, answers: 5, lapses: 0
    )

    #expect(seconds(state, days: 100, rules: rules) == [600, 5 * 86_400, 5 * 86_400, 5 * 86_400])
  }

  /// Source of the numbers: Anki 26.
  @Test func `without steps, an interval of less than half a day is a step of its own`() {
    var rules = ReviewRules()
    (rules.learningSteps, rules.relearningSteps, rules.isFuzzed) = ([], [], false)
    let scheduler = ReviewScheduler(rules: rules)
    let again = scheduler.outcome(of: .again, from: .new, days: 0, seed: 0)

    #expect(seconds(.new, rules: rules) == [18_316, 86_400, 2 * 86_400, 8 * 86_400])
    #expect(again.state.phase == .learning)
    #expect(seconds(again.state, rules: rules).prefix(3) == [7_202, 18_316, 21_313])
    let known = CardState(
      phase: .review, step: 0, memory: CardMemory(stability: 1, difficulty: 9), intervalDays: 1, answers: 5, lapses: 0)
    let forgotten = scheduler.outcome(of: .again, from: known, days: 1, seed: 0)
    #expect(forgotten.state.phase == .relearning && forgotten.state.lapses == 1 && forgotten.interval.seconds < 43_200)
    let weights = MemoryModel.defaultWeights.enumerated().map { $0 == 17 ? 0 : $1 }
    let model = MemoryModel(weights: weights)!
    #expect(
      ReviewScheduler(model: model, rules: rules).outcome(of: .again, from: .new, days: 0, seed: 0).interval == .days(1)
    )
  }

  /// Source of the numbers: fsrs-rs-python.
  @Test func `the weights of earlier versions are converted`() throws {
    let default19 = Array(MemoryModel.defaultWeights.prefix(19))
    let model17 = try #require(MemoryModel(converting: Array(default19.prefix(17))))
    let model19 = try #require(MemoryModel(converting: default19))
    func good(_ model: MemoryModel, from memory: CardMemory? = nil, days: Int) -> CardMemory {
      model.memory(after: .good, from: memory, days: days)
    }
    let second17 = good(model17, from: good(model17, days: 0), days: 3)
    let second19 = good(model19, from: good(model19, days: 0), days: 3)

    #expect(isClose(good(model17, days: 0).difficulty, 6.774794101715088))
    #expect(isClose(second17.stability, 8.057857513427734) && isClose(second17.difficulty, 6.773599147796631))
    #expect(isClose(second19.stability, 14.396550178527832) && isClose(second19.difficulty, 2.1112141609191895))
    #expect(isClose(model19.interval(stability: second19.stability, retention: 0.8), 34.523292541503906))
    #expect(MemoryModel(converting: [1, 2]) == nil && MemoryModel(converting: default19 + [0, .nan]) == nil)
    #expect(MemoryModel(storedText: model17.storedText) == model17 && MemoryModel(storedText: "7 1") == nil)
  }

  @Test(
    arguments: [
      ([], "none"), ([60, 600], "1m 10m"), ([90, 7_200, 259_200], "90s 2h 3d"),
    ] as [([Int], String)]) func `steps are written with their units`(_ steps: [Int], _ text: String)
  {
    #expect(ReviewSteps.text(steps) == text && ReviewSteps.steps(text) == steps)
  }

  @Test func `steps without a unit are minutes, and other texts are no steps`() {
    #expect(ReviewSteps.steps("1, 1.5 20m") == [60, 90, 1_200])
    for text in ["", "0", "-1m", "1x", "400d", "nan", Array(repeating: "1m", count: 21).joined(separator: " ")] {
      #expect(ReviewSteps.steps(text) == nil)
    }
  }

  @Test func `a card becomes a leech at the threshold, and after half of it again`() {
    func leeches(_ threshold: Int) -> [Int] {
      var rules = ReviewRules()
      rules.leechLapses = threshold
      return (0..<12).filter {
        rules.isLeechAgain(CardState(phase: .review, step: 0, memory: nil, intervalDays: 1, answers: 20, lapses: $0))
      }
    }

    #expect(leeches(5) == [5, 8, 11] && leeches(1) == Array(1..<12) && leeches(0) == [])
  }

  @Test func `a forgotten card counts a lapse, and is pointed out as a leech at 8, 12 and 16 lapses`() {
    let scheduler = ReviewScheduler()
    var state = CardState.new
    var leeches: [Int] = []
    for _ in 0..<17 {
      while state.phase != .review { state = scheduler.outcome(of: .good, from: state, days: 0, seed: 0).state }
      state = scheduler.outcome(of: .again, from: state, days: 1, seed: 0).state
      if ReviewRules().isLeechAgain(state) { leeches.append(state.lapses) }
    }

    #expect(leeches == [8, 12, 16])
    #expect(state.lapses == 17)
  }

  @Test func `weights outside their ranges, or too few, make no model`() {
    #expect(MemoryModel(weights: MemoryModel.defaultWeights) == .standard)
    #expect(MemoryModel(weights: Array(MemoryModel.defaultWeights.dropLast())) == nil)
    var weights = MemoryModel.defaultWeights
    weights[20] = .nan
    #expect(MemoryModel(weights: weights) == nil)
    weights[20] = 5
    #expect(MemoryModel(weights: weights) == nil)
  }
}
