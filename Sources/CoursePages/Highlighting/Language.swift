/// A language whose program text can be told apart into classes of tokens.
///
/// ```swift
/// Language.named("rs")?.runs(of: "let x = 1;")
/// // [0..<3 keyword, 3..<6 plain, 6..<7 operator, 7..<8 plain, 8..<9 number, 9..<10 plain]
/// ```
package struct Language: Sendable {
  /// Its name as people write it, such as `C++`.
  package let name: String
  /// What people call it behind the fence of a code block, in small letters.
  package let aliases: [String]
  let lexicon: Lexicon

  init(_ name: String, aliases: [String], _ grammar: Grammar) {
    self.name = name
    self.aliases = aliases
    lexicon = Lexicon(grammar)
  }

  /// Returns the runs of a text: in order, without gaps, neighbours of different classes.
  ///
  /// Any text has runs, whatever is unclosed or invalid in it. The work grows with the length of the text, and no faster.
  ///
  /// - Parameter text: Program text, or a part of one.
  /// - Returns: Runs that cover the text from its first byte of UTF-8 to its last; none for an empty text.
  package func runs(of text: String) -> [HighlightedRun] { scanned(text).runs }

  /// Returns the runs, and how many bytes the engine looked at to find them.
  func scanned(_ text: String) -> (runs: [HighlightedRun], steps: Int) {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes, lexicon)
      scanner.scan()
      return (scanner.runs, scanner.steps)
    }
  }
}

extension Language {
  /// All languages, in alphabetical order of their names.
  package static let all: [Language] = [
    .c, .cSharp, .cPlusPlus, .console, .css, .diff, .go, .haskell, .html, .java, .javaScript, .json, .kotlin, .python,
    .ruby, .rust, .shell, .sql, .swift, .toml, .typeScript, .yaml,
  ]

  private static let byAlias: [String: Language] = {
    var languages: [String: Language] = [:]
    for language in all {
      for alias in language.aliases { languages[alias] = language }
    }
    return languages
  }()

  /// Returns the language that is meant by the words behind the fence of a code block.
  ///
  /// - Parameter info: Such as `rust`, `Rust,ignore`, `{.python .numberLines}`, `language-js` or `sh title="a"`: the first
  ///   word counts, in letters of any size.
  /// - Returns: The language, or nil where the word names none of ``all``.
  package static func named(_ info: String) -> Language? {
    let word = info.drop { " \t{.".contains($0) }.prefix { !" \t,{}:;".contains($0) }.lowercased()
    return byAlias[word.hasPrefix("language-") ? String(word.dropFirst(9)) : word]
  }
}

/// What a piece of program text is, as far as its colour goes.
package enum TokenClass: UInt8, Sendable, CaseIterable {
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

/// A stretch of text of one class.
package struct HighlightedRun: Hashable, Sendable {
  /// Where it starts, in bytes of UTF-8 from the start of the text.
  package var start: Int
  /// How long it is, in bytes of UTF-8; at least 1.
  package var count: Int
  /// What it is.
  package var tokenClass: TokenClass

  /// Where the next run starts, in bytes of UTF-8.
  package var end: Int { start + count }
}
