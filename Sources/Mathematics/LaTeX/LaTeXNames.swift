/// The names of LaTeX commands and environments that are not symbols.
enum LaTeXNames {
  /// The functions with predefined commands.
  static let functions: Set<String> = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd", "hom",
    "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan",
    "tanh",
  ]

  /// The functions whose subscript is written below them.
  static let limitFunctions: Set<String> = [
    "lim", "liminf", "limsup", "lim inf", "lim sup", "max", "min", "sup", "inf", "argmax", "argmin", "arg max",
    "arg min", "det", "gcd", "Pr", "injlim", "projlim",
  ]

  /// The functions whose commands are common but not predefined in LaTeX.
  static let otherFunctions: Set<String> = [
    "argmax", "argmin", "arccot", "arctg", "tg", "ctg", "sh", "ch", "th", "cth", "cotg", "sgn", "sign", "tr", "Tr",
    "rank", "diag", "span", "Var", "Cov", "injlim", "projlim", "lcm",
  ]

  static let accents: [String: Formula.Accent] = [
    "hat": .hat, "widehat": .hat, "bar": .bar, "vec": .vec, "overrightarrow": .vec, "tilde": .tilde,
    "widetilde": .tilde, "dot": .dot, "ddot": .ddot, "dddot": .dddot, "check": .check, "widecheck": .check,
    "breve": .breve, "acute": .acute, "grave": .grave, "mathring": .ring, "overline": .overline,
    "underline": .underline, "underbar": .underline, "overbrace": .overbrace, "underbrace": .underbrace,
    "overleftarrow": .overleftarrow, "cancel": .cancel, "bcancel": .cancel, "xcancel": .cancel,
  ]

  static let styles: [String: Formula.Style] = [
    "mathbf": .bold, "boldsymbol": .bold, "bm": .bold, "bold": .bold, "pmb": .bold, "mathbfit": .bold,
    "mathcal": .script, "mathscr": .script, "mathfrak": .fraktur, "frak": .fraktur, "mathbb": .blackboard,
    "Bbb": .blackboard, "mathsf": .sans, "mathtt": .monospace,
  ]

  /// The commands that apply a style up to the end of their group. `nil` stands for upright letters.
  static let declarations: [String: Formula.Style?] = [
    "rm": nil, "it": nil, "bf": .bold, "cal": .script, "sf": .sans, "tt": .monospace,
  ]

  static let texts: Set<String> = [
    "text", "mbox", "hbox", "textrm", "textnormal", "textit", "textsf", "texttt", "textup", "textmd", "textsl",
    "emph", "textsc",
  ]

  static let spaces: [String: Formula.Space] = [
    ",": .thin, "thinspace": .thin, ":": .medium, ">": .medium, "medspace": .medium, ";": .thick, "thickspace": .thick,
    "!": .negative, "negthinspace": .negative, " ": .word, "enspace": .word, "space": .word, "nobreakspace": .word,
    "quad": .quad, "qquad": .doubleQuad,
  ]

  /// The commands for sizes and line breaks, which do not affect the meaning.
  static let ignored: Set<String> = [
    "displaystyle", "textstyle", "scriptstyle", "scriptscriptstyle", "tiny", "scriptsize", "footnotesize", "small",
    "normalsize", "large", "Large", "LARGE", "huge", "Huge", "nonumber", "notag", "hline", "hdashline", "hfill",
    "strut", "mathstrut", "allowbreak", "nobreak", "relax", "protect", "noindent", "centering", "toprule", "midrule",
    "bottomrule", "boldmath", "unboldmath", "upright", "limits", "nolimits", "displaylimits",
  ]

  /// The commands whose argument is not visible.
  static let invisible: Set<String> = [
    "label", "phantom", "hphantom", "vphantom", "color", "vspace", "cline",
  ]

  /// The commands that are replaced by their argument, because they affect only its spacing.
  static let transparent: Set<String> = [
    "mathop", "mathrel", "mathbin", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner", "ensuremath", "boxed",
    "fbox", "smash", "mathclap", "mathllap", "mathrlap", "llap", "rlap",
  ]

  static let sizes: Set<String> = Set(
    ["big", "Big", "bigg", "Bigg"].flatMap { size in ["", "l", "r", "m"].map { size + $0 } })

  static let arrows: [String: String] = [
    "xrightarrow": "→", "xleftarrow": "←", "xleftrightarrow": "↔", "xRightarrow": "⇒", "xLeftarrow": "⇐",
    "xLeftrightarrow": "⇔", "xmapsto": "↦", "xhookrightarrow": "↪", "xhookleftarrow": "↩", "xlongequal": "=",
    "xrightleftharpoons": "⇌", "xtwoheadrightarrow": "↠",
  ]

  /// The negated forms of symbols that exist as Unicode characters.
  static let negations: [String: String] = [
    "=": "≠", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "≡": "≢", "∼": "≁", "≅": "≇", "≈": "≉", "∈": "∉", "∋": "∌",
    "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "⊇": "⊉", "∣": "∤", "∥": "∦", "⊢": "⊬", "⊨": "⊭", "∃": "∄", "→": "↛", "⇒": "⇏",
  ]

  /// The matrix environments with the brackets around them.
  static let matrices: [String: (open: String, close: String)] = [
    "matrix": ("", ""), "smallmatrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"),
  ]

  static let alignments: Set<String> = [
    "align", "aligned", "alignat", "alignedat", "flalign", "split", "eqnarray", "eqalign",
  ]

  static let gatherings: Set<String> = [
    "gather", "gathered", "multline", "equation", "displaymath", "math", "substack", "dmath",
  ]
}

extension Formula {
  /// Whether the scripts of the formula are limits. Limits are written below and above it instead of next to it.
  var takesLimits: Bool {
    switch self {
    case .symbol(let sign): Symbols.kind(sign) == .largeOperator
    case .identifier(let name): LaTeXNames.limitFunctions.contains(name)
    case .accent(.overbrace, _), .accent(.underbrace, _): true
    default: false
    }
  }

  /// Returns a base with scripts, either as limits or next to it.
  ///
  /// - Parameter asLimits: Whether the scripts are limits. If `nil`, the base determines this.
  static func scripted(_ base: Formula, sub: Formula?, sup: Formula?, asLimits: Bool? = nil) -> Formula {
    if sub == nil, sup == nil { return base }
    return asLimits ?? base.takesLimits
      ? .limits(base, under: sub, over: sup) : .scripts(base, sub: sub, sup: sup)
  }
}
