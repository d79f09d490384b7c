import Foundation

/// The central directory at the end of a zip file, which repeats the headers of all entries.
///
/// If the directory and a header differ, libarchive uses the value that it reads last. It also treats a truncated
/// directory as complete. The directory and the headers are therefore compared before libarchive opens the archive.
///
/// Source: PKWARE APPNOTE, 4.3.7, 4.3.12, 4.3.14 to 4.3.16, and 4.4.
struct ZipDirectory {
  private let descriptor: CInt
  private let size: Int
  private let name: String

  /// Reads the central directory and compares it with the headers of the entries.
  ///
  /// - Parameters:
  ///   - path: The path of the archive.
  ///   - name: The name of the archive in errors.
  ///   - limits: The limits. Only ``SourceLimits/entries`` is checked.
  /// - Throws: ``CourseFormatError`` if the directory is incomplete or differs from the header of an entry.
  static func check(_ path: String, name: String, _ limits: SourceLimits) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileAccess.failure(errno, file: name) }
    defer { close(descriptor) }
    try ZipDirectory(descriptor: descriptor, size: FileAccess.size(of: path), name: name).check(limits)
  }

  private var corruptDirectoryError: CourseFormatError {
    .badArchive(source: name, reason: "the list of entries at its end is damaged")
  }

  private func check(_ limits: SourceLimits) throws {
    let (start, end, count) = try place()
    guard count <= limits.entries else {
      throw CourseFormatError.limit(.entries(limits.entries), file: name, line: nil)
    }
    let list = try bytes(from: start, count: end - start)
    var offset = 0
    for number in 1...max(1, count) where count > 0 {
      guard list[number: offset, 4] == 0x0201_4B50, offset + 46 <= list.count else { throw corruptDirectoryError }
      let lengths = list[number: offset + 28, 2]
      let rest = list[number: offset + 30, 2] + list[number: offset + 32, 2]
      guard offset + 46 + lengths + rest <= list.count else { throw corruptDirectoryError }
      try compare(list[offset..<offset + 46 + lengths], number)
      offset += 46 + lengths + rest
    }
    guard offset == list.count else { throw corruptDirectoryError }
  }

  /// Returns the start and end offset of the central directory, and the number of its entries.
  private func place() throws -> (start: Int, end: Int, count: Int) {
    // The end record may be followed by a comment of up to 65,535 bytes.
    let tail = try bytes(from: max(0, size - 65_557), count: min(size, 65_557))
    let found = stride(from: tail.count - 22, through: 0, by: -1).first {
      tail[$0] == 0x50 && tail[number: $0, 4] == 0x0605_4B50 && $0 + 22 + tail[number: $0 + 20, 2] <= tail.count
    }
    guard let found else { throw corruptDirectoryError }
    var end = size - tail.count + found
    var (count, start) = (tail[number: found + 10, 2], tail[number: found + 16, 4])
    var length = tail[number: found + 12, 4]
    // In a zip64 archive, these values are in another record. The locator before the end record contains its offset.
    if count == 0xFFFF || start == 0xFFFF_FFFF || length == 0xFFFF_FFFF, end >= 20 {
      let locator = try bytes(from: end - 20, count: 20)
      if locator[number: 0, 4] == 0x0706_4B50 {
        end = locator[number: 8, 8]
        let record = try bytes(from: end, count: 56)
        guard record[number: 0, 4] == 0x0606_4B50 else { throw corruptDirectoryError }
        (count, length, start) = (record[number: 32, 8], record[number: 40, 8], record[number: 48, 8])
      }
    }
    guard start >= 0, length >= 0, start <= end, length == end - start else { throw corruptDirectoryError }
    return (start, end, count)
  }

  /// Compares an entry of the central directory with the header before the entry's data.
  private func compare(_ listed: ArraySlice<UInt8>, _ number: Int) throws {
    let listed = Array(listed)
    let place = listed[number: 42, 4]
    // Zip64 archives store large offsets in an extra field. The headers of such entries are not compared; their
    // checksums are verified during unpacking.
    guard place != 0xFFFF_FFFF else { return }
    let entry = try bytes(from: place, count: 30)
    let title = listed[46...]
    let flags = listed[number: 8, 2]
    // The size and the checksum may follow the data. In that case, the header contains zeros.
    let isStreamed = flags & 0x0008 != 0
    let sizes = isStreamed || listed[number: 20, 4] == 0xFFFF_FFFF || listed[number: 24, 4] == 0xFFFF_FFFF ? 0 : 12
    guard entry[number: 0, 4] == 0x0403_4B50, entry[6..<10] == listed[8..<12],
      entry[14..<14 + sizes] == listed[16..<16 + sizes], entry[number: 26, 2] == title.count,
      try bytes(from: place + 30, count: title.count) == Array(title)
    else {
      throw CourseFormatError.badArchive(
        source: name, reason: "its list and the header of entry \(number) differ")
    }
    guard Self.isFolder(listed) == (title.last == UInt8(ascii: "/")) else {
      throw CourseFormatError.badArchive(
        source: name, reason: "entry \(number) in it is a folder by its name or by its type, but not by both")
    }
  }

  /// Returns whether an entry is a folder. The answer depends on its file type or, if that is unknown, on its name.
  private static func isFolder(_ listed: [UInt8]) -> Bool {
    let kind = listed[number: 40, 2] & 0o170000
    switch listed[number: 5, 1] {
    // The entry was written on Unix or macOS.
    case 3 where kind != 0: return kind == 0o040000
    // The entry was written on MS-DOS, which has a bit for folders that some programs do not set.
    case 0 where listed[number: 38, 1] & 0x10 != 0: return true
    default: return listed.last == UInt8(ascii: "/")
    }
  }

  private func bytes(from offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, count <= size, offset <= size - count else { throw corruptDirectoryError }
    // The memory is not zeroed first. `done` is the number of initialised bytes.
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let step = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw corruptDirectoryError }
        done += step
      }
    }
  }
}

extension [UInt8] {
  /// The little-endian number in `count` bytes, or 0 if there are too few bytes. A number that exceeds `Int` is
  /// returned as a negative number.
  fileprivate subscript(number offset: Int, count: Int) -> Int {
    guard offset >= 0, offset + count <= self.count else { return 0 }
    return (0..<count).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
