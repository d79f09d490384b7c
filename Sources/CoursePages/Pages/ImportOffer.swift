package import CourseKit
package import LearningModel
package import NavigationKit
import TextCanvas

/// The preview of an import, which both front ends show before they ask for confirmation.
package struct ImportOffer: Hashable, Sendable {
  /// The path or the address of the source.
  package let source: String
  /// The report of the dry run.
  package let report: ImportReport
  /// The reason why the import needs the learner's permission to replace the course, or `nil` if it needs no
  /// permission.
  package let refusal: ImportRefusal?

  /// The progress of the learner in another program that the source contains.
  package let progress: SourceProgress

  /// Reads a source and compares it with the stored course. This may take longer than a frame.
  ///
  /// - Throws: ``CourseLibraryError``. This includes reasons against the import that the learner cannot override.
  package init(
    of source: String, in library: CourseLibrary, cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws {
    var found = SourceProgress()
    func report(replacing replaces: Bool) throws -> ImportReport {
      try library.importCourse(
        from: source, options: ImportOptions(replaces: replaces, isDryRun: true), cancellation: cancellation,
        progress: progress, recording: { progress, _ in found = progress })
    }
    self.source = source
    do {
      (self.report, refusal) = (try report(replacing: false), nil)
    } catch CourseLibraryError.importRefused(let refusal, _) where refusal.canBeOverridden {
      (self.report, self.refusal) = (try report(replacing: true), refusal)
    }
    self.progress = found
  }

  /// Whether the course is stored already and would not change.
  package var isUnchanged: Bool { isStored && report.difference.isEmpty }
  /// Whether a version of the course is stored.
  package var isStored: Bool { report.revision > 0 }

  /// Returns the warning to show before the course is replaced, or `nil` if no permission is needed.
  package func warning(_ quotes: Quotes) -> String? {
    switch refusal {
    case .removesMost(let removed, let count):
      "Replacing would remove \(removed) of the \(count) places of \(quotes.around(report.title))."
    case .otherFormat(let format):
      "\(quotes.around(report.title)) was imported in the format \(format), but this source has the format \(report.format)."
    case .badSource, nil: nil
    }
  }

  /// The progress and the options of a deck that are imported, in sentences. `nil` if the source contains neither.
  package var progressText: String? {
    let (cards, passed) = (progress.cards.count, progress.passedExercises.count)
    let sentences = [
      cards == 0 ? nil : "The review progress of \(DisplayFormat.count(cards, "card")) is imported too.",
      cards > 0 || passed == 0
        ? nil : "\(DisplayFormat.count(passed, "exercise")) that you have passed will be marked as done.",
      progress.preset.isEmpty
        ? nil : "The options of the deck are used for the course: \(ReviewSettingRow.text(of: progress.preset)).",
      progress.otherDecks.isEmpty ? nil : ReviewSettingRow.text(ofOtherDecks: progress.otherDecks),
    ].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// What is left out if the learner does not import the progress, in a sentence.
  package var withoutProgressText: String {
    progress.cards.isEmpty
      ? "The exercises that you have passed are not marked as done."
      : "The review progress of the cards is not imported."
  }

  /// Imports the course.
  ///
  /// - Parameters:
  ///   - navigation: Records the progress of the learner in the source. If `nil`, it is not imported.
  ///   - keepsFormer: Whether to return the stored version of the course, for undo.
  /// - Returns: The report, the recorded progress, such as `the progress of 3 cards`, or an empty text, and the stored
  ///   version.
  /// - Throws: ``CourseLibraryError``.
  package func accept(
    in library: CourseLibrary, recordingIn navigation: NavigationService?, keepsFormer: Bool = false,
    cancellation: ImportCancellation? = nil, progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws -> (report: ImportReport, recorded: String, former: CourseSnapshot?) {
    let previousEdition = keepsFormer && isStored ? try library.snapshot(report.course ?? .root) : nil
    var recorded = RecordedProgress()
    let report = try library.importCourse(
      from: source, options: ImportOptions(replaces: refusal != nil), cancellation: cancellation, progress: progress,
      recording: navigation.map { navigation in { recorded = try navigation.record($0, in: $1) } })
    let texts =
      (recorded.cards == 0 ? [] : ["the progress of " + DisplayFormat.count(recorded.cards, "card")])
      + (recorded.exercises == 0 ? [] : [DisplayFormat.count(recorded.exercises, "passed exercise")])
    return (report, texts.joined(separator: " and "), previousEdition)
  }
}

extension ImportRefusal {
  /// Whether the learner can permit the import in spite of the refusal.
  fileprivate var canBeOverridden: Bool {
    switch self {
    case .badSource: false
    case .removesMost, .otherFormat: true
    }
  }
}

extension ImportReport {
  /// The amount of content, such as `4 goals, 12 lessons, 52 activities`.
  package var contents: String { counts.texts(levels).joined(separator: ", ") }

  /// What readers of the source call its levels.
  package var levels: LevelNames { LevelNames(format: format) }
}

extension DifferenceCounts {
  /// The counts that are not 0, such as `3 added, 1 renamed`.
  package var summary: String {
    [(added, "added"), (moved, "moved"), (renamed, "renamed"), (changed, "changed"), (removed, "removed")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
