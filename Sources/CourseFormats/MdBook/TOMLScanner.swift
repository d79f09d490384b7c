/// Finds the strings and the other short values in a TOML text, each with its key path.
///
/// Arrays and inline tables are skipped, because what courses need from such a file is outside them.
struct TOMLScanner {
  /// A value outside arrays and inline tables.
  struct Value {
    let path: [String]
    /// The string, or the text of another value, such as `true`.
    let text: String
    let isString: Bool
    /// The number of the table in the text. The elements of an array of tables have the same path and different numbers.
    let table: Int
    /// The line number, from 1.
    let line: Int
  }

  private let bytes: [UInt8]
  private let file: String
  private var position = 0

  init(_ text: String, file: String) {
    bytes = Array(text.utf8)
    self.file = file
  }

  /// Returns all strings outside arrays and inline tables, in the order of the text.
  mutating func strings() throws -> [(path: [String], value: String)] {
    try values().filter(\.isString).map { ($0.path, $0.text) }
  }

  /// Returns all values outside arrays and inline tables, in the order of the text.
  mutating func values() throws -> [Value] {
    var found: [Value] = []
    var (table, tables) = ([String](), 0)
    var (line, counted) = (1, 0)
    while true {
      skipBlank(lines: true)
      guard let byte = peek else { return found }
      if byte == UInt8(ascii: "[") {
        let isList = position + 1 < bytes.count && bytes[position + 1] == byte
        position += isList ? 2 : 1
        table = try keys(until: UInt8(ascii: "]"))
        tables += 1
        position += isList ? 2 : 1
      } else {
        let path = try table + keys(until: UInt8(ascii: "="))
        position += 1
        skipBlank(lines: false)
        let start = position
        line += bytes[counted..<start].count { $0 == 0x0A }
        counted = start
        let isString = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
        let isNested = peek == UInt8(ascii: "[") || peek == UInt8(ascii: "{")
        let string = isString ? try string() : nil
        if !isString { try skipValue() }
        if !isNested {
          let text = bytes[start..<position].prefix { $0 > 0x20 && $0 != UInt8(ascii: "#") }
          found.append(
            Value(
              path: path, text: string ?? String(decoding: text, as: UTF8.self), isString: isString, table: tables,
              line: line))
        }
      }
      skipBlank(lines: false)
      guard peek == nil || peek == 0x0A else { throw malformed("there is text after a value") }
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func malformed(_ found: String) -> CourseFormatError {
    let line = 1 + bytes[..<min(position, bytes.count)].count { $0 == 0x0A }
    return .malformed(file: file, line: line, problem: "the TOML is invalid: \(found)", advice: "Correct the line.")
  }

  /// Skips spaces and comments. If `lines` is `true`, also skips line ends.
  private mutating func skipBlank(lines: Bool) {
    while let byte = peek {
      if byte == UInt8(ascii: "#") {
        while let inner = peek, inner != 0x0A { position += 1 }
      } else if byte == 0x20 || byte == 0x09 || lines && byte == 0x0A {
        position += 1
      } else {
        return
      }
    }
  }

  /// Parses a dotted key that ends before the byte `end`.
  private mutating func keys(until end: UInt8) throws -> [String] {
    var names: [String] = []
    while true {
      skipBlank(lines: false)
      guard let byte = peek, byte != 0x0A else { throw malformed("a line ends too early") }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        names.append(try string())
      } else {
        let start = position
        while let byte = peek, Self.isBare(byte) { position += 1 }
        guard position > start else { throw malformed("a name is missing") }
        names.append(String(decoding: bytes[start..<position], as: UTF8.self))
      }
      skipBlank(lines: false)
      if peek == end { return names }
      guard peek == UInt8(ascii: ".") else { throw malformed("'\(Character(Unicode.Scalar(end)))' is missing") }
      position += 1
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
  }

  /// Parses a string of any of the four kinds.
  private mutating func string() throws -> String {
    let quote = bytes[position]
    let isLong = position + 2 < bytes.count && bytes[position + 1] == quote && bytes[position + 2] == quote
    let close = Array(repeating: quote, count: isLong ? 3 : 1)
    position += close.count
    if isLong, peek == 0x0A { position += 1 }
    var text: [UInt8] = []
    while let byte = peek {
      if bytes[position...].starts(with: close) {
        position += close.count
        return String(decoding: text, as: UTF8.self)
      }
      if byte == 0x0A, !isLong { break }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        try escape(into: &text)
      } else {
        text.append(byte)
        position += 1
      }
    }
    throw malformed("a closing quote is missing")
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    position += 1
    guard let mark = peek else { throw malformed("a closing quote is missing") }
    position += 1
    switch mark {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(mark)
    case 0x0A, 0x20, 0x09:
      // A backslash at the end of a line joins the string with the next word, even if that word begins with `#`.
      while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A { position += 1 }
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = mark == UInt8(ascii: "u") ? 4 : 8
      let digits = String(decoding: bytes[position..<min(position + count, bytes.count)], as: UTF8.self)
      guard digits.utf8.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw malformed("a character escape is invalid")
      }
      text.append(contentsOf: String(scalar).utf8)
      position += count
    default: throw malformed("'\\\(Character(Unicode.Scalar(mark)))' is not an escape sequence")
    }
  }

  /// Skips a value that is not a string, to the end of its line or its brackets.
  private mutating func skipValue() throws {
    var depth = 0
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        _ = try string()
        continue
      case UInt8(ascii: "#"):
        skipBlank(lines: false)
        continue
      case 0x0A where depth <= 0: return
      default: break
      }
      position += 1
    }
    if depth > 0 { throw malformed("a closing bracket is missing") }
  }
}
