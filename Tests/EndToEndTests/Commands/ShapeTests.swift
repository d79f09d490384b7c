import Foundation
import Testing

/// The keys of each answer and their order, which scripts rely on. They are the same in JSON, JSON Lines and CSV.
struct ShapeTests {
  /// A command, the keys of its rows with dots for nested objects, and whether the answer is a list.
  struct Shape: CustomTestStringConvertible {
    let words: [String]
    let keys: [String]
    var isList = true

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let place = ["path", "kind", "title"]
  private static func place(_ name: String) -> [String] { place.map { "\(name).\($0)" } }
  private static let counts = ["counts.course", "counts.goal", "counts.lesson", "counts.activity"]
  private static let event = ["event.id", "event.sequence", "event.at"]
  private static let offers = "english-for-business/negotiating/opening-offers"
  private static let row =
    ["id", "uuid", "learner", "session", "sequence", "operation", "traversal", "animated", "cause"]
    + ["transition.kind", "transition.direction", "transition.reason", "transition.node"] + place("from") + place("to")
    + ["stack", "at", "leftAt", "dwellMs", "activeMs"]
  private static let step =
    ["operation", "performed", "traversal"] + place("from") + place("to")
    + ["transition.kind", "transition.direction", "transition.reason", "transition.node", "stack"] + event + ["message"]
  private static let numbers = ["visits", "places", "activeMs", "turnedBack"]

  static let shapes =
    [
      Shape(words: ["courses"], keys: place + ["revision"] + counts + ["progress"]),
      Shape(words: ["tree", "--depth", "2"], keys: place + ["depth", "position", "progress", "exercises", "passed"]),
      Shape(words: ["search", "offer", "--limit", "3"], keys: place + ["score", "snippet", "breadcrumb"]),
      Shape(words: ["bookmarks"], keys: place + ["removed"]),
      Shape(
        words: ["notes"],
        keys: place + ["note", "text", "quote", "heading", "state", "createdAt", "changedAt", "answer"]),
      Shape(words: ["recents"], keys: place + ["lastVisit", "score"]),
      Shape(words: ["progress"], keys: place + ["done", "total", "learner", "exercises", "passed"]),
      Shape(
        words: ["progress", offers, "--by", "learner"],
        keys: place + ["done", "total", "learner", "exercises", "passed"]),
      Shape(words: ["attempts"], keys: place + ["learner", "attempt", "score", "at", "card", "question"]),
      Shape(words: ["attempts", "--wrong"], keys: place + ["question", "answered", "right", "at"]),
      Shape(words: ["history"], keys: row), Shape(words: ["history", "replay", "--session", "shell"], keys: row),
      Shape(words: ["history", "next-from", offers], keys: place("to") + ["count", "share"]),
      Shape(words: ["history", "leaving"], keys: place + ["left", "done", "popped", "abandoned"]),
      Shape(words: ["learners"], keys: ["name"]),
      Shape(words: ["formats"], keys: ["name", "summary", "goal", "lesson", "activity"]),
      Shape(
        words: ["import", "--bundled", "--dry-run"],
        keys: ["source", "format", "course", "title", "revision", "imported"]
          + ["added", "moved", "renamed", "changed", "removed", "unchanged"].map { "difference.\($0)" } + counts
          + ["losses", "diagnostics", "joined", "removedWithRecords"]),
      Shape(words: ["nav", "pop", "--dry-run"], keys: step, isList: false),
      Shape(
        words: ["nav", "next", "--session", "at-root", "--learner", "new", "--dry-run"], keys: step, isList: false),
      Shape(
        words: ["where"],
        keys: place("place") + ["stack", "pathTaken", "session"] + place("resume.last")
          + place("resume.firstUnfinished")
          + place("resume.next") + ["resume.reason"], isList: false),
      Shape(
        words: ["history", "at", "now"], keys: ["at", "learner", "session"] + place("place") + ["stack"] + event,
        isList: false),
      Shape(
        words: ["history", "at", "2001-01-01"],
        keys: ["at", "learner", "session"] + place("place") + ["stack"] + event, isList: false),
      Shape(
        words: ["database", "info"], keys: ["path", "bytes", "courses", "activities", "learners"], isList: false),
      Shape(words: ["database", "check"], keys: ["ok", "problems"], isList: false),
    ]
    + ["place", "lesson", "goal", "course"].map {
      Shape(words: ["history", "stats", "--by", $0], keys: place($0) + numbers)
    }
    + ["learner", "session", "day", "week", "hour", "operation", "transition"].map {
      Shape(words: ["history", "stats", "--by", $0], keys: [$0] + numbers)
    }

