/// The words that the search index knows.
struct Vocabulary {
  let snapshot: StoreSnapshot

  /// Among how many of the nearest words the one that was meant is looked for.
  private static let mostCandidates = 12
  /// Of beginnings of so many letters the index has all places.
  private static let indexedLetters = 3
  /// Words that are asked for one by one, at most.
  private static let mostWords = 64
  /// Up to how many places of each are counted: first those, and of the words that have so many, more. Counting all
  /// places of a common word takes milliseconds.
  private static let countedPlaces = [500, 5_000, 20_000]

  /// Whether the index has the word, or one that begins with it. In a script without blanks it is not known what a word
  /// is, so everything is one.
  func knows(_ word: String, orBeginning: Bool) throws -> Bool {
    let all = "title summary text"
    guard !SearchQuery(word).isEmpty, !LetterPairs.areNeeded(for: word) else { return true }
    let expression =
      orBeginning ? try expression(ofBeginning: word, in: all) : SearchQuery(word + " ").expression(in: all)
    return try expression.map { try snapshot.value(Self.foundText, $0) == true } ?? false
  }

  /// The expression for all words that begin so; `nil` where there is none.
  ///
  /// The index has the beginnings of three letters. For a longer one it gathers all that begins so before it answers, 5 ms
  /// where that is in 80,000 texts; asked for the words themselves it answers at once.
  func expression(ofBeginning word: String, in columns: String) throws -> String? {
    let query = SearchQuery(word)
    guard let words = try words(beginningWith: word) else {
      return query.isEmpty ? nil : query.expression(in: columns)
    }
    return words.isEmpty ? nil : query.expression(in: columns, endingWith: words)
  }

