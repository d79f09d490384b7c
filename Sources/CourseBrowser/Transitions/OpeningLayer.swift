import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// Draws the transition between a page and the page that opens from one of its cards, at any fraction.
@MainActor final class OpeningLayer: Layer {
  /// The key of the layer value for the progress: 0 shows the card among its siblings, 1 shows the page.
  static let opened: LayerKey = "opened"

  /// Returns the current fragments of both pages, the upper page first.
  private let makeFragments: () -> (PageFragments, PageFragments)?
  private(set) var upper: PageFragments
  private(set) var lower: PageFragments
  private(set) var card: CardModel
  private(set) var frameOfCard: CellRect
  private var openedFrame: CellRect

  let oldRule = Layer()
  let oldTitle = Layer()
  let oldHeader = Layer()
  private let above = Layer()
  private let aboveSheet = Layer()
  private let below = Layer()
  private let belowSheet = Layer()
  let breadcrumbLayer = Layer()
  let inside = Layer()
  private(set) var fragmentLayers: [(layer: Layer, part: PageFragments.Fragment)] = []
  /// The other cards of the upper page.
  private(set) var siblingLayers: [(layer: Layer, node: NodeID?)] = []
  /// The preview below the list, which is one of ``siblingLayers``.
  private(set) var preview: Layer?
  let previewWindow = Layer()
  /// The motion of the preview's text to the page, or `nil` if the preview stays in its place.
  var previewTravel: PreviewTravel?
  /// The text of the page below the header of the preview, or `nil` if the preview stays in its place.
  var previewText: Layer?
  /// Whether ``previewText`` is shown in place of the preview's own text.
  var isPreviewMoving = false
  /// The preview of the opening page below the frame, and its index among the fragments of that page. `nil` if one of the
  /// pages has no preview.
  var nextPreview: (layer: Layer, number: Int)?
  /// The rows of the preview that are hidden, because the opening page shows the same places.
  var hiddenPreviewRows: [Int] = []
  /// The content that both pages show. It moves from its position on the upper page to its position on the lower page.
  let sharedLayer = Layer()
  private var sharedFragments: [(layer: Layer, from: PageFragments.Fragment, to: PageFragments.Fragment)] = []
  let box = Layer()
  /// The role that determines the colour of the frame. It changes in the middle of the transition.
  private var frameRole = Role.faint
  /// The frame around the selection of the lower page. It disappears when that page closes. When the page has opened,
  /// the page itself fades the frame in.
  let choice = Layer()
  let isClosing: Bool
  let title = Layer()
  let summary = Layer()
  /// The card's text in the header rows, which fades to the text of the page.
  let fadingTitle = Layer()
  let fadingSummary = Layer()
  /// The earlier title row of the page, while it is still fading out.
  let fadingPageText = Layer()
  /// The text of the card below its summary.
  let passage = Layer()
  let rule = Layer()
  /// The card that is nested in this one and shown in place of the page that opens here, and the card that contains
  /// this one.
  var inner: OpeningLayer?
  weak var outer: OpeningLayer?
  let window = Layer()
  let windowSheet = Layer()

  /// Creates the layer. Returns `nil` if the upper page does not show a card of the node.
  ///
  /// - Parameters:
  ///   - fragments: Returns the current fragments of both pages, the upper page first.
  ///   - isClosing: Whether the page closes into the card.
  init?(of fragments: @escaping () -> (PageFragments, PageFragments)?, node: NodeID, size: Size, isClosing: Bool) {
    guard let (upper, lower) = fragments(), let frame = upper.frames[node], let card = upper.cards[node] else {
      return nil
    }
    makeFragments = fragments
    self.isClosing = isClosing
    self.upper = upper
    self.lower = lower
    self.card = card
    frameOfCard = frame
    openedFrame = Self.openedFrame(upper, lower)
    super.init(frame: Rect(origin: .zero, size: size))
    identity = TransitionID(Identity(card: node, above: upper.place, below: lower.place))
    previewTravel = makePreviewTravel()
    build()
    continueAnimations()
  }

  /// If the same card opens another page, its layer has another identity.
  private struct Identity: Hashable {
    let card: NodeID
    let above: Place
    let below: Place
  }

