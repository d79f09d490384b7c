import Mathematics
import TestSupport

/// A generator of formulas and texts that is deterministic for a seed.
struct RandomFormulas {
  var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  private mutating func one<Value>(_ values: [Value]) -> Value { values[numbers.below(values.count)] }

  /// Returns a formula in the canonical form of the readers, with a maximum nesting depth.
  mutating func formula(height: Int = 4) -> Formula {
    .joined((0..<(1 + numbers.below(4))).map { _ in part(height: height) })
  }

  /// Returns a term of sums, products, fractions, powers, roots and functions, with or without brackets.
  mutating func term(height: Int) -> Formula {
    guard height > 0 else {
      let index = Formula.scripts(.identifier("x"), sub: one([.number("1"), .identifier("q")]), sup: nil)
      return one([
        .identifier("a"), .identifier("α"), .identifier("y"), .identifier("q"), .number("2"), .number("7"), index,
      ])
    }
    let left = term(height: height - 1)
    let right = term(height: height - 1)
    func bracketed(_ formula: Formula) -> Formula { .fenced(open: "(", formula, close: ")") }
    let inBrackets = bracketed(right)
    let either = numbers.oneIn(2) ? right : inBrackets
    switch numbers.below(10) {
    case 0: return .joined([left, .symbol("+"), right])
    case 1: return .joined([left, .symbol("−"), either])
    case 2: return .joined([left, .symbol(one(["×", "·"])), either])
    case 3: return .joined([bracketed(left), either])
    case 4, 5: return .fraction(left, over: right, hasBar: true)
    case 6: return .root(left, index: numbers.oneIn(2) ? .number(one(["3", "4", "5"])) : nil)
    case 7: return .joined([.identifier(one(["sin", "exp", "cos"])), bracketed(left)])
    case 8: return .joined([.symbol("−"), left])
    default: return .scripts(left, sub: nil, sup: numbers.oneIn(2) ? .number("2") : term(height: 1))
    }
  }

  private mutating func maybe(height: Int) -> Formula? { numbers.oneIn(2) ? formula(height: height) : nil }

  private mutating func part(height: Int) -> Formula {
    guard height > 0 else { return leaf() }
    let next = height - 1
    switch numbers.below(12) {
    case 0: return .fraction(formula(height: next), over: formula(height: next), hasBar: true)
    case 1: return .root(formula(height: next), index: maybe(height: next))
    case 2, 3:
      let base = numbers.oneIn(3) ? formula(height: next) : leaf()
      if case .space = base { return base }
      return base.isLimited ? base : .scripts(base, sub: maybe(height: next), sup: formula(height: next))
    case 4:
      let base = one([Formula.symbol("∑"), .symbol("⋃"), .identifier("lim"), .identifier("max")])
      return .limits(base, under: formula(height: next), over: maybe(height: next))
    case 5: return .limits(.symbol("→"), under: maybe(height: next), over: formula(height: next))
    case 6: return .accent(one(Formula.Accent.allCases), formula(height: next))
    case 7:
      let (open, close) = one([
        ("(", ")"), ("[", "]"), ("{", "}"), ("|", "|"), ("‖", "‖"), ("⟨", "⟩"), ("[", ")"), ("", "|"),
      ])
      return .fenced(open: open, formula(height: next), close: close)
    case 8:
      return .table(.init(one([.matrix, .aligned, .array("lr")]), cells(height: next)))
    case 9: return .fenced(open: "{", .table(.init(.cases, cells(height: next))), close: "")
    case 10:
      let binomial = Formula.fraction(formula(height: next), over: formula(height: next), hasBar: false)
      return .fenced(open: "(", binomial, close: ")")
    default: return leaf()
    }
  }

  private mutating func cells(height: Int) -> [[Formula]] {
    let columns = 1 + numbers.below(2)
    return (0..<(1 + numbers.below(2))).map { _ in (0..<columns).map { _ in formula(height: height) } }
  }

  private mutating func leaf() -> Formula {
    switch numbers.below(9) {
    case 0: .number(one(["0", "7", "12", "3.8", "1,000"]))
    case 1:
      .symbol(one(["+", "−", "×", "·", "=", "≤", "→", ",", "/", "!", "∈", ":", "|", "…", "∞", "′", "mod", "<", "%"]))
    case 2: .symbol(one(["(", ")", "[", "]", "{", "}", "⟨", "⌋", "∫", "+\u{338}"]))
    case 3: .text(one(["if ", " a_b{c} ", "50 % \\ of $5", "é & ~ #", "word"]))
    case 4: .identifier(one(["sin", "log", "Im", "arg max", "lim inf", "H2"]))
    case 5:
      .styled(
        one(Formula.Style.allCases), one([.identifier("R"), .identifier("proj"), .number("1"), .identifier("α")]))
    case 6: .space(one(Formula.Space.allCases))
    case 7: .source(one(["\\unknown", "\\foo{a}{b}", "\\begin{tikzcd} a & b \\end{tikzcd}"]))
    default: .identifier(one(["a", "x", "n", "α", "π", "é", "ℓ"]))
    }
  }

  /// Returns a text of characters and commands that occur in formulas, which is usually not a valid formula.
  mutating func text() -> String {
    let tokens = [
      "{", "}", "\\frac", "\\left(", "\\right)", "\\right.", "_", "^", "&", "\\\\", "x", "12", ".", "\\begin{cases}",
      "\\end{cases}", "\\begin{array}{c", "\\sqrt[", "]", "$", "\\text{", "\\", "'", "\\over", "\\not", "\\limits",
      "\\rm",
      "(", ")", "\u{301}", "\0", "é", "\\begin{", "\\operatorname*", "\\hspace", "~", "%", "\\color", "\\sum", " ",
    ]
    return (0..<numbers.below(24)).map { _ in one(tokens) }.joined()
  }
}

extension Formula {
  fileprivate var isLimited: Bool {
    switch self {
    case .symbol("∑"), .limits: true
    case .row(let elements): elements.isEmpty
    default: false
    }
  }
}

extension Formula {
  /// The LaTeX without `\left` and `\right`, as people type it.
  var plainLaTeX: String { latex.replacing("\\left", with: "").replacing("\\right", with: "") }
}
