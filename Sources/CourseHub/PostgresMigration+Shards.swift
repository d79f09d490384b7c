import Foundation

/// Learners on several databases, behind a proxy: PL/Proxy passes on each operation to the database that has the learner.
///
/// Source: PL/Proxy 2.10, "Language Syntax" and "SQL/MED configuration".
extension PostgresMigration {
  /// Brings the shards up to date, and then this database, which becomes the proxy before them.
  ///
  /// - Parameter shards: Each has the learners whose hash is its place in this list.
  /// - Returns: The names of what was run on the proxy.
  /// - Throws: ``HubError``; the proxy has all of it or nothing then.
  package func run(over shards: [PostgresAddress]) throws -> [String] {
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
