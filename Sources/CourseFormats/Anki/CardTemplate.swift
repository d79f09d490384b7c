import LearningModel

/// A template of a side of a card, parsed once for all cards of its note type.
///
/// Source: Anki manual, "Field Replacements", "Card Generation" and "Special Fields".
struct CardTemplate {
  /// The values that a template can show.
  struct Values {
    /// The texts of the fields by name, in HTML.
    var fields: [String: String]
    /// The number of the cloze deletion that the card asks for, from 1.
    var cloze: Int
    var isQuestion: Bool
    /// The filled template of the question, for the other side.
    var frontSide = ""
  }

  private indirect enum Node {
    case text(String)
    /// A field with its filters, in the order in which they are applied.
    case field(String, filters: [String])
    /// Nodes that are shown only if a field has a value or, if inverted, only if it has none.
    case section(String, isInverted: Bool, [Node])
  }

  private let nodes: [Node]
  /// The description of a mistake in the template, as a sentence, or `nil`.
  let problem: String?

  /// Parses a template.
  ///
  /// - Parameters:
  ///   - text: The template.
  ///   - depth: The maximum nesting depth of sections.
  init(_ text: String, depth: Int) {
    var open: [(name: String, isInverted: Bool, nodes: [Node])] = [("", false, [])]
    var problem: String?
    var rest = text[...]
    func add(_ node: Node) { open[open.count - 1].nodes.append(node) }
    func closeLast() {
      let last = open.removeLast()
      add(.section(last.name, isInverted: last.isInverted, last.nodes))
    }
    while let start = rest.firstRange(of: "{{") {
      // Anki shows text in comments unchanged.
      if let comment = rest[..<start.lowerBound].firstRange(of: "<!--"),
        let end = rest[comment.upperBound...].firstRange(of: "-->")
      {
        add(.text(String(rest[..<end.upperBound])))
        rest = rest[end.upperBound...]
        continue
      }
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
        problem = problem ?? "'{{' is not closed by '}}'."
        break
      }
      if start.lowerBound > rest.startIndex { add(.text(String(rest[..<start.lowerBound]))) }
      let tag = rest[start.upperBound..<end.lowerBound].trimmingBlanks
      rest = rest[end.upperBound...]
      switch tag.first {
      case "#" where open.count <= depth, "^" where open.count <= depth:
        open.append((String(tag.dropFirst().trimmingBlanks), tag.first == "^", []))
      case "/":
        let name = String(tag.dropFirst().trimmingBlanks)
        if open.count > 1, open[open.count - 1].name == name {
          closeLast()
        } else {
          problem = problem ?? "'{{/\(name)}}' closes a section that is not open."
        }
      default:
        let parts = tag.split(separator: ":", omittingEmptySubsequences: false)
        add(.field(String(parts.last ?? ""), filters: parts.dropLast().reversed().map(String.init)))
      }
    }
    if !rest.isEmpty { add(.text(String(rest))) }
    while open.count > 1 {
      problem = problem ?? "The section '{{#\(open[open.count - 1].name)}}' is not closed."
      closeLast()
    }
    nodes = open[0].nodes
    self.problem = problem?.onOneLine
  }

  /// The names of the fields that the template refers to.
  var fieldNames: Set<String> {
    func names(_ nodes: [Node]) -> [String] {
      nodes.flatMap { node -> [String] in
        switch node {
        case .text: []
        case .field(let name, _): [name]
        case .section(let name, _, let inner): [name] + names(inner)
        }
      }
    }
    return Set(names(nodes))
  }

  /// Returns whether the template begins with the question.
  var beginsWithFrontSide: Bool {
    guard
      let first = nodes.first(where: { node in
        if case .text(let text) = node { return !text.allSatisfy(\.isWhitespace) }
        return true
      }), case .field("FrontSide", let filters) = first
    else { return false }
    return filters.isEmpty
  }

  /// Returns the template with the values inserted, in HTML.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Returns: `nil` if the text would be longer.
  func filled(with values: Values, limit: Int) -> String? {
    var text = ""
    func add(_ nodes: [Node]) -> Bool {
      for node in nodes {
        switch node {
        case .text(let literal): text += literal
        case .field(let name, let filters): text += value(of: name, filters, values)
        case .section(let name, let isInverted, let inner):
          if Self.isEmpty(name, values) == isInverted, !add(inner) { return false }
        }
        if text.utf8.count > limit { return false }
      }
      return true
    }
    return add(nodes) ? text : nil
  }

  /// Returns the text that the learner is to type, in HTML: that of the first field with the filter `type`. `nil` if there is no
  /// such field, or if it is empty.
  func typed(with values: Values) -> String? {
    var values = values
    values.isQuestion = false
    func first(_ nodes: [Node]) -> String? {
      for node in nodes {
        switch node {
        case .field(let name, let filters) where filters.last == "type":
          let text = value(of: name, filters, values)
          return FieldFilter.isBlank(text) ? nil : text
        case .section(let name, let isInverted, let inner) where Self.isEmpty(name, values) == isInverted:
          if let text = first(inner) { return text }
        default: continue
        }
      }
      return nil
    }
    return first(nodes)
  }

  private func value(of name: String, _ filters: [String], _ values: Values) -> String {
    if name == "FrontSide" { return values.frontSide }
    guard let text = values.fields[name] else { return "" }
    return FieldFilter.apply(filters, to: text, name: name, ordinal: values.cloze, isQuestion: values.isQuestion)
  }

  /// Returns whether a field has no value. `c1` is a value of the card of the first cloze deletion only.
  private static func isEmpty(_ name: String, _ values: Values) -> Bool {
    if let text = values.fields[name] { return FieldFilter.isBlank(text) }
    return name != "c\(values.cloze)"
  }
}

