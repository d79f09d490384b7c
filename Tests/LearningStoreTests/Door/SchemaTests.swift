import GRDB
import Migrations
import TestSupport
import Snapshots
import Testing

@testable import LearningStore

/// From version 0.1.0 on a migration never changes. A new one has its line here; one that was not released yet may change,
/// and its line with it.
struct SchemaTests {
  static let checksums = [
    "0001_content": "7c298613e4265892",
    "0002_log": "cc5268b95fb9ced1",
    "0003_search": "a1da8f0da5e2aade",
    "0004_import": "8f0c95d6560fd1ba",
    "0005_server": "7d96fd2a5a2e54d9",
    "0006_pictures": "967d2608c5577e5",
    "0007_notes": "71752105ee2a4e5d",
    "0008_names": "e896e0bd194d8e9d",
    "0009_clocks": "1f1b7c624af42ecd",
    "0010_classes": "f74a9f59f0c3a329",
    "0011_open_words": "ddaf060fab4bb909",
    "0012_other_facts": "de3d1b72c473406a",
    "0013_open_places": "b841a5fec88a5bc6",
  ]

  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private func checksum(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  @Test(arguments: checksums)
  func `a migration is as it was when its line was written`(name: String, expected: String) throws {
    let migration = try #require(Migrations.all.first { $0.name == name })

    #expect(checksum(migration.sql) == expected)
  }

  @Test func `the migrations add up to these tables, the first four in at most 800 lines`() throws {
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
    #expect(
      Migrations.all.prefix(4).map { $0.sql.split(separator: "\n", omittingEmptySubsequences: false).count }.reduce(
        0, +) <= 800)
  }
}
