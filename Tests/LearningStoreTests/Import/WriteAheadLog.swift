import Foundation

/// What has been written to a database, transaction by transaction, as its write-ahead log has it. While it is read
/// from the time before, the log does not begin anew, and all of it is there.
///
/// Source: SQLite, "WAL-mode File Format", section 1: a header of 32 bytes; frames of a header of 24 bytes and a page; the
/// second number of a frame's header is not 0 where the frame ends a transaction.
struct WriteAheadLog {
  /// How many pages each transaction has written, in order.
  let pages: [Int]

  init(of database: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: database + "-wal")))
    func number(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    guard bytes.count >= 32 else {
      pages = []
      return
    }
    let (size, salt) = (Int(number(at: 8)), [number(at: 16), number(at: 20)])
    var pages: [Int] = []
    var count = 0
    var offset = 32
    // What is left of an older log has other salts.
    while offset + 24 + size <= bytes.count, [number(at: offset + 8), number(at: offset + 12)] == salt {
      count += 1
      if number(at: offset + 4) != 0 {
        pages.append(count)
        count = 0
      }
      offset += 24 + size
    }
    self.pages = pages
  }
}
