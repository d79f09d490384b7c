import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The card on top: where it lies, and how it is drawn.
extension FlashcardsScreen {
  /// Rows of a card whose words need no more.
  private static let highest = 12

  var hasFrame: Bool { bodyRows.count >= 6 }
  var inside: CellRect { CardDrawing.inside(cardFrame.size, hasFrame: hasFrame) }

  var cardFrame: CellRect {
    let left = hasFrame ? metrics.frameLeft - (metrics.isSmall ? 1 : 0) : metrics.textLeft
    let columns = hasFrame ? metrics.frameWidth + (metrics.isSmall ? 2 : 0) : metrics.textWidth
    // As high as its longest side needs, and in a large terminal large enough to look like a card, which lies: beyond
    // twelve rows a few words would be lost on it.
    let wanted = max(
      9, tallest(columns: max(1, columns - 4)) + 4, min(Self.highest, bodyRows.count / 2, columns * 3 / 10))
    let rows = min(bodyRows.count - airRows, hasFrame ? wanted : bodyRows.count)
    // A card that leaves much of a high terminal empty lies in its optical middle, a little above the true one.
    let free = metrics.size.rows >= PageMetrics.rowsWithPreview ? bodyRows.count - airRows - rows : 0
    return CellRect(column: left, row: airRows + max(0, free) * 2 / 5, columns: columns, rows: max(1, rows))
  }

  func drawing(_ fraction: Double) -> CardDrawing {
    let inside = inside
    return CardDrawing(
      layout: ReadingLayout(
        width: inside.columns, theme: drawing.theme, symbols: drawing.symbols,
        // A line of words, the air below it and the description have room too.
        pictures: cardPictures.atMost(rows: inside.rows - 3)),
      lines: drawing.lines, size: cardFrame.size, hasFrame: hasFrame, fraction: fraction)
  }

  /// What becomes of pictures on the largest card that there is room for.
  var cardPictures: PictureStyle {
    shell.appearance.pictures(rows: bodyRows.count - airRows - (hasFrame ? 2 : 0))
  }

  /// The side in sight.
  private var sideText: ReadingText? {
    guard let topCard, let round else { return nil }
    let drawing = drawing(0)
    return round.isTurned ? drawing.backText(deck[topCard]) : drawing.frontText(deck[topCard])
  }

  var sideLines: Int { sideText?.lines.count ?? 0 }

  /// The pictures of the side in sight, on the terminal.
  var picturesOnCard: [PlacedPicture] {
    guard let sideText, !sideText.pictures.isEmpty else { return [] }
    let (drawing, frame) = (drawing(0), cardFrame.offset(rows: bodyRows.lowerBound))
    return sideText.pictures.compactMap { picture in
      drawing.cells(of: picture, in: sideText, scroll: sideScroll).map {
        PlacedPicture(digest: picture.picture.digest, cells: $0.offset(columns: frame.column, rows: frame.row))
      }
    }
  }

  /// The rows of the terminal that the words of the card are in.
  var insideRows: Range<Int> {
    let top = bodyRows.lowerBound + cardFrame.row + inside.row
    return top..<top + inside.rows
  }

  /// Draws the side in sight, with its pictures where it stands, and the other without.
  func drawCard() {
    guard let topCard, let round else { return }
    let drawing = drawing(round.fraction)
    card.frame = Rect(cardFrame)
    card.front = drawing.front(deck[topCard], scroll: round.isTurned ? 0 : sideScroll)
    card.back = drawing.back(deck[topCard], scroll: round.isTurned ? sideScroll : 0)
    guard showsPictures, isAtRest else { return }
    let inside = inside
    for picture in picturesOnCard {
      guard let drawn = drawn(picture.digest, picture.cells.size) else { continue }
      let cells = picture.cells.offset(columns: -cardFrame.column, rows: -cardFrame.row - bodyRows.lowerBound)
      if round.isTurned {
        card.back.words.copy(drawn, at: cells.origin, clippedTo: inside)
      } else {
        card.front.words.copy(drawn, at: cells.origin, clippedTo: inside)
      }
    }
  }

  var hasMoreOnSide: Bool { sideScroll < sideLines - inside.rows }
}
