import ScreenKit
import TextCanvas
import WholeNumbers

/// A scrolling view of lines. Scrolling moves a single layer, so that the terminal can reuse the content that it
/// already shows.
@MainActor final class TextPane {
  /// Duration of scrolling by a page, in seconds. Scrolling by lines is not animated.
  static let glideTime = 0.12
  /// The number of lines that are drawn above and below the visible ones.
  private static let spare = 60

  /// Clips the lines. The screen adds it to a superlayer.
  let layer = Layer()
  private let sheet = Layer()
  private(set) var lines: [StyledLine] = []
  private(set) var scroll = 0
  private(set) var size = CellSize.zero
  /// Draws on top of the lines, for example the highlight of a link. The second argument is the index of the line in
  /// the first row of the surface.
  var decorate: (@MainActor (_ surface: inout Surface, _ firstLine: Int) -> Void)?
  /// The number of columns to the left of the lines.
  var margin = 0 { didSet { if margin != oldValue { drawn = 0..<0 } } }
  /// Draws in the margin. The second argument is the index of the line in the first row of the surface.
  var decorateMargin: (@MainActor (_ surface: inout Surface, _ firstLine: Int) -> Void)?
  /// The range of lines that are drawn on the sheet.
  private var drawn = 0..<0

  init() {
    layer.clipsToBounds = true
    layer.add(sheet)
  }

  /// The maximum scroll offset. At this offset, no row below the lines is empty.
  var lastScroll: Int { max(0, lines.count - size.rows) }

  /// The range of visible lines.
  var visible: Range<Int> { min(scroll, lines.count)..<min(scroll + size.rows, lines.count) }

  /// Shows lines in a frame of the superlayer, starting with the line at a scroll offset.
  func show(_ lines: [StyledLine], in frame: CellRect, from scroll: Int) {
    if lines != self.lines || frame.columns != size.columns {
      self.lines = lines
      drawn = 0..<0
    }
    size = frame.size
    var frame = frame
    frame.column -= margin
    frame.columns += margin
    layer.frame = Rect(frame)
    self.scroll = max(0, scroll)
    draw(covering: visible)
    sheet.frame.y = Double(drawn.lowerBound - self.scroll)
  }

  /// Draws the lines again, with changed decorations.
  func redraw() {
    drawn = 0..<0
    draw(covering: visible)
    sheet.frame.y = Double(drawn.lowerBound - scroll)
  }

  /// Whether a scroll animation is running.
  var isGliding: Bool { sheet.isAnimating }

  /// The visible scroll offset. It is fractional during an animation.
  var presentedScroll: Double { Double(drawn.lowerBound) - sheet.presentation.frame.y }

  /// Ends a scroll animation at its final offset.
  func finishGlide() { sheet.removeAllAnimations() }

  /// Animates from a given scroll offset to the current one.
  ///
  /// - Parameter start: A possibly fractional offset, as in ``presentedScroll``.
  func glide(from start: Double) {
    let first = max(0, min(lines.count, Int(clamping: start.rounded(.down))))
    let end = max(first, min(lines.count, first + size.rows + 1))
    draw(covering: min(first, visible.lowerBound)..<max(end, visible.upperBound))
    sheet.removeAllAnimations()
    withoutAnimation { sheet.frame.y = Double(drawn.lowerBound) - start }
    animate(duration: Self.glideTime, curve: .easeOut) {
      sheet.frame.y = Double(drawn.lowerBound - scroll)
    }
  }

  /// Continues a running scroll animation in another layer that shows the ``snapshot``.
  func continueGlide(in other: Layer) {
    guard isGliding else { return }
    let (start, speed) = (sheet.presentation.frame.y, sheet.velocity(of: .y))
    let copy = Layer(frame: sheet.frame, content: sheet.content)
    withoutAnimation { copy.frame.y = start }
    other.content = nil
    other.clipsToBounds = true
    other.add(copy)
    let distance = sheet.frame.y - start
    let curve = TimingCurve.spring(
      duration: Self.glideTime, dampingRatio: 1, initialVelocity: abs(distance) < 0.1 ? 0 : speed / distance)
    apartFromTransitions { animate(duration: Self.glideTime, curve: curve) { copy.frame.y = sheet.frame.y } }
  }

  private func draw(covering requested: Range<Int>) {
    guard requested.lowerBound < drawn.lowerBound || requested.upperBound > drawn.upperBound || drawn.isEmpty else {
      return
    }
    drawn = max(0, requested.lowerBound - Self.spare)..<min(lines.count, requested.upperBound + Self.spare)
    sheet.frame = Rect(
      x: 0, y: Double(drawn.lowerBound - scroll), width: Double(size.columns + margin), height: Double(drawn.count))
    sheet.content = surface(of: drawn)
  }

  /// The visible lines on one surface.
  var snapshot: Surface {
    var visibleSurface = Surface(columns: size.columns + margin, rows: size.rows)
    visibleSurface.copy(surface(of: visible))
    return visibleSurface
  }

  private func surface(of range: Range<Int>) -> Surface {
    var surface = Surface(columns: size.columns, rows: range.count)
    for (row, line) in lines[range].enumerated() { surface.draw(line, at: CellPoint(column: 0, row: row)) }
    decorate?(&surface, range.lowerBound)
    guard margin > 0 else { return surface }
    var wider = Surface(columns: margin + size.columns, rows: range.count)
    wider.copy(surface, at: CellPoint(column: margin, row: 0))
    decorateMargin?(&wider, range.lowerBound)
    return wider
  }
}
