import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// Nested cards: a card that opens or closes on a page that is itself still moving.
///
/// The animations of both cards continue. The inner card is clipped to the frame of the outer card, moves with the
/// page, and has the opacity of the content that it replaces.
extension OpeningLayer {
  /// The outermost of the cards in which this card is nested, or this card if it is not nested.
  var outermost: OpeningLayer { outer?.outermost ?? self }

  /// This card and all cards inside it, from the outermost to the innermost.
  var nested: [OpeningLayer] { [self] + (inner?.nested ?? []) }

  /// Shows the transition of another card in place of the page that opens here.
  func nest(_ inner: OpeningLayer) {
    self.inner = inner
    inner.outer = self
    window.clipsToBounds = true
    windowSheet.add(inner)
    window.add(windowSheet)
  }

  /// The offset from the final position: the number of columns by which the page is displaced by a slide, and the
  /// remaining rows of the outer card.
  var shift: (columns: Double, rows: Int) {
    (outermost.presentation.transform.translation.x, outer?.presentedGeometry.remainingRows ?? 0)
  }

  /// The layers of the breadcrumb, which does not move when a page slides.
  var breadcrumbLayers: [Layer] { nested.flatMap { [$0.breadcrumbLayer, $0.oldTitle] } }

  var presentedGeometry: OpeningGeometry { geometry(presentation) }

  /// Returns the opacity of a fragment of the lower page.
  func opacity(of node: NodeID?) -> Double {
    let number = fragmentLayers.firstIndex { $0.part.node == node } ?? 0
    return presentedGeometry.opacity(ofPiece: number, of: fragmentLayers.count)
  }

  /// Lays out the inner card, and hides the parts of this card that the inner card shows.
  func layOutNested(_ geometry: OpeningGeometry) {
    window.isHidden = inner == nil
    guard let inner else { return }
    window.frame = Rect(
      x: 0, y: 0, width: Double(metrics.size.columns), height: Double(geometry.insideRows.upperBound))
    windowSheet.frame = Rect(
      x: 0, y: Double(geometry.remainingRows), width: window.frame.width, height: Double(metrics.bodyEnd))
    for layer in [inside, sharedLayer, choice, passage] { layer.isHidden = true }
    setKeepsHeader(inner.hasTitleInHeader, geometry)
    breadcrumbLayer.isHidden = hasTitleInBreadcrumb
    inner.layOutSublayers(presented: inner.presentation)
  }

  /// Shows the header of the page until the inner card moves the title to the breadcrumb.
  private func setKeepsHeader(_ keeps: Bool, _ geometry: OpeningGeometry) {
    title.isHidden = !keeps
    summary.isHidden = !keeps || geometry.summaryRow >= geometry.ruleRow
    rule.isHidden = !keeps || geometry.ruleRow <= geometry.titleRow
  }

  /// Adjusts the layout of this card to the outer card.
  func layOutInOuter(_ geometry: OpeningGeometry) {
    guard let outer else { return }
    for (layer, node) in siblingLayers { layer.opacity = outer.opacity(of: node) }
    let headerOpacity = max(outer.opacity(of: card.node), geometry.fraction)
    for layer in [title, summary, passage] { layer.opacity = headerOpacity }
    for layer in [rule, box] { layer.opacity *= headerOpacity }
    // If the outer card has arrived, the visibility of its header depends only on this card.
    outer.setKeepsHeader(hasTitleInHeader, outer.presentedGeometry)
    oldTitle.isHidden = oldTitle.isHidden || hasTitleInHeader
    oldHeader.isHidden = hasTitleInHeader
    // The rule is limited to the inside of the outer card's frame.
    let columns = metrics.ruleColumns(in: outer.presentedGeometry.frame)
    oldRule.content = page.lines.rule(
      width: columns.count, fraction: upper.header.fraction, role: Role(upper.kind), light: .faint)
    oldRule.frame.x = Double(columns.lowerBound)
    oldRule.frame.width = Double(columns.count)
    breadcrumbLayer.isHidden = !outer.hasTitleInBreadcrumb
  }

  /// Whether the title of the upper page is still in the header of that page.
  var hasTitleInHeader: Bool { !hasTitleInBreadcrumb }

  /// Whether the title of the upper page has become a breadcrumb.
  var hasTitleInBreadcrumb: Bool { presentedGeometry.isPastHalf }
}
