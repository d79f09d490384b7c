/// Reads the fields of a message in protobuf's binary form, in order.
///
/// Fields of 8 bytes are skipped, and those of 4 bytes are returned as floating-point numbers. Every length is
/// compared with the remaining bytes, and a nested message is read only if the caller asks for it.
///
/// Source: protobuf.dev, "Encoding".
struct ProtobufMessage {
  enum Value {
    case number(UInt64)
    case float(Double)
    case bytes(ArraySlice<UInt8>)
  }

  /// The message is damaged.
  struct Fault: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Returns the next field, or `nil` at the end.
  ///
  /// - Throws: ``Fault`` if the message is damaged.
  mutating func next() throws(Fault) -> (field: Int, value: Value)? {
    while !rest.isEmpty {
      let tag = try varint()
      guard tag <= UInt64(UInt32.max), tag >> 3 > 0 else { throw Fault() }
      let field = Int(tag >> 3)
      switch tag & 7 {
      case 0: return (field, .number(try varint()))
      case 1: _ = try take(8)
      case 2:
        let count = try varint()
        guard count <= UInt64(rest.count) else { throw Fault() }
        return (field, .bytes(try take(Int(count))))
      case 5: return (field, .float(Self.float(try take(4))))
      default: throw Fault()
      }
    }
    return nil
  }

  private mutating func take(_ count: Int) throws(Fault) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw Fault() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() throws(Fault) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw Fault() }
      guard shift < 63 || byte <= 1 else { throw Fault() }
      result |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return result }
    }
    throw Fault()
  }
}

extension ProtobufMessage {
  /// Returns the numbers of a packed field.
  static func floats(_ packed: ArraySlice<UInt8>) -> [Double] {
    stride(from: packed.startIndex, to: packed.endIndex - 3, by: 4).map { float(packed[$0..<$0 + 4]) }
  }

  /// Returns the number of four bytes. The digits of its decimal form stay the same.
  private static func float(_ bytes: ArraySlice<UInt8>) -> Double {
    let number = Float(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    return Double("\(number)") ?? Double(number)
  }

  /// Returns the values of the first of each named field: texts and numbers.
  ///
  /// - Throws: ``Fault`` if the message is damaged, or a text is not UTF-8.
  static func texts(_ fields: Set<Int>, of bytes: [UInt8]) throws(Fault) -> [Int: String] {
    var message = ProtobufMessage(bytes)
    var texts: [Int: String] = [:]
    while let (field, value) = try message.next() {
      guard fields.contains(field), case .bytes(let bytes) = value else { continue }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw Fault() }
      texts[field] = text
    }
    return texts
  }
}
