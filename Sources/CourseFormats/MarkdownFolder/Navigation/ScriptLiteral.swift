/// Reads the literal objects and arrays of a JavaScript or TypeScript program, which is never run.
///
/// The literal is converted to JSON with the same number of lines. Values that the program would compute become `null`.
/// A constant of the same program is replaced by its literal, and so is a call without arguments if the first `return`
/// of that function has a literal. A call with a literal among its arguments, such as `group('a', {…})`, is replaced by
/// that literal. If the literal is an object, the first argument becomes its property `call`.
///
/// Source: ECMAScript, "Object Initializer", "Array Initializer", "Comments".
struct ScriptLiteral {
  private let bytes: [UInt8]
  private var position: Int
  private var written: [UInt8] = []
  /// The closing characters of the open brackets, the innermost last.
  private var open: [UInt8] = []
  private var expectsKey = false
  private var hasValue = false
  /// The number of properties without a name so far.
  private var unnamed = 0
  /// The number of constants and functions in which this literal is nested.
  private var depth = 0
  /// The number of constants and functions that may still be looked up.
  private var lookups = 100

  /// The maximum number of open brackets.
  private static let deepest = 64
  /// The maximum nesting depth of constants and functions.
  private static let deepestReference = 8

  /// Returns the literal after the first of several beginnings that occurs in a program, such as `export default`, with
  /// the number of lines before it.
  ///
  /// - Returns: `nil` if no beginning is followed by a literal, or if the literal is malformed.
  ///   If there is no such literal, the literal of a constant is returned whose name is the first beginning without its
  ///   colon.
  static func json(after beginnings: [String], in program: String) -> (text: String, linesBefore: Int)? {
    let bytes = Array(program.utf8)
    var lookups = 20
    func literal(at offset: Int) -> (text: String, linesBefore: Int)? {
      var literal = ScriptLiteral(bytes: bytes, position: offset)
      return literal.read().map { ($0, program.utf8.prefix(offset).count { $0 == 0x0A }) }
    }
    for beginning in beginnings {
      var rest = program[...]
      while let range = rest.firstRange(of: beginning) {
        rest = rest[range.upperBound...]
        let start = rest.drop { $0.isWhitespace || $0 == "(" }
        var offset = program.utf8.distance(from: program.startIndex, to: start.startIndex)
        if start.first != "{", start.first != "[" {
          let name = start.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
          let end = start[name.endIndex...].trimmingPrefix("()").first { $0 != " " }
          guard lookups > 0, !name.isEmpty, end.map({ ",;}\n".contains($0) }) ?? true else { continue }
          lookups -= 1
          guard let found = definition(of: Array(name.utf8), in: bytes) else { continue }
          offset = found
        }
        return literal(at: offset)
      }
    }
    guard let name = beginnings.first, name.last == ":" else { return nil }
    return definition(of: Array(name.utf8.dropLast()), in: bytes).flatMap(literal)
  }

  /// Returns the text of the first property with that name whose value is a text.
  static func text(of name: String, in program: String) -> String? {
    var rest = program[...]
    while let range = rest.firstRange(of: name + ":") {
      rest = rest[range.upperBound...]
      let value = rest.drop { $0 == " " }
      if let quote = value.first, "\"'`".contains(quote), let end = value.dropFirst().firstIndex(of: quote) {
        return String(value[..<end].dropFirst())
      }
    }
    return nil
  }

  private init(bytes: [UInt8], position: Int) {
    (self.bytes, self.position) = (bytes, position)
  }

