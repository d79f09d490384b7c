import Synchronization

/// The text of a statement that is run again and again: each connection prepares it once, and finds it by its number.
///
/// It is kept in a `static let`, since every value is another statement. What is asked once, or in many forms, goes
/// through GRDB instead.
struct StatementText: Sendable {
  /// The SQL.
  let sql: String
  /// By what it finds nodes of the tree, where it asks for some.
  let search: TreeSearch
  /// Its place among the statements of each connection; the next place is that of ``sqlWhileMoving``.
  let number: Int

  private static let count = Atomic<Int>(0)

  init(_ sql: String, findingNodes search: TreeSearch = .byID) {
    self.sql = sql
    self.search = search
    number = Self.count.add(2, ordering: .relaxed).oldValue
  }

  /// The SQL while nodes of a published edition are still to be put where they stand.
  var sqlWhileMoving: String { search.whileMoving(sql) }
}
