import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// Notes and highlights in the text.
extension ReadingScreen {
  /// Shows a changed list of notes.
  func show(_ notes: [Note]) {
    guard notes != self.notes else { return }
    self.notes = notes
    placeNotes()
    guard isLayerLoaded else { return }
    layOutPage()
    pane.redraw()
    host.observer.pageChanged(self)
  }

  /// Finds the positions of the notes in the current layout.
  func placeNotes() {
    notePositions = NotePositions(notes, in: text, anchoredText)
    pane.margin = notePositions.isEmpty ? 0 : min(2, metrics.margin)
  }

  // MARK: - Drawing

  func drawHighlights(on surface: inout Surface, from first: Int) {
    for mark in notePositions.positions where mark.note.isHighlight {
      for cells in mark.cells where first..<first + surface.rows ~= cells.row {
        surface.mapStyles(in: cells.offset(rows: -first)) { [theme = context.appearance.theme] in theme.highlighted($0)
        }
      }
    }
  }

  /// Draws the symbols in the margin: bars for highlights, and a symbol at the first line of each note.
  func drawMargin(on surface: inout Surface, from first: Int) {
    let (theme, symbols) = (context.appearance.theme, context.appearance.symbols)
    for mark in notePositions.positions {
      if mark.note.isHighlight {
        for cells in mark.cells where first..<first + surface.rows ~= cells.row {
          surface.draw(symbols.bar, at: CellPoint(column: 0, row: cells.row - first), style: theme.line(.accent))
        }
      }
    }
    for mark in notePositions.positions
    where !mark.note.isHighlight && first..<first + surface.rows ~= mark.lines.lowerBound {
      surface.draw(
        symbols.note, at: CellPoint(column: 0, row: mark.lines.lowerBound - first), style: theme.bold(.accent))
    }
  }

  /// The text of the note on the selected block.
  var noteHint: Footer.Hint? {
    guard let mark = noteOfChosenBlock else { return nil }
    let (symbols, others) = (context.appearance.symbols, notesOfChosenBlock.count - 1)
    let more = others > 0 ? "1 of \(others + 1) notes, " : ""
    return Footer.Hint(
      key: "e", text: symbols.quotes.around(mark.note.text.onSingleRow), detail: more + "your note")
  }

  // MARK: - Writing

  /// Performs the commands for notes.
  func performOnNotes(_ command: Command) -> Bool {
    switch command {
    case .note: writeNote()
    case .highlight: highlight()
    default: return false
    }
    return true
  }

  /// Asks for the text of a note on the selected block. If the block has a note, that note is changed.
  private func writeNote() {
    // If no block is selected, writing of the unsaved note in this text continues.
    if chosenBlock == nil, let draft = host.overlays.draft(in: place) {
      return host.overlays.askForNote(draft.note, at: draft.anchor)
    }
    guard let anchor = chosenAnchor() else { return context.notify("There are no words here to write about.") }
    host.overlays.askForNote(noteOfChosenBlock?.note, at: noteOfChosenBlock?.note.anchor ?? anchor)
  }

  /// Highlights the selected search match or the selected block. If it is highlighted already, removes the highlight.
  private func highlight() {
    let foundWords = chosenBlock == nil ? matchAnchor : nil
    guard let anchor = foundWords ?? chosenAnchor() else {
      return context.notify("There are no words here to highlight.")
    }
    let same = notePositions.positions.first { mark in
      mark.note.isHighlight && mark.place == anchoredText.place(of: anchor)
    }
    if let same {
      host.recorder.remove(same.note)
    } else {
      host.recorder.write("", at: anchor, replacing: nil)
      let again = context.label(of: .highlight).map { " \($0) takes it back" } ?? ""
      let fewer = foundWords == nil ? context.label(of: .find).map { "; \($0) finds words to highlight" } ?? "" : ""
      let (quotes, ellipsis) = (context.appearance.symbols.quotes, context.appearance.symbols.ellipsis)
      let words = anchor.quote.count > 40 ? anchor.quote.prefix(38) + ellipsis : anchor.quote[...]
      context.notify("Highlighted \(quotes.around(words))." + (again.isEmpty ? "" : again + fewer + "."))
    }
  }

  /// Returns the anchor of the selected block. If no block is selected, selects the first block that begins in the
  /// visible lines.
  private func chosenAnchor() -> NoteAnchor? {
    if chosenBlock == nil {
      let seen = visibleLines
      chosenBlock =
        text.selectableBlocks.firstIndex { seen.contains($0.lines.lowerBound) }
        ?? text.selectableBlocks.firstIndex { $0.lines.overlaps(seen) }
      chosenLink = nil
      pane.redraw()
      host.observer.pageChanged(self)
    }
    guard let lines = chosenLines else { return nil }
    return anchor(ofCells: lines.map { CellRect(column: 0, row: $0, columns: metrics.textWidth, rows: 1) })
  }

  /// The anchor of the selected search match, or `nil`.
  private var matchAnchor: NoteAnchor? {
    if let search {
      let cells = search.matches.cells(in: visibleLines).filter(\.isChosen).map(\.cells)
      return cells.isEmpty ? nil : anchor(ofCells: cells)
    }
    guard let searchMatches else { return nil }
    let cells = searchMatches.places.indices.filter(searchMatches.isChosen).flatMap { searchMatches.places[$0] }
    // A match that is not visible is ignored.
    return cells.first.map { visibleLines.contains($0.row) } == true ? anchor(ofCells: cells) : nil
  }

  private func anchor(ofCells cells: [CellRect]) -> NoteAnchor? {
    guard let line = cells.first?.row, let block = text.block(ofLine: line) else { return nil }
    let characters = PassageCells(ofBlock: block, in: text, anchoredText).characters(in: cells)
    return characters.map { anchoredText.anchor(ofBlock: block, characters: $0) } ?? anchoredText.anchor(ofBlock: block)
  }

  private var chosenLines: Range<Int>? {
    chosenBlock.flatMap { text.selectableBlocks.indices.contains($0) ? text.selectableBlocks[$0].lines : nil }
  }

  private var notesOfChosenBlock: [NotePositions.Position] {
    chosenLines.map { notePositions.positions(in: $0).filter { !$0.note.isHighlight } } ?? []
  }

  private var noteOfChosenBlock: NotePositions.Position? { notesOfChosenBlock.first }

  // MARK: - Showing a note

  /// Scrolls to the passage of a note and selects its block.
  func show(note id: String) {
    guard let mark = notePositions.positions.first(where: { $0.note.id == id }) else { return }
    if !visibleLines.contains(mark.lines.lowerBound) { lookUp(line: mark.lines.lowerBound, gliding: false) }
    chosenLink = nil
    chosenBlock = text.selectableBlocks.firstIndex { $0.lines.overlaps(mark.lines) }
    pane.redraw()
    host.observer.pageChanged(self)
  }
}
