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
