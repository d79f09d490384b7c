import LearningModel

/// Raised and lowered letters, where they and what they stand behind are a formula: `x<sub>i</sub><sup>2</sup>`.
///
/// What only looks like one stays text: a footnote's number behind a year, `1<sup>er</sup>`, `M<sup>me</sup>`.
extension LineBuilder {
  /// Raises words behind the letter, number or formula that the line ends with; `false` where that makes no formula.
  mutating func raise(_ words: String) -> Bool {
    shift(words, "^") { base in
      words.isFormula && (base.isFormula || base.isLetter || ["2", "10"].contains(base) || words.hasOperator)
    }
  }

  /// Lowers words behind the letter or formula that the line ends with; `false` where that makes no formula.
  mutating func lower(_ words: String) -> Bool {
    shift(words, "_") { base in words.isFormula && base.isLetter }
  }

  private mutating func shift(_ words: String, _ mark: String, if isFormula: (Base) -> Bool) -> Bool {
    guard let base = base, isFormula(base) else { return false }
    take(base)
    add(.math("\(base.source)\(mark){\(words.replacing("−", with: "-"))}"))
    return true
  }
}

extension LineBuilder.Base {
  fileprivate var isFormula: Bool { kind == .formula }
  fileprivate var isLetter: Bool { kind != .formula && source.count == 1 && source.first!.isLetter }
}

extension Array where Element == String {
  fileprivate func contains(_ base: LineBuilder.Base) -> Bool { contains(base.source) }
}

extension String {
  /// Whether it is an exponent or an index of mathematics, and no abbreviation.
  fileprivate var isFormula: Bool {
    guard !isEmpty, !hasPrefix("("),
      allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "+-−=(), ./".contains($0) })
    else {
      return false
    }
    // "ᵉ", "ᵃ" and "ᵒ" are ordinals in French, Spanish and Italian.
    if count == 1 { return first!.isNumber || "ijkmnpqrstxyzT".contains(first!) }
    return allSatisfy(\.isNumber) || hasOperator
  }

  fileprivate var hasOperator: Bool { contains { "+-−=".contains($0) } && contains { $0.isLetter || $0.isNumber } }
}
