import Foundation
import LearningModel
import NavigationKit

/// The query of a request. Each parameter occurs at most once, and the route must define it.
struct Query: Sendable {
  private let values: [String: String]

  /// Parses a query.
  ///
  /// - Parameters:
  ///   - text: The part of the address after the question mark.
  ///   - parameters: The parameters of the route.
  /// - Throws: ``Problem/unreadable(_:)``.
  init(_ text: String?, _ parameters: [Parameter]) throws(Problem) {
    var values: [String: String] = [:]
    for item in (text ?? "").split(separator: "&") {
      let components = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(components[0]), let value = Self.decoded(components.count > 1 ? components[1] : "")
      else {
        throw .unreadable("Could not read the query: \(quoted: item) is not percent-encoded UTF-8.")
      }
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let parameterNames = parameters.map(\.name).joined(separator: ", ")
        throw .unreadable(
          "Could not read the query: this route has no parameter \(quoted: name). "
            + (parameterNames.isEmpty ? "Omit it." : "Use \(parameterNames)."))
      }
      guard values[name] == nil else {
        throw .unreadable("Could not read the query: \(quoted: name) occurs twice. Omit one.")
      }
      try parameter.check(value)
      values[name] = value
    }
    if let missing = parameters.first(where: { $0.isRequired && values[$0.name] == nil }) {
      throw .unreadable("Could not read the query: \(quoted: missing.name) is missing. \(missing.summary)")
    }
    self.values = values
  }

  /// Decodes a name or a value. Returns `nil` if it is not UTF-8.
  ///
  /// Source: WHATWG URL Standard, 5.1, "application/x-www-form-urlencoded parsing".
  static func decoded(_ text: Substring) -> String? { text.replacing("+", with: " ").removingPercentEncoding }

  subscript(_ name: String) -> String? { values[name] }

  subscript(_ parameter: Parameter) -> String? { values[parameter.name] }

  /// Returns the value of a numeric parameter, or `nil` if it is missing.
  func number(_ parameter: Parameter) -> Int? { values[parameter.name].flatMap { Int($0) } }

  /// Returns the value of an enumerated parameter, or `nil` if it is missing.
  func word<Word: RawRepresentable>(_ name: String, of type: Word.Type) -> Word? where Word.RawValue == String {
    values[name].flatMap { Word(rawValue: $0) }
  }

  /// Returns the place that a parameter names, or `nil` if the parameter is missing.
  func place(_ name: String) -> PlaceName? { values[name].map(PlaceName.text) }

  /// Returns the learner's time zone, or UTC if the query does not contain a time zone.
  ///
  /// - Throws: `NavigationError.unknownTimeZone`.
  func zone() throws -> TimeZone {
    try self[.timeZone].map { try TimeZone(named: $0) } ?? TimeZone(identifier: "UTC") ?? .gmt
  }

  /// The page of rows that the query selects: at most `limit` rows, which follow the first `after` rows.
  var rows: Rows { Rows(limit: number(.limit) ?? 100, after: number(.after) ?? 0) }

  struct Rows: Sendable {
    let limit: Int
    let after: Int

    /// Returns the rows of the page and the offset of the next page, or `nil` after the last one.
    func page<Row>(of all: [Row]) -> (rows: [Row], next: Int?) {
      let rows = Array(all.dropFirst(after).prefix(limit))
      return (rows, after + rows.count < all.count && !rows.isEmpty ? after + rows.count : nil)
    }
  }

  /// Returns the query with another value of `after`, percent-encoded.
  func text(after next: Int) -> String {
    var values = values
    values["after"] = String(next)
    return values.sorted { $0.key < $1.key }.map { $0.key + "=" + Self.encoded($0.value) }.joined(separator: "&")
  }

  /// Percent-encodes all characters except the unreserved ones.
  ///
  /// Source: RFC 3986, section 2.3.
  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? ""
  }

  static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
}

extension Parameter {
  /// Checks that a value is allowed for the parameter.
  fileprivate func check(_ value: String) throws(Problem) {
    switch kind {
    case .text:
      guard !value.isBlank else {
        throw .unreadable("Could not read the query: \(quoted: name) is empty. Omit it, or give a value.")
      }
      guard value.unicodeScalars.count <= Self.maximumTextLength else {
        throw .unreadable(
          "Could not read the query: \(quoted: name) is longer than \(Self.maximumTextLength) characters. Shorten it.")
      }
    case .number(let range):
      // Only the canonical form is accepted, which has no plus sign and no leading zeros.
      guard let number = Int(value), String(number) == value, range.contains(number) else {
        throw .unreadable(
          "Could not read the query: \(quoted: name) must be a number from \(range.lowerBound) to \(range.upperBound), "
            + "not \(quoted: value).")
      }
    case .word(let values):
      guard values.contains(value) else {
        throw .unreadable(
          "Could not read the query: \(quoted: name) must be one of \(values.joined(separator: ", ")), not "
            + "\(quoted: value)."
        )
      }
    case .device:
      guard (1...64).contains(value.utf8.count), value.utf8.allSatisfy(Self.deviceBytes.contains) else {
        throw .unreadable(
          "Could not read the query: \(quoted: name) must consist of up to 64 letters, digits, dots, hyphens and underscores."
        )
      }
    }
  }

  private static let deviceBytes = Set(Query.unreserved.utf8).subtracting("~".utf8)
}

/// A query parameter of a route.
struct Parameter: Sendable {
  /// The values that a parameter accepts.
  enum Kind: Sendable {
    /// A text that is not blank.
    case text
    case number(ClosedRange<Int>)
    /// One of the listed words.
    case word([String])
    /// The name of a device: 1 to 64 ASCII letters, digits, dots, hyphens and underscores.
    case device
  }

  let name: String
  let kind: Kind
  /// A sentence for the error message if the parameter is missing. The OpenAPI document contains the same sentence.
  let summary: String
  var isRequired = false

  init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
  }

  /// The maximum length of a text in Unicode scalars, as JSON Schema counts it. No path, title or search is longer.
  static let maximumTextLength = 1_000
  /// The maximum number of a row or an event.
  static let maximum = 1_000_000_000_000

  static let limit = Parameter("limit", .number(1...1_000), "The maximum number of rows (default: 100).")
  static let after = Parameter("after", .number(0...maximum), "The cursor of the next page, from the Link header.")
  static let timeZone = Parameter(
    "timeZone", .text, "The time zone of the learner, such as Europe/Lisbon (default: UTC).")
  static let device = Parameter(
    "device", .device, "The device of the learner, which has its own session (default: 'web').")
  static let learner = Parameter("learner", .text, "The name of a learner, or 'all'. Requires a teacher's token.")
}

extension String {
  /// Whether the text is empty or consists of spaces, tabs and line ends.
  var isBlank: Bool { unicodeScalars.allSatisfy { $0 == " " || ("\t"..."\r").contains($0) } }
}
