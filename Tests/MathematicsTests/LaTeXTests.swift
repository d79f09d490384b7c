import Mathematics
import TestSupport
import Testing

struct LaTeXTests {
  @Test func `a formula that exceeds the maximum length is not parsed`() {
    let sum = Array(repeating: "x", count: Formula.maximumSourceLength / 2).joined(separator: "+") + "+y"

    #expect(Formula(latex: sum) == .source(sum))
    #expect(Formula(latex: String(sum.suffix(99))) != .source(String(sum.suffix(99))))
  }

  @Test func `a formula written as LaTeX is parsed to the same formula`() {
    var random = RandomFormulas(seed: 41)
    for _ in 0..<600 {
      let formula = random.formula(height: 3)

      #expect(Formula(latex: formula.latex) == formula, "\(formula.latex)")
    }
  }

  @Test func `any text gives a formula that survives writing and parsing`() {
    var random = RandomFormulas(seed: 42)
    for _ in 0..<1500 {
      let text = random.text()

      let formula = Formula(latex: text)

      #expect(Formula(latex: formula.latex) == formula, "\(text)")
      #expect(formula.ascii.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(text)")
    }
  }

  @Test func `a formula that is nested too deeply keeps its source`() {
    for open in ["{", "\\frac{", "x^{", "\\sqrt", "\\left(", "(", "\\begin{matrix}", "\\hat"] {
      let text = String(repeating: open, count: 10_000)

      #expect(Formula(latex: text).line.count >= 10_000)
    }
    let nested = String(repeating: "(", count: 5000) + "x" + String(repeating: ")", count: 5000)
    #expect(Formula(latex: nested).line == nested)
  }

  @Test(arguments: [
    ("x^{", "}"), ("x_{", "}"), ("{x_{", "}}^2"), ("\\hat{", "}"), ("\\sqrt{a + ", "}"), ("\\frac{1}{", "}"),
    ("\\sum_{", "}^2"), ("\\sum_1^{", "}"), ("\\underbrace{", "}_n"), ("\\left(", "\\right)"), ("\\sqrt[", "]{x}"),
    ("\\overset{", "}{x}"), ("\\begin{matrix}", "\\end{matrix}"),
  ])
  func `every output of a formula at the maximum depth terminates`(_ open: String, _ close: String) {
    for depth in [8, 12, 23] {
      let latex = String(repeating: open, count: depth) + "q" + String(repeating: close, count: depth)

      let formula = Formula(latex: latex)

      #expect(formula.line.unicodeScalars.contains("q"))
      #expect(formula.ascii.unicodeScalars.contains("q"))
      #expect(formula.spokenText.unicodeScalars.contains("q"))
      #expect(formula.rows(columns: 4000) { _ in 1 } != nil)
    }
  }

  @Test func `a formula with unbalanced braces or brackets keeps its source`() {
    for text in ["{a", "a}", "\\left( a", "a \\right)", "\\begin{cases} a", "x_a_b", "\\frac{a}"] {
      #expect(Formula(latex: text) == .source(text))
    }
  }

  @Test func `an unknown command keeps its arguments`() {
    #expect(
      Formula(latex: "a + \\foo{b}[c] d")
        == .row([.identifier("a"), .symbol("+"), .source("\\foo{b}[c]"), .identifier("d")]))
  }
}
