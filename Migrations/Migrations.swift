/// The list of migrations, in the order in which they run.
///
/// Since version 0.1.0 a migration is never changed. To add one: write a file `sql/NNNN_what_it_does.sql` and add a
/// row here.
public enum Migrations {
  /// A migration: its name, which the database stores, and its SQL statements.
  public struct Migration: Sendable {
    /// The name of the file without its extension.
    public let name: String
    /// The content of the file.
    public let sql: String

    /// Makes a migration.
    public init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// All migrations, oldest first.
  public static let all: [Migration] = [
    Migration(name: "0001_content", sql: text(PackageResources._001_content_sql)),
    Migration(name: "0002_log", sql: text(PackageResources._002_log_sql)),
    Migration(name: "0003_search", sql: text(PackageResources._003_search_sql)),
    Migration(name: "0004_server", sql: text(PackageResources._004_server_sql)),
    Migration(name: "0005_exercises", sql: text(PackageResources._005_exercises_sql)),
    Migration(name: "0006_tags", sql: text(PackageResources._006_tags_sql)),
    Migration(name: "0007_anki_notes", sql: text(PackageResources._007_anki_notes_sql)),
    Migration(name: "0008_anki_progress", sql: text(PackageResources._008_anki_progress_sql)),
  ]

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
