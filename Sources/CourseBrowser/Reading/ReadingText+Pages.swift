/// Where a page of a text ends: not between a heading and what it stands above, or a table's heading and its first row.
extension ReadingText {
  /// In fewer rows than this each of them is needed.
  static let leastRowsToChoose = 6

  /// Lines of which none is seen without the others, where there is room for so many.
  mutating func keep(_ lines: Range<Int>) {
    if lines.count > 1 { kept.append(lines) }
  }

  /// The line above which a page ends that begins with a line; at the latest behind as many as it has rows.
  ///
  /// Where what belongs together is so long that a third of the page would stay empty, it is torn.
  func pageEnd(from top: Int, rows: Int) -> Int {
    let last = top + rows
    guard rows >= Self.leastRowsToChoose, last < lines.count else { return min(last, lines.count) }
    var end = last
    while let torn = kept.lazy.filter({ $0.lowerBound < end && end < $0.upperBound }).map(\.lowerBound).min() {
      end = torn
    }
    return last - end <= rows / 3 ? end : last
  }

  /// The line that the next page begins with: so many lines on, or fewer, so that the page ends well.
  ///
  /// - Parameters:
  ///   - step: Lines that it is further at most.
  ///   - rows: Rows of the next page.
  func nextPage(from top: Int, by step: Int, rows: Int) -> Int {
    let next = top + step
    guard next + rows < lines.count else { return next }
    return max(top + 1, pageEnd(from: next, rows: rows) - rows)
  }
}
