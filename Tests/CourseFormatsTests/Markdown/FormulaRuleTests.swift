import LearningModel
import Testing

@testable import CourseFormats

struct FormulaRuleTests {
  private func shown(_ markdown: String, _ rule: FormulaRule) throws -> [String] {
    let dialect = TextDialect(formulas: rule)
    return sketch(
      try MarkdownText.parse(markdown, file: "a.md", limits: .standard, dialect: dialect).blocks.map(\.block)
    )
    .map { $0.replacing("$", with: "¤") }
  }

  /// Returns the formulas of a line, which are between two signs in the expectations.
  private func formulas(_ markdown: String, _ rule: FormulaRule) throws -> [String] {
    let blocks = try MarkdownText.parse(
      markdown, file: "a.md", limits: .standard, dialect: TextDialect(formulas: rule)
    ).blocks.map(\.block)
    return ActivityContent.reading(blocks).formulaSources
  }

  @Test func `numbers, brackets and endings are formulas by pandoc's rule`() throws {
    let line =
      "a $|z|$ b $| z |$ c $5$ d $10$ e $3.5$ f $-5$ g $5x$ h $x$ i $5 + 3$ j $0 < 1$ k $1,2$ n $5,000$ o $2^n$ "
      + "p $\\{1\\}$ q $(5)$ r $X$-axis s $X$s t $n$th u $5$% v $[0, 1]$ w \"$x$\" y ($x$), z $x$ or $p q$, $(-1,1)$是."

    // The same formulas as in the output of pandoc 2.17.
    #expect(
      try formulas(line, .tight) == [
        "|z|", "| z |", "5", "10", "3.5", "-5", "5x", "x", "5 + 3", "0 < 1", "1,2", "5,000", "2^n", "\\{1\\}", "(5)",
        "X", "X", "n", "5", "[0, 1]", "x", "x", "x", "p q", "(-1,1)",
      ])
  }

  @Test func `spaces inside the dollar signs are accepted with a LaTeX command, and everywhere in MyST`() throws {
    let line = "Let $ \\delta \\in (0,1) $ be, $n = 0, \\ldots, $ and $ x $."

    #expect(try formulas(line, .tight) == ["\\delta \\in (0,1)", "n = 0, \\ldots,"])
    #expect(try formulas(line, .spaced) == ["\\delta \\in (0,1)", "n = 0, \\ldots,", "x"])
  }

  @Test func `a formula may be followed by the ending of a word`() throws {
    let line = "Steady-state $\\overline \\pi$s, $x_1$s and $(T+2) \\times (T+2) $matrix, to $1/(rg)$."

    #expect(try formulas(line, .spaced) == ["\\overline \\pi", "x_1", "(T+2) \\times (T+2)", "1/(rg)"])
  }

  @Test(arguments: [
    "It costs $5 and $10, or $20.", "From $5 to $10.", "Set $HOME and $PATH first.", "PATH=$HOME/bin:$PATH",
    "It is 5$ for one and 6$ for two.", "I owe $5 (A$).", "Pay $5/kg or C$6.", "[a]($b) or [c](d$).",
  ])
  func `amounts of money and names of variables are not formulas`(text: String) throws {
    for rule in [FormulaRule.tight, .spaced, .cautious] { #expect(try formulas(text, rule) == [], "\(rule)") }
  }

  @Test func `without a preprocessor, mdBook has formulas only with signs of mathematics`() throws {
    #expect(try formulas("a $5$ b $x$ c $2^n$ d $n$th e $f(t)$", .cautious) == ["x", "2^n", "f(t)"])
  }

  @Test func `a formula may contain text with another formula`() throws {
    #expect(try formulas("So $a = b_\\text{c $d$ e}$ is.", .tight) == ["a = b_\\text{c $d$ e}"])
    #expect(try formulas("Set {$HOME} and $x$.", .tight) == ["x"])
  }

  @Test func `a dollar sign and a backtick enclose a formula`() throws {
    #expect(try shown("With $`a^2`$ and `$`.", .tight) == ["With ¤a^2¤ and `¤`."])
    #expect(try shown("With $`a and `b`$", .tight) == ["With ¤a and `b¤"])
  }

  @Test(arguments: [
    HostileText("dollars", String(repeating: "$x ", count: 50_000)),
    HostileText("dollars with backticks", String(repeating: "$` ", count: 50_000)),
    HostileText("dollars in braces", String(repeating: "$ { ", count: 40_000)),
    HostileText("spaced commands", String(repeating: "$ \\a ", count: 40_000)),
  ])
  func `dollar signs without an end are read in linear time`(hostile: HostileText) throws {
    #expect(try MarkdownText.parse(hostile.text, file: "a.md", limits: .standard).blocks.count == 1)
  }
}
