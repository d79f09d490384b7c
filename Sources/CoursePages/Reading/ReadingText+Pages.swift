import TextCanvas

/// Where a page of a text begins and ends: not between a heading and what it stands above, or a table's heading and its
/// first row, and not with the last line of what has been read.
extension ReadingText {
  /// In fewer rows than this each of them is needed.
  static let leastRowsToChoose = 6
  /// In fewer rows than this a page does not begin with air.
  private static let leastRowsForAir = 12

  /// Lines of which none is seen without the others, where there is room for so many.
  package mutating func keep(_ lines: Range<Int>) {
    if lines.count > 1 { kept.append(lines) }
  }

  /// The line above which a page ends that begins with a line; at the latest behind as many as it has rows.
  ///
  /// Where what belongs together is so long that a third of the page would stay empty, it is torn.
  package func pageEnd(from top: Int, rows: Int) -> Int {
    let last = top + rows
    guard rows >= Self.leastRowsToChoose, last < lines.count else { return min(last, lines.count) }
    var end = last
    while let torn = kept.lazy.filter({ $0.tears(at: end) }).map(\.lowerBound).min() { end = torn }
    return last - end <= rows / 3 ? end : last
  }

  /// The line that the next page begins with: no line with words is skipped, and its beginning and its end tear as little
  /// as can be, at the cost of a third of its rows that have been read, or of half of them where its end would tear.
  ///
  /// - Parameters:
  ///   - seen: Rows of this page.
  ///   - overlap: Lines of this page that are seen again where a text continues in the middle.
  ///   - rows: Rows of the next page.
  package func nextPage(from top: Int, seen: Int, overlap: Int, rows: Int) -> Int {
    let last = top + seen
    // Behind a whole paragraph nothing need be read again; where there are few rows, its air need not be seen either.
    let air = isAir(last - 1) ? last - 1 : isAir(last) ? last : nil
    let next = max(top + 1, air.map { rows < Self.leastRowsForAir ? $0 + 1 : $0 } ?? last - overlap)
    guard rows >= Self.leastRowsToChoose else { return next }
    guard next + rows < lines.count else { return next }
    let earliest = max(top + 1, last - overlap - rows / 2)
    let near = kept.filter { $0.upperBound > earliest && $0.lowerBound < next + rows }
    let endWell = stride(from: next, through: earliest, by: -1).filter { line in
      !near.contains { $0.tears(at: line + rows) }
    }
    let beginWell = endWell.filter { line in
      guard line >= last - overlap - rows / 3 else { return false }
      // Air above it is for those who have rows to spare, and of a paragraph more than its last line is seen.
      guard !isAir(line) else { return rows >= Self.leastRowsForAir }
      return !near.contains { $0.tears(at: line) } && (isAir(line - 1) || !isAir(line + 1))
    }
    // A table continues with its headings where they are near.
    return beginWell.first { line in !tables.contains { $0.tears(at: line) } }
      ?? beginWell.first ?? endWell.first ?? next
  }

  /// Whether a line is empty, or there is none.
  private func isAir(_ line: Int) -> Bool { !lines.indices.contains(line) || lines[line].runs.isEmpty }
}

extension Range<Int> {
  /// Whether these lines are not seen together where a page ends above one of them.
  fileprivate func tears(at line: Int) -> Bool { lowerBound < line && line < upperBound }
}