/// The filters of fields.
enum FieldFilter {
  /// Returns whether a field counts as empty: it has only white space, line breaks and divisions.
  ///
  /// Source: the behaviour of Anki.
  static func isBlank(_ html: String) -> Bool {
    var rest = html[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      guard first == "<", let end = rest.firstIndex(of: ">") else { return false }
      let name = rest[rest.index(after: rest.startIndex)..<end].filter { $0 != "/" && $0 != " " }
      guard name == "br" || name == "div" else { return false }
      rest = rest[rest.index(after: end)...]
    }
    return true
  }

  /// Returns the text of a field after its filters. `type:cloze:` expects only the text of the asked cloze deletions.
  ///
  /// - Parameters:
  ///   - filters: The names of the filters, in the order in which they are applied.
  ///   - text: The text in HTML.
  ///   - name: The name of the field.
  ///   - ordinal: The number of the cloze deletion that the card asks for, from 1.
  ///   - isQuestion: Whether the question is filled.
  static func apply(_ filters: [String], to text: String, name: String, ordinal: Int, isQuestion: Bool) -> String {
    if filters.last == "type" {
      // The answer shows the expected text.
      guard !isQuestion else { return "" }
      return filters.contains("cloze") ? ClozeField(text).asked(ordinal, isQuestion: false) : text
    }
    return filters.reduce(text) {
      apply($1, to: $0, name: name, ordinal: ordinal, isQuestion: isQuestion)
    }
  }

  /// Returns the text after one filter. A filter that Anki does not define leaves the text unchanged.
  private static func apply(_ filter: String, to text: String, name: String, ordinal: Int, isQuestion: Bool) -> String {
    switch filter {
    case "text": return CardMarkup.plain(text)
    case "furigana": return Furigana.replaced(in: text) { "<ruby>\($0)<rt>\($1)</rt></ruby>" }
    case "kana": return Furigana.replaced(in: text) { _, reading in String(reading) }
    case "kanji": return Furigana.replaced(in: text) { base, _ in String(base) }
    case "hint":
      return isBlank(text) ? "" : "<details class=hint><summary>\(name.escapedInHTML)</summary>\(text)</details>"
    case "cloze": return ClozeField(text).shown(asking: ordinal, isQuestion: isQuestion)
    case "cloze-only": return ClozeField(text).asked(ordinal, isQuestion: isQuestion)
    default: return text
    }
  }
}

/// Readings in brackets after their characters: `日本語[にほんご]`.
///
/// Source: Anki manual, "Ruby Characters".
enum Furigana {
  /// Returns the text with each pair of characters and reading replaced. The characters begin after a space, a tag or
  /// the previous reading. A space before them is removed. References to sounds are not readings.
  static func replaced(in text: String, _ replacement: (Substring, Substring) -> String) -> String {
    let text = text.replacing("&nbsp;", with: " ")
    guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "[") {
      guard let close = rest[open...].firstIndex(of: "]") else { break }
      let before = rest[..<open]
      let reading = rest[rest.index(after: open)..<close]
      let start = before.lastIndex { $0 == " " || $0 == ">" }
      let base = start.map { before[before.index(after: $0)...] } ?? before
      let after = rest.index(after: close)
      if base.isEmpty || reading.isEmpty || reading.hasPrefix("sound:") {
        result += rest[..<after]
      } else {
        let lead = start.map { before[$0] == " " ? before[..<$0] : before[...$0] } ?? before[..<before.startIndex]
        result += lead
        result += replacement(base, reading)
      }
      rest = rest[after...]
    }
    return result + rest
  }
}
