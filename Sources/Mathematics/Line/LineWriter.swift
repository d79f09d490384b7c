/// Writes a formula on one line.
struct LineWriter {
  let isASCII: Bool

  /// The roles of the formulas before and after a formula.
  struct Neighbours {
    var before: Role?
    var after: Role?
  }

  func text(_ formula: Formula) -> String {
    let text =
      if case .table(let table) = formula, table.layout == .aligned || table.layout == .gathered {
        rows(of: table)
      } else {
        line(formula)
      }
    var line = ""
    for character in text {
      if character.isControl || character.isNewline { line += " " } else { line += spelled(character) }
    }
    return line
  }

  /// Returns the spelling of a character. In ASCII output, a character without a spelling is written as its code
  /// point.
  func spelled(_ character: Character) -> String {
    guard isASCII, !character.isASCII else { return String(character) }
    if character.isWhitespace { return " " }
    return character.unicodeScalars.map { scalar in
      if scalar.isASCII { return String(scalar) }
      let number = String(scalar.value, radix: 16, uppercase: true)
      return "{U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number + "}"
    }.joined()
  }

  /// Writes a formula without neighbours.
  func line(_ formula: Formula) -> String { row(formula.elements) }

  /// Writes a formula in parentheses. If it already has parentheses, writes it unchanged.
  func bracketed(_ formula: Formula) -> String {
    if case .fenced("(", _, ")") = formula { return line(formula) }
    return "(" + line(formula) + ")"
  }

  // MARK: Rows

  func row(_ elements: [Formula]) -> String {
    let roles = Formula.roles(of: elements)
    var text = ""
    var last: Role?
    var lastSegment = ""
    // The space that the author inserted between the previous formula and the next one.
    var space = ""
    var endsOpen = false
    for (index, element) in elements.enumerated() {
      let role = roles[index]
      if case .space(let width) = element {
        space = [.quad: "  ", .doubleQuad: "    ", .negative: space][width] ?? (space.isEmpty ? " " : space)
        if role == .wideSpace { last = .wideSpace }
        continue
      }
      let following = roles.indices.contains(index + 1) ? roles[index + 1] : nil
      let neighbours = Neighbours(before: index > 0 ? roles[index - 1] : nil, after: following)
      let segment = elementText(element, neighbours)
      if !text.isEmpty {
        let gap = gap(from: last, to: role, lastSegment, segment, isApart: endsOpen || element.isScriptAlone)
        text += space.count > gap.count ? space : gap
      }
      text += segment
      endsOpen = isOpen(element)
      lastSegment = segment
      last = role
      space = ""
    }
    return text
  }

  /// Returns the space between two adjacent elements of a row.
  func gap(from last: Role?, to next: Role, _ lastSegment: String, _ segment: String, isApart: Bool) -> String {
    let isWord = needsSpace(lastSegment, segment)
    switch (last, next) {
    case (nil, _): return ""
    case (.wideSpace, _): return " "
    case (_, .punctuation), (_, .postfix), (_, .closing): return ""
    case (.relation, _), (_, .relation), (.sum, _), (_, .sum), (.product, _), (_, .product): return " "
    case (.punctuation, _): return " "
    case (.opening, _), (.slash, _), (_, .slash), (.bar, _), (_, .bar): return ""
    case (.source, _), (_, .source), (.dots, _), (_, .dots): return " "
    case (.text, _), (_, .text):
      let areWords = [lastSegment.last, segment.first].allSatisfy { $0?.isLetter == true || $0?.isNumber == true }
      return areWords ? " " : ""
    case (.unary, _): return isASCII && isWord ? " " : ""
    case (.name, _) where segment.hasPrefix("(") || next == .fence: return lastSegment.hasSuffix(")") ? " " : ""
    case (.name, _), (_, .name), (.big, _), (_, .big): return " "
    case (_, .fence), (_, .opening): return ""
    case (.fence, _), (.closing, _), (_, .number): return " "
    // A space is required. Without it, the added parentheses would look like the argument of a function.
    case _ where segment.hasPrefix("("): return " "
    case _ where lastSegment.hasSuffix(")") || isCall(segment): return " "
    default: return isApart || isASCII && isWord ? " " : ""
    }
  }

  /// Returns whether an element is written as a function call, such as `root(n, x)`.
  func isCall(_ segment: String) -> Bool {
    let word = segment.prefix(while: \.isLetter)
    return word.count > 1 && segment.dropFirst(word.count).first == "("
  }

  /// Returns whether two elements would be read as one word.
  func needsSpace(_ last: String, _ segment: String) -> Bool {
    guard let end = last.last, let start = segment.first, end.isLetter || end.isNumber, start.isLetter || start.isNumber
    else { return false }
    return last.reversed().prefix(while: \.isLetter).count > 1 || segment.prefix(while: \.isLetter).count > 1
  }

  // MARK: Elements

  func elementText(_ formula: Formula, _ neighbours: Neighbours) -> String {
    switch formula {
    case .identifier(let name): spell(name)
    case .number(let number): number
    case .symbol(let sign): spell(sign)
    case .text(let text): text
    case .source(let source): source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .space: ""
    case .row(let elements): elements.isEmpty ? "" : "(" + row(elements) + ")"
    case .styled(let style, let letter): styled(letter, style)
    case .accent(let accent, let base): accented(base, accent)
    case .fraction(let above, let below, let hasBar):
      hasBar ? fraction(above, below, neighbours) : numerator(above) + " choose " + numerator(below)
    case .root(let radicand, let index): root(radicand, index, neighbours)
    case .scripts(let base, let sub, let sup): scripts(base, sub, sup, neighbours)
    case .limits(let base, let under, let over): limits(base, under, over, neighbours)
    case .fenced(let open, let inner, let close): fenced(open, inner, close)
    case .table(let table):
      table.layout == .aligned || table.layout == .gathered ? "(" + rows(of: table) + ")" : "[" + rows(of: table) + "]"
    }
  }

  /// Returns the spelling of a letter or symbol.
  func spell(_ sign: String) -> String {
    guard isASCII else { return sign }
    if let symbol = Symbols.bySign[sign] { return symbol.ascii }
    if sign.unicodeScalars.count > 1, sign.unicodeScalars.last?.value == 0x338 {
      return "!" + spell(String(String.UnicodeScalarView(sign.unicodeScalars.dropLast())))
    }
    return sign
  }

  func styled(_ letter: Formula, _ style: Formula.Style) -> String {
    let text = line(letter)
    if isASCII {
      let name: [Formula.Style: String] = [
        .bold: "bb", .script: "cc", .fraktur: "fr", .blackboard: "bbb", .sans: "sf", .monospace: "tt",
      ]
      return (name[style] ?? "") + "(" + text + ")"
    }
    return String(text.map { StyledLetters.styled($0, style) ?? $0 })
  }

  func accented(_ base: Formula, _ accent: Formula.Accent) -> String {
    if !isASCII, base.isLetter, let combiningAccent = Self.combiningAccents[accent] {
      return line(base) + combiningAccent
    }
    return accent.rawValue + bracketed(base)
  }

  /// Source: Unicode, "Combining Diacritical Marks".
  private static let combiningAccents: [Formula.Accent: String] = [
    .hat: "\u{302}", .bar: "\u{304}", .overline: "\u{305}", .vec: "\u{20D7}", .tilde: "\u{303}", .dot: "\u{307}",
    .ddot: "\u{308}", .dddot: "\u{20DB}", .check: "\u{30C}", .breve: "\u{306}", .acute: "\u{301}", .grave: "\u{300}",
    .ring: "\u{30A}", .underline: "\u{332}", .overleftarrow: "\u{20D6}", .cancel: "\u{338}",
  ]
}

