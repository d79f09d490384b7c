import JSONCoding
import TextCanvas

extension JSONTextSink {
  /// Collects the JSON of an answer. Invisible scalars are escaped, so that texts cannot affect a terminal.
  ///
  /// - Parameter indentation: As for `init(indentation:isSorted:appendQuoted:)`.
  convenience init(answerWithIndentation indentation: Int?) {
    self.init(indentation: indentation) { $0.append(quotedInJSON: $1) }
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

  private static func text(_ value: some Encodable, indentation: Int?) throws -> String {
    let sink = JSONTextSink(answerWithIndentation: indentation)
    try JSONEncoding(to: sink).encode(value)
    return String(decoding: sink.bytes, as: UTF8.self)
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
  package var json: String {
    // Encoding an `OutputValue` never throws.
    try! AnswerText.jsonLine(self)
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
