/// A rectangle in pixels.
struct SvgRect: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// Rectangles and curves, gathered by what they are drawn with, in the order in which each ink was first used.
struct SvgShapes {
  private(set) var inks: [SvgInk] = []
  private(set) var fills: [SvgInk: [SvgRect]] = [:]
  private(set) var strokes: [SvgInk: [String]] = [:]
  /// The last rectangle of each ink in each row or column of pixels.
  private var latest: [Stretch: Int] = [:]

  private struct Stretch: Hashable {
    let ink: SvgInk
    let isRow: Bool
    let start: Double
    let size: Double
  }

  /// Adds a rectangle; one that continues an earlier one of its ink, to the right or below, makes that longer, so that
  /// a line is one shape without seams.
  mutating func add(_ rect: SvgRect, ink: SvgInk) {
    let ink = key(ink)
    let row = Stretch(ink: ink, isRow: true, start: rect.y, size: rect.height)
    if let index = latest[row], let before = fills[ink]?[index], before.y == rect.y, before.height == rect.height,
      before.x + before.width >= rect.x, before.x <= rect.x
    {
      fills[ink]?[index].width = max(before.width, rect.x + rect.width - before.x)
      return
    }
    let column = Stretch(ink: ink, isRow: false, start: rect.x, size: rect.width)
    if let index = latest[column], let above = fills[ink]?[index], above.x == rect.x, above.width == rect.width,
      above.y + above.height >= rect.y, above.y <= rect.y
    {
      fills[ink]?[index].height = max(above.height, rect.y + rect.height - above.y)
      return
    }
    latest[row] = fills[ink]?.count ?? 0
    latest[column] = fills[ink]?.count ?? 0
    fills[ink, default: []].append(rect)
  }

  /// Adds a curve in the words of a path, drawn one pixel wide.
  mutating func addStroke(_ path: String, ink: SvgInk) {
    strokes[key(ink), default: []].append(path)
  }

  /// What is behind a shape is drawn apart, so inks that differ only in it are one.
  private mutating func key(_ ink: SvgInk) -> SvgInk {
    var key = ink
    key.background = ink.colour
    if fills[key] == nil && strokes[key] == nil { inks.append(key) }
    return key
  }
}
