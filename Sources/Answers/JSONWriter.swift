import TextCanvas
import WholeNumbers

/// Encodes values as JSON into one growing UTF-8 buffer, without an intermediate tree.
///
/// Keys keep the order in which they are encoded, and `nil` is written as `null`. Foundation's `JSONEncoder` does not
/// guarantee these properties.
///
/// The next value of a container closes the containers nested in it. An `encode(to:)` method must therefore fill its
/// containers one after another, as all types of this package do.
package class JSONWriter {
  /// The text so far.
  final var bytes: [UInt8] = []
  /// The number of spaces before each line of the outermost value. If `nil`, everything is written on one line.
  private let indentation: Int?

  private struct Level {
    let isArray: Bool
    var isEmpty = true
  }

  private final var levels: [Level] = []
  /// Whether a value must follow: `true` after a key or at the start of an element, until the value is written.
  private final var isAwaitingValue = false

  /// - Parameter indentation: The number of spaces before each line of the outermost value. Each nested level is
  ///   indented by two more. If `nil`, everything is written on one line.
  package init(indentation: Int? = nil) {
    self.indentation = indentation
  }

  /// Appends a value.
  package final func encode(_ value: some Encodable) throws {
    isAwaitingValue = true
    try value.encode(to: ValueEncoder(writer: self, depth: 0))
    close(to: 0)
    writeMissingValue()
  }

  // MARK: - Structure

  /// The number of open containers.
  final var depth: Int { levels.count }

  /// Opens a container. If the same encoder opened it before, continues it.
  fileprivate final func enter(isArray: Bool, at depth: Int) {
    if levels.count > depth {
      close(to: depth + 1)
    } else {
      isAwaitingValue = false
      open(isArray: isArray)
    }
  }

  /// Closes all containers that are nested in the container at the given depth.
  fileprivate final func close(to depth: Int) {
    precondition(levels.count >= depth, "A nested container must be filled before its parent continues.")
    while levels.count > depth {
      writeMissingValue()
      closeInnermost()
    }
  }

  fileprivate final func beginMember(_ key: String, at depth: Int) {
    close(to: depth)
    writeMissingValue()
    isAwaitingValue = true
    writeKey(key)
  }

  fileprivate final func beginElement(at depth: Int) {
    close(to: depth)
    writeMissingValue()
    isAwaitingValue = true
    writeElementStart()
  }

  private final func writeMissingValue() {
    if isAwaitingValue { writeNull() }
  }

  fileprivate final func writeNull() {
    isAwaitingValue = false
    writeValue("null", isText: false)
  }
  fileprivate final func write(_ value: Bool) {
    isAwaitingValue = false
    writeValue(value ? "true" : "false", isText: false)
  }
  fileprivate final func write(_ value: Double) {
    isAwaitingValue = false
    writeValue(Self.text(of: value), isText: false)
  }
  fileprivate final func write(_ value: Int64) {
    isAwaitingValue = false
    writeInteger(value)
  }
  fileprivate final func write(_ value: String) {
    isAwaitingValue = false
    writeValue(value, isText: true)
  }

  /// Returns the digits of a number. JSON has no infinities and no NaN, so these become `null`. Whole numbers are
  /// written without a fraction.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(clamping: value)) : String(value)
  }

  // MARK: - Text

  func open(isArray: Bool) {
    bytes.append(UInt8(ascii: isArray ? "[" : "{"))
    levels.append(Level(isArray: isArray))
  }

  func closeInnermost() {
    let level = levels.removeLast()
    if !level.isEmpty { writeLineEnd() }
    bytes.append(UInt8(ascii: level.isArray ? "]" : "}"))
  }

  func writeKey(_ key: String) {
    writeElementStart()
    bytes.append(quotedInJSON: key)
    bytes.append(UInt8(ascii: ":"))
    if indentation != nil { bytes.append(UInt8(ascii: " ")) }
  }

  func writeElementStart() {
    if !levels[levels.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].isEmpty = false
    writeLineEnd()
  }

  func writeValue(_ text: String, isText: Bool) {
    if isText { bytes.append(quotedInJSON: text) } else { bytes.append(contentsOf: text.utf8) }
  }

  func writeInteger(_ value: Int64) { bytes.append(decimal: value) }

  private final func writeLineEnd() {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation + 2 * levels.count))
  }
}

@available(*, unavailable)
extension JSONWriter: Sendable {}

// MARK: - The containers of Swift's encoding

