import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A page of the course: the trail, the header, and below them whatever the place is about.
@MainActor class PageScreen: Screen, CoursePage, CommandResponder, OpeningPage, SlidingPage {
  /// How much is done, which the rule's heavy part shows.
  static let done: LayerKey = "done"

  let place: Place
  let host: PageContext
  var context: ScreenContext { host.screen }
  var chosenNode: NodeID? { nil }

  private(set) var metrics = PageMetrics(size: CellSize(columns: 80, rows: 24))
  private(set) var page: PageModel

  /// The first row: it stays where it is when the page slides.
  let trailLayer = Layer()
  /// Everything below the trail.
  let sheet = Layer()
  let titleLayer = Layer()
  let summaryLayer = Layer()
  let ruleLayer = Layer()
  /// What the place is about; cut off at the rows that it has.
  let body = Layer()

  init(place: Place, page: PageModel, host: PageContext) {
    self.place = place
    self.page = page
    self.host = host
    super.init(title: page.header.title)
  }

  var drawing: PageDrawing {
    PageDrawing(theme: context.appearance.theme, symbols: context.appearance.symbols, metrics: metrics)
  }

  override func didLoad() {
    for part in [titleLayer, summaryLayer, ruleLayer, body] { sheet.add(part) }
    // A page that is left and come back to while it still slides continues from where it is.
    sheet.identity = place.node.map { TransitionID(SheetIdentity(node: $0)) }
    body.clipsToBounds = true
    ruleLayer.drawing = { [weak self] state in
      self.map {
        $0.drawing.rule(fraction: state.values[Self.done] ?? 0, kind: $0.page.kind, above: $0.header.above)
      }
    }
    layer.add(sheet)
    layer.add(trailLayer)
  }

  override func layOut(in size: Size) {
    metrics = PageMetrics(size: context.size)
    layOutPage()
  }

  /// Whether digits mean something on it, and lead to no tab.
  var takesDigits: Bool { false }
  /// Whether somebody writes on it: no key means anything else then.
  var isWriting: Bool { false }

  /// Shows what has changed in the meantime.
  func show(_ page: PageModel) {
    guard page != self.page else { return }
    self.page = page
    title = page.header.title
    if isLayerLoaded { layOutPage() }
  }

  /// Has other cards of the same list at hand; the screen that shows them lays them out.
  final func take(_ cards: CardWindow) { page.cards = cards }

  // MARK: - Parts

  /// What the header says; a text says how far it is read.
  var header: PageModel.Header { page.header }
  /// Where the title stands; it moves up when a text is scrolled.
  var titleRow: Int { metrics.titleRow }
  var ruleRow: Int { metrics.ruleRow }
  /// The rows of the body.
  var bodyRows: Range<Int> { (ruleRow + 1)..<max(ruleRow + 1, metrics.bodyEnd) }
  /// Pieces of the body, in reading order, where they stand on the page.
  var bodyParts: [PagePicture.Part] { [] }

  var nodesOfCards: [NodeID] { page.cards.known.compactMap(\.node) }

  /// A card has become this page.
  func didEndTargetAnimation() {}

  /// The page taken apart.
  var picture: PagePicture {
    PagePicture(
      drawing: drawing, place: place, kind: page.kind, trail: page.trail, header: header, headerRows: headerRows,
      crumb: header.title, titleRow: titleRow, ruleRow: ruleRow, bodyRows: bodyRows, body: bodyParts, frames: [:],
      cards: [:], trailGoesOn: trailGoesOn)
  }

  /// The numbers beside the title, and the summary where there is room for one.
  private var headerRows: [PagePicture.Part] {
    var surfaces = [drawing.numbers(header, kind: page.kind)]
    if ruleRow - titleRow > 1 { surfaces.append(drawing.summary(header)) }
    return surfaces.enumerated().map { number, surface in
      PagePicture.Part(
        surface: surface,
        rect: CellRect(column: metrics.textLeft, row: titleRow + number, columns: surface.columns, rows: 1))
    }
  }

  func layOutPage() {
    let drawing = drawing
    let textColumns = Double(metrics.textWidth)
    sheet.frame = Rect(x: 0, y: 0, width: layer.bounds.width, height: Double(metrics.bodyEnd))
    trailLayer.frame = Rect(x: Double(metrics.textLeft), y: 0, width: textColumns, height: 1)
    trailLayer.content = drawing.trail(page.trail)
    titleLayer.frame = Rect(x: Double(metrics.textLeft), y: Double(titleRow), width: textColumns, height: 1)
    titleLayer.content = drawing.title(header, kind: page.kind)
    let hasSummary = ruleRow - titleRow > 1
    summaryLayer.isHidden = !hasSummary
    summaryLayer.frame = Rect(x: Double(metrics.textLeft), y: Double(titleRow + 1), width: textColumns, height: 1)
    summaryLayer.content = drawing.summary(header)
    ruleLayer.frame = Rect(
      x: Double(metrics.ruleLeft), y: Double(ruleRow), width: Double(metrics.ruleWidth), height: 1)
    ruleLayer.setNeedsDisplay()
    ruleLayer.values[Self.done] = header.fraction
    body.frame = Rect(
      x: 0, y: Double(bodyRows.lowerBound), width: layer.bounds.width, height: Double(bodyRows.count))
  }

  // MARK: - The trail of another page

  /// Shows what another page has said in the trail, until it is time to say something else.
  func keepTrail(_ picture: Layer, for seconds: Double) {
    for old in trailLayer.sublayers { old.removeFromSuperlayer() }
    trailLayer.add(picture)
    picture.giveWay(within: seconds)
  }

  func keepTrail(for seconds: Double) {
    guard let kept = trailLayer.sublayers.last, kept.timeToGiveWay != nil else { return }
    keepTrail(kept.snapshot(), for: seconds)
  }

  /// Seconds for which it still does so; `nil` where it says its own.
  var trailTimeLeft: Double? { trailLayer.sublayers.last?.timeToGiveWay }

  /// Lets it continue to do so in another layer that shows the trail.
  private var trailGoesOn: (@MainActor (Layer) -> Void)? {
    guard let kept = trailLayer.sublayers.last else { return nil }
    return { [weak kept] in kept?.goOnGivingWay(in: $0) }
  }

  // MARK: - Commands

  /// Performs a command, or returns `false` to have it offered to the ancestors.
  func perform(_ command: Command) -> Bool { false }

  /// What takes the place of the next step while something nearer is to be done here.
  var hint: Footer.Hint? { nil }

  /// Keys that this page has beside those of every page, as they are shown in the last row.
  var keys: [KeyHint] { [] }

  /// What else can be pressed here, for which the last row has no room: the help has it.
  var otherKeys: [KeyHint] { [] }

  /// The first keys of commands that belong together, and what they do; `nil` where one has no key.
  func keys(of commands: Command..., does: String) -> KeyHint? {
    let labels = commands.compactMap(context.label(of:))
    return labels.count == commands.count ? KeyHint(labels.joined(separator: " "), does) : nil
  }
}

/// Tells the sheet of a page from the card that leads to it, which has the same node.
private struct SheetIdentity: Hashable {
  let node: NodeID
}
