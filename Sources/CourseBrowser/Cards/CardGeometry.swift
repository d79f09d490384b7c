import CoursePages
import TextCanvas

/// The position and size of a card in the body of a page.
struct CardGeometry {
  /// The maximum height of a card with little text.
  private static let highest = 12
  /// The maximum width of a card, in columns. A wider one does not look like a card.
  private static let widest = 64

  let metrics: PageMetrics
  let bodyRows: Int
  /// Whether the card may be as wide as the page. A question with choices then needs fewer rows.
  var usesFullWidth = false

  /// Whether there is enough space for a box around the text.
  var hasFrame: Bool { bodyRows >= 6 }

  /// The rows that a card reserves for a line of text, the blank row below it, and the description of an image.
  static let rowsBesideImage = 3

  /// The number of rows for text on a card of maximum size.
  var maximumTextRows: Int { bodyRows - spacingRows - (hasFrame ? 2 : 0) }

  /// The number of blank rows between the rule and the card.
  private var spacingRows: Int { metrics.isSmall ? 0 : 1 }

  /// Returns the frame of the card, relative to the body.
  ///
  /// - Parameter tallest: Returns the number of rows of the longest side at a width in columns.
  func frame(tallest: (_ columns: Int) -> Int) -> CellRect {
    let availableColumns = hasFrame ? metrics.frameWidth + (metrics.isSmall ? 2 : 0) : metrics.textWidth
    let columns = usesFullWidth ? availableColumns : min(availableColumns, Self.widest)
    let leftColumn =
      (hasFrame ? metrics.frameColumn - (metrics.isSmall ? 1 : 0) : metrics.textColumn) + (availableColumns - columns)
      / 2
    // The card is as high as its longest side. In a large terminal it is higher, so that it has the proportions of a
    // card.
    let preferredRows = max(
      9, tallest(max(1, columns - 4)) + 4, min(Self.highest, bodyRows / 2, columns * 3 / 10))
    let rows = min(bodyRows - spacingRows, hasFrame ? preferredRows : bodyRows)
    // In a tall terminal the card is placed slightly above the middle, so that it looks centred.
    let freeRows = metrics.size.rows >= PageMetrics.tallRows ? bodyRows - spacingRows - rows : 0
    return CellRect(
      column: leftColumn, row: spacingRows + max(0, freeRows) * 2 / 5, columns: columns, rows: max(1, rows))
  }
}