  /// The words that the last word of a query stands for, where that is the beginning of any; `nil` where the index is asked
  /// for the beginning itself.
  func words(atTheEndOf query: SearchQuery) throws -> [String]? {
    guard query.isOpenEnded, let phrase = query.phrases.last else { return nil }
    let words = SearchQuery(phrase).words
    // Beside what the index takes for no word nothing would be found; SQLite leaves that out only among phrases.
    let others = query.phrases.dropLast()
    guard others.allSatisfy({ $0.utf8.contains { Self.isLetter($0) } }) else { return nil }
    guard words.count == 1, let found = try self.words(beginningWith: words[0]), !found.isEmpty else { return nil }
    return found
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  /// The words that begin so; `nil` where they are too many, or the index has the beginning.
  private func words(beginningWith word: String) throws -> [String]? {
    guard word.count > Self.indexedLetters, !LetterPairs.areNeeded(for: word) else { return nil }
    let words: [String] = try snapshot.all(Self.beginningsText, word, word + "\u{10FFFF}", Self.mostWords) { $0[0] }
    return words.count == Self.mostWords ? nil : words
  }

  private static let beginningsText = StatementText("SELECT term FROM searchTerm WHERE term >= ? AND term < ? LIMIT ?")

  private static let foundText = StatementText("SELECT 1 FROM nodeSearch WHERE nodeSearch MATCH ? LIMIT 1")

  /// The word of the index that is meant by one that it does not have: the nearest one, of equally near ones one that
  /// stands in a title, then the most frequent.
  func correction(of word: String) throws -> String? {
    let letters = Array(word.unicodeScalars)
    let tolerance = EditDistance.tolerance(of: letters)
    guard tolerance > 0 else { return nil }
    // Most slips come after the first letter; the others are looked for one possible first letter at a time.
    let beginning = String(Character(letters[0]))
    return try best(among: candidates(for: letters, tolerance, in: [beginning]))
      ?? best(among: candidates(for: letters, tolerance, in: otherBeginnings(of: letters)))
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
        Self.termsText, [beginning, beginning + "\u{10FFFF}", letters.count - tolerance, letters.count + tolerance]
      ) { row in
        let term: String = row[0]
        if let distance = EditDistance.between(letters, Array(term.unicodeScalars), limit: tolerance) {
          candidates.append(Candidate(word: term, distance: distance, isInTitle: row[1]))
        }
        return true
      }
    }
    return candidates
  }

  private static let termsText = StatementText(
    "SELECT term, inTitle FROM searchTerm WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?")

  /// The best of the nearest candidates that are still in a text.
  private func best(among candidates: [Candidate]) throws -> String? {
    for (_, group) in Dictionary(grouping: candidates, by: \.distance).sorted(by: { $0.key < $1.key }) {
      let likely = group.sorted { ($0.isInTitle ? 0 : 1, $0.word) < ($1.isInTitle ? 0 : 1, $1.word) }
      var left = Array(likely.prefix(Self.mostCandidates))
      for most in Self.countedPlaces {
        let counted = try left.map { (candidate: $0, count: try count(of: $0.word, upTo: most)) }
          .filter { $0.count > 0 }
        let isInTitle = counted.contains { $0.candidate.isInTitle }
        let highest = counted.filter { $0.candidate.isInTitle == isInTitle }.map(\.count).max()
        left = counted.filter { $0.candidate.isInTitle == isInTitle && $0.count == highest }.map(\.candidate)
        if left.count < 2 { break }
      }
      if let best = left.first { return best.word }
    }
    return nil
  }

  /// In how many places a word is, counted up to so many.
  private func count(of word: String, upTo most: Int) throws -> Int {
    try snapshot.interruption?.check()
    return try snapshot.value(Self.countText, SearchQuery(word + " ").expression(in: "title summary text"), most) ?? 0
  }

  private static let countText = StatementText(
    "SELECT count(*) FROM (SELECT 1 FROM nodeSearch WHERE nodeSearch MATCH ? LIMIT ?)")

  /// How the words begin that have another first letter than a slip of them: the first letter left out, swapped with
  /// the second, replaced, or put in.
  private func otherBeginnings(of letters: [Unicode.Scalar]) throws -> [String] {
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
    // A beginning inside another one would be read twice.
    return beginnings.filter { beginning in
      !beginnings.contains { $0 != beginning && beginning.hasPrefix($0) }
    }.sorted()
  }

  /// The letters that words of the index begin with.
  private func firstLetters() throws -> [Unicode.Scalar] {
    var letters: [Unicode.Scalar] = []
    var next = ""
    // An index of all the world's scripts would have thousands; the first few hundred are enough for a guess.
    while letters.count < 200, let term: String = try snapshot.value(Self.nextTermText, next),
      let first = term.unicodeScalars.first, let following = Unicode.Scalar(first.value + 1)
    {
      letters.append(first)
      next = String(Character(following))
    }
    return letters
  }

  private static let nextTermText = StatementText("SELECT term FROM searchTerm WHERE term >= ? LIMIT 1")
}

/// How far two words are from each other.
enum EditDistance {
  /// Returns how many letters must be put in, left out, replaced or swapped with their neighbour to make one word of the
  /// other.
  ///
  /// - Parameter limit: The largest distance of interest.
  /// - Returns: `nil` where the distance is larger than the limit.
  ///
  /// Source: the optimal string alignment distance; Damerau, "A technique for computer detection and correction of
  /// spelling errors", 1964, with the recurrence of Wagner and Fischer.
  static func between(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var line = [row + 1]
      line.reserveCapacity(right.count + 1)
      for (column, other) in right.enumerated() {
        var best = min(line[column] + 1, last[column + 1] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = min(best, beforeLast[column - 1] + 1)
        }
        line.append(best)
      }
      if line.min()! > limit { return nil }
      beforeLast = last
      last = line
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }

  /// The distance at which a word still counts as a slip of the one that was meant: none below three letters, one, and
  /// two from eight letters on.
  static func tolerance(of word: [Unicode.Scalar]) -> Int {
    switch word.count {
    case ..<3: 0
    case ..<8: 1
    default: 2
    }
  }
}
