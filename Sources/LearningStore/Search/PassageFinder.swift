import GRDB
package import LearningModel

/// Finds the piece of a text that shows best why the text was found.
///
/// The index could say it too, but it asks the whole question anew for each text: 5 ms where a beginning of four letters
/// stands for words of 80,000 texts. To read one text takes a fraction of one.
struct PassageFinder {
  private let words: TextWords
  private let phrases: [SearchedPhrase]
  /// How many words a passage has at most.
  private let length: Int

  /// - Parameters:
  ///   - query: What was searched for.
  ///   - length: How many words a passage has at most, from 1.
  init(for query: SearchQuery, length: Int, in database: Database) throws {
    let words = try TextWords(in: database)
    let phrases = query.phrases.map { phrase in
      // As many as there are bits for.
      Array(words.all(in: phrase).prefix(64))
    }
    self.words = words
    self.phrases = phrases.enumerated().filter { !$0.element.isEmpty }.map { index, words in
      SearchedPhrase(
        words: words,
        isOpenEnded: query.areBeginnings || query.isOpenEnded && index == phrases.count - 1)
    }
    self.length = max(1, length)
  }

  /// Returns the passage; `nil` where nothing of what is looked for is in the text.
  func passage(of text: String) -> Snippet? {
    let reader = read(text, for: phrases)
    let matches = reader.best
    guard !matches.isEmpty else { return nil }
    let window = reader.window(around: matches) { number in
      let place = text.utf8.index(text.startIndex, offsetBy: reader.words[number].lowerBound)
      let before = text.unicodeScalars[..<place].suffix(4).reversed().drop(while: Self.besideSentences.contains)
      return before.first.map(Self.endsOfSentences.contains) ?? (reader.words[number].lowerBound < 4)
    }
    return Snippet(
      of: text, reader.words[window], matches: matches.map { letters(of: $0, reader.words, in: text) },
      most: 12 * length)
  }

  /// Returns all of a short text; `nil` where nothing of what is looked for is in it.
  func whole(_ text: String) -> Snippet? {
    let reader = read(text, for: phrases)
    guard !reader.matches.isEmpty else { return nil }
    let matches = reader.matches.map { letters(of: $0, reader.words, in: text) }
    return Snippet(
      of: text, [0..<text.utf8.count], matches: matches.sorted { $0.lowerBound < $1.lowerBound }, most: .max)
  }

  /// Returns everywhere that something of what is looked for stands.
  func places(in text: String) -> TextMatches {
    let reader = read(text, for: phrases)
    var places: [Range<Int>] = []
    for match in reader.matches.map({ letters(of: $0, reader.words, in: text) }).sorted(by: {
      ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound)
    }) where match.lowerBound >= places.last?.upperBound ?? 0 { places.append(match) }
    let best = reader.best.first.map { letters(of: $0, reader.words, in: text).lowerBound } ?? 0
    return TextMatches(places: places, best: places.lastIndex { $0.lowerBound <= best } ?? 0)
  }

  private func read(_ text: String, for phrases: [SearchedPhrase]) -> PassageReader {
    let reader = PassageReader(phrases, length: length)
    words.tell(of: text, to: reader)
    return reader
  }

  /// The letters of a match, in bytes of UTF-8: of a word of which the beginning was typed, that.
  private func letters(of match: PassageReader.Match, _ words: [Range<Int>], in text: String) -> Range<Int> {
    let last = words[match.words.upperBound]
    var end = last.upperBound
    if phrases[match.phrase].isOpenEnded, let typed = phrases[match.phrase].words.last {
      let start = text.utf8.index(text.startIndex, offsetBy: last.lowerBound)
      // Without its accents a letter stays one letter.
      let count = String(decoding: typed, as: UTF8.self).count
      end = min(end, text.utf8.distance(from: text.startIndex, to: text[start...].prefix(count).endIndex))
    }
    return words[match.words.lowerBound].lowerBound..<end
  }

  private static let endsOfSentences = Set(".!?\n。！？．".unicodeScalars)
  private static let besideSentences = Set(" \"'()*“”‘’　「」『』（）".unicodeScalars)

  /// Returns the beginning of a text in which nothing is looked for.
  func beginning(of text: String) -> Snippet {
    let reader = read(text, for: [])
    let window = reader.window(around: []) { _ in false }
    let end = window.isEmpty ? text.utf8.count : reader.words[window.upperBound - 1].upperBound
    return Snippet(of: text, [0..<end], matches: [], most: 12 * length)
  }
}

/// Words that must stand beside each other, as the index writes them.
struct SearchedPhrase {
  let words: [[UInt8]]
  /// Whether the last one is the beginning of any.
  let isOpenEnded: Bool
  /// The bit of the last word.
  var lastBit: UInt64 { 1 << UInt64(words.count - 1) }

  /// A bit for each of the words that a word of the text may be, the first one's the lowest.
  func bits(of word: UnsafeRawBufferPointer) -> UInt64 {
    var bits: UInt64 = 0
    for (index, wanted) in words.enumerated() {
      let isBeginning = isOpenEnded && index == words.count - 1
      if isBeginning ? word.starts(with: wanted) : word.elementsEqual(wanted) { bits |= 1 << UInt64(index) }
    }
    return bits
  }
}

