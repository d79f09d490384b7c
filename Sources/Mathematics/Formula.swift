/// A formula by its structure: what a course writes as LaTeX or MathML, and a terminal shows as a line or as rows.
///
/// The readers make it in one form only: rows are flat and never hold a single formula, brackets that belong together
/// are ``fenced(open:_:close:)``, and a style stands at the letters, so that formulas that mean the same are equal.
public indirect enum Formula: Hashable, Sendable {
  /// A variable of one letter, or a name of several, such as `sin` or `Im`.
  case identifier(String)
  /// A number as it is written: `3.8`, `1,000`.
  case number(String)
  /// An operator, a relation, a bracket that has no partner, or another sign.
  case symbol(String)
  /// Words within a formula, their spaces included.
  case text(String)
  /// A fraction; without a bar it is what stands in the brackets of a binomial coefficient.
  case fraction(Formula, over: Formula, hasBar: Bool)
  /// A root: square where it has no index.
  case root(Formula, index: Formula?)
  /// An index and an exponent, at least one of them. The base may be the empty row.
  case scripts(Formula, sub: Formula?, sup: Formula?)
  /// What stands below and above: the limits of a sum, a word above an arrow, the words at a brace.
  case limits(Formula, under: Formula?, over: Formula?)
  /// A mark above or below a formula.
  case accent(Accent, Formula)
  /// A formula in brackets; an empty string stands for the one that is left out.
  case fenced(open: String, Formula, close: String)
  /// A matrix, cases, or equations one below the other.
  case table(Table)
  /// Letters of a style of their own, such as ℝ: an identifier, a number or a text.
  case styled(Style, Formula)
  /// What stands side by side.
  case row([Formula])
  /// A space that the author put there.
  case space(Space)
  /// What is not known, as it is written.
  case source(String)
}

extension Formula {
  /// A mark above or below a formula.
  public enum Accent: String, Hashable, Sendable, CaseIterable {
    case hat, bar, vec, tilde, dot, ddot, dddot, check, breve, acute, grave, ring
    case overline, underline, overbrace, underbrace, overleftarrow, cancel
  }

  /// A style that makes other letters of letters.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case bold, script, fraktur, blackboard, sans, monospace
  }

  /// A space, from none to the width of two letters M.
  public enum Space: String, Hashable, Sendable, CaseIterable {
    case negative, thin, medium, thick, word, quad, doubleQuad
  }

  /// Formulas in rows and columns.
  public struct Table: Hashable, Sendable {
    /// How the columns stand.
    public enum Layout: Hashable, Sendable {
      /// Centred columns.
      case matrix
      /// Columns at the left: values and their conditions.
      case cases
      /// Columns right and left by turns, so that `&=` stands in line.
      case aligned
      /// Whole formulas, one below the other.
      case gathered
      /// One of the letters `l`, `c` and `r` for each column.
      case array(String)
    }

    /// How the columns stand.
    public var layout: Layout
    /// The rows of cells; they may differ in length.
    public var rows: [[Formula]]

    /// A table of cells.
    public init(_ layout: Layout, _ rows: [[Formula]]) {
      self.layout = layout
      self.rows = rows
    }
  }

  /// The formula of nothing.
  public static let empty = Formula.row([])

  /// Whether there is nothing to see of it.
  public var isEmpty: Bool {
    if case .row(let parts) = self { parts.isEmpty } else { false }
  }

  /// The formulas that stand side by side in it: the parts of a row, else itself.
  var parts: [Formula] {
    if case .row(let parts) = self { parts } else { [self] }
  }

  /// Returns formulas side by side, in the one form that the readers make.
  ///
  /// Rows within are flat, three dots are one sign, and brackets that belong together become
  /// ``fenced(open:_:close:)``; a bracket without a partner, as in `[0, 1)`, stays a sign. One formula is itself.
  public static func joined(_ parts: [Formula]) -> Formula {
    let flat = parts.flatMap { part -> [Formula] in if case .row(let inner) = part { inner } else { [part] } }
    let paired = paired(withDots(flat))
    return paired.count == 1 ? paired[0] : .row(paired)
  }

  /// Brackets that stand within others in one row are paired this deep; those within are left as signs.
  private static let pairingDepth = 8

  private static func withDots(_ parts: [Formula]) -> [Formula] {
    var result: [Formula] = []
    var dots = 0
    for part in parts {
      result.append(part)
      dots = part == .symbol(".") ? dots + 1 : 0
      if dots == 3 {
        result.removeLast(3)
        result.append(.symbol("…"))
        dots = 0
      }
    }
    return result
  }

  private static func paired(_ parts: [Formula]) -> [Formula] {
    var levels: [(open: String, parts: [Formula])] = [("", [])]
    func leave() {
      let (open, inner) = levels.removeLast()
      levels[levels.count - 1].parts += [.symbol(open)] + inner
    }
    for part in parts {
      if case .symbol(let sign) = part, Brackets.closing[sign] != nil {
        if levels.count > pairingDepth { leave() }
        levels.append((sign, []))
      } else if let close = part.closingBracket {
        if Brackets.closing[levels[levels.count - 1].open] == close {
          let (open, inner) = levels.removeLast()
          let fenced = Formula.fenced(open: open, joined(inner), close: close)
          levels[levels.count - 1].parts.append(part.withBase(fenced))
        } else {
          if levels.count > 1 { leave() }
          levels[levels.count - 1].parts.append(part)
        }
      } else {
        levels[levels.count - 1].parts.append(part)
      }
    }
    while levels.count > 1 { leave() }
    return levels[0].parts
  }

  /// The closing bracket that this is, with an index or an exponent or without.
  private var closingBracket: String? {
    switch self {
    case .symbol(let sign): Brackets.closingSigns.contains(sign) ? sign : nil
    case .scripts(let base, _, _): if case .symbol = base { base.closingBracket } else { nil }
    default: nil
    }
  }

  private func withBase(_ base: Formula) -> Formula {
    if case .scripts(_, let sub, let sup) = self { .scripts(base, sub: sub, sup: sup) } else { base }
  }
}

/// The brackets that are pairs by their shape.
enum Brackets {
  static let closing = ["(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"]
  static let closingSigns = Set(closing.values)
}

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
