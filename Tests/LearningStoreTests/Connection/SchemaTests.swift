import GRDB
import Migrations
import TestSupport
import Snapshots
import Testing

@testable import LearningStore

/// Tests that released migrations never change. Each new migration needs a checksum here.
struct SchemaTests {
  static let checksums = [
    "0001_content": "138733de02d4dbd7",
    "0002_log": "ac564c2a34d8e267",
    "0003_search": "773371361922d413",
    "0004_server": "284400e73b914c35",
    "0005_exercises": "f1e4e909e8858331",
    "0006_tags": "9d93f80f8653fa43",
    "0007_anki_notes": "dc60961f146426e5",
    "0008_anki_progress": "77fd31cf0729cfcc",
  ]

  /// Returns the FNV-1a hash of a text.
  ///
  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private func checksum(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  @Test(arguments: checksums)
  func `a migration has its recorded checksum`(name: String, expected: String) throws {
    let migration = try #require(Migrations.all.first { $0.name == name })

    #expect(checksum(migration.sql) == expected)
  }

  @Test func `the migrations create the recorded tables in at most 1160 lines`() throws {
    let folder = try TemporaryFolder()
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"))

    let objects = try store.read { snapshot in
      try String.fetchAll(
        snapshot.database,
        sql: """
          SELECT type || ' ' || name FROM sqlite_master
          WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'nodeSearch_%' AND name <> 'grdb_migrations'
          ORDER BY type, name
          """)
    }

    expectSnapshot(objects)
    #expect(Migrations.all.count == 8)
    let lines = Migrations.all.map { $0.sql.split(separator: "\n", omittingEmptySubsequences: false).count }
    #expect(lines.reduce(0, +) <= 1_160)
  }
}
