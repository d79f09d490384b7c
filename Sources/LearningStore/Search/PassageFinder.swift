package import LearningModel

/// Finds the passage of a text that shows best why a search has found the text.
///
/// FTS5 has a function for this, but it evaluates the whole query again for each text. That takes 5 ms if a prefix of
/// four letters matches words of 80,000 texts. Reading one text takes a fraction of a millisecond.
struct PassageFinder {
  private let words: WordTokenizer
  private let phrases: [SearchedPhrase]
  /// The maximum number of words of a passage.
  private let length: Int

  /// Creates a finder for a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - length: The maximum number of words of a passage, at least 1.
  init(for query: SearchQuery, length: Int, with tokenizer: IndexTokenizer) {
    let tokenizer = WordTokenizer(tokenizer)
    let phrases = query.phrases.map { phrase in
      // A phrase has at most 64 words, because each word is one bit of a `UInt64`.
      Array(tokenizer.all(in: phrase).prefix(64))
    }
    self.words = tokenizer
    self.phrases = phrases.enumerated().filter { !$0.element.isEmpty }.map { index, phrase in
      SearchedPhrase(
        words: phrase,
        isOpenEnded: query.areBeginnings || query.isOpenEnded && index == phrases.count - 1)
    }
    self.length = max(1, length)
  }

  /// Returns the best passage, or `nil` if the text contains no match.
  func passage(of text: String) -> Snippet? {
    let reader = read(text, for: phrases)
    let matches = reader.best
    guard !matches.isEmpty else { return nil }
    let window = reader.window(around: matches) { number in
      let place = text.utf8.index(text.startIndex, offsetBy: reader.wordRanges[number].lowerBound)
      let before = text.unicodeScalars[..<place].suffix(4).reversed().drop(while: Self.sentencePunctuation.contains)
      return before.first.map(Self.endsOfSentences.contains) ?? (reader.wordRanges[number].lowerBound < 4)
    }
    return Snippet(
      of: text, reader.wordRanges[window], matches: matches.map { letters(of: $0, reader.wordRanges, in: text) },
      limit: 12 * length)
  }

  /// Returns the whole of a short text with its matches marked, or `nil` if the text contains no match.
  func completeText(_ text: String) -> Snippet? {
    let reader = read(text, for: phrases)
    guard !reader.matches.isEmpty else { return nil }
    let matches = reader.matches.map { letters(of: $0, reader.wordRanges, in: text) }
    return Snippet(
      of: text, [0..<text.utf8.count], matches: matches.sorted { $0.lowerBound < $1.lowerBound }, limit: .max)
  }

  /// Returns the positions of all matches in a text. Overlapping matches are omitted.
  func places(in text: String) -> TextMatches {
    let reader = read(text, for: phrases)
    var places: [Range<Int>] = []
    for match in reader.matches.map({ letters(of: $0, reader.wordRanges, in: text) }).sorted(by: {
      ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound)
    }) where match.lowerBound >= places.last?.upperBound ?? 0 { places.append(match) }
    let best = reader.best.first.map { letters(of: $0, reader.wordRanges, in: text).lowerBound } ?? 0
    return TextMatches(places: places, best: places.lastIndex { $0.lowerBound <= best } ?? 0)
  }

  private func read(_ text: String, for phrases: [SearchedPhrase]) -> PassageReader {
    let reader = PassageReader(phrases, length: length)
    words.forEachWord(of: text, to: reader)
    return reader
  }

  /// Returns the range of a match in bytes of UTF-8. If only the beginning of the last word was typed, the range ends
  /// after that beginning.
  private func letters(of match: PassageReader.Match, _ wordRanges: [Range<Int>], in text: String) -> Range<Int> {
    let last = wordRanges[match.words.upperBound]
    var end = last.upperBound
    if phrases[match.phrase].isOpenEnded, let typed = phrases[match.phrase].words.last {
      let start = text.utf8.index(text.startIndex, offsetBy: last.lowerBound)
      // A letter without its accents is still one letter.
      let count = String(decoding: typed, as: UTF8.self).count
      end = min(end, text.utf8.distance(from: text.startIndex, to: text[start...].prefix(count).endIndex))
    }
    return wordRanges[match.words.lowerBound].lowerBound..<end
  }

  private static let endsOfSentences = Set(".!?\n。！？．".unicodeScalars)
  private static let sentencePunctuation = Set(" \"'()*“”‘’　「」『』（）".unicodeScalars)

  /// Returns the beginning of a text that contains no match.
  func beginning(of text: String) -> Snippet {
    let reader = read(text, for: [])
    let window = reader.window(around: []) { _ in false }
    let end = window.isEmpty ? text.utf8.count : reader.wordRanges[window.upperBound - 1].upperBound
    return Snippet(of: text, [0..<end], matches: [], limit: 12 * length)
  }
}

