package import LearningModel
package import TextCanvas

/// Where the characters of a passage stand in the lines that it is set in.
///
/// The lines have more than the passage: bullets, bars, labels. What is set otherwise than it is written, such as a formula
/// in rows, stands nowhere.
package struct PassageCells {
  private let lines: Range<Int>
  private let widths: [Int]
  /// One for each character.
  private let places: [CellRect?]

  /// Finds them.
  ///
  /// - Parameters:
  ///   - block: The block, from 0.
  ///   - text: The text as it is set.
  ///   - anchored: The same as it is written.
  package init(ofBlock block: Int, in text: ReadingText, _ anchored: AnchoredText) {
    lines = text.lines(ofBlock: block)
    widths = lines.map { text.lines[$0].displayWidth }
    let letters = anchored.letters(ofBlock: block)
    var places = [CellRect?](repeating: nil, count: letters.count)
    var next = 0
    for line in lines {
      var column = text.lines[line].indent
      for character in text.lines[line].runs.lazy.flatMap(\.text) {
        let cells = CellRect(column: column, row: line, columns: String(character).displayWidth, rows: 1)
        column = cells.endColumn
        for scalar in character.unicodeScalars where next < letters.count && scalar == letters[next] {
          places[next] = cells
          next += 1
        }
      }
    }
    self.places = places
  }

  /// The cells of some characters, one rectangle a line; the whole lines of the block where some of them stand nowhere.
  package func cells(of characters: Range<Int>) -> [CellRect] {
    let found = places[characters.clamped(to: places.indices)].compactMap(\.self)
    guard !found.isEmpty, found.count == characters.count else {
      return zip(lines, widths).compactMap { line, width in
        width == 0 ? nil : CellRect(column: 0, row: line, columns: width, rows: 1)
      }
    }
    return found.reduce(into: []) { rows, cell in
      if let last = rows.last, last.row == cell.row {
        rows[rows.count - 1] = last.union(cell)
      } else {
        rows.append(cell)
      }
    }
  }

  /// The characters that stand in some cells, from the first to the last of them; `nil` where none does.
  package func characters(in cells: [CellRect]) -> Range<Int>? {
    func isInside(_ place: CellRect?) -> Bool {
      place.map { place in cells.contains { $0.contains(CellPoint(column: place.column, row: place.row)) } } ?? false
    }
    guard let first = places.firstIndex(where: isInside), let last = places.lastIndex(where: isInside) else {
      return nil
    }
    return first..<last + 1
  }
}

extension ReadingText {
  /// The lines of a block, without the air below it.
  package func lines(ofBlock block: Int) -> Range<Int> {
    guard blockLines.indices.contains(block) else { return 0..<0 }
    let start = blockLines[block]
    var end = block + 1 < blockLines.count ? blockLines[block + 1] : lines.count
    while end > start, lines[end - 1].runs.isEmpty { end -= 1 }
    return start..<end
  }

  /// The block that a line belongs to, from 0; `nil` above the first.
  package func block(ofLine line: Int) -> Int? { blockLines.lastIndex { $0 <= line } }
}
