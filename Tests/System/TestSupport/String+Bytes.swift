#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension String {
  /// Returns where other words begin in this text, in bytes of UTF-8, from left to right and none inside another.
  ///
  /// It compares bytes. The standard library compares characters, which takes hundreds of times as long in a build for
  /// debugging: tests that look at thousands of screens are made of little else.
  public func byteOffsets(of words: String) -> [Int] {
    var (text, words) = (self, words)
    return words.withUTF8 { words in
      text.withUTF8 { text in
        guard let start = text.baseAddress, let wanted = words.baseAddress else { return [] }
        var offsets: [Int] = []
        var next = 0
        while next + words.count <= text.count,
          let found = memchr(start + next, Int32(wanted[0]), text.count - words.count - next + 1)
        {
          let offset = UnsafeRawPointer(found) - UnsafeRawPointer(start)
          let isThere = memcmp(found, wanted, words.count) == 0
          if isThere { offsets.append(offset) }
          next = offset + (isThere ? words.count : 1)
        }
        return offsets
      }
    }
  }

  /// This text without the blanks at its end.
  public var withoutTrailingBlanks: String {
    var text = self
    return text.withUTF8 { bytes in
      var count = bytes.count
      while count > 0, bytes[count - 1] == 0x20 { count -= 1 }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}