/// Words that must follow each other, in the form that the index uses.
struct SearchedPhrase {
  let words: [[UInt8]]
  /// Whether the last word is a prefix.
  let isOpenEnded: Bool
  var lastHash: UInt64 { 1 << UInt64(words.count - 1) }

  /// Returns which words of the phrase a word of the text matches, with one bit for each word. The lowest bit is the
  /// first word.
  func hashes(of word: UnsafeRawBufferPointer) -> UInt64 {
    var bits: UInt64 = 0
    for (index, phraseWord) in words.enumerated() {
      let isBeginning = isOpenEnded && index == words.count - 1
      if isBeginning ? word.starts(with: phraseWord) : word.elementsEqual(phraseWord) { bits |= 1 << UInt64(index) }
    }
    return bits
  }
}

extension Snippet {
  /// The maximum number of adjacent characters that are included with a word.
  private static let maximumAttachedLetters = 8

  /// Creates a snippet of a text.
  ///
  /// - Parameters:
  ///   - wordRanges: The ranges of the words of the snippet, in bytes of UTF-8.
  ///   - matches: The ranges of the matches, in ascending order.
  ///   - limit: The maximum number of characters. It limits snippets of scripts without spaces, in which a word can be
  ///     a whole sentence.
  fileprivate init(of text: String, _ wordRanges: ArraySlice<Range<Int>>, matches: [Range<Int>], limit: Int) {
    func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    var (start, end) = (index(wordRanges.first?.lowerBound ?? 0), index(wordRanges.last?.upperBound ?? 0))
    // Adjacent characters without a space, such as quotation marks or the letters after an apostrophe, belong to the
    // first and last word.
    start = text.index(
      start,
      offsetBy: -text[..<start].reversed().prefix(Self.maximumAttachedLetters).prefix {
        Self.isAttached($0) && !Self.closingPunctuation.contains($0)
      }
      .count)
    end = text.index(
      end, offsetBy: text[end...].prefix(Self.maximumAttachedLetters).prefix(while: Self.isAttached).count)
    let first = matches.first.map { index($0.lowerBound) } ?? start
    start = max(start, text.index(first, offsetBy: -(limit / 3), limitedBy: text.startIndex) ?? text.startIndex)
    end = min(end, text.index(start, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex)

    var runs: [Run] = []
    var next = start
    for match in matches {
      let (first, last) = (index(match.lowerBound), min(end, index(match.upperBound)))
      guard first >= next, first < last else { continue }
      if next < first { runs.append(Run(text: text[next..<first].collapsedToOneLine, isMatch: false)) }
      runs.append(Run(text: text[first..<last].collapsedToOneLine, isMatch: true))
      next = last
    }
    if next < end { runs.append(Run(text: text[next..<end].collapsedToOneLine, isMatch: false)) }
    self.init(
      runs: runs, isTruncatedAtStart: text[..<start].contains { !$0.isWhitespace },
      isTruncatedAtEnd: text[end...].contains { !$0.isWhitespace })
  }

  /// Punctuation that ends a part of a sentence although no space follows.
  private static let closingPunctuation: Set<Character> = ["。", "！", "？", "．", "、", "，", "」", "』", "）"]

  private static func isAttached(_ character: Character) -> Bool {
    !character.isWhitespace && !(character.unicodeScalars.first.map(LetterPairs.contains) ?? false)
  }
}

extension Substring {
  /// The text with each run of white space replaced by one space.
  fileprivate var collapsedToOneLine: String {
    var line = ""
    for character in self where !(character.isWhitespace && line.last == " ") {
      line.append(character.isWhitespace ? " " : character)
    }
    return line
  }
}

/// Reads a text word by word and records the matches of a query.
final class PassageReader {
  /// A match of a phrase in the text.
  struct Match {
    let phrase: Int
    /// The numbers of its words in the text.
    let words: ClosedRange<Int>
  }

