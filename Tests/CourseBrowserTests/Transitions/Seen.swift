import ScreenKit
import TestSupport
import TextCanvas

@testable import CourseBrowser

/// What is seen of a browser at one moment: where each layer stands and how bright it is, and where titles can be read.
///
/// The layers are enough for most comparisons, so that what can be read is composed only where it is asked for.
@MainActor final class Seen {
  /// A layer with something on it.
  struct Spot {
    var place: Point
    var opacity: Double
    var surface: Surface
  }

  /// A title that can be read.
  struct Title: Hashable {
    var text: String
    var place: CellPoint
    var isFaint: Bool
  }

  let spots: [RenderNode.ID: Spot]
  private let tree: RenderNode
  private let size: CellSize
  /// How many cards lie one inside the other, each on a way of its own that is rounded to cells for itself.
  private let depth: Int

  init(_ browser: Browser, at time: Double) {
    tree = browser.stage.tick(at: time)
    size = browser.size
    depth = max(1, browser.openings.count)
    var spots: [RenderNode.ID: Spot] = [:]
    func add(_ node: RenderNode, _ origin: Point, _ opacity: Double) {
      let place = Point(
        x: origin.x + node.frame.x + node.transform.translation.x,
        y: origin.y + node.frame.y + node.transform.translation.y)
      let opacity = opacity * node.opacity
      guard opacity > 0.01 else { return }
      // What gives way is drawn for itself: neither what covers nor what gives way inside it reaches what lies below.
      let below = node.dissolve == nil ? [:] : spots
      if node.dissolve != nil { spots = [:] }
      // What something covers is not seen.
      if node.fill != nil, opacity > 0.99 { spots = [:] }
      if let surface = node.surface, surface.columns > 0 {
        spots[node.id] = Spot(place: place, opacity: opacity, surface: surface)
      }
      for child in node.children { add(child, place, opacity) }
      guard let dissolve = node.dissolve else { return }
      // Of what gives way and what comes one is seen in each row.
      func opacities(of spot: Spot) -> (going: Double, coming: Double) {
        dissolve.opacities(ofRow: Int((spot.place.y - place.y).rounded()), of: Int(node.frame.height))
      }
      // What stands beside it has nothing to do with it; both may come to their next row one after the other.
      func isBelow(_ spot: Spot) -> Bool {
        -1...Int(node.frame.height) ~= Int((spot.place.y - place.y).rounded())
          && spot.place.x < place.x + node.frame.width
          && spot.place.x + Double(spot.surface.columns) > place.x
      }
      for (id, spot) in spots { spots[id]?.opacity *= opacities(of: spot).going }
      for (id, var spot) in below {
        if isBelow(spot) { spot.opacity *= opacities(of: spot).coming }
        spots[id] = spot
      }
      spots = spots.filter { $0.value.opacity > 0 }
    }
    add(tree, .zero, 1)
    self.spots = spots
  }

  private lazy var surface: Surface = {
    var compositor = Compositor(fading: .ramp(.faint), levels: .four)
    return compositor.compose(tree, size: size).surface
  }()
  private lazy var rows = surface.textRows

  private lazy var titles: [Title] = {
    let preview = rows.firstIndex(where: Self.beginsPreview) ?? rows.count
    return (0..<min(preview, Self.titleRows(in: size))).flatMap { row in
      Self.names.flatMap { name in
        rows[row].byteOffsets(of: name).map { offset in
          let column = String(decoding: rows[row].utf8.prefix(offset), as: UTF8.self).displayWidth
          return Title(
            text: name, place: CellPoint(column: column, row: row),
            isFaint: surface[column, row].style.attributes.contains(.faint))
        }
      }
    }
  }()

  /// Whether what stands below a list begins in a row, which may be cut off by the edge: that belongs to the choice, and
  /// changes with it.
  private nonisolated static func beginsPreview(_ row: String) -> Bool {
    if !row.byteOffsets(of: " a click on a").isEmpty { return true }
    let bytes = Array(row.withoutTrailingBlanks.utf8)
    return previewBeginnings.contains { bytes.suffix($0.count).elementsEqual($0) }
  }

  private nonisolated static let previewBeginnings = (4...12).map { Array("a click on a row".prefix($0).trimmed.utf8) }

  /// The rows in which titles are read: not the last ones, where notices are said.
  private static func titleRows(in size: CellSize) -> Int { max(1, size.rows - 4) }

  private static let names = [
    "English for Business", "Meetings", "Negotiating", "Writing", "Presenting", "Preparing", "Opening offers",
    "Counter-offers", "Closing the deal", "Three columns on one page", "Where do you stop?", "Read the brief",
    "Who speaks first?", "Anchors and ranges", "Steering", "Across borders", "Find", "History",
  ]

