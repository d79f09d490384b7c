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

/// The row that a statement is at. Its columns are read straight from the statement, by their numbers from 0, and only
/// until the statement's next row.
struct ResultRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  /// The value of a column.
  subscript<Value: ColumnValue>(_ column: Int) -> Value { Value.read(from: statement, at: CInt(column)) }

  /// Reads a word of a closed list.
  ///
  /// - Throws: ``LearningDatabaseError/damaged(path:detail:)`` where the column holds another word.
  func word<Word: RawRepresentable>(_ type: Word.Type, at column: Int) throws -> Word? where Word.RawValue == String {
    guard let text = self[column] as String? else { return nil }
    guard let word = Word(rawValue: text) else {
      throw LearningDatabaseError.damaged(path: "navigationEvent", detail: "'\(text)' is no \(type)")
    }
    return word
  }

  /// A word of a log; `nil` where the column is.
  func word<Word: OpenVocabulary>(_ type: Word.Type, at column: Int) throws -> Word? {
    (self[column] as String?).map { Word(logged: $0) }
  }
}

@available(*, unavailable)
extension ResultRow: Sendable {}

/// The places in a statement that values are put into, one after the other.
struct StatementParameters {
  private let statement: OpaquePointer
  /// Where texts are kept that SQLite would copy otherwise, each into memory of its own.
  private let room: UnsafeMutableRawBufferPointer.SubSequence
  /// How many bytes of the room are taken.
  private(set) var byteCount = 0
  /// How many have a value.
  private(set) var count = 0
  /// What SQLite said to the first value that it did not take; `SQLITE_OK` where it took all of them.
  private(set) var code = SQLITE_OK

  /// Begins at the first place.
  ///
  /// - Parameter room: Memory that stays as it is until the statement has run and is reset; before it runs again, every place gets
  ///   another value. What does not fit is copied by SQLite.
  init(of statement: OpaquePointer, textsIn room: UnsafeMutableRawBufferPointer.SubSequence) {
    self.statement = statement
    self.room = room
  }

  /// Puts a value into the next place.
  mutating func add<Value: ColumnValue>(_ value: Value) { value.add(to: &self) }

  /// Puts a whole number into the next place.
  mutating func add(number: Int64) { note(sqlite3_bind_int64(statement, next(), number)) }

  /// Puts a number into the next place.
  mutating func add(real number: Double) { note(sqlite3_bind_double(statement, next(), number)) }

  /// Puts nothing into the next place.
  mutating func addNull() { note(sqlite3_bind_null(statement, next())) }

  /// Puts a text into the next place.
  mutating func add(text: String) {
    let place = next()
    var text = text
    let answer = text.withUTF8 { characters in
      guard !characters.isEmpty, characters.count <= room.count - byteCount else {
        // The number of SQLITE_TRANSIENT: SQLite takes a copy.
        let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return characters.withMemoryRebound(to: CChar.self) {
          // An empty text has no address, and would be taken for a null.
          $0.isEmpty
            ? sqlite3_bind_text(statement, place, "", 0, copying)
            : sqlite3_bind_text(statement, place, $0.baseAddress, CInt($0.count), copying)
        }
      }
      let start = room.startIndex + byteCount
      let kept = UnsafeMutableRawBufferPointer(rebasing: room.base[start..<start + characters.count])
      kept.copyMemory(from: UnsafeRawBufferPointer(characters))
      byteCount += kept.count
      // Without a destructor it is SQLITE_STATIC: SQLite reads it where it is.
      return sqlite3_bind_text(
        statement, place, kept.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(kept.count), nil)
    }
    note(answer)
  }

  private mutating func next() -> CInt {
    count += 1
    return CInt(count)
  }

  private mutating func note(_ answer: CInt) {
    if code == SQLITE_OK { code = answer }
  }
}

@available(*, unavailable)
extension StatementParameters: Sendable {}
