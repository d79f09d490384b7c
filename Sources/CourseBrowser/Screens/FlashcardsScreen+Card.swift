import CoursePages
import LearningModel
import TextCanvas

/// The card on top: where it lies, and how it is drawn.
extension FlashcardsScreen {
  var hasFrame: Bool { bodyRows.count >= 6 }
  var inside: CellRect { CardDrawing.inside(cardFrame.size, hasFrame: hasFrame) }

  var cardFrame: CellRect {
    let left = hasFrame ? metrics.frameLeft - (metrics.isSmall ? 1 : 0) : metrics.textLeft
    let columns = hasFrame ? metrics.frameWidth + (metrics.isSmall ? 2 : 0) : metrics.textWidth
    // As high as its longest side needs, and in a large terminal large enough to look like a card, which lies.
    let wanted = max(9, tallest(columns: max(1, columns - 4)) + 4, min(bodyRows.count / 2, columns * 3 / 10))
    let rows = min(bodyRows.count - airRows, hasFrame ? wanted : bodyRows.count)
    // A card that leaves much of a high terminal empty lies in its optical middle, a little above the true one.
    let free = metrics.size.rows >= PageMetrics.rowsWithPreview ? bodyRows.count - airRows - rows : 0
    return CellRect(column: left, row: airRows + max(0, free) * 2 / 5, columns: columns, rows: max(1, rows))
  }

  func drawing(_ fraction: Double) -> CardDrawing {
    CardDrawing(
      layout: ReadingLayout(width: inside.columns, theme: drawing.theme, symbols: drawing.symbols),
      lines: drawing.lines, size: cardFrame.size, hasFrame: hasFrame, fraction: fraction)
  }

  var sideLines: Int {
    guard let topCard, let round else { return 0 }
    let drawing = drawing(0)
    return round.isTurned ? drawing.backLines(deck[topCard]).count : drawing.frontLines(deck[topCard]).count
  }

  var hasMoreOnSide: Bool { sideScroll < sideLines - inside.rows }
}
