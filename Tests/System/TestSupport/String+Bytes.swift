public import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Returns the first offset of a byte sequence, at or after a start offset.
  ///
  /// The searches of the standard library and Foundation are hundreds of times slower in debug builds, in which tests
  /// search thousands of screens and whole databases.
  func offset(of needle: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard let base = baseAddress, let first = needle.first else { return nil }
    var next = start
    while next + needle.count <= count,
      let match = memchr(base + next, Int32(first), count - needle.count - next + 1)
    {
      let offset = UnsafeRawPointer(match) - base
      if memcmp(match, needle.baseAddress!, needle.count) == 0 { return offset }
      next = offset + 1
    }
    return nil
  }
}

extension Data {
  /// Returns whether the data contains a byte sequence.
  public func holds(_ bytes: Data) -> Bool {
    withUnsafeBytes { all in bytes.withUnsafeBytes { all.offset(of: $0) != nil } }
  }
}

extension String {
  /// Returns the UTF-8 offsets of all non-overlapping occurrences of a text, from left to right.
  ///
  /// Compares bytes; the standard library compares characters.
  public func byteOffsets(of needle: String) -> [Int] {
    var (text, needle) = (self, needle)
    return needle.withUTF8 { needle in
      text.withUTF8 { text in
        var offsets: [Int] = []
        var next = 0
        while let offset = UnsafeRawBufferPointer(text).offset(of: UnsafeRawBufferPointer(needle), from: next) {
          offsets.append(offset)
          next = offset + needle.count
        }
        return offsets
      }
    }
  }

  /// The text without trailing blanks.
  public var withoutTrailingBlanks: String {
    var text = self
    return text.withUTF8 { bytes in
      var count = bytes.count
      while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}
