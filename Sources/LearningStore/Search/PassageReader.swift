/// Reads a text word by word, and notes where what is looked for stands in it.
///
/// A class, since SQLite's function that tells of each word hands on one pointer.
final class PassageReader {
  /// Something that was looked for, where it stands.
  struct Match {
    let phrase: Int
    /// Its words, by their numbers in the text.
    let words: ClosedRange<Int>
  }

  private let phrases: [SearchedPhrase]
  private let length: Int
  /// Where the words stand, in bytes of UTF-8.
  private(set) var words: [Range<Int>] = []
  private var matches: [Match] = []
  /// For each phrase a bit for each of its words that was come to, the first one's the lowest.
  private var progress: [UInt64]

  /// - Parameters:
  ///   - phrases: What is looked for.
  ///   - length: In how many words most of it is to be seen.
  init(_ phrases: [SearchedPhrase], length: Int) {
    self.phrases = phrases
    self.length = length
    progress = phrases.map { _ in 0 }
  }

  /// Takes the next word, as the index writes it, and where it stands.
  ///
  /// - Returns: Whether there is anything left to look for.
  func take(_ word: UnsafeRawBufferPointer, at place: Range<Int>) -> Bool {
    words.append(place)
    for (index, phrase) in phrases.enumerated() {
      progress[index] = (progress[index] << 1 | 1) & phrase.bits(of: word)
      guard progress[index] & phrase.lastBit != 0 else { continue }
      let first = words.count - phrase.words.count
      matches.append(Match(phrase: index, words: first...words.count - 1))
    }
    // Of one phrase the first place is as good as any.
    return phrases.count > 1 || matches.isEmpty || words.count <= matches[0].words.upperBound + length
  }

  /// The matches that show most of what is looked for, as near to each other as can be, the first such; none where there
  /// is nothing.
  var best: ArraySlice<Match> {
    var (best, most, least) = (matches[..<0], 0, 0)
    for start in matches.indices {
      let first = matches[start].words.lowerBound
      let near = matches[start...].prefix { $0.words.upperBound < first + length }
      // To the first place of the last of them.
      var (kinds, span): (Set<Int>, Int) = ([], 0)
      for match in near where kinds.insert(match.phrase).inserted { span = match.words.upperBound - first }
      if kinds.count > most || kinds.count == most && span < least { (best, most, least) = (near, kinds.count, span) }
      if most == phrases.count, least < phrases.count { break }
    }
    return best
  }

  /// The words around the best matches: from the beginning of their sentence where that is near, else with about twice as
  /// many behind as before.
  ///
  /// - Parameter beginsSentence: Whether a sentence begins with the word of that number.
  func window(around matches: ArraySlice<Match>, beginsSentence: (Int) -> Bool) -> Range<Int> {
    guard words.count > length, let first = matches.first?.words.lowerBound else { return 0..<min(length, words.count) }
    let last = matches.map(\.words.upperBound).max() ?? first
    let free = max(0, length - (last - first + 1))
    let near = (max(0, first - free / 2)...first).last(where: beginsSentence)
    // At the end of a text there is more room before.
    let start = near ?? max(0, min(first - free / 3, words.count - length))
    return start..<min(words.count, start + max(length, last - start + 1))
  }
}
