extension Formula {
  /// The formula of a sign of the table: a letter, or a symbol.
  static func named(_ symbol: Symbol) -> Formula {
    symbol.kind == .letter ? .identifier(symbol.sign) : .symbol(symbol.sign)
  }

  /// The formula of one character that someone typed.
  static func letterOrSign(_ character: Character) -> Formula {
    if character == "-" { return .symbol("−") }
    if character == "'" || character == "’" { return .symbol("′") }
    if character == "⋅" { return .symbol("·") }
    let sign = String(character)
    if let symbol = Symbols.bySign[sign] { return named(symbol) }
    if let (style, letter) = StyledLetters.plain(character) {
      return .styled(style, letter.isDigit ? .number(String(letter)) : .identifier(String(letter)))
    }
    if character.isLetter { return .identifier(sign) }
    return .symbol(sign)
  }

  /// The formula of a word: a name where it has letters only.
  static func named(_ word: String) -> Formula {
    word.first?.isLetter == true && word.allSatisfy { $0.isLetter || $0.isDigit } ? .identifier(word) : .text(word)
  }

  /// The formula with the style at its letters, digits and words.
  func styled(_ style: Style) -> Formula {
    switch self {
    case .identifier(let text), .number(let text), .text(let text):
      return text.isEmpty ? self : .styled(style, self)
    case .styled, .symbol, .space, .source: return self
    default: return mapped { $0.styled(style) }
    }
  }

  /// The formula with letters that stand side by side as one name.
  var upright: Formula {
    guard case .row(let parts) = self else { return self }
    var result: [Formula] = []
    for part in parts {
      switch (result.last, part) {
      case (.identifier(let name)?, .identifier(let letter)), (.identifier(let name)?, .number(let letter)):
        result[result.count - 1] = .identifier(name + letter)
      case (.identifier(let name)?, .space(.thin)), (.identifier(let name)?, .space(.word)):
        result[result.count - 1] = .identifier(name + " ")
      case (.identifier(let name)?, .symbol("−")):
        result[result.count - 1] = .identifier(name + "-")
      default: result.append(part)
      }
    }
    if case .identifier(let name)? = result.last, name.last == " " { return self }
    return .joined(result)
  }

  /// The formula with a stroke through its first sign.
  var struck: Formula {
    switch self {
    case .symbol(let sign): .symbol(LaTeXNames.negations[sign] ?? sign + "\u{338}")
    case .identifier(let name): .accent(.cancel, .identifier(name))
    default: .accent(.cancel, self)
    }
  }

  /// The formula with each of the formulas directly within it replaced.
  func mapped(_ change: (Formula) -> Formula) -> Formula {
    switch self {
    case .identifier, .number, .symbol, .text, .space, .source: self
    case .fraction(let above, let below, let hasBar): .fraction(change(above), over: change(below), hasBar: hasBar)
    case .root(let radicand, let index): .root(change(radicand), index: index.map(change))
    case .scripts(let base, let sub, let sup): .scripts(change(base), sub: sub.map(change), sup: sup.map(change))
    case .limits(let base, let under, let over): .limits(change(base), under: under.map(change), over: over.map(change))
    case .accent(let accent, let base): .accent(accent, change(base))
    case .fenced(let open, let inner, let close): .fenced(open: open, change(inner), close: close)
    case .table(let table): .table(Table(table.layout, table.rows.map { $0.map(change) }))
    case .styled(let style, let letter): .styled(style, change(letter))
    case .row(let parts): .row(parts.map(change))
    }
  }

  /// The formula with something above or below it; one after the other is one pair.
  static func limited(_ base: Formula, under: Formula?, over: Formula?) -> Formula {
    switch base {
    case .limits(let inner, nil, let above?) where over == nil: .limits(inner, under: under, over: above)
    case .limits(let inner, let below?, nil) where under == nil: .limits(inner, under: below, over: over)
    default: .scripted(base, sub: under, sup: over, asLimits: true)
    }
  }
}
