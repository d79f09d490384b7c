/// How something gives way to what lies below it: row after row in reading order, each fading in, and where all rows do so
/// together, fading out before.
///
/// Two texts in one place cannot be read, so a row shows one or the other. It is never empty in between, and neither is
/// the whole: rows further up show what comes, those further down still what goes. Words that stand alike in both stay as
/// strong as they are.
public struct Dissolve: Hashable, Sendable {
  /// How far it has given way, 0…1.
  public var fraction: Double
  /// The part of the whole in which one row does so, above 0; at 1 all rows do together.
  public var share: Double
  /// The part of the whole in which what goes fades out, where all rows do so together: above 0 and below 1.
  public var turn: Double

  /// Makes one.
  ///
  /// - Parameters:
  ///   - fraction: How far it has given way, 0…1.
  ///   - share: The part of the whole in which one row does so, above 0 and at most 1.
  ///   - turn: The part of the whole in which what goes fades out, where the share is 1: above 0 and below 1.
  public init(_ fraction: Double = 0, share: Double = 0.4, turn: Double = 0.5) {
    self.fraction = fraction
    self.share = max(.leastNormalMagnitude, min(1, share))
    self.turn = max(.leastNormalMagnitude, min(1 - .ulpOfOne, turn))
  }

  /// What is left of all rows at the moment in which the one gives way to the other.
  static let least = 0.3
  /// What of a row that comes behind others is seen at first.
  ///
  /// Its time is a few frames, of which what goes has every one until then at full strength: so a row is written twice and
  /// not again for each shade on the way.
  static let first = 0.6

  /// Returns how much is seen in a row: of what goes, or, where that is 0, of what comes.
  ///
  /// Laws: at fraction 0 everything of what goes, at 1 everything of what comes; one of both is always 0, and never both.
  ///
  /// - Parameters:
  ///   - row: Counted from the first, 0.
  ///   - rows: How many there are.
  public func opacities(ofRow row: Int, of rows: Int) -> (going: Double, coming: Double) {
    if fraction >= 1 { return (0, 1) }
    let place = rows > 1 ? Double(max(0, min(row, rows - 1))) / Double(rows - 1) : 0
    let part = max(0, min(1, (fraction - place * (1 - share)) / share))
    guard share >= 1 else { return part < 0.5 ? (1, 0) : (0, 1 - (1 - Dissolve.first) * 2 * (1 - part)) }
    let rest = 1 - Dissolve.least
    return part < turn ? (1 - rest * part / turn, 0) : (0, 1 - rest * (1 - part) / (1 - turn))
  }
}

extension Surface {
  /// Brings back what stands alike on two pages, in a row that shows one of them half seen: stretches of at least three
  /// letters or lines, since single letters meet by chance.
  ///
  /// - Parameters:
  ///   - seen: The page that is shown.
  ///   - other: The other one.
  mutating func keepWords(of seen: Surface, alikeOn other: Surface, in area: CellRect, row: Int) {
    let first = row * columns
    var start = area.column
    var letters = 0
    func alike(_ column: Int) -> Bool {
      let (one, two) = (seen.cells[first + column], other.cells[first + column])
      return one.glyph == two.glyph && one.width == two.width && one.background == two.background
    }
    for column in area.column...area.endColumn {
      if column < area.endColumn, alike(column), letters > 0 || !seen.cells[first + column].isContinuation {
        if letters == 0, !seen.cells[first + column].hasInk {
          start = column + 1
        } else {
          letters += seen.cells[first + column].hasInk ? 1 : 0
        }
        continue
      }
      if letters >= 3 { for kept in start..<column { cells[first + kept] = seen.cells[first + kept] } }
      (start, letters) = (column + 1, 0)
    }
  }
}
