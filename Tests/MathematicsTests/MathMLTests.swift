import Mathematics
import TestSupport
import Testing

private func element(_ name: String, _ children: MathElement..., attributes: [String: String] = [:]) -> MathElement {
  MathElement(name, attributes, children.map { .element($0) })
}

private func mi(_ text: String) -> MathElement { MathElement("mi", [:], [.text(text)]) }
private func mn(_ text: String) -> MathElement { MathElement("mn", [:], [.text(text)]) }
private func mo(_ text: String) -> MathElement { MathElement("mo", [:], [.text(text)]) }

struct MathMLTests {
  @Test func `MathML and LaTeX of the same power give equal formulas`() {
    let sum = element("mrow", mi("a"), mo("+"), mi("b"))
    let math = element("math", element("mrow", mi("x"), mo("="), element("msup", element("mfenced", sum), mn("2"))))

    #expect(Formula(mathML: math) == Formula(latex: "x = (a + b)^2"))
    #expect(Formula(mathML: math).line == "x = (a + b)²")
  }

  @Test(arguments: [
    (element("mfrac", element("mrow", mi("a"), mo("+"), mi("b")), mn("2")), "\\frac{a+b}{2}"),
    (element("msqrt", mi("x"), mo("+"), mn("1")), "\\sqrt{x+1}"),
    (element("mroot", mi("x"), mn("3")), "\\sqrt[3]{x}"),
    (element("munderover", mo("∑"), mi("i"), mi("n")), "\\sum_i^n"),
    (element("msubsup", mo("∫"), mn("0"), mn("1")), "\\int_0^1"),
    (element("mover", mi("x"), mo("^")), "\\hat{x}"),
    (element("mover", mi("v"), mo("→")), "\\vec{v}"),
    (element("munder", element("munder", mi("x"), mo("⏟")), mi("n")), "\\underbrace{x}_n"),
    (element("mrow", mi("sin"), mo("\u{2061}"), mi("x")), "\\sin x"),
    (MathElement("mi", ["mathvariant": "double-struck"], [.text("R")]), "\\mathbb{R}"),
    (mi("ℝ"), "\\mathbb{R}"),
    (element("mfenced", mi("a"), mi("b"), attributes: ["open": "[", "close": ")"]), "\\left[ a, b \\right)"),
    (element("mrow", mo("("), mi("a"), mo(")")), "(a)"),
    (element("semantics", mi("x"), MathElement("annotation", [:], [.text("x")])), "x"),
    (
      element("mmultiscripts", mi("M"), element("none"), mi("q"), element("mprescripts"), mi("a"), element("none")),
      "{}_aM^q"
    ),
    (
      element(
        "mrow", mo("{"),
        element(
          "mtable", element("mtr", element("mtd", mi("x")), element("mtd", mi("y"))),
          attributes: ["columnalign": "left left"])), "\\begin{cases} x & y \\end{cases}"
    ),
    (element("mrow", mi("x"), MathElement("mspace", ["width": "1em"])), "x \\quad"),
    (element("menclose", mi("x"), attributes: ["notation": "updiagonalstrike"]), "\\cancel{x}"),
    (element("mstyle", element("mpadded", element("other", mi("x")))), "x"),
    (element("mfrac", mi("n"), mi("k"), attributes: ["linethickness": "0"]), "{n \\atop k}"),
  ])
  func `MathML elements give the same formula as the equivalent LaTeX`(_ element: MathElement, _ latex: String) {
    #expect(Formula(mathML: element) == Formula(latex: latex))
  }

  @Test func `any tree of elements gives a formula with every output`() {
    var random = SplitMix64(seed: 45)
    for _ in 0..<500 {
      let formula = Formula(mathML: Self.tree(&random, height: 4))

      #expect(!formula.line.contains("\n"))
      _ = (formula.spokenText, formula.rows(columns: 80) { _ in 1 })
      #expect(formula.ascii.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
      _ = Formula(latex: formula.latex)
    }
  }

  @Test func `elements that are nested too deeply are replaced by an ellipsis`() {
    var deep = mi("x")
    for _ in 0..<500 { deep = element("msqrt", deep) }

    #expect(Formula(mathML: deep).line.contains("…"))
  }

  private static let names = [
    "mrow", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr",
    "mtd", "mfenced", "menclose", "mmultiscripts", "mprescripts", "none", "semantics", "mstyle", "mphantom", "other",
  ]

  private static func tree(_ random: inout SplitMix64, height: Int) -> MathElement {
    if height == 0 || random.oneIn(4) {
      let texts = [
        "x", "12", "+", "(", ")", "{", "sin", "", " a b ", "\n", "^", "~", "→", "\u{301}", "′′", "-3", "|", "&",
      ]
      let name = ["mi", "mn", "mo", "mtext", "mspace"][random.below(5)]
      return MathElement(
        name, random.oneIn(5) ? ["mathvariant": "bold"] : [:], [.text(texts[random.below(texts.count)])])
    }
    let children = (0..<random.below(5)).map { _ in
      MathElement.Child.element(tree(&random, height: height - 1))
    }
    return MathElement(names[random.below(names.count)], [:], children)
  }
}
