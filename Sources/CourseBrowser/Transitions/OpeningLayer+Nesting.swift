import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A card that opens, or goes back, on a page that itself still moves. Both continue: the inner one is seen in the
/// outer one's frame, as far down as the page is, and as bright as what it takes the place of.
extension OpeningLayer {
  /// The one that all of them lie in.
  var outermost: OpeningLayer { outer?.outermost ?? self }

  /// Itself and all that lie in it, from the outermost.
  var nested: [OpeningLayer] { [self] + (inner?.nested ?? []) }

  /// Shows another card's way in place of the page that opens here.
  func nest(_ inner: OpeningLayer) {
    self.inner = inner
    inner.outer = self
    window.clipsToBounds = true
    windowSheet.add(inner)
    window.add(windowSheet)
  }

  /// How far it is from its place: columns that its page slides, and rows that the layer it lies in still has to go.
  var shift: (columns: Double, rows: Int) {
    (outermost.presentation.transform.translation.x, outer?.presentedGeometry.rowsToGo ?? 0)
  }

  /// What is said of the place, which stays while everything else slides.
  var trails: [Layer] { nested.flatMap { [$0.trail, $0.oldTitle] } }

  /// Where everything stands now.
  var presentedGeometry: OpeningGeometry { geometry(presentation) }

  /// How much of a piece of the page below is seen.
  func opacity(of node: NodeID?) -> Double {
    let number = pieces.firstIndex { $0.part.node == node } ?? 0
    return presentedGeometry.opacity(ofPiece: number)
  }

  /// Places the inner card's way, and leaves out what it shows of the same page.
  func layOutNested(_ geometry: OpeningGeometry) {
    window.isHidden = inner == nil
    guard let inner else { return }
    window.frame = Rect(
      x: 0, y: 0, width: Double(metrics.size.columns), height: Double(geometry.insideRows.upperBound))
    windowSheet.frame = Rect(
      x: 0, y: Double(geometry.rowsToGo), width: window.frame.width, height: Double(metrics.bodyEnd))
    for part in [inside, shared, choice, passage] { part.isHidden = true }
    keepHeader(inner.hasTitleInHeader, geometry)
    trail.isHidden = hasTitleInTrail
    inner.layOutSublayers(presented: inner.presentation)
  }

  /// The header stays the card's until the inner card takes it up to the trail.
  private func keepHeader(_ keeps: Bool, _ geometry: OpeningGeometry) {
    title.isHidden = !keeps
    summary.isHidden = !keeps || geometry.summaryRow >= geometry.ruleRow
    rule.isHidden = !keeps || geometry.ruleRow <= geometry.titleRow
  }

  /// Fits a card's way to the one that it lies in.
  func layOutInOuter(_ geometry: OpeningGeometry) {
    guard let outer else { return }
    for (layer, node) in siblings {
      layer.opacity = outer.opacity(of: node) * (layer === preview ? geometry.previewOpacity : 1)
    }
    let own = max(outer.opacity(of: card.node), geometry.fraction)
    for layer in [title, summary, passage] { layer.opacity = own }
    for layer in [rule, box] { layer.opacity *= own }
    // The outer one may have arrived, and then this one alone says whose the header is.
    outer.keepHeader(hasTitleInHeader, outer.presentedGeometry)
    oldTitle.isHidden = oldTitle.isHidden || hasTitleInHeader
    oldHeader.isHidden = hasTitleInHeader
    // The rule stays between the sides of the frame that it is in.
    let line = metrics.ruleColumns(in: outer.presentedGeometry.frame)
    oldRule.content = page.lines.rule(
      width: line.count, fraction: upper.header.fraction, role: Role(upper.kind), light: .faint)
    oldRule.frame.x = Double(line.lowerBound)
    oldRule.frame.width = Double(line.count)
    trail.isHidden = !outer.hasTitleInTrail
  }

  /// Whether the title of the page above still stands in its header.
  var hasTitleInHeader: Bool {
    let place = titlePlace(presentedGeometry)
    return nearestCell(place.x) == metrics.textLeft && nearestCell(place.y) == upper.titleRow
  }

  /// Whether the title of the page above has become a crumb.
  var hasTitleInTrail: Bool { titlePlace(presentedGeometry).y + Double(shift.rows) <= 0 }
}
