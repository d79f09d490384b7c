import CoursePages
import Exercises
import ScreenKit
import TextCanvas

/// The panel with the output and the result of a check, below the task or next to it. It slides in from the edge of the page,
/// and turns like a card when the check is passed.
@MainActor final class CheckPanel {
  /// The duration in seconds of the motion in which the panel enters or leaves.
  static let slideTime = 0.16

  /// The text, frame colour and side of the panel.
  struct Content {
    /// The lines about the result. Empty while the check runs.
    var summary: [StyledText] = []
    /// The output of the check.
    var output = StyledText()
    /// The text on the lower edge, such as the running time.
    var status = ""
    /// Whether the check is passed, so that the back of the panel is shown.
    var isPassed = false
    /// The colour of the frame.
    var role = Role.accent
  }

  /// Clips the panel while it slides. Its frame is that of the panel on the page.
  let layer = Layer()
  private let card = CardLayer()
  private var content = Content()
  private var drawing: PageDrawing?
  /// The lines of the visible side, and the width for which they were wrapped.
  private var lines: [StyledLine] = []
  private var wrappedColumns: Int?
  /// The number of lines that are scrolled out.
  private(set) var scroll = 0
  /// The lines about the result that are not scrolled.
  private var summary: [StyledLine] = []
  /// Whether the panel has all rows of the page.
  var isTall = false
  /// Whether the panel is on the page, or is entering.
  private(set) var isShown = false
  /// Whether the panel is next to the task.
  private(set) var isBeside = false

  init() {
    layer.clipsToBounds = true
    layer.isHidden = true
    card.fill = .default
    layer.add(card)
  }

  // MARK: - Layout

  /// The minimum number of columns of a terminal in which the panel is next to the task.
  private static let columnsBeside = 100
  /// The minimum number of rows of a panel with a frame.
  private static let minimumRows = 7
  /// The columns between the task and the panel.
  private static let gap = 2

  /// Returns the frame of the panel in cells of the page.
  static func frame(_ metrics: PageMetrics, in rows: Range<Int>, isTall: Bool = false) -> CellRect {
    if metrics.size.columns >= columnsBeside, !metrics.isSmall {
      let columns = metrics.frameWidth / 2
      return CellRect(
        column: metrics.frameColumn + metrics.frameWidth - columns, row: rows.lowerBound, columns: columns,
        rows: rows.count)
    }
    let height = isTall ? rows.count : min(rows.count, max(metrics.isSmall ? 3 : minimumRows, (rows.count + 1) / 2))
    return CellRect(
      column: metrics.isSmall ? 0 : metrics.frameColumn, row: rows.upperBound - height,
      columns: metrics.isSmall ? metrics.size.columns : metrics.frameWidth, rows: height)
  }

  /// The rows and columns of the task that the panel covers.
  var reserved: CellSize {
    guard isShown, let drawing else { return .zero }
    let frame = layer.frame.cells
    return isBeside
      ? CellSize(columns: drawing.metrics.textColumn + drawing.metrics.textWidth - frame.column + Self.gap, rows: 0)
      : CellSize(columns: 0, rows: frame.rows)
  }

  private var hasFrame: Bool { drawing?.metrics.isSmall == false }
  private var size: CellSize { layer.frame.cells.size }
  /// The cells of the panel for its text.
  private var inside: CellRect {
    hasFrame
      ? CellRect(size).inset(columns: 2, rows: 1)
      : CellRect(
        column: drawing?.metrics.margin ?? 1, row: 1, columns: max(1, size.columns - 2), rows: max(0, size.rows - 1))
  }

  /// The number of columns of the output.
  var textColumns: Int { inside.columns }

  func layOut(_ drawing: PageDrawing, in rows: Range<Int>) {
    let frame = Self.frame(drawing.metrics, in: rows, isTall: isTall)
    self.drawing = drawing
    isBeside = frame.rows == rows.count && drawing.metrics.size.columns >= Self.columnsBeside
    guard layer.frame != Rect(frame) || card.front.text.rows == 0 else { return draw() }
    layer.frame = Rect(frame)
    card.removeAllAnimations()
    place(isShown)
    draw()
  }

  private func place(_ isInside: Bool) {
    var frame = layer.bounds
    if !isInside {
      if isBeside { frame.x = frame.width } else { frame.y = frame.height }
    }
    card.frame = frame
  }

  // MARK: - Content

  /// Shows other content. The panel turns if the check is passed, or if it was passed before.
  func show(_ content: Content, motion: MotionPreference?) {
    let turns = content.isPassed != self.content.isPassed
    self.content = content
    wrappedColumns = nil
    if drawing != nil, !content.summary.isEmpty {
      wrap(to: inside.columns)
      scroll = content.isPassed ? 0 : lines.firstIndex { TestReport.beginsFailure($0.text) } ?? 0
    }
    draw()
    // A card that does not turn would stop, also if it is sliding.
    if turns { card.show(back: content.isPassed, motion: motion) }
  }

