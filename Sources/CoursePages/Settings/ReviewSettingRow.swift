import Foundation
package import LearningModel
package import NavigationKit

/// The declaration of one review setting. The page of settings and `waymark review set` derive from it. The value is
/// stored in the database, like that of `review set`, and applies to all courses.
package struct ReviewSettingRow: Sendable {
  package let name: ReviewSettingName
  /// The effect in a few words, for the page of settings.
  package let summary: String
  /// The text of the option's `--help`.
  package let help: String
  /// The valid values in words.
  package let expected: String
  /// The valid words, with notes on them. Empty for numbers.
  package var words: KeyValuePairs<String, String> = [:]

  /// The name on the page of settings: `review-answers`.
  package var pageName: String { "review-" + name.option }

  /// Every review setting, in the order of the page of settings.
  package static let all = [
    answers, newCards, reviews, retention, siblings, newIgnoreLimit, learningSteps, relearningSteps, maximumInterval,
    leech, leeches, dayStart, weights,
  ]
  package static let answers = ReviewSettingRow(
    name: .fourAnswers, summary: "possible answers to a card",
    help: "The number of possible answers to a card, in all courses: 2 or 4.", expected: "2 to 4",
    words: ["2": "forgot, knew it", "4": "again, hard, good, easy"])
  package static let newCards = ReviewSettingRow(
    name: .newCards, summary: "new cards a day", help: "The maximum number of new cards per day.", expected: "0 to 9999"
  )
  package static let reviews = ReviewSettingRow(
    name: .reviews, summary: "reviews a day, without new cards", help: "The maximum number of reviews per day.",
    expected: "0 to 9999")
  package static let retention = ReviewSettingRow(
    name: .retention, summary: "probability of recall at which a card is due",
    help: "The probability of recall at which a card is due, 0.7 to 0.99.", expected: "0.7 to 0.99")

  package static let siblings = ReviewSettingRow(
    name: .waitingSiblings, summary: "cards of the same note that wait until tomorrow",
    help:
      "The cards of the same note that wait until tomorrow after one was answered: none, new or all.",
    expected: "none, new or all",
    words: ["none": "none wait", "new": "new ones wait until tomorrow", "all": "all wait until tomorrow"])
  package static let newIgnoreLimit = ReviewSettingRow(
    name: .newIgnoreLimit, summary: "new cards do not wait for reviews",
    help: "Whether new cards are shown although the maximum number of reviews is reached, in all courses: yes or no.",
    expected: "yes or no",
    words: ["no": "wait for due reviews, and count as reviews", "yes": "do not wait for reviews"])

  package static let leeches = ReviewSettingRow(
    name: .suspendsLeeches, summary: "what happens to leeches",
    help: "What happens to a card that becomes a leech: keep or suspend.",
    expected: "keep or suspend", words: ["keep": "are pointed out", "suspend": "are suspended"])
  package static let learningSteps = ReviewSettingRow(
    name: .learningSteps, summary: "steps of a new card",
    help: "The steps of a new card, such as '1m 10m', or none.", expected: steps)
  package static let relearningSteps = ReviewSettingRow(
    name: .relearningSteps, summary: "steps of a forgotten card",
    help: "The steps of a forgotten card, such as '10m', or none.", expected: steps)
  package static let maximumInterval = ReviewSettingRow(
    name: .maximumInterval, summary: "longest interval in days", help: "The longest interval, in days.",
    expected: "1 to 36500")
  package static let leech = ReviewSettingRow(
    name: .leechLapses, summary: "times forgotten before a card is a leech",
    help: "How often a card must be forgotten to be a leech, or 0 for never.", expected: "0 to 9999")
  package static let dayStart = ReviewSettingRow(
    name: .dayStart, summary: "hour at which a day begins",
    help: "The hour at which a day begins, in all courses: 0 to 23.", expected: "0 to 23")
  package static let weights = ReviewSettingRow(
    name: .weights, summary: "weights of the memory model",
    help: "The weights of the memory model, such as those that Anki shows: 21, 19 or 17 numbers, or default.",
    expected: "21 numbers or default")

  private static let steps = "one second to 365 days for each of at most 20 steps"

  /// Returns the text of settings of a course: `retention 0.85, new 7, 21 weights`.
  package static func text(of settings: ReviewPreset) -> String {
    all.compactMap { row in
      settings[row.name].map {
        switch row.name {
        case .weights: "\(MemoryModel.weightRanges.count) weights"
        case .suspendsLeeches: "leeches \($0 == "true" ? "suspend" : "keep")"
        default: "\(row.name.option) \($0)"
        }
      }
    }.joined(separator: ", ")
  }

  /// Returns the sentences about decks whose settings in another program the course does not have.
  package static func text(ofOtherDecks names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    return
      "These decks have other options in Anki, which a course cannot keep: \(shown). To keep them, export each deck "
      + "at the top by itself, and import these packages instead of this one."
  }

  /// Returns the note on the value.
  package func note(in settings: ReviewSettings) -> String {
    words.first { $0.key == value(in: settings) }?.value ?? ""
  }

  /// Returns the value in the notation of `review set`.
  package func value(in settings: ReviewSettings) -> String {
    switch name {
    case .fourAnswers: settings.hasFourAnswers ? "4" : "2"
    case .newCards: String(settings.newCards)
    case .reviews: String(settings.reviews)
    case .retention: String(settings.retention)
    case .waitingSiblings: settings.waitingSiblings.rawValue
    case .newIgnoreLimit: settings.newIgnoreLimit ? "yes" : "no"
    case .learningSteps: ReviewSteps.text(settings.learningSteps)
    case .relearningSteps: ReviewSteps.text(settings.relearningSteps)
    case .maximumInterval: String(settings.maximumInterval)
    case .leechLapses: String(settings.leechLapses)
    case .dayStart: String(settings.dayStart)
    case .weights:
      settings.weights == MemoryModel.defaultWeights
        ? "default" : settings.weights.map { "\($0)" }.joined(separator: " ")
    case .suspendsLeeches: settings.suspendsLeeches ? "suspend" : "keep"
    case .preset: ""
    }
  }

  /// Returns the change to a value.
  ///
  /// - Throws: ``NavigationError/reviewSetting(name:value:range:)`` if the text is not a number, or not a valid one of
  ///   ``words``. ``NavigationService/setReview(_:of:)`` checks the ranges of the other values.
  package func change(to text: String) throws(NavigationError) -> ReviewSettingsChange {
    let change: ReviewSettingsChange? =
      switch name {
      case .fourAnswers:
        words.contains { $0.key == text } ? ReviewSettingsChange(hasFourAnswers: text == "4") : nil
      case .newCards: Int(text).map { ReviewSettingsChange(newCards: $0) }
      case .reviews: Int(text).map { ReviewSettingsChange(reviews: $0) }
      case .retention: Double(text).map { ReviewSettingsChange(retention: $0) }
      case .waitingSiblings:
        ReviewSettings.WaitingSiblings(rawValue: text).map { ReviewSettingsChange(waitingSiblings: $0) }
      case .newIgnoreLimit:
        words.contains { $0.key == text } ? ReviewSettingsChange(newIgnoreLimit: text == "yes") : nil
      case .learningSteps: ReviewSteps.steps(text).map { ReviewSettingsChange(learningSteps: $0) }
      case .relearningSteps: ReviewSteps.steps(text).map { ReviewSettingsChange(relearningSteps: $0) }
      case .maximumInterval: Int(text).map { ReviewSettingsChange(maximumInterval: $0) }
      case .leechLapses: Int(text).map { ReviewSettingsChange(leechLapses: $0) }
      case .dayStart: Int(text).map { ReviewSettingsChange(dayStart: $0) }
      case .weights:
        text == "default"
          ? ReviewSettingsChange(weights: MemoryModel.defaultWeights)
          : ReviewSettingsChange(weights: text.split { $0 == " " || $0 == "," }.map { Double($0) ?? .nan })
      case .suspendsLeeches:
        words.contains { $0.key == text } ? ReviewSettingsChange(suspendsLeeches: text == "suspend") : nil
      case .preset: nil
      }
    guard let change else { throw .reviewSetting(name: pageName, value: text, range: expected) }
    return change
  }
}
