import Foundation
import LearningModel

/// The values of `Fixtures/review/fsrs-reference.txt`.
struct FSRSReference {
  struct Review {
    let rating: CardRating
    let days: Int
    let phase: CardPhase
    let step: Int
    let memory: CardMemory
    let intervalSeconds: Int
    /// The intervals of all four answers, in seconds.
    let previews: [Int]
    let retrievability: Double?
  }

  struct Sequence {
    let id: Int
    let configuration: String
    var reviews: [Review] = []
  }

  var schedulers: [String: ReviewScheduler] = [:]
  var sequences: [Sequence] = []
  /// The rows of a table by their first word, as numbers.
  var tables: [String: [[Double]]] = [:]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/review/fsrs-reference.txt").standardized
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "configuration": try schedulers[words[1]] = Self.scheduler(words)
      case "first", "retrievability", "interval", "fuzz":
        tables[words[0], default: []].append(words.dropFirst().compactMap(Double.init))
      case "sequence":
        sequences.append(Sequence(id: try Self.number(words[1]), configuration: words[2]))
      default: try sequences[sequences.count - 1].reviews.append(Self.review(words))
      }
    }
  }

  private struct InvalidLine: Error {
    let words: [String]
  }

  private static func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw InvalidLine(words: [word]) }
    return number
  }

  private static func scheduler(_ words: [String]) throws -> ReviewScheduler {
    var rules = ReviewRules()
    rules.retention = Double(words[2]) ?? 0
    rules.maximumInterval = try number(words[3])
    rules.learningSteps = words[4].split(separator: ",").compactMap { Int($0) }
    rules.relearningSteps = words[5].split(separator: ",").compactMap { Int($0) }
    rules.isFuzzed = false
    rules.separatesAnswers = false
    guard let model = MemoryModel(weights: words[6].split(separator: ",").compactMap { Double($0) }) else {
      throw InvalidLine(words: words)
    }
    return ReviewScheduler(model: model, rules: rules)
  }

  private static func review(_ words: [String]) throws -> Review {
    let phases: [String: CardPhase] = ["l": .learning, "r": .review, "R": .relearning]
    guard let rating = CardRating(rawValue: try number(words[0])), let phase = phases[words[2]],
      let stability = Double(words[4]), let difficulty = Double(words[5])
    else { throw InvalidLine(words: words) }
    return Review(
      rating: rating, days: Int(words[1]) ?? 0, phase: phase, step: Int(words[3]) ?? 0,
      memory: CardMemory(stability: stability, difficulty: difficulty), intervalSeconds: try number(words[6]),
      previews: try words[7...10].map(number), retrievability: Double(words[11]))
  }
}
