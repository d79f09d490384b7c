import JSONCoding
import LearningModel

/// The body of a request: a JSON object without unknown members.
struct JSONObject {
  /// The values of the members, as the client wrote them.
  private let members: [String: String]
  /// The object with its members sorted by name.
  let text: String

  /// Parses a request body. Stops at the first member that the route does not have.
  ///
  /// - Parameter names: The members that the object may have.
  /// - Throws: ``Problem/unreadable(_:)``.
  init(_ bytes: [UInt8], knowing names: Set<String>) throws(Problem) {
    var members: [String: String] = [:]
    let advice = names.isEmpty ? "Send no body, or {}." : "Use \(names.sorted().joined(separator: ", "))."
    try Self.scan(bytes) { scanner in
      guard scanner.peek() == UInt8(ascii: "{") else {
        throw Problem.unreadable(
          "Could not read the request: its body is not a JSON object. "
            + (names.isEmpty ? advice : #"Send, for example, {"operation": "resume"}."#))
      }
      try scanner.object { scanner, name in
        guard names.contains(name) else {
          throw Problem.unreadable(
            "Could not read the request: this route has no member '\(name.prefix(80))'. \(advice)")
        }
        guard members.updateValue(try scanner.skipped(), forKey: name) == nil else { throw Problem.repeated(name) }
      }
    }
    self.members = members
    text = members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  /// Checks that a text is JSON in which no object has a name twice. Foundation's decoders would use only one of the
  /// values, and accept a comma at the end of a list.
  ///
  /// Source: RFC 8259, section 4.
  static func check(_ bytes: [UInt8]) throws(Problem) { try scan(bytes, checkValue) }

  private static func checkValue(_ scanner: inout JSONScanner) throws {
    switch scanner.peek() {
    case UInt8(ascii: "{"):
      var names: Set<String> = []
      try scanner.object { scanner, name in
        guard names.insert(name).inserted else { throw Problem.repeated(name) }
        try checkValue(&scanner)
      }
    case UInt8(ascii: "["): try scanner.array(checkValue)
    default: try scanner.skip()
    }
  }

  /// Scans a JSON text to its end.
  private static func scan(
    _ bytes: [UInt8], _ read: (inout JSONScanner) throws -> Void
  ) throws(Problem) {
    var scanner = scanner(bytes)
    do {
      if String(validating: bytes, as: UTF8.self) == nil { throw scanner.malformed("it is not UTF-8", "Encode it.") }
      try read(&scanner)
      if scanner.peek() != nil { throw scanner.malformed("the JSON has ended before the body", "Send one value.") }
    } catch JSONError.malformed(let line, let problem, let advice) {
      throw .unreadable("Could not read the request: in line \(line) of its body, \(problem). \(advice)")
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .unreadable("Could not read the request: the values of its body are nested too deeply. Send a flat object.")
    }
  }

  /// Returns a member's value as JSON, or `nil` if the member is missing or null.
  private func value(_ name: String) -> String? { members[name].flatMap { $0 == "null" ? nil : $0 } }

  private static func scanner(_ bytes: [UInt8]) -> JSONScanner {
    JSONScanner(bytes, deepest: 64, dialect: .standard)
  }

  /// Returns a text, or `nil` if it is missing or blank.
  func text(_ name: String) throws(Problem) -> String? {
    guard let value = value(name) else { return nil }
    var scanner = Self.scanner(Array(value.utf8))
    guard let text = try? scanner.string(), text.unicodeScalars.count <= Parameter.maximumTextLength else {
      throw .unreadable(
        "Could not read the request: '\(name)' is not a text of at most \(Parameter.maximumTextLength) characters.")
    }
    return text.isBlank ? nil : text
  }

  /// Returns a text that must not be missing or blank.
  func required(_ name: String) throws(Problem) -> String {
    guard let text = try text(name) else {
      throw .unreadable("Could not read the request: '\(name)' is missing or blank. Send it as a text.")
    }
    return text
  }

  /// Returns a Boolean value, or `nil` if it is missing.
  func bool(_ name: String) throws(Problem) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = Bool(value) else {
      throw .unreadable("Could not read the request: '\(name)' is neither true nor false.")
    }
    return bool
  }

  /// Returns a number in a range, or `nil` if it is missing.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Double? {
    guard let value = value(name) else { return nil }
    // A number that is too large for the type becomes infinite.
    guard let number = Double(value), number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
      throw .unreadable(
        "Could not read the request: '\(name)' is not a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// Returns an integer from 0 to 1,000,000,000, or `nil` if it is missing.
  func count(_ name: String) throws(Problem) -> Int? {
    guard let number = try number(name, in: 0...1_000_000_000) else { return nil }
    guard let count = Int(exactly: number) else {
      throw .unreadable("Could not read the request: '\(name)' is not a whole number.")
    }
    return count
  }

  /// Returns a list of numbers, or `nil` if it is missing.
  func numbers(_ name: String) throws(Problem) -> [Double]? {
    guard let value = value(name) else { return nil }
    var (scanner, numbers) = (Self.scanner(Array(value.utf8)), [Double]())
    do {
      try scanner.array { numbers.append(Double(try $0.number()) ?? .infinity) }
    } catch {
      throw .unreadable("Could not read the request: '\(name)' is not a list of numbers.")
    }
    return numbers
  }

  /// Returns a list of lists of integers from 0, such as the choices of each question, or `nil` if it is missing.
  func lists(_ name: String) throws(Problem) -> [[Int]]? {
    guard let value = value(name) else { return nil }
    let problem = Problem.unreadable(
      "Could not read the request: '\(name)' is not a list of lists of whole numbers from 0.")
    var (scanner, lists) = (Self.scanner(Array(value.utf8)), [[Int]]())
    do {
      try scanner.array { scanner in
        var list: [Int] = []
        try scanner.array { scanner in
          guard let number = try Int(exactly: Double(scanner.number()) ?? -1), number >= 0 else { throw problem }
          list.append(number)
        }
        lists.append(list)
      }
    } catch {
      throw problem
    }
    return lists
  }
}
