internal import LearningModel
internal import ScreenKit
internal import TextCanvas

/// The page above and the page that opens from one of its cards, as one layer that stands at a fraction of the way.
@MainActor final class OpeningLayer: Layer {
  /// 0 where the card lies among its siblings, 1 where it is the page.
  static let opened: LayerKey = "opened"

  private let upper: PagePicture
  private let lower: PagePicture
  private let card: CardModel
  private let frameOfCard: CellRect
  private let openedFrame: CellRect

  private let oldNumbers = Layer()
  private let oldSummary = Layer()
  private let oldRule = Layer()
  private let oldTitle = Layer()
  private let oldHeader = Layer()
  private let above = Layer()
  private let aboveSheet = Layer()
  private let below = Layer()
  private let belowSheet = Layer()
  private let trail = Layer()
  private let inside = Layer()
  private var pieces: [(layer: Layer, rect: CellRect)] = []
  private let box = Layer()
  private let title = Layer()
  private let summary = Layer()
  private let rule = Layer()

  /// Makes the layer; `nil` where the page above shows no card of that node.
  init?(upper: PagePicture, lower: PagePicture, node: NodeID, size: Size) {
    guard let frame = upper.frames[node], let card = upper.cards[node] else { return nil }
    self.upper = upper
    self.lower = lower
    self.card = card
    frameOfCard = frame
    let metrics = upper.drawing.metrics
    openedFrame = CellRect(
      column: metrics.left, row: lower.titleRow - 1, columns: metrics.width,
      rows: max(3, metrics.bodyEnd - lower.titleRow + 1))
    super.init(frame: Rect(origin: .zero, size: size))
    identity = TransitionID(node)
    build()
  }

  private var page: PageDrawing { upper.drawing }
  private var metrics: PageMetrics { upper.drawing.metrics }

  private func geometry(_ fraction: Double) -> OpeningGeometry {
    OpeningGeometry(
      card: frameOfCard, opened: openedFrame, cardRule: frameOfCard.rows - 1,
      openedRule: lower.ruleRow - lower.titleRow + 1, fraction: min(1, max(0, fraction)))
  }

  // MARK: - Parts

  private func build() {
    for layer in [oldHeader, above, below, inside] { layer.clipsToBounds = true }
    let numbers = PageModel.Header(
      title: "", summary: "", topRight: upper.header.topRight, bottomRight: "", fraction: 0)
    place(oldNumbers, page.title(numbers, kind: upper.kind), row: upper.titleRow, in: oldHeader)
    if upper.ruleRow - upper.titleRow > 1 {
      place(oldSummary, page.summary(upper.header), row: upper.titleRow + 1, in: oldHeader)
    }
    oldRule.content = page.rule(fraction: upper.header.fraction, kind: upper.kind)
    oldRule.frame = Rect(
      x: Double(metrics.ruleLeft), y: Double(upper.ruleRow), width: Double(metrics.ruleWidth), height: 1)
    oldHeader.add(oldRule)

    for part in upper.body where part.node != card.node {
      let layer = Layer(frame: Rect(part.rect), content: part.surface)
      (part.rect.row < frameOfCard.row ? aboveSheet : belowSheet).add(layer)
    }
    above.add(aboveSheet)
    below.add(belowSheet)

    for part in lower.body {
      let layer = Layer(frame: Rect(part.rect), content: part.surface)
      inside.add(layer)
      pieces.append((layer, part.rect))
    }
    box.drawing = { [card, page] state in
      page.lines.box(state.cells.size, fraction: 0, role: Role(card.kind))
    }
    oldTitle.content = oldTitleSurface(isCrumb: false)
    for layer in [trail, oldHeader, above, below, inside, box, title, summary, rule, oldTitle] { add(layer) }
  }

