extension StyledText {
  /// Breaks this text into lines of at most so many columns.
  ///
  /// Lines break at spaces, behind hyphens inside words, around East Asian ideographs (but not before closing
  /// punctuation or behind opening punctuation), at invisible break places, and at line feeds; never at a no-break
  /// space. A word longer than a line breaks between clusters. Spaces at the end of a line are left out, those at the
  /// beginning of the text stay.
  ///
  /// - Parameters:
  ///   - width: Columns of a line, indent included; less than 2 counts as 2, so that any character fits.
  ///   - indent: Blank columns before the first line.
  ///   - hangingIndent: Blank columns before each line after it, and `indent` by default. An indent that leaves less
  ///     than 2 columns is shortened.
  ///   - overflowing: Whether a word that is longer than a line stays whole, and its line is longer then.
  /// - Returns: At least one line; an empty text is one empty line.
  ///
  /// Source: Unicode Standard Annex 14, its classes drawn together into those that matter on cells.
  public func wrapped(
    to width: Int, indent: Int = 0, hangingIndent: Int? = nil, overflowing: Bool = false
  ) -> [StyledLine] {
    var breaker = LineBreaker(
      width: width, indent: indent, hangingIndent: hangingIndent ?? indent, overflows: overflowing)
    for run in runs { breaker.add(run) }
    return breaker.finish()
  }
}

extension StringProtocol {
  /// Breaks this text into lines of at most so many columns; see `StyledText.wrapped(to:indent:hangingIndent:overflowing:)`.
  public func wrapped(to width: Int) -> [String] {
    StyledText(String(self)).wrapped(to: width).map(\.text)
  }
}
