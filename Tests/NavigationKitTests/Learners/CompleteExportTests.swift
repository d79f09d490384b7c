import Foundation
import GRDB
import LearningModel
import NavigationKit
import Testing

/// Tests that a learner's file contains all data about them. Compares the file with the tables, so that a new column
/// fails the test.
struct CompleteExportTests {
  /// The member of the file for each column of each table about learners or sessions, or in parentheses the reason for
  /// its absence.
  static let columns: [String: [String: String]] = [
    "learner": ["id": "(number here)", "uuid": "uuid", "name": "name", "createdAt": "createdAt"],
    "session": [
      "id": "(number here)", "uuid": "sessions.uuid", "learner": "(the file's)", "name": "sessions.name",
      "timeZone": "sessions.timeZone", "lockFile": "(of this machine)", "startedAt": "sessions.startedAt",
      "lastInputAt": "sessions.lastInputAt", "activeMs": "sessions.activeMs", "endedAt": "sessions.endedAt",
      "replica": "sessions.replica",
    ],
    "navigationEvent": [
      "id": "(the order)", "uuid": "steps.uuid", "learner": "(the file's)", "session": "steps.session",
      "sequence": "steps.sequence", "operation": "steps.operation", "returnsTo": "steps.returnsTo",
      "transition": "steps.transition.kind", "direction": "steps.transition.direction",
      "reason": "steps.transition.reason", "movingNode": "steps.transition.node", "animated": "steps.animated",
      "cause": "steps.cause", "fromKind": "steps.from.kind", "fromNode": "steps.from.node", "toKind": "steps.to.kind",
      "toNode": "steps.to.node", "stack": "steps.stack", "at": "steps.at", "clock": "(follows from at)",
      "leftAt": "steps.leftAt", "activeMs": "steps.activeMs", "courseRevision": "steps.courseRevision",
    ],
    "activityEvent": [
      "id": "(the order)", "uuid": "activities.uuid", "learner": "(the file's)", "session": "activities.session",
      "sequence": "activities.sequence", "node": "activities.node", "kind": "activities.kind",
      "detail": "activities.detail", "score": "activities.score",
      "at": "activities.at", "orderedAt": "activities.orderedAt",
    ],
    "bookmark": ["learner": "(the file's)", "node": "bookmarks.node", "createdAt": "bookmarks.createdAt"],
    "readingPosition": [
      "learner": "(the file's)", "node": "positions.node", "block": "positions.block",
      "blockOffset": "positions.blockOffset", "fraction": "positions.fraction", "heading": "positions.heading",
      "savedAt": "positions.savedAt",
    ],
    "passageRead": [
      "learner": "(the file's)", "node": "passages.node", "digest": "passages.digest",
      "characters": "passages.characters", "savedAt": "passages.savedAt",
    ],
    "unfinishedQuiz": [
      "learner": "(the file's)", "node": "quizzes.node", "questions": "quizzes.questions",
      "answers": "quizzes.answers", "question": "quizzes.question", "isChecked": "quizzes.isChecked",
      "savedAt": "quizzes.savedAt",
    ],
    "factChange": [
      "learner": "(the file's)", "kind": "changes.kind", "node": "(0 for none)", "name": "('' for none)",
      "stamp": "changes.stamp", "replica": "changes.replica",
    ],
    "otherFact": [
      "learner": "(the file's)", "kind": "others.kind", "node": "(0 for none)", "name": "('' for none)",
      "value": "others.value", "savedAt": "others.savedAt",
    ],
    "learnerSetting": ["learner": "(the file's)", "name": "settings", "value": "settings"],
  ]

  /// Tables that are derived from the logs, temporary, or about erased data.
  static let derived: Set = [
    "stackEntry", "visitEntry", "visitUnder", "placeScore", "progress", "placeProgress", "erasure", "visitNamed",
    "merging", "erasedFrom", "erasedSpan", "note", "cardMemory",
    "cardsMet", "madeCard", "reviewDay", "staleMemory",
  ]

  /// Tables of a server that are not exported: access rights are valid on one server only, and its audit belongs to it.
  static let ofServer: Set = ["accessToken", "learnerAudit", "member"]

