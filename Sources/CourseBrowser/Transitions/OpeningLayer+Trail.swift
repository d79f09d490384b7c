import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The title of the page above as it moves to the trail, and what the trail says meanwhile.
extension OpeningLayer {
  /// Where the title of the page above stands while it moves to the trail, which stays where it is on the stage.
  func titlePlace(_ geometry: OpeningGeometry) -> Point {
    let start = Point(x: Double(metrics.textLeft), y: Double(upper.titleRow))
    let crumb = upper.kind == .root ? 0 : upper.trail.crumbs.count
    let end = Double(metrics.textLeft + page.crumbColumn(crumb, in: lower.trail))
    let shift = shift
    let column = start.x + (end - start.x - shift.columns) * geometry.oldTitleColumns
    // Not before it stands below its place in the trail does it become a crumb.
    let least = abs(column + shift.columns - end) < 0.5 ? 0 : min(1, upper.titleRow)
    let row = max(least, nearestCell((start.y + Double(shift.rows)) * (1 - geometry.oldTitle)))
    return Point(x: column, y: Double(row - shift.rows))
  }

  func layOutTrail(_ geometry: OpeningGeometry) {
    let place = titlePlace(geometry)
    let shift = shift
    let hasArrived = place.y + Double(shift.rows) <= 0
    var words = upper.trail
    if geometry.isPastMiddle { words.position = lower.trail.position }
    if upper.crumb == nil ? geometry.isPastMiddle : hasArrived { words = lower.trail }
    move(trail, page.trail(words), row: -shift.rows)
    trail.frame.x -= shift.columns
    // What is still seen of another page's trail goes before this one changes.
    for kept in trail.sublayers { kept.isHidden = words != (isClosing ? lower.trail : upper.trail) }

    oldTitle.isHidden = hasArrived || upper.crumb == nil
    oldTitle.content = oldTitleSurface(isCrumb: geometry.isPastMiddle)
    oldTitle.frame = Rect(
      x: place.x, y: place.y, width: Double(oldTitle.content?.columns ?? 0), height: 1)
  }

  func oldTitleSurface(isCrumb: Bool) -> Surface {
    let style = isCrumb ? page.theme[.quiet] : page.theme.bold(Role(upper.kind))
    let text = (upper.crumb ?? "").truncated(to: metrics.textWidth, ellipsis: page.lines.symbols.ellipsis)
    return page.lines.row(StyledText(text, style: style), width: max(1, text.displayWidth))
  }
}
