import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// All details of a place. The overlay grows from the card of the place or from the header of its page.
///
/// The text of the card or header stays in its position. The lower edge of the card or header becomes the rule below
/// the title, as when a card opens.
@MainActor final class InfoScreen: SheetScreen {
  private let facts: PlaceFacts
  private let pages: Layer
  private let source: () -> InfoSource
  private let sourceFrame: (InfoSource) -> CellRect
  /// The source at the time of the last layout.
  private var lastSource: InfoSource?
  private static let labelWidth = 12
  /// The minimum width at which all values are aligned in one column.
  private static let inColumns = 36

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - pages: The layer of the pages below.
  ///   - source: Returns the card or header from which the overlay grows.
  ///   - sourceFrame: Returns the visible frame of the source. It can be called while the source is moving.
  init(
    _ facts: PlaceFacts, over pages: Layer, context: ScreenContext, source: @escaping () -> InfoSource,
    sourceFrame: @escaping (InfoSource) -> CellRect
  ) {
    self.facts = facts
    self.pages = pages
    self.source = source
    self.sourceFrame = sourceFrame
    super.init(title: facts.title, context: context) { sourceFrame(source()) }
  }

  /// If the source moves or its content differs from that of the overlay, a snapshot of the pages fades out on the
  /// growing panel.
  override func willAppear(animated: Bool) {
    super.willAppear(animated: animated)
    guard context.motion == .full, !PageMetrics(size: context.size).isSmall,
      pages.isMovingInside || source().rows == nil
    else { return }
    let frame = sourceFrame(source())
    let snapshot = pages.dissolvingSnapshot(nil)
    snapshot.frame.origin = Point(x: -Double(frame.column), y: -Double(frame.row))
    let container = Layer(frame: Rect(x: 0, y: 0, width: Double(frame.columns), height: Double(frame.rows)))
    container.clipsToBounds = true
    container.zPosition = 1
    container.dissolve = Dissolve(rowShare: 1)
    container.add(snapshot)
    panel.add(container)
    container.dissolveAndRemove(within: GrowTransition.duration)
  }

  override var ownCommand: Command { .info }
  override var subject: String { super.subject + facts.path }
  override var role: Role { Role(facts.kind) }
  override var topRight: String { facts.noun.singular }
  override var keepsTitle: Bool { !metrics.isSmall }
  override var growsFromFrame: Bool { metrics.isSmall || lastSource?.isFramed ?? true }
  override var preferredTop: Int? { lastSource?.frame.row }
  override var fraction: Double { metrics.isSmall ? 0 : lastSource?.fraction ?? 0 }
  override var titleRows: Surface { metrics.isSmall ? super.titleRows : lastSource?.rows ?? super.titleRows }

  override func layOutPanel() {
    lastSource = source()
    super.layOutPanel()
    (coveredRowLayer.content, coveredRowLayer.isHidden) = (
      lastSource?.breadcrumbSurface, metrics.isSmall || lastSource?.breadcrumbSurface == nil
    )
    coveredRowLayer.frame = Rect(
      x: Double(metrics.textColumn - panelFrame.column), y: 0, width: Double(metrics.textWidth), height: 1)
  }

  /// *Copy* closes the overlay, because its notice appears in the row of the next step, which an open overlay dims.
  override func offer(_ command: Command) -> Offer? {
    guard command == .copy else { return super.offer(command) }
    return Offer("copy path", order: 1) { [self] in
      close()
      context.copy(facts.path, named: "the path of this place")
    }
  }

  override func text(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    let isColumned = width >= Self.inColumns
    // If the title rows already show the summary, it is not repeated.
    let isSummaryVisible =
      facts.summary.isEmpty || titleRows.textRows.dropFirst().contains { $0.contains(facts.summary) }
    let summary = StyledText(facts.summary, style: theme[.foreground]).wrapped(to: width)
    return (isSummaryVisible ? [] : summary + [StyledLine()])
      + facts.facts.flatMap { fact in
        var line = StyledText(fact.label, style: theme[.quiet])
        line.append(String(repeating: " ", count: isColumned ? max(1, Self.labelWidth - fact.label.displayWidth) : 1))
        line.append(fact.text, style: theme[.foreground])
        return line.wrapped(to: width, hangingIndent: isColumned ? Self.labelWidth : 2)
      } + pathLines
  }

  /// The path through a course, goal or lesson.
  private var pathLines: [StyledLine] {
    let lines = facts.pathTaken.map(drawnPath) ?? []
    return lines.isEmpty ? [] : [StyledLine(), StyledLine("Path", style: drawing.theme.bold(.strong))] + lines
  }
}

/// The card or header from which an ``InfoScreen`` grows.
struct InfoSource {
  /// The frame on the stage.
  var frame: CellRect
  /// The rows that show the place, starting with the title. `nil` if the source is a title only.
  var rows: Surface?
  /// The breadcrumb, if it is directly above the header in the panel's first row. Otherwise `nil`.
  var breadcrumbSurface: Surface?
  /// The completed fraction of the place, 0…1.
  var fraction = 0.0
  /// Whether the source has a frame.
  var isFramed = true
}

extension PageScreen {
  /// Returns the card of a place on the page, the header of the page, or the row of notices for any other place.
  func source(of place: Place) -> InfoSource {
    let fragments = fragments
    let fragment = place.node.flatMap { node in fragments.body.first { $0.node == node } }
    if let node = place.node, let card = fragments.cards[node], let fragment {
      return InfoSource(frame: fragments.frames[node] ?? fragment.rect, rows: fragment.surface, fraction: card.fraction)
    }
    // A place that the page does not show has its details above the last rows, where the notice names it.
    guard place == self.place else {
      let frame = CellRect(column: metrics.frameColumn, row: metrics.keysRow - 1, columns: metrics.frameWidth, rows: 1)
      return InfoSource(frame: frame, rows: nil, isFramed: false)
    }
    let frame = CellRect(
      column: metrics.frameColumn, row: max(0, titleRow - 1), columns: metrics.frameWidth, rows: ruleRow - titleRow + 2)
    let coversBreadcrumb = frame.row == metrics.breadcrumbRow
    return InfoSource(
      frame: frame, rows: headerSurface,
      breadcrumbSurface: coversBreadcrumb ? drawing.breadcrumb(page.breadcrumb) : nil,
      fraction: header.fraction, isFramed: false)
  }

  /// The title row, and the summary if it is visible.
  private var headerSurface: Surface {
    var surface = Surface(columns: metrics.textWidth, rows: ruleRow - titleRow)
    surface.copy(drawing.title(header, kind: page.kind))
    if surface.rows > 1 { surface.copy(drawing.summary(header), at: CellPoint(column: 0, row: 1)) }
    return surface
  }
}
