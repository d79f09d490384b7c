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

  /// The value indented by two spaces a level.
  package var indentedJSON: String { text(indentation: 0) }

  private func text(indentation: Int?) -> String {
    // Nothing in a value throws.
    try! AnswerText.text(self, indentation: indentation)
  }
}

extension OutputValue: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Writes the members of an object in their order.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in members { try container.encode(value, forKey: Key(stringValue: key)) }
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
