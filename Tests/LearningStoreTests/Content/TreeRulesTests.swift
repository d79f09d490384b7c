import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that the tables reject invalid changes to a course that are made with plain SQL.
///
/// The IDs of the nodes of the sample: 1 english, 2 meetings, 3 lopening, 4 agenda, 5 greeting, 6 lclosing, 7 lnested,
/// 8 minutes, 9 farewell, 10 negotiating, 11 loffers, 12 brief; 13 spanish, 14 saludos, 15 lhola, 16 adios.
struct TreeRulesTests {
  let folder: TemporaryFolder
  let store: LearningStore
  let shell: DatabaseQueue

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
    try CourseOutlines("spanish\n  saludos\n    lhola\n      adios").write(to: store, position: 1)
    shell = try DatabaseQueue(path: folder.file("waymark.sqlite"))
  }

  /// Returns all rows of the content tables.
  private func everything() throws -> [String] {
    try shell.read { database in
      try ["contentNode", "course", "courseRevision", "formerPath", "activityContent", "searchQueue"].flatMap { table in
        try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }

  private static let wrongParent = "the parent is in another course, or of a kind that cannot contain the node"
  private static let keys = "FOREIGN KEY constraint failed"
  private static let insert =
    "INSERT INTO contentNode (course, parent, key, kind, position, slug, title) VALUES "

  static let attacks: [(sql: String, refusal: String)] = [
    // Kinds of nodes.
    (insert + "(1, 1, 'x', 'lesson', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 1, 'x', 'activity', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 2, 'x', 'activity', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 2, 'x', 'goal', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 3, 'x', 'goal', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 4, 'x', 'activity', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 4, 'x', 'lesson', 9, 'x', 'X')", wrongParent),
    (insert + "(1, 99, 'x', 'lesson', 9, 'x', 'X')", wrongParent),
    (
      insert + "(1, NULL, 'x', 'chapter', 9, 'x', 'X')",
      "CHECK constraint failed: kind IN ('course', 'goal', 'lesson', 'activity')"
    ),
    (insert + "(1, NULL, 'x', 'goal', 9, 'x', 'X')", "CHECK constraint failed: (kind = 'course') = (parent IS NULL)"),
    (insert + "(1, 2, 'x', 'course', 9, 'x', 'X')", wrongParent),
    (insert + "(1, NULL, 'x', 'course', 9, 'x', 'X')", "CHECK constraint failed: (kind = 'course') = (course = id)"),
    ("UPDATE contentNode SET kind = 'goal' WHERE id = 7", wrongParent),
    ("UPDATE contentNode SET kind = 'lesson' WHERE id = 10", wrongParent),
    ("UPDATE contentNode SET kind = 'activity' WHERE id = 7", "the new kind of the node cannot contain its children"),
    (
      "UPDATE contentNode SET kind = 'course' WHERE id = 10", "a course remains a course, and no other node becomes one"
    ),
    ("UPDATE contentNode SET kind = 'lesson' WHERE id = 4", "only an activity has content"),
    // Parents of nodes.
    ("UPDATE contentNode SET parent = 1 WHERE id = 3", wrongParent),
    ("UPDATE contentNode SET parent = 4 WHERE id = 5", wrongParent),
    ("UPDATE contentNode SET parent = 2, position = 9 WHERE id = 15", wrongParent),
    ("UPDATE contentNode SET parent = 3, position = 9 WHERE id = 16", wrongParent),
    (
      "UPDATE contentNode SET parent = NULL WHERE id = 2",
      "CHECK constraint failed: (kind = 'course') = (parent IS NULL)"
    ),
    ("UPDATE contentNode SET parent = 2 WHERE id = 1", wrongParent),
    ("UPDATE contentNode SET parent = 6, position = 9 WHERE id = 6", "the node would be its own ancestor"),
    ("UPDATE contentNode SET parent = 7, position = 9 WHERE id = 6", "the node would be its own ancestor"),
    // Membership in one course.
    (insert + "(13, 2, 'x', 'lesson', 9, 'x', 'X')", wrongParent),
    ("UPDATE contentNode SET course = 13 WHERE id = 4", "a node keeps its id, its course and its key"),
    ("UPDATE contentNode SET id = 99 WHERE id = 4", "a node keeps its id, its course and its key"),
    // Uniqueness.
    (
      insert + "(1, 3, 'x', 'activity', 0, 'x', 'X')",
      "UNIQUE constraint failed: contentNode.parent, contentNode.living, contentNode.position"
    ),
    (
      insert + "(1, 3, 'x', 'activity', 9, 'agenda', 'X')",
      "UNIQUE constraint failed: contentNode.parent, contentNode.living, contentNode.slug"
    ),
    (insert + "(1, 3, 'agenda', 'activity', 9, 'x', 'X')", "the course has a node of this key"),
    (
      "UPDATE contentNode SET position = 0 WHERE id = 5",
      "UNIQUE constraint failed: contentNode.parent, contentNode.living, contentNode.position"
    ),
    (
      "UPDATE contentNode SET slug = 'english' WHERE id = 13",
      "UNIQUE constraint failed: contentNode.living, contentNode.slug"
    ),
    (
      "UPDATE contentNode SET position = 0 WHERE id = 13",
      "UNIQUE constraint failed: contentNode.living, contentNode.position"
    ),
    ("UPDATE contentNode SET key = 'english' WHERE id = 13", "a node keeps its id, its course and its key"),
    (
      "INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title) "
        + "VALUES (99, 99, NULL, 'english', 'course', 9, 'x', 'X')", "UNIQUE constraint failed: contentNode.key"
    ),
    // Values of columns.
    ("UPDATE contentNode SET title = '' WHERE id = 4", "CHECK constraint failed: title <> ''"),
    ("UPDATE contentNode SET slug = '' WHERE id = 4", "CHECK constraint failed: slug <> '' AND instr(slug, '/') = 0"),
    (
      "UPDATE contentNode SET slug = 'a/b' WHERE id = 4", "CHECK constraint failed: slug <> '' AND instr(slug, '/') = 0"
    ),
    (insert + "(1, 3, '', 'activity', 9, 'x', 'X')", "CHECK constraint failed: key <> ''"),
    ("UPDATE contentNode SET position = -1 WHERE id = 4", "CHECK constraint failed: position >= 0"),
    ("UPDATE contentNode SET minutes = 0 WHERE id = 4", "CHECK constraint failed: minutes > 0"),
    (
      "UPDATE contentNode SET position = 'first' WHERE id = 4",
      "cannot store TEXT value in INTEGER column contentNode.position"
    ),
    ("UPDATE contentNode SET title = NULL WHERE id = 4", "NOT NULL constraint failed: contentNode.title"),
    // Removal and replacement.
    ("UPDATE contentNode SET removedInRevision = 1 WHERE id = 3", keys),
    ("UPDATE contentNode SET removedInRevision = 2 WHERE id = 4", keys),
    ("UPDATE contentNode SET removedInRevision = 1 WHERE id = 1", keys),
    ("DELETE FROM contentNode WHERE id = 4", "a node is never deleted: set removedInRevision"),
    (
      "INSERT OR REPLACE INTO contentNode (id, course, parent, key, kind, position, slug, title) "
        + "VALUES (1, 1, NULL, 'english', 'course', 0, 'english', 'X')", "a node is never replaced"
    ),
    (
      "INSERT OR REPLACE INTO contentNode (course, parent, key, kind, position, slug, title) "
        + "VALUES (1, 3, 'agenda', 'activity', 0, 'agenda', 'X')", "the course has a node of this key"
    ),
    (
      "INSERT OR REPLACE INTO contentNode (course, parent, key, kind, position, slug, title) "
        + "VALUES (1, 3, 'x', 'activity', 0, 'x', 'X')", keys
    ),
    ("UPDATE OR REPLACE contentNode SET position = 0 WHERE id = 5", keys),
    (
      "REPLACE INTO courseRevision VALUES (1, 1, 0, 'x', 'x', 'x', 0, 0, 0, 0, 0, 0)",
      "the record of an import never changes"
    ),
    // Courses and their revisions.
    (insert + "(99, NULL, 'x', 'course', 9, 'x', 'X')", "CHECK constraint failed: (kind = 'course') = (course = id)"),
    (
      "INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title) "
        + "VALUES (99, 99, NULL, 'x', 'course', 9, 'x', 'X')", keys
    ),
    ("INSERT INTO course VALUES (4, NULL, 'x', 1)", "only the top node of a tree is a course"),
    ("INSERT INTO course VALUES (99, NULL, 'x', 1)", keys),
    ("UPDATE course SET revision = 7 WHERE node = 1", keys),
    ("UPDATE course SET node = 4 WHERE node = 1", "a course keeps its node"),
    ("DELETE FROM course WHERE node = 1", "a course is never deleted: set removedInRevision of its nodes"),
    ("UPDATE courseRevision SET added = 0", "the record of an import never changes"),
    ("DELETE FROM courseRevision", "the record of an import is never deleted"),
    // Contents of activities.
    ("INSERT INTO activityContent (node, type, content) VALUES (3, 'reading', '{}')", "only an activity has content"),
    ("INSERT INTO activityContent (node, type, content) VALUES (99, 'reading', '{}')", "only an activity has content"),
    ("UPDATE activityContent SET node = 3 WHERE node = 4", "content stays with its activity"),
    ("UPDATE activityContent SET content = 'no JSON' WHERE node = 4", "CHECK constraint failed: json_valid(content)"),
    (
      "UPDATE activityContent SET type = '' WHERE node = 4",
      "CHECK constraint failed: type <> ''"
    ),
    ("INSERT INTO formerPath (parent, slug, node) VALUES (1, 'x', 99)", keys),
    (
      "INSERT INTO searchText (node, title, summary, text, scope) VALUES (99, '', '', '', '')",
      keys
    ),
  ]

  @Test(arguments: attacks)
  func `an invalid change of a course by SQL is rejected without effect`(sql: String, refusal: String) throws {
    let before = try everything()

    let error = #expect(throws: DatabaseError.self) { try shell.write { try $0.execute(sql: sql) } }

    #expect(error?.message == refusal)
    #expect(try everything() == before)
  }

  @Test func `constraints across several rows are checked at the end of a transaction`() throws {
    try shell.write { database in
      // Removes a lesson and its activities, and restores them with the activities in reverse order.
      try database.execute(
        sql: """
          INSERT INTO courseRevision VALUES (1, 2, 0, 'x', 'x', 'x', 0, 0, 0, 0, 0, 0);
          UPDATE course SET revision = 2 WHERE node = 1;
          UPDATE contentNode SET removedInRevision = 2 WHERE id IN (3, 4, 5);
          UPDATE contentNode SET position = 0, removedInRevision = NULL WHERE id = 5;
          UPDATE contentNode SET position = 1, removedInRevision = NULL WHERE id = 4;
          UPDATE contentNode SET removedInRevision = NULL WHERE id = 3;
          """)
    }

    #expect(
      try store.read { try $0.drawing(of: .node(NodeID(rawValue: 3))) } == """
        lopening
          greeting
          agenda
        """)
  }

  @Test func `the place view lists every node with its path`() throws {
    let rows = try shell.read { database in
      try Row.fetchAll(database, sql: "SELECT id, kind, path FROM place WHERE course = 13 ORDER BY path").map {
        "\($0[0] as Int) \($0[1] as String) \($0[2] as String)"
      }
    }

    #expect(
      rows == [
        "13 course spanish", "14 goal spanish/saludos", "15 lesson spanish/saludos/lhola",
        "16 activity spanish/saludos/lhola/adios",
      ])
  }

  @Test func `the place view finds a single place without a table scan`() throws {
    let plan = try shell.read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN SELECT path FROM place WHERE id = 16")
        .map { $0["detail"] as String }
    }

    #expect(plan.filter { $0.contains("SCAN") && !$0.contains("above") && !$0.contains("CONSTANT") } == [])
    #expect(plan.contains("SEARCH node USING INTEGER PRIMARY KEY (rowid=?)"))
  }
}
