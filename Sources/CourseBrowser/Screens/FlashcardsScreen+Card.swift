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

  /// The words and pictures of the side in sight; `nil` where no card is.
  var sideText: ReadingText? {
    guard let topCard, let round else { return nil }
    let drawing = drawing(0)
    return round.isTurned ? drawing.backText(deck[topCard]) : drawing.frontText(deck[topCard])
  }

  /// Draws the side in sight, with its pictures where it stands, and the other without.
  func drawCard() {
    guard let topCard, let round else { return }
    let drawing = drawing(round.fraction)
    let (frame, inside) = (cardFrame.offset(rows: bodyRows.lowerBound), inside)
    card.frame = Rect(cardFrame)
    let air = drawing.air(above: deck[topCard])
    var side = drawing.side(text, below: air, scroll: scroll)
    for picture in showsPictures && isAtRest ? placedPictures : [] {
      guard let drawn = drawn(picture.digest, picture.cells.size) else { continue }
      let cells = picture.cells.offset(columns: -frame.column, rows: -frame.row)
      side.words.copy(drawn, at: cells.origin, clippedTo: inside)
    }
    for cells in chosenLinkCells {
      let seen = cells.offset(columns: textLeft - frame.column, rows: textTop - scroll - frame.row)
      side.words.mapStyles(in: seen.intersection(inside)) { $0.with(.reverse) }
    }
    let other = round.isTurned ? drawing.frontText(deck[topCard]) : drawing.backText(deck[topCard])
    let otherSide = drawing.side(other, below: air, scroll: 0)
    (card.front, card.back) = round.isTurned ? (otherSide, side) : (side, otherSide)
  }
}
