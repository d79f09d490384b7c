/// A transition from old content to the new content below it: row by row in reading order, each row fading in. If all
/// rows change together, the old content fades out first.
///
/// Two overlapping texts are not readable, so each row shows one of them. No row is empty at any time: upper rows show
/// the new content while lower rows still show the old content. Text that is equal in both keeps its full opacity.
public struct Dissolve: Hashable, Sendable {
  /// The progress of the transition, 0…1.
  public var fraction: Double
  /// The part of the transition in which a single row changes, greater than 0. At 1, all rows change together.
  public var rowShare: Double
  /// The part of the transition in which the old content fades out if all rows change together. Greater than 0 and less
  /// than 1.
  public var crossoverFraction: Double

  /// Creates a dissolve transition.
  ///
  /// - Parameters:
  ///   - fraction: The progress of the transition, 0…1.
  ///   - rowShare: The part of the transition in which a single row changes, greater than 0 and at most 1.
  ///   - crossoverFraction: The part of the transition in which the old content fades out if `rowShare` is 1. Greater
  ///     than 0 and less than 1.
  public init(_ fraction: Double = 0, rowShare: Double = 0.4, crossoverFraction: Double = 0.5) {
    self.fraction = fraction
    self.rowShare = max(.leastNormalMagnitude, min(1, rowShare))
    self.crossoverFraction = max(.leastNormalMagnitude, min(1 - .ulpOfOne, crossoverFraction))
  }

  /// The minimum opacity of the rows if all rows change together. It is reached when the new content replaces the old
  /// content.
  static let minimumOpacity = 0.3
  /// The initial opacity of a new row if rows change one after another.
  ///
  /// A row changes within a few frames, and the old content has full opacity until then. So a row is written only
  /// twice, not once for each opacity.
  static let first = 0.6

  /// Returns the opacities of the old and the new content of a row.
  ///
  /// Laws: at fraction 0 the old content has opacity 1, at fraction 1 the new content. Exactly one of the two opacities
  /// is 0.
  ///
  /// - Parameters:
  ///   - row: The zero-based index of the row.
  ///   - rows: The number of rows.
  public func opacities(ofRow row: Int, of rows: Int) -> (going: Double, coming: Double) {
    if fraction >= 1 { return (0, 1) }
    let position = rows > 1 ? Double(max(0, min(row, rows - 1))) / Double(rows - 1) : 0
    let progress = max(0, min(1, (fraction - position * (1 - rowShare)) / rowShare))
    guard rowShare >= 1 else { return progress < 0.5 ? (1, 0) : (0, 1 - (1 - Dissolve.first) * 2 * (1 - progress)) }
    let range = 1 - Dissolve.minimumOpacity
    return progress < crossoverFraction
      ? (1 - range * progress / crossoverFraction, 0) : (0, 1 - range * (1 - progress) / (1 - crossoverFraction))
  }
}

extension Surface {
  /// Restores the full opacity of content that is equal on two pages, in a row that shows one of them partially
  /// transparent. Restores sequences of at least three visible characters, because single ones are often equal by
  /// chance.
  ///
  /// - Parameters:
  ///   - visible: The page that is shown.
  ///   - other: The other page.
  ///   - area: The columns to compare.
  ///   - row: The row.
  mutating func restoreSharedText(of visible: Surface, sharedWith other: Surface, in area: CellRect, row: Int) {
    let first = row * columns
    var start = area.column
    var letters = 0
    func alike(_ column: Int) -> Bool {
      let (one, two) = (visible.cells[first + column], other.cells[first + column])
      return one.glyph == two.glyph && one.width == two.width && one.background == two.background
    }
    for column in area.column...area.endColumn {
      if column < area.endColumn, alike(column), letters > 0 || !visible.cells[first + column].isContinuation {
        if letters == 0, !visible.cells[first + column].isVisible {
          start = column + 1
        } else {
          letters += visible.cells[first + column].isVisible ? 1 : 0
        }
        continue
      }
      if letters >= 3 { for column in start..<column { cells[first + column] = visible.cells[first + column] } }
      (start, letters) = (column + 1, 0)
    }
  }
}
