import TextCanvas

/// Where everything stands while a card opens and becomes the page, for a fraction of the way 0…1.
///
/// All of it is a function of the two pages and the fraction, so the way back is the same, and so is every moment that a
/// hand stops at. Columns and rows count from 0; rounding is to the nearest cell.
struct OpeningGeometry: Hashable {
  /// The card's frame on the page above.
  let card: CellRect
  /// The frame that the card has become when the page is open: one row above the title to the last row of the body.
  let opened: CellRect
  /// Rows of an edge of the frame: 1, and 0 in a terminal that is too small for frames.
  var edge = 1
  /// Rows from the frame's top to the rule: on the card, where the rule is its bottom edge, and on the page.
  let cardRule: Int
  let openedRule: Int
  /// Rows that the opened page's rule, and what is below it, still have to go up by themselves.
  var bodyLag = 0
  let fraction: Double

  /// The frame.
  var frame: CellRect {
    // Left and right edges take their half cell outwards, so that the frame never stands inside the text's margin.
    let left = fraction < 0.5 ? card.column : opened.column
    let right = fraction < 0.5 ? card.endColumn : opened.endColumn
    let top = between(card.row, opened.row)
    let bottom = max(top + 2 * edge, between(card.endRow - 1, opened.endRow - 1))
    return CellRect(column: left, row: top, columns: right - left, rows: bottom - top + 1)
  }

  /// The rows in which the page is seen that opens, below its rule.
  var insideRows: Range<Int> {
    let frame = frame
    let end = fraction < 1 ? frame.endRow - edge : opened.endRow
    return ruleRow + 1..<max(ruleRow + 1, end)
  }

  /// The frame stands until 0.7, and is gone at the end.
  var frameOpacity: Double { 1 - Self.part(of: fraction, from: 0.7, to: 1) }

  var titleRow: Int { frame.row + edge }
  var summaryRow: Int { titleRow + 1 }
  var ruleRow: Int {
    min(between(card.row + cardRule, opened.row + openedRule), frame.endRow - 1)
  }

  /// How far the page above has moved up over the frame, and down below it.
  var rowsAbove: Int { frame.row - card.row }
  var rowsBelow: Int { frame.endRow - card.endRow }

  /// How far the opened page still is below its place, besides what it has to go by itself.
  var rowsToGo: Int { frame.row - opened.row }

  /// What the old header says beside its title: gone when the frame has come half way.
  var oldHeaderOpacity: Double { 1 - Self.part(of: fraction, from: 0, to: 0.5) }

  /// The siblings.
  var oldOpacity: Double { 1 - Self.part(of: fraction, from: 0, to: 0.6) }

  /// The part of the way from which on the first words of the opened page are seen.
  static let firstWords = 0.15

  /// What is seen below the list of what opens, beside ``oldOpacity``: it is gone before the opened page says the same.
  var previewOpacity: Double { 1 - Self.part(of: fraction, from: 0, to: Self.firstWords) }

  /// How much of its way from the header to the trail the old title has gone, in rows, and in columns: it is a little
  /// quicker towards the end, so that it stands where its crumb will when three quarters of the whole are done.
  var oldTitle: Double { Self.part(of: fraction, from: 0, to: 0.8) }
  var oldTitleColumns: Double { min(1, oldTitle + 0.2 * max(0, oldTitle - 0.625)) }

  /// The piece of the opened page with that number comes a little after the one above it.
  func opacity(ofPiece number: Int) -> Double {
    Self.clamped(1.6 * Self.part(of: fraction, from: Self.firstWords, to: 0.9) - 0.15 * Double(number))
  }

  /// How far what the card says has given way to what the page says in the same rows.
  var exchange: Double { Self.part(of: fraction, from: 0.35, to: 0.65) }
  var isExchanging: Bool { exchange > 0 && exchange < 1 }

  /// What changes in one step does so half way.
  var isPastMiddle: Bool { fraction >= 0.5 }

  func between(_ start: Int, _ end: Int) -> Int {
    nearestCell(Double(start) + (Double(end) - Double(start)) * fraction)
  }

  private static func part(of fraction: Double, from start: Double, to end: Double) -> Double {
    clamped((fraction - start) / (end - start))
  }

  private static func clamped(_ value: Double) -> Double { min(1, max(0, value)) }
}
