import Answers
import Foundation

/// A JSON text that another program sent.
struct ReceivedJSON: Decodable {
  let value: OutputValue

  /// Reads a text of UTF-8, or returns `nil` if it is not JSON or has more than 512 levels.
  init?(_ bytes: [UInt8]) {
    guard String(validating: bytes, as: UTF8.self) != nil,
      let read = try? JSONDecoder().decode(ReceivedJSON.self, from: Data(bytes))
    else { return nil }
    self = read
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      value = .object(
        try members.allKeys.map { ($0.stringValue, try members.decode(ReceivedJSON.self, forKey: $0).value) })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [OutputValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(ReceivedJSON.self).value) }
      value = .array(values)
    } else {
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        value = .null
      } else if let truth = try? single.decode(Bool.self) {
        value = .bool(truth)
      } else if let number = try? single.decode(Int64.self) {
        value = .integer(number)
      } else if let number = try? single.decode(Double.self) {
        value = .number(number)
      } else {
        value = .text(try single.decode(String.self))
      }
    }
  }
}

extension OutputValue {
  /// The member of an object, or `nil` for other values and missing members.
  subscript(_ key: String) -> OutputValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// The string of a text, or `nil` for other values.
  var string: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }
}
