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

  /// Adds a rectangle; one that continues the last one of its ink to the right makes it longer.
  mutating func add(_ rect: SvgRect, ink: SvgInk) {
    let ink = key(ink)
    if let last = fills[ink]?.indices.last, let before = fills[ink]?[last], before.y == rect.y,
      before.height == rect.height, before.x + before.width >= rect.x, before.x <= rect.x
    {
      fills[ink]?[last].width = max(before.width, rect.x + rect.width - before.x)
      return
    }
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
