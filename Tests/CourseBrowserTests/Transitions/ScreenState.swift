import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The visible state of a browser at one time: position and opacity of each layer, and the legible titles.
///
/// The layers are sufficient for most comparisons, so the titles are composed only when they are needed.
@MainActor final class ScreenState {
  /// A layer with content.
  struct VisibleItem {
    var place: Point
    var opacity: Double
    var surface: Surface
  }

  /// A legible title.
  struct Title: Hashable {
    var text: String
    var place: CellPoint
    var isFaint: Bool
    /// Whether the title is in a preview.
    var isInPreview: Bool
  }

  let visibleItems: [RenderNode.ID: VisibleItem]
  private let tree: RenderNode
  private let size: CellSize
  /// The number of nested cards. Each has its own progress, which is rounded to cells separately.
  private let depth: Int
  /// The cells of the previews below lists, at rest or as a part of an opening card.
  private let previews: [CellRect]
  private let selection: Selection

  /// The page and its selection, which determines the preview.
  private struct Selection {
    var page: ObjectIdentifier
    var node: NodeID?
  }

  init(_ browser: Browser, at time: Double) {
    tree = browser.stage.tick(at: time)
    let page: Screen = browser.openPages.tab ?? browser.stack.top
    let card = (page as? TabPage)?.framedPlace?.place.node ?? (page as? ListScreen)?.chosenCard?.node
    selection = Selection(page: ObjectIdentifier(page), node: card)
    let previewIDs = browser.screen.layer.previewIDs
    var previews: [CellRect] = []
    size = browser.size
    depth = max(1, browser.openings.count)
    var items: [RenderNode.ID: VisibleItem] = [:]
    func add(_ node: RenderNode, _ origin: Point, _ opacity: Double) {
      let place = Point(
        x: origin.x + node.frame.x + node.transform.translation.x,
        y: origin.y + node.frame.y + node.transform.translation.y)
      let opacity = opacity * node.opacity
      guard opacity > 0.01 else { return }
      if previewIDs.contains(node.id) { previews.append(Rect(origin: place, size: node.frame.size).cells) }
      // The layers in a dissolve are collected separately: opaque fills among them do not hide the layers below.
      let below = node.dissolve == nil ? [:] : items
      if node.dissolve != nil { items = [:] }
      // Layers covered by an opaque fill are invisible.
      if node.fill != nil, opacity > 0.99 { items = [:] }
      if let surface = node.surface, surface.columns > 0 {
        items[node.id] = VisibleItem(place: place, opacity: opacity, surface: surface)
      }
      for child in node.children { add(child, place, opacity) }
      guard let dissolve = node.dissolve else { return }
      // In each row of a dissolve, either the old or the new content is visible.
      func opacities(of item: VisibleItem) -> (going: Double, coming: Double) {
        dissolve.opacities(ofRow: Int((item.place.y - place.y).rounded()), of: Int(node.frame.height))
      }
      // Layers next to the dissolve are not affected. Both can reach their next row at different times.
      func isBelow(_ item: VisibleItem) -> Bool {
        -1...Int(node.frame.height) ~= Int((item.place.y - place.y).rounded())
          && item.place.x < place.x + node.frame.width
          && item.place.x + Double(item.surface.columns) > place.x
      }
      for (id, item) in items { items[id]?.opacity *= opacities(of: item).going }
      for (id, var item) in below {
        if isBelow(item) { item.opacity *= opacities(of: item).coming }
        items[id] = item
      }
      items = items.filter { $0.value.opacity > 0 }
    }
    add(tree, .zero, 1)
    self.visibleItems = items
    self.previews = previews
  }

  private lazy var surface: Surface = {
    var compositor = Compositor(fading: .ramp(.faint), levels: .four)
    return compositor.compose(tree, size: size).surface
  }()
  private lazy var rows = surface.textRows

  private lazy var titles: [Title] = {
    (0..<min(rows.count, Self.titleRows(in: size))).flatMap { row in
      Self.names.flatMap { name in
        rows[row].byteOffsets(of: name).map { offset in
          let column = String(decoding: rows[row].utf8.prefix(offset), as: UTF8.self).displayWidth
          let place = CellPoint(column: column, row: row)
          return Title(
            text: name, place: place, isFaint: surface[column, row].style.attributes.contains(.faint),
            isInPreview: previews.contains { $0.contains(place) })
        }
      }
    }
  }()

  /// The number of rows in which titles are searched. The last rows contain notices.
  private static func titleRows(in size: CellSize) -> Int { max(1, size.rows - 4) }

  private static let names = [
    "English for Business", "Meetings", "Negotiating", "Writing", "Presenting", "Preparing", "Opening offers",
    "Counter-offers", "Closing the deal", "Three columns on one page", "Where do you stop?", "Read the brief",
    "Who speaks first?", "Anchors and ranges", "Steering", "Across borders", "Find", "History",
  ]

  // MARK: - At one time

