import Foundation

/// The list at the end of a zip, which repeats what stands before each entry. libarchive uses what it reads last, and
/// takes a list that breaks off for one that ends; so both are compared before it opens the archive.
///
/// Source: PKWARE APPNOTE, 4.3.7, 4.3.12, 4.3.14 to 4.3.16, and 4.4.
struct ZipDirectory {
  private let descriptor: CInt
  private let size: Int
  private let name: String

  /// Reads the list, and compares it with the entries.
  ///
  /// - Parameters:
  ///   - path: The archive.
  ///   - name: What errors call it.
  ///   - limits: How many entries it may have.
  /// - Throws: ``CourseFormatError`` where the list is not whole, or says something else than an entry.
  static func check(_ path: String, name: String, _ limits: SourceLimits) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileAccess.failure(errno, file: name) }
    defer { close(descriptor) }
    try ZipDirectory(descriptor: descriptor, size: FileAccess.size(of: path), name: name).check(limits)
  }

  private var brokenList: CourseFormatError {
    .badArchive(source: name, reason: "the list of entries at its end is broken")
  }

  private func check(_ limits: SourceLimits) throws {
    let (start, end, count) = try place()
    guard count <= limits.entries else {
      throw CourseFormatError.limit(.entries(limits.entries), file: name, line: nil)
    }
    let list = try bytes(from: start, count: end - start)
    var offset = 0
    for number in 1...max(1, count) where count > 0 {
      guard list[number: offset, 4] == 0x0201_4B50, offset + 46 <= list.count else { throw brokenList }
      let lengths = list[number: offset + 28, 2]
      let rest = list[number: offset + 30, 2] + list[number: offset + 32, 2]
      guard offset + 46 + lengths + rest <= list.count else { throw brokenList }
      try compare(list[offset..<offset + 46 + lengths], number)
      offset += 46 + lengths + rest
    }
    guard offset == list.count else { throw brokenList }
  }

  /// Where the list begins and ends, and how many entries it has.
  private func place() throws -> (start: Int, end: Int, count: Int) {
    // A comment of up to 65,535 bytes may stand behind it.
    let tail = try bytes(from: max(0, size - 65_557), count: min(size, 65_557))
    let found = stride(from: tail.count - 22, through: 0, by: -1).first {
      tail[$0] == 0x50 && tail[number: $0, 4] == 0x0605_4B50 && $0 + 22 + tail[number: $0 + 20, 2] <= tail.count
    }
    guard let found else { throw brokenList }
    var end = size - tail.count + found
    var (count, start) = (tail[number: found + 10, 2], tail[number: found + 16, 4])
    var length = tail[number: found + 12, 4]
    // Of a large archive the numbers stand in a record before, and its place in one between.
    if count == 0xFFFF || start == 0xFFFF_FFFF || length == 0xFFFF_FFFF, end >= 20 {
      let locator = try bytes(from: end - 20, count: 20)
      if locator[number: 0, 4] == 0x0706_4B50 {
        end = locator[number: 8, 8]
        let record = try bytes(from: end, count: 56)
        guard record[number: 0, 4] == 0x0606_4B50 else { throw brokenList }
        (count, length, start) = (record[number: 32, 8], record[number: 40, 8], record[number: 48, 8])
      }
    }
    guard start >= 0, length >= 0, start <= end, length == end - start else { throw brokenList }
    return (start, end, count)
  }

  /// Compares what the list says of an entry with what stands before it.
  private func compare(_ listed: ArraySlice<UInt8>, _ number: Int) throws {
    let listed = Array(listed)
    let place = listed[number: 42, 4]
    // Of what is beyond four gigabytes the numbers stand elsewhere; the entries' own checksums are looked at later.
    guard place != 0xFFFF_FFFF else { return }
    let entry = try bytes(from: place, count: 30)
    let title = listed[46...]
    let flags = listed[number: 8, 2]
    // Sizes and checksum may follow the entry; its header then has none.
    let isStreamed = flags & 0x0008 != 0
    let sizes = isStreamed || listed[number: 20, 4] == 0xFFFF_FFFF || listed[number: 24, 4] == 0xFFFF_FFFF ? 0 : 12
    guard entry[number: 0, 4] == 0x0403_4B50, entry[6..<10] == listed[8..<12],
      entry[14..<14 + sizes] == listed[16..<16 + sizes], entry[number: 26, 2] == title.count,
      try bytes(from: place + 30, count: title.count) == Array(title)
    else {
      throw CourseFormatError.badArchive(
        source: name, reason: "what its list says of entry \(number) is not what stands before the entry")
    }
    guard Self.isFolder(listed) == (title.last == UInt8(ascii: "/")) else {
      throw CourseFormatError.badArchive(
        source: name, reason: "entry \(number) in it is a folder by its name or by its kind, but not by both")
    }
  }

  /// Whether an entry is a folder by its kind; by its name where it has no kind.
  private static func isFolder(_ listed: [UInt8]) -> Bool {
    let kind = listed[number: 40, 2] & 0o170000
    switch listed[number: 5, 1] {
    // Unix and macOS.
    case 3 where kind != 0: return kind == 0o040000
    // MS-DOS has a bit for it, which not all set.
    case 0 where listed[number: 38, 1] & 0x10 != 0: return true
    default: return listed.last == UInt8(ascii: "/")
    }
  }

  private func bytes(from offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, count <= size, offset <= size - count else { throw brokenList }
    // Read into memory that is not zeroed first; `done` says how much of it is set.
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let step = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw brokenList }
        done += step
      }
    }
  }
}

extension [UInt8] {
  /// The number in some bytes, the lowest first; 0 where there are not so many. What does not fit is negative.
  fileprivate subscript(number offset: Int, count: Int) -> Int {
    guard offset >= 0, offset + count <= self.count else { return 0 }
    return (0..<count).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
