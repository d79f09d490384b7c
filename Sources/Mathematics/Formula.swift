/// The structure of a mathematical formula. It is read from LaTeX or MathML, and shown on one line or in several rows.
///
/// The readers produce a canonical form, so that formulas with the same meaning are equal: rows are flat and never
/// consist of a single formula, matching brackets are ``fenced(open:_:close:)``, and styles are applied to single
/// letters.
public indirect enum Formula: Hashable, Sendable {
  /// A variable of one letter, or a name of several letters, such as `sin` or `Im`.
  case identifier(String)
  /// A number as written: `3.8`, `1,000`.
  case number(String)
  /// An operator, a relation, an unmatched bracket, or another symbol.
  case symbol(String)
  /// Text inside a formula, including its spaces.
  case text(String)
  /// A fraction. Without a bar, it is the content of a binomial coefficient.
  case fraction(Formula, over: Formula, hasBar: Bool)
  /// A root. Without an index it is a square root.
  case root(Formula, index: Formula?)
  /// A base with a subscript, a superscript, or both. The base may be the empty row.
  case scripts(Formula, sub: Formula?, sup: Formula?)
  /// A base with a formula below it, above it, or both: the limits of a sum, the text above an arrow, or the label of a
  /// brace.
  case limits(Formula, under: Formula?, over: Formula?)
  /// A formula with an accent above or below it.
  case accent(Accent, Formula)
  /// A formula in brackets. An empty string means that the bracket is omitted.
  case fenced(open: String, Formula, close: String)
  /// A matrix, cases, or equations in rows.
  case table(Table)
  /// An identifier, a number or a text in the letters of another alphabet, such as ℝ.
  case styled(Style, Formula)
  /// Formulas next to each other.
  case row([Formula])
  /// A space that the author inserted.
  case space(Space)
  /// A part of the source that is shown as written, such as an unknown command.
  case source(String)
}

extension Formula {
  /// An accent above or below a formula.
  public enum Accent: String, Hashable, Sendable, CaseIterable {
    case hat, bar, vec, tilde, dot, ddot, dddot, check, breve, acute, grave, ring
    case overline, underline, overbrace, underbrace, overleftarrow, cancel
  }

  /// A style that replaces letters by those of another alphabet.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case bold, script, fraktur, blackboard, sans, monospace
  }

  /// The width of a space. The widths range from negative to twice the width of the letter M.
  public enum Space: String, Hashable, Sendable, CaseIterable {
    case negative, thin, medium, thick, word, quad, doubleQuad
  }

  /// A table of formulas: a matrix, cases, or aligned equations.
  public struct Table: Hashable, Sendable {
    /// The alignment of columns.
    public enum Layout: Hashable, Sendable {
      case matrix
      /// Left-aligned columns: values and their conditions.
      case cases
      /// Alternately right-aligned and left-aligned columns, so that the relations in `&=` are aligned.
      case aligned
      /// One formula per row.
      case gathered
      /// One of the letters `l`, `c` and `r` for each column.
      case array(String)
    }

    /// The alignment of the columns.
    public var layout: Layout
    /// The rows of cells, which may differ in length.
    public var rows: [[Formula]]

    /// Makes a table of cells.
    public init(_ layout: Layout, _ rows: [[Formula]]) {
      self.layout = layout
      self.rows = rows
    }
  }

  /// The empty formula.
  public static let empty = Formula.row([])

  /// Whether the formula is the empty row.
  public var isEmpty: Bool {
    if case .row(let elements) = self { elements.isEmpty } else { false }
  }

  /// The formulas of a row, or the formula itself.
  var elements: [Formula] {
    if case .row(let elements) = self { elements } else { [self] }
  }

  /// Returns formulas next to each other in canonical form.
  ///
  /// Nested rows are flattened, three dots become one symbol, and matching brackets become ``fenced(open:_:close:)``.
  /// An unmatched bracket, as in `[0, 1)`, remains a symbol. A single formula is returned unchanged.
  public static func joined(_ elements: [Formula]) -> Formula {
    let flat = elements.flatMap { element -> [Formula] in if case .row(let inner) = element { inner } else { [element] }
    }
    let paired = paired(withDots(flat))
    return paired.count == 1 ? paired[0] : .row(paired)
  }

  /// The maximum number of brackets in one row that can be open at the same time. If a further bracket opens, the
  /// innermost open bracket remains a symbol.
  private static let maximumPairingDepth = 8

  private static func withDots(_ elements: [Formula]) -> [Formula] {
    var result: [Formula] = []
    var dots = 0
    for element in elements {
      result.append(element)
      dots = element == .symbol(".") ? dots + 1 : 0
      if dots == 3 {
        result.removeLast(3)
        result.append(.symbol("…"))
        dots = 0
      }
    }
    return result
  }

  private static func paired(_ elements: [Formula]) -> [Formula] {
    var levels: [(open: String, elements: [Formula])] = [("", [])]
    func leave() {
      let (open, inner) = levels.removeLast()
      levels[levels.count - 1].elements += [.symbol(open)] + inner
    }
    for element in elements {
      if case .symbol(let sign) = element, Brackets.closing[sign] != nil {
        if levels.count > maximumPairingDepth { leave() }
        levels.append((sign, []))
      } else if let close = element.closingBracket {
        if Brackets.closing[levels[levels.count - 1].open] == close {
          let (open, inner) = levels.removeLast()
          let fenced = Formula.fenced(open: open, joined(inner), close: close)
          levels[levels.count - 1].elements.append(element.withBase(fenced))
        } else {
          if levels.count > 1 { leave() }
          levels[levels.count - 1].elements.append(element)
        }
      } else {
        levels[levels.count - 1].elements.append(element)
      }
    }
    while levels.count > 1 { leave() }
    return levels[0].elements
  }

  /// The closing bracket, if the formula is a closing bracket with or without scripts; otherwise `nil`.
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

