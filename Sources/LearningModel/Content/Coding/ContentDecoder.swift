/// Decodes contents from the JSON of ``ContentEncoder`` or of Foundation's `JSONEncoder`.
///
/// Takes less than half the time of Foundation's `JSONDecoder`: a single scan finds all values, and errors are short. Only
/// stored contents are decoded with this type. Files of users are decoded with `JSONDecoder`, whose errors name the
/// location of a mistake.
package struct ContentDecoder {
  /// Decodes a content.
  ///
  /// - Throws: `DecodingError` if the bytes are not valid JSON, or not the form of a content.
  package static func decode(_ bytes: [UInt8]) throws -> ActivityContent {
    let document = try JSONDocument(bytes)
    return try ActivityContent(from: ContentValueDecoder(document: document, value: 0))
  }
}

/// The deepest nesting of arrays and objects that is decoded.
private let maximumDepth = 1_024

/// JSON with the position of each value.
private final class JSONDocument {
  enum Kind: UInt8 { case object, array, string, number, yes, no, null }

  struct Value {
    let kind: Kind
    /// Whether a string contains escapes.
    var hasEscapes = false
    /// The bytes of the value. Those of a string are without its quotes.
    let start: Int32
    var end: Int32 = 0
    /// The index of the next value that is not nested in this one.
    var next: Int32 = 0
  }

  let bytes: [UInt8]
  /// The values in the order of their beginnings. The members of an object are pairs of a string and a value.
  private(set) var values: [Value] = []
  private var position = 0

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    guard bytes.count < Int(Int32.max) else { throw Self.error("it is too long") }
    values.reserveCapacity(bytes.count / 24)
    try scanValue(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw Self.error("there is text after the value") }
  }

  static func error(_ problem: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: problem))
  }

  private func skipBlanks() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
  }

  private func scanValue(depth: Int) throws {
    skipBlanks()
    guard position < bytes.count else { throw Self.error("the text ends too early") }
    guard depth < maximumDepth else { throw Self.error("it is nested too deeply") }
    switch bytes[position] {
    case UInt8(ascii: "{"):
      try scanItems(.object, end: UInt8(ascii: "}")) {
        try scanString()
        skipBlanks()
        try skip(UInt8(ascii: ":"))
        try scanValue(depth: depth + 1)
      }
    case UInt8(ascii: "["): try scanItems(.array, end: UInt8(ascii: "]")) { try scanValue(depth: depth + 1) }
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "t"): try scanWord("true", .yes)
    case UInt8(ascii: "f"): try scanWord("false", .no)
    case UInt8(ascii: "n"): try scanWord("null", .null)
    default: try scanNumber()
    }
  }

  private func skip(_ byte: UInt8) throws {
    guard position < bytes.count, bytes[position] == byte else {
      throw Self.error("'\(UnicodeScalar(byte))' is missing at \(position)")
    }
    position += 1
  }

  private func scanItems(_ kind: Kind, end: UInt8, item: () throws -> Void) throws {
    let index = values.count
    values.append(Value(kind: kind, start: Int32(position)))
    position += 1
    skipBlanks()
    if position < bytes.count, bytes[position] == end {
      position += 1
    } else {
      while true {
        skipBlanks()
        try item()
        skipBlanks()
        if position < bytes.count, bytes[position] == UInt8(ascii: ",") {
          position += 1
          continue
        }
        try skip(end)
        break
      }
    }
    values[index].end = Int32(position)
    values[index].next = Int32(values.count)
  }

  private func scanString() throws {
    try skip(UInt8(ascii: "\""))
    let start = position
    var hasEscapes = false
    bytes.withUnsafeBufferPointer { buffer in
      while position < buffer.count, buffer[position] != 0x22 {
        if buffer[position] == 0x5C {
          hasEscapes = true
          position += 1
        }
        position += 1
      }
    }
    guard position < bytes.count else { throw Self.error("a string does not end") }
    values.append(
      Value(
        kind: .string, hasEscapes: hasEscapes, start: Int32(start), end: Int32(position),
        next: Int32(values.count + 1)))
    position += 1
  }

  private func scanWord(_ word: String, _ kind: Kind) throws {
    guard bytes[position...].starts(with: word.utf8) else { throw Self.error("'\(word)' is missing at \(position)") }
    append(kind, length: word.utf8.count)
  }

  private func scanNumber() throws {
    let length = bytes[position...].prefix { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }.count
    guard length > 0 else { throw Self.error("a value is missing at \(position)") }
    append(.number, length: length)
  }

  private func append(_ kind: Kind, length: Int) {
    values.append(
      Value(
        kind: kind, start: Int32(position), end: Int32(position + length), next: Int32(values.count + 1)))
    position += length
  }

  // MARK: Reading

  /// Returns the index of the value of a member, or `nil` if the object has no such member.
  func member(_ key: String, of object: Int) -> Int? {
    var index = object + 1
    let end = Int(values[object].next)
    while index < end {
      let name = values[index]
      if !name.hasEscapes, bytes[Int(name.start)..<Int(name.end)].elementsEqual(key.utf8) { return index + 1 }
      index = Int(values[index + 1].next)
    }
    return nil
  }

  func string(_ index: Int) throws -> String {
    let value = values[index]
    guard value.kind == .string else { throw Self.error("a string is needed") }
    let range = Int(value.start)..<Int(value.end)
    guard value.hasEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
    return try unescaped(bytes[range])
  }

  /// Source: RFC 8259, "Strings".
  private func unescaped(_ text: ArraySlice<UInt8>) throws -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    func unit(at start: Int) throws -> UInt16 {
      guard start + 4 <= text.endIndex,
        let unit = UInt16(String(decoding: text[start..<start + 4], as: UTF8.self), radix: 16)
      else { throw Self.error("an escape is invalid") }
      return unit
    }
    while index < text.endIndex {
      guard text[index] == 0x5C else {
        result.append(text[index])
        index += 1
        continue
      }
      guard index + 1 < text.endIndex else { throw Self.error("an escape is invalid") }
      index += 2
      switch text[index - 1] {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(text[index - 1])
      case UInt8(ascii: "u"):
        var units = [try unit(at: index)]
        index += 4
        if UTF16.isLeadSurrogate(units[0]), text[index...].starts(with: [0x5C, UInt8(ascii: "u")]) {
          units.append(try unit(at: index + 2))
          index += 6
        }
        result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
      default: throw Self.error("an escape is invalid")
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  func number<Number: LosslessStringConvertible>(_ index: Int, as type: Number.Type) throws -> Number {
    let value = values[index]
    guard value.kind == .number,
      let number = Number(String(decoding: bytes[Int(value.start)..<Int(value.end)], as: UTF8.self))
    else { throw Self.error("a number is needed") }
    return number
  }

  func flag(_ index: Int) throws -> Bool {
    switch values[index].kind {
    case .yes: true
    case .no: false
    default: throw Self.error("'true' or 'false' is needed")
    }
  }
}

/// Passed to the values that decode themselves.
private struct ContentValueDecoder: Decoder {
  let document: JSONDocument
  /// The index of the value.
  let value: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.values[value].kind == .object else { throw JSONDocument.error("an object is needed") }
    return KeyedDecodingContainer(ContentMembers<Key>(document: document, object: value))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.values[value].kind == .array else { throw JSONDocument.error("an array is needed") }
    return ContentElements(document: document, array: value)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    ContentSingleValue(document: document, value: value)
  }
}

