import LearningModel

/// Reads packages of Anki: decks with their cards, in all versions of the format.
///
/// Source: Anki manual; the schema versions 11 and 18 of Anki's collections.
struct AnkiReader: CourseReader {
  let name = AnkiKeys.format
  let summary = "A deck or a collection that Anki exported: an .apkg or .colpkg file."
  let requirements = "a package of Anki, such as 'deck.apkg'"
  let mapping = FormatMapping(
    goal: "a deck at the top", lesson: "a deck in another deck",
    activity: "the cards of a deck, at most \(AnkiCourse.cardsPerActivity)")
  let hasPathKeys = false
  let hasProgress = true
  let fileExtensions = ["apkg": "an Anki deck", "colpkg": "an Anki collection"]

  /// Returns whether the source contains a collection of Anki, or has the extension of a package.
  func recognises(_ source: CourseSource) -> Bool {
    AnkiPackage.hasCollection(source) || hasExtension(source.name)
  }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    var course = try AnkiCourse(source, options: options)
    return try course.read(format: name)
  }
}
