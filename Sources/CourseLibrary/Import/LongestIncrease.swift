/// Tells what was moved in a list from what only made room.
enum LongestIncrease {
  /// Returns the indices of a longest run of values that increase from left to right, not necessarily side by side.
  ///
  /// Where the values are old positions in their new order, what is not in the run was moved.
  ///
  /// Source: Schensted, "Longest increasing and decreasing subsequences", 1961, by patience sorting.
  static func indices(in values: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: Set<Int> = []
    var next = tails.last
    while let index = next {
      run.insert(index)
      next = previous[index]
    }
    return run
  }
}
