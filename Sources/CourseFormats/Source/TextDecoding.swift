/// Decodes text in UTF-8, with or without a byte order mark, or in UTF-16 with a byte order mark. Text that contains
/// NUL characters is rejected.
enum TextDecoding {
  /// Decodes a file and converts all line ends to line feeds.
  ///
  /// - Throws: ``CourseFormatError/notText(file:line:byte:offset:)`` for the first invalid byte.
  static func decode(_ bytes: [UInt8], file: String) throws -> String {
    let text: String =
      if bytes.starts(with: [0xFF, 0xFE]) {
        try utf16(bytes, file: file) { UInt16($1) << 8 | UInt16($0) }
      } else if bytes.starts(with: [0xFE, 0xFF]) {
        try utf16(bytes, file: file) { UInt16($0) << 8 | UInt16($1) }
      } else if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        try utf8(bytes, from: 3, file: file)
      } else {
        try utf8(bytes, from: 0, file: file)
      }
    return text.utf8.contains(0x0D) ? unifiedLines(text) : text
  }

  /// Returns the bytes as UTF-8 without a byte order mark. Line ends are unchanged. Valid UTF-8 without a byte order
  /// mark is not copied.
  ///
  /// - Throws: ``CourseFormatError/notText(file:line:byte:offset:)`` for the first invalid byte.
  static func utf8(_ bytes: [UInt8], file: String) throws -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return Array(try decode(bytes, file: file).utf8)
    }
    _ = try utf8(bytes, from: 0, file: file)
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }

  private static func utf8(_ bytes: [UInt8], from start: Int, file: String) throws -> String {
    // NUL is valid UTF-8. In practice, however, it means that the file is UTF-16 without a byte order mark.
    let nul = bytes.firstIndex(of: 0)
    if nul == nil, let text = String(validating: bytes[start...], as: UTF8.self) { return text }
    let offset = min(nul ?? .max, start + firstInvalid(bytes[start..<(nul ?? bytes.count)]))
    let line = 1 + bytes[..<offset].count { $0 == 0x0A }
    throw CourseFormatError.notText(file: file, line: line, byte: bytes[offset], offset: offset)
  }

  /// Returns the number of bytes of valid UTF-8 before the first invalid byte.
  private static func firstInvalid(_ bytes: ArraySlice<UInt8>) -> Int {
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var valid = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): valid += scalar.count
      case .error, .emptyInput: return valid
      }
    }
  }

  private static func utf16(_ bytes: [UInt8], file: String, unit: (UInt8, UInt8) -> UInt16) throws -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = 2
    while index + 1 < bytes.count {
      units.append(unit(bytes[index], bytes[index + 1]))
      index += 2
    }
    let nul = units.firstIndex(of: 0)
    if index == bytes.count, nul == nil, let text = String(validating: units, as: UTF16.self) { return text }
    // The invalid part is an odd byte at the end, an unpaired surrogate, or a NUL.
    let broken = min(nul ?? .max, firstUnpaired(units) ?? units.count)
    let offset = 2 + broken * 2
    let line = 1 + units[..<broken].count { $0 == 0x0A }
    throw CourseFormatError.notText(file: file, line: line, byte: bytes[min(offset, bytes.count - 1)], offset: offset)
  }

  private static func firstUnpaired(_ units: [UInt16]) -> Int? {
    var index = 0
    while index < units.count {
      if UTF16.isLeadSurrogate(units[index]), index + 1 < units.count, UTF16.isTrailSurrogate(units[index + 1]) {
        index += 2
      } else if UTF16.isSurrogate(units[index]) {
        return index
      } else {
        index += 1
      }
    }
    return nil
  }

  private static func unifiedLines(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0D {
        bytes.append(0x0A)
      } else if byte != 0x0A || previous != 0x0D {
        bytes.append(byte)
      }
      previous = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
