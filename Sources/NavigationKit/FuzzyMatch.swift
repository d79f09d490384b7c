/// How alike two words are, for suggestions.
package enum FuzzyMatch {
  /// The fewest letters to insert, delete, replace or swap with their neighbour, to make one word of the other.
  ///
  /// Source: the optimal string alignment distance.
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    guard !left.isEmpty else { return right.count }
    var before = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for i in 1...left.count {
      var row = [i] + [Int](repeating: 0, count: right.count)
      for j in 1..<(right.count + 1) {
        let replaced = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        row[j] = min(previous[j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          row[j] = min(row[j], before[j - 2] + 1)
        }
      }
      before = previous
      previous = row
    }
    return previous[right.count]
  }

  /// Returns the candidates that are near to a word, the nearest first, at most three: those a third of whose letters at
  /// most differ, and those that the word is the beginning of.
  package static func nearest(to word: String, among candidates: [String]) -> [String] {
    let word = word.lowercased()
    let length = word.count
    let rated = Set(candidates).compactMap { candidate -> (String, Int)? in
      let isBegun = !word.isEmpty && candidate.lowercased().hasPrefix(word)
      let most = max(1, max(length, candidate.count) / 3)
      // Words differ by as many letters at least as one is longer: a text that was pasted is near to nothing.
      guard isBegun || abs(length - candidate.count) <= most else { return nil }
      let distance = distance(word, candidate.lowercased())
      return isBegun || distance <= most ? (candidate, distance) : nil
    }
    return rated.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
  }
}
