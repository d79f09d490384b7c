import Foundation

/// Brings a PostgreSQL database up to date for a hub.
///
/// Each migration is a file of plain SQL in `sql/`, run in one transaction. It waits for a lock no longer than
/// ``lockTimeout`` milliseconds and then begins anew, so that nobody who reads waits longer behind it.
/// Once it has a lock it keeps it to its end: what locks readers out, such as `ALTER TABLE`, stands last in a file, behind what
/// takes long, such as `CREATE INDEX`, and never writes a table anew.
struct PostgresMigration {
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
  init(_ address: PostgresAddress, files: [(name: String, sql: String)] = Self.files) throws {
    connection = try PostgresConnection(address)
    self.files = files
  }

  /// The files, oldest first. From the first version on a file never changes.
  static let files: [(name: String, sql: String)] = [
    ("0001_hub", String(decoding: PackageResources._001_hub_sql, as: UTF8.self)),
    ("0002_classes", String(decoding: PackageResources._002_classes_sql, as: UTF8.self)),
    ("0003_audit", String(decoding: PackageResources._003_audit_sql, as: UTF8.self)),
  ]

  /// Runs what was not run yet; another process that runs it meanwhile waits.
  ///
  /// - Returns: The names of what was run.
  /// - Throws: ``HubError``; then the migrations before the one that it names are done, and nothing of that one.
  func run() throws -> [String] {
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

/// Learners on several databases, behind a proxy: PL/Proxy passes on each operation to the database that has the learner.
///
/// Source: PL/Proxy 2.10, "Language Syntax" and "SQL/MED configuration".
extension PostgresMigration {
  /// Brings the shards up to date, and then this database, which becomes the proxy before them.
  ///
  /// - Parameter shards: Each has the learners whose hash is its place in this list.
  /// - Returns: The names of what was run on the proxy.
  /// - Throws: ``HubError``; the proxy has all of it or nothing then.
  func run(over shards: [PostgresAddress]) throws -> [String] {
    guard shards.count > 1, shards.count & (shards.count - 1) == 0 else {
      throw HubError.unusableShardCount(shards.count)
    }
    let known = try shardCount()
    guard known == 0 || known == shards.count else { throw HubError.otherShards(known: known, named: shards.count) }
    let settings = shards.map(\.settings)
    for shard in shards { _ = try PostgresMigration(shard).run() }
    // In the transaction of the migrations: at no time does the proxy keep a learner itself.
    return try run { missing in
      try apply(
        missing.last?.name ?? "proxy", (missing.map(\.sql) + [Self.proxy(of: settings)]).joined(separator: "\n"))
    }
  }

  /// Over how many databases this one distributes learners.
  func shardCount() throws -> Int {
    let text = try connection.run(
      """
      SELECT count(*) FROM pg_foreign_server, unnest(srvoptions) AS option
      WHERE srvname = 'waymark' AND option ~ '^p[0-9]+='
      """)
    return text.flatMap { Int($0) } ?? 0
  }

  /// The statements that make a proxy. The name and the password of who asks are kept where only their owner sees them.
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

  /// Source: PostgreSQL 15, 4.1.2.2, "String Constants with C-Style Escapes".
  private static func quoted(_ text: String) -> String {
    "E'" + text.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
  }

  /// Source: PostgreSQL 15, 34.1.1.1, "Keyword/Value Connection Strings".
  private static func value(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
