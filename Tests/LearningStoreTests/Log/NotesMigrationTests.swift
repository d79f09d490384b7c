import Foundation
import GRDB
import Migrations
import TestSupport
import Testing

@testable import LearningStore

struct NotesMigrationTests {
  @Test func `what was done before notes is kept, with its numbers, and none is used again`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("waymark.sqlite")
    let old = try LearningStore.open(at: path, migrations: Array(Migrations.all.prefix { $0.name < "0007" }))
    try old.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO learner (id, name, createdAt) VALUES (1, 'ada', 0);
          INSERT INTO contentNode (id, course, key, kind, position, slug, title) VALUES (1, 1, 'c', 'course', 0, 'c', 'C');
          INSERT INTO course (node, sourceFormat, revision) VALUES (1, 'waymark', 1);
          INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
          VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0);
          INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title)
          VALUES (2, 1, 1, 'g', 'goal', 0, 'g', 'G'), (3, 1, 2, 'l', 'lesson', 0, 'l', 'L'),
            (4, 1, 3, 'a', 'activity', 0, 'a', 'A');
          INSERT INTO session (id, uuid, learner, name, timeZone, startedAt, lastInputAt)
          VALUES (1, '00000000-0000-4000-8000-000000000000', 1, 'shell', 'UTC', 0, 0);
          INSERT INTO activityEvent (id, uuid, learner, session, sequence, node, kind, at, orderedAt)
          VALUES (7, '00000000-0000-4000-8000-000000000001', 1, 1, 1, 4, 'seenToEnd', 5, 5),
            (9, '00000000-0000-4000-8000-000000000002', 1, 1, 2, 4, 'markedNotDone', 6, 6);
          INSERT INTO erasure (learner) VALUES (1);
          DELETE FROM activityEvent WHERE id = 9;
          DELETE FROM erasure;
          """)
    }
    try old.close()

    // The closed door is still known for this file; the newer program is another process.
    let file = folder.file("moved.sqlite")
    try FileManager.default.moveItem(atPath: path, toPath: file)
    let new = try LearningStore.open(at: file)

    let kept = try new.read { snapshot in
      try Row.fetchAll(snapshot.database, sql: "SELECT id, kind, at FROM activityEvent").map { "\($0)" }
    }
    #expect(kept == ["[id:7 kind:\"seenToEnd\" at:5]"])
    try new.write { transaction in
      try transaction.database.execute(
        sql: """
          INSERT INTO activityEvent (uuid, learner, session, sequence, node, kind, detail, at, orderedAt)
          VALUES ('00000000-0000-4000-8000-000000000003', 1, 1, 2, 4, 'noted', '{"note":"n"}', 7, 7)
          """)
      #expect(transaction.database.lastInsertedRowID == 10)
    }
    #expect(throws: (any Error).self) {
      try new.write { try $0.database.execute(sql: "DELETE FROM activityEvent") }
    }
    #expect(throws: (any Error).self) {
      try new.write { try $0.database.execute(sql: "UPDATE activityEvent SET at = 1") }
    }
  }
}
