/// The list of migrations, in the order in which they run.
///
/// A shipped migration never changes. To add one: a file `sql/NNNN_what_it_does.sql`, and its row here.
public enum Migrations {
  /// One migration: its name, which the database remembers, and the SQL that it runs.
  public struct Migration: Sendable {
    /// The file's name without its extension.
    public let name: String
    /// The statements, as the file has them.
    public let sql: String

    /// Names those statements.
    public init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// Every migration, oldest first.
  public static let all: [Migration] = [
    Migration(name: "0001_content", sql: text(PackageResources._001_content_sql)),
    Migration(name: "0002_log", sql: text(PackageResources._002_log_sql)),
    Migration(name: "0003_search_term", sql: text(PackageResources._003_search_term_sql)),
    Migration(name: "0004_arrival", sql: text(PackageResources._004_arrival_sql)),
    Migration(name: "0005_visit_named", sql: text(PackageResources._005_visit_named_sql)),
    Migration(name: "0006_edition", sql: text(PackageResources._006_edition_sql)),
    Migration(name: "0007_from_elsewhere", sql: text(PackageResources._007_from_elsewhere_sql)),
    Migration(name: "0008_search_merge", sql: text(PackageResources._008_search_merge_sql)),
    Migration(name: "0009_leaving", sql: text(PackageResources._009_leaving_sql)),
    Migration(name: "0010_fewer_indexes", sql: text(PackageResources._010_fewer_indexes_sql)),
    Migration(name: "0011_letter_pairs", sql: text(PackageResources._011_letter_pairs_sql)),
    Migration(name: "0012_coming", sql: text(PackageResources._012_coming_sql)),
    Migration(name: "0013_unfinished_quiz", sql: text(PackageResources._013_unfinished_quiz_sql)),
    Migration(name: "0014_more_letter_pairs", sql: text(PackageResources._014_more_letter_pairs_sql)),
    Migration(name: "0015_moving", sql: text(PackageResources._015_moving_sql)),
  ]

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
