public import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Returns where those bytes begin first at or after that offset.
  ///
  /// The standard library's and Foundation's searches take hundreds of times as long in a build for debugging: tests that
  /// look at thousands of screens or at whole databases are made of little else.
  func offset(of wanted: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard let base = baseAddress, let first = wanted.first else { return nil }
    var next = start
    while next + wanted.count <= count,
      let found = memchr(base + next, Int32(first), count - wanted.count - next + 1)
    {
      let offset = UnsafeRawPointer(found) - base
      if memcmp(found, wanted.baseAddress!, wanted.count) == 0 { return offset }
      next = offset + 1
    }
    return nil
  }
}

extension Data {
  /// Whether those bytes stand anywhere in it.
  public func holds(_ bytes: Data) -> Bool {
    withUnsafeBytes { all in bytes.withUnsafeBytes { all.offset(of: $0) != nil } }
  }
}

extension String {
  /// Returns where other words begin in this text, in bytes of UTF-8, from left to right and none inside another.
  ///
  /// It compares bytes; the standard library compares characters.
  public func byteOffsets(of words: String) -> [Int] {
    var (text, words) = (self, words)
    return words.withUTF8 { words in
      text.withUTF8 { text in
        var offsets: [Int] = []
        var next = 0
        while let offset = UnsafeRawBufferPointer(text).offset(of: UnsafeRawBufferPointer(words), from: next) {
          offsets.append(offset)
          next = offset + words.count
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
