/// The words that occur in the search index.
struct Vocabulary {
  let snapshot: StoreSnapshot

  /// The maximum number of most similar words from which a correction is chosen.
  private static let maximumCandidates = 12
  /// The number of letters of the prefixes that are stored in the index.
  private static let indexedLetters = 3
  /// The maximum number of words that replace a prefix in a query.
  private static let maximumWords = 64
  /// The limits up to which the occurrences of candidates are counted. Candidates that reach a limit are counted again
  /// up to the next one. Counting all occurrences of a common word would take milliseconds.
  private static let countedPlaces = [500, 5_000, 20_000]

  /// Returns whether the index contains a word, or if `orBeginning`, a word that begins with it. Returns `true` for any
  /// text in a script without spaces, because its words are unknown.
  func contains(_ word: String, orBeginning: Bool) throws -> Bool {
    let all = "title summary text"
    guard !SearchQuery(word).isEmpty, !LetterPairs.areNeeded(for: word) else { return true }
    let expression =
      orBeginning ? try expression(ofPrefix: word, in: all) : SearchQuery(word + " ").expression(in: all)
    return try expression.map { try snapshot.value(Self.foundSQL, $0) == true } ?? false
  }

  /// Returns the FTS5 expression for all words with a prefix, or `nil` if there are no such words.
  ///
  /// The index stores prefixes of three letters. For a longer prefix, FTS5 first collects all matching words, which
  /// takes 5 ms if they occur in 80,000 texts. A query for the words themselves returns its first row at once.
  func expression(ofPrefix word: String, in columns: String) throws -> String? {
    let query = SearchQuery(word)
    guard let completions = try self.completions(of: word) else {
      return query.isEmpty ? nil : query.expression(in: columns)
    }
    return completions.isEmpty ? nil : query.expression(in: columns, endingWith: completions)
  }