  /// Returns a description of a title that differs directly before and after an event, or `nil`.
  ///
  /// - Parameter columns: The distance of the pointer, by which dragged content may move.
  func change(from before: ScreenState, columns: Int, headStart: Double) -> String? {
    guard size == before.size else { return nil }
    // An animation that begins may have advanced by one frame.
    let tolerance = columns + (headStart > 0 ? Self.firstFrame(in: size) : 1)
    // A preview changes at once with the selection.
    let selects = selection.page == before.selection.page && selection.node != before.selection.node
    func missing(_ titles: [Title], in other: ScreenState) -> Title? {
      titles.first { title in
        let end = title.place.column + title.text.displayWidth
        // The breadcrumb changes at once, titles at the edge may be truncated, and faint ones may be gone.
        guard title.place.row > 0, title.place.row < Self.titleRows(in: size) - 1, !title.isFaint,
          title.place.column > tolerance, end < size.columns - tolerance, !(selects && title.isInPreview)
        else {
          return false
        }
        // A place is visible either in the preview or on the opening page. A pointer moves it from one to the other.
        let movesToPage = title.isInPreview && columns > 0
        let isPresent = other.titles.contains {
          $0.text == title.text
            && (movesToPage
              || abs($0.place.column - title.place.column) <= tolerance
                && abs($0.place.row - title.place.row) <= 1 + (columns + 3) / 4 + (headStart > 0 ? 1 : 0))
        }
        return !isPresent && !other.hasLine(at: title.place)
      }
    }
    guard let title = missing(before.titles, in: self) ?? missing(titles, in: before) else { return nil }
    let picture = zip(before.rows, rows).map { "|\($0)|\($1)|" }.joined(separator: "\n")
    return "\(title.text) at \(title.place)\n\(picture)"
  }

  /// Whether a frame's edge covers a title, or is next to it.
  private func hasLine(at place: CellPoint) -> Bool {
    (place.row - 1...place.row + 1).contains { row in
      guard rows.indices.contains(row) else { return false }
      return rows[row].dropFirst(place.column).prefix(3).allSatisfy { "─━".contains($0) }
    }
  }

  /// The largest number of columns that a page or tab slides in its first frame.
  private static func firstFrame(in size: CellSize) -> Int { size.columns / 5 }

  // MARK: - Between frames

  /// Returns the index of the nearest of the four drawn opacity levels.
  private static func level(of opacity: Double) -> Double {
    Double(OpacityLevels.four.levels.firstIndex(of: OpacityLevels.four.nearest(to: opacity)) ?? 0)
  }

  /// Returns a description of a layer that moves or fades too far between two frames, or `nil` if there is no such
  /// layer. The limit is the greatest change between the other frames, plus one cell or one opacity level.
  ///
  /// - Parameter isSideways: Whether only columns are compared, and no rows and opacities.
  static func jump(in frames: [ScreenState], columns: Int, headStart: Double, isSideways: Bool) -> String? {
    for id in frames[2].visibleItems.keys {
      let states = frames.map { $0.visibleItems[id] }
      // A layer that has just appeared, or will disappear, has no velocity to compare with.
      guard states[0] != nil, states[states.count - 1] != nil else { continue }
      let steps = zip(states, states.dropFirst()).map { old, new -> (cells: Double, fade: Double)? in
        guard let old, let new else { return nil }
        return (
          max(abs(new.place.x - old.place.x), isSideways ? 0 : abs(new.place.y - old.place.y)),
          isSideways ? 0 : abs(level(of: new.opacity) - level(of: old.opacity))
        )
      }
      for index in 1..<steps.count - 1 {
        guard let step = steps[index] else { continue }
        // Another text in the same position is another layer.
        if index == 2, states[2]?.surface.size != states[3]?.surface.size { continue }
        let others = (steps[..<index] + steps[(index + 1)...]).compactMap { $0 }
        // Nested cards can each reach their next cell in the same frame.
        let cell = Double(frames[index].depth)
        // The event itself takes no time, except for the distance of the pointer and the first frame of a new
        // animation.
        let allowance = index == 2 ? Double(columns + (headStart > 0 ? firstFrame(in: frames[2].size) : 0)) : 0
        if step.cells > (others.map(\.cells).max() ?? 0) + cell + allowance
          || step.fade > (others.map(\.fade).max() ?? 0) + 1 + 0.3 * allowance
        {
          let places = states.map { $0.map { "\($0.place.x), \($0.place.y) (\($0.opacity))" } ?? "-" }
          let text = states.lazy.compactMap { $0?.surface.textRows.joined(separator: " / ") }.first ?? ""
          return "'\(text.prefix(120))', step \(index): \(places)"
        }
      }
    }
    return nil
  }
}

extension Layer {
  /// The identities of all layers that show a preview.
  @MainActor fileprivate var previewIDs: Set<RenderNode.ID> {
    var ids = sublayers.reduce(into: Set<RenderNode.ID>()) { $0.formUnion($1.previewIDs) }
    var layers = self is PreviewLayer ? [self] : []
    if let opening = self as? OpeningLayer {
      if opening.preview != nil { layers.append(opening.previewWindow) }
      layers += opening.fragmentLayers.filter(\.part.isPreview).map(\.layer)
    }
    ids.formUnion(layers.map { RenderNode.ID(UInt64($0.id)) })
    return ids
  }
}
