import TextCanvas

/// Where a page of a text begins and ends: not between a heading and what it stands above, or a table's heading and its
/// first row, and not with the last line of what has been read.
extension ReadingText {
  /// In fewer rows than this each of them is needed.
  static let leastRowsToChoose = 6
  /// In fewer rows than this a page does not begin with air.
  private static let leastRowsForAir = 12

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
    while let torn = tearing(at: end).map(\.lowerBound).min() { end = torn }
    return last - end <= rows / 3 ? end : last
  }

  /// The line that the next page begins with: no line is skipped, and its beginning and its end tear as little as can be,
  /// at the cost of a third of its rows that have been read, or of half of them where its end would tear.
  ///
  /// - Parameters:
  ///   - seen: Rows of this page.
  ///   - overlap: Lines of this page that are seen again where a text goes on in the middle.
  ///   - rows: Rows of the next page.
  func nextPage(from top: Int, seen: Int, overlap: Int, rows: Int) -> Int {
    let last = top + seen
    // Behind a whole paragraph nothing need be read again.
    let next = max(top + 1, isAir(last - 1) ? last - 1 : isAir(last) ? last : last - overlap)
    guard next + rows < lines.count, rows >= Self.leastRowsToChoose else { return next }
    let earliest = max(top + 1, last - overlap - rows / 2)
    let endWell = stride(from: next, through: earliest, by: -1).filter { tearing(at: $0 + rows).isEmpty }
    let beginWell = endWell.filter { $0 >= last - overlap - rows / 3 && beginsWell($0, rows: rows) }
    // A table goes on with its headings where they are near.
    return beginWell.first { line in !tables.contains { $0.lowerBound < line && line < $0.upperBound } }
      ?? beginWell.first ?? endWell.first ?? next
  }

  /// Whether a page may begin with a line.
  private func beginsWell(_ line: Int, rows: Int) -> Bool {
    guard !isAir(line) else { return rows >= Self.leastRowsForAir }
    return tearing(at: line).isEmpty && (isAir(line - 1) || !isAir(line + 1))
  }

  /// What belongs together and would not be seen together if a page ended above a line.
  private func tearing(at line: Int) -> [Range<Int>] {
    kept.filter { $0.lowerBound < line && line < $0.upperBound }
  }

  /// Whether a line is empty, or there is none.
  private func isAir(_ line: Int) -> Bool { !lines.indices.contains(line) || lines[line].runs.isEmpty }
}