extension Snippet {
  /// Letters that may lean on a word.
  private static let leaning = 8

  /// Cuts a piece out of a text.
  ///
  /// - Parameters:
  ///   - words: Where its words stand, in bytes of UTF-8; at least one.
  ///   - matches: Where what was looked for stands, in order.
  ///   - most: How many letters it has at most: where words are not parted by blanks, a word is a sentence.
  fileprivate init(of text: String, _ words: ArraySlice<Range<Int>>, matches: [Range<Int>], most: Int) {
    func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    var (start, end) = (index(words.first?.lowerBound ?? 0), index(words.last?.upperBound ?? 0))
    // What leans on the first or the last word belongs to it, such as quotation marks and what follows an apostrophe.
    start = text.index(
      start,
      offsetBy: -text[..<start].reversed().prefix(Self.leaning).prefix { Self.leans($0) && !Self.closing.contains($0) }
        .count)
    end = text.index(end, offsetBy: text[end...].prefix(Self.leaning).prefix(while: Self.leans).count)
    let first = matches.first.map { index($0.lowerBound) } ?? start
    start = max(start, text.index(first, offsetBy: -(most / 3), limitedBy: text.startIndex) ?? text.startIndex)
    end = min(end, text.index(start, offsetBy: most, limitedBy: text.endIndex) ?? text.endIndex)

    var parts: [Part] = []
    var next = start
    for match in matches {
      let (first, last) = (index(match.lowerBound), min(end, index(match.upperBound)))
      guard first >= next, first < last else { continue }
      if next < first { parts.append(Part(text: text[next..<first].onOneLine, isMatch: false)) }
      parts.append(Part(text: text[first..<last].onOneLine, isMatch: true))
      next = last
    }
    if next < end { parts.append(Part(text: text[next..<end].onOneLine, isMatch: false)) }
    self.init(
      parts: parts, isCutBefore: text[..<start].contains { !$0.isWhitespace },
      isCutAfter: text[end...].contains { !$0.isWhitespace })
  }

  /// What closes a piece of a sentence where no blank stands behind it.
  private static let closing: Set<Character> = ["。", "！", "？", "．", "、", "，", "」", "』", "）"]

  private static func leans(_ character: Character) -> Bool {
    !character.isWhitespace && !(character.unicodeScalars.first.map(LetterPairs.contains) ?? false)
  }
}

extension Substring {
  /// The same with one blank for each run of blanks and line feeds.
  fileprivate var onOneLine: String {
    var line = ""
    for character in self where !(character.isWhitespace && line.last == " ") {
      line.append(character.isWhitespace ? " " : character)
    }
    return line
  }
}

/// Reads a text word by word, and notes where what is looked for stands in it.
final class PassageReader {
  /// Something that was looked for, where it stands.
  struct Match {
    let phrase: Int
    /// Its words, by their numbers in the text.
    let words: ClosedRange<Int>
  }

  /// How much of a passage's room a word takes, and a letter of a script without blanks, which takes two columns.
  static let roomOfWord = 3
  static let roomOfLetter = 1

  private let phrases: [SearchedPhrase]
  /// How much room there is.
  private let room: Int
  /// Where the words stand, in bytes of UTF-8.
  private(set) var words: [Range<Int>] = []
  /// The room that all words before each take, and at the end that of all.
  private var roomBefore = [0]
  /// Where all that is looked for stands.
  private(set) var matches: [Match] = []
  /// For each phrase a bit for each of its words that was come to, the first one's the lowest.
  private var progress: [UInt64]

  /// - Parameters:
  ///   - phrases: What is looked for.
  ///   - length: In how many words most of it is to be seen.
  init(_ phrases: [SearchedPhrase], length: Int) {
    self.phrases = phrases
    room = length * Self.roomOfWord
    progress = phrases.map { _ in 0 }
  }

  /// Takes the next word, as the index writes it, and where it stands.
  ///
  /// - Parameter room: How much room it takes.
  /// - Returns: Whether there is anything left to look for.
  func take(_ word: UnsafeRawBufferPointer, at place: Range<Int>, room: Int) -> Bool {
    words.append(place)
    roomBefore.append(roomBefore[words.count - 1] + room)
    for (index, phrase) in phrases.enumerated() {
      progress[index] = (progress[index] << 1 | 1) & phrase.bits(of: word)
      guard progress[index] & phrase.lastBit != 0 else { continue }
      let first = words.count - phrase.words.count
      matches.append(Match(phrase: index, words: first...words.count - 1))
    }
    if phrases.isEmpty { return self.room(of: 0..<words.count) <= self.room }
    // Of one phrase the first place is as good as any.
    return phrases.count > 1 || matches.isEmpty
      || self.room(of: matches[0].words.upperBound..<words.count) <= self.room
  }

  /// How much room some words take.
  private func room(of words: Range<Int>) -> Int { roomBefore[words.upperBound] - roomBefore[words.lowerBound] }

