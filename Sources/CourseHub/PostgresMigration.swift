import Foundation

/// Brings a PostgreSQL database up to date for a hub.
///
/// Each migration is a file of plain SQL in `sql/`, run in one transaction. It waits for a lock no longer than
/// ``lockTimeout`` milliseconds and then begins anew, so that nobody who reads waits longer behind it.
package struct PostgresMigration {
  /// How long it waits for a table, in milliseconds: readers who come behind it wait as long.
  static let lockTimeout = 50
  /// How often it begins anew.
  static let attempts = 200

  private let connection: PostgresConnection

  /// Connects.
  ///
  /// - Throws: ``HubError/unreachable(host:reason:)``.
  package init(_ address: PostgresAddress) throws { connection = try PostgresConnection(address) }

  /// The files, oldest first. From the first version on a file never changes.
  static let files: [(name: String, sql: String)] = [
    ("0001_hub", String(decoding: PackageResources._001_hub_sql, as: UTF8.self))
  ]

  /// Runs what was not run yet; another process that runs it meanwhile waits.
  ///
  /// - Returns: The names of what was run.
  /// - Throws: ``HubError``; then the migrations before the one that it names are done, and nothing of that one.
  package func run() throws -> [String] {
    try connection.run("SELECT pg_advisory_lock(hashtextextended('waymark.migration', 0))")
    try connection.run(
      """
      CREATE SCHEMA IF NOT EXISTS waymark;
      CREATE TABLE IF NOT EXISTS waymark.migration (
        name text PRIMARY KEY, digest text NOT NULL, at timestamptz NOT NULL DEFAULT now());
      SET lock_timeout = \(Self.lockTimeout)
      """)
    var done: [String] = []
    for (name, sql) in Self.files {
      let digest = TokenSecret.digest(of: sql)
      if let known = try connection.run("SELECT digest FROM waymark.migration WHERE name = '\(name)'") {
        guard known == digest else { throw HubError.otherMigration(name: name) }
        continue
      }
      try apply(name, sql + "\nINSERT INTO waymark.migration (name, digest) VALUES ('\(name)', '\(digest)');")
      done.append(name)
    }
    try connection.run("SELECT pg_advisory_unlock(hashtextextended('waymark.migration', 0))")
    return done
  }

  private func apply(_ name: String, _ sql: String) throws {
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
