public import LearningModel
public import LearningStore

/// The reason why a request failed.
///
/// ``description`` explains the cause. If the remedy depends on the program, it is in ``remedy`` instead of the
/// description.
public enum NavigationError: ExplainedError, Hashable {
  /// No place has this name. `nearest` contains paths with similar names.
  case unknownPlace(name: String, nearest: [PlacePath])
  /// The place was removed from its course by an import. `nearest` is the nearest place that still exists.
  case removedPlace(title: String, nearest: NamedPlace)
  /// The destination of a push is not a child of the current place.
  case notAChild(place: PlacePath, of: PlacePath)
  /// The destination of a `popTo` is not on the stack.
  case notOnStack(place: PlacePath, current: PlacePath)
  /// The destination of a `select` is not a sibling of the current place.
  case notASibling(place: PlacePath, of: PlacePath)
  /// The request is possible in activities only, and the place is not an activity.
  case notAnActivity(place: PlacePath)
  /// A note's text has more characters than `Note.maximumTextLength`.
  case noteTooLong
  /// The setting is one of a course or of all courses, and the place is inside of a course.
  case notACourse(place: PlacePath, course: PlacePath)
  /// The activity contains no card with this key.
  case unknownCard(key: String, place: PlacePath)
  /// No card has this tag.
  case unknownTag(name: String)
  /// A card that is to be changed or deleted is part of the course.
  case notOwnCard(key: String, place: PlacePath)
  /// The card has changed since it was shown, because it was answered in another program.
  case cardChanged
  /// A card cannot be made of these texts.
  case cardText(problem: String)
  /// The value of a review setting is outside its range.
  case reviewSetting(name: String, value: String, range: String)
  /// The log has too few answers to fit the weights of the memory model. See ``ReviewFit/leftOut``.
  case tooFewAnswers(count: Int, needed: Int, leftOut: [PlacePath])
  /// No learner in the database has this name. `nearest` contains similar names.
  case unknownLearner(name: String, nearest: [String])
  /// The name cannot be given to a new learner or class: it is empty, reserved, too long or contains forbidden characters.
  case unusableName(name: String)
  /// The name differs from the name of a known learner only in case, white space or invisible characters.
  case similarName(name: String, known: String)
  /// No session has this number, UUID or name.
  case unknownSession(name: String)
  /// The text of a time is in an unknown format.
  case unknownTime(text: String)
  /// A period of the history ends before it begins.
  case reversedPeriod(since: Timestamp, until: Timestamp)
  /// A filter of the history does not exist. `nearest` contains the names of similar filters.
  case unknownFilter(name: String, nearest: [String])
  /// The value of a filter of the history is not valid. `known` contains the valid values.
  case unknownFilterValue(filter: String, value: String, known: [String])
  /// No time zone has this name.
  case unknownTimeZone(name: String)
  /// A file is not a learner's file, for the reason in `problem`.
  case unreadableLearner(file: String, problem: String)
  /// The learner to be erased has a session that is still open in a running process.
  case learnerIsHere(name: String)
  /// A quotation mark in a query has no second one. `text` begins with the mark.
  case openQuotation(text: String)
  /// The lock of a new session could not be created. `reason` is the message of the operating system.
  case noSessionLock(path: String, reason: String)
  /// Another program kept the database locked for longer than the caller waits. Nothing was written.
  case busy
  /// The task was cancelled while it waited for another writer. Nothing was written.
  case cancelled
  /// The access token of a request has expired, or was revoked or erased, before the request could write.
  case invalidToken
  /// The database could not be opened, read or written.
  case database(LearningDatabaseError)
}

extension NavigationError {
  /// The kind of the failure.
  public var kind: FailureKind {
    switch self {
    case .unknownPlace, .unknownLearner, .unknownSession, .unknownCard, .unknownTag: .notFound
    case .removedPlace, .notAChild, .notOnStack, .notASibling, .notAnActivity, .noteTooLong: .refused
    case .notACourse, .cardChanged, .cardText, .notOwnCard, .tooFewAnswers, .cancelled, .similarName, .invalidToken:
      .refused
    case .unknownTime, .reversedPeriod, .unknownTimeZone, .unusableName, .unknownFilter, .unknownFilterValue,
      .openQuotation, .reviewSetting:
      .invalidArgument
    case .noSessionLock: .cannotCreate
    case .unreadableLearner: .badData
    case .busy, .learnerIsHere: .tryAgain
    case .database(let error): error.kind
    }
  }

  /// The remedy, if it depends on the program. `nil` if no remedy is known, or if `description` includes it.
  public var remedy: Remedy? {
    switch self {
    case .unknownPlace(_, let nearest): nearest.isEmpty ? .listPlaces : nil
    case .unknownLearner(_, let nearest): nearest.isEmpty ? .listLearners : nil
    case .notAnActivity(let place): .listActivities(of: place)
    case .unknownCard(_, let place): .listCards(of: place)
    case .tooFewAnswers(_, _, let leftOut): leftOut.isEmpty ? nil : .fitCourse
    case .unknownSession: .listSessions
    case .unreadableLearner: .chooseLearnerExport
    case .database(let error): error.remedy
    default: nil
    }
  }

