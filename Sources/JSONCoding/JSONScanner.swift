/// A JSON text that cannot be read.
package enum JSONError: Error, Hashable {
  /// The text is not the expected JSON. The problem is the middle of a sentence, and the advice a sentence.
  case malformed(line: Int, problem: String, advice: String)
  /// Values are nested more deeply than the limit.
  case tooDeep(limit: Int, line: Int)
}

/// Scans a JSON text byte by byte without building a tree. Values that are not needed are validated and skipped.
///
/// Source: RFC 8259.
package struct JSONScanner {
  /// The texts that a scanner accepts.
  package enum Dialect: Sendable {
    /// JSON without control characters, which could control a terminal, even if they are escaped.
    case harmless
    /// JSON as RFC 8259 defines it. Surrogates must be paired.
    case standard
    /// JSON as Python writes it. Numbers may be `NaN` or infinite, and surrogates unpaired.
    case python
  }

  private let bytes: [UInt8]
  private let deepest: Int
  private let dialect: Dialect
  private let end: Int
  package private(set) var position: Int
  private var nestingDepth = 0
  /// The last position for which a line was requested, and its line number.
  private var counted = (position: 0, line: 1)

  /// Makes a scanner for bytes that are valid UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - range: The part to scan, by default all bytes.
  ///   - deepest: The maximum nesting depth of values.
  ///   - dialect: The accepted texts.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil, deepest: Int, dialect: Dialect = .harmless) {
    self.bytes = bytes
    self.deepest = deepest
    self.dialect = dialect
    position = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  /// Returns the line number of a position, from 1.
  private func line(at position: Int) -> Int {
    1 + bytes[..<min(position, bytes.count)].count { $0 == 0x0A }
  }

  /// Returns the line number of the next value, from 1. All calls together examine each byte only once.
  package mutating func nextLine() -> Int {
    _ = peek()
    counted.line += bytes[counted.position..<position].count { $0 == 0x0A }
    counted.position = position
    return counted.line
  }

  /// Returns an error at a position, by default the current one.
  package func malformed(_ found: String, _ advice: String, at place: Int? = nil) -> JSONError {
    .malformed(line: line(at: place ?? position), problem: found, advice: advice)
  }

  private func unexpected(_ wanted: String) -> JSONError {
    let found =
      position < end ? "'\(String(decoding: bytes[position..<min(position + 1, end)], as: UTF8.self))'" : "the end"
    return malformed(
      "the JSON is invalid: \(wanted) is missing before \(found)", "Correct the line, or the one above it.")
  }

  // MARK: Values

  /// Returns the first byte of the next value or delimiter after white space, or `nil` at the end.
  package mutating func peek() -> UInt8? {
    while position < end, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    return position < end ? bytes[position] : nil
  }

  /// Scans an object. `member` is called after each name and must consume the value.
  package mutating func object(_ member: (inout JSONScanner, _ name: String) throws -> Void) throws {
    try members {
      try $0.string()
    } value: {
      try member(&$0, $1)
    }
  }

  /// Scans an array. `element` is called for each value and must consume it.
  package mutating func array(_ element: (inout JSONScanner) throws -> Void) throws {
    try enter(UInt8(ascii: "["), "'['")
    if try leave(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while try continueSequence(to: UInt8(ascii: "]"), "',' or ']'")
  }

  /// Scans an object. The functions are called for each name and each value and must consume them.
  private mutating func members<Name>(
    name: (inout JSONScanner) throws -> Name, value: (inout JSONScanner, Name) throws -> Void
  ) throws {
    try enter(UInt8(ascii: "{"), "'{'")
    if try leave(UInt8(ascii: "}")) { return }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let name = try name(&self)
      guard peek() == UInt8(ascii: ":") else { throw unexpected("':'") }
      position += 1
      try value(&self, name)
    } while try continueSequence(to: UInt8(ascii: "}"), "',' or '}'")
  }

  private mutating func enter(_ mark: UInt8, _ wanted: String) throws {
    guard peek() == mark else { throw unexpected(wanted) }
    position += 1
    nestingDepth += 1
    guard nestingDepth <= deepest else {
      throw JSONError.tooDeep(limit: deepest, line: line(at: position))
    }
  }

  private mutating func leave(_ mark: UInt8) throws -> Bool {
    guard peek() == mark else { return false }
    position += 1
    nestingDepth -= 1
    return true
  }

  private mutating func continueSequence(to mark: UInt8, _ wanted: String) throws -> Bool {
    if try leave(mark) { return false }
    guard peek() == UInt8(ascii: ",") else { throw unexpected(wanted) }
    position += 1
    return true
  }

  /// Validates the next value and moves past it.
  package mutating func skip() throws {
    switch peek() {
    case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skip() }
    case UInt8(ascii: "["): try array { try $0.skip() }
    case UInt8(ascii: "\""): _ = try stringRange()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "N") where dialect == .python: try literal("NaN")
    case UInt8(ascii: "I") where dialect == .python: try literal("Infinity")
    case UInt8(ascii: "-") where dialect == .python && position + 1 < end && bytes[position + 1] == UInt8(ascii: "I"):
      try literal("-Infinity")
    default: _ = try number()
    }
  }

  /// Skips the next value and returns its text.
  package mutating func skipped() throws -> String {
    _ = peek()
    let start = position
    try skip()
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Validates the next value, moves past it, and appends it and all values in it to a list, each before the values
  /// in it. The members of an object are pairs of a string and a value.
  mutating func index(into values: inout [JSONValue]) throws {
    let first = peek()
    let number = values.count
    values.append(JSONValue(first: first ?? 0, start: position))
    switch first {
    case UInt8(ascii: "{"):
      try members {
        try $0.index(into: &values)
      } value: { scanner, _ in
        try scanner.index(into: &values)
      }
    case UInt8(ascii: "["): try array { try $0.index(into: &values) }
    default: try skip()
    }
    values[number].end = position
    values[number].next = values.count
  }

  private mutating func literal(_ word: StaticString) throws {
    let count = word.utf8CodeUnitCount
    guard position + count <= end,
      bytes[position..<position + count].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw unexpected("a value") }
    position += count
  }

  /// Returns the text of the next value, which must be a number.
  package mutating func number() throws -> String {
    _ = peek()
    let start = position
    func digits() -> Bool {
      let first = position
      while position < end, (0x30...0x39).contains(bytes[position]) { position += 1 }
      return position > first
    }
    func take(_ marks: String) -> Bool {
      guard position < end, marks.utf8.contains(bytes[position]) else { return false }
      position += 1
      return true
    }
    _ = take("-")
    if !take("0"), !digits() { throw unexpected("a value") }
    if take("."), !digits() { throw unexpected("a digit") }
    if take("eE") {
      _ = take("+-")
      if !digits() { throw unexpected("a digit") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  // MARK: Strings

  /// Returns the next value, which must be a string.
  package mutating func string() throws -> String {
    let range = try stringRange()
    guard bytes[range].contains(0x5C) else { return String(decoding: bytes[range], as: UTF8.self) }
    return unescaped(range)
  }

  /// Returns the range between the quotes of the next value, which must be a string. Throws if the string contains
  /// control characters that the dialect excludes.
  private mutating func stringRange() throws -> Range<Int> {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a text in quotes") }
    position += 1
    let start = position
    while position < end {
      switch bytes[position] {
      case 0x22:
        position += 1
        return start..<position - 1
      case 0x5C: try checkEscape()
      case 0x00..<0x20: throw controlCharacter()
      case 0x7F where dialect == .harmless: throw controlCharacter()
      case 0xC2 where dialect == .harmless && position + 1 < end && (0x80...0x9F).contains(bytes[position + 1]):
        throw controlCharacter()
      default: position += 1
      }
    }
    throw unexpected("a closing quote")
  }

  private func controlCharacter() -> JSONError {
    malformed("a text contains a control character", "Remove it, or write a line break as '\\n' and a tab as '\\t'.")
  }

  private mutating func checkEscape() throws {
    position += 1
    guard position < end else { throw unexpected("a closing quote") }
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "n"), UInt8(ascii: "t"): position += 1
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "r"):
      guard dialect != .harmless else { throw controlCharacter() }
      position += 1
    case UInt8(ascii: "u"):
      guard let unit = unit(at: position + 1) else { throw unexpected("four hexadecimal digits") }
      let isControl = unit < 0x20 && unit != 0x0A && unit != 0x09 || (0x7F...0x9F).contains(unit)
      if isControl, dialect == .harmless { throw controlCharacter() }
      position += 5
      // Unpaired surrogates are replaced by U+FFFD when the string is decoded.
      if dialect == .python { return }
      if UTF16.isLeadSurrogate(unit) {
        guard position + 1 < end, bytes[position] == 0x5C, bytes[position + 1] == UInt8(ascii: "u"),
          let trail = self.unit(at: position + 2), UTF16.isTrailSurrogate(trail)
        else { throw unexpected("the second half of a character") }
        position += 6
      } else if UTF16.isTrailSurrogate(unit) {
        throw unexpected("the first half of a character")
      }
    default: throw unexpected("one of \" \\ / n t u")
    }
  }

  private func unit(at start: Int) -> UInt16? {
    guard start + 4 <= end else { return nil }
    return bytes[start..<start + 4].reduce(UInt16?(0)) { value, byte in
      guard let value, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      return value << 4 | UInt16(digit)
    }
  }

  /// Returns the text of a string that ``stringRange()`` has validated.
  func unescaped(_ range: Range<Int>) -> String {
    var units: [UInt16] = []
    var plain = range.lowerBound
    var at = range.lowerBound
    func flush() { units.append(contentsOf: String(decoding: bytes[plain..<at], as: UTF8.self).utf16) }
    while at < range.upperBound {
      guard bytes[at] == 0x5C else {
        at += 1
        continue
      }
      flush()
      switch bytes[at + 1] {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "u"):
        units.append(unit(at: at + 2)!)
        at += 4
      default: units.append(UInt16(bytes[at + 1]))
      }
      at += 2
      plain = at
    }
    flush()
    return String(decoding: units, as: UTF16.self)
  }
}

extension JSONScanner {
  /// Returns the position of the value at a decoder's coding path, for the line number of a decoding error.
  ///
  /// - Parameter path: The keys and indices relative to the next value. If the path is not found, the position of the
  ///   innermost value that was found is returned.
  package func place(of path: [any CodingKey]) -> Int {
    var scanner = self
    guard let key = path.first else { return scanner.peek() == nil ? position : scanner.position }
    var found: Int?
    let rest = Array(path.dropFirst())
    if let index = key.intValue, scanner.peek() == UInt8(ascii: "[") {
      var count = 0
      try? scanner.array { element in
        if count == index { found = element.place(of: rest) }
        count += 1
        try element.skip()
      }
    } else if scanner.peek() == UInt8(ascii: "{") {
      try? scanner.object { member, name in
        if name == key.stringValue { found = member.place(of: rest) }
        try member.skip()
      }
    }
    return found ?? position
  }
}
