import Foundation

/// Brings a PostgreSQL database up to date for a hub.
///
/// Each migration is a file of plain SQL in `sql/`, run in one transaction. It waits for a lock no longer than
/// ``lockTimeout`` milliseconds and then begins anew, so that nobody who reads waits longer behind it.
/// Once it has a lock it keeps it to its end: what locks readers out, such as `ALTER TABLE`, stands last in a file, behind what
/// takes long, such as `CREATE INDEX`, and never writes a table anew.
package struct PostgresMigration {
  /// How long it waits for a table, in milliseconds: readers who come behind it wait as long.
  static let lockTimeout = 50
  /// How often it begins anew.
  static let attempts = 200

  let connection: PostgresConnection
  private let files: [(name: String, sql: String)]

  /// Connects.
  ///
  /// - Parameter files: What is run, oldest first.
  /// - Throws: ``HubError/unreachable(host:reason:)``.
  package init(_ address: PostgresAddress, files: [(name: String, sql: String)] = Self.files) throws {
    connection = try PostgresConnection(address)
    self.files = files
  }

  /// The files, oldest first. From the first version on a file never changes.
  package static let files: [(name: String, sql: String)] = [
    ("0001_hub", String(decoding: PackageResources._001_hub_sql, as: UTF8.self)),
    ("0002_classes", String(decoding: PackageResources._002_classes_sql, as: UTF8.self)),
    ("0003_audit", String(decoding: PackageResources._003_audit_sql, as: UTF8.self)),
  ]

  /// Runs what was not run yet; another process that runs it meanwhile waits.
  ///
  /// - Returns: The names of what was run.
  /// - Throws: ``HubError``; then the migrations before the one that it names are done, and nothing of that one.
  package func run() throws -> [String] {
    guard try shardCount() == 0 else { throw HubError.shardsNotNamed }
    return try run { missing in for file in missing { try apply(file.name, file.sql) } }
  }

  /// Has what is missing run, while all others who migrate wait.
  func run(_ body: ([(name: String, sql: String)]) throws -> Void) throws -> [String] {
    try connection.run("SELECT pg_advisory_lock(hashtextextended('waymark.migration', 0))")
    try connection.run(
      """
      CREATE SCHEMA IF NOT EXISTS waymark;
      CREATE TABLE IF NOT EXISTS waymark.migration (
        name text PRIMARY KEY, digest text NOT NULL, at timestamptz NOT NULL DEFAULT now());
      SET lock_timeout = \(Self.lockTimeout)
      """)
    var missing: [(name: String, sql: String)] = []
    for (name, sql) in files {
      let digest = TokenSecret.digest(of: sql)
      if let known = try connection.run("SELECT digest FROM waymark.migration WHERE name = '\(name)'") {
        guard known == digest else { throw HubError.otherMigration(name: name) }
        continue
      }
      missing.append((name, sql + "\nINSERT INTO waymark.migration (name, digest) VALUES ('\(name)', '\(digest)');"))
    }
    try body(missing)
    try connection.run("SELECT pg_advisory_unlock(hashtextextended('waymark.migration', 0))")
    return missing.map(\.name)
  }

  /// Runs statements in one transaction.
  func apply(_ name: String, _ sql: String) throws {
    for _ in 0..<Self.attempts {
      do {
        try connection.run("BEGIN;\n\(sql)\nCOMMIT")
        return
      } catch HubError.failed(_, "55P03", _) {
        // lock_not_available. Those who waited behind it go first.
        try connection.run("ROLLBACK")
        Thread.sleep(forTimeInterval: 0.1)
      } catch {
        _ = try? connection.run("ROLLBACK")
        throw error
      }
    }
    throw HubError.locked(name: name, attempts: Self.attempts)
  }
}
