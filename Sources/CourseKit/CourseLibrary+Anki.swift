import CourseFormats
package import LearningModel
import LearningStore

/// The result of an export for Anki.
package struct AnkiExportReport: Hashable, Sendable {
  /// The number of exported cards.
  package let cards: Int
  /// The number of images that the cards show.
  package let images: Int
  /// The number of activities without cards, which are not exported.
  package let omittedActivities: Int
}

/// A form in which Anki imports cards.
package enum AnkiForm: Hashable, Sendable {
  /// A package with the images.
  case package
  /// A text with the names of the images, but without the images.
  case text
}

extension CourseLibrary {
  /// Exports the flashcards and the questions of a course for Anki.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - form: The form of the export.
  ///   - write: Receives the next piece of the file. Returns whether to continue; on `false`, the export ends without
  ///     an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  package func exportCards(
    _ path: PlacePath, as form: AnkiForm, to write: @escaping ([UInt8]) -> Bool
  ) throws(CourseLibraryError) -> AnkiExportReport {
    struct Stopped: Error {}
    return try Self.typed(in: store) {
      let course = try exported(path)
      let notes = try AnkiNotes(course.nodes, format: course.format, contents: course.contents)
      let report = AnkiExportReport(
        cards: notes.notes.count, images: notes.media.count, omittedActivities: notes.omittedActivities)
      guard report.cards > 0 else { throw CourseLibraryError.noCards(path: path) }
      do {
        switch form {
        case .text: try AnkiText.write(notes) { if !write(Array($0.utf8)) { throw Stopped() } }
        case .package:
          try AnkiPackageWriter.write(notes, image: course.contents.image, at: now()) {
            if !write($0) { throw Stopped() }
          }
        }
      } catch is Stopped {}
      return report
    }
  }
}
