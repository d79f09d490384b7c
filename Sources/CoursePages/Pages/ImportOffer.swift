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

  /// The progress that is imported, in a sentence. `nil` if the source contains no progress.
  package var progressText: String? {
    guard progress.cards.isEmpty else {
      return "The review progress of \(DisplayFormat.count(progress.cards.count, "card")) is imported too."
    }
    let passed = progress.passedExercises.count
    return passed == 0 ? nil : "\(DisplayFormat.count(passed, "exercise")) that you have passed will be marked as done."
  }

  /// Imports the course.
  ///
  /// - Parameters:
  ///   - navigation: Records the progress of the learner in the source. If `nil`, it is not imported.
  ///   - keepsFormer: Whether to return the stored version of the course, for undo.
  /// - Returns: The report, the number of cards whose progress was recorded, and the stored version.
  /// - Throws: ``CourseLibraryError``.
  package func accept(
    in library: CourseLibrary, recordingIn navigation: NavigationService?, keepsFormer: Bool = false,
    cancellation: ImportCancellation? = nil, progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws -> (report: ImportReport, cards: Int, former: CourseSnapshot?) {
    let previousEdition = keepsFormer && isStored ? try library.snapshot(report.course ?? .root) : nil
    var cards = 0
    let report = try library.importCourse(
      from: source, options: ImportOptions(replaces: refusal != nil), cancellation: cancellation, progress: progress,
      recording: navigation.map { navigation in { cards = try navigation.record($0, in: $1).cards } })
    return (report, cards, previousEdition)
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
  package var contents: String {
    [
      DisplayFormat.count(counts.goal, "goal"), DisplayFormat.count(counts.lesson, "lesson"),
      DisplayFormat.count(counts.activity, "activity", "activities"),
    ].joined(separator: ", ")
  }
}

extension DifferenceCounts {
  /// The counts that are not 0, such as `3 added, 1 renamed`.
  package var summary: String {
    [(added, "added"), (moved, "moved"), (renamed, "renamed"), (changed, "changed"), (removed, "removed")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
