package import LearningModel
package import TextCanvas

/// Draws the two sides of a card.
package struct CardDrawing {
  package let layout: ReadingLayout
  package let lines: LineDrawing
  /// Of the card, in cells.
  package let size: CellSize
  /// Whether there is room for a box around the words.
  package let hasFrame: Bool
  /// What was done of the round, 0…1: the heavy part of the card's bottom edge.
  package let fraction: Double

  package init(layout: ReadingLayout, lines: LineDrawing, size: CellSize, hasFrame: Bool, fraction: Double) {
    self.layout = layout
    self.lines = lines
    self.size = size
    self.hasFrame = hasFrame
    self.fraction = fraction
  }

  /// The cells of a card that its words may take.
  package static func inside(_ size: CellSize, hasFrame: Bool) -> CellRect {
    hasFrame ? CellRect(size).inset(columns: 2, rows: 1) : CellRect(size)
  }

  private var inside: CellRect { Self.inside(size, hasFrame: hasFrame) }

  /// The front's words, in the middle of each line.
  package func frontLines(_ card: Flashcard) -> [StyledLine] {
    layout.styled(card.front, layout.theme.bold(.strong)).wrapped(to: layout.width).map { line in
      StyledLine(indent: max(0, (inside.columns - line.displayWidth) / 2), line.runs)
    }
  }

  /// What was asked, in short, and what should have been remembered.
  package func backLines(_ card: Flashcard) -> [StyledLine] {
    let front = layout.styled(card.front, layout.theme.bold(.activity)).wrapped(to: layout.width)
    // Where there is little room, the answer comes first.
    let back = layout.text(card.back).lines
    guard inside.rows >= 5 else { return back }
    // All of it in one look is worth more than the row of air.
    return front + (front.count + back.count == inside.rows ? [] : [StyledLine()]) + back
  }

  /// Columns before the back's lines: on a card that is wider than lines may be, they stand in its middle. On one that is
  /// hardly wider they are on their way there.
  private func backIndent(_ lines: [StyledLine]) -> Int {
    let widest = lines.map(\.displayWidth).max() ?? 0
    return max(0, min((inside.columns - widest) / 2, 2 * (inside.columns - layout.width)))
  }

  /// One side: the card, and the words that stand on it.
  package struct Side {
    package var box = Surface(columns: 0, rows: 0)
    /// The card without anything written on its edge, as it is while it turns.
    package var bare = Surface(columns: 0, rows: 0)
    package var words = Surface(columns: 0, rows: 0)

    package init(
      box: Surface = Surface(columns: 0, rows: 0), bare: Surface = Surface(columns: 0, rows: 0),
      words: Surface = Surface(columns: 0, rows: 0)
    ) {
      self.box = box
      self.bare = bare
      self.words = words
    }
  }

  /// The front, its words in the middle of the card.
  package func front(_ card: Flashcard, scroll: Int) -> Side { side(frontLines(card), indent: 0, scroll: scroll) }

  /// The back.
  package func back(_ card: Flashcard, scroll: Int) -> Side {
    let lines = backLines(card)
    return side(lines, indent: backIndent(lines), scroll: scroll)
  }

  private func side(_ text: [StyledLine], indent: Int, scroll: Int) -> Side {
    let box = hasFrame ? lines.box(size, fraction: fraction, role: .activity) : Surface(size)
    var side = Side(box: box, bare: box, words: Surface(size))
    let top = max(0, (inside.rows - text.count) / 2)
    let rest = text.dropFirst(scroll)
    for (row, line) in rest.prefix(inside.rows - top).enumerated() {
      side.words.draw(
        line, at: CellPoint(column: inside.column + indent, row: inside.row + top + row), clippedTo: inside)
    }
    // Without a frame there is no room to say it on.
    if hasFrame, rest.count > inside.rows - top {
      let more = " \(lines.symbols.arrows[1]) \(rest.count - inside.rows + top) more "
      side.box.draw(
        more, at: CellPoint(column: max(0, inside.endColumn - more.displayWidth), row: size.rows - 1),
        style: lines.theme[.quiet])
    }
    return side
  }
}
