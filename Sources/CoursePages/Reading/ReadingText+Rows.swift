package import LearningModel
import TextCanvas

extension ReadingText {
  /// Returns for each line which characters of which block stand in it, as reading is paid.
  ///
  /// A block's characters are dealt out to its lines by their ink, so that bullets, bars and headings that are said again
  /// matter to no width.
  package func rows(of passages: [TextPassage]) -> [ReadText.Row] {
    var rows: [ReadText.Row] = []
    rows.reserveCapacity(lines.count)
    let framed = RangeSet(pictures.compactMap(\.cells).map { $0.row..<$0.endRow })
    for (number, passage) in passages.enumerated() where blockLines.indices.contains(number) {
      let end = number + 1 < blockLines.count ? blockLines[number + 1] : lines.count
      // In a picture's rows there are no words.
      let inks = (blockLines[number]..<end).map { framed.contains($0) ? 0 : lines[$0].ink }
      rows += ReadText.Row.rows(inks: inks, of: passage, number)
    }
    return rows
  }
}

extension ReadText.Row {
  /// Deals out the characters of a passage to its lines.
  ///
  /// - Parameters:
  ///   - inks: The cells of each line that are not blank.
  ///   - number: The passage's, from 0.
  package static func rows(inks: [Int], of passage: TextPassage, _ number: Int) -> [ReadText.Row] {
    let all = inks.reduce(0, +)
    var (before, start) = (0, 0)
    return inks.map { ink in
      before += ink
      let end = all == 0 ? passage.length : Int((Double(passage.length) * Double(before) / Double(all)).rounded())
      defer { start = end }
      return ReadText.Row(passage: number, characters: start..<end, ink: ink)
    }
  }
}

extension StyledLine {
  /// Its cells that are not blank.
  fileprivate var ink: Int { runs.reduce(0) { $0 + $1.text.ink } }
}

extension String {
  /// Its cells that are not blank.
  package var ink: Int { displayWidth - utf8.count { $0 == 0x20 } }
}
