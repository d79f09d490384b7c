public import LearningModel
public import LearningStore

/// The reason why an operation of a ``CourseLibrary`` failed.
///
/// ``description`` explains the cause. If the remedy depends on the program, it is in ``remedy`` instead of the
/// description.
public enum CourseLibraryError: ExplainedError, Hashable {
  /// No place has this path. `suggestions` contains similar paths.
  case unknownPlace(path: PlacePath, suggestions: [PlacePath])
  /// The place was removed from its course. `survivor` is the path of its nearest ancestor that still exists.
  case removedPlace(path: PlacePath, title: String, survivor: PlacePath)
  /// The place is not an activity and therefore has no text.
  case notAnActivity(path: PlacePath, kind: PlaceKind)
  /// The place is not a course.
  case notACourse(path: PlacePath, kind: PlaceKind)
  /// The course contains no flashcards and no questions that could be exported as cards.
  case noCards(path: PlacePath)
  /// The course was imported from Anki, and the notes of its cards are not in this database.
  case missingNotes(path: PlacePath)
  /// The place cannot be renamed to the given title.
  case cannotRename(path: PlacePath, reason: RenamingObstacle)
  /// The query has more characters than ``CourseLibrary/maximumQueryLength``.
  case queryTooLong(characters: Int)
  /// The source does not exist or cannot be read. `description` and `remedy` are those of the underlying error.
  case unreadableSource(kind: FailureKind, description: String, remedy: Remedy? = nil)
  /// The course cannot be updated, because only the name of its source is known, not its path or address.
  case unknownOrigin(path: PlacePath, source: String)
  /// The operating system cannot report changes of the source. `reason` contains the cause and, if there is one, the
  /// remedy.
  case cannotWatch(path: String, reason: String)
  /// The search was interrupted by its ``SearchInterruption``.
  case searchInterrupted
  /// The import was cancelled by its ``ImportCancellation``. Nothing was changed.
  case importCancelled(source: String)
  /// The import was refused. Nothing was changed; the report contains the diagnostics.
  case importRefused(ImportRefusal, report: ImportReport)
  /// The task was cancelled while it copied the database. There is no copy.
  case backupCancelled(path: String)
  /// The database could not be opened, read or written.
  case database(LearningDatabaseError)
}

extension CourseLibraryError {
  /// The kind of the failure.
  public var kind: FailureKind {
    switch self {
    case .unknownPlace, .unknownOrigin: .notFound
    case .removedPlace, .notAnActivity, .notACourse, .noCards, .missingNotes, .importCancelled, .searchInterrupted,
      .backupCancelled,
      .cannotRename,
      .queryTooLong:
      .refused
    case .unreadableSource(let kind, _, _): kind
    case .cannotWatch: .unavailable
    case .importRefused: .badData
    case .database(let error): error.kind
    }
  }

  /// The remedy, if it depends on the program. `nil` if no remedy is known, or if `description` includes it.
  public var remedy: Remedy? {
    switch self {
    case .unknownPlace(_, let suggestions): suggestions.isEmpty ? .listPlaces : nil
    case .notAnActivity(let path, _): .listActivities(of: path)
    case .unreadableSource(_, _, let remedy): remedy
    case .unknownOrigin: .importFromPath
    case .cannotWatch: .importOnce
    case .importRefused(.removesMost, _), .importRefused(.otherFormat, _): .replaceOrChooseKey
    case .database(let error): error.remedy
    default: nil
    }
  }

  /// A sentence with the cause of the failure, followed by the remedy if it is the same in every program.
  public var description: String {
    switch self {
    case .unknownPlace(let path, let suggestions):
      "Could not find \(quoted: path): no place has this path."
        + (suggestions.isEmpty ? "" : " Did you mean \(suggestions.map { "\(quoted: $0)" }.joined(separator: ", "))?")
    case .removedPlace(let path, let title, let survivor) where survivor.isRoot:
      "Could not open \(quoted: path): the course \(path.slugs.count == 1 ? "" : "of ")\(quoted: title) was removed. Import it "
        + "again to restore it with its history."
    case .removedPlace(let path, let title, let survivor):
      "Could not open \(quoted: path): \(quoted: title) is no longer in its course. The nearest remaining place is \(quoted: survivor)."
    case .notAnActivity(let path, let kind):
      "Could not show \(quoted: path): a \(kind.rawValue) has no text."
    case .notACourse(let path, let kind):
      kind == .root
        ? "Could not use \(quoted: path) as a course: it is the list of all courses. Name one of them."
        : "Could not use \(quoted: path) as a course: it is a part of a course. Name the course \(quoted: path.slugs[0])."
    case .noCards(let path):
      "Could not export the cards of \(quoted: path): the course contains no flashcards and no questions."
    case .missingNotes(let path):
      "Could not export \(quoted: path): its cards come from Anki, and their notes are not in this database, for example because "
        + "the course was synchronised. Import the deck from Anki again, then export it."
    case .cannotRename(let path, let reason): reason.description(for: path)
    case .queryTooLong(let characters):
      "Could not search: the query has \(characters) characters, and a query has at most "
        + "\(CourseLibrary.maximumQueryLength). Shorten it to the words that matter."
    case .unreadableSource(_, let description, _): description
    case .unknownOrigin(let path, let source):
      "Could not update \(quoted: path): it was imported from \(quoted: source), whose folder is not known."
    case .cannotWatch(let path, let reason):
      "Could not watch \(quoted: path): \(reason)."
    case .searchInterrupted:
      "Could not finish the search: it was interrupted. Search again."
    case .importCancelled(let source):
      "Could not import \(quoted: source): it was cancelled. Nothing was changed. Import it again if needed."
    case .importRefused(let refusal, let report): refusal.description(for: report)
    case .backupCancelled(let path):
      "Could not copy the database to \(quoted: path): the task was cancelled. No copy was written. Repeat it if needed."
    case .database(let error): error.description
    }
  }
}

/// The reason why an import was refused.
public enum ImportRefusal: Hashable, Sendable {
  /// The source has errors, which the diagnostics of the report describe.
  case badSource(errors: Int)
  /// The import would remove more than half of the places of the course.
  case removesMost(removed: Int, of: Int)
  /// The database contains a course with the same key that was imported in another format. `course` is that format.
  case otherFormat(course: String)

  fileprivate func description(for report: ImportReport) -> String {
    let course = report.course.map(\.description) ?? ""
    return switch self {
    // The diagnostic describes the problem and the remedy.
    case .badSource where report.format.isEmpty:
      "Could not import \(quoted: report.source): it cannot be read as a course. Nothing was changed."
    case .badSource(let errors):
      "Could not import \(quoted: report.source): it has \(errors == 1 ? "an error" : "\(errors) errors"). "
        + "Correct \(errors == 1 ? "it" : "them") and import again. Nothing was changed."
    case .removesMost(let removed, let count):
      "Could not import \(quoted: report.source): it would remove \(removed) of the \(count) places of \(quoted: course)."
    case .otherFormat(let format):
      "Could not import \(quoted: report.source): the course \(quoted: course) was imported from the format \(quoted: format), and this "
        + "source has the format \(quoted: report.format)."
    }
  }
}
