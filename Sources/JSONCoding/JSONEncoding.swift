/// Receives the structure and the scalars of an encoded value, in the order in which they are encoded.
package protocol JSONSink: AnyObject {
  func open(isArray: Bool)
  /// Closes the innermost open array or object.
  func close()
  /// Begins a member of the innermost object.
  func beginMember(_ key: String)
  /// Begins an element of the innermost array.
  func beginElement()
  func write(text: String)
  /// Writes a number, `true`, `false` or `null`.
  func write(literal: String)
  func write(integer: Int64)
}

/// Encodes values as JSON without an intermediate tree.
///
/// Keys keep the order in which they are encoded. Foundation's `JSONEncoder` does not guarantee this.
///
/// The next value of a container closes the containers nested in it. An `encode(to:)` method must therefore fill its
/// containers one after another, as all types of this package do.
package struct JSONEncoding {
  private let state: State

  /// - Parameter omitsMissing: Whether members without a value are omitted. If `false`, they are `null`, and so are
  ///   numbers that are not finite.
  package init(to sink: any JSONSink, omitsMissing: Bool = false) {
    state = State(sink: sink, omitsMissing: omitsMissing)
  }

  /// Encodes a value.
  ///
  /// - Throws: The errors of the value, and `EncodingError` for a number that JSON cannot represent if missing members
  ///   are omitted.
  package func encode(_ value: some Encodable) throws {
    state.isAwaitingValue = true
    try value.encode(to: ValueEncoder(state: state, depth: 0))
    state.close(to: 0)
    state.writeMissingValue()
  }

  /// Returns a value as JSON on one line with sorted keys. Missing members are omitted.
  ///
  /// The bytes are the same as those of Foundation's `JSONEncoder` with `.sortedKeys` and `.withoutEscapingSlashes`, in
  /// a fraction of its time.
  ///
  /// - Throws: The errors of ``encode(_:)``.
  package static func sorted(_ value: some Encodable) throws -> [UInt8] {
    let sink = JSONTextSink(isSorted: true)
    try JSONEncoding(to: sink, omitsMissing: true).encode(value)
    return sink.bytes
  }
}

@available(*, unavailable)
extension JSONEncoding: Sendable {}

private final class State {
  let sink: any JSONSink
  let omitsMissing: Bool
  /// The number of open containers.
  private var depth = 0
  /// Whether a value must follow: `true` after a key or at the start of an element, until the value is written.
  var isAwaitingValue = false

  init(sink: any JSONSink, omitsMissing: Bool) {
    (self.sink, self.omitsMissing) = (sink, omitsMissing)
  }

  /// Opens a container. If the same encoder opened it before, continues it.
  func enter(isArray: Bool, at depth: Int) {
    guard self.depth == depth else { return close(to: depth + 1) }
    isAwaitingValue = false
    sink.open(isArray: isArray)
    self.depth += 1
  }

  /// Closes all containers that are nested in the container at the given depth.
  func close(to depth: Int) {
    precondition(self.depth >= depth, "A nested container must be filled before its parent continues.")
    while self.depth > depth {
      writeMissingValue()
      sink.close()
      self.depth -= 1
    }
  }

  func beginMember(_ key: String, at depth: Int) {
    close(to: depth)
    writeMissingValue()
    isAwaitingValue = true
    sink.beginMember(key)
  }

  func beginElement(at depth: Int) {
    close(to: depth)
    writeMissingValue()
    isAwaitingValue = true
    sink.beginElement()
  }

  func writeMissingValue() {
    if isAwaitingValue { write(literal: "null") }
  }

  func write(literal: String) {
    isAwaitingValue = false
    sink.write(literal: literal)
  }

  /// Writes whole numbers without a fraction.
  func write(_ value: Double) throws {
    guard value.isFinite else {
      guard omitsMissing else { return write(literal: "null") }
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "JSON cannot represent the number \(value)"))
    }
    let text = value == 0 ? "0" : value.description
    write(literal: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  func write(_ value: Int64) {
    isAwaitingValue = false
    sink.write(integer: value)
  }

  func write(_ value: String) {
    isAwaitingValue = false
    sink.write(text: value)
  }
}

// MARK: - The containers of Swift's encoding

private struct ValueEncoder: Encoder {
  let state: State
  /// The number of containers that contain the value.
  let depth: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    state.enter(isArray: false, at: depth)
    return KeyedEncodingContainer(Members<Key>(state: state, depth: depth + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    state.enter(isArray: true, at: depth)
    return Elements(state: state, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(state: state, depth: depth) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let state: State
  let depth: Int

  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: Key) { state.beginMember(key.stringValue, at: depth) }

  private func encoder(_ key: Key) -> ValueEncoder {
    begin(key)
    return ValueEncoder(state: state, depth: depth)
  }

  func encodeNil(forKey key: Key) {
    begin(key)
    state.write(literal: "null")
  }
  func encode(_ value: Bool, forKey key: Key) {
    begin(key)
    state.write(literal: value ? "true" : "false")
  }
  func encode(_ value: String, forKey key: Key) {
    begin(key)
    state.write(value)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    begin(key)
    try state.write(value)
  }
  func encode(_ value: Int, forKey key: Key) {
    begin(key)
    state.write(Int64(value))
  }
  func encode(_ value: Int64, forKey key: Key) {
    begin(key)
    state.write(value)
  }
  func encode(_ value: some Encodable, forKey key: Key) throws { try value.encode(to: encoder(key)) }

  // The default implementations omit the key if the value is missing.
  private func encodeMissing(_ key: Key) {
    if !state.omitsMissing { encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeMissing(key) }
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeMissing(key) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeMissing(key) }
  }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { encodeMissing(key) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeMissing(key) }
  }
  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeMissing(key) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
  func superEncoder() -> any Encoder {
    state.beginMember("super", at: depth)
    return ValueEncoder(state: state, depth: depth)
  }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct Elements: UnkeyedEncodingContainer {
  let state: State
  let depth: Int
  private(set) var count = 0

  init(state: State, depth: Int) {
    (self.state, self.depth) = (state, depth)
  }

  var codingPath: [any CodingKey] { [] }

  private mutating func encoder() -> ValueEncoder {
    count += 1
    state.beginElement(at: depth)
    return ValueEncoder(state: state, depth: depth)
  }

  mutating func encodeNil() {
    _ = encoder()
    state.write(literal: "null")
  }
  mutating func encode(_ value: some Encodable) throws { try value.encode(to: encoder()) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { encoder() }
}

private struct Single: SingleValueEncodingContainer {
  let state: State
  let depth: Int

  var codingPath: [any CodingKey] { [] }

  // Every scalar of the standard library encodes itself with one of these methods.
  func encodeNil() { state.write(literal: "null") }
  func encode(_ value: Bool) { state.write(literal: value ? "true" : "false") }
  func encode(_ value: String) { state.write(value) }
  func encode(_ value: Double) throws { try state.write(value) }
  func encode(_ value: Float) throws { try state.write(Double(value)) }
  func encode(_ value: some Encodable & BinaryInteger) {
    if let value = Int64(exactly: value) { state.write(value) } else { state.write(literal: value.description) }
  }
  func encode(_ value: some Encodable) throws { try value.encode(to: ValueEncoder(state: state, depth: depth)) }
}
