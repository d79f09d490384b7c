import GRDB
import GRDBSQLite
import LearningModel

/// A value that can be read from a column and bound to a parameter of a statement.
protocol ColumnValue {
  /// Binds the value to the next parameter.
  func add(to parameters: inout StatementParameters)
  /// Reads the value from a column of the current row. Columns are numbered from 0.
  static func read(from statement: OpaquePointer, at column: CInt) -> Self
  /// A value that is returned while the names of columns are collected. It is not used.
  static var placeholder: Self { get }
}

extension Int64: ColumnValue {
  static var placeholder: Self { 0 }
  func add(to parameters: inout StatementParameters) { parameters.add(number: self) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }
}

extension Int: ColumnValue {
  static var placeholder: Self { 0 }
  func add(to parameters: inout StatementParameters) { parameters.add(number: Int64(self)) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Int {
    Int(sqlite3_column_int64(statement, column))
  }
}

extension Bool: ColumnValue {
  static var placeholder: Self { false }
  func add(to parameters: inout StatementParameters) { parameters.add(number: self ? 1 : 0) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Bool {
    sqlite3_column_int(statement, column) != 0
  }
}

extension Double: ColumnValue {
  static var placeholder: Self { 0 }
  func add(to parameters: inout StatementParameters) { parameters.add(real: self) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Double {
    sqlite3_column_double(statement, column)
  }
}

extension String: ColumnValue {
  static var placeholder: Self { "" }
  func add(to parameters: inout StatementParameters) { parameters.add(text: self) }

  static func read(from statement: OpaquePointer, at column: CInt) -> String {
    // SQLite requires this order: the text first, then its length.
    guard let text = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

extension [UInt8]: ColumnValue {
  static var placeholder: Self { [] }
  func add(to parameters: inout StatementParameters) { parameters.add(bytes: self) }

  static func read(from statement: OpaquePointer, at column: CInt) -> [UInt8] {
    let bytes = sqlite3_column_blob(statement, column)
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static var placeholder: Self { nil }
  func add(to parameters: inout StatementParameters) {
    if let value = self { value.add(to: &parameters) } else { parameters.addNull() }
  }

  static func read(from statement: OpaquePointer, at column: CInt) -> Wrapped? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : Wrapped.read(from: statement, at: column)
  }
}

// MARK: - Identifiers and times

extension NodeID: ColumnValue {
  static var placeholder: Self { Self(rawValue: 0) }
  func add(to parameters: inout StatementParameters) { parameters.add(number: rawValue) }
  static func read(from statement: OpaquePointer, at column: CInt) -> NodeID {
    NodeID(rawValue: .read(from: statement, at: column))
  }
}

extension LearnerID: ColumnValue {
  static var placeholder: Self { Self(rawValue: 0) }
  func add(to parameters: inout StatementParameters) { parameters.add(number: rawValue) }
  static func read(from statement: OpaquePointer, at column: CInt) -> LearnerID {
    LearnerID(rawValue: .read(from: statement, at: column))
  }
}

extension SessionID: ColumnValue {
  static var placeholder: Self { Self(rawValue: 0) }
  func add(to parameters: inout StatementParameters) { parameters.add(number: rawValue) }
  static func read(from statement: OpaquePointer, at column: CInt) -> SessionID {
    SessionID(rawValue: .read(from: statement, at: column))
  }
}

extension Timestamp: ColumnValue {
  static var placeholder: Self { Self(milliseconds: 0) }
  func add(to parameters: inout StatementParameters) { parameters.add(number: milliseconds) }
  static func read(from statement: OpaquePointer, at column: CInt) -> Timestamp {
    Timestamp(milliseconds: .read(from: statement, at: column))
  }
}

/// The current row of a statement. Columns are read directly from the statement, by their numbers from 0. Valid only
/// until the statement's next row.
struct ResultRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  subscript<Value: ColumnValue>(_ column: Int) -> Value { Value.read(from: statement, at: CInt(column)) }

  /// Reads a case of an enumeration from its raw value in a column, or returns `nil` if the column is null.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the column contains an unknown raw value.
  func word<Word: RawRepresentable>(_ type: Word.Type, at column: Int) throws -> Word? where Word.RawValue == String {
    guard let text = self[column] as String? else { return nil }
    guard let word = Word(rawValue: text) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(quoted: text) is not a valid \(type)")
    }
    return word
  }

