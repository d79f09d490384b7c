import LearningModel

/// Finds the ends of tags and expressions of JSX in a text.
///
/// The search for an end is limited in length, and after a search without a result, no other search begins before the
/// position that it reached. The time is therefore linear in the length of the text.
///
/// Sources: MDX 3, "What is MDX?"; ECMAScript, "String Literals", "Template Literals", "Comments"; JSX, "Syntax".
struct JSXScanner {
  let bytes: [UInt8]
  /// The positions before which a search is known to have no result.
  private var openBraceLimit = 0
  private var openTagLimit = 0

  private static let reach = 20_000

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  struct Tag: Equatable {
    /// The name; empty for a fragment.
    var name: String
    var isClosing = false
    var isSelfClosing = false
    /// Whether an attribute contains an expression.
    var hasExpression = false
    /// Whether an attribute contains an element. Its text is not read.
    var hasElement = false
    /// The attributes whose values are texts. An attribute without a value has the value `true`.
    var attributes: [String: String] = [:]
    /// The position after the tag.
    var end = 0

    /// Whether the name is that of a component and not of an HTML element.
    var isComponent: Bool { name.first?.isUppercase == true || name.contains(".") }

    /// Returns the value of the first of these attributes that has a text as its value.
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { attributes[$0]?.onOneLine }.first { !$0.isEmpty && $0 != "true" }
    }
  }

  func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  func text(_ start: Int, _ end: Int) -> String {
    start < end ? String(decoding: bytes[start..<min(end, bytes.count)], as: UTF8.self) : ""
  }

  func starts(at index: Int, with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  /// Returns the position after the brace that closes the one at `start`, or `nil` if it is not closed.
  mutating func expressionEnd(at start: Int) -> Int? {
    guard start >= openBraceLimit else { return nil }
    let limit = min(bytes.count, start + Self.reach)
    // The closing character of each open bracket, or "`" for a template.
    var open: [UInt8] = []
    var index = start
    while index < limit {
      let byte = bytes[index]
      if open.last == UInt8(ascii: "`") {
        if byte == UInt8(ascii: "\\") { index += 1 } else if byte == UInt8(ascii: "`") { open.removeLast() }
        if byte == UInt8(ascii: "$"), self.byte(index + 1) == UInt8(ascii: "{") {
          open.append(UInt8(ascii: "}"))
          index += 1
        }
        index += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: "`"): open.append(byte)
      case UInt8(ascii: "}"):
        open.removeLast()
        if open.isEmpty { return index + 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // If no second quotation mark follows on the line, this one is an apostrophe in the text of an element.
        if let end = quoteEnd(at: index, limit: limit) { index = end - 1 }
      case UInt8(ascii: "/") where self.byte(index + 1) == UInt8(ascii: "*"):
        index = commentEnd(at: index, limit: limit) - 1
      default: break
      }
      index += 1
    }
    openBraceLimit = limit
    return nil
  }

  /// Returns the position after a quoted text that ends on the same line, or `nil` if it does not.
  private func quoteEnd(at start: Int, limit: Int) -> Int? {
    var index = start + 1
    while index < limit, bytes[index] != 0x0A {
      if bytes[index] == bytes[start] { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private func commentEnd(at start: Int, limit: Int) -> Int {
    var index = start + 2
    while index + 1 < limit {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
      index += 1
    }
    return limit
  }

  /// Reads the tag at a position, or returns `nil` if none begins there.
  mutating func tag(at start: Int) -> Tag? {
    guard start >= openTagLimit, byte(start) == UInt8(ascii: "<") else { return nil }
    var tag = Tag(name: "")
    var index = start + 1
    if byte(index) == UInt8(ascii: "/") {
      tag.isClosing = true
      index += 1
    }
    let name = bytes[index...].prefix { $0.isJSXNameByte }
    if let first = name.first, !first.isASCIILetter { return nil }
    tag.name = String(decoding: name, as: UTF8.self)
    index += name.count
    if tag.name.isEmpty {
      guard byte(index) == UInt8(ascii: ">") else { return nil }
      tag.end = index + 1
      return tag
    }
    let limit = min(bytes.count, start + Self.reach)
    while index < limit {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: ">"):
        tag.end = index + 1
        return tag
      case UInt8(ascii: "/"):
        guard byte(index + 1) == UInt8(ascii: ">") else { return nil }
        tag.isSelfClosing = true
        tag.end = index + 2
        return tag
      case UInt8(ascii: "{"):
        guard let end = expressionEnd(at: index) else { return nil }
        tag.hasExpression = true
        index = end
      default:
        guard readAttribute(of: &tag, at: &index) else { return nil }
      }
    }
    openTagLimit = limit
    return nil
  }

  private mutating func readAttribute(of tag: inout Tag, at index: inout Int) -> Bool {
    let name = bytes[index...].prefix { $0.isJSXNameByte || $0 == UInt8(ascii: "@") }
    guard !name.isEmpty else { return false }
    let label = String(decoding: name, as: UTF8.self)
    index += name.count
    guard byte(index) == UInt8(ascii: "=") else {
      tag.attributes[label] = "true"
      return true
    }
    index += 1
    switch byte(index) {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let value = bytes[(index + 1)...].prefix(Self.reach).prefix { $0 != bytes[index] }
      guard value.endIndex < bytes.count, bytes[value.endIndex] == bytes[index] else { return false }
      tag.attributes[label] = String(decoding: value, as: UTF8.self)
      index = value.endIndex + 1
    case UInt8(ascii: "{"):
      guard let end = expressionEnd(at: index) else { return false }
      tag.hasExpression = true
      let expression = text(index + 1, end - 1)
      if let text = Self.literal(expression) {
        tag.attributes[label] = text
      } else if expression.contains("</") || expression.contains("/>") {
        tag.hasElement = true
      }
      index = end
    default:
      let value = bytes[index...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
      guard !value.isEmpty else { return false }
      tag.attributes[label] = String(decoding: value, as: UTF8.self)
      index += value.count
    }
    return true
  }

  /// Returns the value of an expression that contains a single text, such as `"x"` or `require('./x.png').default`, or
  /// that is `true`. Returns `nil` for other expressions.
  static func literal(_ expression: String) -> String? {
    let bare = expression[...].trimmingBlanks
    if bare == "true" { return "true" }
    guard let start = bare.firstIndex(where: { "\"'`".contains($0) }) else { return nil }
    let rest = bare[bare.index(after: start)...]
    guard let end = rest.firstIndex(of: bare[start]) else { return nil }
    let (before, after) = (bare[..<start], rest[rest.index(after: end)...])
    let isCall = before.hasSuffix("(") && before.dropLast().allSatisfy { $0.isLetter || $0 == "." }
    guard before.isEmpty && after.isEmpty || isCall && [")", ").default"].contains(after) else { return nil }
    return String(rest[..<end])
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  fileprivate var isJSXNameByte: Bool {
    isASCIILetter || (0x30...0x39).contains(self) || [0x2D, 0x2E, 0x3A, 0x5F].contains(self)
  }
}
