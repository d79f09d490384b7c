/// A value for a script: what JSON can say, with the keys in the order of their declaration.
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

  /// On one line, as JSON Lines has it.
  package var json: String {
    var text = ""
    write(to: &text, indentation: nil)
    return text
  }

  /// Indented by two spaces a level.
  package var indentedJSON: String { indentedJSON(at: 0) }

  /// The same as an element so many levels deep, its own first line indented too.
  package func indentedJSON(at level: Int) -> String {
    var text = String(repeating: "  ", count: level)
    write(to: &text, indentation: 2 * level)
    return text
  }

  private func write(to text: inout String, indentation: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.written(value)
    case .text(let value): Self.quote(value, to: &text)
    case .array(let values):
      Self.write(values, between: "[", and: "]", to: &text, indentation: indentation) { value, text, inner in
        value.write(to: &text, indentation: inner)
      }
    case .object(let members):
      Self.write(members, between: "{", and: "}", to: &text, indentation: indentation) { member, text, inner in
        Self.quote(member.key, to: &text)
        text += inner == nil ? ":" : ": "
        member.value.write(to: &text, indentation: inner)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between open: String, and close: String, to text: inout String, indentation: Int?,
    each: (Element, inout String, Int?) -> Void
  ) {
    text += open
    let inner = indentation.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      each(element, &text, inner)
    }
    if let indentation, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indentation) }
    text += close
  }

  /// JSON has no infinities and no NaN; whole numbers are written without a fraction.
  private static func written(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Source: RFC 8259, section 7. What cannot be seen is escaped too, so that a terminal never takes a title for a
  /// command, and nobody sees another order of words than there is.
  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isUnseen: text += scalar.escapedInJSON
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
