extension Formula {
  /// The formula as LaTeX.
  ///
  /// Invariant: for a formula that was read from LaTeX or MathML, `Formula(latex: formula.latex) == formula`.
  public var latex: String {
    switch self {
    case .identifier(let name): Self.latex(name: name)
    case .number(let number): number
    case .symbol(let sign): Self.latex(sign: sign)
    case .text(let text): "\\text{" + text.map(Self.escaped).joined() + "}"
    case .fraction(let above, let below, true): "\\frac{\(above.latex)}{\(below.latex)}"
    case .fraction(let above, let below, false): "{\(above.latex) \\atop \(below.latex)}"
    case .root(let radicand, nil): "\\sqrt{\(radicand.latex)}"
    case .root(let radicand, let index?): "\\sqrt[{\(index.latex)}]{\(radicand.latex)}"
    case .scripts(let base, let sub, let sup):
      base.latexBase + (base.takesLimits ? "\\nolimits" : "") + Self.latex(sub: sub, sup: sup)
    case .limits(let base, let under, let over): Self.latex(limits: base, under, over)
    case .accent(let accent, let base): "\\" + (accent == .ring ? "mathring" : accent.rawValue) + "{\(base.latex)}"
    case .fenced("{", .table(let table), "") where table.layout == .cases: Self.latex(table, "cases")
    case .fenced("", .table(let table), "}") where table.layout == .cases: Self.latex(table, "rcases")
    case .fenced("(", .fraction(let above, let below, false), ")"): "\\binom{\(above.latex)}{\(below.latex)}"
    case .fenced(let open, let inner, let close):
      "\\left\(Self.latex(delimiter: open))\(inner.latex) \\right\(Self.latex(delimiter: close))"
    case .table(let table): Self.latex(table)
    case .styled(let style, let letter): Self.latex(style, of: letter) + "{\(letter.latex)}"
    case .row(let elements): elements.map(\.latex).joined(separator: " ")
    case .space(let space): Self.spaces[space] ?? ""
    case .source(let source): source
    }
  }

  private static let spaces: [Space: String] = [
    .negative: "\\!", .thin: "\\,", .medium: "\\:", .thick: "\\;", .word: "\\ ", .quad: "\\quad",
    .doubleQuad: "\\qquad",
  ]

  private static func latex(name: String) -> String {
    if let symbol = Symbols.bySign[name], let command = symbol.names.first { return "\\" + command }
    if name.count == 1 { return name }
    if name == "lim inf" || name == "lim sup" { return "\\" + name.filter { $0 != " " } }
    if LaTeXNames.functions.contains(name) { return "\\" + name }
    return "\\operatorname{" + name.replacing(" ", with: "\\,") + "}"
  }

  private static func latex(sign: String) -> String {
    if sign == "−" { return "-" }
    if let symbol = Symbols.bySign[sign] { return symbol.names.first.map { "\\" + $0 } ?? sign }
    if sign.unicodeScalars.count > 1, sign.unicodeScalars.last?.value == 0x338 {
      return "\\not" + latex(sign: String(String.UnicodeScalarView(sign.unicodeScalars.dropLast())))
    }
    return sign
  }

  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\\": "\\textbackslash{}"
    case "{", "}", "$", "%", "_", "&", "#", "~": "\\" + String(character)
    default: String(character)
    }
  }

  /// The formula as the base of scripts. If necessary, it is enclosed in braces.
  private var latexBase: String {
    switch self {
    case .identifier, .symbol, .fenced: latex
    default: "{" + latex + "}"
    }
  }

  private static func latex(sub: Formula?, sup: Formula?) -> String {
    (sub.map { "_{\($0.latex)}" } ?? "") + (sup.map { "^{\($0.latex)}" } ?? "")
  }

  private static func latex(limits base: Formula, _ under: Formula?, _ over: Formula?) -> String {
    if base.takesLimits { return base.latexBase + latex(sub: under, sup: over) }
    if case .symbol(let sign) = base, Symbols.kind(sign) == .integral {
      return base.latex + "\\limits" + latex(sub: under, sup: over)
    }
    let inner = over.map { "\\overset{\($0.latex)}{\(base.latex)}" } ?? base.latex
    return under.map { "\\underset{\($0.latex)}{\(inner)}" } ?? inner
  }

  private static func latex(delimiter: String) -> String {
    switch delimiter {
    case "": ". "
    case "‖": "\\| "
    case "|": "| "
    default: latex(sign: delimiter) + " "
    }
  }

  private static func latex(_ style: Style, of letter: Formula) -> String {
    switch style {
    case .bold:
      if case .identifier(let name) = letter, name.unicodeScalars.contains(where: { !$0.isASCII }) {
        "\\boldsymbol"
      } else {
        "\\mathbf"
      }
    case .script: "\\mathcal"
    case .fraktur: "\\mathfrak"
    case .blackboard: "\\mathbb"
    case .sans: "\\mathsf"
    case .monospace: "\\mathtt"
    }
  }

  private static func latex(_ table: Table) -> String {
    switch table.layout {
    case .matrix: latex(table, "matrix")
    case .aligned: latex(table, "aligned")
    case .gathered: latex(table, "gathered")
    case .cases: latex(table, "array", columns: String(repeating: "l", count: table.rows.map(\.count).max() ?? 1))
    case .array(let columns): latex(table, "array", columns: columns)
    }
  }

  private static func latex(_ table: Table, _ name: String, columns: String? = nil) -> String {
    let rows = table.rows.map { $0.map(\.latex).joined(separator: " & ") }
    let columns = columns.map { "{\($0)}" } ?? ""
    return "\\begin{\(name)}\(columns) " + rows.joined(separator: " \\\\ ") + " \\end{\(name)}"
  }
}