  private func draw() {
    guard let drawing else { return }
    if wrappedColumns != inside.columns { wrap(to: inside.columns) }
    // While the check runs, the end of the output is visible.
    scroll = content.summary.isEmpty ? lastScroll : max(0, min(scroll, lastScroll))
    let role = content.role
    let box =
      hasFrame
      ? drawing.lines.box(size, fraction: content.isPassed ? 1 : 0, role: role)
      : ruled(drawing.lines.rule(width: size.columns, fraction: content.isPassed ? 1 : 0, role: role))
    var side = CardDrawing.Side(box: box, withoutBox: box, text: Surface(size))
    for (row, line) in (summary + lines[scroll...]).prefix(inside.rows).enumerated() {
      side.text.draw(line, at: CellPoint(column: inside.column, row: inside.row + row), clippedTo: inside)
    }
    let below = lines.count - scroll - visibleRows
    let more = content.summary.isEmpty || below <= 0 ? "" : "\(drawing.symbols.arrows[1]) \(below) more"
    let edge = [content.status, more].filter { !$0.isEmpty }.joined(separator: ", ")
    if !edge.isEmpty {
      let text = " \(edge.truncated(to: max(0, size.columns - 6))) "
      side.box.draw(
        text, at: CellPoint(column: max(0, size.columns - 2 - text.displayWidth), row: hasFrame ? size.rows - 1 : 0),
        style: drawing.theme[.quiet])
    }
    if content.isPassed { card.back = side } else { card.front = side }
  }

  private func wrap(to width: Int) {
    wrappedColumns = width
    summary = content.summary.flatMap { $0.wrapped(to: width) }
    lines = content.output.runs.isEmpty ? [] : content.output.wrapped(to: width)
    if !summary.isEmpty, !lines.isEmpty { lines.insert(StyledLine(), at: 0) }
    // The output always has more rows than the lines about the result.
    let rest = max(0, summary.count - inside.rows / 2)
    lines = summary.suffix(rest) + lines
    summary.removeLast(rest)
  }

  private func ruled(_ rule: Surface) -> Surface {
    var surface = Surface(size)
    surface.copy(rule, at: .zero)
    return surface
  }

  /// The panel as a fragment of the page, or `nil` if it is not shown.
  var fragment: PageFragments.Fragment? {
    guard isShown else { return nil }
    let side = content.isPassed ? card.back : card.front
    var surface = side.box
    surface.overlay(side.text)
    return PageFragments.Fragment(surface: surface, rect: layer.frame.cells)
  }

  // MARK: - Scrolling

  private var visibleRows: Int { max(0, inside.rows - summary.count) }
  private var lastScroll: Int { max(0, lines.count - visibleRows) }
  /// Whether the text does not fit and can be scrolled.
  var scrolls: Bool { isShown && !content.summary.isEmpty && lastScroll > 0 }

  /// Returns the line to which a command scrolls, or `nil` if the command does not scroll.
  func target(of command: Command) -> Int? {
    (command == .readOn ? .pageDown : command).target(from: scroll, visible: visibleRows)
  }

  func scroll(to line: Int) {
    scroll = max(0, min(line, lastScroll))
    draw()
  }

  // MARK: - Motion

  /// Whether the panel is entering or leaving.
  var isSliding: Bool { card.isAnimating && slides > 0 }
  private var slides = 0

  /// Lets the panel enter or leave. A motion that is running is reversed from its current position.
  ///
  /// - Parameter completion: Called when the panel has arrived, unless another motion has begun.
  func slide(in isEntering: Bool, motion: MotionPreference?, completion: @escaping @MainActor () -> Void = {}) {
    guard isEntering != isShown else { return }
    isShown = isEntering
    layer.isHidden = false
    guard let motion, motion != .none else {
      place(isEntering)
      layer.isHidden = !isEntering
      return completion()
    }
    slides += 1
    if motion == .reduced { place(true) }
    if isEntering, motion == .reduced, !card.isAnimating { withoutAnimation { card.opacity = 0 } }
    animate(duration: Self.slideTime, curve: .easeOut) {
      if motion == .full { place(isEntering) } else { card.opacity = isEntering ? 1 : 0 }
    } completion: { [weak self] _ in
      guard let self else { return }
      slides -= 1
      guard slides == 0 else { return }
      layer.isHidden = !isShown
      card.opacity = 1
      completion()
    }
  }
}
