/// A language whose program text can be divided into tokens.
///
/// ```swift
/// Language.named("rs")?.runs(of: "let x = 1;")
/// // [0..<3 keyword, 3..<6 plain, 6..<7 operator, 7..<8 plain, 8..<9 number, 9..<10 plain]
/// ```
package struct Language: Sendable {
  /// The common name, such as `C++`.
  package let name: String
  /// The names in the info string of a code block, in lower case.
  package let aliases: [String]
  let lexicon: Lexicon

  init(_ name: String, aliases: [String], _ grammar: Grammar) {
    self.name = name
    self.aliases = aliases
    lexicon = Lexicon(grammar)
  }

  /// Returns the runs of a text in order and without gaps. Adjacent runs have different classes.
  ///
  /// Every text has runs, even if it is invalid or contains unclosed tokens. The time is linear in the length of the
  /// text.
  ///
  /// - Parameter text: A program or a part of one.
  /// - Returns: Runs that cover all UTF-8 bytes of the text; empty for an empty text.
  package func runs(of text: String) -> [HighlightedRun] { scanned(text).runs }

  /// Returns the runs and the number of bytes that the scanner read.
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

  /// Returns the language that the info string of a code block names.
  ///
  /// - Parameter info: For example `rust`, `Rust,ignore`, `{.python .numberLines}`, `language-js` or `sh title="a"`.
  ///   Only the first word is used, and case is ignored.
  /// - Returns: The language, or `nil` if no language of ``all`` has this alias.
  package static func named(_ info: String) -> Language? {
    let word = info.drop { " \t{.".contains($0) }.prefix { !" \t,{}:;".contains($0) }.lowercased()
    return byAlias[word.hasPrefix("language-") ? String(word.dropFirst(9)) : word]
  }
}

/// The class of a token, which determines its colour.
package enum TokenClass: UInt8, Sendable, CaseIterable {
  /// Tokens without a colour, such as names, brackets, commas and blanks.
  case plain
  /// Comments; the output in a console session.
  case comment
  /// String and character literals with their quotes; also the added lines of a diff.
  case string
  /// Numbers, dates and measures.
  case number
  /// Keywords, names of elements and keys, prompts; also the removed lines of a diff.
  case keyword
  /// Names of types and constants, and variables with a prefix (`$home`).
  case type
  /// Names of declared functions and of built-in functions; also the headings of a diff.
  case function
  /// Arithmetic, comparison and assignment operators.
  case `operator`
}

/// A range of text with one token class.
package struct HighlightedRun: Hashable, Sendable {
  /// The start, in UTF-8 bytes from the start of the text.
  package var start: Int
  /// The length in UTF-8 bytes, at least 1.
  package var count: Int
  package var tokenClass: TokenClass

  /// The end, in UTF-8 bytes from the start of the text.
  package var end: Int { start + count }
}
