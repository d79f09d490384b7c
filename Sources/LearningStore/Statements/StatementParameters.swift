import GRDBSQLite

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