  /// Returns the words that begin with the last word of a query, if that word is a prefix. Returns `nil` if the query
  /// must use the prefix itself.
  func completions(of query: SearchQuery) throws -> [String]? {
    guard query.isOpenEnded, let phrase = query.phrases.last else { return nil }
    let words = SearchQuery(phrase).words
    // FTS5 ignores a phrase without words only next to other phrases. Next to an expression in parentheses, such a
    // phrase would match nothing.
    let others = query.phrases.dropLast()
    guard others.allSatisfy({ $0.utf8.contains { Self.isLetter($0) } }) else { return nil }
    guard words.count == 1, let completions = try self.completions(of: words[0]), !completions.isEmpty else {
      return nil
    }
    return completions
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  /// Returns the words with a prefix. Returns `nil` if there are too many of them, or if the index stores the prefix
  /// itself.
  private func completions(of word: String) throws -> [String]? {
    guard word.count > Self.indexedLetters, !LetterPairs.areNeeded(for: word) else { return nil }
    let words: [String] = try snapshot.all(Self.beginningsSQL, word, word + "\u{10FFFF}", Self.maximumWords) { $0[0] }
    return words.count == Self.maximumWords ? nil : words
  }

  private static let beginningsSQL = StatementText("SELECT term FROM searchTerm WHERE term >= ? AND term < ? LIMIT ?")

  private static let foundSQL = StatementText("SELECT 1 FROM nodeSearch WHERE nodeSearch MATCH ? LIMIT 1")

  /// Returns the correction of a word that the index does not contain, or `nil` if no word is similar. Chooses the most
  /// similar word; if several are equally similar, one that occurs in a title, then the most frequent one.
  func correction(of word: String) throws -> String? {
    let letters = Array(word.unicodeScalars)
    let tolerance = EditDistance.tolerance(of: letters)
    guard tolerance > 0 else { return nil }
    // Most misspellings begin with the correct letter. For the others, each possible first letter is tried.
    let beginning = String(Character(letters[0]))
    return try bestCandidate(among: candidates(for: letters, tolerance, in: [beginning]))
      ?? bestCandidate(among: candidates(for: letters, tolerance, in: variantPrefixes(of: letters)))
  }

  private struct Candidate {
    let word: String
    let distance: Int
    let isInTitle: Bool
  }

  private func candidates(
    for letters: [Unicode.Scalar], _ tolerance: Int, in beginnings: [String]
  ) throws -> [Candidate] {
    var candidates: [Candidate] = []
    for beginning in beginnings {
      try snapshot.interruption?.check()
      try snapshot.statements.run(
        Self.termsSQL, [beginning, beginning + "\u{10FFFF}", letters.count - tolerance, letters.count + tolerance]
      ) { row in
        let term: String = row[0]
        if let distance = EditDistance.distance(letters, Array(term.unicodeScalars), limit: tolerance) {
          candidates.append(Candidate(word: term, distance: distance, isInTitle: row[1]))
        }
        return true
      }
    }
    return candidates
  }

  private static let termsSQL = StatementText(
    "SELECT term, inTitle FROM searchTerm WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?")

  /// Returns the best of the most similar candidates that still occur in a text.
  private func bestCandidate(among candidates: [Candidate]) throws -> String? {
    for (_, group) in Dictionary(grouping: candidates, by: \.distance).sorted(by: { $0.key < $1.key }) {
      let likely = group.sorted { ($0.isInTitle ? 0 : 1, $0.word) < ($1.isInTitle ? 0 : 1, $1.word) }
      var remaining = Array(likely.prefix(Self.maximumCandidates))
      for limit in Self.countedPlaces {
        let counted = try remaining.map { (candidate: $0, count: try count(of: $0.word, upTo: limit)) }
          .filter { $0.count > 0 }
        let isInTitle = counted.contains { $0.candidate.isInTitle }
        let highest = counted.filter { $0.candidate.isInTitle == isInTitle }.map(\.count).max()
        remaining = counted.filter { $0.candidate.isInTitle == isInTitle && $0.count == highest }.map(\.candidate)
        if remaining.count < 2 { break }
      }
      if let best = remaining.first { return best.word }
    }
    return nil
  }

  /// Returns the number of nodes that contain a word, counted up to a limit.
  private func count(of word: String, upTo limit: Int) throws -> Int {
    try snapshot.interruption?.check()
    return try snapshot.value(Self.countSQL, SearchQuery(word + " ").expression(in: "title summary text"), limit) ?? 0
  }

  private static let countSQL = StatementText(
    "SELECT count(*) FROM (SELECT 1 FROM nodeSearch WHERE nodeSearch MATCH ? LIMIT ?)")

  /// Returns the possible prefixes of words that differ from a misspelling in the first letter: the first letter was
  /// omitted, swapped with the second, replaced or added.
  private func variantPrefixes(of letters: [Unicode.Scalar]) throws -> [String] {
    func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    let second = letters.dropFirst().prefix(2)
    var beginnings: Set = [text(second), text([letters[1], letters[0]])]
    for first in try firstLetters() where first != letters[0] {
      beginnings.insert(text([first] + second))
      beginnings.insert(text([first] + letters.prefix(2)))
    }
    // A prefix that begins with another prefix would be read twice.
    return beginnings.filter { beginning in
      !beginnings.contains { $0 != beginning && beginning.hasPrefix($0) }
    }.sorted()
  }

  /// Returns the first letters of the words in the index.
  private func firstLetters() throws -> [Unicode.Scalar] {
    var letters: [Unicode.Scalar] = []
    var next = ""
    // An index with all scripts would have thousands of first letters. A few hundred are enough for a correction.
    while letters.count < 200, let term: String = try snapshot.value(Self.nextTermSQL, next),
      let first = term.unicodeScalars.first, let following = Unicode.Scalar(first.value + 1)
    {
      letters.append(first)
      next = String(Character(following))
    }
    return letters
  }

  private static let nextTermSQL = StatementText("SELECT term FROM searchTerm WHERE term >= ? LIMIT 1")
}

/// The number of edits between two words.
enum EditDistance {
  /// Returns the minimum number of letters that must be inserted, deleted, replaced or swapped with a neighbour to
  /// change one word into the other.
  ///
  /// - Parameter limit: The maximum distance.
  /// - Returns: The distance, or `nil` if it exceeds the limit.
  ///
  /// Source: the optimal string alignment distance; Damerau, "A technique for computer detection and correction of
  /// spelling errors", 1964, with the recurrence of Wagner and Fischer.
  static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var line = [row + 1]
      line.reserveCapacity(second.count + 1)
      for (column, other) in second.enumerated() {
        var best = min(line[column] + 1, last[column + 1] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        line.append(best)
      }
      if line.min()! > limit { return nil }
      beforeLast = last
      last = line
    }
    return last[second.count] <= limit ? last[second.count] : nil
  }

  /// Returns the maximum distance at which a word counts as a misspelling: 0 for words of fewer than three letters, 1
  /// for words of fewer than eight letters, otherwise 2.
  static func tolerance(of word: [Unicode.Scalar]) -> Int {
    switch word.count {
    case ..<3: 0
    case ..<8: 1
    default: 2
    }
  }
}
