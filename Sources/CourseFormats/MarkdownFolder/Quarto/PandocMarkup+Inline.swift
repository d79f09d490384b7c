import LearningModel
import TextCanvas

extension PandocMarkup {
  /// Returns text outside code blocks with its notes, citations, references, superscripts and subscripts converted.
  mutating func inline(_ text: String, depth: Int = 0) -> String {
    guard text.utf8.contains(where: { [0x40, 0x5E, 0x7E, 0x60, 0x5C].contains($0) }) else { return text }
    var reader = InlineReader(text)
    while let byte = reader.peek {
      switch byte {
      case UInt8(ascii: "\\"): if !readCommand(&reader) { reader.copy(2) }
      case UInt8(ascii: "`"):
        if let span = reader.codeSpan(at: reader.position), span.text.hasPrefix("r ") || span.text.hasPrefix("{") {
          let isComputed = ["r ", "{r}", "{python}", "{julia}", "{ojs}"].contains { span.text.hasPrefix($0) }
          if isComputed { findings.countLoss("computed value", "its code is shown") }
        }
        reader.copyCodeSpan()
      case UInt8(ascii: "$"): copyFormula(&reader)
      case UInt8(ascii: "<"): copyTag(&reader)
      case UInt8(ascii: "h") where reader.starts(with: "https://") || reader.starts(with: "http://"):
        copyAddress(&reader)
      case UInt8(ascii: "["): if !readBracket(&reader, depth) { reader.copy(1) }
      case UInt8(ascii: "]"):
        if reader.starts(with: "]("), let end = reader.closingParenthesis(after: reader.position + 1, within: 2_000) {
          reader.copy(end + 1 - reader.position)
        } else {
          reader.copy(1)
        }
      case UInt8(ascii: "@"): if !readReference(&reader) { reader.copy(1) }
      case UInt8(ascii: "("): if !readExample(&reader) { reader.copy(1) }
      case UInt8(ascii: "^"): if !readNote(&reader, depth), !readScript(&reader, "^", "sup") { reader.copy(1) }
      case UInt8(ascii: "~"):
        let count = reader.count(of: byte)
        if count > 1 || !readScript(&reader, "~", "sub") { reader.copy(count) }
      default: reader.copy(1)
      }
    }
    return reader.result
  }

  // MARK: Unchanged text

  /// Copies a formula between dollar signs.
  private func copyFormula(_ reader: inout InlineReader) {
    let mark = reader.starts(with: "$$") ? "$$" : "$"
    let start = reader.position + mark.utf8.count
    guard let end = reader.find(mark, after: start, within: 2_000), end > start,
      mark == "$$" || reader.byte(at: start) != 0x20, !reader.hasBlankLine(from: start, to: end)
    else { return reader.copy(mark.utf8.count) }
    reader.copy(end + mark.utf8.count - reader.position)
  }

  private func copyTag(_ reader: inout InlineReader) {
    let next = reader.byte(at: reader.position + 1) ?? 0x20
    let isTag = next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || (0x61...0x7A).contains(next | 0x20)
    guard isTag, let end = reader.find(">", within: 2_000) else { return reader.copy(1) }
    reader.copy(end + 1 - reader.position)
  }

  private func copyAddress(_ reader: inout InlineReader) {
    while let byte = reader.peek, byte > 0x20, !")]>\"".utf8.contains(byte) { reader.copy(1) }
  }

  // MARK: Commands

  /// Reads `\@ref(label)` of bookdown, and commands of LaTeX without visible text.
  private mutating func readCommand(_ reader: inout InlineReader) -> Bool {
    if reader.starts(with: "\\@ref("), let end = reader.find(")", within: 120) {
      write(label: reader.text(from: reader.position + 6, to: end), &reader)
      reader.skip(to: end + 1)
      return true
    }
    for name in ["\\index{", "\\label{"] where reader.starts(with: name) {
      guard let end = reader.find("}", within: 200) else { return false }
      findings.countLoss(name == "\\index{" ? "entry of an index" : "LaTeX command for the layout", "left out")
      reader.skip(to: end + 1)
      return true
    }
    return false
  }

  private func write(label: String, _ reader: inout InlineReader) {
    reader.write("[](<\(LinkScheme.label)\(label)>)")
  }