  private mutating func read() -> String? {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x0A:
        written.append(byte)
        position += 1
      case 0x20, 0x09, 0x0D: position += 1
      case UInt8(ascii: "/") where skipComment(): continue
      case UInt8(ascii: "{") where !hasValue, UInt8(ascii: "[") where !hasValue:
        guard open.count < Self.deepest else { return nil }
        open.append(byte + 2)
        written.append(byte)
        position += 1
        expectsKey = byte == UInt8(ascii: "{")
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() == byte else { return nil }
        written.append(byte)
        position += 1
        (expectsKey, hasValue) = (false, true)
        if open.isEmpty { return String(decoding: written, as: UTF8.self) }
      case UInt8(ascii: ","):
        written += ", ".utf8
        position += 1
        (expectsKey, hasValue) = (open.last == UInt8(ascii: "}"), false)
      default:
        if hasValue { skipExpression() } else if expectsKey { readKey() } else { readValue() }
      }
    }
    return nil
  }

  private mutating func skipComment() -> Bool {
    guard position + 1 < bytes.count else { return false }
    if bytes[position + 1] == UInt8(ascii: "/") {
      while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      return true
    }
    guard bytes[position + 1] == UInt8(ascii: "*") else { return false }
    position += 2
    while position < bytes.count {
      if bytes[position] == 0x0A { written.append(0x0A) }
      if bytes[position] == UInt8(ascii: "/"), bytes[position - 1] == UInt8(ascii: "*") { break }
      position += 1
    }
    position += 1
    return true
  }

  private mutating func readKey() {
    let name: String
    if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]) {
      name = quoted() ?? ""
    } else {
      let word = bytes[position...].prefix { $0.isWordByte }
      name = String(decoding: word, as: UTF8.self)
      position += word.count
    }
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    expectsKey = false
    guard !name.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      // A spread, a shorthand or a method.
      unnamed += 1
      written += "\"\(name)...\(unnamed)\": null".utf8
      hasValue = true
      return skipExpression()
    }
    written += "\(Self.json(name)): ".utf8
    position += 1
  }

  private mutating func readValue() {
    hasValue = true
    if "\"'`".utf8.contains(bytes[position]) {
      written += (quoted().map(Self.json) ?? "null").utf8
      return
    }
    let word = bytes[position...].prefix { $0.isWordByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    let text = String(decoding: word, as: UTF8.self)
    position += word.count
    let end = position
    skipExpression()
    let rest = bytes[end..<position].filter { $0 > 0x20 }
    if text.hasPrefix("..."), let literal = reference(to: word.dropFirst(3)), literal.first == "[", rest.isEmpty {
      written += literal.utf8
      return
    }
    if rest.isEmpty || rest == Array("()".utf8), let literal = reference(to: word) {
      written += literal.utf8
      return
    }
    if rest.first == UInt8(ascii: "("), let literal = argument(ofCallAt: end) {
      written += literal.utf8
      return
    }
    let isWhole = rest.isEmpty
    written += (isWhole && (text == "true" || text == "false" || Double(text) != nil) ? text : "null").utf8
  }

  // MARK: Constants and functions

  /// Returns the literal among the arguments of a call on one line, or `nil` if it has none.
  private mutating func argument(ofCallAt start: Int) -> String? {
    guard depth < Self.deepestReference else { return nil }
    var arguments = ScriptLiteral(bytes: bytes, position: start)
    (arguments.depth, arguments.lookups) = (depth + 1, lookups)
    var name: String?
    while arguments.position < bytes.count {
      switch bytes[arguments.position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = bytes[arguments.position] == UInt8(ascii: "{")
        guard let text = arguments.read()?.replacing("\n", with: " ") else { return nil }
        lookups = arguments.lookups
        guard isObject, let name else { return text }
        return "{ \"call\": \(Self.json(name))" + (text.dropFirst().first { $0 != " " } == "}" ? "" : ", ")
          + text.dropFirst()
      case UInt8(ascii: "'"), UInt8(ascii: "\""): name = arguments.quoted() ?? name
      case UInt8(ascii: "("), UInt8(ascii: ","), 0...0x20: arguments.position += 1
      default: return nil
      }
    }
    return nil
  }

  /// Returns the literal of a constant or a function on one line, or `nil` if it has none.
  private mutating func reference(to name: ArraySlice<UInt8>) -> String? {
    guard depth < Self.deepestReference, lookups > 0, let first = name.first, !(0x30...0x39).contains(first),
      name.allSatisfy(\.isWordByte),
      !["true", "false", "null", "undefined"].contains(String(decoding: name, as: UTF8.self))
    else { return nil }
    lookups -= 1
    guard let offset = Self.definition(of: Array(name), in: bytes) else { return nil }
    var literal = ScriptLiteral(bytes: bytes, position: offset)
    (literal.depth, literal.lookups) = (depth + 1, lookups)
    let text = literal.read()
    lookups = literal.lookups
    return text?.replacing("\n", with: " ")
  }

  /// Returns the position of the literal that defines a name: `const name = […]`, `const name = () => […]`, or the
  /// first `return` in `function name() {…}`.
  private static func definition(of name: [UInt8], in bytes: [UInt8]) -> Int? {
    guard !name.isEmpty else { return nil }
    for keyword in ["function ", "const ", "let ", "var "] {
      var start = 0
      while let found = position(of: Array(keyword.utf8) + name, in: bytes, from: start) {
        start = found + keyword.utf8.count + name.count
        guard start < bytes.count, !bytes[start].isWordByte else { continue }
        let sign = keyword == "function " ? "return" : "="
        guard let end = position(of: Array(sign.utf8), in: bytes, from: start) else { return nil }
        var index = end + sign.utf8.count
        // The parameters and the arrow of a function, and the parenthesis before an object.
        while index < bytes.count, bytes[index] <= 0x20 || "()=>".utf8.contains(bytes[index]) { index += 1 }
        guard index < bytes.count, "[{".utf8.contains(bytes[index]) else { return nil }
        // The braces after an arrow are a body, not an object.
        let isBody = bytes[index] == UInt8(ascii: "{") && bytes[end..<index].last { $0 > 0x20 } == UInt8(ascii: ">")
        return isBody ? nil : index
      }
    }
    return nil
  }

  private static func position(of text: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index + text.count <= bytes.count {
        if bytes[index] == text[0], text.indices.allSatisfy({ bytes[index + $0] == text[$0] }) { return index }
        index += 1
      }
      return nil
    }
  }

  /// Reads a quoted text, or returns `nil` if the program computes a part of it.
  private mutating func quoted() -> String? {
    let quote = bytes[position]
    var text: [UInt8] = []
    var isComputed = false
    position += 1
    while position < bytes.count, bytes[position] != quote {
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count {
        position += 1
        text.append(bytes[position] == UInt8(ascii: "n") ? 0x20 : bytes[position])
      } else {
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        isComputed =
          isComputed
          || quote == UInt8(ascii: "`") && bytes[position] == UInt8(ascii: "$")
            && next == UInt8(ascii: "{")
        text.append(bytes[position])
      }
      position += 1
    }
    position += 1
    return isComputed ? nil : String(decoding: text, as: UTF8.self)
  }

  /// Skips to the next comma or closing bracket outside of nested brackets and quotes.
  private mutating func skipExpression() {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x0A { written.append(byte) }
      if "\"'`".utf8.contains(byte) {
        let before = position
        _ = quoted()
        written += bytes[before..<min(position, bytes.count)].filter { $0 == 0x0A }
        continue
      }
      if byte == UInt8(ascii: "/"), skipComment() { continue }
      if depth == 0, ",]}".utf8.contains(byte) { return }
      if "([{".utf8.contains(byte) { depth += 1 } else if ")]}".utf8.contains(byte) { depth -= 1 }
      position += 1
    }
  }

  private static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension UInt8 {
  fileprivate var isWordByte: Bool {
    self >= 0x80 || (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
      || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
  }
}
