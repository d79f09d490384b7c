package import NavigationKit

/// The declaration of one review setting. The page of settings and `waymark review set` derive from it. The value is
/// stored in the database, like that of `review set`, and applies to all courses.
package struct ReviewSettingRow: Sendable {
  /// The settings. Each is named like its option of `waymark review set`.
  package enum Name: String, CaseIterable, Sendable {
    case answers, new, reviews, retention, siblings
    case newIgnoreLimit = "new-ignore-limit"
  }

  package let name: Name
  /// The effect in a few words, for the page of settings.
  package let summary: String
  /// The text of the option's `--help`.
  package let help: String
  /// The valid values in words.
  package let expected: String
  /// The valid words, with notes on them. Empty for numbers.
  package var words: KeyValuePairs<String, String> = [:]

  /// The name on the page of settings: `review-answers`.
  package var pageName: String { "review-" + name.rawValue }

  /// Every review setting, in the order of the page of settings.
  package static let all = [answers, newCards, reviews, retention, siblings, newIgnoreLimit]
  package static let answers = ReviewSettingRow(
    name: .answers, summary: "possible answers to a card",
    help: "The number of possible answers to a card, in all courses: 2 or 4.", expected: "2 to 4",
    words: ["2": "forgot, knew it", "4": "again, hard, good, easy"])
  package static let newCards = ReviewSettingRow(
    name: .new, summary: "new cards a day", help: "The maximum number of new cards per day.", expected: "0 to 9999")
  package static let reviews = ReviewSettingRow(
    name: .reviews, summary: "reviews a day, without new cards", help: "The maximum number of reviews per day.",
    expected: "0 to 9999")
  package static let retention = ReviewSettingRow(
    name: .retention, summary: "probability of recall at which a card is due",
    help: "The probability of recall at which a card is due, 0.7 to 0.99.", expected: "0.7 to 0.99")

  package static let siblings = ReviewSettingRow(
    name: .siblings, summary: "cards of the same note that wait until tomorrow",
    help:
      "The cards of the same note that wait until tomorrow after one was answered, in all courses: none, new or all.",
    expected: "none, new or all",
    words: ["none": "none wait", "new": "new ones wait until tomorrow", "all": "all wait until tomorrow"])
  package static let newIgnoreLimit = ReviewSettingRow(
    name: .newIgnoreLimit, summary: "new cards do not wait for reviews",
    help: "Whether new cards are shown although the maximum number of reviews is reached, in all courses: yes or no.",
    expected: "yes or no",
    words: ["no": "wait for due reviews, and count as reviews", "yes": "do not wait for reviews"])

  /// Returns the note on the value.
  package func note(in settings: ReviewSettings) -> String {
    words.first { $0.key == value(in: settings) }?.value ?? ""
  }

  /// Returns the value in the notation of `review set`.
  package func value(in settings: ReviewSettings) -> String {
    switch name {
    case .answers: settings.hasFourAnswers ? "4" : "2"
    case .new: String(settings.newCards)
    case .reviews: String(settings.reviews)
    case .retention: String(settings.retention)
    case .siblings: settings.waitingSiblings.rawValue
    case .newIgnoreLimit: settings.newIgnoreLimit ? "yes" : "no"
    }
  }

  /// Returns the change to a value.
  ///
  /// - Throws: ``NavigationError/reviewSetting(name:value:range:)`` if the text is not a number, or not a valid one of
  ///   ``words``. ``NavigationService/setReview(_:of:)`` checks the ranges of the other values.
  package func change(to text: String) throws(NavigationError) -> ReviewSettingsChange {
    let change: ReviewSettingsChange? =
      switch name {
      case .answers:
        words.contains { $0.key == text } ? ReviewSettingsChange(hasFourAnswers: text == "4") : nil
      case .new: Int(text).map { ReviewSettingsChange(newCards: $0) }
      case .reviews: Int(text).map { ReviewSettingsChange(reviews: $0) }
      case .retention: Double(text).map { ReviewSettingsChange(retention: $0) }
      case .siblings:
        ReviewSettings.WaitingSiblings(rawValue: text).map { ReviewSettingsChange(waitingSiblings: $0) }
      case .newIgnoreLimit:
        words.contains { $0.key == text } ? ReviewSettingsChange(newIgnoreLimit: text == "yes") : nil
      }
    guard let change else { throw .reviewSetting(name: pageName, value: text, range: expected) }
    return change
  }
}
