import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A page of a course: the breadcrumb, the header, and the body.
@MainActor
class PageScreen: Screen, CoursePage, CommandResponder, EscapeTargetOwner, OpeningPage, SlidingPage,
  SteadyHeaderPage
{
  /// The key of the layer value for the fraction up to which the rule is bold: the position in an activity, otherwise
  /// the completed share.
  static let done: LayerKey = "done"

  let place: Place
  let host: PageContext
  var context: ScreenContext { host.screen }
  var chosenNode: NodeID? { nil }

  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))
  private(set) var page: PageModel

  /// The breadcrumb in the first row. It does not move while the page slides.
  let breadcrumbLayer = Layer()
  /// Everything below the breadcrumb.
  let sheet = Layer()
  let titleLayer = Layer()
  let summaryLayer = Layer()
  let ruleLayer = Layer()
  /// The title, the summary and the rule.
  private let headerLayer = Layer()
  /// Everything below the rule. Its coordinates are those of the page.
  let bodySheet = Layer()
  /// The content, clipped to the available rows.
  let body = Layer()

  init(place: Place, page: PageModel, host: PageContext) {
    self.place = place
    self.page = page
    self.host = host
    super.init(title: page.header.name)
  }

  var drawing: PageDrawing {
    PageDrawing(theme: context.appearance.theme, symbols: context.appearance.symbols, metrics: metrics)
  }

  override func didLoad() {
    for sublayer in [titleLayer, summaryLayer, ruleLayer] { headerLayer.add(sublayer) }
    bodySheet.add(body)
    sheet.add(headerLayer)
    sheet.add(bodySheet)
    // This identity allows a page to which the learner returns while it is sliding to continue from its current
    // position.
    sheet.identity = place.node.map { TransitionID(SheetIdentity(node: $0)) }
    body.clipsToBounds = true
    ruleLayer.drawing = { [weak self] state in
      guard let self else { return nil }
      ruleWasDrawn()
      return drawing.rule(fraction: state.values[Self.done] ?? 0, kind: page.kind, above: header.hiddenEntriesAbove)
    }
    layer.add(sheet)
    layer.add(breadcrumbLayer)
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: context.size)
    layOutPage()
  }

  /// Called when the rule is drawn, which happens in the first frame after each layout of the page.
  func ruleWasDrawn() {}

  /// Shows a newer model.
  func show(_ page: PageModel) {
    guard page != self.page else { return }
    self.page = page
    title = page.header.name
    if isLayerLoaded { layOutPage() }
  }

  /// Replaces the loaded cards of the list. The caller must lay out the list.
  final func update(_ cards: CardWindow) { page.cards = cards }

  // MARK: - Parts

  /// The texts of the header. A page with a text adds its reading progress.
  var header: PageModel.Header { page.header }
  /// The row of the title. When a text is scrolled, the title moves up.
  var titleRow: Int { metrics.titleRow }
  var ruleRow: Int { metrics.ruleRow }
  var bodyRows: Range<Int> { (ruleRow + 1)..<max(ruleRow + 1, metrics.bodyEnd) }
  /// The fragments of the body in reading order, with their rectangles on the page.
  var bodyFragments: [PageFragments.Fragment] { [] }

  var nodesOfCards: [NodeID] { page.cards.loadedCards.compactMap(\.node) }

  /// Called when a card has become this page.
  func didEndTargetAnimation(for id: TransitionID) {}

  /// The page's current fragments.
  var fragments: PageFragments {
    PageFragments(
      drawing: drawing, place: place, kind: page.kind, breadcrumb: page.breadcrumb, header: header,
      headerRows: headerRows,
      breadcrumbTitle: header.title, titleRow: titleRow, ruleRow: ruleRow, bodyRows: bodyRows, body: bodyFragments,
      frames: [:],
      cards: [:], continueBreadcrumb: continueBreadcrumb)
  }

  /// The texts next to the title, and the summary if it is visible.
  private var headerRows: [PageFragments.Fragment] {
    var surfaces = [drawing.titleFacts(header, kind: page.kind)]
    if ruleRow - titleRow > 1 { surfaces.append(drawing.summary(header)) }
    return surfaces.enumerated().map { number, surface in
      PageFragments.Fragment(
        surface: surface,
        rect: CellRect(column: metrics.textColumn, row: titleRow + number, columns: surface.columns, rows: 1))
    }
  }

  func layOutPage() {
    let drawing = drawing
    let textColumns = Double(metrics.textWidth)
    sheet.frame = Rect(x: 0, y: 0, width: layer.bounds.width, height: Double(metrics.bodyEnd))
    for sublayer in [headerLayer, bodySheet] { sublayer.frame = sheet.bounds }
    breadcrumbLayer.frame = Rect(x: Double(metrics.textColumn), y: 0, width: textColumns, height: 1)
    breadcrumbLayer.content = drawing.breadcrumb(page.breadcrumb)
    titleLayer.frame = Rect(x: Double(metrics.textColumn), y: Double(titleRow), width: textColumns, height: 1)
    titleLayer.content = drawing.title(header, kind: page.kind)
    let hasSummary = ruleRow - titleRow > 1
    summaryLayer.isHidden = !hasSummary
    summaryLayer.frame = Rect(x: Double(metrics.textColumn), y: Double(titleRow + 1), width: textColumns, height: 1)
    summaryLayer.content = drawing.summary(header)
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleColumn), y: Double(ruleRow), width: Double(metrics.ruleWidth), height: 1)
    ruleLayer.setNeedsDisplay()
    ruleLayer.values[Self.done] = header.fraction
    body.frame = Rect(
      x: 0, y: Double(bodyRows.lowerBound), width: layer.bounds.width, height: Double(bodyRows.count))
  }

  var headerLayers: [Layer] { [breadcrumbLayer, headerLayer] }

  // MARK: - The breadcrumb of another page

  /// Shows a snapshot of another page's breadcrumb, which fades out after some seconds.
  func holdBreadcrumb(_ snapshot: Layer, for seconds: Double) {
    for old in breadcrumbLayer.sublayers { old.removeFromSuperlayer() }
    breadcrumbLayer.add(snapshot)
    snapshot.dissolveAndRemove(within: seconds)
  }

  func holdBreadcrumb(for seconds: Double) {
    guard let heldBreadcrumb = breadcrumbLayer.sublayers.last, heldBreadcrumb.remainingDissolveTime != nil else {
      return
    }
    holdBreadcrumb(heldBreadcrumb.snapshot(), for: seconds)
  }

  /// The number of seconds for which another page's breadcrumb is still shown, or `nil` if the page shows its own.
  var remainingBreadcrumbTime: Double? { breadcrumbLayer.sublayers.last?.remainingDissolveTime }

  /// Continues to show, in another layer, the breadcrumb of the other page. `nil` if the page shows its own.
  private var continueBreadcrumb: (@MainActor (Layer) -> Void)? {
    guard let heldBreadcrumb = breadcrumbLayer.sublayers.last else { return nil }
    return { [weak heldBreadcrumb] in heldBreadcrumb?.continueDissolve(in: $0) }
  }

  // MARK: - Commands

  var escapeTargets: Set<EscapeTarget> { [.page] }
  func leave(_ target: EscapeTarget) -> Bool { false }

  var keyContexts: [KeyContext] { [.page, .everywhere] }
  var fieldKeys: [KeyHint]? { nil }
  func offer(_ command: Command) -> Offer? { nil }

  /// A hint that the footer shows instead of the suggested next step, or `nil` to show the next step.
  var hint: Footer.Hint? { nil }
}

/// The identity of a page's sheet. It differs from the identity of the card with the same node.
private struct SheetIdentity: Hashable {
  let node: NodeID
}