/// The brackets whose opening and closing forms differ.
enum Brackets {
  static let closing = ["(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"]
  static let closingSigns = Set(closing.values)
}

extension Formula {
  /// Returns the formula for an entry of the symbol table: an identifier for a letter, otherwise a symbol.
  static func named(_ symbol: Symbol) -> Formula {
    symbol.kind == .letter ? .identifier(symbol.sign) : .symbol(symbol.sign)
  }

  /// Returns the formula for a single typed character.
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

  /// Returns an identifier for a word of letters and digits, otherwise a text.
  static func named(_ word: String) -> Formula {
    word.first?.isLetter == true && word.allSatisfy { $0.isLetter || $0.isDigit } ? .identifier(word) : .text(word)
  }

  /// Returns the formula with a style applied to its letters, digits and text.
  func styled(_ style: Style) -> Formula {
    switch self {
    case .identifier(let text), .number(let text), .text(let text):
      return text.isEmpty ? self : .styled(style, self)
    case .styled, .symbol, .space, .source: return self
    default: return mapped { $0.styled(style) }
    }
  }

  /// The formula with adjacent letters joined to one name.
  var upright: Formula {
    guard case .row(let elements) = self else { return self }
    var result: [Formula] = []
    for element in elements {
      switch (result.last, element) {
      case (.identifier(let name)?, .identifier(let letter)), (.identifier(let name)?, .number(let letter)):
        result[result.count - 1] = .identifier(name + letter)
      case (.identifier(let name)?, .space(.thin)), (.identifier(let name)?, .space(.word)):
        result[result.count - 1] = .identifier(name + " ")
      case (.identifier(let name)?, .symbol("−")):
        result[result.count - 1] = .identifier(name + "-")
      default: result.append(element)
      }
    }
    if case .identifier(let name)? = result.last, name.last == " " { return self }
    return .joined(result)
  }

  /// The formula with its first symbol negated, or struck out if it has no negated form.
  var struck: Formula {
    switch self {
    case .symbol(let sign): .symbol(LaTeXNames.negations[sign] ?? sign + "\u{338}")
    case .identifier(let name): .accent(.cancel, .identifier(name))
    default: .accent(.cancel, self)
    }
  }

  /// Returns the formula with each of its direct components replaced.
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
    case .row(let elements): .row(elements.map(change))
    }
  }

  /// Returns a base with formulas below or above it. If the base already has such formulas, they are combined.
  static func limited(_ base: Formula, under: Formula?, over: Formula?) -> Formula {
    switch base {
    case .limits(let inner, nil, let above?) where over == nil: .limits(inner, under: under, over: above)
    case .limits(let inner, let below?, nil) where under == nil: .limits(inner, under: below, over: over)
    default: .scripted(base, sub: under, sup: over, asLimits: true)
    }
  }
}
