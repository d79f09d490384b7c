import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// The checked choices of a question while their verdict is said: over what is right a band of colour goes from left to
/// right, and leaves its signs coloured; what is not is shaken, as a head is. It lies on the choices as they are in the end, and goes when it is over.
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
  ///   - plain: The style of what the band has not come to yet.
  ///   - band: The style of what is in it.
  init(_ lines: [StyledLine], isRight: Bool, frame: CellRect, plain: Style, band: Style) {
    super.init(frame: Rect(frame))
    drawing = { state in
      var surface = Surface(state.cells.size, filledWith: .blank)
      let shift = isRight ? 0 : nearestCell(state.values[Self.shake] ?? 0)
      for (row, line) in lines.enumerated() {
        surface.draw(line, at: CellPoint(column: Self.margin + shift, row: row))
      }
      if isRight {
        // It begins and ends out of sight.
        let edge = nearestCell((state.values[Self.sweep] ?? 0) * Double(surface.columns + Self.bandWidth))
        let whole = CellRect(surface.size)
        let lit = CellRect(column: edge - Self.bandWidth, row: 0, columns: Self.bandWidth, rows: surface.rows)
        let rest = CellRect(column: edge, row: 0, columns: max(0, surface.columns - edge), rows: surface.rows)
        surface.mapStyles(in: lit.intersection(whole)) { _ in band }
        surface.mapStyles(in: rest) { _ in plain }
      }
      return surface
    }
  }

  /// Columns of the band.
  private static let bandWidth = 16

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