  var node: NodeID? { card.node }

  private static func openedFrame(_ upper: PageFragments, _ lower: PageFragments) -> CellRect {
    let metrics = upper.drawing.metrics
    let top = lower.titleRow - metrics.frameThickness
    return CellRect(
      column: metrics.firstColumn, row: top, columns: metrics.width, rows: max(3, metrics.bodyEnd - top))
  }

  private func makePreviewTravel() -> PreviewTravel? {
    upper.body.first(where: \.isPreview).flatMap { PreviewTravel(from: $0, to: lower) }
  }

  /// Whether the layer ignores changes of the pages. Set when another transition is about to begin.
  var isFrozen = false

  /// Updates the fragments after a page or the size has changed. If the upper page no longer shows the card, the layer
  /// is unchanged.
  func updateFragments() {
    guard !isFrozen, let (upper, lower) = makeFragments(), let node = card.node, let frame = upper.frames[node],
      let card = upper.cards[node]
    else { return }
    let old = self.lower
    let isResized = old.drawing.metrics != lower.drawing.metrics
    // The preview of a list that appears is read after the transition has been prepared.
    let isPreviewNew = !self.upper.body.contains(where: \.isPreview) && upper.body.contains(where: \.isPreview)
    (self.upper, self.lower, self.card, frameOfCard) = (upper, lower, card, frame)
    openedFrame = Self.openedFrame(upper, lower)
    if isResized || isPreviewNew { previewTravel = makePreviewTravel() }
    if !isResized {
      continuePageAnimations()
      glideChoice(from: old)
    }
    for sublayer in sublayers + breadcrumbLayer.sublayers + oldHeader.sublayers + aboveSheet.sublayers
      + belowSheet.sublayers + previewWindow.sublayers + inside.sublayers + sharedLayer.sublayers
    where sublayer.remainingDissolveTime == nil {
      sublayer.removeFromSuperlayer()
    }
    (fragmentLayers, sharedFragments, siblingLayers, hiddenPreviewRows) = ([], [], [], [])
    (preview, nextPreview) = (nil, nil)
    // The running animations of the pages are continued.
    build()
    withoutAnimation { layOutSublayers(presented: presentation) }
  }

  var page: PageDrawing { upper.drawing }
  var metrics: PageMetrics { upper.drawing.metrics }

  func geometry(_ state: LayerState) -> OpeningGeometry {
    let edge = metrics.frameThickness
    let fraction = state.values[Self.opened] ?? 0
    let (title, rule) = (
      nearestCell(state.values[Self.titleOffset] ?? 0), nearestCell(state.values[Self.ruleOffset] ?? 0)
    )
    let body = nearestCell(state.values[Self.bodyOffset] ?? 0)
    var opened = openedFrame
    (opened.row, opened.rows) = (opened.row + title, opened.rows - title)
    // In a layout without frames, the rule appears together with the first row of the page below it.
    return OpeningGeometry(
      card: frameOfCard, opened: opened, frameThickness: edge, cardRule: edge == 0 ? 1 : frameOfCard.rows - 1,
      openedRule: lower.ruleRow - lower.titleRow + edge + rule - title, bodyOffset: body,
      fraction: min(1, max(0, fraction)))
  }

  // MARK: - Building the layers

