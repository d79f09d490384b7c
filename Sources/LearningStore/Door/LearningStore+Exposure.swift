import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension LearningStore {
  /// Returns whether others than this user, whose file the database is, may read or write it.
  ///
  /// The answer is `true` once for each database, where that is noted: one may be shared on purpose.
  public func isExposureNews() -> Bool {
    var status = stat()
    guard refusal == nil, stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else {
      return false
    }
    // Where it cannot be noted now, the answer is `false`, and `true` another time.
    let isNews =
      try? read { try Self.isUntold($0.database) }
      && write(waitingAtMost: 50) { transaction in
        guard try Self.isUntold(transaction.database) else { return false }
        let version = try Int.fetchOne(transaction.database, sql: "PRAGMA user_version") ?? 0
        try transaction.database.execute(sql: "PRAGMA user_version = \(version | Self.told)")
        return true
      }
    return isNews ?? false
  }

  /// The bit of `user_version`, the number that SQLite keeps for programs, by which it is noted.
  static let told = 1 << 30

  private static func isUntold(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "PRAGMA user_version").map { $0 & told == 0 } ?? false
  }
}