  /// The matches that show most of what is looked for, as near to each other as can be, the first such; none where there
  /// is nothing.
  var best: ArraySlice<Match> {
    var (best, most, least) = (matches[..<0], 0, 0)
    for start in matches.indices {
      let first = matches[start].words.lowerBound
      let near = matches[start...].prefix { room(of: first..<$0.words.upperBound + 1) <= room }
      // To the first place of the last of them.
      var (kinds, span): (Set<Int>, Int) = ([], 0)
      for match in near where kinds.insert(match.phrase).inserted { span = room(of: first..<match.words.upperBound) }
      if kinds.count > most || kinds.count == most && span < least { (best, most, least) = (near, kinds.count, span) }
      if most == phrases.count, least < phrases.count * Self.roomOfWord { break }
    }
    return best
  }

  /// The words around the best matches: from the beginning of their sentence where that is near, else with about twice as
  /// many behind as before.
  ///
  /// - Parameter beginsSentence: Whether a sentence begins with the word of that number.
  func window(around matches: ArraySlice<Match>, beginsSentence: (Int) -> Bool) -> Range<Int> {
    let all = 0..<words.count
    guard room(of: all) > room, let first = matches.first?.words.lowerBound else { return 0..<end(from: 0, in: room) }
    let last = matches.map(\.words.upperBound).max() ?? first
    let free = max(0, room - room(of: first..<last + 1))
    let near = (start(before: first, in: free / 2)...first).last(where: beginsSentence)
    // At the end of a text there is more room before.
    let start = near ?? min(start(before: first, in: free / 3), start(before: words.count, in: room))
    return start..<max(last + 1, end(from: start, in: room))
  }

  /// The first word that begins in so much room before another.
  private func start(before word: Int, in room: Int) -> Int {
    (0..<word).reversed().prefix { self.room(of: $0..<word) <= room }.last ?? word
  }

  /// The end of the last word that ends in so much room from another.
  private func end(from word: Int, in room: Int) -> Int {
    (word..<words.count).prefix { self.room(of: word..<$0 + 1) <= room }.last.map { $0 + 1 } ?? word
  }
}

extension StoreSnapshot {
  /// Returns the text of nodes around what they were found for; of its text, else of its summary, else the beginning.
  ///
  /// - Parameters:
  ///   - nodes: Which nodes, as a search has found them.
  ///   - query: What they were found for: ``SearchFindings/searchedFor``.
  ///   - length: How many words each has at most, from 1.
  package func snippets(of nodes: [NodeID], for query: String, length: Int = 16) throws -> [Snippet] {
    let (finder, other) = try finders(for: query, length: length)
    return try nodes.map { node in
      try interruption?.check()
      let texts = try first(Self.wordsText, node) { [$0[0] as String, $0[1] as String].map(LetterPairs.text) } ?? []
      let found = texts.lazy.compactMap { finder.passage(of: $0) ?? other.passage(of: $0) }.first
      return found ?? finder.beginning(of: texts.first { !$0.isEmpty } ?? "")
    }
  }

  /// Words of a title in which what was searched for is looked for.
  private static let wordsOfTitles = 1_000

  /// Returns titles with what they were found for.
  ///
  /// - Parameters:
  ///   - titles: What nodes are called that a search has found.
  ///   - query: What they were found for: ``SearchFindings/searchedFor``.
  package func marked(_ titles: [String], for query: String) throws -> [Snippet] {
    let (finder, other) = try finders(for: query, length: Self.wordsOfTitles)
    return titles.map { title in
      let found = [finder, other].compactMap { $0.whole(title) }
      return found.max { $0.parts.count { $0.isMatch } < $1.parts.count { $0.isMatch } }
        ?? Snippet(parts: [Snippet.Part(text: title, isMatch: false)])
    }
  }

  /// Words in which what was searched for shall be near to each other; of a single word all places are as good.
  private static let wordsOfBest = 24

  /// Returns where in a text something stands that it was found for.
  ///
  /// - Parameters:
  ///   - text: A text as somebody sees it; of a very long one the first 2²⁰ bytes are read.
  ///   - query: What it was found for: ``SearchFindings/searchedFor``.
  package func matches(of query: String, in text: String) throws -> TextMatches {
    let isOneWord = SearchQuery(query).phrases.count == 1
    let (finder, other) = try finders(for: query, length: isOneWord ? text.utf8.count : Self.wordsOfBest)
    let matches = finder.places(in: text)
    return matches.places.isEmpty ? other.places(in: text) : matches
  }

  /// What finds a query in texts, and what finds it where that finds nothing: words that name the way to a node may all
  /// be beginnings.
  private func finders(for query: String, length: Int) throws -> (PassageFinder, PassageFinder) {
    let words = SearchQuery(query)
    let finder = try PassageFinder(for: words, length: length, in: database)
    guard words.phrases.count > 1, !words.isQuoted else { return (finder, finder) }
    return (finder, try PassageFinder(for: SearchQuery(query, areBeginnings: true), length: length, in: database))
  }

  private static let wordsText = StatementText("SELECT text, summary FROM searchText WHERE node = ?")
}
