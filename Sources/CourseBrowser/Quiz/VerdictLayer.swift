internal import Motion
internal import ScreenKit
internal import TextCanvas

/// The checked choices of a question while their verdict is said: what is right is swept with colour from left to right,
/// what is not is shaken, as a head is. It lies on the choices as they are in the end, and goes when it is over.
@MainActor final class VerdictLayer: Layer {
  /// Seconds.
  static let duration = 0.4
  private static let sweep: LayerKey = "sweep"
  private static let shake: LayerKey = "shake"
  /// Where the shaken rows are at the end of each part: when, as a fraction of the whole, and how many columns away.
  private static let shakes: [(end: Double, columns: Double)] = [(0.2, 2), (0.45, -2), (0.7, 1), (0.9, -1), (1, 0)]

  /// Makes the layer of some rows.
  ///
  /// - Parameters:
  ///   - lines: As they are in the end, checked.
  ///   - plain: The style of what is not swept yet.
  init(_ lines: [StyledLine], isRight: Bool, frame: CellRect, plain: Style) {
    super.init(frame: Rect(frame))
    drawing = { state in
      var surface = Surface(state.cells.size, filledWith: .blank)
      let shift = isRight ? 0 : nearestCell(state.values[Self.shake] ?? 0)
      for (row, line) in lines.enumerated() {
        surface.draw(line, at: CellPoint(column: Self.margin + shift, row: row))
      }
      if isRight {
        let swept = nearestCell((state.values[Self.sweep] ?? 0) * Double(surface.columns))
        let rest = CellRect(column: swept, row: 0, columns: surface.columns - swept, rows: surface.rows)
        surface.mapStyles(in: rest) { _ in plain }
      }
      return surface
    }
  }

  /// Columns at both sides of the words, for them to be shaken in.
  static let margin = 2

  /// Says the verdict, then goes.
  func play() {
    var start = 0.0
    var frames = [Keyframe(start: 0, duration: 1) { self.values[Self.sweep] = 1 }]
    for shake in Self.shakes {
      frames.append(Keyframe(start: start, duration: shake.end - start) { self.values[Self.shake] = shake.columns })
      start = shake.end
    }
    animateKeyframes(duration: Self.duration, frames) { [weak self] _ in self?.removeFromSuperlayer() }
  }
}
