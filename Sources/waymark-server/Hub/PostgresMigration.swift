import Foundation

/// Creates and updates the tables of a hub on PostgreSQL.
///
/// Each migration is a file of plain SQL in `sql/` and runs in one transaction. While a migration waits for a lock,
/// later readers of that table wait too. The migration therefore gives up after ``lockTimeout`` milliseconds and starts
/// again.
///
/// Acquired locks are held until the end of the migration. In a migration file, statements that block readers, such as
/// `ALTER TABLE`, must therefore come after slow statements such as `CREATE INDEX`, and must not rewrite a table.
struct PostgresMigration {
  /// The maximum time to wait for a lock, in milliseconds. Readers are delayed by at most this time.
  static let lockTimeout = 50
  /// The maximum number of attempts.
  static let attempts = 200

  let connection: PostgresConnection
  private let files: [(name: String, sql: String)]

  /// Connects to the database.
  ///
  /// - Parameter files: The migrations, oldest first.
  /// - Throws: ``HubError/unreachable(host:reason:)``.
  init(_ address: PostgresAddress, files: [(name: String, sql: String)] = Self.files) throws {
    connection = try PostgresConnection(address)
    self.files = files
  }

  /// All migrations, oldest first. A released file must never be changed, not even a comment in it, because its digest
  /// is compared.
  static let files: [(name: String, sql: String)] = [
    ("0001_hub", String(decoding: PackageResources._001_hub_sql, as: UTF8.self)),
    ("0002_renamed_places", String(decoding: PackageResources._002_renamed_places_sql, as: UTF8.self)),
  ]

  /// Runs the missing migrations. If another process is migrating, waits until it has finished.
  ///
  /// - Returns: The names of the migrations that were run.
  /// - Throws: ``HubError``. The migrations before the failed one remain applied; the failed one has no effect.
  func run() throws -> [String] {
    guard try shardCount() == 0 else { throw HubError.shardsNotNamed }
    return try run { missing in for file in missing { try apply(file.name, file.sql) } }
  }

  /// Passes the missing migrations to a function that runs them. Until the function returns, an advisory lock makes
  /// other processes wait.
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
      if let storedDigest = try connection.run("SELECT digest FROM waymark.migration WHERE name = '\(name)'") {
        guard storedDigest == digest else { throw HubError.migrationMismatch(name: name) }
        continue
      }
      missing.append((name, sql + "\nINSERT INTO waymark.migration (name, digest) VALUES ('\(name)', '\(digest)');"))
    }
    try body(missing)
    try connection.run("SELECT pg_advisory_unlock(hashtextextended('waymark.migration', 0))")
    return missing.map(\.name)
  }

  /// Runs statements in one transaction. If another transaction holds a lock, tries again.
  func apply(_ name: String, _ sql: String) throws {
    for _ in 0..<Self.attempts {
      do {
        try connection.run("BEGIN;\n\(sql)\nCOMMIT")
        return
      } catch HubError.failed(_, "55P03", _) {
        // The pause allows transactions that waited for this one to run before the next attempt.
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

/// Learners distributed over several databases. PL/Proxy forwards each operation to the database of the learner.
///
/// Source: PL/Proxy 2.10, "Language Syntax" and "SQL/MED configuration".
extension PostgresMigration {
  /// Migrates the shards, and then this database, which becomes their proxy if it is not yet.
  ///
  /// - Parameter shards: The databases in a fixed order. The index of a learner's database is the learner's hash modulo
  ///   the number of databases.
  /// - Returns: The names of the migrations that were run on the proxy.
  /// - Throws: ``HubError``. The proxy is either changed completely or not at all.
  func run(over shards: [PostgresAddress]) throws -> [String] {
    guard shards.count > 1, shards.count & (shards.count - 1) == 0 else {
      throw HubError.unusableShardCount(shards.count)
    }
    let storedCount = try shardCount()
    guard storedCount == 0 || storedCount == shards.count else {
      throw HubError.shardCountMismatch(known: storedCount, named: shards.count)
    }
    let settings = shards.map(\.settings)
    for shard in shards { _ = try PostgresMigration(shard).run() }
    // The proxy is created in the same transaction as the migrations, so that it never stores learners itself.
    return try run { missing in
      try apply(
        missing.last?.name ?? "proxy", (missing.map(\.sql) + [Self.proxy(of: settings)]).joined(separator: "\n"))
    }
  }

  /// Returns the number of shards of this proxy, or 0 if the database is not a proxy.
  func shardCount() throws -> Int {
    let text = try connection.run(
      """
      SELECT count(*) FROM pg_foreign_server, unnest(srvoptions) AS option
      WHERE srvname = 'waymark' AND option ~ '^p[0-9]+='
      """)
    return text.flatMap { Int($0) } ?? 0
  }

  /// Returns the statements that create the proxy. The user name and password for the shards are stored in a user
  /// mapping, which only its owner can read.
  private static func proxy(of shards: [[String: String]]) -> String {
    func list(_ options: [(String, String)]) -> String {
      options.map { "\($0) \(quoted($1))" }.joined(separator: ", ")
    }
    let places = shards.enumerated().map { number, settings in
      let text = settings.filter { $0.key != "password" }.sorted { $0.key < $1.key }
        .map { "\($0.key)=\(value($0.value))" }.joined(separator: " ")
      return ("p\(number)", text)
    }
    let person = shards[0].filter { ["user", "password"].contains($0.key) }.sorted { $0.key < $1.key }
    return """
      CREATE EXTENSION IF NOT EXISTS plproxy;
      DROP SERVER IF EXISTS waymark CASCADE;
      CREATE SERVER waymark FOREIGN DATA WRAPPER plproxy OPTIONS (\(list(places)));
      CREATE USER MAPPING FOR CURRENT_USER SERVER waymark\
      \(person.isEmpty ? "" : " OPTIONS (\(list(person.map { ($0.key, $0.value) })))");
      \(String(decoding: PackageResources.proxy_sql, as: UTF8.self))
      """
  }

  /// Returns a text as a string literal.
  ///
  /// Source: PostgreSQL 15, 4.1.2.2, "String Constants with C-Style Escapes".
  private static func quoted(_ text: String) -> String {
    "E'" + text.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
  }

  /// Returns a text as a value of a connection string.
  ///
  /// Source: PostgreSQL 15, 34.1.1.1, "Keyword/Value Connection Strings".
  private static func value(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
