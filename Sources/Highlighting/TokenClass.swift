/// What a piece of program text is, as far as its colour goes.
public enum TokenClass: UInt8, Sendable, CaseIterable {
  /// Names, brackets, commas, blanks and whatever has no colour of its own.
  case plain
  /// Remarks for people; the output in a console's record.
  case comment
  /// Texts and characters, with their quotes; added lines of a diff.
  case string
  /// Numbers, dates and measures.
  case number
  /// Words of the language itself, names of elements and keys, prompts; lines that a diff takes away.
  case keyword
  /// Names of types and constants, and variables where a sign marks them (`$home`).
  case type
  /// Names of functions where they are declared, functions that the language brings along; headings of a diff.
  case function
  /// Signs that compute, compare or assign.
  case `operator`
}
