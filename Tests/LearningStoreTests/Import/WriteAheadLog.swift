import Foundation

/// The pages of each transaction in a write-ahead log. The log is complete as long as a read that began earlier keeps
/// it from restarting.
///
/// Source: SQLite, "WAL-mode File Format", section 1: a header of 32 bytes; frames of a header of 24 bytes and a page; the
/// second number of a frame's header is nonzero if the frame ends a transaction.
struct WriteAheadLog {
  /// The number of pages that each transaction wrote, in order.
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
    // Remaining frames of an older log have other salts.
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
