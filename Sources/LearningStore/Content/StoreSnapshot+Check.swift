import GRDB
import LearningModel

extension StoreSnapshot {
  /// Returns the results of SQLite's integrity check and of its foreign key check, as one sentence per problem. Empty
  /// if the file is intact.
  package func fileProblems() throws -> [String] {
    let pages = try all("PRAGMA integrity_check(20)") { $0[0] as String }.filter { $0 != "ok" }
    return try pages
      + all("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT 20") { row in
        "Row \(row[1] as Int64) of \(quoted: row[0] as String) refers to a missing row of \(quoted: row[2] as String)."
      }
  }

  /// Returns violations of rules for courses that the table definitions cannot express, as one sentence per problem.
  /// Empty if there are none.
  package func contentProblems() throws -> [String] {
    var problems: [String] = []
    for (sql, message) in Self.rules {
      problems += try all(sql + " LIMIT 20") { "Node \($0[0] as Int64) (\($0[1] as String)) \(message)." }
    }
    problems += try searchTermProblems()
    problems += try imageProblems()
    try statements.run("SELECT node, key FROM activityContent JOIN contentNode ON id = node") { row in
      let id: NodeID = row[0]
      do {
        if try content(of: id)?.type != activityType(of: id) {
          problems.append("Node \(id.rawValue) (\(row[1] as String)) has another type than its content.")
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        problems.append("Node \(id.rawValue) (\(row[1] as String)) has unreadable content.")
      }
      return true
    }
    return problems
  }

  /// Returns a problem for each image that no course uses. The opposite, a missing image, violates a foreign key and is
  /// reported by ``fileProblems()``.
  private func imageProblems() throws -> [String] {
    try all("SELECT digest FROM picture WHERE digest NOT IN (SELECT digest FROM coursePicture) LIMIT 20") {
      "The image \(($0[0] as String).prefix(12))… is stored, but no course uses it."
    }
  }

  /// Returns a problem for each node whose title or summary differs in the search index.
  private func searchTermProblems() throws -> [String] {
    var problems: [String] = []
    try statements.run(
      """
      SELECT id, key, contentNode.title, contentNode.summary, searchText.title, searchText.summary
      FROM searchText JOIN contentNode ON id = searchText.node
      WHERE (searchText.title <> contentNode.title OR searchText.summary <> contentNode.summary)
        AND id NOT IN (SELECT node FROM searchQueue)
      """
    ) { row in
      // Some texts are converted before they are stored for the index.
      if (row[4] as String, row[5] as String) != ((row[2] as String).forIndex, (row[3] as String).forIndex) {
        problems.append("Node \(row[0] as Int64) (\(row[1] as String)) has an outdated title in the search index.")
      }
      return problems.count < 20
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
