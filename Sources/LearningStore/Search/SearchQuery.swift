import Foundation
import LearningModel

/// What a person typed into a search, in the language of the index. Whatever is typed is a valid query.
struct SearchQuery {
  /// The pieces between spaces, or between quotation marks: each must be found, its words beside each other.
  let phrases: [String]
  /// Whether the last word is still being typed, and stands for all that begin so.
  let isOpenEnded: Bool
  /// Whether every word stands for all that begin so.
  let areBeginnings: Bool
  /// Whether something is in quotation marks.
  let isQuoted: Bool

  /// Letters at most: a longer text is one that was pasted by mistake, and each of its words would be looked for in
  /// every text.
  static let mostLetters = 500

  /// Makes the query of what was typed.
  ///
  /// - Parameter areBeginnings: Whether every word stands for all that begin so, not only the last one.
  init(_ text: String, areBeginnings: Bool = false) {
    var phrases: [String] = []
    var current = ""
    var (isQuoted, hasQuotes) = (false, false)
    func finish() {
      if current.contains(where: { $0.isLetter || $0.isNumber }) { phrases.append(current) }
      current = ""
    }
    let cut = text.dropFirst(Self.mostLetters).isEmpty ? nil : text.prefix(Self.mostLetters)
    // A word that is cut in two is none.
    for character in cut.map({ $0[..<($0.lastIndex(where: \.isWhitespace) ?? $0.endIndex)] }) ?? text[...] {
      if character == "\"" || character == "“" || character == "”" {
        finish()
        isQuoted.toggle()
        hasQuotes = true
      } else if character.isWhitespace, !isQuoted {
        finish()
      } else {
        // A NUL would end the statement.
        let isSign = character == "\0" || character.unicodeScalars.contains(where: LetterPairs.isSign)
        current.append(isSign ? " " : character)
      }
    }
    isOpenEnded = !current.isEmpty && !isQuoted && cut == nil
    finish()
    self.phrases = phrases
    self.areBeginnings = areBeginnings
    self.isQuoted = hasQuotes
  }

  /// Whether there is nothing to search for.
  var isEmpty: Bool { phrases.isEmpty }

  /// The query over some columns of the index.
  ///
  /// - Parameters:
  ///   - columns: Names of columns, separated by spaces.
  ///   - scope: Where, and for what.
  ///   - beginnings: The words that the last one stands for, which are asked for in its place; `nil` for the beginning
  ///     itself.
  ///
  /// Source: SQLite, "Full-text Query Syntax" of FTS5. Phrases that follow each other without a word between them must
  /// all be found, and one without a letter or digit does not count.
  func expression(
    in columns: String, scope: SearchScope = SearchScope(), endingWith beginnings: [String]? = nil
  ) -> String {
    let words = phrases.enumerated().map { index, phrase in
      if let beginnings, index == phrases.count - 1 {
        return (index == 0 ? "" : "AND ") + "(" + beginnings.map { "\"\($0)\"" }.joined(separator: " OR ") + ")"
      }
      let isBeginning = areBeginnings || isOpenEnded && index == phrases.count - 1
      let words = LetterPairs.phrase(phrase, isBeginning: isBeginning) ?? (phrase, isBeginning)
      return "\"\(words.text)\"" + (words.isBeginning ? " *" : "")
    }
    return scope.expression + "{\(columns)} : (\(words.joined(separator: " ")))"
  }

  /// Its words as the index knows words: lower case, without accents.
  var words: [String] {
    phrases.flatMap { phrase in
      phrase.foldedForSearch.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }
  }
}

/// Where a search looks, and for what kind of node.
struct SearchScope {
  var course: NodeID?
  var kind: ContentKind?
  /// The course whose nodes come first.
  var preferred: NodeID?

  /// What stands before an expression, in the language of the index: each node has a word for its course and one for its
  /// kind.
  var expression: String {
    words.map { "scope : \"\($0)\" AND " }.joined()
  }

  /// How many phrases those are.
  var phraseCount: Int { words.count }

  private var words: [String] {
    [course.map { "course\($0.rawValue)" }, kind.map { "kind\($0.rawValue)" }].compactMap(\.self)
  }
}

extension String {
  /// As the index knows words: lower case, without accents. What is no accent, as the strokes of `が`, stays.
  var foldedForSearch: String {
    guard LetterPairs.areNeeded(for: self) else { return folded }
    return LetterPairs.runs(of: self).map { $0.isPaired ? $0.text : LetterPairs.plain($0.text).folded }.joined()
  }

  private var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
