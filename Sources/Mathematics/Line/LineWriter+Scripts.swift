/// Indices, exponents and limits.
extension LineWriter {
  /// How a script is written.
  enum Script {
    case letters(String)
    /// One letter, number or word behind `^` or `_`.
    case bare(String)
    case brackets(String)

    var isLong: Bool { if case .brackets = self { true } else { false } }
    var letters: String? { if case .letters(let letters) = self { letters } else { nil } }
  }

  func script(_ formula: Formula, _ table: [Character: Character]) -> Script {
    if let letters = letters(formula, table) { return .letters(letters) }
    return isBare(formula) ? .bare(line(formula)) : .brackets(compact(formula))
  }

  /// The small letters of a script; in ASCII there are primes only.
  private func letters(_ formula: Formula, _ table: [Character: Character]) -> String? {
    guard isASCII else { return ScriptLetters.letters(formula, table) }
    if formula == .symbol("∘") || formula == .symbol("°") { return " deg" }
    let primes = formula.parts.count
    let isPrimes = primes > 0 && formula.parts.allSatisfy { $0 == .symbol("′") }
    return isPrimes ? String(repeating: "'", count: primes) : nil
  }

  /// Writes what stands in a script: without spaces where it has no operators between values.
  func compact(_ formula: Formula) -> String {
    let roles = Formula.roles(of: formula.parts)
    let line = line(formula)
    let isSimple = roles.allSatisfy { [.operand, .number, .unary, .relation, .punctuation].contains($0) }
    let relations = roles.count { $0 == .relation }
    // Letters and numbers that need the space between them are no such case.
    let values = roles.split { ![.operand, .number].contains($0) }.allSatisfy { $0.count == 1 }
    guard isSimple, values, !line.contains("("), relations < 2, relations == 0 || !roles.contains(.punctuation) else {
      return line
    }
    return String(line.filter { $0 != " " })
  }

  func base(_ base: Formula, hasSup: Bool) -> String {
    switch base {
    case .identifier, .symbol, .styled: return line(base)
    case .number(let number): return number
    case .text(let text): return text.allSatisfy { $0.isLetter || $0.isDigit } ? text : "(" + text + ")"
    case .row(let parts) where parts.isEmpty: return ""
    case .fenced(let open, _, let close) where !open.isEmpty || !close.isEmpty: return line(base)
    case .accent: return line(base)
    case .scripts(let inner, let sub?, nil) where hasSup && isAtom(inner):
      return letters(sub, ScriptLetters.below) == nil ? bracketed(base) : line(base)
    default: return bracketed(base)
    }
  }

  func scripts(_ base: Formula, _ sub: Formula?, _ sup: Formula?, _ beside: Neighbours) -> String {
    let below = sub.map { script($0, ScriptLetters.below) }
    let above = sup.map { script($0, ScriptLetters.above) }
    return self.base(base, hasSup: sub == nil && sup != nil)
      + written(below, above, isBig: base.role == .big, beside, sub: sub, sup: sup)
  }

  func written(
    _ below: Script?, _ above: Script?, isBig: Bool, _ beside: Neighbours, sub: Formula?, sup: Formula?
  ) -> String {
    var below = below
    var above = above
    // The limits of a sum are written alike.
    if isBig, below?.letters == nil || above?.letters == nil {
      func plain(_ formula: Formula) -> Script {
        isBare(formula) ? .bare(line(formula)) : .brackets(compact(formula))
      }
      if above != nil, below?.letters != nil { below = sub.map(plain) }
      if below != nil, above?.letters != nil { above = sup.map(plain) }
    }
    let isBeforeFence = !isBig && (beside.after == .fence || beside.after == .opening || beside.after == .postfix)
    var text = ""
    switch below {
    case nil: break
    case .letters(let letters): text += letters
    case .brackets(let inner): text += "_(" + inner + ")"
    case .bare(let letter):
      var isFollowed = isBeforeFence && above == nil
      if case .letters = above { isFollowed = true }
      text += isFollowed ? "_(" + letter + ")" : "_" + letter
    }
    switch above {
    case nil: break
    case .letters(let letters): text += letters
    case .brackets(let inner): text += "^(" + inner + ")"
    case .bare(let letter): text += isBeforeFence ? "^(" + letter + ")" : "^" + letter
    }
    return text
  }

  /// Whether a formula needs a space to the one before it.
  func isApart(_ formula: Formula, behind last: Formula) -> Bool { isOpen(last) || formula.isScriptAlone }

  /// Whether it ends with a letter behind `^` or `_`, or behind a root, that must not run into the next.
  func isOpen(_ formula: Formula) -> Bool {
    guard case .scripts(_, let sub, let sup) = formula else { return false }
    if let sup { return isBare(sup) && letters(sup, ScriptLetters.above) == nil }
    return sub.map { isBare($0) && letters($0, ScriptLetters.below) == nil } ?? false
  }

  func limits(_ base: Formula, _ under: Formula?, _ over: Formula?, _ beside: Neighbours) -> String {
    // The words at a brace are no index.
    if case .accent(let accent, let inner) = base, base.takesLimits {
      return accent.rawValue + "(" + [inner, under, over].compactMap { $0.map(line) }.joined(separator: ", ") + ")"
    }
    if [.big, .name, .relation, .sum, .product].contains(base.role) {
      return scripts(
        base, under, over, Neighbours(before: beside.before, after: base.role == .big ? nil : beside.after))
    }
    var text = line(base)
    if let under { text = "underset(" + line(under) + ", " + text + ")" }
    if let over { text = "overset(" + line(over) + ", " + text + ")" }
    return text
  }
}

extension Formula {
  /// Whether it is an index or exponent of nothing.
  var isScriptAlone: Bool { if case .scripts(let base, _, _) = self { base.isEmpty } else { false } }
}
