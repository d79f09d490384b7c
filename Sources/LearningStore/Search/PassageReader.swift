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