  /// Reads a value of an extensible enumeration from a column of a log, or returns `nil` if the column is null.
  func word<Word: OpenVocabulary>(_ type: Word.Type, at column: Int) throws -> Word? {
    (self[column] as String?).map { Word(logged: $0) }
  }
}

@available(*, unavailable)
extension ResultRow: Sendable {}

/// Binds values to the parameters of a statement, one after the other.
struct StatementParameters {
  private let statement: OpaquePointer
  /// Memory for bound texts, which SQLite would otherwise copy into memory that it allocates for each.
  private let buffer: UnsafeMutableRawBufferPointer.SubSequence
  /// The number of used bytes of ``buffer``.
  private(set) var byteCount = 0
  /// The number of bound parameters.
  private(set) var count = 0
  /// The result code of the first binding that failed, or `SQLITE_OK` if none has failed.
  private(set) var code = SQLITE_OK

  /// Creates an instance that starts at the first parameter.
  ///
  /// - Parameter buffer: Memory that must not be changed until the statement has run and was reset. All parameters must
  ///   be bound again before the statement runs again. Texts that do not fit are copied by SQLite.
  init(of statement: OpaquePointer, textsIn buffer: UnsafeMutableRawBufferPointer.SubSequence) {
    self.statement = statement
    self.buffer = buffer
  }

  mutating func add<Value: ColumnValue>(_ value: Value) { value.add(to: &self) }

  /// Binds an integer to the next parameter.
  mutating func add(number: Int64) { check(sqlite3_bind_int64(statement, next(), number)) }

  /// Binds a floating-point number to the next parameter.
  mutating func add(real number: Double) { check(sqlite3_bind_double(statement, next(), number)) }

  /// Binds a blob to the next parameter. SQLite copies it.
  mutating func add(bytes: [UInt8]) {
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // An empty array may have no address and would be treated as null.
    check(
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement, next(), 0)
        : sqlite3_bind_blob(statement, next(), bytes, CInt(bytes.count), copying))
  }

  /// Binds null to the next parameter.
  mutating func addNull() { check(sqlite3_bind_null(statement, next())) }

  /// Binds a text to the next parameter.
  mutating func add(text: String) {
    let place = next()
    var text = text
    let answer = text.withUTF8 { characters in
      guard !characters.isEmpty, characters.count <= buffer.count - byteCount else {
        // The value of `SQLITE_TRANSIENT`: SQLite copies the text.
        let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return characters.withMemoryRebound(to: CChar.self) {
          // An empty text has no address and would be treated as null.
          $0.isEmpty
            ? sqlite3_bind_text(statement, place, "", 0, copying)
            : sqlite3_bind_text(statement, place, $0.baseAddress, CInt($0.count), copying)
        }
      }
      let start = buffer.startIndex + byteCount
      let copy = UnsafeMutableRawBufferPointer(rebasing: buffer.base[start..<start + characters.count])
      copy.copyMemory(from: UnsafeRawBufferPointer(characters))
      byteCount += copy.count
      // A missing destructor means `SQLITE_STATIC`: SQLite reads the text in place.
      return sqlite3_bind_text(
        statement, place, copy.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(copy.count), nil)
    }
    check(answer)
  }

  private mutating func next() -> CInt {
    count += 1
    return CInt(count)
  }

  private mutating func check(_ answer: CInt) {
    if code == SQLITE_OK { code = answer }
  }
}

@available(*, unavailable)
extension StatementParameters: Sendable {}