  // MARK: - In one moment

  /// What an event has changed in its own moment that nothing but time may change: a title that was read is elsewhere or
  /// gone, or one is read that was not. `nil` where nothing is.
  ///
  /// - Parameter columns: How far the hand has moved, which what it holds may do too.
  func change(from before: Seen, columns: Int, headStart: Double) -> String? {
    guard size == before.size else { return nil }
    // What begins from rest may have moved for one frame: by the time of that frame, as fast as a page slides.
    let reach = columns + (headStart > 0 ? Self.firstFrame(in: size) : 1)
    func missing(_ titles: [Title], in other: Seen) -> Title? {
      titles.first { title in
        let end = title.place.column + title.text.displayWidth
        // What is said of the place changes at once; at the edge a title may be cut off, and what is faint may be gone.
        guard title.place.row > 0, title.place.row < Self.titleRows(in: size) - 1, !title.isFaint,
          title.place.column > reach, end < size.columns - reach
        else {
          return false
        }
        let isThere = other.titles.contains {
          $0.text == title.text && abs($0.place.column - title.place.column) <= reach
            && abs($0.place.row - title.place.row) <= 1 + (columns + 3) / 4 + (headStart > 0 ? 1 : 0)
        }
        return !isThere && !other.hasLine(at: title.place)
      }
    }
    guard let title = missing(before.titles, in: self) ?? missing(titles, in: before) else { return nil }
    let picture = zip(before.rows, rows).map { "|\($0)|\($1)|" }.joined(separator: "\n")
    return "\(title.text) at \(title.place)\n\(picture)"
  }

  /// Whether a frame's edge lies where a title was, or right beside it: what passes under it is not read.
  private func hasLine(at place: CellPoint) -> Bool {
    (place.row - 1...place.row + 1).contains { row in
      guard rows.indices.contains(row) else { return false }
      return rows[row].dropFirst(place.column).prefix(3).allSatisfy { "─━".contains($0) }
    }
  }

  /// Columns that a page slides in its first frame at most, as tabs do.
  private static func firstFrame(in size: CellSize) -> Int { size.columns / 5 }

  // MARK: - From moment to moment

  /// Which of the four opacities that are drawn is nearest, from 0.
  private static func level(of opacity: Double) -> Double {
    Double(OpacityLevels.four.levels.firstIndex(of: OpacityLevels.four.nearest(to: opacity)) ?? 0)
  }

  /// What goes further from one frame to the next than it goes before or after that, and one cell; or fades by more than
  /// it does before or after that, and one step. `nil` where nothing does.
  ///
  /// - Parameter isSideways: Whether only columns count, and nothing that fades.
  static func leap(in frames: [Seen], columns: Int, headStart: Double, isSideways: Bool) -> String? {
    for id in frames[2].spots.keys {
      let way = frames.map { $0.spots[id] }
      // One that has just come, or is about to go, has no speed to compare with.
      guard way[0] != nil, way[way.count - 1] != nil else { continue }
      let steps = zip(way, way.dropFirst()).map { old, new -> (cells: Double, fade: Double)? in
        guard let old, let new else { return nil }
        return (
          max(abs(new.place.x - old.place.x), isSideways ? 0 : abs(new.place.y - old.place.y)),
          isSideways ? 0 : abs(level(of: new.opacity) - level(of: old.opacity))
        )
      }
      for index in 1..<steps.count - 1 {
        guard let step = steps[index] else { continue }
        // Other words that an event says in one place are not the same thing elsewhere.
        if index == 2, way[2]?.surface.size != way[3]?.surface.size { continue }
        let others = (steps[..<index] + steps[(index + 1)...]).compactMap { $0 }
        // Each of the cards that lie one inside the other may come to its next cell in the same frame.
        let cell = Double(frames[index].depth)
        // The event itself takes no time; the hand moves in it, and what begins has its head start.
        let own = index == 2 ? Double(columns + (headStart > 0 ? firstFrame(in: frames[2].size) : 0)) : 0
        if step.cells > (others.map(\.cells).max() ?? 0) + cell + own
          || step.fade > (others.map(\.fade).max() ?? 0) + 1 + 0.3 * own
        {
          let places = way.map { $0.map { "\($0.place.x), \($0.place.y) (\($0.opacity))" } ?? "-" }
          let words = way.lazy.compactMap { $0?.surface.textRows.joined(separator: " / ") }.first ?? ""
          return "'\(words.prefix(120))', step \(index): \(places)"
        }
      }
    }
    return nil
  }
}
