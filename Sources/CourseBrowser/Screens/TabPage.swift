import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// A page of a tab other than Learn: a header of two rows, and a list in which the selected entry has a frame.
@MainActor class TabPage: Screen, CommandResponder, EscapeTargetOwner, OpeningPage, SteadyHeaderPage, SelectionScreen {
  unowned let context: ScreenContext
  /// Opens the places of the list. It must be set before the tab is shown. It is not passed to the initialiser, because
  /// the navigator itself needs the tabs.
  unowned var navigator: (any PlaceNavigator)!
  /// Called when the list has changed while the tab is selected.
  var onListChange: (() -> Void)?
  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))
  /// The list. Its rows are those of the body.
  final var list = SelectionList()

  private let breadcrumbLayer = Layer()
  private let titleLayer = Layer()
  private let subtitleLayer = Layer()
  private let ruleLayer = Layer()
  /// The title, the subtitle and the rule.
  private let headerLayer = Layer()
  /// The list and its frame. Its coordinates are those of the page.
  let bodySheet = Layer()
  let body = Layer()
  let frameLayer = Layer()
  /// The preview of the selected place.
  let preview = PreviewLayer()
  private var rows: [Layer] = []

  init(title: String, context: ScreenContext) {
    self.context = context
    super.init(title: title)
  }

  var isSelected: Bool { (parent as? TabScreen)?.selectedScreen === self }

  var escapeTargets: Set<EscapeTarget> { [.tab] }
  func leave(_ target: EscapeTarget) -> Bool { context.perform(.tab(0)) }

  var keyContexts: [KeyContext] { [.page, .everywhere] }
  var fieldKeys: [KeyHint]? { nil }
  func takes(_ key: KeyEvent) -> Bool { false }

  func offer(_ command: Command) -> Offer? {
    switch command {
    case .leave: Offer(escapeTarget.label) { [self] in _ = leaveInnermost() }
    case .up: Offer { [self] in _ = leaveInnermost() }
    default: nil
    }
  }

  override func didLoad() {
    body.clipsToBounds = true
    body.add(preview)
    for sublayer in [titleLayer, subtitleLayer, ruleLayer] { headerLayer.add(sublayer) }
    for sublayer in [body, frameLayer] { bodySheet.add(sublayer) }
    for sublayer in [breadcrumbLayer, headerLayer, bodySheet] { layer.add(sublayer) }
    frameLayer.drawing = { [weak self] state in
      guard let self, let framedPlace else { return nil }
      return drawing.lines.box(state.cells.size, fraction: 0, role: Role(framedPlace.kind))
    }
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: context.size)
    layOutList()
    updateContents()
  }

  /// Draws the page again after a change of theme or symbols.
  func appearanceDidChange() {
    layOutList()
    updateContents()
  }

  // MARK: - Selection

  func choose(_ index: Int) {
    list.choose(index)
    layOutList()
    updateContents()
  }

  func openChosen() { perform(.open) }

  func scroll(by rows: Int) { choose(chosen + rows) }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event else { return false }
    return handle(mouse, below: metrics.bodyTop)
  }

  // MARK: - Contents, overridden by subclasses

  /// The text to the right of the breadcrumb.
  var position: String { "" }
  /// The first row of the header.
  var titleRow: Surface { Surface(columns: 0, rows: 0) }
  /// The second row of the header. Hidden if the terminal has few rows.
  var subtitleRow: Surface { Surface(columns: 0, rows: 0) }
  /// The fraction of the rule that is heavy, 0…1.
  var ruleFraction: Double { 0 }
  /// An entry of the list: one row, or several that belong together.
  struct ListedRow {
    /// The first row of the entry, relative to the body.
    var row: Int
    var surface: Surface
    /// The place of the entry. `nil` if another entry has the same place.
    var node: NodeID?
    /// The column at which the place's title begins.
    var titleColumn = 0
  }

  /// The visible entries.
  var listedRows: [ListedRow] { [] }
  /// The number of entries above the visible ones. 0 if the page shows the number elsewhere.
  var countAbove: Int { 0 }
  /// The row of the body after the last row of the list. `nil` if nothing is selected or the list continues below.
  var listEnd: Int? { framedPlace == nil || list.more > 0 ? nil : list.contentHeight - list.scroll }
  /// The place of the selected entry, or `nil` if nothing is selected.
  var framedPlace: NamedPlace? { nil }
  /// Lays out the list for the current entries and size.
  func layOutList() {}

  // MARK: - Drawing

  var drawing: PageDrawing {
    PageDrawing(theme: context.appearance.theme, symbols: context.appearance.symbols, metrics: metrics)
  }

  var bodyRows: Int { max(1, metrics.bodyEnd - metrics.bodyTop) }
  /// The number of rows of the body, without the blank row above the hint.
  var listHeight: Int { max(1, bodyRows - metrics.spacingBelowText) }

  /// Returns a row with text at both ends. The right text is drawn in the quiet style.
  func row(_ leftText: StyledText, _ rightText: String) -> Surface {
    drawing.lines.row(leftText, StyledText(rightText, style: drawing.theme[.quiet]), width: metrics.textWidth)
  }

  /// Returns the rows of a text in place of a list. In a large terminal, a blank row is above it.
  func textRows(_ lines: [StyledLine]) -> [ListedRow] {
    let first = metrics.isSmall ? 0 : 1
    return lines.prefix(max(0, listHeight - first)).enumerated().map {
      ListedRow(row: first + $0, surface: row(StyledText($1.runs), ""))
    }
  }

  /// Returns the row about entries below the visible ones.
  ///
  /// - Parameter text: The text after the arrow.
  func moreRow(_ text: String, at row: Int) -> ListedRow {
    let text = StyledText(drawing.symbols.arrows[1] + " " + text, style: drawing.theme[.quiet])
    return ListedRow(row: row, surface: self.row(text, ""))
  }

  /// Draws the header again, but not the list.
  func showHeader() {
    guard isLayerLoaded else { return }
    titleLayer.show(titleRow, column: metrics.textColumn, row: metrics.titleRow)
    subtitleLayer.isHidden = metrics.summaryRow == nil
    subtitleLayer.show(subtitleRow, column: metrics.textColumn, row: metrics.summaryRow ?? 0)
  }

  func updateContents() {
    guard isLayerLoaded else { return }
    breadcrumbLayer.show(
      drawing.breadcrumb(breadcrumb), column: metrics.textColumn, row: metrics.breadcrumbRow)
    showHeader()
    for sublayer in [headerLayer, bodySheet] { sublayer.frame = layer.bounds }
    body.frame = Rect(
      x: 0, y: Double(metrics.bodyTop), width: Double(metrics.size.columns), height: Double(bodyRows))
    showList()
    // The side pane shows the selected entry, so it must be updated.
    if isSelected { onListChange?() }
  }

  /// The name of the tab. The place to which the learner returns is in the row of the next step.
  var breadcrumbTitles: [String] { [title] }

  private var breadcrumb: PageModel.Breadcrumb {
    PageModel.Breadcrumb(titles: breadcrumbTitles, places: [], position: position)
  }

  private func showList() {
    let rule = drawing.rule(fraction: ruleFraction, kind: .root, above: countAbove)
    ruleLayer.show(rule, column: metrics.ruleColumn, row: metrics.ruleRow)
    for row in rows { row.removeFromSuperlayer() }
    rows = listedRows.map { entry in
      let layer = Layer()
      layer.show(entry.surface, column: metrics.textColumn, row: entry.row)
      body.add(layer)
      return layer
    }
    let first = listEnd.map { $0 + 1 } ?? bodyRows
    preview.layOut(
      in: first..<max(first, bodyRows - metrics.spacingBelowText), metrics: metrics, appearance: context.appearance,
      key: context.label(of: .switchPane), keepsContents: false)
    frameLayer.isHidden = framed == nil
    guard let framed else { return }
    frameLayer.frame = Rect(framed)
    frameLayer.setNeedsDisplay()
  }
}

