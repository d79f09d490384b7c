import CoursePages
import ScreenKit
import TextCanvas

/// An overlay with a text that scrolls if it does not fit.
@MainActor class SheetScreen: OverlayScreen {
  private let textLayer = Layer()
  private(set) var lines: [StyledLine] = []
  private var list = SelectionList(chosen: -1)

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
  }

  override func layOutPanel() {
    lines = text(width: metrics.textWidth)
    super.layOutPanel()
    show(lines, in: textLayer, &list)
  }

  /// Whether the last line is visible.
  var isAtEnd: Bool { list.more == 0 }

  private func scroll(by rows: Int) {
    let wasAtEnd = isAtEnd
    list.scroll(by: rows)
    show(lines, in: textLayer, &list)
    if isAtEnd != wasAtEnd { context.showFooter() }
  }

  override func offer(_ command: Command) -> Offer? {
    if let rows = (command == .readOn ? .pageDown : command).target(from: 0, visible: list.height) {
      let label = command.isSingleStep ? "scroll" : ""
      return Offer(isTruncated(lines.count) ? label : nil) { [self] in scroll(by: rows) }
    }
    switch command {
    case ownCommand: return Offer { [self] in close() }
    default: return super.offer(command)
    }
  }

  override func handle(_ mouse: MouseEvent) {
    guard case .scroll(columns: 0, let rows) = mouse.action else { return super.handle(mouse) }
    scroll(by: rows * 3)
  }
}
