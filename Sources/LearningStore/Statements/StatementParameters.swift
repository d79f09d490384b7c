import GRDBSQLite

/// The places in a statement that values are put into, one after the other.
struct StatementParameters {
  private let statement: OpaquePointer
  /// How many have a value.
  private(set) var count = 0
  /// What SQLite said to the first value that it did not take; `SQLITE_OK` where it took all of them.
  private(set) var code = SQLITE_OK

  init(of statement: OpaquePointer) {
    self.statement = statement
  }

  /// Puts a value into the next place.
  mutating func add<Value: ColumnValue>(_ value: Value) {
    count += 1
    let answer = value.bind(to: statement, at: CInt(count))
    if code == SQLITE_OK { code = answer }
  }
}

@available(*, unavailable)
extension StatementParameters: Sendable {}
