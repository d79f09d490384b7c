/// Writes a formula on one line.
struct LineWriter {
  let isASCII: Bool

  /// What stands beside a formula.
  struct Neighbours {
    var before: Role?
    var after: Role?
  }

  func whole(_ formula: Formula) -> String {
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

  /// A character of the line; in ASCII its number where there is no other way.
  func spelled(_ character: Character) -> String {
    guard isASCII, !character.isASCII else { return String(character) }
    if character.isWhitespace { return " " }
    return character.unicodeScalars.map { scalar in
      if scalar.isASCII { return String(scalar) }
      let number = String(scalar.value, radix: 16, uppercase: true)
      return "{U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number + "}"
    }.joined()
  }

  /// Writes a formula with nothing beside it.
  func line(_ formula: Formula) -> String { row(formula.parts) }

  /// Writes a formula in brackets, if it has none of its own.
  func bracketed(_ formula: Formula) -> String {
    if case .fenced("(", _, ")") = formula { return line(formula) }
    return "(" + line(formula) + ")"
  }

  // MARK: Rows

  func row(_ parts: [Formula]) -> String {
    let roles = Formula.roles(of: parts)
    var text = ""
    var last: Role?
    var lastPiece = ""
    // The spaces that the author put between the last formula and the next.
    var space = ""
    var endsOpen = false
    for (index, part) in parts.enumerated() {
      let role = roles[index]
      if case .space(let width) = part {
        space = [.quad: "  ", .doubleQuad: "    ", .negative: space][width] ?? (space.isEmpty ? " " : space)
        if role == .wideSpace { last = .wideSpace }
        continue
      }
      let following = roles.indices.contains(index + 1) ? roles[index + 1] : nil
      let beside = Neighbours(before: index > 0 ? roles[index - 1] : nil, after: following)
      let piece = piece(part, beside)
      if !text.isEmpty {
        let gap = gap(from: last, to: role, lastPiece, piece, isApart: endsOpen || part.isScriptAlone)
        text += space.count > gap.count ? space : gap
      }
      text += piece
      endsOpen = isOpen(part)
      lastPiece = piece
      last = role
      space = ""
    }
    return text
  }

  /// The space between two pieces of a row.
  func gap(from last: Role?, to next: Role, _ lastPiece: String, _ piece: String, isApart: Bool) -> String {
    let isWord = needsSpace(lastPiece, piece)
    switch (last, next) {
    case (nil, _): return ""
    case (.wideSpace, _): return " "
    case (_, .punctuation), (_, .postfix), (_, .closing): return ""
    case (.relation, _), (_, .relation), (.sum, _), (_, .sum), (.product, _), (_, .product): return " "
    case (.punctuation, _): return " "
    case (.opening, _), (.slash, _), (_, .slash), (.middle, _), (_, .middle): return ""
    case (.source, _), (_, .source), (.dots, _), (_, .dots): return " "
    case (.text, _), (_, .text):
      let areWords = [lastPiece.last, piece.first].allSatisfy { $0?.isLetter == true || $0?.isNumber == true }
      return areWords ? " " : ""
    case (.unary, _): return isASCII && isWord ? " " : ""
    case (.name, _) where piece.hasPrefix("(") || next == .fence: return lastPiece.hasSuffix(")") ? " " : ""
    case (.name, _), (_, .name), (.big, _), (_, .big): return " "
    case (_, .fence), (_, .opening): return ""
    case (.fence, _), (.closing, _), (_, .number): return " "
    // Brackets that are only ours would read as those of a function.
    case _ where piece.hasPrefix("("): return " "
    case _ where lastPiece.hasSuffix(")") || isCall(piece): return " "
    default: return isApart || isASCII && isWord ? " " : ""
    }
  }

  /// Whether a piece is a word of ours with brackets, as `root(n, x)`.
  func isCall(_ piece: String) -> Bool {
    let word = piece.prefix(while: \.isLetter)
    return word.count > 1 && piece.dropFirst(word.count).first == "("
  }

  /// Whether two pieces would be read as one word.
  func needsSpace(_ last: String, _ piece: String) -> Bool {
    guard let end = last.last, let start = piece.first, end.isLetter || end.isNumber, start.isLetter || start.isNumber
    else { return false }
    return last.reversed().prefix(while: \.isLetter).count > 1 || piece.prefix(while: \.isLetter).count > 1
  }

  // MARK: Pieces

  func piece(_ formula: Formula, _ beside: Neighbours) -> String {
    switch formula {
    case .identifier(let name): spell(name)
    case .number(let number): number
    case .symbol(let sign): spell(sign)
    case .text(let text): text
    case .source(let source): source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    case .space: ""
    case .row(let parts): parts.isEmpty ? "" : "(" + row(parts) + ")"
    case .styled(let style, let letter): styled(letter, style)
    case .accent(let accent, let base): accented(base, accent)
    case .fraction(let above, let below, let hasBar):
      hasBar ? fraction(above, below, beside) : numerator(above) + " choose " + numerator(below)
    case .root(let radicand, let index): root(radicand, index, beside)
    case .scripts(let base, let sub, let sup): scripts(base, sub, sup, beside)
    case .limits(let base, let under, let over): limits(base, under, over, beside)
    case .fenced(let open, let inner, let close): fenced(open, inner, close)
    case .table(let table):
      table.layout == .aligned || table.layout == .gathered ? "(" + rows(of: table) + ")" : "[" + rows(of: table) + "]"
    }
  }

  /// The spelling of a letter or sign.
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
    if !isASCII, base.isLetter, let mark = Self.marks[accent] { return line(base) + mark }
    return accent.rawValue + bracketed(base)
  }

  /// Source: Unicode, "Combining Diacritical Marks".
  private static let marks: [Formula.Accent: String] = [
    .hat: "\u{302}", .bar: "\u{304}", .overline: "\u{305}", .vec: "\u{20D7}", .tilde: "\u{303}", .dot: "\u{307}",
    .ddot: "\u{308}", .dddot: "\u{20DB}", .check: "\u{30C}", .breve: "\u{306}", .acute: "\u{301}", .grave: "\u{300}",
    .ring: "\u{30A}", .underline: "\u{332}", .overleftarrow: "\u{20D6}", .cancel: "\u{338}",
  ]
}

extension Formula {
  /// Whether it is one letter, in a style or plain.
  fileprivate var isLetter: Bool {
    switch self {
    case .identifier(let name): name.count == 1
    case .styled(_, let letter): letter.isLetter
    default: false
    }
  }
}
