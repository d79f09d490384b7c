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
  var ownCommand: Command { .close }

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

  override func offer(_ command: Command) -> Offer? {
    func scroll(_ label: String = "", by rows: Int) -> Offer {
      Offer(isTruncated ? label : nil) { [self] in self.scroll(by: rows) }
    }
    switch command {
    case .chooseNext: return scroll("scroll", by: 1)
    case .choosePrevious: return scroll("scroll", by: -1)
    case .readOn, .pageDown: return scroll(by: max(1, visibleRows - 1))
    case .halfPageDown: return scroll(by: max(1, visibleRows / 2))
    case .halfPageUp: return scroll(by: -max(1, visibleRows / 2))
    case .pageBack: return scroll(by: -max(1, visibleRows - 1))
    case .chooseFirst: return scroll(by: -lines.count)
    case .chooseLast: return scroll(by: lines.count)
    case ownCommand: return Offer { [self] in close() }
    default: return super.offer(command)
    }
  }

  override func handle(_ mouse: MouseEvent) {
    guard case .scroll(columns: 0, let rows) = mouse.action else { return super.handle(mouse) }
    scroll(by: rows * 3)
  }
}
