import Foundation

/// What a person typed into a search, in the language of the index. Whatever is typed is a valid query.
struct SearchQuery {
  /// The pieces between spaces, or between quotation marks: each must be found, its words beside each other.
  let phrases: [String]
  /// Whether the last word is still being typed, and stands for all that begin so.
  let isOpenEnded: Bool

  init(_ text: String) {
    var phrases: [String] = []
    var current = ""
    var isQuoted = false
    func finish() {
      if current.contains(where: { $0.isLetter || $0.isNumber }) { phrases.append(current) }
      current = ""
    }
    for character in text {
      if character == "\"" || character == "“" || character == "”" {
        finish()
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        finish()
      } else {
        // A NUL would end the statement.
        current.append(character == "\0" ? " " : character)
      }
    }
    isOpenEnded = !current.isEmpty && !isQuoted
    finish()
    self.phrases = phrases
  }

  /// Whether there is nothing to search for.
  var isEmpty: Bool { phrases.isEmpty }

  /// The query over some columns of the index.
  ///
  /// - Parameters:
  ///   - columns: Names of columns, separated by spaces.
  ///   - scope: Words that the scope must have.
  ///
  /// Source: SQLite, "Full-text Query Syntax" of FTS5. Phrases that follow each other without a word between them must
  /// all be found, and one without a letter or digit does not count.
  func expression(in columns: String, scope: [String] = []) -> String {
    var words = phrases.map { "\"\($0)\"" }
    if isOpenEnded { words[words.count - 1] += " *" }
    let limits = scope.map { "scope : \"\($0)\" AND " }.joined()
    return limits + "{\(columns)} : (\(words.joined(separator: " ")))"
  }

  /// Its words as the index knows words: lower case, without accents.
  var words: [String] {
    phrases.flatMap { phrase in
      phrase.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        .split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }
  }
}
