package import LearningModel
package import NavigationKit

package struct BookmarkRow: Encodable, Sendable {
  package let place: NamedPlace

  package init(place: NamedPlace) {
    self.place = place
  }

  private enum Key: String, CodingKey { case removed }

  /// Encodes `path`, `kind`, `title` and `removed`. `removed` is `true` if the course no longer contains the place.
  package func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(place.isRemoved, forKey: .removed)
  }
}

/// An exercise in a list.
package struct ExerciseRow: Encodable, Sendable {
  package let place: NamedPlace
  package let state: PlaceSummary.ExerciseState

  package init(place: NamedPlace, state: PlaceSummary.ExerciseState) { (self.place, self.state) = (place, state) }

  private enum Key: String, CodingKey { case state }

  /// Encodes `path`, `kind`, `title` and `state`.
  package func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(state.rawValue, forKey: .state)
  }
}

/// An exercise with its files. The solution is included only if the exercise is passed.
package struct ExerciseDescription: Encodable, Sendable {
  /// A file of an exercise. `text` is the learner's version if there is one, and `nil` for a file that is no text.
  package struct File: Encodable, Sendable {
    package let path, role: String
    package let text: String?

    package init(path: String, role: String, text: String?) { (self.path, self.role, self.text) = (path, role, text) }
  }

  package let place: NamedPlace
  package let state: PlaceSummary.ExerciseState
  /// The task as Markdown.
  package let task: String
  /// The number of hints.
  package let hints: Int
  /// Whether the work folder contains files of the exercise.
  package let isStarted: Bool
  /// The path of the work folder.
  package let folder: String
  package let files: [File]
  /// The explanation of the solution as Markdown. `nil` if the exercise is not passed.
  package let solution: String?

  package init(
    place: NamedPlace, state: PlaceSummary.ExerciseState, task: String, hints: Int, isStarted: Bool, folder: String,
    files: [File], solution: String?
  ) {
    (self.place, self.state, self.task, self.hints) = (place, state, task, hints)
    (self.isStarted, self.folder, self.files, self.solution) = (isStarted, folder, files, solution)
  }

  private enum Key: String, CodingKey { case state, task, hints, started, folder, files, solution }

  /// Encodes `path`, `kind` and `title` of the place, followed by the exercise.
  package func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(state.rawValue, forKey: .state)
    try container.encode(task, forKey: .task)
    try container.encode(hints, forKey: .hints)
    try container.encode(isStarted, forKey: .started)
    try container.encode(folder, forKey: .folder)
    try container.encode(files, forKey: .files)
    try container.encode(solution, forKey: .solution)
  }
}

package struct NoteRow: Encodable, Sendable {
  package let placed: PlacedNote
  /// The state of the quoted text: `there`, `gone` or `removed`.
  package let state: String

  package init(_ placed: PlacedNote, state: String) {
    (self.placed, self.state) = (placed, state)
  }

  private enum Key: String, CodingKey { case note, text, quote, heading, state, createdAt, changedAt, answer }

  /// Encodes `path`, `kind` and `title` of the note's place, followed by the note. If the note is a highlight, `text`
  /// is empty. `answer` is `null` unless the note is an own card.
  package func encode(to encoder: any Encoder) throws {
    try placed.place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    let note = placed.note
    try container.encode(note.id, forKey: .note)
    try container.encode(note.text, forKey: .text)
    try container.encode(note.anchor.quote, forKey: .quote)
    try container.encode(note.anchor.heading, forKey: .heading)
    try container.encode(state, forKey: .state)
    try container.encode(note.createdAt, forKey: .createdAt)
    try container.encode(note.changedAt, forKey: .changedAt)
    try container.encode(note.answer, forKey: .answer)
  }
}

/// The row of a question that was answered incorrectly in the last attempt at its quiz.
package struct WrongAnswerRow: Encodable, Sendable {
  package let quiz: NamedPlace
  package let question: String
  /// The texts of the ticked choices.
  package let answered: [String]
  /// The texts of the right choices.
  package let right: [String]
  /// The time of the attempt.
  package let at: Timestamp

  package init(quiz: NamedPlace, question: String, answered: [String], right: [String], at: Timestamp) {
    (self.quiz, self.question, self.answered, self.right, self.at) = (quiz, question, answered, right, at)
  }

  private enum Key: String, CodingKey { case question, answered, right, at }

  /// Encodes `path`, `kind` and `title` of the quiz, followed by the question.
  package func encode(to encoder: any Encoder) throws {
    try quiz.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(question, forKey: .question)
    try container.encode(answered, forKey: .answered)
    try container.encode(right, forKey: .right)
    try container.encode(at, forKey: .at)
  }
}

