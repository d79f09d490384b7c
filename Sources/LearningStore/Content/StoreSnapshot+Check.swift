import GRDB
import LearningModel

extension StoreSnapshot {
  /// Returns the results of SQLite's integrity check and of its foreign key check, as one sentence per problem. Empty
  /// if the file is intact.
  package func fileProblems() throws -> [String] {
    let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    let keys = try Row.fetchCursor(
      database, sql: "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT 20")
    return try pages
      + Array(
        keys.map { row in
          "Row \(row[1] as Int64? ?? 0) of \(quoted: row[0] as String) refers to a missing row of \(quoted: row[2] as String)."
        })
  }

  /// Returns violations of rules for courses that the table definitions cannot express, as one sentence per problem.
  /// Empty if there are none.
  package func contentProblems() throws -> [String] {
    var problems: [String] = []
    for (sql, message) in Self.rules {
      for row in try Row.fetchAll(database, sql: sql + " LIMIT 20") {
        problems.append("Node \(row[0] as Int64) (\(row[1] as String)) " + message + ".")
      }
    }
    problems += try searchTermProblems()
    problems += try imageProblems()
    for row in try Row.fetchAll(database, sql: "SELECT node, key FROM activityContent JOIN contentNode ON id = node") {
      let id = NodeID(rawValue: row[0])
      do {
        guard let content = try content(of: id), try activityType(of: id) == content.type else {
          problems.append("Node \(id.rawValue) (\(row[1] as String)) has another type than its content.")
          continue
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        problems.append("Node \(id.rawValue) (\(row[1] as String)) has unreadable content.")
      }
    }
    return problems
  }

  /// Returns a problem for each image that no course uses. The opposite, a missing image, violates a foreign key and is
  /// reported by ``fileProblems()``.
  private func imageProblems() throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT digest FROM picture WHERE digest NOT IN (SELECT digest FROM coursePicture) LIMIT 20"
    ).map { "The image \($0.prefix(12))… is stored, but no course uses it." }
  }

  /// Returns a problem for each node whose title or summary differs in the search index.
  private func searchTermProblems() throws -> [String] {
    var problems: [String] = []
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, key, contentNode.title, contentNode.summary, searchText.title, searchText.summary
        FROM searchText JOIN contentNode ON id = searchText.node
        WHERE (searchText.title <> contentNode.title OR searchText.summary <> contentNode.summary)
          AND id NOT IN (SELECT node FROM searchQueue)
        """)
    while problems.count < 20, let row = try rows.next() {
      // Some texts are converted before they are stored for the index.
      let (title, summary) = (row[2] as String, row[3] as String)
      guard (row[4] as String, row[5] as String) != (title.forIndex, summary.forIndex) else { continue }
      problems.append("Node \(row[0] as Int64) (\(row[1] as String)) has an outdated title in the search index.")
    }
    return problems
  }

  /// Queries that find the nodes that break a rule. Each selects the ID and the key.
  private static let rules: [(sql: String, words: String)] = [
    (
      """
      WITH RECURSIVE reached (id) AS (
        SELECT id FROM contentNode WHERE parent IS NULL AND living = 1
        UNION
        SELECT node.id FROM reached JOIN contentNode AS node ON node.parent = reached.id AND node.living = 1
      )
      SELECT id, key FROM contentNode WHERE living = 1 AND id NOT IN reached
      """, "cannot be reached from its course"
    ),
    (
      """
      SELECT id, key FROM (
        SELECT id, key, position, row_number() OVER (PARTITION BY parent ORDER BY position) - 1 AS place
        FROM contentNode WHERE living = 1 AND parent IS NOT NULL
      ) WHERE position <> place
      """, "has a wrong position among its siblings"
    ),
    (
      """
      SELECT node.id, node.key FROM contentNode AS node JOIN contentNode AS above ON above.id = node.parent
      WHERE node.course <> above.course OR node.living = 1
        AND (node.kind || ' ' || above.kind) NOT IN ('goal course', 'lesson goal', 'lesson lesson', 'activity lesson')
      """, "has a parent of another course or of a wrong kind"
    ),
    (
      """
      SELECT id, key FROM contentNode
      WHERE kind = 'activity' AND living = 1 AND NOT EXISTS (SELECT 1 FROM activityContent WHERE node = id)
      """, "is an activity without content"
    ),
    (
      """
      SELECT id, key FROM contentNode
      WHERE (living IS NOT NULL) <> (id IN (SELECT node FROM searchText)) AND id NOT IN (SELECT node FROM searchQueue)
      """, "is removed but can be searched for, or is not removed but cannot be searched for"
    ),
    (
      """
      SELECT searchText.node, searchText.title FROM searchText
      WHERE searchText.node NOT IN (SELECT id FROM nodeSearch_docsize)
      """, "is not in the search index"
    ),
    (
      "SELECT id, 'search' FROM nodeSearch_docsize WHERE id NOT IN (SELECT node FROM searchText)",
      "is in the search index without a search text"
    ),
  ]
}