private struct ContentMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let document: JSONDocument
  let object: Int
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] {
    var keys: [Key] = []
    var index = object + 1
    while index < Int(document.values[object].next) {
      if let key = (try? document.string(index)).flatMap(Key.init(stringValue:)) { keys.append(key) }
      index = Int(document.values[index + 1].next)
    }
    return keys
  }

  private func member(_ key: Key) throws -> ContentSingleValue {
    guard let index = document.member(key.stringValue, of: object) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "'\(key.stringValue)' is missing"))
    }
    return ContentSingleValue(document: document, value: index)
  }

  func contains(_ key: Key) -> Bool { document.member(key.stringValue, of: object) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try member(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try member(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).decode(type) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try ContentValueDecoder(document: document, value: member(key).value).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ContentValueDecoder(document: document, value: member(key).value).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { ContentValueDecoder(document: document, value: object) }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    ContentValueDecoder(document: document, value: try member(key).value)
  }
}

private struct ContentElements: UnkeyedDecodingContainer {
  let document: JSONDocument
  private let end: Int
  private var next: Int
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { next >= end }

  init(document: JSONDocument, array: Int) {
    self.document = document
    (next, end) = (array + 1, Int(document.values[array].next))
  }

  private mutating func element() throws -> ContentSingleValue {
    guard !isAtEnd else { throw JSONDocument.error("the array has no further element") }
    defer {
      next = Int(document.values[next].next)
      currentIndex += 1
    }
    return ContentSingleValue(document: document, value: next)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, document.values[next].kind == .null else { return false }
    return try element().decodeNil()
  }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try element().decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try element().decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try element().decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try element().decode(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try element().decode(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try element().decode(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try element().decode(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try element().decode(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try element().decode(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try element().decode(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element().decode(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element().decode(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element().decode(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element().decode(type) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try element().decode(type) }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try ContentValueDecoder(document: document, value: element().value).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try ContentValueDecoder(document: document, value: element().value).unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder {
    ContentValueDecoder(document: document, value: try element().value)
  }
}

private struct ContentSingleValue: SingleValueDecodingContainer {
  let document: JSONDocument
  let value: Int
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { document.values[value].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try document.flag(value) }
  func decode(_ type: String.Type) throws -> String { try document.string(value) }
  func decode(_ type: Double.Type) throws -> Double { try document.number(value, as: type) }
  func decode(_ type: Float.Type) throws -> Float { try document.number(value, as: type) }
  func decode(_ type: Int.Type) throws -> Int { try document.number(value, as: type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try document.number(value, as: type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try document.number(value, as: type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try document.number(value, as: type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try document.number(value, as: type) }
  func decode(_ type: UInt.Type) throws -> UInt { try document.number(value, as: type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try document.number(value, as: type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try document.number(value, as: type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try document.number(value, as: type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try document.number(value, as: type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // A string does not need the containers that its own decoding requests.
    if type == String.self, let text = try document.string(value) as? Value { return text }
    return try Value(from: ContentValueDecoder(document: document, value: value))
  }
}
