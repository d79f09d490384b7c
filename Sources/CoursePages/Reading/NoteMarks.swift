package import LearningModel
package import TextCanvas

/// The notes of a text, where they stand in its lines.
package struct NoteMarks {
  /// A note whose words are in the text.
  package struct Mark: Hashable {
    /// The note.
    package let note: Note
    /// Where its words are.
    package let place: AnchoredText.Place
    /// Their cells, rows counted as lines of the text.
    package let cells: [CellRect]

    /// The lines of its words.
    package var lines: Range<Int> { (cells.first?.row ?? 0)..<(cells.last.map { $0.row + 1 } ?? 0) }
  }

  /// Those that stand in the text, from the top.
  package private(set) var marks: [Mark] = []
  /// Those whose place is gone.
  package private(set) var lost: [Note] = []

  /// No notes.
  package init() {}

  /// Finds the places of notes.
  package init(_ notes: [Note], in text: ReadingText, _ anchored: AnchoredText) {
    guard !notes.isEmpty else { return }
    var known: [Int: PassageCells] = [:]
    for note in notes {
      guard let place = anchored.place(of: note.anchor) else {
        lost.append(note)
        continue
      }
      let cells = known[place.block] ?? PassageCells(ofBlock: place.block, in: text, anchored)
      known[place.block] = cells
      marks.append(Mark(note: note, place: place, cells: cells.cells(of: place.characters)))
    }
    marks.removeAll { $0.cells.isEmpty }
    marks.sort { ($0.place.block, $0.place.characters.lowerBound) < ($1.place.block, $1.place.characters.lowerBound) }
  }

  /// Whether none stands in the text.
  package var isEmpty: Bool { marks.isEmpty }

  /// The notes whose words stand in some of the lines, those with words of their own first.
  package func marks(in lines: Range<Int>) -> [Mark] {
    let found = marks.filter { $0.lines.overlaps(lines) }
    return found.filter { !$0.note.isHighlight } + found.filter(\.note.isHighlight)
  }
}
