/// A translation, scale and flip of a node. Scaling and flipping are relative to the centre of its frame.
public struct Transform: Hashable, Sendable {
  /// The translation in cells, applied last.
  public var translation: Point
  /// The horizontal scale. At 0, nothing is visible.
  public var scaleX: Double
  /// The vertical scale. At 0, nothing is visible.
  public var scaleY: Double
  /// The rotation about the vertical axis in radians. At π/2, only the edge is visible; above that, the back.
  public var flip: Double

  /// The transform without effect.
  public static let identity = Transform()

  /// Creates a transform.
  ///
  /// - Parameters:
  ///   - translation: The translation in cells, applied last.
  ///   - scaleX: The horizontal scale.
  ///   - scaleY: The vertical scale.
  ///   - flip: The rotation about the vertical axis in radians.
  public init(translation: Point = .zero, scaleX: Double = 1, scaleY: Double = 1, flip: Double = 0) {
    self.translation = translation
    self.scaleX = scaleX
    self.scaleY = scaleY
    self.flip = flip
  }

  /// Whether the transform neither scales nor flips.
  public var isTranslation: Bool { scaleX == 1 && scaleY == 1 && flip == 0 }
}

extension Surface {
  /// Draws another surface in a frame, scaled and flipped about the centre of the frame.
  ///
  /// Whole columns and rows are omitted or repeated. The first and last ones are always visible, so that a box stays
  /// closed however narrow it becomes. The back shows the columns in reverse order. A wide character is drawn if both
  /// halves are next to each other, otherwise as blanks.
  mutating func project(_ source: Surface, from frame: Rect, through transform: Transform, clippedTo clip: CellRect) {
    let width = transform.scaleX * sineAndCosine(of: transform.flip).cosine
    let columnMap = Span(middle: frame.midX, length: frame.width, scale: width, count: source.columns)
    let rowMap = Span(middle: frame.midY, length: frame.height, scale: transform.scaleY, count: source.rows)
    let area = CellRect(column: columnMap.first, row: rowMap.first, columns: columnMap.length, rows: rowMap.length)
      .intersection(clip).intersection(bounds)
    guard !area.isEmpty else { return }
    isOpaque = false
    if source.mayHoldWide { mayHoldWide = true }
    for row in area.row..<area.endRow {
      let from = rowMap.source(of: row) * source.columns
      for column in area.column..<area.endColumn {
        cells[row * columns + column] = source.cells[from + columnMap.source(of: column)]
      }
      if source.mayHoldWide { joinWide(row: row, from: area.column, to: area.endColumn) }
    }
  }

  /// The mapping of the columns or rows of a scaled surface.
  private struct Span {
    let first: Int
    let length: Int
    private let count: Int
    private let isReversed: Bool

    init(middle: Double, length: Double, scale: Double, count: Int) {
      let scaled = length * abs(scale)
      self.length = count > 0 ? max(0, nearestCell(scaled)) : 0
      first = nearestCell(middle - Double(self.length) / 2)
      isReversed = scale < 0
      self.count = count
    }

    /// Returns the column or row of the source that is visible at a position of the target.
    func source(of index: Int) -> Int {
      let step = isReversed ? length - 1 - (index - first) : index - first
      if length <= 1 { return 0 }
      if length >= count { return step * count / length }
      return (2 * step * (count - 1) + length - 1) / (2 * (length - 1))
    }
  }

  /// Restores the order of the halves of wide characters. A half without its other half becomes a blank.
  private mutating func joinWide(row: Int, from first: Int, to end: Int) {
    var column = first
    while column < end {
      let index = row * columns + column
      let one = cells[index]
      guard one.width != 1 else {
        column += 1
        continue
      }
      if column + 1 < end {
        let other = cells[index + 1]
        if one.isWide && other.isContinuation {
          column += 2
          continue
        }
        if one.isContinuation && other.isWide {
          cells.swapAt(index, index + 1)
          column += 2
          continue
        }
      }
      cells[index] = one.asBlank
      column += 1
    }
  }
}

/// Returns sine and cosine of an angle in radians with an error of at most 1e-9. The standard library has neither.
///
/// Source: Taylor series, after reduction to a quarter turn.
func sineAndCosine(of angle: Double) -> (sine: Double, cosine: Double) {
  guard angle.isFinite else { return (0, 1) }
  let quarters = (angle / (Double.pi / 2)).rounded()
  let rest = angle - quarters * (Double.pi / 2)
  let square = rest * rest
  var sine = 0.0
  var cosine = 0.0
  for n in stride(from: 9, through: 1, by: -1) {
    let even = Double(2 * n)
    cosine = 1 - square / (even * (even - 1)) * (n == 9 ? 1 : cosine)
    sine = 1 - square / (even * (even + 1)) * (n == 9 ? 1 : sine)
  }
  sine *= rest
  switch nearestCell(quarters.truncatingRemainder(dividingBy: 4) + 4) % 4 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}