  // MARK: References and citations

  /// Reads `@key` or `@fig-label` outside brackets.
  private mutating func readReference(_ reader: inout InlineReader) -> Bool {
    if let last = reader.last,
      last >= 0x80 || last == UInt8(ascii: "/") || Character(Unicode.Scalar(last)).isWordCharacter
    {
      return false
    }
    guard let key = CitationKey.read(reader.text(from: reader.position + 1, to: reader.position + 200)[...]) else {
      return false
    }
    if Self.isLabel(key) {
      reader.skip(to: reader.position + 1 + key.utf8.count)
      write(label: key, &reader)
      return true
    }
    guard let entry = bibliography[key] else { return false }
    reader.skip(to: reader.position + 1 + key.utf8.count)
    var suffix = ""
    if reader.starts(with: " ["), let end = reader.find("]", within: 120),
      case let inside = reader.text(from: reader.position + 2, to: end),
      !inside.contains(where: { "[@\n".contains($0) }),
      reader.byte(at: end + 1) != UInt8(ascii: "(")
    {
      suffix = ", " + inside
      reader.skip(to: end + 1)
    }
    reader.write("\(Self.escaped(entry.shortNames)) (\(entry.year)\(suffix))\(footnote(key, entry))")
    return true
  }

  /// Returns whether a key is the label of an element or a section, and not the key of a citation.
  private static func isLabel(_ key: String) -> Bool {
    guard let mark = key.firstIndex(of: "-") else { return false }
    return key[..<mark] == "sec" || word(of: key) != nil && !key.contains(":")
  }

