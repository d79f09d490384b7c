import NavigationService

/// The columns of each CSV form: the keys of the JSON form, those of nested objects joined by a dot. They are the same for
/// every answer, also for one without a row, or with nulls in it.
enum Fields {
  /// Of a place.
  static let place = ["path", "kind", "title"]

  /// Of a place that is a member.
  static func place(_ name: String) -> [String] { place.map { "\(name).\($0)" } }

  // MARK: - Lists

  static let courses =
    place + ["revision", "counts.course", "counts.goal", "counts.lesson", "counts.activity", "progress"]
  static let tree = place + ["depth", "position", "progress"]
  static let search = place + ["score", "snippet", "breadcrumb"]
  static let bookmarks = place + ["removed"]
  static let recents = place + ["lastVisit", "score"]
  static let progress = place + ["done", "total", "learner"]
  static let attempts = place + ["learner", "attempt", "score", "at"]
  static let leaving = place + ["left", "done", "popped", "abandoned"]
  static let nextFrom = place("to") + ["count", "share"]
  static let learners = ["name"]
  static let learnerImports = ["learner", "sessions", "steps", "activities", "unknownPlaces"]
  static let formats = ["name", "summary", "goal", "lesson", "activity"]
  static let imports =
    ["source", "format", "course", "title", "revision", "imported"]
    + ["added", "moved", "renamed", "changed", "removed", "unchanged"].map { "difference.\($0)" }
    + ["course", "goal", "lesson", "activity"].map { "counts.\($0)" } + ["losses", "diagnostics"]
  static let history =
    ["id", "uuid", "learner", "session", "sequence", "operation", "traversal", "animated", "cause"]
    + ["transition.kind", "transition.direction", "transition.reason"] + place("from") + place("to")
    + ["stack", "at", "leftAt", "dwellMs", "activeMs"]

  static func statistics(by group: StatisticsGroup) -> [String] {
    let isPlace = [.place, .lesson, .goal, .course].contains(group)
    return (isPlace ? place(group.rawValue) : [group.rawValue]) + ["visits", "places", "activeMs", "turnedBack"]
  }

  // MARK: - Single values

  static let step =
    ["operation", "performed", "traversal"] + place("from") + place("to")
    + ["kind", "direction", "reason", "node"].map { "transition.\($0)" } + ["stack"] + event + ["message"]
  static let whereabouts =
    place("place") + ["stack", "pathTaken"] + place("resume.last") + place("resume.firstUnfinished")
    + place("resume.next") + ["resume.reason"]
  static let pastPlace = ["at", "learner", "session"] + place("place") + ["stack"] + event
  static let databaseInfo = ["path", "bytes", "courses", "activities", "learners"]
  static let databaseCheck = ["ok", "problems"]

  private static let event = ["id", "sequence", "at"].map { "event.\($0)" }
}