  private func build() {
    for layer in [oldHeader, above, below, previewWindow, inside, sharedLayer] { layer.clipsToBounds = true }
    for fragment in upper.headerRows { oldHeader.add(Layer(frame: Rect(fragment.rect), content: fragment.surface)) }
    oldRule.show(
      page.rule(fraction: upper.header.fraction, kind: upper.kind, above: upper.header.hiddenEntriesAbove),
      column: metrics.ruleColumn, row: upper.ruleRow)
    oldHeader.add(oldRule)

    let lowerFragments = Dictionary(
      lower.body.compactMap { fragment in fragment.node.map { ($0, fragment) } },
      uniquingKeysWith: { first, _ in first })
    for fragment in upper.body where fragment.node != card.node {
      if let node = fragment.node, let end = lowerFragments[node] {
        sharedFragments.append((Layer(content: fragment.surface), fragment, end))
        continue
      }
      let layer = fragment.makeLayer()
      siblingLayers.append((layer, fragment.node))
      if fragment.isPreview {
        preview = layer
        previewWindow.add(layer)
      } else {
        (fragment.rect.row < frameOfCard.row ? aboveSheet : belowSheet).add(layer)
      }
    }
    above.add(aboveSheet)
    self.below.add(belowSheet)
    buildPreviewText()
    if preview != nil { buildNextPreview() }

    let travelling = Set(sharedFragments.compactMap(\.from.node))
    for fragment in lower.body {
      let layer = fragment.makeLayer()
      layer.isHidden = fragment.node.map(travelling.contains) ?? false
      inside.add(layer)
      fragmentLayers.append((layer, fragment))
    }
    frameRole = Role(card.kind)
    box.drawing = { [weak self, lines = page.lines] state in
      lines.box(state.cells.size, fraction: 0, role: self?.frameRole ?? .faint)
    }
    oldTitle.content = oldTitleSurface
    for (layer, fadingLayer) in [(title, fadingTitle), (summary, fadingSummary)] {
      fadingLayer.dissolve = Dissolve(rowShare: 1)
      layer.add(fadingLayer)
    }
    title.add(fadingPageText)
    continueTitleFade()
    for fragments in [upper, lower] { fragments.continueBreadcrumb?(breadcrumbLayer) }
    for traveller in sharedFragments { sharedLayer.add(traveller.layer) }
    for layer in [
      breadcrumbLayer, oldHeader, above, previewWindow, self.below, inside, sharedLayer, choice, box, window, title,
      summary, passage,
      rule, oldTitle,
    ] {
      add(layer)
    }
  }

  // MARK: - Layout

  override func layOutSublayers(presented state: LayerState) {
    let geometry = geometry(state)
    let frame = geometry.frame
    let width = state.size.width
    let end = metrics.bodyEnd

    setFrame(oldHeader, rows: 0..<max(0, frame.row), width: width, opacity: geometry.oldHeaderOpacity)
    let top = upper.bodyRows.lowerBound
    setFrame(above, rows: top..<max(top, frame.row), width: width, opacity: geometry.oldOpacity)
    aboveSheet.frame = Rect(x: 0, y: Double(geometry.rowsMovedUp - top), width: width, height: Double(end))
    layOutPreview(geometry)
    // A moving preview covers the cards below the frame.
    let belowEnd = isPreviewMoving ? nearestCell(previewWindow.frame.y) : end
    let belowStart = min(frame.endRow, belowEnd)
    setFrame(below, rows: belowStart..<belowEnd, width: width, opacity: geometry.oldOpacity)
    belowSheet.frame = Rect(
      x: 0, y: Double(geometry.rowsMovedDown - belowStart), width: width, height: Double(end))

    let rowOffset = nearestCell(state.values[Self.frameOffset] ?? 0)
    let frameOpacity = 1 - (state.values[Self.frameTransparency] ?? 0)
    box.frame = Rect(frame.offset(rows: rowOffset))
    // The frame of a closing page is opaque from the start. If it faded in, it would be invisible while a gesture moves
    // the first columns, and its cells would be written in every frame.
    box.opacity = frameOpacity * (isClosing && geometry.fraction < 1 ? 1 : geometry.frameOpacity)
    // As on a page, the frame is above the text while the frame moves.
    for layer in [box, rule] { layer.zPosition = rowOffset == 0 ? 0 : 1 }
    // If the page is scrolled, its title is directly below the breadcrumb, and the frame would cover the breadcrumb.
    box.isHidden = frame.row <= metrics.breadcrumbRow || metrics.isSmall
    let isPage = geometry.isPastHalf
    layOutHeader(geometry)
    let role = Role(isPage ? lower.kind : card.kind)
    if role != frameRole {
      frameRole = role
      box.setNeedsDisplay()
    }
    let columns = metrics.ruleColumns(in: frame)
    rule.isHidden = geometry.ruleRow <= geometry.titleRow
    rule.content = page.lines.rule(
      width: columns.count, fraction: fractionDone(geometry, state), role: role,
      light: geometry.frameOpacity < 0.5 || metrics.isSmall ? .faint : role)
    if geometry.fraction == 1, lower.header.hiddenEntriesAbove > 0 {
      rule.content = page.rule(
        fraction: fractionDone(geometry, state), kind: lower.kind, above: lower.header.hiddenEntriesAbove)
    }
    rule.frame = Rect(
      x: Double(columns.lowerBound), y: Double(geometry.ruleRow + rowOffset), width: Double(columns.count), height: 1)
    rule.opacity = frameOpacity

    layOutInside(geometry, choiceLag: nearestCell(state.values[Self.choiceOffset] ?? 0))
    layOutBreadcrumb(geometry)
    layOutInOuter(geometry)
    layOutNested(geometry)
  }

