/// Fractions and roots.
extension LineWriter {
  func fraction(_ above: Formula, _ below: Formula, _ beside: Neighbours) -> String {
    let text = numerator(above) + "/" + denominator(below, above)
    let isFree = beside.before?.leavesRoomAtRight ?? true && beside.after?.leavesRoomAtLeft ?? true
    return isFree ? text : "(" + text + ")"
  }

  func numerator(_ formula: Formula) -> String { isProduct(formula) ? line(formula) : bracketed(formula) }

  func denominator(_ formula: Formula, _ above: Formula) -> String {
    isAtom(formula) || isDifferential(formula) && above.parts.first.map(isDifference) == true
      ? line(formula) : bracketed(formula)
  }

  /// Whether it is one value for what stands beside it.
  func isAtom(_ formula: Formula) -> Bool {
    switch formula {
    case .identifier, .number, .styled(_, .identifier), .styled(_, .number), .accent, .root: true
    case .symbol(let sign): Symbols.kind(sign) == .ordinary
    case .text(let text): text.allSatisfy { $0.isLetter || $0.isNumber }
    case .fenced(let open, _, let close): !open.isEmpty && !close.isEmpty
    case .scripts(let base, _, _): isAtom(base) && base.role != .name
    default: false
    }
  }

  /// Whether it is values side by side only.
  func isProduct(_ formula: Formula) -> Bool {
    formula.parts.allSatisfy { part in
      isAtom(part) && [.operand, .number, .fence].contains(part.role) || formula.parts.count == 1 && isAtom(part)
    } && !formula.isEmpty
  }

  /// Whether it is the d of a derivative.
  func isDifference(_ formula: Formula) -> Bool {
    switch formula {
    case .identifier(let name): name == "d" || name == "∂"
    case .scripts(let base, nil, _): isDifference(base)
    default: false
    }
  }

  func isDifferential(_ formula: Formula) -> Bool {
    guard formula.parts.count == 2, case .identifier = formula.parts[0], isDifference(formula.parts[0]) else {
      return false
    }
    return formula.parts[1].role == .operand && isAtom(formula.parts[1])
  }

  // MARK: Roots

  /// Whether it is one letter, number or word, which needs no brackets at a root or a script.
  func isBare(_ formula: Formula) -> Bool {
    switch formula {
    case .identifier: true
    case .number(let number): number.allSatisfy { $0.isDigit || $0 == "." }
    case .styled(_, .identifier(let name)): name.count == 1 && !isASCII
    case .symbol(let sign): ["*", "∗", "†", "‡", "⊤", "⊥", "∞", "∅", "⋆", "!", "°"].contains(sign)
    case .text(let text): !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isDigit }
    default: false
    }
  }

  func root(_ radicand: Formula, _ index: Formula?, _ beside: Neighbours) -> String {
    let sign: String
    switch index {
    case nil: sign = isASCII ? "sqrt" : "√"
    case .number("3") where !isASCII: sign = "∛"
    case .number("4") where !isASCII: sign = "∜"
    case let index?:
      let isFree = !isASCII && beside.before?.endsValue != true
      let letters = isFree ? ScriptLetters.letters(index, ScriptLetters.above) : nil
      guard let letters else {
        let both = [index, radicand].map { part in
          part.parts.contains { $0.role == .punctuation } ? bracketed(part) : line(part)
        }
        return "root(" + both.joined(separator: ", ") + ")"
      }
      sign = letters + "√"
    }
    let isLast = !(beside.after?.isBesideValue ?? false)
    return sign + (!isASCII && isBare(radicand) && isLast ? line(radicand) : bracketed(radicand))
  }
}
