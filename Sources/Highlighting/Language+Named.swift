extension Language {
  /// All languages, in alphabetical order of their names.
  public static let all: [Language] = [
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
  public static func named(_ info: String) -> Language? {
    let word = info.drop { " \t{.".contains($0) }.prefix { !" \t,{}:;".contains($0) }.lowercased()
    return byAlias[word.hasPrefix("language-") ? String(word.dropFirst(9)) : word]
  }
}
