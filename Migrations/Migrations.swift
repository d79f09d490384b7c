/// The list of migrations, in the order in which they run.
///
/// From version 0.1.0 on a migration never changes. To add one: a file `sql/NNNN_what_it_does.sql`, and its row here.
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
    Migration(name: "0003_search", sql: text(PackageResources._003_search_sql)),
    Migration(name: "0004_import", sql: text(PackageResources._004_import_sql)),
    Migration(name: "0005_server", sql: text(PackageResources._005_server_sql)),
  ]

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
