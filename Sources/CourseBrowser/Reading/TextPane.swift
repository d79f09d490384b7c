import ScreenKit
import TextCanvas

/// Lines of text in a window, scrolled by moving one sheet: a terminal can then move what it shows already.
@MainActor final class TextPane {
  /// Seconds that a page takes to glide; line by line it jumps.
  static let glideTime = 0.12
  /// Lines that are drawn beyond the visible ones, at both ends.
  private static let spare = 60

  /// Cut off at its edges; the screen places its superlayer.
  let layer = Layer()
  private let sheet = Layer()
  private(set) var lines: [StyledLine] = []
  private(set) var scroll = 0
  private(set) var size = CellSize.zero
  /// Draws on top of the lines, such as the mark of a chosen link; the line is the one in the surface's first row.
  var decorate: (@MainActor (_ surface: inout Surface, _ firstLine: Int) -> Void)?
  /// Columns beside the lines, at their left.
  var margin = 0 { didSet { if margin != oldValue { drawn = 0..<0 } } }
  /// Draws in these columns; the line is the one in the surface's first row.
  var decorateMargin: (@MainActor (_ surface: inout Surface, _ firstLine: Int) -> Void)?
  /// The lines that the sheet has.
  private var drawn = 0..<0

  init() {
    layer.clipsToBounds = true
    layer.add(sheet)
  }

  /// The greatest scroll that leaves no row empty.
  var lastScroll: Int { max(0, lines.count - size.rows) }

  /// The lines that are seen.
  var visible: Range<Int> { min(scroll, lines.count)..<min(scroll + size.rows, lines.count) }

  /// Shows lines from one on, in a frame of the superlayer.
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

  /// Draws the lines again, after what is drawn on top of them has changed.
  func redraw() {
    drawn = 0..<0
    draw(covering: visible)
    sheet.frame.y = Double(drawn.lowerBound - scroll)
  }

  /// Whether it is gliding.
  var isGliding: Bool { sheet.isAnimating }

  /// The scroll that is seen: between lines while it glides.
  var presentedScroll: Double { Double(drawn.lowerBound) - sheet.presentation.frame.y }

  /// Stops a glide: what is seen is where it is.
  func arrive() { sheet.removeAllAnimations() }

  /// Comes to its place from another.
  ///
  /// - Parameter start: A scroll, as ``presentedScroll``.
  func glide(from start: Double) {
    let first = max(0, min(lines.count, Int(start.rounded(.down))))
    let end = max(first, min(lines.count, first + size.rows + 1))
    draw(covering: min(first, visible.lowerBound)..<max(end, visible.upperBound))
    sheet.removeAllAnimations()
    withoutAnimation { sheet.frame.y = Double(drawn.lowerBound) - start }
    animate(duration: Self.glideTime, curve: .easeOut) {
      sheet.frame.y = Double(drawn.lowerBound - scroll)
    }
  }

  /// Lets a layer that shows the ``picture`` show the lines as they are seen now, gliding on to where they will be.
  func goOn(in other: Layer) {
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

  private func draw(covering wanted: Range<Int>) {
    guard wanted.lowerBound < drawn.lowerBound || wanted.upperBound > drawn.upperBound || drawn.isEmpty else { return }
    drawn = max(0, wanted.lowerBound - Self.spare)..<min(lines.count, wanted.upperBound + Self.spare)
    sheet.frame = Rect(
      x: 0, y: Double(drawn.lowerBound - scroll), width: Double(size.columns + margin), height: Double(drawn.count))
    sheet.content = surface(of: drawn)
  }

  /// What is seen, as one piece.
  var picture: Surface {
    var picture = Surface(columns: size.columns + margin, rows: size.rows)
    picture.copy(surface(of: visible))
    return picture
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