  @Test func `every column about learners is exported or derived from exported ones`() throws {
    let fixture = try NavigationFixture()

    let columns = try fixture.write { database in
      let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table in
          (table, try Set(String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])))
        }
      ).filter { $0.key == "learner" || $0.value.contains("learner") || $0.value.contains("session") }
    }

    #expect(
      columns.filter { !Self.derived.union(Self.ofServer).contains($0.key) } == Self.columns.mapValues { Set($0.keys) })
    #expect(Set(columns.keys) == Self.derived.union(Self.columns.keys).union(Self.ofServer))
  }

  @Test func `every value of a long history is in the learner's file`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try fixture.service("ben").live(50, seed: 3, on: fixture)
    try ada.live(400, seed: 4, on: fixture)
    try ada.set("dark", forSetting: "theme")
    // Data that a later version of the program has stored.
    try fixture.write { database in
      try database.execute(
        sql: """
          INSERT INTO otherFact SELECT learner, 'pace', node, '', 'slow', createdAt FROM bookmark;
          INSERT INTO factChange SELECT learner, kind, node, name, savedAt, '' FROM otherFact;
          """)
    }
    let file = try #require(
      try JSONSerialization.jsonObject(with: Data(ada.file(of: "ada").utf8)) as? [String: Any])
    let nodes = try #require(file["nodes"] as? [[String: Any]]).map { $0["key"] as? String ?? "" }

    for (table, columns) in Self.columns {
      let rows = try fixture.write { database in
        let owner = table == "learner" ? "name = 'ada'" : "learner = (SELECT id FROM learner WHERE name = 'ada')"
        return try Row.fetchAll(database, sql: "SELECT * FROM \(table) WHERE \(owner)")
      }
      #expect(!rows.isEmpty, "\(table) has no rows to compare")
      for (column, member) in columns where !member.hasPrefix("(") && member != "settings" {
        let path = member.split(separator: ".").map(String.init)
        let list = path.count == 1 ? [file] : try #require(file[path[0]] as? [[String: Any]])
        let written = list.map { Self.text($0, Array(path.count == 1 ? path[...] : path.dropFirst()), nodes) }
        let stored = try rows.map { try Self.text($0[column] as DatabaseValue, column, fixture) }
        #expect(written.sorted() == stored.sorted(), "\(table).\(column)")
      }
    }
    #expect(file["settings"] as? [String: String] == ["theme": "dark"])
  }

  /// Returns a member of the file as comparable text.
  private static func text(_ object: [String: Any], _ path: [String], _ nodes: [String]) -> String {
    var value: Any? = object
    for name in path { value = (value as? [String: Any])?[name] }
    if path.last == "node", let number = value as? Int { return nodes[number] }
    if path == ["stack"], let stack = value as? [Int] { return stack.map { nodes[$0] }.joined(separator: " ") }
    switch value {
    case nil: return ""
    case let number as NSNumber: return "\(number.doubleValue)"
    default: return "\(value!)"
    }
  }

  /// Returns a column's value in the same format.
  private static func text(_ value: DatabaseValue, _ column: String, _ fixture: NavigationFixture) throws -> String {
    func key(_ id: Int64) throws -> String {
      try fixture.write { try String.fetchOne($0, sql: "SELECT key FROM contentNode WHERE id = ?", arguments: [id])! }
    }
    if value.isNull { return "" }
    if ["node", "movingNode", "fromNode", "toNode"].contains(column) {
      return try key(Int64.fromDatabaseValue(value)!)
    }
    if column == "session" {
      return try fixture.write {
        try String.fetchOne($0, sql: "SELECT uuid FROM session WHERE id = ?", arguments: [value])!
      }
    }
    if column == "stack" {
      let text = String.fromDatabaseValue(value)!
      return try JSONDecoder().decode([Int64].self, from: Data(text.utf8)).map(key).joined(separator: " ")
    }
    if column == "at" || column.hasSuffix("At") && column != "orderedAt" {
      return Timestamp(milliseconds: Int64.fromDatabaseValue(value)!).description
    }
    if let number = Double.fromDatabaseValue(value), String.fromDatabaseValue(value) == nil { return "\(number)" }
    return String.fromDatabaseValue(value) ?? "\(value)"
  }
}
