extension Formula {
  /// The formula on one line in Unicode: `x² + (a + b)/2`, `∑_(i=1)^n xᵢ`.
  ///
  /// Exponents and indices are small letters where Unicode has all of them and no operator stands between them, else
  /// brackets: `2^(n − 1)`. A bracket is written wherever the line could be read in another way without it.
  public var line: String { LineWriter(isASCII: false).whole(self) }

  /// The formula on one line of printable ASCII: `x^2 + (a + b)/2`, `sum_(i=1)^n x_i`.
  ///
  /// A character that has no spelling stands as its number: `{U+4E2D}`.
  ///
  /// Source: asciimath.org, for the names of signs.
  public var ascii: String { LineWriter(isASCII: true).whole(self) }

  /// A formula with an exponent, as HTML's `<sup>` has it: its line is `2^(n − 1)`, or `x²`.
  public static func superscript(_ base: Formula, _ exponent: Formula) -> Formula {
    .scripts(base, sub: nil, sup: exponent)
  }

  /// A formula with an index, as HTML's `<sub>` has it: its line is `H₂`.
  public static func `subscript`(_ base: Formula, _ index: Formula) -> Formula {
    .scripts(base, sub: index, sup: nil)
  }
}
