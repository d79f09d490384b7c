import Foundation
import WholeNumbers

/// The names of the review settings, under which they are stored with the other settings of a learner: the later of two
/// changes on different machines wins.
package enum ReviewSettingName: String, CaseIterable, Sendable {
  case retention = "review.retention"
  case newCards = "review.new"
  case reviews = "review.reviews"
  case fourAnswers = "review.four-answers"
  case newIgnoreLimit = "review.new-ignore-limit"
  case waitingSiblings = "review.waiting-siblings"
  case weights = "review.weights"
  case learningSteps = "review.learning-steps"
  case relearningSteps = "review.relearning-steps"
  case maximumInterval = "review.maximum-interval"
  case leechLapses = "review.leech"
  case suspendsLeeches = "review.suspend-leeches"
  case dayStart = "review.day-start"
  /// The ``ReviewPreset`` of the last import of a course: a line such as `review.new=20` for each setting.
  case preset = "review.preset"

  /// Whether a course can have a value of its own.
  package var canBelongToCourse: Bool {
    switch self {
    case .fourAnswers, .newIgnoreLimit, .dayStart: false
    default: true
    }
  }

  /// The name of the option of `waymark review set`, without hyphens at its beginning. The stored names of three settings
  /// are older.
  package var option: String {
    switch self {
    case .fourAnswers: "answers"
    case .waitingSiblings: "siblings"
    case .suspendsLeeches: "leeches"
    default: String(rawValue.dropFirst("review.".count))
    }
  }

  /// Returns the stored name of the setting of a course, by its key, or of all courses.
  package func of(_ course: String?) -> String {
    course.map { canBelongToCourse ? "\(rawValue)@\($0)" : rawValue } ?? rawValue
  }
}

/// The review settings of a deck in another program that differ from the defaults of that program, as they are stored.
package typealias ReviewPreset = [ReviewSettingName: String]

/// The notation of steps: `1m 10m 1d`, or `none`.
package enum ReviewSteps {
  private static let units: [(letter: Character, seconds: Int)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]

  /// Returns the text of steps in seconds.
  package static func text(_ steps: [Int]) -> String {
    guard !steps.isEmpty else { return "none" }
    return steps.map { step in
      let unit = units.first { step.isMultiple(of: $0.seconds) } ?? ("s", 1)
      return "\(step / unit.seconds)\(unit.letter)"
    }.joined(separator: " ")
  }

  /// Returns the steps in seconds. A number without a unit is in minutes. Returns `nil` unless there are at most 20 steps, each
  /// from one second to 365 days.
  package static func steps(_ text: String) -> [Int]? {
    guard text != "none" else { return [] }
    let steps = text.split { $0 == " " || $0 == "," }.map { word -> Int? in
      let unit = units.first { $0.letter == word.last }
      guard let number = Double(unit == nil ? word : word.dropLast()), number > 0 else { return nil }
      let seconds = number * Double(unit?.seconds ?? 60)
      return (1...365 * 86_400.0).contains(seconds) ? Int(clamping: seconds) : nil
    }
    return (1...20).contains(steps.count) && !steps.contains(nil) ? steps.compactMap { $0 } : nil
  }
}

extension MemoryModel {
  /// Creates the model of a stored text: the 21 weights, separated by spaces, after the version of the algorithm. Returns
  /// `nil` for another version and for weights outside their ranges.
  package init?(storedText: String) {
    let numbers = storedText.split(separator: " ").compactMap { Double($0) }
    guard numbers.first == Double(Self.version) else { return nil }
    self.init(weights: Array(numbers.dropFirst()))
  }

  /// The text from which ``init(storedText:)`` creates the model.
  package var storedText: String { ([String(Self.version)] + weights.map { "\($0)" }).joined(separator: " ") }

  /// Creates a model of the weights of FSRS-6 or an earlier version: 21, 19 or 17 numbers. Weights outside ``weightRanges``
  /// are limited to them. Returns `nil` for other counts.
  ///
  /// Source: fsrs-rs, `check_and_fill_parameters`.
  package init?(converting weights: [Double]) {
    var weights = weights
    guard weights.allSatisfy(\.isFinite) else { return nil }
    if weights.count == 17 {
      weights[4] += 2 * weights[5]
      weights[5] = log(3 * weights[5] + 1) / 3
      weights[6] += 0.5
      weights += [0, 0]
    }
    if weights.count == 19 { weights += [0, 0.5] }
    self.init(
      weights: weights.enumerated().map { index, weight in
        guard Self.weightRanges.indices.contains(index) else { return weight }
        return min(max(weight, Self.weightRanges[index].lowerBound), Self.weightRanges[index].upperBound)
      })
  }

  /// Whether the weights describe repetitions on the same day, which those of FSRS-4.5 do not.
  var describesSameDay: Bool { weights[17] > 0 && weights[18] > 0 }
}