extension Formula {
  /// Whether the formula is a single letter, with or without a style.
  fileprivate var isLetter: Bool {
    switch self {
    case .identifier(let name): name.count == 1
    case .styled(_, let letter): letter.isLetter
    default: false
    }
  }

  /// The formula on one line in Unicode: `x² + (a + b)/2`, `∑_(i=1)^n xᵢ`.
  ///
  /// A superscript or subscript is written in the small characters of Unicode, if all of them exist and it contains no
  /// binary operator. Otherwise it is written in parentheses: `2^(n − 1)`. Parentheses are added wherever the line
  /// would be ambiguous without them.
  public var line: String { LineWriter(isASCII: false).text(self) }

  /// The formula on one line in printable ASCII: `x^2 + (a + b)/2`, `sum_(i=1)^n x_i`.
  ///
  /// A character without a spelling is written as its code point: `{U+4E2D}`.
  ///
  /// Source: asciimath.org, for the names of symbols.
  public var ascii: String { LineWriter(isASCII: true).text(self) }

  /// Returns a formula with a superscript. Used for HTML's `<sup>`. The ``line`` of the result is, for example,
  /// `2^(n − 1)` or `x²`.
  public static func superscript(_ base: Formula, _ exponent: Formula) -> Formula {
    .scripts(base, sub: nil, sup: exponent)
  }

  /// Returns a formula with a subscript. Used for HTML's `<sub>`. The ``line`` of the result is, for example, `H₂`.
  public static func `subscript`(_ base: Formula, _ index: Formula) -> Formula {
    .scripts(base, sub: index, sup: nil)
  }
}

