import GRDB

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