  /// The width that a word takes in a passage, and the width of a letter of a script without spaces, which is two
  /// columns wide. Both are in units of ``availableWidth``.
  static let widthOfWord = 3
  static let widthOfLetter = 1

  private let phrases: [SearchedPhrase]
  /// The maximum width of a passage.
  private let availableWidth: Int
  /// The ranges of the words, in bytes of UTF-8.
  private(set) var wordRanges: [Range<Int>] = []
  /// For each word, the total width of the words before it. The last element is the width of all words.
  private var widthBefore = [0]
  /// The matches of all phrases.
  private(set) var matches: [Match] = []
  /// For each phrase, one bit for each of its words: set if the text matches the phrase up to this word. The lowest bit
  /// is the first word.
  private var progress: [UInt64]

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - phrases: The phrases to find.
  ///   - length: The number of words in which as many matches as possible should be shown.
  init(_ phrases: [SearchedPhrase], length: Int) {
    self.phrases = phrases
    availableWidth = length * Self.widthOfWord
    progress = phrases.map { _ in 0 }
  }

  /// Reads the next word.
  ///
  /// - Parameters:
  ///   - word: The word in the form that the index uses.
  ///   - place: Its range in the text, in bytes of UTF-8.
  ///   - width: The width of the word.
  /// - Returns: Whether reading must continue. `false` if further words cannot change the result.
  func append(_ word: UnsafeRawBufferPointer, at place: Range<Int>, width: Int) -> Bool {
    wordRanges.append(place)
    widthBefore.append(widthBefore[wordRanges.count - 1] + width)
    for (index, phrase) in phrases.enumerated() {
      progress[index] = (progress[index] << 1 | 1) & phrase.hashes(of: word)
      guard progress[index] & phrase.lastHash != 0 else { continue }
      let first = wordRanges.count - phrase.words.count
      matches.append(Match(phrase: index, words: first...wordRanges.count - 1))
    }
    if phrases.isEmpty { return self.width(of: 0..<wordRanges.count) <= self.availableWidth }
    // For a single phrase, the first match is as good as any other.
    return phrases.count > 1 || matches.isEmpty
      || self.width(of: matches[0].words.upperBound..<wordRanges.count) <= self.availableWidth
  }

  /// Returns the width of a range of words.
  private func width(of words: Range<Int>) -> Int { widthBefore[words.upperBound] - widthBefore[words.lowerBound] }

  /// The group of matches that contains the most phrases, with the smallest distance between them. If several are
  /// equal, the first group. Empty if there are no matches.
  var best: ArraySlice<Match> {
    var (best, mostPhrases, shortestSpan) = (matches[..<0], 0, 0)
    for start in matches.indices {
      let first = matches[start].words.lowerBound
      let fitting = matches[start...].prefix { width(of: first..<$0.words.upperBound + 1) <= availableWidth }
      // The span ends at the first match of the phrase that occurs last.
      var (kinds, span): (Set<Int>, Int) = ([], 0)
      for match in fitting where kinds.insert(match.phrase).inserted {
        span = width(of: first..<match.words.upperBound)
      }
      if kinds.count > mostPhrases || kinds.count == mostPhrases && span < shortestSpan {
        (best, mostPhrases, shortestSpan) = (fitting, kinds.count, span)
      }
      if mostPhrases == phrases.count, shortestSpan < phrases.count * Self.widthOfWord { break }
    }
    return best
  }

  /// Returns the range of words around the best matches. The range begins at the start of the sentence if that is near.
  /// Otherwise, about twice as many words follow the matches as precede them.
  ///
  /// - Parameter beginsSentence: Returns whether a sentence begins at the word with the given index.
  func window(around matches: ArraySlice<Match>, beginsSentence: (Int) -> Bool) -> Range<Int> {
    let all = 0..<wordRanges.count
    guard width(of: all) > availableWidth, let first = matches.first?.words.lowerBound else {
      return 0..<end(from: 0, in: availableWidth)
    }
    let last = matches.map(\.words.upperBound).max() ?? first
    let free = max(0, availableWidth - width(of: first..<last + 1))
    let sentenceStart = (start(before: first, in: free / 2)...first).last(where: beginsSentence)
    // At the end of a text, the window can begin earlier.
    let start =
      sentenceStart ?? min(start(before: first, in: free / 3), start(before: wordRanges.count, in: availableWidth))
    return start..<max(last + 1, end(from: start, in: availableWidth))
  }