package struct LearnerRow: Encodable, Sendable {
  package let name: String

  package init(name: String) {
    self.name = name
  }
}

/// The columns of the CSV formats: the keys of the JSON format. The keys of nested objects are joined by a dot.
///
/// All rows of an answer have the same columns, which do not depend on the data.
package enum CSVColumns {
  package static let place = ["path", "kind", "title"]

  /// Returns the columns of a place that is a nested member.
  package static func place(_ name: String) -> [String] { place.map { "\(name).\($0)" } }

  // MARK: - Lists

  package static let courses =
    place + ["revision", "counts.course", "counts.goal", "counts.lesson", "counts.activity", "progress"]
  package static let exercises = place + ["state"]
  package static let exercise =
    place + ["state", "task", "hints", "started", "folder", "files", "solution"]
  package static let tree = place + ["depth", "position", "progress", "exercises", "passed"]
  package static let search = place + ["score", "snippet", "breadcrumb"]
  package static let bookmarks = place + ["removed"]
  package static let notes = place + ["note", "text", "quote", "heading", "state", "createdAt", "changedAt", "answer"]
  package static let recents = place + ["lastVisit", "score"]
  package static let progress = place + ["done", "total", "learner", "exercises", "passed"]
  package static let attempts = place + ["learner", "attempt", "score", "at", "card", "question"]
  package static let wrongAnswers = place + ["question", "answered", "right", "at"]
  package static let leaving = place + ["left", "done", "popped", "abandoned"]
  package static let nextFrom = place("to") + ["count", "share"]
  package static let learners = ["name"]
  package static let learnerImports = ["learner", "sessions", "steps", "activities", "unknownPlaces"]
  package static let formats = ["name", "summary", "goal", "lesson", "activity"]
  package static let imports =
    ["source", "format", "course", "title", "revision", "imported"]
    + ["added", "moved", "renamed", "changed", "removed", "unchanged"].map { "difference.\($0)" }
    + ["course", "goal", "lesson", "activity"].map { "counts.\($0)" } + [
      "losses", "diagnostics", "joined", "removedWithRecords",
    ]
  package static let sync =
    ["learner"]
    + ["sent", "received"].flatMap { direction in ["steps", "activities", "facts"].map { "\(direction).\($0)" } }
    + ["parted", "messages"]
  package static let history =
    ["id", "uuid", "learner", "session", "sequence", "operation", "traversal", "animated", "cause"]
    + transition + place("from") + place("to") + ["stack", "at", "leftAt", "dwellMs", "activeMs"]

  // MARK: - A server's reports

  package static let stuck = ["learner", "uuid", "path", "title", "begunAt", "lastAt", "unfinished"]
  package static let notBegun = ["learner", "uuid", "since"]
  package static let abandonedActivities = ["path", "title", "begun", "done", "left"]
  package static let retention = ["week", "learners", "active"]
  package static let classes = ["name", "createdAt", "members"]
  package static let move =
    ["all", "learners", "moved.steps", "moved.activities", "moved.facts", "moved.marks", "tokens", "classes"]
    + ["memberships", "erased", "renamed"]

  package static func statistics(by group: StatisticsGroup) -> [String] {
    let isPlace = [.place, .lesson, .goal, .course].contains(group)
    return (isPlace ? place(group.rawValue) : [group.rawValue]) + ["visits", "places", "activeMs", "turnedBack"]
  }

  // MARK: - Single values

  package static let step =
    ["operation", "performed", "traversal"] + place("from") + place("to")
    + transition + ["stack"] + event + ["message"]
  package static let currentLocation =
    place("place") + ["stack", "pathTaken", "session"] + place("resume.last") + place("resume.firstUnfinished")
    + place("resume.next") + ["resume.reason"]
  package static let pastPlace = ["at", "learner", "session"] + place("place") + ["stack"] + event
  package static let databaseInfo = ["path", "bytes", "courses", "activities", "learners"]
  package static let databaseCheck = ["ok", "problems"]

  private static let transition = ["kind", "direction", "reason", "node"].map { "transition.\($0)" }
  private static let event = ["id", "sequence", "at"].map { "event.\($0)" }
}
