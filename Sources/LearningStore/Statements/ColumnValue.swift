import GRDBSQLite
import LearningModel

/// What stands in a column, or in the place of a parameter.
protocol ColumnValue {
  /// Puts it in the place of a parameter; numbers begin at 1.
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt
  /// Reads it from a column of the row that the statement is at; numbers begin at 0.
  static func read(from statement: OpaquePointer, at column: CInt) -> Self
}

extension Int64: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt {
    sqlite3_bind_int64(statement, parameter, self)
  }
  static func read(from statement: OpaquePointer, at column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }
}

extension Int: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt { Int64(self).bind(to: statement, at: parameter) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Int {
    Int(sqlite3_column_int64(statement, column))
  }
}

extension Bool: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt {
    sqlite3_bind_int(statement, parameter, self ? 1 : 0)
  }
  static func read(from statement: OpaquePointer, at column: CInt) -> Bool {
    sqlite3_column_int(statement, column) != 0
  }
}

extension Double: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt { sqlite3_bind_double(statement, parameter, self) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Double {
    sqlite3_column_double(statement, column)
  }
}

extension String: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt {
    var text = self
    return text.withUTF8 { bytes in
      // The number of SQLITE_TRANSIENT: SQLite takes a copy.
      let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty text has no address, and would be taken for a null.
        characters.baseAddress == nil
          ? sqlite3_bind_text(statement, parameter, "", 0, copying)
          : sqlite3_bind_text(statement, parameter, characters.baseAddress, CInt(characters.count), copying)
      }
    }
  }

  static func read(from statement: OpaquePointer, at column: CInt) -> String {
    // In this order: the text first, then how long it is.
    guard let text = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt {
    self?.bind(to: statement, at: parameter) ?? sqlite3_bind_null(statement, parameter)
  }

  static func read(from statement: OpaquePointer, at column: CInt) -> Wrapped? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : Wrapped.read(from: statement, at: column)
  }
}

// MARK: - The model's own

extension NodeID: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt { rawValue.bind(to: statement, at: parameter) }
  static func read(from statement: OpaquePointer, at column: CInt) -> NodeID {
    NodeID(rawValue: .read(from: statement, at: column))
  }
}

extension LearnerID: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt { rawValue.bind(to: statement, at: parameter) }
  static func read(from statement: OpaquePointer, at column: CInt) -> LearnerID {
    LearnerID(rawValue: .read(from: statement, at: column))
  }
}

extension SessionID: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt { rawValue.bind(to: statement, at: parameter) }
  static func read(from statement: OpaquePointer, at column: CInt) -> SessionID {
    SessionID(rawValue: .read(from: statement, at: column))
  }
}

extension Timestamp: ColumnValue {
  func bind(to statement: OpaquePointer, at parameter: CInt) -> CInt { milliseconds.bind(to: statement, at: parameter) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Timestamp {
    Timestamp(milliseconds: .read(from: statement, at: column))
  }
}
