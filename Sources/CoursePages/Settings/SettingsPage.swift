import LearningModel
package import NavigationKit

/// The settings that can be shown and changed while the program runs: those of the settings file, followed by those of
/// reviews.
package struct SettingsPage {
  /// A setting in the list.
  package struct Row: Hashable, Sendable {
    package let name: String
    /// A short description of the effect.
    package let explanation: String
    package let value: String
    /// The source of the value: `file`, `default` or `learner`, for example.
    package let source: String
    /// The valid words. Empty for numbers and addresses.
    package let values: [String]
    /// Notes on single values, by value.
    package let notes: [String: String]
    /// A description of the valid values.
    package let expected: String
    fileprivate let synonyms: [String]

    /// Whether the value belongs to the learner, and is stored in the database.
    package let isOfLearner: Bool

    /// Returns whether each word of a text in lower case is a prefix of the name, of a value, of a word of ``explanation`` or
    /// of a synonym.
    package func matches(by text: String) -> Bool {
      let words = explanation.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
      return text.split(separator: " ").allSatisfy { typed in
        ([name] + values + words + synonyms).contains { $0.hasPrefix(typed) }
      }
    }
  }

  private let store: SettingsStore
  private let navigation: NavigationService

  package init(_ store: SettingsStore, _ navigation: NavigationService) {
    (self.store, self.navigation) = (store, navigation)
  }

  /// Returns every setting, in the order of the documentation.
  ///
  /// - Throws: ``SettingsError`` if the settings file is invalid, and errors of the database.
  package func rows() throws -> [Row] {
    let ofFile = try store.entries().map { entry in
      Row(
        name: entry.name, explanation: entry.explanation, value: entry.value, source: entry.source.rawValue,
        values: entry.values, notes: entry.notes, expected: entry.expected, synonyms: entry.setting.row.synonyms,
        isOfLearner: false)
    }
    let reviews = try navigation.reviews.settings()
    let standard = ReviewSettings.standard
    let ofReviews = ReviewSettingRow.all.map { row in
      let value = row.value(in: reviews)
      return Row(
        name: row.pageName, explanation: row.summary, value: value,
        source: value == row.value(in: standard) ? "default" : "learner", values: row.words.map(\.key),
        notes: Dictionary(uniqueKeysWithValues: row.words.map { ($0.key, $0.value) }), expected: row.expected,
        synonyms: ["grades", "limit", "cards"], isOfLearner: true)
    }
    let ofCourses = try navigation.reviews.ownSettings().map { course, settings in
      Row(
        name: Self.coursePrefix + course.path.description, explanation: ReviewSettingRow.text(of: settings),
        value: "own",
        source: "learner", values: ["own", "reset"],
        notes: ["own": ReviewSettingRow.text(of: settings), "reset": "use the settings of all courses"],
        expected: "own or reset", synonyms: ["preset", course.title.lowercased()], isOfLearner: true)
    }
    return ofFile + ofReviews + ofCourses
  }

  /// The beginning of the names of courses with review settings of their own.
  private static let coursePrefix = "review@"

  /// Stores a value: in the settings file, or in the database for a review setting.
  ///
  /// - Returns: The notice about the change.
  /// - Throws: ``SettingsError`` or `NavigationError` if the value is invalid or cannot be stored.
  package func set(_ name: String, to value: String) throws -> String {
    if let row = ReviewSettingRow.all.first(where: { $0.pageName == name }) {
      let settings = try navigation.reviews.set(row.change(to: value))
      return "Saved: \(name) is \(row.value(in: settings))."
    }
    if name.hasPrefix(Self.coursePrefix) {
      guard value == "reset" else { return "Unchanged: \(name) is own." }
      try navigation.reviews.reset(of: .text(String(name.dropFirst(Self.coursePrefix.count))))
      return "Saved: \(name) has the settings of all courses."
    }
    _ = try store.set(name, to: value)
    return try store.entries().first { $0.name == name }?.savedMessage ?? ""
  }
}
