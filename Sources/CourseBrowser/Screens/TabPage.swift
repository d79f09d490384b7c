import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// A page beside the course: a header of two lines over a list of rows, one of which has the frame.
@MainActor class TabPage: Screen, OpeningPage {
  unowned let context: ScreenContext
  /// Goes to the places of the list. Set before the tab is shown: the navigator needs the tabs.
  unowned var navigator: (any PlaceNavigator)!
  /// Called when the list has changed and the tab is selected.
  var onListChange: (() -> Void)?
  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))

  private let trailLayer = Layer()
  private let titleLayer = Layer()
  private let subtitleLayer = Layer()
  private let ruleLayer = Layer()
  private let body = Layer()
  let frameLayer = Layer()
  /// What is in what is chosen.
  let preview = PreviewLayer()
  private var rows: [Layer] = []

  init(title: String, context: ScreenContext) {
    self.context = context
    super.init(title: title)
  }

  var isSelected: Bool { (parent as? TabScreen)?.selectedScreen === self }

  override func didLoad() {
    body.clipsToBounds = true
    body.add(preview)
    for part in [trailLayer, titleLayer, subtitleLayer, ruleLayer, body, frameLayer] { layer.add(part) }
    frameLayer.drawing = { [weak self] state in
      guard let self, let frame = frame else { return nil }
      return drawing.lines.box(state.cells.size, fraction: 0, role: Role(frame.place.kind))
    }
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: context.size)
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
  /// One row of the list, or a few that belong together.
  struct Listed {
    /// The row of the body that it begins at.
    var row: Int
    var surface: Surface
    /// The place that it stands for, where it is the only one that does.
    var node: NodeID?
    /// The column that the place's title begins in.
    var titleColumn = 0
  }

  /// What is seen of the list.
  var listed: [Listed] { [] }
  /// How many entries are scrolled away above what is seen, where the page's other words do not say it.
  var countAbove: Int { 0 }
  /// The row of the body behind the list's last; `nil` where nothing is chosen, or the list continues.
  var listEnd: Int? { nil }
  /// The rows of the body that the frame takes, and the place in it; `nil` where nothing is framed.
  var frame: (rows: Range<Int>, place: NamedPlace)? { nil }

  // MARK: - Drawing

  var drawing: PageDrawing {
    PageDrawing(theme: context.appearance.theme, symbols: context.appearance.symbols, metrics: metrics)
  }

  var bodyRows: Int { max(1, metrics.bodyEnd - metrics.bodyTop) }

  /// One row of text at both ends, the right one quiet.
  func row(_ left: StyledText, _ right: String) -> Surface {
    drawing.lines.row(left, StyledText(right, style: drawing.theme[.quiet]), width: metrics.textWidth)
  }

  /// Draws the header again, and leaves the list as it is.
  func showHeader() {
    guard isLayerLoaded else { return }
    place(titleLayer, titleRow, at: metrics.titleRow)
    subtitleLayer.isHidden = metrics.summaryRow == nil
    place(subtitleLayer, subtitleRow, at: metrics.summaryRow ?? 0)
  }

  /// Draws everything again.
  func show() {
    guard isLayerLoaded else { return }
    place(trailLayer, drawing.trail(trail), at: metrics.trailRow)
    showHeader()
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleLeft), y: Double(metrics.ruleRow), width: Double(metrics.ruleWidth), height: 1)
    body.frame = Rect(
      x: 0, y: Double(metrics.bodyTop), width: Double(metrics.size.columns), height: Double(bodyRows))
    showList()
    // Beside it stands what is in the frame now.
    if isSelected { onListChange?() }
  }

  /// The whole place that the learner came from; what opens from here is elsewhere, and changes nothing here.
  private var crumbs: [String] = []

  private var trail: PageModel.Trail { PageModel.Trail(crumbs: crumbs, position: position) }

  override func willAppear(animated: Bool) {
    crumbs = navigator.currentPage.map { $0.page.trail.crumbs + [$0.title] } ?? []
  }

  private func showList() {
    ruleLayer.content = drawing.rule(fraction: 0, kind: .root, above: countAbove)
    for row in rows { row.removeFromSuperlayer() }
    rows = listed.map { listed in
      let layer = Layer()
      place(layer, listed.surface, at: listed.row)
      body.add(layer)
      return layer
    }
    let first = listEnd.map { $0 + 1 } ?? bodyRows
    preview.layOut(
      in: first..<max(first, bodyRows - metrics.airBelowText), metrics: metrics, look: context.appearance,
      key: context.label(of: .otherPane), keeps: false)
    frameLayer.isHidden = framed == nil
    guard let framed else { return }
    frameLayer.frame = Rect(framed)
    frameLayer.setNeedsDisplay()
  }

  private func place(_ layer: Layer, _ surface: Surface, at row: Int) {
    layer.content = surface
    layer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows))
  }
}

extension TabPage {
  /// Where the frame stands on the page; `nil` where nothing is framed.
  var framed: CellRect? {
    guard let frame, !metrics.isSmall else { return nil }
    return CellRect(
      column: metrics.frameLeft, row: metrics.bodyTop + frame.rows.lowerBound, columns: metrics.frameWidth,
      rows: frame.rows.count)
  }

  var nodesOfCards: [NodeID] { [frame?.place.place.node].compactMap { $0 } }

  /// The page taken apart: what is in the frame opens as a card does.
  var picture: PagePicture {
    let body = listed.map { listed in
      PagePicture.Part(
        surface: listed.surface,
        rect: CellRect(
          column: metrics.textLeft, row: metrics.bodyTop + listed.row, columns: listed.surface.columns,
          rows: listed.surface.rows), node: listed.node, titleColumn: listed.titleColumn)
    }
    let below = preview.part.map { [$0.lower(by: metrics.bodyTop)] } ?? []
    var picture = PagePicture(
      drawing: drawing, place: .root, kind: .root, trail: trail,
      header: PageModel.Header(title: title, summary: "", topRight: "", bottomRight: "", fraction: 0),
      headerRows: headerRows, crumb: nil, titleRow: metrics.titleRow, ruleRow: metrics.ruleRow,
      bodyRows: metrics.bodyTop..<metrics.bodyEnd, body: body + below, frames: [:], cards: [:])
    picture.header.above = countAbove
    if let framed, let place = frame?.place, let node = place.place.node {
      picture.frames[node] = framed
      picture.cards[node] = CardModel(
        target: .node(node), kind: place.kind, title: place.title, summary: "", mark: .notBegun, topRight: "",
        bottomRight: "", fraction: 0, column: "", amount: "")
    }
    return picture
  }

  private var headerRows: [PagePicture.Part] {
    let rows = [(titleRow, metrics.titleRow)] + (metrics.summaryRow.map { [(subtitleRow, $0)] } ?? [])
    return rows.map { surface, row in
      PagePicture.Part(
        surface: surface,
        rect: CellRect(column: metrics.textLeft, row: row, columns: surface.columns, rows: surface.rows))
    }
  }
}

extension TabPage: FramedPage {
  var framedCells: CellRect? { frameLayer.isHidden ? nil : frameLayer.frame.cells }
}
