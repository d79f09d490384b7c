/// MathML as a line that can be read: `x = (a + b)²`.
///
/// Source: W3C, "Mathematical Markup Language 3.0", chapter 3.
struct MathText {
  private let file: String
  private let limits: SourceLimits

  /// The line of a formula: what its presentation says, else the words that its author put in its place.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where it is nested too deeply.
  static func line(of formula: HTMLNode, file: String, limits: SourceLimits) throws -> String {
    let line = try MathText(file: file, limits: limits).row(formula.children, depth: 0)
    return line.isEmpty ? (formula.attribute("alttext") ?? "").onOneLine : line
  }

  private func text(_ node: HTMLNode, depth: Int) throws -> String {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: nil)
    }
    let parts = node.children.filter { $0.name != nil }
    func part(_ index: Int) throws -> String {
      parts.indices.contains(index) ? try text(parts[index], depth: depth + 1) : ""
    }
    switch node.name {
    case nil, "annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark", "none", "mprescripts": return ""
    case "mi", "mn", "mo", "mtext", "ms":
      return String(node.textContent.onOneLine.unicodeScalars.filter { !(0x2061...0x2064).contains($0.value) })
    case "mspace": return " "
    case "mfrac": return try part(0).grouped + "/" + part(1).grouped
    case "msqrt": return try "√" + row(node.children, depth: depth + 1).grouped
    case "mroot": return try part(1).raised + "√" + part(0).grouped
    case "msup", "mover": return try part(0).grouped + part(1).raised
    case "msub", "munder": return try part(0).grouped + part(1).lowered
    case "msubsup", "munderover": return try part(0).grouped + part(1).lowered + part(2).raised
    case "mmultiscripts": return try part(0).grouped + part(1).lowered + part(2).raised
    case "mfenced":
      let inside = try parts.map { try text($0, depth: depth + 1) }.joined(separator: ", ")
      return (node.attribute("open") ?? "(") + inside + (node.attribute("close") ?? ")")
    case "mtable":
      return try parts.map { row in
        try row.children.filter { $0.name == "mtd" || $0.name == "mlabeledtr" }
          .map { try self.row($0.children, depth: depth + 2) }.joined(separator: ", ")
      }.joined(separator: "; ")
    case "semantics": return try part(0)
    default: return try row(node.children, depth: depth + 1)
    }
  }

  /// What stands side by side, with spaces around the operators that have something at both sides.
  private func row(_ nodes: [HTMLNode], depth: Int) throws -> String {
    var line = ""
    var isBehindValue = false
    for node in nodes where node.name != nil {
      let piece = try text(node, depth: depth + 1)
      guard !piece.isEmpty else { continue }
      if node.name == "mo", Self.between.contains(piece), isBehindValue {
        line += " \(piece) "
        isBehindValue = false
      } else if node.name == "mo", piece == "," || piece == ";" {
        line += piece + " "
        isBehindValue = false
      } else {
        let isBigOperator = node.name != "mo" && piece.first.map(Self.big.contains) == true
        line += (isBigOperator && isBehindValue ? " " : "") + piece + (isBigOperator ? " " : "")
        isBehindValue = !(node.name == "mo" && Self.opening.contains(piece)) && !isBigOperator
      }
    }
    return line.onOneLine
  }

  private static let between: Set<String> = [
    "=", "+", "-", "−", "±", "∓", "×", "÷", "·", "⋅", "*", "<", ">", "≤", "≥", "≠", "≈", "≡", "∼", "≅", "∝", "→", "←",
    "↔", "⇒", "⇔", "↦", "∈", "∉", "⊂", "⊆", "⊃", "⊇", "∪", "∩", "∧", "∨", "∖", "⊕", "⊗", "∘", ":", ":=", "|", "∣",
    "mod",
  ]
  private static let opening: Set<String> = ["(", "[", "{", "⟨", "⌈", "⌊", "¬", "√", "∑", "∏", "∫"]
  private static let big: Set<Character> = ["∑", "∏", "∫", "∮", "⋃", "⋂", "⋁", "⋀"]
}

extension String {
  /// In brackets where it is more than one value.
  fileprivate var grouped: String {
    contains(where: { " /+−-".contains($0) }) && !(hasPrefix("(") && hasSuffix(")")) ? "(\(self))" : self
  }
}
