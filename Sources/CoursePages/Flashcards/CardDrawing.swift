package import LearningModel
package import TextCanvas

/// Draws the two sides of a card: the words that are asked stand in the same cells on both.
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

  /// The front's words and pictures, in the middle of each line.
  package func frontText(_ card: Flashcard) -> ReadingText {
    layout.text(card.front, layout.theme.bold(.strong)).centred(in: inside.columns)
  }

  /// What was asked, in words as on the front, and what should have been remembered, in the middle as a whole.
  package func backText(_ card: Flashcard) -> ReadingText {
    let front = layout.styled(card.front, layout.theme.bold(.activity)).wrapped(to: layout.width)
    // Where there is little room, the answer comes first.
    let back = layout.text(card.back)
    var text = ReadingText()
    if inside.rows >= 5 {
      text.append(front)
      // All of it in one look is worth more than the row of air.
      if front.count + back.lines.count != inside.rows { text.append([StyledLine()]) }
      text = text.centred(in: inside.columns)
    }
    let widest = back.lines.map(\.displayWidth).max() ?? 0
    text.append(back.moved(by: max(0, (inside.columns - widest) / 2)))
    return text
  }

  /// Rows of air above the words of either side: as much as the longer one leaves.
  package func air(above card: Flashcard) -> Int {
    max(0, (inside.rows - max(frontText(card).lines.count, backText(card).lines.count)) / 2)
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

  /// A side.
  ///
  /// - Parameters:
  ///   - text: Its words.
  ///   - top: Rows of air above them.
  ///   - scroll: Lines of them that are scrolled away.
  package func side(_ text: ReadingText, below top: Int, scroll: Int) -> Side {
    let box = hasFrame ? lines.box(size, fraction: fraction, role: .activity) : Surface(size)
    var side = Side(box: box, bare: box, words: Surface(size))
    let rest = text.lines.dropFirst(scroll)
    for (row, line) in rest.prefix(inside.rows - top).enumerated() {
      side.words.draw(
        line, at: CellPoint(column: inside.column, row: inside.row + top + row), clippedTo: inside)
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
