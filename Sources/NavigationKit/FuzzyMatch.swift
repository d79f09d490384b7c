/// The similarity of words, for suggestions such as “Did you mean …?”.
package enum FuzzyMatch {
  /// Returns the smallest number of insertions, deletions, replacements and swaps of neighbouring letters that turn one
  /// word into the other.
  ///
  /// Source: the optimal string alignment distance.
  static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first)
    let second = Array(second)
    guard !first.isEmpty else { return second.count }
    var before = [Int](repeating: 0, count: second.count + 1)
    var previous = Array(0...second.count)
    for i in 1...first.count {
      var row = [i] + [Int](repeating: 0, count: second.count)
      for j in 1..<(second.count + 1) {
        let replaced = previous[j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1)
        row[j] = min(previous[j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          row[j] = min(row[j], before[j - 2] + 1)
        }
      }
      before = previous
      previous = row
    }
    return previous[second.count]
  }

  /// Returns the candidates that are similar to a word, the most similar first, at most three. Case is ignored.
  ///
  /// A candidate is similar if it begins with the word, or if its distance from the word is at most 1, or at most a
  /// third of the length of the longer text.
  package static func nearest(to word: String, among candidates: [String]) -> [String] {
    let word = word.lowercased()
    let length = word.count
    let rated = Set(candidates).compactMap { candidate -> (String, Int)? in
      let isBegun = !word.isEmpty && candidate.lowercased().hasPrefix(word)
      let maximum = max(1, max(length, candidate.count) / 3)
      // The distance is at least the difference of the lengths. Checking the lengths first avoids comparing a long
      // pasted text.
      guard isBegun || abs(length - candidate.count) <= maximum else { return nil }
      let distance = distance(word, candidate.lowercased())
      return isBegun || distance <= maximum ? (candidate, distance) : nil
    }
    return rated.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
  }
}
