import LearningModel
import Mathematics

extension HTMLText {
  /// Converts a MathML formula to LaTeX.
  ///
  /// If the formula has no presentation markup, its `alttext` is returned as text. If it exceeds the maximum length
  /// of a formula, its characters are returned as text.
  ///
  /// Source: W3C, "Mathematical Markup Language 3.0", chapter 3 and section 2.2.1 (`alttext`).
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the formula is nested too deeply.
  func formula(_ node: HTMLNode) throws -> Inline {
    let words = node.textContent
    guard words.utf8.count <= Formula.maximumSourceLength else { return .text(words.withoutControls.onOneLine) }
    let formula = Formula(mathML: try element(node, depth: 0))
    return formula.isEmpty ? .text((node.attribute("alttext") ?? "").onOneLine) : .math(formula.latex)
  }

  /// Returns the LaTeX source of an element that is a formula, or `nil` for other elements.
  func source(ofFormula node: HTMLNode) throws -> String? {
    if node.name == MarkdownMathematics.element || node.classes.contains("math") && node.name != "math" {
      return node.formulaSource
    }
    guard node.name == "math", case .math(let source) = try formula(node) else { return nil }
    return source
  }

  /// Returns whether an element is a displayed formula, which is shown separately from the text.
  ///
  /// Source: MathML 3, `display`; pandoc's HTML writer, `<span class="math display">`.
  func isDisplayedFormula(_ node: HTMLNode) -> Bool {
    node.attribute("display") == "block"
      || node.name == "span" && node.classes.contains("math") && node.classes.contains("display")
  }

  private func element(_ node: HTMLNode, depth: Int) throws -> MathElement {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: nil)
    }
    let children = try node.children.compactMap { child -> MathElement.Child? in
      if let text = child.text { return .text(text.withoutControls) }
      return child.name == nil ? nil : .element(try element(child, depth: depth + 1))
    }
    return MathElement(node.name ?? "", node.attributes, children)
  }
}

extension HTMLNode {
  /// The LaTeX source in an element without delimiters, or `nil` if it is empty.
  var formulaSource: String? {
    var source = textContent.withoutControls.onOneLine[...]
    for (begin, end) in [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")]
    where source.hasPrefix(begin) && source.hasSuffix(end) && source.count > begin.count + end.count {
      source = source.dropFirst(begin.count).dropLast(end.count)
      break
    }
    let trimmed = source.trimmingBlanks
    return trimmed.isEmpty ? nil : String(trimmed)
  }
}

/// Splits text at the formulas between MathJax delimiters.
///
/// Source: MathJax 3, "TeX and LaTeX input", `inlineMath` and `displayMath`; Asciidoctor, "STEM" (`\$` for
/// AsciiMath).
enum TeXText {
  enum Segment: Equatable {
    case text(String)
    /// An inline formula in LaTeX.
    case inline(String)
    /// A displayed formula in LaTeX.
    case displayed(String)
    /// A formula in AsciiMath.
    case asciiMath(String)
  }

  private static let delimiters: [(begin: String, end: String, piece: @Sendable (String) -> Segment)] = [
    ("\\(", "\\)", { .inline($0) }), ("\\[", "\\]", { .displayed($0) }), ("$$", "$$", { .displayed($0) }),
    ("\\$", "\\$", { .asciiMath($0) }),
  ]

  /// Returns the text and the formulas, in order. A delimiter without a matching closing delimiter is treated as text.
  /// The time is linear in the length of the text.
  static func segments(of text: String) -> [Segment] {
    guard text.utf8.contains(UInt8(ascii: "\\")) || text.contains("$$") else { return [.text(text)] }
    var pieces: [Segment] = []
    var rest = text[...]
    var absent: Set<String> = []
    var words = rest.startIndex
    var index = rest.startIndex
    while index < rest.endIndex {
      guard rest[index] == "\\" || rest[index] == "$" else {
        index = rest.index(after: index)
        continue
      }
      guard
        let (begin, end, piece) = delimiters.first(where: {
          rest[index...].hasPrefix($0.begin) && !absent.contains($0.end)
        })
      else {
        index = rest.index(after: index)
        continue
      }
      let start = rest.index(index, offsetBy: begin.count)
      guard let close = rest[start...].firstRange(of: end) else {
        absent.insert(end)
        continue
      }
      let source = String(rest[start..<close.lowerBound]).withoutControls.onOneLine
      if words < index { pieces.append(.text(String(rest[words..<index]))) }
      if !source.isEmpty { pieces.append(piece(source)) }
      index = close.upperBound
      words = index
    }
    if words < rest.endIndex { pieces.append(.text(String(rest[words...]))) }
    rest = rest[rest.endIndex...]
    return pieces
  }
}
