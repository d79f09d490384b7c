import Mathematics
import Testing

struct MathMLWriterTests {
  @Test func `a formula written as MathML is read as the same formula`() {
    let others = ExpectedTests.sources.filter { latex in
      let formula = Formula(latex: latex)
      return Formula(mathML: formula.mathML()) != formula
    }

    #expect(
      others == [
        "a \\equiv b \\pmod{n}", "\\left. x^2 \\right|_{x=0}", "\\left. x + y \\right|_0^1", "\\unknown{x} + 1",
        "\\sum_{\\substack{i<n \\\\ j<m}} x", "\\left. \\frac{df}{dx} \\right|_{x=0}",
      ])
  }

  @Test func `a formula has its LaTeX source as an annotation`() {
    let math = Formula(latex: "\\frac{a}{2}").mathML(isDisplayed: true)

    #expect(
      math
        == element(
          "math", ["display": "block"],
          element(
            "semantics", [:],
            element("mfrac", [:], token("mi", "a"), token("mn", "2")),
            MathElement("annotation", ["encoding": "application/x-tex"], [.text("\\frac{a}{2}")]))))
  }

  @Test func `a function and its argument are separated, and columns are aligned by style`() {
    let math = Formula(latex: "\\sin x").mathML().children
    let table = Formula(latex: "\\begin{aligned} a &= b \\end{aligned}").mathML()

    #expect("\(math)".contains("rspace"))
    #expect("\(table)".contains("text-align: right; padding-right: 0"))
  }

  private func element(_ name: String, _ attributes: [String: String] = [:], _ children: MathElement...) -> MathElement
  {
    MathElement(name, attributes, children.map { .element($0) })
  }

  private func token(_ name: String, _ text: String) -> MathElement { MathElement(name, [:], [.text(text)]) }
}
