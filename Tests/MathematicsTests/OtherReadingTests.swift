import Mathematics
import Testing

/// Compares the formulas of real courses with the output of other libraries.
@Suite(.enabled(if: SampleFormulas.folder != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct OtherReadingTests {
  @Test func `every sample formula is equal after writing and parsing LaTeX`() throws {
    let formulas = try SampleFormulas.all()

    #expect(formulas.count > 250)
    for latex in formulas {
      let formula = Formula(latex: latex)
      #expect(Formula(latex: formula.latex) == formula, "\(latex)")
    }
  }

  @Test(.enabled(if: Oracle.has("latex2mathml"), "WAYMARK_ORACLE_PYTHON does not name a Python with latex2mathml"))
  func `latex2mathml gives MathML for the same formula`() throws {
    let formulas = try SampleFormulas.all()

    let elements = try Oracle.answer("latex2mathml-oracle.py", formulas, as: [MathTree?].self)

    var compared = 0
    for (latex, element) in zip(formulas, elements) {
      if Self.exceptions.contains(where: { latex.hasPrefix($0.start) }) { continue }
      let element = try #require(element, "\(latex)")
      #expect(
        Formula(mathML: element.element).comparable == Formula(latex: latex).comparable, "\(latex)")
      compared += 1
    }
    #expect(formulas.count - compared == 5)
    print("latex2mathml:", compared, "formulas alike,", formulas.count - compared, "left out")
  }

  @Test(.enabled(if: Oracle.has("sympy, lark"), "WAYMARK_ORACLE_PYTHON does not name a Python with SymPy and lark"))
  func `the line of a formula has the value that SymPy computes`() throws {
    let formulas = try SampleFormulas.all()

    let judgements = try Oracle.answer(
      "value-oracle.py", formulas.map { [$0, Formula(latex: $0).line] }, as: [String].self)

    for (latex, judgement) in zip(formulas, judgements) {
      #expect(["same", "unread"].contains(judgement), "\(latex)")
    }
    #expect(judgements.count { $0 == "same" } > 100)
    print("SymPy:", judgements.count { $0 == "same" }, "formulas of the same value, of", formulas.count)
  }

  @Test(.enabled(if: Oracle.has("sympy, lark"), "WAYMARK_ORACLE_PYTHON does not name a Python with SymPy and lark"))
  func `the lines of random terms have the values that SymPy computes`() throws {
    var random = RandomFormulas(seed: 43)
    let terms = (0..<150).map { _ in random.term(height: 3) }

    let judgements = try Oracle.answer("value-oracle.py", terms.map { [$0.plainLaTeX, $0.line] }, as: [String].self)

    for (term, judgement) in zip(terms, judgements) {
      #expect(["same", "unread"].contains(judgement), "\(term.latex)")
    }
    #expect(judgements.count { $0 == "same" } > 100)
    print("SymPy:", judgements.count { $0 == "same" }, "random terms of the same value, of", terms.count)
  }

  /// The formulas that latex2mathml reads differently, with the reason.
  private static let exceptions: [(start: String, reason: String)] = [
    ("\\begin{aligned}", "it does not know the environment, and takes its columns and rows for signs"),
    ("\\begin{align}", "it numbers the equations, in a column that the text does not have"),
    ("\\LaTeX", "it draws the name with letters that are moved"),
    ("-?[0-9]+\\.", "a regular expression in brackets of mathematics; the point with a backslash is no command"),
  ]
}

/// An element in the output of the script.
private struct MathTree: Decodable {
  var element: MathElement

  private enum Child: Decodable {
    case text(String)
    case tree(MathTree)

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        self = .text(text)
      } else {
        self = .tree(try MathTree(from: decoder))
      }
    }
  }

  private enum Key: CodingKey { case name, attributes, children }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let children = try values.decode([Child].self, forKey: .children).map { child -> MathElement.Child in
      switch child {
      case .text(let text): .text(text)
      case .tree(let tree): .element(tree.element)
      }
    }
    element = MathElement(
      try values.decode(String.self, forKey: .name),
      try values.decode([String: String].self, forKey: .attributes), children)
  }
}

extension Formula {
  /// The formula without distinctions that MathML lacks: spaces, names of several letters, and commas in numbers.
  fileprivate var comparable: Formula {
    switch self {
    case .identifier(let name): return .joined(name.filter { $0 != " " }.map { .identifier(String($0)) })
    case .space: return .empty
    case .text(let text): return .text(text.split(separator: " ").joined(separator: " "))
    case .row(let elements): return .joined(elements.map(\.comparable))
    case .number(let number) where number.contains(","):
      return .joined(
        number.split(separator: ",").flatMap { [Formula.symbol(","), .number(String($0))] }.dropFirst().map(\.self))
    case .fraction(let above, let below, let bar):
      return .fraction(above.comparable, over: below.comparable, hasBar: bar)
    case .root(let radicand, let index): return .root(radicand.comparable, index: index?.comparable)
    case .scripts(let base, let sub, let sup):
      return .scripts(base.comparable, sub: sub?.comparable, sup: sup?.comparable)
    case .limits(let base, let under, let over):
      return .limits(base.comparable, under: under?.comparable, over: over?.comparable)
    case .accent(let accent, let base): return .accent(accent, base.comparable)
    case .fenced(let open, let inner, let close): return .fenced(open: open, inner.comparable, close: close)
    case .table(let table): return .table(.init(table.layout, table.rows.map { $0.map(\.comparable) }))
    case .number, .symbol, .styled, .source: return self
    }
  }
}
