/// A language whose program text can be told apart into classes of tokens.
///
/// ```swift
/// Language.named("rs")?.runs(of: "let x = 1;")
/// // [0..<3 keyword, 3..<6 plain, 6..<7 operator, 7..<8 plain, 8..<9 number, 9..<10 plain]
/// ```
public struct Language: Sendable {
  /// Its name as people write it, such as `C++`.
  public let name: String
  /// What people call it behind the fence of a code block, in small letters.
  public let aliases: [String]
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
  public func runs(of text: String) -> [HighlightedRun] { scanned(text).runs }

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
