import CoursePages
import ScreenKit
import TextCanvas

/// A notice, over the next step and as many rows above it as it needs.
@MainActor final class NoticeLayer: Layer {
  /// Seconds that a notice takes the place of the next step; each row beyond the first has some more.
  private static let secondsOfFirstRow = 4.0
  private static let secondsOfRow = 2.0

  /// What it says; `nil` where there is none.
  var notice: String?
  var role = Role.warn
  private var lineCount = 1

  /// Seconds that it is shown.
  var seconds: Double { Self.secondsOfFirstRow + Self.secondsOfRow * Double(lineCount - 1) }

  /// Sets it in as many rows as it needs, at most half of what there is.
  func layOut(_ metrics: PageMetrics, look: Appearance) {
    isHidden = notice == nil || !metrics.fits
    lineCount = 1
    guard let notice else { return }
    var lines = StyledText(notice, style: look.theme[role]).wrapped(to: metrics.textWidth)
    let most = max(1, metrics.size.rows / 2)
    if lines.count > most {
      lines[most - 1] = StyledLine(
        lines[(most - 1)...].flatMap { $0.runs + [StyledRun(" ", style: look.theme[role])] }
      )
      .truncated(to: metrics.textWidth, ellipsis: look.symbols.ellipsis)
      lines.removeSubrange(most...)
    }
    lineCount = lines.count
    // Whatever it lies on is covered from edge to edge, so that no frame shows beside its words.
    var surface = Surface(CellSize(columns: metrics.size.columns, rows: lines.count), filledWith: .blank)
    for (row, line) in lines.enumerated() { surface.draw(line, at: CellPoint(column: metrics.textLeft, row: row)) }
    content = surface
    frame = Rect(
      x: 0, y: Double((metrics.hintRow ?? metrics.keysRow) + 1 - lines.count), width: Double(surface.columns),
      height: Double(surface.rows))
  }
}
