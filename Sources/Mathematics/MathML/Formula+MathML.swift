extension Formula {
  /// Returns the formula as presentation MathML: a `math` element.
  ///
  /// Styled letters are written as the letters of Unicode's mathematical alphabets, and the alignment of columns also as
  /// `style`, because browsers do not support the attributes for them. The LaTeX source is an annotation.
  ///
  /// Invariant: for a formula that was read from LaTeX, `Formula(mathML: formula.mathML()) == formula`, unless it contains
  /// a bracket without its counterpart, rows below a sum, a styled word, the name `mod`, or an unknown command.
  ///
  /// Sources: W3C, "MathML Core"; W3C, "Mathematical Markup Language 3.0", chapter 3 and section 5.1 (annotations).
  ///
  /// - Parameter isDisplayed: Whether the formula is on lines of its own.
  public func mathML(isDisplayed: Bool = false) -> MathElement {
    let annotation = MathElement("annotation", ["encoding": "application/x-tex"], [.text(latex)])
    return MathElement(
      "math", isDisplayed ? ["display": "block"] : [:],
      elements: [
        MathElement("semantics", elements: [group, annotation])
      ])
  }

  /// The formula as one element.
  fileprivate var group: MathElement {
    if case .row(let elements) = self { MathElement("mrow", elements: Self.elements(elements)) } else { element }
  }

  /// Returns the elements of a row. A function and its argument are separated by the invisible operator for function
  /// application, which gets the width of a thin space.
  private static func elements(_ row: [Formula]) -> [MathElement] {
    row.enumerated().flatMap { index, formula -> [MathElement] in
      guard formula.role == .name, row.indices.contains(index + 1), row[index + 1].role.startsValue,
        row[index + 1].role != .fence
      else { return [formula.element] }
      return [formula.element, .token("mo", "\u{2061}", ["lspace": "0", "rspace": "0.167em"])]
    }
  }

  private var element: MathElement {
    switch self {
    case .identifier(let name): return .token("mi", name, Self.isUpright(name) ? ["mathvariant": "normal"] : [:])
    case .number(let number): return .token("mn", number)
    case .symbol(let sign): return .token("mo", sign)
    case .text(let text), .source(let text): return .token("mtext", text.replacing(" ", with: "\u{A0}"))
    case .fraction(let above, let below, let hasBar):
      return MathElement("mfrac", hasBar ? [:] : ["linethickness": "0"], elements: [above.group, below.group])
    case .root(let radicand, nil): return MathElement("msqrt", elements: Self.elements(radicand.elements))
    case .root(let radicand, let index?): return MathElement("mroot", elements: [radicand.group, index.group])
    case .scripts(let base, let sub, let sup):
      return Self.element(base.group, sub, sup, names: ("msub", "msup", "msubsup"))
    case .limits(let base, let under, let over):
      return Self.element(base.limitsBase, under, over, names: ("munder", "mover", "munderover"))
    case .accent(.cancel, let base):
      return MathElement("menclose", ["notation": "updiagonalstrike"], elements: [base.group])
    case .accent(let accent, let base):
      let isBelow = accent == .underline || accent == .underbrace
      let sign = MathElement.token(
        "mo", Self.signs[accent] ?? "", ["stretchy": Self.stretched.contains(accent) ? "true" : "false"])
      return MathElement(
        isBelow ? "munder" : "mover", [isBelow ? "accentunder" : "accent": "true"], elements: [base.group, sign])
    case .fenced(let open, let inner, let close):
      let fence = { (sign: String) in sign.isEmpty ? [] : [MathElement.token("mo", sign, ["fence": "true"])] }
      return MathElement("mrow", elements: fence(open) + [inner.group] + fence(close))
    case .table(let table): return table.element
    case .styled(let style, let letter):
      let plain = letter.element
      return .token(plain.name, String(plain.text.map { StyledLetters.styled($0, style) ?? $0 }))
    case .row: return group
    case .space(let space): return MathElement("mspace", ["width": Self.widths[space] ?? "0"])
    }
  }

  private static func element(
    _ base: MathElement, _ lower: Formula?, _ upper: Formula?, names: (lower: String, upper: String, both: String)
  ) -> MathElement {
    guard lower != nil || upper != nil else { return base }
    let name = upper == nil ? names.lower : lower == nil ? names.upper : names.both
    return MathElement(name, elements: [base] + [lower, upper].compactMap { $0?.group })
  }

  /// The base of limits. Names such as `lim` are operators, so that their limits are scripts inside a line of text.
  private var limitsBase: MathElement {
    guard case .identifier(let name) = self, name.count > 1 else { return group }
    return .token("mo", name, ["lspace": "0", "movablelimits": "true", "rspace": "0.167em"])
  }

  /// Whether a name of one letter is not italic: the Greek capitals, as in LaTeX.
  private static func isUpright(_ name: String) -> Bool {
    name.unicodeScalars.count == 1 && name.unicodeScalars.allSatisfy { (0x391...0x3A9).contains($0.value) }
  }

  private static let signs: [Accent: String] = [
    .hat: "^", .bar: "¯", .vec: "→", .tilde: "~", .dot: "˙", .ddot: "¨", .dddot: "\u{20DB}", .check: "ˇ", .breve: "˘",
    .acute: "´", .grave: "`", .ring: "˚", .overline: "‾", .underline: "_", .overbrace: "⏞", .underbrace: "⏟",
    .overleftarrow: "←",
  ]

  private static let stretched: Set<Accent> = [.overline, .underline, .overbrace, .underbrace, .overleftarrow]

  private static let widths: [Space: String] = [
    .negative: "-0.167em", .thin: "0.167em", .medium: "0.222em", .thick: "0.278em", .word: "0.333em", .quad: "1em",
    .doubleQuad: "2em",
  ]
}

extension Formula.Table {
  fileprivate var element: MathElement {
    let width = rows.map(\.count).max() ?? 0
    let columns: [String] =
      switch layout {
      case .matrix, .gathered: []
      case .cases: Array(repeating: "left", count: width)
      case .aligned: (0..<width).map { $0 % 2 == 0 ? "right" : "left" }
      case .array(let letters): letters.map { ["l": "left", "r": "right"][$0] ?? "center" }
      }
    var attributes = columns.isEmpty ? [:] : ["columnalign": columns.joined(separator: " ")]
    if layout == .aligned || layout == .gathered { attributes["displaystyle"] = "true" }
    let rows = rows.map { cells in
      MathElement(
        "mtr",
        elements: cells.enumerated().map { index, cell in
          var style = columns.indices.contains(index) ? "text-align: \(columns[index])" : ""
          // The columns of an equation touch.
          if layout == .aligned { style += index % 2 == 0 ? "; padding-right: 0" : "; padding-left: 0" }
          return MathElement("mtd", style.isEmpty ? [:] : ["style": style], elements: [cell.group])
        })
    }
    return MathElement("mtable", attributes, elements: rows)
  }
}

extension MathElement {
  fileprivate static func token(_ name: String, _ text: String, _ attributes: [String: String] = [:]) -> MathElement {
    MathElement(name, attributes, [.text(text)])
  }

  fileprivate init(_ name: String, _ attributes: [String: String] = [:], elements: [MathElement]) {
    self.init(name, attributes, elements.map(Child.element))
  }
}
