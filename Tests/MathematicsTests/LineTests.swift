import Mathematics
import Testing

struct LineTests {
  @Test func `a simple exponent is a superscript character, and other exponents are in parentheses`() {
    #expect(Formula(latex: "2^n + 2^{n - 1}").line == "2ⁿ + 2^(n − 1)")
  }

  @Test func `superscript and subscript make formulas from HTML markup`() {
    let exponent = Formula.joined([.identifier("n"), .symbol("−"), .number("1")])

    #expect(Formula.superscript(.number("2"), exponent).line == "2^(n − 1)")
    #expect(
      Formula.subscript(.identifier("x"), .joined([.identifier("i"), .symbol(","), .identifier("j")])).line == "x_(i,j)"
    )
    #expect(Formula.subscript(.text("H"), .number("2")).line == "H₂")
  }
}