/// Fractions and roots.
extension LineWriter {
  func fraction(_ above: Formula, _ below: Formula, _ neighbours: Neighbours) -> String {
    let text = numerator(above) + "/" + denominator(below, above)
    let isFree = neighbours.before?.allowsFractionAtRight ?? true && neighbours.after?.allowsFractionAtLeft ?? true
    return isFree ? text : "(" + text + ")"
  }

  func numerator(_ formula: Formula) -> String { isProduct(formula) ? line(formula) : bracketed(formula) }

  func denominator(_ formula: Formula, _ above: Formula) -> String {
    isAtom(formula) || isDifferential(formula) && above.elements.first.map(isDifference) == true
      ? line(formula) : bracketed(formula)
  }

  /// Returns whether a formula is a single value that needs no parentheses.
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

  /// Returns whether a formula consists only of adjacent values.
  func isProduct(_ formula: Formula) -> Bool {
    formula.elements.allSatisfy { element in
      isAtom(element) && [.operand, .number, .fence].contains(element.role)
        || formula.elements.count == 1 && isAtom(element)
    } && !formula.isEmpty
  }

  /// Returns whether a formula is the differential operator of a derivative, such as `d` or `∂²`.
  func isDifference(_ formula: Formula) -> Bool {
    switch formula {
    case .identifier(let name): name == "d" || name == "∂"
    case .scripts(let base, nil, _): isDifference(base)
    default: false
    }
  }

  func isDifferential(_ formula: Formula) -> Bool {
    guard formula.elements.count == 2, case .identifier = formula.elements[0], isDifference(formula.elements[0]) else {
      return false
    }
    return formula.elements[1].role == .operand && isAtom(formula.elements[1])
  }

  // MARK: Roots

  /// Returns whether a formula is a single letter, number or word. Such a formula needs no parentheses in a root or a
  /// script.
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

  func root(_ radicand: Formula, _ index: Formula?, _ neighbours: Neighbours) -> String {
    let sign: String
    switch index {
    case nil: sign = isASCII ? "sqrt" : "√"
    case .number("3") where !isASCII: sign = "∛"
    case .number("4") where !isASCII: sign = "∜"
    case let index?:
      let isFree = !isASCII && neighbours.before?.endsValue != true
      let letters = isFree ? ScriptLetters.letters(index, ScriptLetters.superscripts) : nil
      guard let letters else {
        let arguments = [index, radicand].map { argument in
          argument.elements.contains { $0.role == .punctuation } ? bracketed(argument) : line(argument)
        }
        return "root(" + arguments.joined(separator: ", ") + ")"
      }
      sign = letters + "√"
    }
    let isLast = !(neighbours.after?.bindsToValue ?? false)
    return sign + (!isASCII && isBare(radicand) && isLast ? line(radicand) : bracketed(radicand))
  }
}

/// Subscripts, superscripts and limits.
extension LineWriter {
  /// The notation of a script.
  enum Script {
    case letters(String)
    /// A single letter, number or word after `^` or `_`.
    case bare(String)
    case brackets(String)

    var isLong: Bool { if case .brackets = self { true } else { false } }
    var letters: String? { if case .letters(let letters) = self { letters } else { nil } }
  }

  func script(_ formula: Formula, _ table: [Character: Character]) -> Script {
    if let letters = letters(formula, table) { return .letters(letters) }
    return isBare(formula) ? .bare(line(formula)) : .brackets(compact(formula))
  }

  /// Returns a script in small characters, or `nil` if that is not possible. In ASCII output, only primes and degrees
  /// are possible.
  private func letters(_ formula: Formula, _ table: [Character: Character]) -> String? {
    guard isASCII else { return ScriptLetters.letters(formula, table) }
    if formula == .symbol("∘") || formula == .symbol("°") { return " deg" }
    let primes = formula.elements.count
    let isPrimes = primes > 0 && formula.elements.allSatisfy { $0 == .symbol("′") }
    return isPrimes ? String(repeating: "'", count: primes) : nil
  }