private struct ValueEncoder: Encoder {
  let writer: JSONWriter
  /// The number of containers that contain the value.
  let depth: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.enter(isArray: false, at: depth)
    return KeyedEncodingContainer(Members<Key>(writer: writer, depth: depth + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.enter(isArray: true, at: depth)
    return Elements(writer: writer, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: writer, depth: depth) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: JSONWriter
  let depth: Int

  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: Key) { writer.beginMember(key.stringValue, at: depth) }

  private func encoder(_ key: Key) -> ValueEncoder {
    begin(key)
    return ValueEncoder(writer: writer, depth: depth)
  }

  mutating func encodeNil(forKey key: Key) {
    begin(key)
    writer.writeNull()
  }
  mutating func encode(_ value: Bool, forKey key: Key) {
    begin(key)
    writer.write(value)
  }
  mutating func encode(_ value: String, forKey key: Key) {
    begin(key)
    writer.write(value)
  }
  mutating func encode(_ value: Double, forKey key: Key) {
    begin(key)
    writer.write(value)
  }
  mutating func encode(_ value: Int, forKey key: Key) {
    begin(key)
    writer.write(Int64(value))
  }
  mutating func encode(_ value: Int64, forKey key: Key) {
    begin(key)
    writer.write(value)
  }
  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try value.encode(to: encoder(key))
  }

  // The default implementations omit the key if the value is missing.
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  mutating func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    writer.beginMember("super", at: depth)
    return ValueEncoder(writer: writer, depth: depth)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct Elements: UnkeyedEncodingContainer {
  let writer: JSONWriter
  let depth: Int
  private(set) var count = 0

  init(writer: JSONWriter, depth: Int) {
    (self.writer, self.depth) = (writer, depth)
  }

  var codingPath: [any CodingKey] { [] }

  private mutating func encoder() -> ValueEncoder {
    count += 1
    writer.beginElement(at: depth)
    return ValueEncoder(writer: writer, depth: depth)
  }

  mutating func encodeNil() {
    _ = encoder()
    writer.writeNull()
  }

  mutating func encode(_ value: some Encodable) throws { try value.encode(to: encoder()) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { encoder() }
}

private struct Single: SingleValueEncodingContainer {
  let writer: JSONWriter
  let depth: Int

  var codingPath: [any CodingKey] { [] }

  // Every scalar of the standard library encodes itself with one of these methods.
  mutating func encodeNil() { writer.writeNull() }
  mutating func encode(_ value: Bool) { writer.write(value) }
  mutating func encode(_ value: String) { writer.write(value) }
  mutating func encode(_ value: Double) { writer.write(value) }
  mutating func encode(_ value: Float) { writer.write(Double(value)) }
  mutating func encode(_ value: Int) { writer.write(Int64(value)) }
  mutating func encode(_ value: Int8) { writer.write(Int64(value)) }
  mutating func encode(_ value: Int16) { writer.write(Int64(value)) }
  mutating func encode(_ value: Int32) { writer.write(Int64(value)) }
  mutating func encode(_ value: Int64) { writer.write(value) }
  mutating func encode(_ value: UInt) { writer.write(Int64(clamping: value)) }
  mutating func encode(_ value: UInt8) { writer.write(Int64(value)) }
  mutating func encode(_ value: UInt16) { writer.write(Int64(value)) }
  mutating func encode(_ value: UInt32) { writer.write(Int64(value)) }
  mutating func encode(_ value: UInt64) { writer.write(Int64(clamping: value)) }

  mutating func encode(_ value: some Encodable) throws {
    try value.encode(to: ValueEncoder(writer: writer, depth: depth))
  }
}

/// The JSON text of an answer. Commands and servers produce the same bytes for the same answer.
package enum AnswerText {
  /// Returns indented JSON with a line end.
  package static func json(_ value: some Encodable) throws -> String {
    try text(value, indentation: 0) + "\n"
  }

  /// Returns JSON on one line, without a line end.
  package static func jsonLine(_ value: some Encodable) throws -> String { try text(value, indentation: nil) }

  static func text(_ value: some Encodable, indentation: Int?) throws -> String {
    let writer = JSONWriter(indentation: indentation)
    try writer.encode(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// A JSON value whose objects keep the order of their members.
package indirect enum OutputValue: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case array([OutputValue])
  case object([(key: String, value: OutputValue)])

  package static func == (left: OutputValue, right: OutputValue) -> Bool {
    left.json == right.json
  }

  /// The value on one line.
  package var json: String { text(indentation: nil) }

  /// The value with an indentation of two spaces per level.
  package var indentedJSON: String { text(indentation: 0) }

  private func text(indentation: Int?) -> String {
    // Encoding an `OutputValue` never throws.
    try! AnswerText.text(self, indentation: indentation)
  }
}

extension OutputValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int64) { self = .integer(number) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: OutputValue...) { self = .array(elements) }
  /// Creates an object whose members have the order of the literal.
  package init(dictionaryLiteral members: (String, OutputValue)...) { self = .object(members.map { ($0, $1) }) }
}

extension OutputValue: Encodable {
  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes the members of an object in their order.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberKey.self)
      for (key, value) in members { try container.encode(value, forKey: MemberKey(stringValue: key)) }
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .null, .bool, .integer, .number, .text:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }
}

extension [UInt8] {
  /// Appends a number in decimal digits.
  fileprivate mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = count
    var remaining = number.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remaining % 10))
      remaining /= 10
    } while remaining > 0
    if count - start > 1 { self[start...].reverse() }
  }
}
