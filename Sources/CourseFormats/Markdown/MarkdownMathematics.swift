/// Protects formulas from being parsed as Markdown, in which `_` and `\\` have another meaning.
///
/// Each formula is replaced by an HTML element with the same number of lines. The HTML reader converts the element back
/// to a formula.
///
/// Sources: Jupyter, "Markdown cells", "LaTeX equations"; Pandoc, "User's Guide", `tex_math_dollars`; mdBook, "MathJax
/// support"; GitHub, "Writing mathematical expressions", for a dollar sign and a backtick; for `[latex]`, Pressbooks,
/// "Equations".
struct MarkdownMathematics {
  /// The name of the element that protects a formula.
  static let element = "waymark-formula"

  private let rule: FormulaRule
  private let bytes: [UInt8]
  private var written: [UInt8] = []
  private var position = 0
  /// The start of the current line in `written`.
  private var lineStart = 0
  /// The closing delimiters that are known not to occur in the rest of the paragraph.
  private var absent: Set<String> = []

  /// Returns a text with its formulas protected. Formulas that are already protected are unchanged.
  ///
  /// - Parameters:
  ///   - text: The Markdown text.
  ///   - rule: The rule for text between two dollar signs.
  static func withFormulaMarkup(in text: String, rule: FormulaRule = .every) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "\\") }) || text.contains("[latex")
    else { return text }
    var reading = MarkdownMathematics(text, rule: rule)
    reading.read()
    return String(decoding: reading.written, as: UTF8.self)
  }

  /// Returns the element that protects a formula inside a line of text.
  static func withFormulaMarkup(_ formula: String) -> String {
    var reading = MarkdownMathematics("", rule: .every)
    reading.write(formula, isBlock: false)
    return String(decoding: reading.written, as: UTF8.self)
  }

  private init(_ text: String, rule: FormulaRule) {
    self.rule = rule
    bytes = Array(text.utf8)
    written.reserveCapacity(bytes.count + bytes.count / 8)
  }

  private mutating func read() {
    while position < bytes.count {
      if written.count == lineStart, copyFence() { continue }
      switch bytes[position] {
      case UInt8(ascii: "`"): copyCode()
      case UInt8(ascii: "$"):
        if byte(1) == UInt8(ascii: "`"), readFormula(from: "$`", to: "`$", isKept: false) { continue }
        let mark = byte(1) == UInt8(ascii: "$") ? "$$" : "$"
        if !readFormula(from: mark, to: mark, isKept: false) { copy(mark.utf8.count) }
      case UInt8(ascii: "\\"):
        if let name = environment, readFormula(from: "\\begin{\(name)}", to: "\\end{\(name)}", isKept: true) {
          continue
        }
        if Self.pairs.contains(where: { begin, end in
          bytes[position...].starts(with: begin.utf8) && readFormula(from: begin, to: end, isKept: false)
        }) {
          continue
        }
        copy(2)
      case UInt8(ascii: "["):
        if let mark = latexTag, readFormula(from: mark, to: "[/latex]", isKept: false) { continue }
        copy(1)
      case UInt8(ascii: "<"): copy(protectedFormula ?? 1)
      default: copy(1)
      }
    }
  }

  /// Delimiters that begin with a backslash. The backslash is doubled, because Markdown removes one, or single, as in
  /// LaTeX.
  private static let pairs = [("\\\\(", "\\\\)"), ("\\\\[", "\\\\]"), ("\\(", "\\)"), ("\\[", "\\]")]

  private func byte(_ ahead: Int) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private mutating func copy(_ count: Int) {
    for byte in bytes[position..<min(bytes.count, position + count)] {
      written.append(byte)
      if byte == 0x0A {
        if written[lineStart...].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }) { absent = [] }
        lineStart = written.count
      }
    }
    position = min(bytes.count, position + count)
  }

  // MARK: Code

  /// Copies a fenced code block if one begins here.
  private mutating func copyFence() -> Bool {
    var start = position
    while start < bytes.count, [0x20, 0x09, UInt8(ascii: ">")].contains(bytes[start]) { start += 1 }
    guard start < bytes.count, [UInt8(ascii: "`"), UInt8(ascii: "~")].contains(bytes[start]) else { return false }
    let mark = bytes[start]
    let count = bytes[start...].prefix { $0 == mark }.count
    let line = bytes[start...].prefix { $0 != 0x0A }
    guard count >= 3, mark == UInt8(ascii: "~") || !line.dropFirst(count).contains(mark) else { return false }
    var end = line.endIndex
    while end < bytes.count {
      let next = bytes[(end + 1)...].prefix { $0 != 0x0A }
      let bare = next.drop { [0x20, 0x09, UInt8(ascii: ">")].contains($0) }
      end = next.endIndex
      if bare.prefix(while: { $0 == mark }).count >= count, bare.allSatisfy({ $0 == mark || $0 == 0x20 }) { break }
    }
    copy(end - position)
    return true
  }

  private mutating func copyCode() {
    let count = bytes[position...].prefix { $0 == UInt8(ascii: "`") }.count
    var index = position + count
    while index < bytes.count {
      let run = bytes[index...].prefix { $0 == UInt8(ascii: "`") }.count
      if run == count { return copy(index + run - position) }
      if bytes[index] == 0x0A, index + 1 < bytes.count, bytes[index + 1] == 0x0A { break }
      index += max(1, run)
    }
    copy(count)
  }

  // MARK: Formulas

  /// The length of a protected formula that begins here, or `nil` if none does. The escaped brackets in it must not be
  /// treated as delimiters.
  private var protectedFormula: Int? {
    guard bytes[position...].starts(with: "<\(Self.element)".utf8) else { return nil }
    // All punctuation in the element is escaped, so the next `<` ends the formula.
    var index = position + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = "</\(Self.element)>".utf8
    return index < bytes.count && bytes[index...].starts(with: end) ? index + end.count - position : nil
  }

  /// The opening tag of Pressbooks that begins here, which may have attributes such as `[latex display="true"]`. `nil`
  /// if none begins here.
  private var latexTag: String? {
    guard bytes[position...].starts(with: "[latex".utf8) else { return nil }
    let mark = bytes[position...].prefix(80).prefix { $0 != UInt8(ascii: "]") && $0 != 0x0A }
    guard mark.endIndex < bytes.count, bytes[mark.endIndex] == UInt8(ascii: "]") else { return nil }
    let isOther = mark.count > 6 && mark[mark.startIndex + 6] != 0x20
    return isOther ? nil : String(decoding: mark, as: UTF8.self) + "]"
  }

  /// The name of the LaTeX environment that begins here, or `nil` if none does.
  private var environment: String? {
    let begin = Array("\\begin{".utf8)
    guard bytes[position...].starts(with: begin) else { return nil }
    let name = bytes[(position + begin.count)...].prefix(16).prefix { $0 != UInt8(ascii: "}") }
    let word = String(decoding: name, as: UTF8.self)
    return Self.environments.contains(word.hasSuffix("*") ? String(word.dropLast()) : word) ? word : nil
  }

  private static let environments: Set<String> = [
    "equation", "align", "aligned", "gather", "multline", "eqnarray", "alignat", "split", "cases", "array", "matrix",
    "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "smallmatrix",
  ]

  private mutating func readFormula(from begin: String, to end: String, isKept: Bool) -> Bool {
    guard !absent.contains(end) else { return false }
    let close: Int
    switch find(Array(end.utf8), from: position + begin.utf8.count) {
    case .at(let place): close = place
    case .afterCode: return false
    case .absent:
      absent.insert(end)
      return false
    }
    let stop = close + end.utf8.count
    let inside = String(decoding: bytes[position + begin.utf8.count..<close], as: UTF8.self)
    guard inside.contains(where: { !$0.isWhitespace }) else { return false }
    if begin == "$", !rule.accepts(inside, before: stop < bytes.count ? bytes[stop] : nil) { return false }
    // Brackets are also escaped in other texts, so the content must look like a formula.
    if begin == "\\(" || begin == "\\[", !FormulaRule.hasSigns(inside) { return false }
    let whole = String(decoding: bytes[position..<stop], as: UTF8.self)
    let isAlone =
      isAtLineStart && endsLine(at: stop) && (begin != "$" || inside.contains("\n")) && !inside.contains("```")
    position = stop
    let formula = isKept ? whole : inside
    write(isQuoted ? Self.withoutQuoteMarks(formula) : formula, isBlock: isAlone || begin.hasSuffix("\\["))
    return true
  }

  /// Whether only blanks precede the position in its line.
  private var isAtLineStart: Bool { written[lineStart...].allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// Whether the line begins with a block quote marker.
  private var isQuoted: Bool { written[lineStart...].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: ">") }

  private static func withoutQuoteMarks(_ formula: String) -> String {
    let lines = formula.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.prefix(1) + lines.dropFirst().map { $0.drop { $0 == " " || $0 == ">" } }).joined(separator: "\n")
  }

  private enum Ending {
    case at(Int)
    /// A code span begins before the closing delimiter, so the delimiters do not enclose a formula.
    case afterCode
    case absent
  }

  /// The maximum distance between a dollar sign inside braces, as in `\text{for $n$}`, and the end of the formula.
  private static let innerReach = 200

  /// Returns the end of a formula. The closing delimiter must be in the same paragraph and not be escaped.
  private func find(_ end: [UInt8], from start: Int) -> Ending {
    var index = start
    var isBlank = false
    /// The number of open braces, and the position of the first closing delimiter inside braces.
    var depth = 0
    var inner: Int?
    while index + end.count <= bytes.count {
      if let inner, index - inner > Self.innerReach { return .at(inner) }
      if bytes[index] == end[0], bytes[index...].starts(with: end) {
        if depth == 0 { return .at(index) }
        inner = inner ?? index
      }
      if bytes[index] == UInt8(ascii: "`"), end.count == 1 { return inner.map(Ending.at) ?? .afterCode }
      if end.count == 1, bytes[index] == UInt8(ascii: "{") {
        depth += 1
      } else if depth > 0, bytes[index] == UInt8(ascii: "}") {
        depth -= 1
      }
      if bytes[index] == 0x0A {
        if isBlank { return inner.map(Ending.at) ?? .absent }
        isBlank = true
      } else if bytes[index] != 0x20, bytes[index] != 0x09, bytes[index] != 0x0D {
        isBlank = false
      }
      index += bytes[index] == UInt8(ascii: "\\") && end[0] == UInt8(ascii: "$") ? 2 : 1
    }
    return inner.map(Ending.at) ?? .absent
  }

  private func endsLine(at start: Int) -> Bool {
    var index = start
    while index < bytes.count, [0x20, 0x09, 0x0D].contains(bytes[index]) { index += 1 }
    return index == bytes.count || bytes[index] == 0x0A
  }

  /// Writes the element with all punctuation escaped.
  ///
  /// Line breaks inside the formula are kept. Line breaks at its ends are moved after the element, because a tag that
  /// is alone on a line would begin an HTML block.
  private mutating func write(_ formula: String, isBlock: Bool) {
    let inside = formula.drop(while: \.isWhitespace)
    let trimmed = inside.reversed().drop(while: \.isWhitespace).reversed()
    let cut = formula.utf8.count { $0 == 0x0A } - trimmed.count { $0.isNewline }
    written += "<\(Self.element)\(isBlock ? " display=\"block\"" : "")>".utf8
    for byte in String(trimmed).utf8 {
      switch byte {
      case 0x0D: written.append(0x20)
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: written += [UInt8(ascii: "\\"), byte]
      default: written.append(byte)
      }
    }
    written += "</\(Self.element)>".utf8
    written += repeatElement(0x0A, count: max(0, cut))
    if cut > 0 { lineStart = written.count }
  }
}
