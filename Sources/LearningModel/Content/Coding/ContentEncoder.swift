/// Encodes contents as JSON with sorted keys and without escaped slashes.
///
/// The bytes are the same as those of Foundation's `JSONEncoder` with `.sortedKeys` and `.withoutEscapingSlashes`, in a
/// fraction of its time: values are written at once, instead of into a tree of boxes.
package struct ContentEncoder {
  /// Encodes a content.
  ///
  /// - Throws: `EncodingError` if the content contains a number that JSON cannot represent, or an invalid value.
  package static func encode(_ content: ActivityContent) throws -> [UInt8] {
    let output = JSONOutput()
    try output.write(content)
    return output.bytes
  }
}

/// JSON that is being written.
private final class JSONOutput {
  /// An object or an array that is being written.
  private struct Level {
    enum Form { case none, object, array }

    var form = Form.none
    /// The offset of the first byte after the opening bracket.
    var start = 0
    /// The keys of an object, with the offsets at which their members begin.
    var members: [(key: String, start: Int)] = []
    var isEmpty = true
  }

  private(set) var bytes: [UInt8] = []
  private var levels: [Level] = []

  /// Writes a value that is not nested in another one, or the value after a key or a comma.
  func write(_ value: some Encodable) throws {
    levels.append(Level())
    try value.encode(to: ContentValueEncoder(output: self))
    close()
  }

  func beginObject() { begin(.object, UInt8(ascii: "{")) }

  func beginArray() { begin(.array, UInt8(ascii: "[")) }

  private func begin(_ form: Level.Form, _ bracket: UInt8) {
    // A value may request the same container again, to add members to it.
    guard levels[levels.count - 1].form == .none else { return }
    bytes.append(bracket)
    levels[levels.count - 1].form = form
    levels[levels.count - 1].start = bytes.count
  }

  func beginMember(_ key: String) {
    beginObject()
    let last = levels.count - 1
    if !levels[last].members.isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[last].members.append((key, bytes.count))
    write(key)
    bytes.append(UInt8(ascii: ":"))
  }

  func beginElement() {
    beginArray()
    let last = levels.count - 1
    if !levels[last].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[last].isEmpty = false
  }

  private func close() {
    let level = levels.removeLast()
    switch level.form {
    case .none: break
    case .array: bytes.append(UInt8(ascii: "]"))
    case .object:
      sort(level)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Sorts the members of an object by their keys.
  private func sort(_ level: Level) {
    let members = level.members
    guard members.count > 1, !zip(members, members.dropFirst()).allSatisfy({ $0.key < $1.key }) else { return }
    let ends = members.dropFirst().map { $0.start - 1 } + [bytes.count]
    let sorted = zip(members, ends).map { (key: $0.key, bytes: bytes[$0.start..<$1]) }.sorted { $0.key < $1.key }
    bytes.replaceSubrange(level.start..., with: Array(sorted.map(\.bytes).joined(separator: [UInt8(ascii: ",")])))
  }

  /// Writes a text in quotes.
  ///
  /// Source: RFC 8259, "Strings"; the choice among equivalent escapes is that of Foundation.
  func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        bytes.append(contentsOf: utf8[written..<index])
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
          let digits = Array("0123456789abcdef".utf8)
          bytes.append(contentsOf: Array("u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
        written = index + 1
      }
      bytes.append(contentsOf: utf8[written...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a literal, such as a number.
  func write(literal: String) { bytes.append(contentsOf: literal.utf8) }

  func write(_ value: Double) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "JSON cannot represent the number \(value)"))
    }
    let text = value.description
    write(literal: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}

/// Passed to the values that encode themselves.
private struct ContentValueEncoder: Encoder {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    output.beginObject()
    return KeyedEncodingContainer(ContentMembers(output: output))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    output.beginArray()
    return ContentElements(output: output)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { ContentSingleValue(output: output) }
}

private struct ContentMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: Key) -> ContentSingleValue {
    output.beginMember(key.stringValue)
    return ContentSingleValue(output: output)
  }

  func encodeNil(forKey key: Key) { begin(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) throws { try begin(key).encode(value) }
  func encode(_ value: Float, forKey key: Key) throws { try begin(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: Int8, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: Int16, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: Int32, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: Int64, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: UInt, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: UInt8, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: UInt16, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: UInt32, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: UInt64, forKey key: Key) { begin(key).encode(value) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try begin(key).encode(value) }

  // No content nests a container without a value of its own.
  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
    preconditionFailure("contents encode nested values instead of nested containers")
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    preconditionFailure("contents encode nested values instead of nested containers")
  }
  func superEncoder() -> any Encoder { preconditionFailure("contents are not classes") }
  func superEncoder(forKey key: Key) -> any Encoder { preconditionFailure("contents are not classes") }
}

private struct ContentElements: UnkeyedEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(output: JSONOutput) { self.output = output }

  private mutating func begin() -> ContentSingleValue {
    output.beginElement()
    count += 1
    return ContentSingleValue(output: output)
  }

  mutating func encodeNil() { begin().encodeNil() }
  mutating func encode(_ value: Bool) { begin().encode(value) }
  mutating func encode(_ value: String) { begin().encode(value) }
  mutating func encode(_ value: Double) throws { try begin().encode(value) }
  mutating func encode(_ value: Float) throws { try begin().encode(value) }
  mutating func encode(_ value: Int) { begin().encode(value) }
  mutating func encode(_ value: Int8) { begin().encode(value) }
  mutating func encode(_ value: Int16) { begin().encode(value) }
  mutating func encode(_ value: Int32) { begin().encode(value) }
  mutating func encode(_ value: Int64) { begin().encode(value) }
  mutating func encode(_ value: UInt) { begin().encode(value) }
  mutating func encode(_ value: UInt8) { begin().encode(value) }
  mutating func encode(_ value: UInt16) { begin().encode(value) }
  mutating func encode(_ value: UInt32) { begin().encode(value) }
  mutating func encode(_ value: UInt64) { begin().encode(value) }
  mutating func encode(_ value: some Encodable) throws { try begin().encode(value) }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    preconditionFailure("contents encode nested values instead of nested containers")
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    preconditionFailure("contents encode nested values instead of nested containers")
  }
  mutating func superEncoder() -> any Encoder { preconditionFailure("contents are not classes") }
}

private struct ContentSingleValue: SingleValueEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { output.write(literal: "null") }
  func encode(_ value: Bool) { output.write(literal: value ? "true" : "false") }
  func encode(_ value: String) { output.write(value) }
  func encode(_ value: Double) throws { try output.write(value) }
  func encode(_ value: Float) throws { try output.write(Double(value)) }
  func encode(_ value: Int) { output.write(literal: value.description) }
  func encode(_ value: Int8) { output.write(literal: value.description) }
  func encode(_ value: Int16) { output.write(literal: value.description) }
  func encode(_ value: Int32) { output.write(literal: value.description) }
  func encode(_ value: Int64) { output.write(literal: value.description) }
  func encode(_ value: UInt) { output.write(literal: value.description) }
  func encode(_ value: UInt8) { output.write(literal: value.description) }
  func encode(_ value: UInt16) { output.write(literal: value.description) }
  func encode(_ value: UInt32) { output.write(literal: value.description) }
  func encode(_ value: UInt64) { output.write(literal: value.description) }
  func encode(_ value: some Encodable) throws { try output.write(value) }
}
