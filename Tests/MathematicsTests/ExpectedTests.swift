import Foundation
import Mathematics
import Testing

/// Tests with the handwritten table `formulas.txt` in this folder.
///
/// An entry has the form `LaTeX => line`, optionally followed by its drawing: each row begins with `|`, the baseline
/// with `|>`.
struct ExpectedTests {
  private struct Entry {
    var latex: String
    var line: String
    var rows = Formula.Rows(lines: [], baseline: 0)
  }

  private static let table: [Entry] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "formulas.txt")
    var entries: [Entry] = []
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("|"), !line.contains(" => ") {
        if line.hasPrefix("|>") {
          entries[entries.count - 1].rows.baseline = entries[entries.count - 1].rows.lines.count
        }
        entries[entries.count - 1].rows.lines.append(String(line.dropFirst(2)))
      } else if let arrow = line.range(of: " => ") {
        entries.append(Entry(latex: String(line[..<arrow.lowerBound]), line: String(line[arrow.upperBound...])))
      }
    }
    return entries
  }()

  /// The LaTeX sources of the table.
  static var sources: [String] { table.map(\.latex) }

  @Test func `every formula of the table is written as the expected line`() {
    #expect(Self.table.count >= 150)
    for entry in Self.table { #expect(Formula(latex: entry.latex).line == entry.line, "\(entry.latex)") }
  }

  @Test func `formulas of the table are drawn as the expected rows`() {
    let drawn = Self.table.filter { !$0.rows.lines.isEmpty }
    #expect(drawn.count >= 40)
    for entry in drawn {
      #expect(Formula(latex: entry.latex).rows(columns: 120) { $0.cells } == entry.rows, "\(entry.latex)")
    }
  }

  @Test func `a formula that is wider than the page has no rows`() {
    let formula = Formula(latex: "\\frac{a + b}{c}")

    #expect(formula.rows(columns: 4) { $0.cells } == nil)
    #expect(formula.rows(columns: 5) { $0.cells }?.lines == ["a + b", "─────", "  c"])
  }

  @Test func `the width of a row is the number of cells of its characters`() {
    #expect(Formula(latex: "\\frac{中文}{b}").rows(columns: 9) { $0.cells }?.lines == ["中文", "────", " b"])
  }

  @Test func `rows of any formula fit into the requested width`() {
    var random = RandomFormulas(seed: 44)
    for _ in 0..<100 {
      let formula = random.formula(height: 3)
      guard let rows = formula.rows(columns: 60, width: { $0.cells }) else { continue }
      #expect(rows.lines.allSatisfy { $0.map(\.cells).reduce(0, +) <= 60 }, "\(formula.latex)")
      #expect(rows.lines.indices.contains(rows.baseline))
    }
  }

  @Test(arguments: [
    ("2^{n-1} + x_i", "2 to the power n minus 1, plus x sub i"),
    ("\\sqrt{x+1} - \\sqrt{x}", "the square root of x plus 1, end of root, minus the square root of x"),
    ("\\frac{a}{b} + \\frac{1}{x+1}", "the fraction a over b plus the fraction 1 over x plus 1, end of fraction,"),
    ("\\sum_{i=1}^n x_i", "the sum from i equals 1 to n of x sub i"),
    ("\\lim_{x \\to 0} f(x)", "the limit as x to 0, of f of x"),
    ("{\\sqrt{x}}^2", "open bracket the square root of x close bracket squared"),
    ("\\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}", "the matrix of 2 by 2: 1, 0; 0, 1; end of matrix,"),
    ("\\vec{v} \\in \\mathbb{R}^3", "vector v in blackboard capital R cubed"),
    ("A \\cap B = \\emptyset", "capital A intersected with capital B equals the empty set"),
    (
      "\\left|x - y\\right| \\le \\epsilon",
      "the absolute value of x minus y, end of absolute value, is at most epsilon"
    ),
    ("\\binom{n}{k}", "n choose k"),
  ])
  func `a formula is written in words`(_ latex: String, _ expected: String) {
    #expect(Formula(latex: latex).spokenText == expected)
  }

  @Test(arguments: [
    ("\\alpha \\le \\sqrt{x} \\to \\infty", "alpha <= sqrt(x) -> oo"),
    ("x_i^2 + x_i y", "x_i^2 + x_i y"),
    ("2\\pi r \\times \\mathbf{v}", "2 pi r xx bb(v)"),
    ("\\sum_{i=1}^n \\frac{a_i}{2}", "sum_(i=1)^n (a_i/2)"),
    ("\\lfloor \\hat{x} \\rfloor \\not= f'", "floor(hat(x)) != f'"),
    ("\\text{中}", "{U+4E2D}"),
  ])
  func `a formula is written as a line of ASCII`(_ latex: String, _ line: String) {
    #expect(Formula(latex: latex).ascii == line)
  }
}

extension Character {
  /// The number of cells that a text takes. Sufficient for the characters in these tests.
  fileprivate var cells: Int { ("\u{4E00}"..."\u{9FFF}").contains(self) ? 2 : 1 }
}
