import TestSupport

/// The words of an artificial language with realistic frequencies: a few are frequent, most are rare.
///
/// The frequency of a word is inversely proportional to its rank. Source: Zipf's law.
struct Words {
  /// All words, most frequent first.
  let all: [String]
  /// The separator of two words in a text.
  private let blank: String
  private let cumulated: [Double]

  /// Creates a language with a number of words.
  init(_ count: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let heads = [
      "b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "st", "tr", "pl",
    ]
    let cores = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
    let tails = ["", "", "n", "r", "s", "t", "l", "m", "nd", "st", "ck"]
    var unique: Set<String> = []
    var words: [String] = []
    while words.count < count {
      // The most frequent words are the shortest.
      let syllables = words.count < 100 ? 1 : words.count < 2000 ? 2 : 2 + random.below(3)
      let word = (0..<syllables).map { _ in
        heads[random.below(heads.count)] + cores[random.below(cores.count)] + tails[random.below(tails.count)]
      }.joined()
      if unique.insert(word).inserted { words.append(word) }
    }
    self.init(words, blank: " ")
  }

  /// Creates a language with words of one to three Han characters, without blanks between them.
  init(unparted count: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var unique: Set<String> = []
    var words: [String] = []
    while words.count < count {
      let letters = words.count < 60 ? 1 : 2 + random.below(8) / 7
      var word = String.UnicodeScalarView()
      for _ in 0..<letters {
        // Some of three thousand characters occur in many words.
        let rank = Double.random(in: 0..<1, using: &random)
        word.append(Unicode.Scalar(0x4E00 + UInt32(rank * rank * 3_000))!)
      }
      if unique.insert(String(word)).inserted { words.append(String(word)) }
    }
    self.init(words, blank: "")
  }

  private init(_ words: [String], blank: String) {
    all = words
    self.blank = blank
    var sum = 0.0
    cumulated = words.indices.map {
      sum += 1 / Double($0 + 2)
      return sum
    }
  }

  /// Returns a random word, with the frequencies of the language.
  func next(_ random: inout SplitMix64) -> String {
    let target = Double.random(in: 0..<cumulated[cumulated.count - 1], using: &random)
    var low = 0
    var high = cumulated.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulated[middle] > target { high = middle } else { low = middle + 1 }
    }
    return all[low]
  }

  /// Returns a random text with a number of words.
  func text(_ count: Int, _ random: inout SplitMix64) -> String {
    (0..<count).map { _ in next(&random) }.joined(separator: blank)
  }
}

/// A course of generated nodes: goals, lessons, lessons in these, and activities.
struct GrownCourse {
  /// The number of children of each place of the level above.
  var goals = 10
  var lessons = 10
  var innerLessons = 10
  var activities = 10
  /// The number of words in each activity.
  var words = 60

  /// The number of nodes including the course.
  var count: Int { 1 + goals * (1 + lessons * (1 + innerLessons * (1 + activities))) }
}