  /// Returns the completed fraction that the rule shows.
  private func fractionDone(_ geometry: OpeningGeometry, _ state: LayerState) -> Double {
    let pageFraction = lower.header.fraction + (state.values[Self.progressOffset] ?? 0)
    return card.fraction + (pageFraction - card.fraction) * geometry.fraction
  }

  /// The card as a fragment of the upper page.
  private var cardFragment: PageFragments.Fragment? { upper.body.first { $0.node == card.node } }
  var titleColumn: Int { cardFragment?.titleColumn ?? 0 }

  func cardRow(_ row: Int) -> Surface {
    let surface = cardFragment?.surface ?? Surface(columns: 0, rows: 0)
    guard row < surface.rows else { return Surface(columns: 0, rows: 0) }
    return surface.cropped(CellRect(column: 0, row: row, columns: surface.columns, rows: 1))
  }

  private func layOutInside(_ geometry: OpeningGeometry, choiceLag: Int) {
    let frame = geometry.frame
    let rows = geometry.insideRows
    inside.frame = Rect(
      x: Double(frame.column), y: Double(rows.lowerBound), width: Double(frame.columns), height: Double(rows.count))
    for (number, entry) in fragmentLayers.enumerated() {
      let travel = previewText == nil || previewTravel?.fragment != number ? nil : previewTravel?.distance(geometry)
      let distance = travel ?? (0, geometry.remainingRows)
      entry.layer.frame = Rect(
        entry.part.rect.offset(
          columns: distance.columns - frame.column,
          rows: distance.rows + geometry.bodyOffset - rows.lowerBound))
      entry.layer.opacity =
        entry.part.isBox
        ? geometry.opacityAfterFrame
        : travel == nil ? geometry.opacity(ofPiece: number, of: fragmentLayers.count) : 1
    }
    // The frame around the selection of a closing page is hidden, because the frame around the page replaces it.
    choice.isHidden = !isClosing || geometry.fraction < 1 || lower.chosenFrame == nil
    if let fragment = lower.chosenFrame {
      choice.content = fragment.surface
      choice.frame = Rect(fragment.rect.offset(rows: geometry.remainingRows + choiceLag))
    }
    sharedLayer.frame = Rect(x: 0, y: 0, width: Double(metrics.size.columns), height: Double(metrics.bodyEnd))
    for traveller in sharedFragments {
      let (start, end) = (traveller.from.rect, traveller.to.rect)
      let fragment = geometry.isPastHalf ? traveller.to : traveller.from
      traveller.layer.content = fragment.surface
      traveller.layer.frame = Rect(
        CellRect(
          column: start.column, row: geometry.interpolated(start.row, end.row), columns: fragment.rect.columns,
          rows: fragment.rect.rows))
    }
  }

  /// Returns the place at a cell during the transition: a place on either page, or the place of the card itself.
  /// Returns `nil` if there is no place at the cell.
  func node(at point: CellPoint) -> NodeID? {
    if let node = inner?.node(at: point) { return node }
    let location = Point(x: Double(point.column) + 0.5, y: Double(point.row) + 0.5)
    let hit = hitTest(location)
    let layerNodes =
      fragmentLayers.map { ($0.layer, $0.part.node) } + sharedFragments.map { ($0.layer, $0.to.node) } + siblingLayers
    if let match = layerNodes.first(where: { $0.0 === hit }) { return match.1 }
    return box.presentedFrame(in: superlayer).cells.contains(point) ? card.node : nil
  }

  private func setFrame(_ layer: Layer, rows: Range<Int>, width: Double, opacity: Double) {
    layer.frame = Rect(x: 0, y: Double(rows.lowerBound), width: width, height: Double(rows.count))
    layer.opacity = opacity
  }

