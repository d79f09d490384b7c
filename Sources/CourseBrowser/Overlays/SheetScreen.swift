import CoursePages
import ScreenKit
import TextCanvas

/// An overlay with a text that scrolls if it does not fit.
@MainActor class SheetScreen: OverlayScreen {
  private let textLayer = Layer()
  private let moreLayer = Layer()
  private(set) var lines: [StyledLine] = []
  private var scroll = 0

  /// Returns the lines of the text for a width in columns.
  func text(width: Int) -> [StyledLine] { [] }

  /// The maximum number of steps of a path.
  private static let maximumSteps = 24

  /// Returns the drawing of a path: one line per step, the oldest first.
  func drawnPath(_ path: PathTaken) -> [StyledLine] {
    let theme = drawing.theme
    return path.lines(limit: Self.maximumSteps, symbols: context.appearance.symbols).map { step in
      var line = StyledText(step.graph + " ", style: theme.line(Role(step.kind)))
      line.append(step.title, style: theme[.foreground])
      return StyledLine(line.runs)
    }
  }

  /// The command that opened the overlay. Its key also closes the overlay.
  var ownCommand: Command { .up }

  override var bodyHeight: Int { lines.count }

  override func didLoad() {
    super.didLoad()
    body.add(textLayer)
    body.add(moreLayer)
  }

  override func layOutPanel() {
    lines = text(width: metrics.textWidth)
    super.layOutPanel()
    showLines()
  }

  private var isTruncated: Bool { lines.count > bodyRows && bodyRows > 1 }
  private var visibleRows: Int { isTruncated ? bodyRows - 1 : bodyRows }

  /// Whether the last line is visible.
  var isAtEnd: Bool { scroll + visibleRows >= lines.count }

  private func scroll(by rows: Int) {
    let wasAtEnd = isAtEnd
    scroll += rows
    showLines()
    if isAtEnd != wasAtEnd { context.showFooter() }
  }

  private func showLines() {
    scroll = max(0, min(scroll, lines.count - visibleRows))
    var surface = Surface(columns: metrics.textWidth, rows: max(0, visibleRows))
    for (row, line) in lines.dropFirst(scroll).prefix(visibleRows).enumerated() {
      let truncatedLine = line.truncated(to: metrics.textWidth, ellipsis: context.appearance.symbols.ellipsis)
      surface.draw(truncatedLine, at: CellPoint(column: 0, row: row))
    }
    textLayer.content = surface
    textLayer.frame = Rect(x: 0, y: 0, width: Double(surface.columns), height: Double(surface.rows))
    moreLayer.isHidden = !isTruncated
    moreLayer.frame = Rect(x: 0, y: Double(visibleRows), width: Double(metrics.textWidth), height: 1)
    moreLayer.content = overflowRow(lines.count - scroll - visibleRows)
  }

  override var keys: [KeyHint] {
    (isTruncated ? [KeyHint(context.appearance.symbols.upDown, "scroll")] : []) + super.keys
  }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .chooseNext: scroll(by: 1)
    case .choosePrevious: scroll(by: -1)
    case .readOn, .pageDown: scroll(by: max(1, visibleRows - 1))
    case .halfPageDown: scroll(by: max(1, visibleRows / 2))
    case .halfPageUp: scroll(by: -max(1, visibleRows / 2))
    case .pageBack: scroll(by: -max(1, visibleRows - 1))
    case .chooseFirst: scroll(by: -lines.count)
    case .chooseLast: scroll(by: lines.count)
    case ownCommand: close()
    default: return super.perform(command)
    }
    return true
  }

  override func handle(_ mouse: MouseEvent) {
    guard case .scroll(columns: 0, let rows) = mouse.action else { return super.handle(mouse) }
    scroll(by: rows * 3)
  }
}