extension TabPage {
  var headerLayers: [Layer] { [breadcrumbLayer, headerLayer] }

  /// The frame on the page, or `nil` if there is none. A frame that the header or the content below would cut is hidden.
  var framed: CellRect? {
    guard framedPlace != nil, let rows = list.frame(of: chosen), rows.lowerBound >= 0, rows.upperBound <= bodyRows
    else { return nil }
    return CellRect(
      column: metrics.frameColumn, row: metrics.bodyTop + rows.lowerBound, columns: metrics.frameWidth,
      rows: rows.count)
  }

  var nodesOfCards: [NodeID] { [framedPlace?.place.node].compactMap(\.self) }

  /// The page's current fragments. The entry with the frame opens like a card.
  var fragments: PageFragments {
    let body = listedRows.map { entry in
      PageFragments.Fragment(
        surface: entry.surface,
        rect: CellRect(
          column: metrics.textColumn, row: metrics.bodyTop + entry.row, columns: entry.surface.columns,
          rows: entry.surface.rows), node: entry.node, titleColumn: entry.titleColumn)
    }
    let previewFragments = preview.fragment.map { [$0.movedUp(by: metrics.bodyTop)] } ?? []
    var fragments = PageFragments(
      drawing: drawing, place: .root, kind: .root, breadcrumb: breadcrumb,
      header: PageModel.Header(title: title, summary: "", topRight: "", bottomRight: "", fraction: 0),
      headerRows: headerRows, breadcrumbTitle: nil, titleRow: metrics.titleRow, ruleRow: metrics.ruleRow,
      bodyRows: metrics.bodyTop..<metrics.bodyEnd, body: body + previewFragments, frames: [:], cards: [:])
    fragments.header.hiddenEntriesAbove = countAbove
    if let framed, let place = framedPlace, let node = place.place.node {
      fragments.frames[node] = framed
      fragments.cards[node] = CardModel(
        target: .node(node), kind: place.kind, title: place.title, summary: "")
    }
    return fragments
  }

  private var headerRows: [PageFragments.Fragment] {
    let rows = [(titleRow, metrics.titleRow)] + (metrics.summaryRow.map { [(subtitleRow, $0)] } ?? [])
    return rows.map { surface, row in
      PageFragments.Fragment(
        surface: surface,
        rect: CellRect(column: metrics.textColumn, row: row, columns: surface.columns, rows: surface.rows))
    }
  }
}

extension TabPage: FramedPage {
  var framedCells: CellRect? { frameLayer.isHidden ? nil : frameLayer.frame.cells }
}
