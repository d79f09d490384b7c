import LearningModel
import Mathematics

extension HTMLText {
  /// A formula of MathML, in LaTeX; where its presentation says nothing, the words that its author put in its place, and
  /// where it is longer than any page, its letters.
  ///
  /// Source: W3C, "Mathematical Markup Language 3.0", chapter 3 and section 2.2.1 (`alttext`).
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where it is nested too deeply.
  func formula(_ node: HTMLNode) throws -> Inline {
    let words = node.textContent
    guard words.utf8.count <= Formula.longestSource else { return .text(words.withoutControls.onOneLine) }
    let formula = Formula(mathML: try element(node, depth: 0))
    return formula.isEmpty ? .text((node.attribute("alttext") ?? "").onOneLine) : .math(formula.latex)
  }

  /// The LaTeX of an element that is a formula; `nil` for any other.
  func source(ofFormula node: HTMLNode) throws -> String? {
    if node.name == MarkdownMathematics.element || node.classes.contains("math") && node.name != "math" {
      return node.formulaSource
    }
    guard node.name == "math", case .math(let source) = try formula(node) else { return nil }
    return source
  }

  /// Whether an element is a displayed formula, on lines of its own.
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
  /// The LaTeX in an element, without the marks around it; `nil` where there is none.
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

/// Splits text at the formulas between delimiters of MathJax.
///
/// Source: MathJax 3, "TeX and LaTeX input", `inlineMath` and `displayMath`; Asciidoctor, "STEM" (`\$` for AsciiMath).
enum TeXText {
  /// A part of a text.
  enum Piece: Equatable {
    case words(String)
    /// A formula between words, in LaTeX.
    case inline(String)
    /// A displayed formula, in LaTeX.
    case displayed(String)
    /// A formula in AsciiMath.
    case asciiMath(String)
  }

  private static let delimiters: [(begin: String, end: String, piece: @Sendable (String) -> Piece)] = [
    ("\\(", "\\)", { .inline($0) }), ("\\[", "\\]", { .displayed($0) }), ("$$", "$$", { .displayed($0) }),
    ("\\$", "\\$", { .asciiMath($0) }),
  ]

  /// The parts of a text, in order. A delimiter without an end is text. Linear in the length of the text.
  static func pieces(of text: String) -> [Piece] {
    guard text.utf8.contains(UInt8(ascii: "\\")) || text.contains("$$") else { return [.words(text)] }
    var pieces: [Piece] = []
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
      if words < index { pieces.append(.words(String(rest[words..<index]))) }
      if !source.isEmpty { pieces.append(piece(source)) }
      index = close.upperBound
      words = index
    }
    if words < rest.endIndex { pieces.append(.words(String(rest[words...]))) }
    rest = rest[rest.endIndex...]
    return pieces
  }
}
