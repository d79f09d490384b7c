package import NavigationService

/// The columns of each CSV form: the keys of the JSON form, those of nested objects joined by a dot. They are the same for
/// every answer, also for one without a row, or with nulls in it.
package enum Fields {
  /// Of a place.
  package static let place = ["path", "kind", "title"]

  /// Of a place that is a member.
  package static func place(_ name: String) -> [String] { place.map { "\(name).\($0)" } }

  // MARK: - Lists

  package static let courses =
    place + ["revision", "counts.course", "counts.goal", "counts.lesson", "counts.activity", "progress"]
  package static let tree = place + ["depth", "position", "progress"]
  package static let search = place + ["score", "snippet", "breadcrumb"]
  package static let bookmarks = place + ["removed"]
  package static let notes = place + ["note", "text", "quote", "heading", "state", "createdAt", "changedAt"]
  package static let recents = place + ["lastVisit", "score"]
  package static let progress = place + ["done", "total", "learner"]
  package static let attempts = place + ["learner", "attempt", "score", "at"]
  package static let wrongAnswers = place + ["question", "answered", "right", "at"]
  package static let leaving = place + ["left", "done", "popped", "abandoned"]
  package static let nextFrom = place("to") + ["count", "share"]
  package static let learners = ["name"]
  package static let learnerImports = ["learner", "sessions", "steps", "activities", "unknownPlaces"]
  package static let formats = ["name", "summary", "goal", "lesson", "activity"]
  package static let imports =
    ["source", "format", "course", "title", "revision", "imported"]
    + ["added", "moved", "renamed", "changed", "removed", "unchanged"].map { "difference.\($0)" }
    + ["course", "goal", "lesson", "activity"].map { "counts.\($0)" } + ["losses", "diagnostics"]
  package static let sync =
    ["learner"] + ["sent", "received"].flatMap { way in ["steps", "activities", "facts"].map { "\(way).\($0)" } }
    + ["parted", "messages"]
  package static let history =
    ["id", "uuid", "learner", "session", "sequence", "operation", "traversal", "animated", "cause"]
    + transition + place("from") + place("to") + ["stack", "at", "leftAt", "dwellMs", "activeMs"]

  // MARK: - A server's reports

  package static let stuck = ["learner", "uuid", "path", "title", "begunAt", "lastAt", "unfinished"]
  package static let notBegun = ["learner", "uuid", "since"]
  package static let left = ["path", "title", "begun", "done", "left"]
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
  package static let whereabouts =
    place("place") + ["stack", "pathTaken"] + place("resume.last") + place("resume.firstUnfinished")
    + place("resume.next") + ["resume.reason"]
  package static let pastPlace = ["at", "learner", "session"] + place("place") + ["stack"] + event
  package static let databaseInfo = ["path", "bytes", "courses", "activities", "learners"]
  package static let databaseCheck = ["ok", "problems"]

  private static let transition = ["kind", "direction", "reason", "node"].map { "transition.\($0)" }
  private static let event = ["id", "sequence", "at"].map { "event.\($0)" }
}
