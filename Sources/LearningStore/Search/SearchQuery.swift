import Foundation
import LearningModel

/// A search query that a user has typed, converted for the full-text index. Any text is a valid query.
struct SearchQuery {
  /// The texts between spaces, or between quotation marks. Each phrase must be found, with its words next to each
  /// other.
  let phrases: [String]
  /// Whether the last word may be incomplete, so that it matches all words with this prefix.
  let isOpenEnded: Bool
  /// Whether every word matches all words with this prefix.
  let areBeginnings: Bool
  /// Whether a part of the query is in quotation marks.
  let isQuoted: Bool

  /// The maximum number of characters of a query. A longer text was probably pasted by mistake, and each of its words
  /// would be looked for in every text.
  static let maximumLetters = 500

  /// Creates the query for a typed text.
  ///
  /// - Parameter areBeginnings: Whether every word, not only the last one, is a prefix.
  init(_ text: String, areBeginnings: Bool = false) {
    var phrases: [String] = []
    var current = ""
    var (isQuoted, hasQuotes) = (false, false)
    func finish() {
      if current.contains(where: { $0.isLetter || $0.isNumber }) { phrases.append(current) }
      current = ""
    }
    let text = text.withComposedLetters
    let cut = text.dropFirst(Self.maximumLetters).isEmpty ? nil : text.prefix(Self.maximumLetters)
    // The last word is omitted if the limit cuts it.
    for character in cut.map({ $0[..<($0.lastIndex(where: \.isWhitespace) ?? $0.endIndex)] }) ?? text[...] {
      if character == "\"" || character == "“" || character == "”" {
        finish()
        isQuoted.toggle()
        hasQuotes = true
      } else if character.isWhitespace, !isQuoted {
        finish()
      } else {
        // A NUL would end the FTS5 expression.
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

  var isEmpty: Bool { phrases.isEmpty }

  /// Returns the FTS5 expression for some columns of the index.
  ///
  /// - Parameters:
  ///   - columns: Names of columns, separated by spaces.
  ///   - scope: The course and kind to which the search is limited.
  ///   - beginnings: The words that begin with the last word of the query, which are searched instead of the prefix. If
  ///     `nil`, the prefix itself is searched.
  ///
  /// Source: SQLite, "Full-text Query Syntax" of FTS5. Phrases that follow each other without an operator must all be
  /// found, and a phrase without a letter or digit is ignored.
  func expression(
    in columns: String, scope: SearchScope = SearchScope(), endingWith beginnings: [String]? = nil
  ) -> String {
    let expressions = phrases.enumerated().map { index, phrase in
      if let beginnings, index == phrases.count - 1 {
        return (index == 0 ? "" : "AND ") + "(" + beginnings.map { "\"\($0)\"" }.joined(separator: " OR ") + ")"
      }
      let isBeginning = areBeginnings || isOpenEnded && index == phrases.count - 1
      let converted = LetterPairs.phrase(phrase, isBeginning: isBeginning) ?? (phrase, isBeginning)
      return "\"\(converted.text)\"" + (converted.isBeginning ? " *" : "")
    }
    return scope.expression + "{\(columns)} : (\(expressions.joined(separator: " ")))"
  }

  /// The words in the form that the index uses: lower case, without accents.
  var words: [String] {
    phrases.flatMap { phrase in
      phrase.foldedForSearch.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }
  }
}

/// The nodes to which a search is limited, and the course that it prefers.
struct SearchScope {
  var course: NodeID?
  var kind: ContentKind?
  /// The course whose nodes are sorted first, or `nil`.
  var preferred: NodeID?

  /// The beginning of an FTS5 expression that limits the search. In the index, each node has a word for its course and
  /// one for its kind.
  var expression: String {
    words.map { "scope : \"\($0)\" AND " }.joined()
  }

  /// The number of phrases in ``expression``.
  var phraseCount: Int { words.count }

  private var words: [String] {
    [course.map { "course\($0.rawValue)" }, kind.map { "kind\($0.rawValue)" }].compactMap(\.self)
  }
}

/// The distinct words of some texts in the form that the index uses: lower case, without accents.
struct SearchTerms {
  /// For each word, whether it occurs in a title.
  private(set) var inTitle: [String: Bool] = [:]
  /// The hashes of the words that were already added, before conversion to lower case without accents. The first set is
  /// for words outside titles, the second for words in titles.
  fileprivate var seenHashes: [Set<UInt64>] = [[], []]
  private let knownTerms: KnownTerms
  private let tokenizer: WordTokenizer

  /// Creates an empty collection of words.
  ///
  /// - Parameter knownTerms: Words that are omitted because the database already contains them.
  init(with tokenizer: IndexTokenizer, besides knownTerms: KnownTerms = KnownTerms()) {
    self.knownTerms = knownTerms
    self.tokenizer = WordTokenizer(tokenizer)
  }

  /// Adds the words of a text.
  ///
  /// Source: SQLite, "Unicode61 Tokenizer" of FTS5: in ASCII, words consist of letters and digits. Words with other
  /// characters are split by that tokenizer.
  mutating func add(_ text: String, isTitle: Bool) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var isASCII = true
        while end < bytes.count, let letter = Self.folded(bytes[end]) {
          // Source: Fowler, Noll and Vo, FNV-1a of 64 bits.
          hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3
          isASCII = isASCII && letter < 0x80
          end += 1
        }
        // Most words were already added before.
        if end > start, !knownTerms.contains(hash, inTitle: isTitle), seenHashes[isTitle ? 1 : 0].insert(hash).inserted
        {
          let word = String(decoding: bytes[start..<end], as: UTF8.self)
          if isASCII { collect(word.lowercased(), isTitle) } else { addVariants(of: word, isTitle) }
        }
        start = end + 1
      }
    }
  }