  private func place(_ layer: Layer, _ surface: Surface, row: Int, in parent: Layer) {
    layer.content = surface
    layer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows))
    parent.add(layer)
  }

  private func oldTitleSurface(isCrumb: Bool) -> Surface {
    let style = isCrumb ? page.theme[.quiet] : page.theme.bold(Role(upper.kind))
    let text = upper.header.title.truncated(to: metrics.textWidth)
    return page.lines.row(StyledText(text, style: style), width: max(1, text.displayWidth))
  }

  // MARK: - A moment

  override func layOutSublayers(presented state: LayerState) {
    let geometry = geometry(state.values[Self.opened] ?? 0)
    let frame = geometry.frame
    let width = state.size.width
    let end = metrics.bodyEnd

    set(oldHeader, rows: 0..<max(0, frame.row), width: width, opacity: geometry.oldHeaderOpacity)
    let top = upper.bodyRows.lowerBound
    set(above, rows: top..<max(top, frame.row), width: width, opacity: geometry.oldOpacity)
    aboveSheet.frame = Rect(x: 0, y: Double(geometry.rowsAbove - top), width: width, height: Double(end))
    set(below, rows: min(frame.endRow, end)..<end, width: width, opacity: geometry.oldOpacity)
    belowSheet.frame = Rect(
      x: 0, y: Double(geometry.rowsBelow - min(frame.endRow, end)), width: width, height: Double(end))

    box.frame = Rect(frame)
    box.opacity = geometry.frameOpacity
    let isPage = geometry.isPastMiddle
    move(title, isPage ? page.title(lower.header, kind: lower.kind) : cardRow(0), row: geometry.titleRow)
    summary.isHidden = geometry.summaryRow >= geometry.ruleRow
    move(summary, isPage ? page.summary(lower.header) : cardRow(1), row: geometry.summaryRow)
    rule.content = page.lines.rule(
      width: frame.columns - 2, fraction: isPage ? lower.header.fraction : card.fraction, role: Role(card.kind),
      light: geometry.frameOpacity < 0.5 ? .faint : Role(card.kind))
    rule.frame = Rect(
      x: Double(frame.column + 1), y: Double(geometry.ruleRow), width: Double(frame.columns - 2), height: 1)

    layOutInside(geometry)
    layOutTrail(geometry)
  }

  /// One of the card's rows, as the page above shows it.
  private func cardRow(_ row: Int) -> Surface {
    let surface = upper.body.first { $0.node == card.node }?.surface ?? Surface(columns: 0, rows: 0)
    return surface.part(CellRect(column: 0, row: row, columns: surface.columns, rows: 1))
  }

  private func layOutInside(_ geometry: OpeningGeometry) {
    let frame = geometry.frame
    let first = geometry.ruleRow + 1
    let isOpen = geometry.fraction >= 1
    let last = isOpen ? metrics.bodyEnd : frame.endRow - 1
    inside.frame = Rect(
      x: Double(frame.column), y: Double(first), width: Double(frame.columns), height: Double(max(0, last - first)))
    for (number, piece) in pieces.enumerated() {
      piece.layer.frame = Rect(
        piece.rect.offset(columns: -frame.column, rows: geometry.rowsToGo - first))
      piece.layer.opacity = geometry.opacity(ofPiece: number)
    }
  }

  private func layOutTrail(_ geometry: OpeningGeometry) {
    let start = (row: upper.titleRow, column: metrics.textLeft)
    let column = metrics.textLeft + page.crumbColumn(after: upper.trail.crumbs)
    let row = nearestCell(Double(start.row) * (1 - geometry.oldTitle))
    let hasArrived = row == 0
    var words = upper.trail
    if geometry.isPastMiddle { words.position = lower.trail.position }
    if hasArrived { words = lower.trail }
    move(trail, page.trail(words), row: 0)

    oldTitle.isHidden = hasArrived
    oldTitle.content = oldTitleSurface(isCrumb: geometry.isPastMiddle)
    oldTitle.frame = Rect(
      x: Double(nearestCell(Double(start.column) + Double(column - start.column) * geometry.oldTitle)),
      y: Double(row), width: Double(oldTitle.content?.columns ?? 0), height: 1)
  }

  private func set(_ layer: Layer, rows: Range<Int>, width: Double, opacity: Double) {
    layer.frame = Rect(x: 0, y: Double(rows.lowerBound), width: width, height: Double(rows.count))
    layer.opacity = opacity
  }

  private func move(_ layer: Layer, _ surface: Surface, row: Int) {
    layer.content = surface
    layer.frame = Rect(
      x: Double(metrics.textLeft), y: Double(row), width: Double(surface.columns), height: Double(surface.rows))
  }
}
