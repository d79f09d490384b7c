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
    pane.margin = min(2, metrics.margin)
  }

  // MARK: - Drawing

  func drawHighlights(on surface: inout Surface, from firstLine: Int) {
    for position in notePositions.positions where position.note.isHighlight {
      for cells in position.cells where firstLine..<firstLine + surface.rows ~= cells.row {
        surface.mapStyles(in: cells.offset(rows: -firstLine)) { [theme = context.appearance.theme] in
          theme.highlighted($0)
        }
      }
    }
  }

  /// Draws the symbols in the margin: bars for the selected block and for highlights, and a symbol at the first line of
  /// each note.
  func drawMargin(on surface: inout Surface, from firstLine: Int) {
    let (theme, symbols) = (context.appearance.theme, context.appearance.symbols)
    for line in chosenLines ?? 0..<0 where firstLine..<firstLine + surface.rows ~= line {
      surface.draw(
        symbols.marker, at: CellPoint(column: pane.margin - 1, row: line - firstLine), style: theme.bold(.accent))
    }
    for position in notePositions.positions {
      if position.note.isHighlight {
        for cells in position.cells where firstLine..<firstLine + surface.rows ~= cells.row {
          surface.draw(symbols.bar, at: CellPoint(column: 0, row: cells.row - firstLine), style: theme.line(.accent))
        }
      }
    }
    for position in notePositions.positions
    where !position.note.isHighlight && firstLine..<firstLine + surface.rows ~= position.lines.lowerBound {
      surface.draw(
        position.note.isCard ? symbols.card : symbols.note,
        at: CellPoint(column: 0, row: position.lines.lowerBound - firstLine), style: theme.bold(.accent))
    }
  }

  /// The text of the note on the selected block.
  var noteHint: Footer.Hint? {
    guard let position = noteOfChosenBlock else {
      return cardOfChosenBlock.map { card in
        let question = context.appearance.symbols.quotes.around(card.text.onSingleRow)
        return Footer.Hint(.makeCard, text: question, detail: "your card")
      }
    }
    let (symbols, others) = (context.appearance.symbols, notesOfChosenBlock.count - 1)
    let more = others > 0 ? "1 of \(others + 1) notes, " : ""
    return Footer.Hint(
      .note, text: symbols.quotes.around(position.note.text.onSingleRow), detail: more + "your note")
  }

  // MARK: - Writing

  /// Returns what the commands for notes do.
  func offerOnNotes(_ command: Command) -> Offer? {
    switch command {
    case .note: Offer(search == nil ? "note" : "") { [self] in writeNote() }
    case .highlight: Offer("highlight", rank: 1) { [self] in highlight() }
    case .makeCard: Offer("make a card", rank: Offer.helpRank) { [self] in makeCard() }
    default: nil
    }
  }

  /// Asks for the text of a note on the selected block. If the block has a note, that note is changed.
  private func writeNote() {
    // If nothing is selected, writing of the unsaved note in this text continues.
    if chosenBlock == nil, matchCells.isEmpty, let draft = host.overlays.draft(in: place) {
      return host.overlays.askForNote(draft.note, at: draft.anchor)
    }
    guard let anchor = chosenAnchor() else {
      return context.notify("There is no text here to write a note about.", .warn)
    }
    host.overlays.askForNote(noteOfChosenBlock?.note, at: noteOfChosenBlock?.note.anchor ?? anchor)
  }

  /// Highlights the selected search match or the selected block. If it is highlighted already, removes the highlight.
  private func highlight() {
    let searchAnchor = chosenBlock == nil ? anchor(ofCells: matchCells) : nil
    guard let anchor = searchAnchor ?? chosenAnchor() else {
      return context.notify("There is no text here to highlight.", .warn)
    }
    let existing = notePositions.positions.first { position in
      position.note.isHighlight && position.place == anchoredText.place(of: anchor)
    }
    if let existing {
      host.recorder.remove(existing.note, in: nil)
    } else {
      host.recorder.write("", at: anchor, replacing: nil) {}
      let undoHint = context.label(of: .undo).map { " \($0) undoes it" } ?? ""
      let findHint =
        searchAnchor == nil ? context.label(of: .find).map { "; \($0) finds words to highlight" } ?? "" : ""
      let (quotes, ellipsis) = (context.appearance.symbols.quotes, context.appearance.symbols.ellipsis)
      let shortQuote = anchor.quote.count > 40 ? anchor.quote.prefix(38) + ellipsis : anchor.quote[...]
      let hints = undoHint.isEmpty ? "" : undoHint + findHint + "."
      context.notify(context.stored("Highlighted \(quotes.around(shortQuote))") + hints)
    }
  }

  /// Asks for the question of a card whose answer is the selected block, or the block with the selected search match.
  /// The heading above is suggested. If a card was made of the block, that card is changed.
  private func makeCard() {
    guard let anchor = chosenAnchor() else {
      return context.notify("There is no text here to make a card of.", .warn)
    }
    let heading = text.heading(at: chosenLines?.lowerBound ?? scroll)?.title ?? ""
    let make = { [self] in
      host.overlays.askForCard(
        question: heading.isEmpty ? page.header.title : heading, answer: anchor.quote, at: anchor, in: place)
    }
    guard let card = cardOfChosenBlock else { return make() }
    host.overlays.askToChange(card: card, in: place, another: make)
  }

  /// Returns the anchor of the selected block. If no block is selected, selects the block with the selected search match
  /// or, without one, the first block that begins in the visible lines.
  private func chosenAnchor() -> NoteAnchor? {
    if chosenBlock == nil {
      let visible = visibleLines
      // The match may be in a heading, which cannot be selected.
      chosenBlock =
        matchCells.first.flatMap { match in text.selectableBlocks.firstIndex { $0.lines.upperBound > match.row } }
        ?? text.selectableBlocks.firstIndex { visible.contains($0.lines.lowerBound) }
        ?? text.selectableBlocks.firstIndex { $0.lines.overlaps(visible) }
      chosenLink = nil
      pane.redraw()
      host.observer.pageChanged(self)
    }
    guard let lines = chosenLines else { return nil }
    return anchor(ofCells: lines.map { CellRect(column: 0, row: $0, columns: metrics.textWidth, rows: 1) })
  }

  /// The cells of the selected search match. Empty if there is none, or if it is not visible.
  private var matchCells: [CellRect] {
    if let search { return search.matches.cells(in: visibleLines).filter(\.isChosen).map(\.cells) }
    guard let searchMatches else { return [] }
    let cells = searchMatches.places.indices.filter(searchMatches.isChosen).flatMap { searchMatches.places[$0] }
    return cells.first.map { visibleLines.contains($0.row) } == true ? cells : []
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
    chosenLines.map { notePositions.positions(in: $0).filter { !$0.note.isHighlight && !$0.note.isCard } } ?? []
  }

  private var cardOfChosenBlock: Note? {
    chosenLines.flatMap { notePositions.positions(in: $0).map(\.note).last(where: \.isCard) }
  }

  private var noteOfChosenBlock: NotePositions.Position? { notesOfChosenBlock.first }

  // MARK: - Showing a note

  /// Scrolls to the passage of a note and selects its block.
  func show(note id: String) {
    guard let position = notePositions.positions.first(where: { $0.note.id == id }) else { return }
    if !visibleLines.contains(position.lines.lowerBound) { lookUp(line: position.lines.lowerBound, gliding: false) }
    chosenLink = nil
    chosenBlock = text.selectableBlocks.firstIndex { $0.lines.overlaps(position.lines) }
    pane.redraw()
    host.observer.pageChanged(self)
  }
}
