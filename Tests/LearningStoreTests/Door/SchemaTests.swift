import GRDB
import Migrations
import TestSupport
import Testing

@testable import LearningStore

/// A shipped migration never changes. Whoever adds one adds its line here; whoever must change one that has not been
/// shipped yet changes its line.
struct SchemaTests {
  static let checksums = [
    "0001_content": "f507eec1816236d9",
    "0002_log": "979165e38b4e6a06",
    "0003_search_term": "1bc89195b7f86175",
    "0004_arrival": "c29195c4acadf744",
    "0005_visit_named": "6f222e95232f4a1e",
    "0006_edition": "4a285089a928c58a",
    "0007_from_elsewhere": "d31c47ef83d3d28c",
    "0008_search_merge": "a1fd09a0fcc384a6",
    "0009_leaving": "786c96afdef5bdec",
    "0010_fewer_indexes": "30ec5fa811811991",
    "0011_letter_pairs": "1c73d54be6a60f59",
    "0012_coming": "672a411e88df87ff",
    "0013_unfinished_quiz": "2ea4128516e11b34",
    "0014_more_letter_pairs": "5208c8a6ddec115d",
    "0015_moving": "a40db63a58715c09",
  ]

  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private func checksum(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  @Test(arguments: checksums)
  func `a shipped migration is as it was shipped`(name: String, expected: String) throws {
    let migration = try #require(Migrations.all.first { $0.name == name })

    #expect(checksum(migration.sql) == expected)
  }

  @Test func `the migrations add up to the tables of content`() throws {
    let folder = try TemporaryFolder()
    let store = try LearningStore.open(at: folder.file("waymark.sqlite"), migrations: [Migrations.all[0]])

    let objects = try store.read { snapshot in
      try Row.fetchAll(
        snapshot.database,
        sql: """
          SELECT type, name FROM sqlite_master
          WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'nodeSearch_%' AND name <> 'grdb_migrations'
          ORDER BY type, name
          """
      ).map { "\($0[0] as String) \($0[1] as String)" }
    }

    #expect(
      objects == [
        "index courseKey", "index coursePosition", "index courseSlug", "index formerPathNode", "index formerPathSlug",

        "table activityContent", "table contentNode", "table course", "table courseRevision", "table formerPath",
        "table nodeSearch", "table searchQueue", "table searchText", "table searchWord",
        "trigger activityContentBelongs", "trigger activityContentStays", "trigger contentNodeHasContent",
        "trigger contentNodeIsCourse", "trigger contentNodeIsKept",
        "trigger contentNodeMoves",
        "trigger contentNodeReturns", "trigger contentNodeStands", "trigger contentNodeStays",
        "trigger courseHasNode", "trigger courseIsKept", "trigger courseRevisionIsKept", "trigger courseRevisionIsNew",
        "trigger courseRevisionStays",
        "trigger courseStays",
        "view place",
      ])
  }
}
