extension Formula {
  /// The formula in words for screen readers: `x to the power n minus 1`, `the fraction a over b`.
  ///
  /// If it would otherwise be unclear where a component ends, its end is spoken too.
  public var spokenText: String {
    SpeechWriter().text(self).split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
  }
}

/// Writes a formula in words.
struct SpeechWriter {
  func text(_ formula: Formula) -> String {
    let elements = formula.elements
    let roles = Formula.roles(of: elements)
    var words: [String] = []
    for (index, element) in elements.enumerated() {
      let following = roles.indices.contains(index + 1) ? roles[index + 1] : nil
      var phrase = speak(element, roles[index])
      // If a function is followed by its argument in brackets, the word "of" is spoken between them.
      if isFunction(element), following == .fence { phrase += " of" }
      if roles[index] == .big || element.isLimit, following != nil { phrase += " of" }
      words.append(phrase)
    }
    return words.joined(separator: " ")
  }

  private func isFunction(_ formula: Formula) -> Bool {
    switch formula {
    case .identifier(let name): name.count > 1 || ["f", "g", "h"].contains(name)
    case .scripts(let base, _, nil): isFunction(base)
    case .scripts(.identifier(let name), _, .symbol("′")?): name.count > 1 || ["f", "g", "h"].contains(name)
    default: false
    }
  }

  private func speak(_ formula: Formula, _ role: Role) -> String {
    switch formula {
    case .identifier(let name): spokenName(name)
    case .number(let number): number
    case .symbol(let sign): spokenName(sign, role)
    case .text(let text), .source(let text): text
    case .space: ""
    case .row: self.text(formula)
    case .styled(let style, let letter): style.rawValue + " " + self.text(letter)
    case .accent(let accent, let base): accented(base, accent)
    case .fraction(let above, let below, let hasBar):
      hasBar
        ? "the fraction " + self.text(above) + " over " + closed(below)
        : self.text(above) + " choose " + self.text(below)
    case .root(let radicand, let index): root(radicand, index)
    case .scripts(let base, let sub, let sup): scripts(base, sub, sup)
    case .limits(let base, let under, let over): limits(base, under, over)
    case .fenced(let open, let inner, let close): fenced(open, inner, close)
    case .table(let table): self.table(table)
    }
  }

  /// Returns the words of a denominator. If it has several components, its end is spoken too.
  private func closed(_ formula: Formula) -> String {
    formula.elements.count < 2 ? text(formula) : text(formula) + ", end of fraction,"
  }

  private func spokenName(_ letter: String) -> String {
    if let symbol = Symbols.bySign[letter] { return symbol.spokenName }
    return letter.count == 1 && letter.first?.isUppercase == true ? "capital " + letter : letter
  }

  private func spokenName(_ sign: String, _ role: Role) -> String {
    if role == .unary, let name = ["−": "minus", "+": "plus"][sign] { return name }
    if sign == "," || sign == ";" { return "," }
    if let symbol = Symbols.bySign[sign] { return symbol.spokenName }
    if sign.unicodeScalars.count > 1, sign.unicodeScalars.last?.value == 0x338 {
      return "not " + spokenName(String(String.UnicodeScalarView(sign.unicodeScalars.dropLast())), role)
    }
    return sign
  }

  private func accented(_ base: Formula, _ accent: Formula.Accent) -> String {
    if accent == .vec { return "vector " + text(base) }
    let name =
      switch accent {
      case .ddot: "double dot"
      case .dddot: "triple dot"
      case .overline: "bar"
      case .underline: "underlined"
      case .overbrace, .underbrace: "in a brace"
      case .overleftarrow: "with a left arrow"
      case .cancel: "struck out"
      default: accent.rawValue
      }
    return text(base) + " " + name
  }

  private func root(_ radicand: Formula, _ index: Formula?) -> String {
    let name: String =
      switch index {
      case nil: "the square root of "
      case .number("3"): "the cube root of "
      case let index?: "the root of order " + text(index) + " of "
      }
    return name + text(radicand) + (radicand.elements.count > 1 ? ", end of root," : "")
  }

