internal import LearningModel
internal import ScreenKit
internal import TextCanvas

/// A page beside the course: a header of two lines over a list of rows, one of which has the frame.
@MainActor class TabPage: Screen {
  /// Whose services it asks; set before it is shown.
  unowned var browser: Browser!
  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))

  private let trailLayer = Layer()
  private let titleLayer = Layer()
  private let subtitleLayer = Layer()
  private let ruleLayer = Layer()
  private let body = Layer()
  private let frameLayer = Layer()
  private var rows: [Layer] = []

  override func didLoad() {
    body.clipsToBounds = true
    for part in [trailLayer, titleLayer, subtitleLayer, ruleLayer, body, frameLayer] { layer.add(part) }
    frameLayer.drawing = { [weak self] state in
      guard let self, let frame = frame else { return nil }
      return drawing.lines.box(state.cells.size, fraction: 0, role: Role(frame.kind))
    }
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: browser.size)
    show()
  }

  /// Colours or signs are others now.
  func lookHasChanged() { show() }

  // MARK: - What a page fills in

  /// What stands right of the trail.
  var position: String { "" }
  /// The header's first line.
  var titleRow: Surface { Surface(columns: 0, rows: 0) }
  /// The header's second line, where there is room for it.
  var subtitleRow: Surface { Surface(columns: 0, rows: 0) }
  /// The rows of the list that are seen, each with the row of the body that it begins at.
  var listed: [(row: Int, surface: Surface)] { [] }
  /// The rows of the body that the frame takes, and the kind of place in it; `nil` where nothing is framed.
  var frame: (rows: Range<Int>, kind: PlaceKind)? { nil }

  // MARK: - Drawing

  var drawing: PageDrawing {
    PageDrawing(theme: browser.appearance.theme, symbols: browser.appearance.symbols, metrics: metrics)
  }

  var bodyRows: Int { max(1, metrics.bodyEnd - metrics.bodyTop) }

  /// One row of text at both ends, the right one quiet.
  func row(_ left: StyledText, _ right: String) -> Surface {
    drawing.lines.row(left, StyledText(right, style: drawing.theme[.quiet]), width: metrics.textWidth)
  }

  /// Draws everything again.
  func show() {
    guard isLayerLoaded else { return }
    var trail = browser.page?.page.trail ?? PageModel.Trail(crumbs: [], position: "")
    trail.crumbs.append(browser.page?.title ?? "")
    trail.position = position
    place(trailLayer, drawing.trail(trail), at: metrics.trailRow)
    place(titleLayer, titleRow, at: metrics.titleRow)
    subtitleLayer.isHidden = metrics.summaryRow == nil
    place(subtitleLayer, subtitleRow, at: metrics.summaryRow ?? 0)
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleLeft), y: Double(metrics.ruleRow), width: Double(metrics.ruleWidth), height: 1)
    ruleLayer.content = drawing.rule(fraction: 0, kind: .root)
    body.frame = Rect(
      x: 0, y: Double(metrics.bodyTop), width: Double(metrics.size.columns), height: Double(bodyRows))
    showList()
  }

  private func showList() {
    for row in rows { row.removeFromSuperlayer() }
    rows = listed.map { row, surface in
      let layer = Layer()
      place(layer, surface, at: row)
      body.add(layer)
      return layer
    }
    frameLayer.isHidden = frame == nil || metrics.isSmall
    guard let frame else { return }
    frameLayer.frame = Rect(
      x: Double(metrics.frameLeft), y: Double(metrics.bodyTop + frame.rows.lowerBound),
      width: Double(metrics.frameWidth), height: Double(frame.rows.count))
    frameLayer.setNeedsDisplay()
  }

  private func place(_ layer: Layer, _ surface: Surface, at row: Int) {
    layer.content = surface
    layer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows))
  }
}
