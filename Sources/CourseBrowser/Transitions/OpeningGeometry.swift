import TextCanvas

/// The layout of the transition in which a card opens and becomes the page, at a fraction 0…1.
///
/// The layout depends only on the two pages and the fraction. It is therefore the same in both directions and during an
/// interactive transition. Columns and rows count from 0. Positions are rounded to the nearest cell.
struct OpeningGeometry: Hashable {
  /// The frame of the card on the upper page.
  let card: CellRect
  /// The frame at the end of the transition: from one row above the title to the last row of the body.
  let opened: CellRect
  /// The height of the frame's edges: 1, or 0 in a terminal that is too small for frames.
  var frameThickness = 1
  /// The number of rows from the top of the frame to the rule: on the card, where the rule is the bottom edge, and on
  /// the page.
  let cardRule: Int
  let openedRule: Int
  /// The offset of the opened page's body while its own scroll animation is running, in rows.
  var bodyOffset = 0
  let fraction: Double

  /// The frame at this fraction.
  var frame: CellRect {
    // The left and right edges move outwards in a single step, so that the frame never crosses the margin of the text.
    let leftColumn = fraction < 0.5 ? card.column : opened.column
    let rightColumn = fraction < 0.5 ? card.endColumn : opened.endColumn
    let top = interpolated(card.row, opened.row)
    let bottom = max(top + 2 * frameThickness, interpolated(card.endRow - 1, opened.endRow - 1))
    return CellRect(column: leftColumn, row: top, columns: rightColumn - leftColumn, rows: bottom - top + 1)
  }

  /// The rows in which the opening page's body is visible.
  var insideRows: Range<Int> {
    let frame = frame
    let end = fraction < 1 ? frame.endRow - frameThickness : opened.endRow
    return ruleRow + 1..<max(ruleRow + 1, end)
  }

  /// The opacity of the frame: 1 until fraction 0.7, then decreasing.
  var frameOpacity: Double { Self.opacity(of: 1 - Self.fractionBetween(of: fraction, from: 0.7, to: 1)) }

  /// The opacity of content that appears when the frame disappears.
  var opacityAfterFrame: Double { Self.opacity(of: Self.fractionBetween(of: fraction, from: 0.7, to: 1)) }

  var titleRow: Int { frame.row + frameThickness }
  var summaryRow: Int { titleRow + 1 }
  var ruleRow: Int {
    min(interpolated(card.row + cardRule, opened.row + openedRule), frame.endRow - 1)
  }

  /// The number of rows by which the upper page's content above the frame has moved, and the number for the content
  /// below the frame.
  var rowsMovedUp: Int { frame.row - card.row }
  var rowsMovedDown: Int { frame.endRow - card.endRow }

  /// The offset of the opening page from its final position, in rows.
  var remainingRows: Int { frame.row - opened.row }

  /// The opacity of the old header's text next to the title. It reaches 0 before the middle of the transition.
  var oldHeaderOpacity: Double { Self.opacity(of: 1 - Self.fractionBetween(of: fraction, from: 0, to: 0.6)) }

  /// The opacity of the other cards. It reaches 0 before fraction 0.6.
  var oldOpacity: Double { Self.opacity(of: 1 - Self.fractionBetween(of: fraction, from: 0, to: 0.8)) }

  /// The fraction at which the first text of the opening page becomes visible.
  static let textStartFraction = 0.14

  /// Returns the opacity of a fragment of the opening page. Each fragment appears a little later than the one above it,
  /// and all are opaque at fraction 0.86.
  ///
  /// - Parameters:
  ///   - number: The index of the fragment.
  ///   - count: The number of fragments.
  func opacity(ofPiece number: Int, of count: Int) -> Double {
    let delay = min(0.1 * Double(number), 0.8 * Double(number) / Double(max(1, count)))
    return Self.opacity(of: Self.clamped(Self.appearance + 2.1 * (fraction - Self.textStartFraction) - delay))
  }

  /// The lowest opacity of content that fades, unless the content is invisible.
  ///
  /// Each opacity that is drawn writes the content again. With one opacity in between, content that appears is written
  /// twice.
  static let fadedOpacity = 0.6
  /// The progress at which content appears.
  private static let appearance = 0.3

  /// Returns the opacity of content at a progress from 0 (invisible) to 1.
  private static func opacity(of progress: Double) -> Double {
    progress < appearance ? 0 : max(fadedOpacity, progress)
  }

  /// The progress of the fade from the card's text to the page's text in the same rows.
  var crossFadeFraction: Double { Self.fractionBetween(of: fraction, from: 0.35, to: 0.65) }
  var isCrossFading: Bool { crossFadeFraction > 0 && crossFadeFraction < 1 }

  /// Whether the middle of the transition is reached. Content that changes in a single step changes there.
  var isPastHalf: Bool { fraction >= 0.5 }

  func interpolated(_ start: Int, _ end: Int) -> Int {
    nearestCell(Double(start) + (Double(end) - Double(start)) * fraction)
  }

  private static func fractionBetween(of fraction: Double, from start: Double, to end: Double) -> Double {
    clamped((fraction - start) / (end - start))
  }

  private static func clamped(_ value: Double) -> Double { min(1, max(0, value)) }
}
