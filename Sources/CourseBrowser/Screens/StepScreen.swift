internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// An activity that is done step by step: each step is a text that may be scrolled, or something drawn in its place.
@MainActor class StepScreen: ActivityScreen {
  let pane = TextPane()
  private(set) var lines: [StyledLine] = []
  private(set) var scroll = 0

  override func didLoad() {
    super.didLoad()
    body.add(pane.layer)
  }

  /// The lines of the step, for the width that there is.
  func stepLines(width: Int) -> [StyledLine] { [] }

  /// Where the step's text is seen, in the body.
  var paneFrame: CellRect {
    CellRect(
      column: metrics.textLeft, row: airRows, columns: metrics.textWidth, rows: max(0, bodyRows.count - airRows))
  }

  /// One row of air stands between the rule and the step.
  var airRows: Int { metrics.isSmall ? 0 : 1 }

  var readingLayout: ReadingLayout {
    ReadingLayout(width: metrics.textWidth, theme: shell.appearance.theme, symbols: shell.appearance.symbols)
  }

  /// Shows a step from its beginning.
  func beginStep() {
    scroll = 0
    pane.arrive()
    guard isLayerLoaded else { return }
    layOutPage()
    shell.pageChanged(self)
  }

  override func layOutPage() {
    lines = stepLines(width: metrics.textWidth)
    super.layOutPage()
    scroll = min(scroll, max(0, lines.count - paneFrame.rows))
    pane.show(lines, in: paneFrame, from: scroll)
  }

  // MARK: - Scrolling

  /// Whether the step goes on below what is seen.
  var hasMoreBelow: Bool { scroll < pane.lastScroll }

  func scroll(to line: Int, gliding: Bool = false) {
    let next = max(0, min(line, pane.lastScroll))
    guard next != scroll else { return }
    let seen = pane.presentedScroll
    let glides = gliding && shell.motion == .full && !pane.isGliding
    scroll = next
    pane.arrive()
    layOutPage()
    if glides { pane.glide(from: seen) }
    shell.pageChanged(self)
  }

  /// Scrolls so that lines are seen, the first of them at any rate.
  func scroll(toShow range: Range<Int>) {
    if range.upperBound > scroll + paneFrame.rows { scroll(to: range.upperBound - paneFrame.rows) }
    if range.lowerBound < scroll { scroll(to: range.lowerBound) }
  }

  var pageRows: Int { pageRows(of: paneFrame.rows) }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .chooseNext: scroll(to: scroll + 1)
    case .choosePrevious: scroll(to: scroll - 1)
    case .chooseFirst: scroll(to: 0)
    case .chooseLast: scroll(to: pane.lastScroll)
    case .pageBack: scroll(to: scroll - pageRows, gliding: true)
    default: return super.perform(command)
    }
    return true
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, case .scroll(columns: 0, let rows) = mouse.action else { return false }
    scroll(to: scroll + rows * 3)
    return true
  }

  override var bodyParts: [PagePicture.Part] {
    [PagePicture.Part(surface: pane.picture, rect: paneFrame.offset(rows: bodyRows.lowerBound), node: nil)]
  }
}