  /// Returns a letter or digit in lower case, a byte of a non-ASCII character unchanged, or `nil` for a separator.
  private static func folded(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
    default: nil
    }
  }

  private mutating func addVariants(of word: String, _ isTitle: Bool) {
    guard LetterPairs.areNeeded(for: word) else { return collect(tokensOf: word, isTitle) }
    // Pairs are not words, and misspellings of them are not corrected.
    for run in LetterPairs.runs(of: word) where !run.isPaired {
      collect(tokensOf: LetterPairs.plain(run.text), isTitle)
    }
  }

  private mutating func collect(tokensOf text: String, _ isTitle: Bool) {
    for word in tokenizer.all(in: text) { collect(String(decoding: word, as: UTF8.self), isTitle) }
  }

  private mutating func collect(_ term: String, _ isTitle: Bool) {
    inTitle[term] = isTitle || inTitle[term] == true
  }
}

extension SearchTerms {
  /// Removes the words that the database already contains.
  mutating func removeKnownTerms(in snapshot: StoreSnapshot) throws {
    for (term, isTitle) in inTitle {
      if try snapshot.value(Self.knownSQL, term, isTitle) == true { inTitle[term] = nil }
    }
  }

  private static let knownSQL = StatementText("SELECT 1 FROM searchTerm WHERE term = ? AND inTitle >= ?")

  /// Adds the words to the database.
  func write(in transaction: StoreTransaction) throws {
    for (term, isTitle) in inTitle.sorted(by: { $0.key < $1.key }) {
      try transaction.run(Self.addSQL, term, isTitle)
    }
  }

  private static let addSQL = StatementText(
    """
    INSERT INTO searchTerm (term, inTitle) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET inTitle = 1 WHERE excluded.inTitle > inTitle
    """)
}

/// Words that the database certainly contains, because this process has written or read them. Words are never deleted
/// from the database. In a hundred thousand texts, nearly every word has already occurred before.
struct KnownTerms {
  /// The maximum number of words, so that a library in many languages does not use too much memory.
  private static let maximumCount = 200_000
  private var hashes: [Set<UInt64>] = [[], []]

  /// Returns whether the database contains the word with the given hash. If `inTitle` is `true`, only words that occur
  /// in titles count.
  fileprivate func contains(_ hash: UInt64, inTitle: Bool) -> Bool {
    hashes[1].contains(hash) || !inTitle && hashes[0].contains(hash)
  }

  /// Adds words that were written to the database.
  mutating func add(_ terms: SearchTerms) {
    if hashes[0].count + hashes[1].count > Self.maximumCount { hashes = [[], []] }
    for index in hashes.indices { hashes[index].formUnion(terms.seenHashes[index]) }
  }
}
