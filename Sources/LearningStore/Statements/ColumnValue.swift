import GRDBSQLite
import LearningModel

/// What stands in a column, or in the place of a parameter.
protocol ColumnValue {
  /// Puts it into the next place of a statement.
  func add(to parameters: inout StatementParameters)
  /// Reads it from a column of the row that the statement is at; numbers begin at 0.
  static func read(from statement: OpaquePointer, at column: CInt) -> Self
}

extension Int64: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: self) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }
}

extension Int: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: Int64(self)) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Int {
    Int(sqlite3_column_int64(statement, column))
  }
}

extension Bool: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: self ? 1 : 0) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Bool {
    sqlite3_column_int(statement, column) != 0
  }
}

extension Double: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(real: self) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Double {
    sqlite3_column_double(statement, column)
  }
}

extension String: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(text: self) }

  static func read(from statement: OpaquePointer, at column: CInt) -> String {
    // In this order: the text first, then how long it is.
    guard let text = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  func add(to parameters: inout StatementParameters) {
    if let value = self { value.add(to: &parameters) } else { parameters.addNull() }
  }

  static func read(from statement: OpaquePointer, at column: CInt) -> Wrapped? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : Wrapped.read(from: statement, at: column)
  }
}

// MARK: - The model's own

extension NodeID: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: rawValue) }
  static func read(from statement: OpaquePointer, at column: CInt) -> NodeID {
    NodeID(rawValue: .read(from: statement, at: column))
  }
}

extension LearnerID: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: rawValue) }
  static func read(from statement: OpaquePointer, at column: CInt) -> LearnerID {
    LearnerID(rawValue: .read(from: statement, at: column))
  }
}

extension SessionID: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: rawValue) }
  static func read(from statement: OpaquePointer, at column: CInt) -> SessionID {
    SessionID(rawValue: .read(from: statement, at: column))
  }
}

extension Timestamp: ColumnValue {
  func add(to parameters: inout StatementParameters) { parameters.add(number: milliseconds) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Timestamp {
    Timestamp(milliseconds: .read(from: statement, at: column))
  }
}