  /// Writes the content of a script. If the content can be read without spaces, they are omitted.
  func compact(_ formula: Formula) -> String {
    let roles = Formula.roles(of: formula.elements)
    let line = line(formula)
    let isSimple = roles.allSatisfy { [.operand, .number, .unary, .relation, .punctuation].contains($0) }
    let relations = roles.count { $0 == .relation }
    // Adjacent values would be read as one if the space between them was omitted.
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
    case .row(let elements) where elements.isEmpty: return ""
    case .fenced(let open, _, let close) where !open.isEmpty || !close.isEmpty: return line(base)
    case .accent: return line(base)
    case .scripts(let inner, let sub?, nil) where hasSup && isAtom(inner):
      return letters(sub, ScriptLetters.subscripts) == nil ? bracketed(base) : line(base)
    default: return bracketed(base)
    }
  }

  func scripts(_ base: Formula, _ sub: Formula?, _ sup: Formula?, _ neighbours: Neighbours) -> String {
    let below = sub.map { script($0, ScriptLetters.subscripts) }
    let above = sup.map { script($0, ScriptLetters.superscripts) }
    return self.base(base, hasSup: sub == nil && sup != nil)
      + written(below, above, isBig: base.role == .big, neighbours, sub: sub, sup: sup)
  }

  func written(
    _ below: Script?, _ above: Script?, isBig: Bool, _ neighbours: Neighbours, sub: Formula?, sup: Formula?
  ) -> String {
    var below = below
    var above = above
    // The two limits of a sum use the same notation.
    if isBig, below?.letters == nil || above?.letters == nil {
      func plain(_ formula: Formula) -> Script {
        isBare(formula) ? .bare(line(formula)) : .brackets(compact(formula))
      }
      if above != nil, below?.letters != nil { below = sub.map(plain) }
      if below != nil, above?.letters != nil { above = sup.map(plain) }
    }
    let isBeforeFence =
      !isBig && (neighbours.after == .fence || neighbours.after == .opening || neighbours.after == .postfix)
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

  /// Returns whether a formula must be separated by a space from the previous one.
  func isApart(_ formula: Formula, after last: Formula) -> Bool { isOpen(last) || formula.isScriptAlone }

  /// Returns whether a formula ends with a script without parentheses. A letter directly after it would be read as a
  /// part of the script.
  func isOpen(_ formula: Formula) -> Bool {
    guard case .scripts(_, let sub, let sup) = formula else { return false }
    if let sup { return isBare(sup) && letters(sup, ScriptLetters.superscripts) == nil }
    return sub.map { isBare($0) && letters($0, ScriptLetters.subscripts) == nil } ?? false
  }

  func limits(_ base: Formula, _ under: Formula?, _ over: Formula?, _ neighbours: Neighbours) -> String {
    // The label of a brace must not look like a subscript.
    if case .accent(let accent, let inner) = base, base.takesLimits {
      return accent.rawValue + "(" + [inner, under, over].compactMap { $0.map(line) }.joined(separator: ", ") + ")"
    }
    if [.big, .name, .relation, .sum, .product].contains(base.role) {
      return scripts(
        base, under, over, Neighbours(before: neighbours.before, after: base.role == .big ? nil : neighbours.after))
    }
    var text = line(base)
    if let under { text = "underset(" + line(under) + ", " + text + ")" }
    if let over { text = "overset(" + line(over) + ", " + text + ")" }
    return text
  }
}

extension Formula {
  /// Whether the formula is a script with an empty base.
  var isScriptAlone: Bool { if case .scripts(let base, _, _) = self { base.isEmpty } else { false } }
}

/// Brackets and tables.
extension LineWriter {
  func fenced(_ open: String, _ inner: Formula, _ close: String) -> String {
    let content = if case .table(let table) = inner { rows(of: table) } else { line(inner) }
    let isTable = if case .table = inner { true } else { false }
    switch (open, close) {
    // In ASCII, these brackets are written as functions, because their ASCII spellings would be read as subscripts.
    case ("⌊", "⌋") where isASCII: return "floor(" + content + ")"
    case ("⌈", "⌉") where isASCII: return "ceil(" + content + ")"
    case ("", let close) where !isTable && !close.isEmpty:
      return (isAtom(inner) ? content : "(" + content + ")") + spell(close)
    case (let open, "") where !open.isEmpty:
      guard let partner = Brackets.closing[open] else { return spell(open) + "(" + content + ")" }
      return spell(open) + content + spell(partner)
    case ("", let close):
      let partner = Brackets.closing.first { $0.value == close }?.key
      return partner.map { spell($0) + content + spell(close) } ?? "(" + content + ")" + spell(close)
    default:
      return spell(open) + content + spell(close)
    }
  }

  /// Returns the rows of a table, separated by semicolons. Commas separate the cells of a row.
  func rows(of table: Formula.Table) -> String {
    table.rows.map { cells in
      switch table.layout {
      case .aligned, .gathered: return line(.joined(cells.flatMap(\.elements).withoutFinalComma))
      case .matrix, .array, .cases:
        return cells.map { cell in
          let elements = cell.elements.withoutFinalComma
          let line = row(elements)
          return Formula.roles(of: elements).contains(.punctuation) ? "(" + line + ")" : line
        }.joined(separator: ", ")
      }
    }.joined(separator: "; ")
  }
}

extension [Formula] {
  /// The formulas without a comma or semicolon at the end, because a separator follows.
  fileprivate var withoutFinalComma: [Formula] {
    var elements = self
    while case .space? = elements.last { elements.removeLast() }
    if elements.last == .symbol(",") || elements.last == .symbol(";") { elements.removeLast() }
    return elements
  }
}
