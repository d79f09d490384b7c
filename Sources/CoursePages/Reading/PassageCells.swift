package import LearningModel
package import TextCanvas

/// The cells of the characters of a block in the lines of a text.
///
/// Lines also contain characters that are not in the block, such as bullets, bars and labels. Characters that are
/// displayed in another form, such as those of a formula in several rows, have no cells.
package struct PassageCells {
  private let lines: Range<Int>
  private let widths: [Int]
  /// The cell of each character.
  private let places: [CellRect?]

  /// Finds the cells of a block's characters.
  ///
  /// - Parameters:
  ///   - block: The index of the block.
  ///   - text: The lines of the text.
  ///   - anchored: The characters of the text.
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

  /// Returns the cells of a range of characters, one rectangle per line. If one of the characters has no cell, returns
  /// the complete lines of the block.
  package func cells(of characters: Range<Int>) -> [CellRect] {
    let characterCells = places[characters.clamped(to: places.indices)].compactMap(\.self)
    guard !characterCells.isEmpty, characterCells.count == characters.count else {
      return zip(lines, widths).compactMap { line, width in
        width == 0 ? nil : CellRect(column: 0, row: line, columns: width, rows: 1)
      }
    }
    return characterCells.reduce(into: []) { rows, cell in
      if let last = rows.last, last.row == cell.row {
        rows[rows.count - 1] = last.union(cell)
      } else {
        rows.append(cell)
      }
    }
  }

  /// Returns the range from the first to the last character in the given cells, or `nil` if they contain no character.
  package func characters(in cells: [CellRect]) -> Range<Int>? {
    func isInside(_ cell: CellRect?) -> Bool {
      cell.map { cell in cells.contains { $0.contains(CellPoint(column: cell.column, row: cell.row)) } } ?? false
    }
    guard let first = places.firstIndex(where: isInside), let last = places.lastIndex(where: isInside) else {
      return nil
    }
    return first..<last + 1
  }
}

extension ReadingText {
  /// Returns the lines of a block, without the blank lines below it.
  package func lines(ofBlock block: Int) -> Range<Int> {
    guard blockLines.indices.contains(block) else { return 0..<0 }
    let start = blockLines[block]
    var end = block + 1 < blockLines.count ? blockLines[block + 1] : lines.count
    while end > start, lines[end - 1].runs.isEmpty { end -= 1 }
    return start..<end
  }

  /// Returns the index of the block that contains a line, or `nil` above the first block.
  package func block(ofLine line: Int) -> Int? { blockLines.lastIndex { $0 <= line } }
}
