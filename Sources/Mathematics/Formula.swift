/// A formula by its structure: what a course writes as LaTeX or MathML, and a terminal shows as a line or as rows.
///
/// The readers make it in one form only: rows are flat and never hold a single formula, brackets that belong together
/// are ``fenced(open:_:close:)``, and a style stands at the letters, so that formulas that mean the same are equal.
public indirect enum Formula: Hashable, Sendable {
  /// A variable of one letter, or a name of several, such as `sin` or `Im`.
  case identifier(String)
  /// A number as it is written: `3.8`, `1,000`.
  case number(String)
  /// An operator, a relation, a bracket that has no partner, or another sign.
  case symbol(String)
  /// Words within a formula, their spaces included.
  case text(String)
  /// A fraction; without a bar it is what stands in the brackets of a binomial coefficient.
  case fraction(Formula, over: Formula, hasBar: Bool)
  /// A root: square where it has no index.
  case root(Formula, index: Formula?)
  /// An index and an exponent, at least one of them. The base may be the empty row.
  case scripts(Formula, sub: Formula?, sup: Formula?)
  /// What stands below and above: the limits of a sum, a word above an arrow, the words at a brace.
  case limits(Formula, under: Formula?, over: Formula?)
  /// A mark above or below a formula.
  case accent(Accent, Formula)
  /// A formula in brackets; an empty string stands for the one that is left out.
  case fenced(open: String, Formula, close: String)
  /// A matrix, cases, or equations one below the other.
  case table(Table)
  /// Letters of a style of their own, such as ℝ: an identifier, a number or a text.
  case styled(Style, Formula)
  /// What stands side by side.
  case row([Formula])
  /// A space that the author put there.
  case space(Space)
  /// What is not known, as it is written.
  case source(String)
}

extension Formula {
  /// A mark above or below a formula.
  public enum Accent: String, Hashable, Sendable, CaseIterable {
    case hat, bar, vec, tilde, dot, ddot, dddot, check, breve, acute, grave, ring
    case overline, underline, overbrace, underbrace, overleftarrow, cancel
  }

  /// A style that makes other letters of letters.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case bold, script, fraktur, blackboard, sans, monospace
  }

  /// A space, from none to the width of two letters M.
  public enum Space: String, Hashable, Sendable, CaseIterable {
    case negative, thin, medium, thick, word, quad, doubleQuad
  }

  /// Formulas in rows and columns.
  public struct Table: Hashable, Sendable {
    /// How the columns stand.
    public enum Layout: Hashable, Sendable {
      /// Centred columns.
      case matrix
      /// Columns at the left: values and their conditions.
      case cases
      /// Columns right and left by turns, so that `&=` stands in line.
      case aligned
      /// Whole formulas, one below the other.
      case gathered
      /// One of the letters `l`, `c` and `r` for each column.
      case array(String)
    }

    /// How the columns stand.
    public var layout: Layout
    /// The rows of cells; they may differ in length.
    public var rows: [[Formula]]

    /// A table of cells.
    public init(_ layout: Layout, _ rows: [[Formula]]) {
      self.layout = layout
      self.rows = rows
    }
  }

  /// The formula of nothing.
  public static let empty = Formula.row([])

  /// Whether there is nothing to see of it.
  public var isEmpty: Bool {
    if case .row(let parts) = self { parts.isEmpty } else { false }
  }

  /// The formulas that stand side by side in it: the parts of a row, else itself.
  var parts: [Formula] {
    if case .row(let parts) = self { parts } else { [self] }
  }
}
