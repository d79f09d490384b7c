import Foundation
import WholeNumbers

/// The body of a request: a JSON object without unknown members.
struct JSONObject {
  private let members: [String: Any]
  /// The object as canonical JSON with sorted keys, which does not depend on how the client wrote it.
  let text: String

  /// Parses a request body.
  ///
  /// - Parameter names: The members that the object may have.
  /// - Throws: ``Problem/unreadable(_:)``.
  init(_ data: Data, knowing names: Set<String>) throws(Problem) {
    // Foundation also reads UTF-16, which RFC 8259, section 8.1, excludes.
    guard !data.contains(0), let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
      throw .unreadable(
        #"Could not read the request: its body is not a JSON object. Send, for example, {"operation": "resume"}."#)
    }
    if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
      throw .unreadable(
        "Could not read the request: this route has no member '\(unknown.prefix(80))'. "
          + "Use \(names.sorted().joined(separator: ", ")).")
    }
    self.members = members
    let canonical = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
    text = String(decoding: canonical ?? data, as: UTF8.self)
  }

  /// Returns a name that occurs twice in one object of a JSON text, or `nil`. Foundation would use only one of the
  /// values. A text that is not JSON is not reported.
  ///
  /// Source: RFC 8259, section 4.
  static func repeatedName(in bytes: [UInt8]) -> String? {
    var names: [Set<String>] = []
    var position = 0
    while position < bytes.count {
      let start = position
      position += 1
      switch bytes[start] {
      case UInt8(ascii: "{"): names.append([])
      case UInt8(ascii: "}"): _ = names.popLast()
      case UInt8(ascii: "\""):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        let next = bytes.dropFirst(position).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard next == UInt8(ascii: ":"), !names.isEmpty else { continue }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        let decoded = name.contains("\\") ? try? JSONDecoder().decode(String.self, from: Data(name.utf8)) : nil
        let text = decoded ?? String(name.dropFirst().dropLast())
        if !names[names.count - 1].insert(text).inserted { return text }
      default: break
      }
    }
    return nil
  }

  /// Returns a member's value, or `nil` if the member is missing or null.
  private func value(_ name: String) -> Any? {
    guard let value = members[name], !(value is NSNull) else { return nil }
    return value
  }

  /// Returns a text, or `nil` if it is missing or blank.
  func text(_ name: String) throws(Problem) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value as? String, text.unicodeScalars.count <= Parameter.maximumTextLength else {
      throw .unreadable(
        "Could not read the request: '\(name)' is not a text of at most \(Parameter.maximumTextLength) characters.")
    }
    return text.isBlank ? nil : text
  }

  /// Returns a text that must not be missing or blank.
  func required(_ name: String) throws(Problem) -> String {
    guard let text = try text(name) else {
      throw .unreadable("Could not read the request: '\(name)' is missing. Send it as a text.")
    }
    return text
  }

  /// Returns a Boolean value, or `nil` if it is missing.
  func bool(_ name: String) throws(Problem) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let number = value as? NSNumber, Self.isBool(number) else {
      throw .unreadable("Could not read the request: '\(name)' is neither true nor false.")
    }
    return number.boolValue
  }

  /// Returns a number in a range, or `nil` if it is missing.
  func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value as? NSNumber, !Self.isBool(number), range.contains(number.doubleValue) else {
      throw .unreadable(
        "Could not read the request: '\(name)' is not a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number.doubleValue
  }

  /// Returns an integer from 0 to 1,000,000,000, or `nil` if it is missing.
  func count(_ name: String) throws(Problem) -> Int? {
    guard let number = try number(name, in: 0...1_000_000_000) else { return nil }
    guard number == number.rounded() else {
      throw .unreadable("Could not read the request: '\(name)' is not a whole number.")
    }
    return Int(clamping: number)
  }

  /// Returns a list of lists of integers from 0, such as the choices of each question, or `nil` if it is missing.
  func lists(_ name: String) throws(Problem) -> [[Int]]? {
    guard let value = value(name) else { return nil }
    let lists = (value as? [[Any]])?.map { list in
      list.compactMap { entry -> Int? in
        guard let number = entry as? NSNumber, !Self.isBool(number), number.doubleValue == Double(number.intValue),
          number.intValue >= 0
        else { return nil }
        return number.intValue
      }
    }
    guard let lists, let rows = value as? [[Any]], zip(lists, rows).allSatisfy({ $0.count == $1.count }) else {
      throw .unreadable("Could not read the request: '\(name)' is not a list of lists of whole numbers from 0.")
    }
    return lists
  }

  /// Returns whether a number is a JSON Boolean. Foundation parses both `true` and `1` as `NSNumber`.
  private static func isBool(_ number: NSNumber) -> Bool {
    #if canImport(Darwin)
    CFGetTypeID(number) == CFBooleanGetTypeID()
    #else
    String(cString: number.objCType) == "c"
    #endif
  }
}