  private static let walked = Result {
    try HomeFixture.original { home in
      try HomeFixture.walk(home)
      for command in [
        ["bookmarks", "add", offers], ["progress", "mark", offers + "/read-the-brief", "done"],
        ["notes", "add", offers + "/who-speaks-first", "Mine, \"all\" mine"],
        ["nav", "open", offers], ["nav", "push", "who-speaks-first"], ["nav", "pop"],
      ] { _ = try home.waymark(command) }
    }
  }

  @Test(arguments: shapes) func `an answer has the same content in every format`(shape: Shape) throws {
    let home = try HomeFixture(copying: Self.walked)
    func ask(_ format: String) throws -> String {
      let answer = try home.waymark(shape.words + ["--format", format])
      #expect(answer.code == 0 && answer.errors == "", "\(answer)")
      return answer.output
    }

    let json = try #require(try ask("json").json)
    let lines = try ask("jsonl").lines.map { $0.json }
    let cells = try Self.cells(of: ask("csv"))
    let table = try ask("table")

    let rows = try #require(shape.isList ? json as? [[String: Any]] : (json as? [String: Any]).map { [$0] })
    #expect(Set(rows.flatMap { Self.keys(of: $0) }).isSubset(of: shape.keys))
    #expect(lines.count == rows.count && cells.count == rows.count + 1)
    #expect(cells.first == shape.keys)
    #expect(!table.isEmpty && !table.contains("\u{1B}"))
    // The time of the request and the scores that depend on it differ between the calls.
    let changingKeys: Set = ["at", "score"]
    for (number, row) in rows.enumerated() {
      let line = lines[number] as? [String: Any] ?? [:]
      for (key, cell) in zip(shape.keys, cells[number + 1]) where !changingKeys.contains(key) {
        #expect(Self.text(row, key) == cell, "\(key)")
        #expect(Self.text(line, key) == cell, "\(key)")
      }
    }
  }

  @Test(arguments: shapes.filter(\.isList)) func `an empty CSV answer contains the names of its columns`(
    shape: Shape
  ) throws {
    let home = try HomeFixture()

    let answer = try home.waymark(shape.words + ["--format", "csv"])

    // Commands that name a place or a session fail in an empty database.
    guard answer.code == 0 else { return #expect(answer.code == 66) }
    #expect(answer.output.hasPrefix(shape.keys.joined(separator: ",") + "\n"))
  }

  // MARK: - Parsing

  private static func keys(of object: [String: Any], under prefix: String = "") -> [String] {
    object.flatMap { key, value in
      (value as? [String: Any]).map { keys(of: $0, under: prefix + key + ".") }
        // A missing object is `null` under its own key, for which CSV has no column.
        ?? (value is NSNull
          && ["transition", "from", "place", "event", "message", "last", "next", "firstUnfinished"]
            .contains(key)
          ? [] : [prefix + key])
    }
  }

  /// Returns a member in the format of CSV.
  private static func text(_ object: [String: Any], _ key: String) -> String {
    var value: Any? = object
    for name in key.split(separator: ".") { value = (value as? [String: Any])?[String(name)] }
    switch value {
    case nil, is NSNull: return ""
    case let paths as [String] where ["stack", "pathTaken"].contains(key): return paths.joined(separator: " ")
    case let list as [Any]: return canonical(list)
    case let number as NSNumber:
      let isTruth = String(cString: number.objCType) == String(cString: NSNumber(value: true).objCType)
      return isTruth ? "\(number.boolValue)" : "\(number)"
    default: return "\(value!)"
    }
  }

  private static func canonical(_ list: [Any]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: list, options: [.withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// Parses CSV.
  ///
  /// Source: RFC 4180.
  private static func cells(of text: String) throws -> [[String]] {
    var rows: [[String]] = [[]]
    var cell = ""
    var isQuoted = false
    var characters = text.unicodeScalars[...]
    while let character = characters.popFirst() {
      switch character {
      case "\"" where isQuoted && characters.first == "\"": cell.unicodeScalars.append(characters.removeFirst())
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        rows[rows.count - 1].append(cell)
        cell = ""
      case "\n" where !isQuoted:
        rows[rows.count - 1].append(cell)
        cell = ""
        rows.append([])
      default: cell.unicodeScalars.append(character)
      }
    }
    return rows.dropLast()
  }
}
