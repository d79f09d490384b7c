import Foundation
import GRDB
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

/// The words of some texts as the index has them, each once: lower case, without accents.
struct SearchTerms {
  /// Each word, and whether it stands in a title.
  private(set) var inTitle: [String: Bool] = [:]
  /// The words that came before, as they are written, by their hashes: of other texts, and of titles.
  fileprivate var seen: [Set<UInt64>] = [[], []]
  private let known: KnownTerms
  private let tokenizer: any FTS5Tokenizer

  /// - Parameter known: Words that are left out.
  init(for database: Database, besides known: KnownTerms = KnownTerms()) throws {
    self.known = known
    // As the table of the index says.
    tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
  }

  /// Adds the words of a text.
  ///
  /// Source: SQLite, "Unicode61 Tokenizer" of FTS5: of ASCII, letters and digits make words. What has other letters is
  /// handed to it.
  mutating func add(_ text: String, isTitle: Bool) throws {
    var text = text
    try text.withUTF8 { bytes in
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
        // Most words have come before.
        if end > start, !known.contains(hash, inTitle: isTitle), seen[isTitle ? 1 : 0].insert(hash).inserted {
          let word = String(decoding: bytes[start..<end], as: UTF8.self)
          if isASCII { note(word.lowercased(), isTitle) } else { try addOthers(of: word, isTitle) }
        }
        start = end + 1
      }
    }
  }

  /// The letter or digit in lower case; `nil` for what stands between words.
  private static func folded(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
    default: nil
    }
  }

  private mutating func addOthers(of word: String, _ isTitle: Bool) throws {
    guard LetterPairs.areNeeded(for: word) else { return try note(tokensOf: word, isTitle) }
    // Pairs are not words, and there is no slip of one.
    for run in LetterPairs.runs(of: word) where !run.isPaired {
      try note(tokensOf: LetterPairs.plain(run.text), isTitle)
    }
  }

  private mutating func note(tokensOf text: String, _ isTitle: Bool) throws {
    for (token, _) in try tokenizer.tokenize(document: text) { note(token, isTitle) }
  }

  private mutating func note(_ term: String, _ isTitle: Bool) {
    inTitle[term] = isTitle || inTitle[term] == true
  }
}

extension SearchTerms {
  /// Leaves out what the database has already.
  mutating func removeKnown(in snapshot: StoreSnapshot) throws {
    for (term, isTitle) in inTitle {
      if try snapshot.value(Self.knownText, term, isTitle) == true { inTitle[term] = nil }
    }
  }

  private static let knownText = StatementText("SELECT 1 FROM searchTerm WHERE term = ? AND inTitle >= ?")

  /// Adds them to the database.
  func write(in transaction: StoreTransaction) throws {
    for (term, isTitle) in inTitle.sorted(by: { $0.key < $1.key }) {
      try transaction.run(Self.addText, term, isTitle)
    }
  }

  private static let addText = StatementText(
    """
    INSERT INTO searchTerm (term, inTitle) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET inTitle = 1 WHERE excluded.inTitle > inTitle
    """)
}

/// Words that the database has for certain, since this process has put them there or seen them there: words are never
/// taken away. Of a hundred thousand texts nearly every word has come before.
struct KnownTerms {
  /// How many are remembered at most, so that a library of all languages does not fill the memory.
  private static let most = 200_000
  private var hashes: [Set<UInt64>] = [[], []]

  /// Whether the database has the word, in a title where that is asked for.
  fileprivate func contains(_ hash: UInt64, inTitle: Bool) -> Bool {
    hashes[1].contains(hash) || !inTitle && hashes[0].contains(hash)
  }

  /// Remembers words that have been written.
  mutating func add(_ terms: SearchTerms) {
    if hashes[0].count + hashes[1].count > Self.most { hashes = [[], []] }
    for index in hashes.indices { hashes[index].formUnion(terms.seen[index]) }
  }
}