  private func scripts(_ base: Formula, _ sub: Formula?, _ sup: Formula?) -> String {
    var text = speak(base, base.role)
    if base.needsEnds { text = "open bracket " + text + " close bracket" }
    if base.role == .big {
      if let sub { text += " from " + self.text(sub) }
      if let sup { text += " to " + self.text(sup) }
      return text
    }
    if let sub { text += " sub " + self.text(sub) + (sub.elements.count > 1 ? "," : "") }
    guard let sup else { return text }
    let primes = sup.elements.prefix { $0 == .symbol("′") }.count
    text += String(repeating: " prime", count: primes)
    let power = Formula.joined(Array(sup.elements.dropFirst(primes)))
    switch power {
    case .row(let elements) where elements.isEmpty: return text
    case .number("2"): return text + " squared"
    case .number("3"): return text + " cubed"
    case .symbol("∘"), .symbol("°"): return text + " degrees"
    case .symbol("*"), .symbol("∗"): return text + " star"
    case .symbol("⊤"): return text + " transposed"
    default: return text + " to the power " + self.text(power) + (power.elements.count > 1 ? "," : "")
    }
  }

  private func limits(_ base: Formula, _ under: Formula?, _ over: Formula?) -> String {
    if base.role == .big { return scripts(base, under, over) }
    if case .identifier(let name) = base {
      let phrase = name == "lim" ? "the limit" : spokenName(name)
      return phrase + (under.map { (name == "lim" ? " as " : " over ") + text($0) + "," } ?? "")
        + (over.map { " up to " + text($0) + "," } ?? "")
    }
    return speak(base, base.role) + (under.map { " with " + text($0) + " below" } ?? "")
      + (over.map { " with " + text($0) + " above" } ?? "")
  }

  private func fenced(_ open: String, _ inner: Formula, _ close: String) -> String {
    if case .table(let table) = inner {
      if table.layout == .cases { return self.table(table) }
      if open == "|" { return "the determinant of " + self.table(table) }
      return self.table(table)
    }
    if case .fraction(_, _, false) = inner { return text(inner) }
    switch (open, close) {
    case ("|", "|"): return "the absolute value of " + text(inner) + ", end of absolute value,"
    case ("‖", "‖"): return "the norm of " + text(inner) + ", end of norm,"
    case ("⌊", "⌋"): return "the floor of " + text(inner) + ", end of floor,"
    case ("⌈", "⌉"): return "the ceiling of " + text(inner) + ", end of ceiling,"
    // Parentheses around a single component are not spoken.
    case ("(", ")") where inner.elements.count == 1 && !inner.isCompound: return text(inner)
    default: return [spokenName(open, .opening), text(inner), spokenName(close, .closing)].joined(separator: " ")
    }
  }

  private func table(_ table: Formula.Table) -> String {
    let rows = table.rows.map { cells in
      let phrases = cells.map(text).filter { !$0.isEmpty }
      return phrases.joined(separator: table.layout == .aligned ? " " : ", ")
    }
    switch table.layout {
    case .cases: return "by cases: " + rows.joined(separator: "; ") + "; end of cases,"
    case .aligned, .gathered: return rows.joined(separator: "; ")
    case .matrix, .array:
      let columns = table.rows.map(\.count).max() ?? 0
      return "the matrix of \(rows.count) by \(columns): " + rows.joined(separator: "; ") + "; end of matrix,"
    }
  }
}

extension Formula {
  /// Whether the formula is a limit with its condition.
  fileprivate var isLimit: Bool { if case .limits(.identifier, _, _) = self { true } else { false } }

  /// Whether the end of the formula must be spoken before an exponent. Otherwise, the exponent would be heard as that
  /// of the last component.
  fileprivate var needsEnds: Bool {
    switch self {
    case .row(let elements): !elements.isEmpty
    case .fraction, .root, .limits: true
    case .scripts(_, _, let sup): sup != nil
    default: false
    }
  }

  /// Whether the formula has several components that are spoken one after the other.
  fileprivate var isCompound: Bool {
    switch self {
    case .identifier, .number, .symbol, .styled, .text: false
    default: true
    }
  }
}
