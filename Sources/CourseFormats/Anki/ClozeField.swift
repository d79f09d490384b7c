/// A field with cloze deletions: `{{c1::Berlin::city}} is the capital of {{c2::Germany}}`.
///
/// Deletions may be nested, and may belong to several numbers (`{{c1,2::…}}`).
///
/// Source: Anki manual, "Cloze Deletion".
struct ClozeField {
  private indirect enum Node {
    case text(String)
    case deletion(numbers: [Int], hint: String?, [Node])
  }

  private let nodes: [Node]
  /// The maximum nesting depth. Deeper deletions are text.
  private static let depth = 32

  /// Parses a field.
  ///
  /// - Parameter text: The field in HTML.
  init(_ text: String) {
    var open: [(numbers: [Int], hint: String?, nodes: [Node])] = [([], nil, [])]
    func add(_ text: Substring) {
      guard !text.isEmpty else { return }
      // The hint follows the text of the innermost deletion.
      if open.count > 1, open[open.count - 1].hint == nil, let mark = text.firstRange(of: "::") {
        open[open.count - 1].hint = String(text[mark.upperBound...])
        if mark.lowerBound > text.startIndex {
          open[open.count - 1].nodes.append(.text(String(text[..<mark.lowerBound])))
        }
      } else if open.count > 1, let hint = open[open.count - 1].hint {
        open[open.count - 1].hint = hint + text
      } else {
        open[open.count - 1].nodes.append(.text(String(text)))
      }
    }
    var rest = text[...]
    var start = rest.startIndex
    var index = rest.startIndex
    while index < rest.endIndex {
      if rest[index] == "{", let (numbers, end) = Self.opening(rest[index...]), open.count <= Self.depth {
        add(rest[start..<index])
        open.append((numbers, nil, []))
        index = end
        start = end
      } else if rest[index] == "}", open.count > 1, rest[index...].hasPrefix("}}") {
        add(rest[start..<index])
        let last = open.removeLast()
        open[open.count - 1].nodes.append(.deletion(numbers: last.numbers, hint: last.hint, last.nodes))
        index = rest.index(index, offsetBy: 2)
        start = index
      } else {
        index = rest.index(after: index)
      }
    }
    add(rest[start...])
    rest = ""
    // Deletions that are not closed are text.
    while open.count > 1 {
      let last = open.removeLast()
      let mark = "{{c" + last.numbers.map(String.init).joined(separator: ",") + "::"
      open[open.count - 1].nodes += [.text(mark)] + last.nodes + (last.hint.map { [.text("::" + $0)] } ?? [])
    }
    nodes = open[0].nodes
  }

  /// Returns the numbers and the end of `{{c1,2::`, or `nil` if the text does not begin with it.
  private static func opening(_ text: Substring) -> (numbers: [Int], end: Substring.Index)? {
    guard text.hasPrefix("{{c") else { return nil }
    let digits = text.dropFirst(3).prefix { $0.isASCII && $0.isNumber || $0 == "," }
    guard !digits.isEmpty, text[digits.endIndex...].hasPrefix("::") else { return nil }
    let numbers = digits.split(separator: ",").compactMap { Int($0) }.filter { (1...500).contains($0) }
    return numbers.isEmpty ? nil : (numbers, text.index(digits.endIndex, offsetBy: 2))
  }

  /// Returns the field with the asked deletions replaced by their hints or `[...]` in the question, and emphasised in
  /// the answer. Empty if no deletion has the number.
  func shown(asking number: Int, isQuestion: Bool) -> String {
    var isAsked = false
    func text(_ nodes: [Node]) -> String {
      nodes.map { node in
        switch node {
        case .text(let text): return text
        case .deletion(let numbers, let hint, let inner):
          guard numbers.contains(number) else { return text(inner) }
          isAsked = true
          let content = isQuestion ? "[\(hint ?? "...")]" : text(inner)
          return "<span class=\"\(Self.markedClass)\">\(content)</span>"
        }
      }.joined()
    }
    let shown = text(nodes)
    return isAsked ? shown : ""
  }

  /// Returns only the asked deletions, separated by commas.
  func asked(_ number: Int, isQuestion: Bool) -> String {
    func texts(_ nodes: [Node]) -> [String] {
      nodes.flatMap { node -> [String] in
        guard case .deletion(let numbers, let hint, let inner) = node else { return [] }
        guard numbers.contains(number) else { return texts(inner) }
        return [isQuestion ? "[\(hint ?? "...")]" : Self.plain(inner)]
      }
    }
    return texts(nodes).joined(separator: ", ")
  }

  private static func plain(_ nodes: [Node]) -> String {
    nodes.map { node in
      switch node {
      case .text(let text): text
      case .deletion(_, _, let inner): plain(inner)
      }
    }.joined()
  }

  /// The class of the asked deletions.
  static let markedClass = "cloze"
}
