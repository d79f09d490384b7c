import CoursePages
import LearningModel
import TextCanvas

/// What all that is known of a place opens from: its card, or the header of its page.
struct InfoSource {
  /// Where that stands.
  var frame: CellRect
  /// The rows that it has of the place, the title first; `nil` for a title alone.
  var rows: Surface?
  /// What else stands in its first row: the trail, where the header stands right below that.
  var above: Surface?
  /// How much of the place is done, 0…1.
  var fraction = 0.0
  /// Whether it has a frame.
  var isFramed = true
}

extension PageScreen {
  /// What is seen of a place on the page: its card, or the header.
  func source(of place: Place) -> InfoSource {
    let picture = picture
    let part = place.node.flatMap { node in picture.body.first { $0.node == node } }
    if let node = place.node, let card = picture.cards[node], let part {
      return InfoSource(frame: picture.frames[node] ?? part.rect, rows: part.surface, fraction: card.fraction)
    }
    let frame = CellRect(
      column: metrics.frameLeft, row: max(0, titleRow - 1), columns: metrics.frameWidth, rows: ruleRow - titleRow + 2)
    let coversTrail = frame.row == metrics.trailRow
    return InfoSource(
      frame: frame, rows: headerSurface, above: coversTrail ? drawing.trail(page.trail) : nil,
      fraction: header.fraction, isFramed: false)
  }

  /// The title with what stands beside it, and the summary where it is seen.
  private var headerSurface: Surface {
    var surface = Surface(columns: metrics.textWidth, rows: ruleRow - titleRow)
    surface.copy(drawing.title(header, kind: page.kind))
    if surface.rows > 1 { surface.copy(drawing.summary(header), at: CellPoint(column: 0, row: 1)) }
    return surface
  }
}
