import Synchronization

/// The text of a statement that is run again and again: each connection prepares it once, and finds it by its number.
///
/// It is kept in a `static let`, since every value is another statement. What is asked once, or in many forms, goes
/// through GRDB instead.
struct StatementText: Sendable {
  /// The SQL.
  let sql: String
  /// Its place among the statements of each connection.
  let number: Int

  private static let count = Atomic<Int>(0)

  init(_ sql: String) {
    self.sql = sql
    number = Self.count.add(1, ordering: .relaxed).oldValue
  }
}
