import CourseFormats
package import Foundation
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
  /// The number of cards from Anki that are not exported, because their notes are not in the database.
  package let missingNotes: Int
}

/// The learner's part of an export for Anki.
package struct AnkiExportLearner: Sendable {
  package let name: String
  package let hasProgress: Bool
  package let hasOwnCards: Bool
  /// The time zone in which the days of reviews begin.
  package let timeZone: TimeZone

  package init(
    name: String, hasProgress: Bool = false, hasOwnCards: Bool = true, timeZone: TimeZone = .current
  ) {
    (self.name, self.hasProgress, self.hasOwnCards, self.timeZone) = (name, hasProgress, hasOwnCards, timeZone)
  }
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
  ///   - learner: The learner whose own cards and progress are exported, or `nil` for neither.
  ///   - write: Receives the next piece of the file. Returns whether to continue; on `false`, the export ends without
  ///     an error.
  /// - Throws: ``CourseLibraryError`` if there is no such course.
  package func exportCards(
    _ path: PlacePath, as form: AnkiForm, of learner: AnkiExportLearner? = nil, to write: @escaping ([UInt8]) -> Bool
  ) throws(CourseLibraryError) -> AnkiExportReport {
    struct Stopped: Error {}
    return try Self.typed(in: store) {
      let course = try exported(
        path, of: learner?.name, withOwnCards: learner?.hasOwnCards ?? false,
        withProgress: learner?.hasProgress ?? false)
      let notes = try AnkiNotes(
        course.nodes, format: course.format, contents: course.contents,
        sources: store.read { try $0.sourceNotes(of: course.id) }, cards: course.cards)
      let report = AnkiExportReport(
        cards: notes.notes.count, images: notes.media.count, omittedActivities: notes.omittedActivities,
        missingNotes: notes.missingNotes)
      guard report.cards > 0 else {
        throw report.missingNotes > 0
          ? CourseLibraryError.missingNotes(path: path) : CourseLibraryError.noCards(path: path)
      }
      do {
        switch form {
        case .text: try AnkiText.write(notes) { if !write(Array($0.utf8)) { throw Stopped() } }
        case .package:
          let preset = try learner.map { learner in
            try store.read { snapshot in
              try snapshot.learner(named: learner.name).map {
                try snapshot.settings(ReviewSettingName.allCases, of: $0.id, course: course.nodes.first?.key)
              } ?? [:]
            }
          }
          try AnkiPackageWriter.write(
            notes, image: course.contents.image,
            preset: preset.map { (course.nodes.first?.title ?? "", $0) }, at: now(),
            timeZone: learner?.timeZone ?? .current
          ) {
            if !write($0) { throw Stopped() }
          }
        }
      } catch is Stopped {}
      return report
    }
  }
}

extension StoreSnapshot {
  /// Returns the cards that were exported as notes with some of these names, by their names.
  func exportedCards(named guids: Set<String>) throws -> [String: ExportedCard] {
    var cards: [String: ExportedCard] = [:]
    try forEachCard(notFrom: AnkiKeys.format) { card in
      let guid = card.guid
      if guids.contains(guid) { cards[guid] = card }
    }
    return cards
  }
}