  func move(_ layer: Layer, _ surface: Surface, row: Int) {
    layer.show(surface, column: metrics.textColumn, row: row)
  }
}

/// Changes on the opening or closing page during the transition. They are animated as on a page at rest.
extension OpeningLayer {
  /// The keys of the layer values for the offsets, in rows, of the title and the rule from their final positions while
  /// the opening text is being scrolled.
  static let titleOffset: LayerKey = "titleLag"
  static let ruleOffset: LayerKey = "ruleLag"
  /// The key of the layer value for the offset of the content below the rule, in rows.
  static let bodyOffset: LayerKey = "bodyLag"
  /// The key of the layer value for the difference between the progress that the rule shows and the actual progress of
  /// the lower page, as a fraction.
  static let progressOffset: LayerKey = "doneLag"
  /// The key of the layer value for the offset, in rows, of the lower page's frame from the card that was selected
  /// during the transition.
  static let choiceOffset: LayerKey = "choiceLag"

  /// The key of the layer value for the offset, in rows, of the opening card's frame from the card, if the card was
  /// selected just before it opened.
  static let frameOffset: LayerKey = "frameLag"
  /// The key of the layer value for the transparency of the card's frame, from 0 (opaque) to 1 (invisible). Used only
  /// if the upper page does not show a frame.
  static let frameTransparency: LayerKey = "unframed"

  /// Takes over the offsets of the lower page.
  func continuePageAnimations() {
    let presented = presentation.values
    func remainingOffset(_ key: LayerKey, _ value: Double) -> Double { value - (presented[key] ?? 0) }
    animateOffsets(
      from: PageFragments.Offsets(
        title: remainingOffset(Self.titleOffset, lower.offsets.title),
        rule: remainingOffset(Self.ruleOffset, lower.offsets.rule),
        body: remainingOffset(Self.bodyOffset, lower.offsets.body),
        done: remainingOffset(Self.progressOffset, lower.offsets.done)))
  }

  /// Continues the animations that run on both pages when the card begins to move.
  func continueAnimations() {
    apartFromTransitions {
      animateOffsets(from: lower.offsets)
      glide(Self.choiceOffset, from: lower.choiceOffset)
      if upper.chosenFrame?.rect == frameOfCard { glide(Self.frameOffset, from: upper.choiceOffset) }
    }
  }

  /// Fades in the frame of the card. Needed if the page with the card is itself still opening and does not show its
  /// frame yet.
  func fadeFrameIn() {
    withoutAnimation { values[Self.frameTransparency] = 1 }
    apartFromTransitions {
      animate(duration: ListScreen.frameFade, curve: .linear) { values[Self.frameTransparency] = 0 }
    }
  }

  private func animateOffsets(from offsets: PageFragments.Offsets) {
    guard offsets != PageFragments.Offsets() else { return }
    let valueOffsets = [
      (Self.titleOffset, offsets.title), (Self.ruleOffset, offsets.rule), (Self.bodyOffset, offsets.body),
      (Self.progressOffset, offsets.done),
    ]
    withoutAnimation { for (key, value) in valueOffsets { values[key, default: 0] += value } }
    let keyframe = Keyframe(start: 0, duration: 0.5) { [self] in for (key, _) in valueOffsets { values[key] = 0 } }
    animateKeyframes(duration: TextPane.glideTime, curve: .easeOut, [keyframe])
  }

  /// Animates the frame from one card to another, as on a page at rest. If the rows move to make space for the frame,
  /// the frame is not animated.
  func glideChoice(from old: PageFragments) {
    guard let (start, end) = old.chosenFrame.flatMap({ old in lower.chosenFrame.map { (old.rect, $0.rect) } }),
      start != end,
      old.body.map(\.rect) == lower.body.map(\.rect)
    else { return }
    glide(Self.choiceOffset, from: Double(start.row - end.row))
  }

  private func glide(_ key: LayerKey, from rows: Double) {
    guard rows != 0 else { return }
    withoutAnimation { values[key, default: 0] += rows }
    animate(duration: ListScreen.frameGlide, curve: .easeOut) { values[key] = 0 }
  }
}