  /// A sentence with the cause of the failure, followed by the remedy if it is the same in every program.
  public var description: String {
    switch self {
    case .unknownPlace(let name, let nearest):
      "Could not find \(quoted: name): no place has this path." + Self.suggestion(nearest.map(\.description))
    case .removedPlace(let title, let nearest):
      "Could not open \(quoted: title): it is no longer in the course. The nearest remaining place is \(quoted: nearest.path) "
        + "(\(nearest.title))."
    case .notAChild(let place, let current):
      "Could not push \(quoted: place): it is not a child of \(quoted: current). "
        + "Use open to go anywhere, or push one of the places listed there."
    case .notOnStack(let place, let current):
      "Could not pop to \(quoted: place): it is not above \(quoted: current). Use open to go anywhere."
    case .notASibling(let place, let current):
      "Could not select \(quoted: place): it is not a sibling of \(quoted: current). Use open to go anywhere."
    case .notAnActivity(let place):
      "Could not record anything in \(quoted: place): it is not an activity."
    case .noteTooLong:
      "Could not save the note: it is longer than \(Note.maximumTextLength) characters. Shorten it, or write two notes."
    case .notACourse(let place, let course):
      "Could not use review settings of \(quoted: place): a setting applies to a course or to all courses. Use \(quoted: course)."
    case .unknownCard(let key, let place):
      "Could not find card \(quoted: key) in \(quoted: place): no card there has this key, or several have keys that begin with it."
    case .unknownTag(let name):
      "Could not find cards with the tag \(quoted: name): no card has this tag. Check its spelling."
    case .notOwnCard(let key, let place):
      "Could not change card \(quoted: key) in \(quoted: place): it is part of the course. Change it in the source of the course, "
        + "for a card from Anki in Anki, and import the course again: the card keeps its schedule."
    case .cardChanged:
      "Could not record the answer: the card was changed in another program after it was shown. It is shown again when it is due."
    case .cardText(let problem):
      "Could not make the card: \(problem). Change the text and try again."
    case .reviewSetting(let name, let value, let range):
      "Could not set \(name) to \(value): the value must be from \(range). Choose a value in this range."
    case .tooFewAnswers(let count, let needed, let leftOut):
      "Could not fit the weights: "
        + (count < needed
          ? "the log has \(count) \(count == 1 ? "answer" : "answers") that can be used, and \(needed) are needed"
          : "no card was answered again on a later day")
        + ". Answer more cards and try again later. Until then, the weights are unchanged."
        + ReviewFit.note(on: leftOut)
    case .unknownLearner(let name, let nearest):
      "Could not find learner \(quoted: name): there is no learner with this name." + Self.suggestion(nearest)
    case .unusableName(let name):
      "Could not use \(quoted: name) as a name: "
        + "\(LearnerName.fault(of: LearnerName.trimmed(name)) ?? .empty). Choose another name."
    case .similarName(let name, let known):
      "Could not add learner \(quoted: name): the name differs from that of learner \(quoted: known) only in case, spaces or "
        + "invisible characters. Use \(quoted: known), or choose a name with different letters."
    case .unknownSession(let name):
      "Could not find session \(quoted: name): no session has this number or name."
    case .unknownTime(let text):
      "Could not read the time \(quoted: text): the format is not supported. Use 2026-11-20, 2026-11-20T10:15, 10:15, "
        + "yesterday, 'tuesday 10:15', or a time before now such as 10m, 3h, 7d or 2w."
    case .reversedPeriod(let since, let until):
      "Could not search the history from \(Self.seconds(since)) to \(Self.seconds(until)): the end is before the start. "
        + "Swap the two times; 2h ago is before 1h ago."
    case .unknownFilter(let name, let nearest):
      "Could not filter by \(quoted: name): the history has no such filter. "
        + (nearest.isEmpty
          ? "Use one of \(HistoryCriteria.wordNames.joined(separator: ", ")), or write the words without the colon."
          : "Did you mean \(nearest.joined(separator: " or "))?")
    case .unknownFilterValue(let filter, let value, let known):
      "Could not filter by \(quoted: "\(filter):\(value)"): this filter has no such value. "
        + (known.isEmpty ? "Write one after the colon." : "Use \(filter): and one of \(known.joined(separator: ", ")).")
    case .openQuotation(let text):
      "Could not search for \(quoted: text): the quotation mark has no second one. Add it, or omit both."
    case .unknownTimeZone(let name):
      "Could not use the time zone \(quoted: name): there is no time zone with this name. Use a name such as Europe/Lisbon "
        + "or UTC."
    case .unreadableLearner(let file, let problem):
      "Could not import a learner from \(quoted: file): \(problem)."
    case .learnerIsHere(let name):
      "Could not erase data of learner \(quoted: name): the learner's browser is open and would record new data. "
        + "Close it and try again."
    case .noSessionLock(let path, let reason):
      "Could not begin a session at \(quoted: path): its lock file cannot be created (\(reason)). Check that the folder is "
        + "writable."
    case .busy:
      "Could not write to the database: another program is keeping it busy. Try again when it has finished."
    case .invalidToken:
      "Could not write to the database: the access token is not valid any more. Ask for a new token."
    case .cancelled:
      "Could not write to the database: the task was cancelled. Nothing was changed. Repeat it if needed."
    case .database(let error):
      error.description
    }
  }

  /// Checks that each quotation mark of a complete query has a second one.
  ///
  /// - Throws: ``openQuotation(text:)``.
  package static func checkQuotation(of query: String, marks: String = "\"“”") throws(NavigationError) {
    let found = query.indices.filter { marks.contains(query[$0]) }
    if let last = found.last, !found.count.isMultiple(of: 2) { throw .openQuotation(text: String(query[last...])) }
  }

  /// Returns a time without milliseconds.
  private static func seconds(_ time: Timestamp) -> String { time.description.dropLast(5) + "Z" }

  private static func suggestion(_ nearest: [String]) -> String {
    nearest.isEmpty ? "" : " Did you mean " + nearest.map { "\(quoted: $0)" }.joined(separator: ", ") + "?"
  }
}
