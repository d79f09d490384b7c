extension Surface {
  /// Draws another surface as if it stood in a frame and were scaled and turned about the frame's middle.
  ///
  /// Each cell shows the cell whose place it sees (nearest sampling); a wide character is shown where both its halves
  /// are seen side by side, and is blank otherwise. A turned card is seen in perspective from three times its width.
  ///
  /// Source: the inverse of x' = d x cos a / (d + x sin a), y' = d y / (d + x sin a).
  mutating func project(_ source: Surface, from frame: Rect, through transform: Transform, clippedTo clip: CellRect) {
    let (sine, cosine) = sineAndCosine(of: transform.flip)
    let distance = 3 * max(1, frame.width)
    // Nearer parts are seen up to 1.2 times as large.
    let reach = Rect(
      x: frame.midX - 0.6 * frame.width * abs(transform.scaleX),
      y: frame.midY - 0.6 * frame.height * abs(transform.scaleY), width: 1.2 * frame.width * abs(transform.scaleX),
      height: 1.2 * frame.height * abs(transform.scaleY))
    let area = clip.intersection(bounds).intersection(reach.cells.inset(columns: -1, rows: -1))
    isOpaque = false
    if source.mayHoldWide { mayHoldWide = true }
    guard abs(cosine * transform.scaleX) > 1e-6, abs(transform.scaleY) > 1e-6, !area.isEmpty else { return }
    for row in area.row..<area.endRow {
      let y = (Double(row) + 0.5 - frame.midY) / transform.scaleY
      for column in area.column..<area.endColumn {
        let x = (Double(column) + 0.5 - frame.midX) / transform.scaleX
        let denominator = distance * cosine - x * sine
        guard abs(denominator) > 1e-9 else { continue }
        let u = x * distance / denominator
        let depth = distance + u * sine
        guard depth > 0, abs(u) <= frame.width else { continue }
        let v = y * depth / distance
        let from = CellPoint(
          column: Int((u + frame.width / 2).rounded(.down)), row: Int((v + frame.height / 2).rounded(.down)))
        guard source.bounds.contains(from) else { continue }
        cells[row * columns + column] = source.cells[from.row * source.columns + from.column]
      }
      joinWide(row: row, from: area.column, to: area.endColumn)
    }
  }

  /// Puts the halves of wide characters that were sampled back into their order; what has no other half is blank.
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

/// Returns sine and cosine of an angle in radians, to 1e-9: the standard library alone has neither.
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
  switch Int(quarters.truncatingRemainder(dividingBy: 4) + 4) % 4 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}
