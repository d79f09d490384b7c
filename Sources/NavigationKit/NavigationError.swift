public import LearningModel
public import LearningStore

/// Why a request could not be answered.
///
/// `description` states the cause. If the advice depends on the program, ``remedy`` has it.
public enum NavigationError: ExplainedError, Hashable {
  /// No place has that name. The nearest ones are suggested.
  case unknownPlace(name: String, nearest: [PlacePath])
  /// An import has taken the place out of its course.
  case removedPlace(title: String, nearest: NamedPlace)
  /// A push names a place that is not a child of the current one.
  case notAChild(place: PlacePath, of: PlacePath)
  /// A `popTo` names a place that the stack does not hold.
  case notOnStack(place: PlacePath, current: PlacePath)
  /// A `select` names a place that has another parent.
  case notASibling(place: PlacePath, of: PlacePath)
  /// Something can be done in activities only.
  case notAnActivity(place: PlacePath)
  /// A note's text has more characters than `Note.longestText`.
  case noteTooLong
  /// No learner of the database has that name. The nearest ones are suggested.
  case unknownLearner(name: String, nearest: [String])
  /// A new learner cannot have that name: it is empty, reserved, too long or contains forbidden characters.
  case unusableName(name: String)
  /// The name differs from the name of a known learner only in case, white space or invisible characters.
  case similarName(name: String, known: String)
  /// No session has that number or name.
  case unknownSession(name: String)
  /// A time is written in a way that is not understood.
  case unknownTime(text: String)
  /// A period of the history ends before it begins.
  case reversedPeriod(since: Timestamp, until: Timestamp)
  /// A filter of the history is called by a name that none has.
  case unknownFilter(name: String, nearest: [String])
  /// A filter of the history is given a value that it does not know.
  case unknownFilterValue(filter: String, value: String, known: [String])
  /// No time zone has that name.
  case unknownTimeZone(name: String)
  /// A file is no learner's file.
  case unreadableLearner(file: String, found: String)
  /// A learner who is to be erased is in a session that lives.
  case learnerIsHere(name: String)
  /// The system keeps no lock for the session.
  case noSessionLock(path: String, reason: String)
  /// Another program kept the database busy for longer than the caller waits. Nothing was done.
  case busy
  /// The task was cancelled while it waited for another writer. Nothing was done.
  case cancelled
  /// The database could not be opened, read or written.
  case database(LearningDatabaseError)
}

extension NavigationError {
  /// The kind of the failure.
  public var kind: FailureKind {
    switch self {
    case .unknownPlace, .unknownLearner, .unknownSession: .notFound
    case .removedPlace, .notAChild, .notOnStack, .notASibling, .notAnActivity, .noteTooLong: .refused
    case .cancelled, .unknownTime, .reversedPeriod, .unknownTimeZone, .unusableName, .similarName, .unknownFilter,
      .unknownFilterValue:
      .refused
    case .noSessionLock: .cannotCreate
    case .unreadableLearner: .badData
    case .busy, .learnerIsHere: .tryAgain
    case .database(let error): error.kind
    }
  }

  /// The advice, if each program offers it in its own way; `nil` if `description` includes it.
  public var remedy: Remedy? {
    switch self {
    case .unknownPlace(_, let nearest): nearest.isEmpty ? .listPlaces : nil
    case .unknownLearner(_, let nearest): nearest.isEmpty ? .listLearners : nil
    case .unknownSession: .listSessions
    case .unreadableLearner: .chooseLearnerExport
    case .database(let error): error.remedy
    default: nil
    }
  }

  /// The cause of the failure, and the advice that fits every program.
  public var description: String {
    switch self {
    case .unknownPlace(let name, let nearest):
      "Could not find '\(name)': no place has this path." + Self.suggestion(nearest.map(\.description))
    case .removedPlace(let title, let nearest):
      "Could not open '\(title)': it is not in the course any more. "
        + "The nearest place that is: '\(nearest.path)' (\(nearest.title))."
    case .notAChild(let place, let current):
      "Could not push '\(place)': it is not a child of '\(current)'. "
        + "Use open to go anywhere, or push one of the places listed there."
    case .notOnStack(let place, let current):
      "Could not pop to '\(place)': it is not above '\(current)'. Use open to go anywhere."
    case .notASibling(let place, let current):
      "Could not select '\(place)': it is not beside '\(current)'. Use open to go anywhere."
    case .notAnActivity(let place):
      "Could not record anything in '\(place)': it is not an activity. Name one of the activities in it."
    case .noteTooLong:
      "Could not save the note: it is longer than \(Note.longestText) characters. Shorten it, or write two notes."
    case .unknownLearner(let name, let nearest):
      "Could not find learner '\(name)': there is no learner with this name." + Self.suggestion(nearest)
    case .unusableName(let name):
      "Could not call a learner '\(name.count > 40 ? name.prefix(40) + "…" : name)': "
        + "\(LearnerName.fault(of: LearnerName.trimmed(name)) ?? .empty). Write another one."
    case .similarName(let name, let known):
      "Could not add a learner '\(name)': '\(known)' is known here, and the two names differ only in case, spaces or "
        + "invisible characters. Use '\(known)', or write a name that differs in its letters."
    case .unknownSession(let name):
      "Could not find session '\(name)': no session has this number or name."
    case .unknownTime(let text):
      "Could not read the time '\(text)': it is in none of the known forms. "
        + "Write 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 'tuesday 10:15', or 10m, 3h, 7d or 2w for that long ago."
    case .reversedPeriod(let since, let until):
      "Could not search the history from \(Self.seconds(since)) to \(Self.seconds(until)): the end is before the start. "
        + "Exchange the two times; 2h ago is before 1h ago."
    case .unknownFilter(let name, let nearest):
      "Could not filter by '\(name)': no filter of the history is called so. "
        + (nearest.isEmpty
          ? "Write one of \(HistoryCriteria.wordNames.joined(separator: ", ")), or the words without the colon."
          : "Did you mean \(nearest.joined(separator: " or "))?")
    case .unknownFilterValue(let filter, let value, let known):
      "Could not filter by '\(filter):\(value)': it is none of those that there are. Write \(filter): and one of "
        + known.joined(separator: ", ") + "."
    case .unknownTimeZone(let name):
      "Could not use the time zone '\(name)': no zone has this name. Write it as Europe/Lisbon or UTC."
    case .unreadableLearner(let file, let found):
      "Could not import a learner from '\(file)': \(found)."
    case .learnerIsHere(let name):
      "Could not erase anything of learner '\(name)': their browser is open, and would record more. "
        + "Close it and try again."
    case .noSessionLock(let path, let reason):
      "Could not begin a session at '\(path)': its lock cannot be made (\(reason)). "
        + "Make sure that the folder can be written."
    case .busy:
      "Could not write the step: another program is keeping the database busy. Try again when it has finished."
    case .cancelled:
      "Could not write the step: the task was cancelled. Nothing was changed; repeat it if it is still wanted."
    case .database(let error):
      error.description
    }
  }

  /// The time without its milliseconds.
  private static func seconds(_ time: Timestamp) -> String { time.description.prefix(19) + "Z" }

  private static func suggestion(_ nearest: [String]) -> String {
    nearest.isEmpty ? "" : " Did you mean " + nearest.map { "'\($0)'" }.joined(separator: ", ") + "?"
  }
}
