package import LearningModel
package import TextCanvas

/// Draws both sides of a card. The back repeats the text of the front in the same cells, and shows the answer below it.
/// The longer side is centred vertically.
package struct CardDrawing {
  package let layout: ReadingLayout
  package let lines: LineDrawing
  /// The size of the card in cells.
  package let size: CellSize
  /// Whether there is enough space for a box around the text.
  package let hasFrame: Bool

  package init(layout: ReadingLayout, lines: LineDrawing, size: CellSize, hasFrame: Bool) {
    self.layout = layout
    self.lines = lines
    self.size = size
    self.hasFrame = hasFrame
  }

  /// Returns the cells of a card that are available for its text.
  package static func inside(_ size: CellSize, hasFrame: Bool) -> CellRect {
    hasFrame ? CellRect(size).inset(columns: 2, rows: 1) : CellRect(size)
  }

  /// The cells of the card that are available for its text.
  package var inside: CellRect { Self.inside(size, hasFrame: hasFrame) }

  /// Returns the text and images of a question. The lines of a single paragraph are centred; several blocks are centred
  /// as one.
  package func frontText(_ question: [Block]) -> ReadingText { questionText(question, .strong) }

  private func questionText(_ question: [Block], _ role: Role) -> ReadingText {
    guard case .paragraph(let first)? = question.first else { return centredAsBlock(layout.text(question)) }
    let line = layout.text(first, layout.theme.bold(role))
    guard question.count > 1 else { return line.centred(in: inside.columns) }
    var text = line
    text.append([StyledLine()])
    text.append(layout.text(Array(question.dropFirst())))
    return centredAsBlock(text)
  }

  /// Returns a text whose lines stay aligned, moved to the middle of the card.
  package func centredAsBlock(_ text: ReadingText) -> ReadingText {
    let widest = text.lines.map(\.displayWidth).max() ?? 0
    return text.moved(by: max(0, (inside.columns - widest) / 2))
  }

  /// Returns the text of the question, followed by the answer. The answer is centred as one block, so its lines stay
  /// aligned.
  ///
  /// - Parameter isCentred: Whether each line of the answer is centred instead.
  package func backText(_ question: [Block], _ answer: ReadingText, isCentred: Bool = false) -> ReadingText {
    var text = ReadingText()
    // If there is little space, only the answer is shown.
    if inside.rows >= 5 {
      text = repeatedQuestion(question)
      // If the text fits exactly without a blank row between front and answer, the blank row is omitted.
      if text.lines.count + answer.lines.count != inside.rows { text.append([StyledLine()]) }
    }
    text.append(isCentred ? answer.centred(in: inside.columns) : centredAsBlock(answer))
    return text
  }

  /// Returns the question as the back repeats it. The images of a single paragraph are not repeated.
  private func repeatedQuestion(_ question: [Block]) -> ReadingText {
    guard question.count == 1, case .paragraph(let line)? = question.first else {
      return questionText(question, .activity)
    }
    var text = ReadingText()
    text.append(layout.styled(line, layout.theme.bold(.activity)).wrapped(to: layout.width))
    return text.centred(in: inside.columns)
  }

  /// The drawing of one side of a card.
  package struct Side {
    package var box = Surface(columns: 0, rows: 0)
    /// The card as shown while it turns: like ``box``, but without the number of hidden lines on its edge.
    package var withoutBox = Surface(columns: 0, rows: 0)
    package var text = Surface(columns: 0, rows: 0)

    package init(
      box: Surface = Surface(columns: 0, rows: 0), withoutBox: Surface = Surface(columns: 0, rows: 0),
      text: Surface = Surface(columns: 0, rows: 0)
    ) {
      self.box = box
      self.withoutBox = withoutBox
      self.text = text
    }
  }

  /// Draws a side.
  ///
  /// - Parameters:
  ///   - text: The text of the side.
  ///   - top: The blank rows above the text.
  ///   - scroll: The number of lines that are scrolled out.
  package func side(_ text: ReadingText, below top: Int, scroll: Int) -> Side {
    let box = hasFrame ? lines.box(size, fraction: 0, role: .activity) : Surface(size)
    var side = Side(box: box, withoutBox: box, text: Surface(size))
    let remaining = text.lines.dropFirst(scroll)
    for (row, line) in remaining.prefix(inside.rows - top).enumerated() {
      side.text.draw(
        line, at: CellPoint(column: inside.column, row: inside.row + top + row), clippedTo: inside)
    }
    // The number of lines below the visible ones is drawn on the frame.
    if hasFrame, remaining.count > inside.rows - top {
      let more = " \(lines.symbols.arrows[1]) \(remaining.count - inside.rows + top) more "
      side.box.draw(
        more, at: CellPoint(column: max(0, inside.endColumn - more.displayWidth), row: size.rows - 1),
        style: lines.theme[.quiet])
    }
    return side
  }
}

extension Block {
  var isParagraph: Bool { if case .paragraph = self { true } else { false } }
}
