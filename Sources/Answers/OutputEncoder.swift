/// Turns any `Encodable` value into an ``OutputValue`` that keeps the order of its keys, and writes `nil` as null.
///
/// Foundation's encoder does neither: its keys come in no order, and a missing value loses its key.
package enum OutputEncoder {
  package static func encode(_ value: some Encodable) throws -> OutputValue {
    let node = Node()
    try value.encode(to: NodeEncoder(node: node, codingPath: []))
    return node.value
  }
}

/// The value that is being built; containers share it by reference, since `Encoder` hands them out before they are full.
private final class Node {
  private enum Shape { case value, array, object }

  private var shape = Shape.value
  private var single = OutputValue.null
  // Apart from the shape, so that an element is added in place: an array may have a hundred thousand.
  private var elements: [Node] = []
  private var members: [(key: String, node: Node)] = []

  var value: OutputValue {
    switch shape {
    case .value: single
    case .array: .array(elements.map(\.value))
    case .object: .object(members.map { ($0.key, $0.node.value) })
    }
  }

  var count: Int { elements.count }

  func set(_ value: OutputValue) {
    shape = .value
    single = value
  }

  func becomeArray() { shape = .array }

  func becomeObject() { shape = .object }

  func append() -> Node {
    let node = Node()
    elements.append(node)
    return node
  }

  func member(_ key: String) -> Node {
    let node = Node()
    members.removeAll { $0.key == key }
    members.append((key, node))
    return node
  }
}

private struct NodeEncoder: Encoder {
  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(Members<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return Elements(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(node: node, codingPath: codingPath)
  }
}

extension Node {
  func encode(_ value: some Encodable, at codingPath: [any CodingKey]) throws {
    switch value {
    case let value as String: set(.text(value))
    case let value as Bool: set(.bool(value))
    case let value as Double: set(.number(value))
    case let value as Float: set(.number(Double(value)))
    case let value as any BinaryInteger: set(.integer(Int64(clamping: value)))
    default: try value.encode(to: NodeEncoder(node: self, codingPath: codingPath))
    }
  }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) { node.member(key.stringValue).set(.null) }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try node.member(key.stringValue).encode(value, at: codingPath + [key])
  }

  mutating func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  // The protocol asks for these one by one: its own versions skip a missing value without a trace.
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try present(value, key) }
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try present(value, key) }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try present(value, key) }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try present(value, key) }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try present(value, key) }

  private mutating func present<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key]).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key]).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    NodeEncoder(node: node.member("super"), codingPath: codingPath)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct Elements: UnkeyedEncodingContainer {
  let node: Node
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  mutating func encodeNil() { node.append().set(.null) }

  mutating func encode(_ value: some Encodable) throws { try node.append().encode(value, at: codingPath) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.append(), codingPath: codingPath).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.append(), codingPath: codingPath).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    NodeEncoder(node: node.append(), codingPath: codingPath)
  }
}

private struct Single: SingleValueEncodingContainer {
  let node: Node
  let codingPath: [any CodingKey]

  mutating func encodeNil() { node.set(.null) }

  mutating func encode(_ value: some Encodable) throws { try node.encode(value, at: codingPath) }
}