  /// Returns the lower bound of the longest range of words that ends before `word` and is at most `columns` wide.
  private func start(before word: Int, in columns: Int) -> Int {
    (0..<word).reversed().prefix { self.width(of: $0..<word) <= columns }.last ?? word
  }

  /// Returns the upper bound of the longest range of words that begins at `word` and is at most `columns` wide.
  private func end(from word: Int, in columns: Int) -> Int {
    (word..<wordRanges.count).prefix { self.width(of: word..<$0 + 1) <= columns }.last.map { $0 + 1 } ?? word
  }
}

extension StoreSnapshot {
  /// Returns a snippet for each of some nodes: around the match in its text, otherwise around the match in its summary,
  /// otherwise the beginning of its text.
  ///
  /// - Parameters:
  ///   - nodes: The nodes that a search has found.
  ///   - query: The query that found them: ``SearchFindings/searchedFor``.
  ///   - length: The maximum number of words of each snippet, at least 1.
  package func snippets(of nodes: [NodeID], for query: String, length: Int = 16) throws -> [Snippet] {
    let (finder, other) = try finders(for: query, length: length)
    return try nodes.map { node in
      try interruption?.check()
      let texts = try first(Self.wordsSQL, node) { [$0[0] as String, $0[1] as String].map(LetterPairs.text) } ?? []
      let snippet = texts.lazy.compactMap { finder.passage(of: $0) ?? other.passage(of: $0) }.first
      return snippet ?? finder.beginning(of: texts.first { !$0.isEmpty } ?? "")
    }
  }

  /// The number of words of a title within which matches are looked for.
  private static let maximumTitleWords = 1_000

  /// Returns titles with the matches of a query marked.
  ///
  /// - Parameters:
  ///   - titles: The titles of the nodes that a search has found.
  ///   - query: The query that found them: ``SearchFindings/searchedFor``.
  package func highlightedTitle(_ titles: [String], for query: String) throws -> [Snippet] {
    let (finder, other) = try finders(for: query, length: Self.maximumTitleWords)
    return titles.map { title in
      let snippets = [finder, other].compactMap { $0.completeText(title) }
      return snippets.max { $0.runs.count { $0.isMatch } < $1.runs.count { $0.isMatch } }
        ?? Snippet(runs: [Snippet.Run(text: title, isMatch: false)])
    }
  }

  /// The number of words within which the words of a query must be found together. For a query of a single word, every
  /// position is equally good.
  private static let bestPassageWords = 24

  /// Returns the positions of the matches of a query in a text.
  ///
  /// - Parameters:
  ///   - query: The query that found the text: ``SearchFindings/searchedFor``.
  ///   - text: The text as it is displayed. Only the first 2²⁰ bytes of a longer text are read.
  package func matches(of query: String, in text: String) throws -> TextMatches {
    let isOneWord = SearchQuery(query).phrases.count == 1
    let (finder, other) = try finders(for: query, length: isOneWord ? text.utf8.count : Self.bestPassageWords)
    let matches = finder.places(in: text)
    return matches.places.isEmpty ? other.places(in: text) : matches
  }

  /// Returns a finder for a query, and a second finder for texts in which the first one finds nothing. The second
  /// finder treats every word as a prefix, because a query may abbreviate words in the titles of a node and its
  /// ancestors.
  private func finders(for query: String, length: Int) throws -> (PassageFinder, PassageFinder) {
    let searchQuery = SearchQuery(query)
    let tokenizer = try statements.tokenizer
    let finder = PassageFinder(for: searchQuery, length: length, with: tokenizer)
    guard searchQuery.phrases.count > 1, !searchQuery.isQuoted else { return (finder, finder) }
    return (finder, PassageFinder(for: SearchQuery(query, areBeginnings: true), length: length, with: tokenizer))
  }

  private static let wordsSQL = StatementText("SELECT text, summary FROM searchText WHERE node = ?")
}
