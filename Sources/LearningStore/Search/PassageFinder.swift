import GRDB
import LearningModel

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