  /// Reads `[see @key, p. 3; @other]`, `[-@key]` or `[Figure @fig-label]`.
  private mutating func readBracket(_ reader: inout InlineReader, _ depth: Int) -> Bool {
    guard let end = reader.find("]", within: 600) else { return false }
    let inside = reader.text(from: reader.position + 1, to: end)
    guard inside.contains("@"), !inside.contains("["), !inside.contains("\n\n"),
      ![UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{")].contains(reader.byte(at: end + 1) ?? 0),
      !reader.isAtLineStart || reader.byte(at: end + 1) != UInt8(ascii: ":")
    else { return false }
    let pieces = inside.split(separator: ";").map { CitationPiece($0) }
    guard pieces.allSatisfy({ $0 != nil }) else { return false }
    let items = pieces.compactMap(\.self)
    reader.skip(to: end + 1)
    if items.allSatisfy({ Self.isLabel($0.key) }) {
      for (index, item) in items.enumerated() {
        let hasOwnWord = item.isShort || !item.prefix.isEmpty
        reader.write(
          (index > 0 ? ", " : "") + item.prefix + (item.prefix.isEmpty || item.prefix.hasSuffix(" ") ? "" : " "))
        write(label: (hasOwnWord ? "-" : "") + item.key, &reader)
        reader.write(item.suffix)
      }
      return true
    }
    var footnotes = ""
    let citations = items.map { item -> String in
      guard let entry = bibliography[item.key] else {
        findings.countLoss("citation", "shown as its key")
        return item.prefix + item.key + item.suffix
      }
      footnotes += footnote(item.key, entry)
      let names = item.isShort ? "" : Self.escaped(entry.shortNames) + (entry.year.isEmpty ? "" : " ")
      return item.prefix + names + entry.year + item.suffix
    }
    reader.write("(" + citations.joined(separator: "; ") + ")" + footnotes)
    return true
  }

  /// Returns the reference to the footnote with an entry of the bibliography.
  private mutating func footnote(_ key: String, _ entry: Bibliography.Entry) -> String {
    let label = "cite-" + key
    if counts.cited.insert(key).inserted { definitions.append("[^\(label)]: \(Self.escaped(entry.description))") }
    return "[^\(label)]"
  }

  /// Returns text in which no character is markup.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\\`*_[]<>$&^~@".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  // MARK: Notes and examples

  /// Reads a note inside the text: `^[words]`.
  private mutating func readNote(_ reader: inout InlineReader, _ depth: Int) -> Bool {
    guard reader.starts(with: "^["), reader.last != UInt8(ascii: "["), depth < 2, unclosedNotes < 100 else {
      return false
    }
    guard let end = reader.closingBracket(after: reader.position + 1, within: 4_000) else {
      unclosedNotes += 1
      return false
    }
    counts.notes += 1
    let label = "inline-\(counts.notes)"
    let text = reader.text(from: reader.position + 2, to: end)
    reader.skip(to: end + 1)
    reader.write("[^\(label)]")
    let words = inline(text, depth: depth + 1).split(whereSeparator: \.isNewline).map(\.trimmingBlanks)
    definitions.append("[^\(label)]: " + words.joined(separator: " "))
    return true
  }

  /// Reads a reference to an example: `(@label)`.
  private func readExample(_ reader: inout InlineReader) -> Bool {
    guard reader.starts(with: "(@"), let end = reader.find(")", within: 60),
      let number = counts.examples[reader.text(from: reader.position + 2, to: end)]
    else { return false }
    reader.skip(to: end + 1)
    reader.write("(\(number))")
    return true
  }

  /// Reads a superscript or a subscript, which contains no blanks unless they are escaped.
  private func readScript(_ reader: inout InlineReader, _ mark: String, _ element: String) -> Bool {
    guard let end = reader.find(mark, after: reader.position + 1, within: 100), end > reader.position + 1 else {
      return false
    }
    let inside = reader.text(from: reader.position + 1, to: end).replacing("\\ ", with: "\u{A0}")
    guard !inside.contains(where: { " \t\n[]<".contains($0) }) else { return false }
    reader.skip(to: end + 1)
    reader.write("<\(element)>\(inside)</\(element)>")
    return true
  }
}

/// The key of a citation or a reference after an at sign.
///
/// Source: Pandoc, "User's Guide", "Citation syntax".
enum CitationKey {
  /// Returns the key at the beginning of a text. Punctuation at the end is not part of the key.
  static func read(_ text: Substring) -> String? {
    if text.first == "{" {
      guard let close = text.firstIndex(of: "}") else { return nil }
      return String(text[..<close].dropFirst())
    }
    guard let first = text.first, first.isLetter || first.isNumber || first == "_" else { return nil }
    var key = text.prefix { $0.isLetter || $0.isNumber || ":.#$%&-+?<>~/_".contains($0) }
    while let last = key.last, !(last.isLetter || last.isNumber || last == "_") { key = key.dropLast() }
    return key.isEmpty ? nil : String(key)
  }
}

/// One of the citations in brackets, with the text before and after its key.
private struct CitationPiece {
  var prefix: String
  let key: String
  let suffix: String
  /// Whether the authors are omitted, because a hyphen precedes the at sign.
  let isShort: Bool

  init?(_ text: Substring) {
    guard let at = text.firstIndex(of: "@"), let key = CitationKey.read(text[text.index(after: at)...]) else {
      return nil
    }
    var before = text[..<at]
    if let last = before.last, last.isLetter || last.isNumber { return nil }
    isShort = before.last == "-"
    if isShort { before = before.dropLast() }
    prefix = String(before.drop(while: \.isWhitespace))
    self.key = key
    let isBraced = text[at...].dropFirst().first == "{"
    suffix = String(text[at...].dropFirst(1 + key.count + (isBraced ? 2 : 0)).trimmingEnd)
  }
}

extension Character {
  fileprivate var isWordCharacter: Bool { isLetter || isNumber || self == "_" }
}

extension InlineReader {
  /// Returns the number of consecutive occurrences of a byte at the position.
  func count(of byte: UInt8) -> Int {
    var count = 0
    while self.byte(at: position + count) == byte { count += 1 }
    return count
  }

  func hasBlankLine(from start: Int, to end: Int) -> Bool { text(from: start, to: end).contains("\n\n") }

  /// Returns the position of the bracket that closes the one at `start`, or `nil` if it is not closed in the paragraph.
  ///
  /// - Parameter reach: The maximum distance, in bytes.
  func closingBracket(after start: Int, within reach: Int) -> Int? {
    var (depth, index) = (0, start)
    while index < start + reach, let byte = byte(at: index) {
      switch byte {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case 0x0A where self.byte(at: index + 1) == 0x0A: return nil
      default: break
      }
      if depth == 0 { return index }
      index += 1
    }
    return nil
  }
}
