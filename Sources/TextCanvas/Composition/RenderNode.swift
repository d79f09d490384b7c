/// A node of the tree that is drawn as a frame: the rendering of a layer with its sublayers. A value type.
///
/// Drawn in this order: the fill, the surface, the children, each over the previous one. Opacity and transform apply to
/// all of them as a group.
public struct RenderNode: Hashable, Sendable {
  /// The identity of a node, the same from frame to frame.
  public struct ID: Hashable, Sendable {
    /// A number that is unique in the tree.
    public let rawValue: UInt64

    /// Creates an identity.
    public init(_ rawValue: UInt64) {
      self.rawValue = rawValue
    }
  }

  /// The identity of the node, by which its movement between two frames is found.
  public var id: ID
  /// The frame in the parent, in cells and fractions of cells.
  public var frame: Rect
  /// The opacity, 0…1. The compositor uses the nearest of its levels.
  public var opacity: Double
  /// The translation, scale and flip.
  public var transform: Transform
  /// The rectangle in which the surface and children are visible, in the node's own coordinates, or `nil` for no
  /// clipping. The transform also applies to it.
  public var clip: Rect?
  /// How far the node has dissolved into the content below its frame, or `nil` if it does not dissolve. A dissolving
  /// node hides its whole frame at first. Its opacity counts as additional progress.
  public var dissolve: Dissolve?
  /// The background colour of the whole frame. Edges inside cells are drawn in eighths of a cell.
  public var fill: Colour?
  /// The text on the node, from its top left corner. Its size does not depend on the frame.
  public var surface: Surface?
  /// The child nodes from back to front.
  public var children: [RenderNode]

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - id: The identity of the node.
  ///   - frame: The frame in the parent.
  ///   - opacity: The opacity, 0…1.
  ///   - transform: The translation, scale and flip.
  ///   - clip: The rectangle in which the surface and children are visible, or `nil` for no clipping.
  ///   - fill: The background colour of the whole frame.
  ///   - surface: The text on the node.
  ///   - children: The child nodes from back to front.
  public init(
    id: ID, frame: Rect, opacity: Double = 1, transform: Transform = .identity, clip: Rect? = nil, fill: Colour? = nil,
    surface: Surface? = nil, children: [RenderNode] = []
  ) {
    self.id = id
    self.frame = frame
    self.opacity = opacity
    self.transform = transform
    self.clip = clip
    self.fill = fill
    self.surface = surface
    self.children = children
  }
}

extension RenderNode {
  /// Returns a node that looks the same and has a bounded number of children, regardless of the size of the tree.
  ///
  /// Opaque cells become one surface. Partially transparent cells become one more surface for each eighth of opacity,
  /// so that each cell keeps its opacity and blends with the content below the node. Cells keep the positions that they
  /// have while the node's corner is on a whole cell. The children have the identity of the node, so new identities
  /// must be assigned before the tree is drawn.
  ///
  /// Complexity: O(nodes × cells of the area that the tree covers).
  package func flattened() -> RenderNode {
    let visible = CellRect(frame.cells.size)
    // Content outside of the frame is kept as far as a transition could still make it visible.
    let reach = CellRect(
      column: -max(visible.columns, 200), row: -max(visible.rows, 100),
      columns: visible.columns + 2 * max(visible.columns, 200),
      rows: visible.rows + 2 * max(visible.rows, 100))
    let local = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    let area = contentExtent(in: local).intersection(reach)
    var flattener = Flattener(size: area.size)
    flattener.drawContents(
      of: self, in: local.offset(x: -Double(area.column), y: -Double(area.row)), eighths: 8,
      clip: CellRect(area.size))
    var flat = self
    (flat.fill, flat.surface, flat.clip) = (nil, nil, nil)
    flat.children = flattener.surfaces.map { surface, eighths in
      RenderNode(id: id, frame: Rect(area), opacity: Double(eighths) / 8, surface: surface)
    }
    return flat
  }

  /// Whether the node has only surfaces as children, at most as many as after flattening.
  package var isFlat: Bool {
    children.count <= Flattener.maximumSurfaces
      && children.allSatisfy {
        $0.children.isEmpty && $0.fill == nil && $0.dissolve == nil && $0.transform == .identity
      }
  }

  /// Returns the cells in which the fill, the surface and the children of the node can be visible.
  ///
  /// - Parameter frame: The node's frame in the coordinates of the result.
  private func contentExtent(in frame: Rect) -> CellRect {
    var extent = fill == nil ? CellRect.zero : frame.cells
    if let surface {
      extent = extent.union(
        CellRect(surface.size).offset(columns: nearestCell(frame.x), rows: nearestCell(frame.y)))
    }
    for child in children where child.opacity > 0 { extent = extent.union(child.extent(from: frame.origin)) }
    guard let clip else { return extent }
    let inner = extent.intersection(clip.offset(x: frame.x, y: frame.y).cells)
    return fill == nil ? inner : inner.union(frame.cells)
  }

  private func extent(from origin: Point) -> CellRect {
    let frame = frame.offset(x: origin.x + transform.translation.x, y: origin.y + transform.translation.y)
    if dissolve != nil { return frame.cells }
    guard !transform.isTranslation else { return contentExtent(in: frame) }
    let (columns, rows) = (frame.width * transform.scaleX, frame.height * transform.scaleY)
    return Rect(x: frame.midX - columns / 2, y: frame.midY - rows / 2, width: columns, height: rows).cells
  }
}

/// Draws a tree as ``Compositor`` does, but without a background: partially transparent cells are not mixed.
private struct Flattener {
  /// One surface of opaque cells, and one for each partial opacity.
  static let maximumSurfaces = 8

  private let size: CellSize
  private var opaque: Surface
  /// Partially transparent cells by their opacity in eighths. A cell is in at most one of these surfaces.
  private var partial: [Int: Surface] = [:]

  init(size: CellSize) {
    self.size = size
    opaque = Surface(size)
  }

  /// The surfaces that are not empty, the opaque one first, with their opacities in eighths.
  var surfaces: [(surface: Surface, eighths: Int)] {
    let all = [(opaque, 8)] + partial.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }
    return all.filter { surface, _ in surface.cells.contains { !$0.isClear } }
  }

  // MARK: - Nodes

  private mutating func draw(_ node: RenderNode, at origin: Point, clip: CellRect) {
    if node.dissolve != nil { return drawDissolving(node, at: origin, clip: clip) }
    let eighths = Self.eighths(of: node.opacity)
    guard eighths > 0, !clip.isEmpty else { return }
    let frame = node.frame.offset(
      x: origin.x + node.transform.translation.x, y: origin.y + node.transform.translation.y)
    let isGroup = !node.children.isEmpty || node.fill != nil && node.surface != nil
    if !node.transform.isTranslation {
      drawTransformed(node, in: frame, eighths: eighths, clip: clip)
    } else if eighths == 8 || !isGroup {
      drawContents(of: node, in: frame, eighths: eighths, clip: clip)
    } else {
      var group = Flattener(size: size)
      group.drawContents(of: node, in: frame, eighths: 8, clip: clip)
      composite(group, eighths: eighths, clip: clip)
    }
  }

  mutating func drawContents(of node: RenderNode, in frame: Rect, eighths: Int, clip: CellRect) {
    if let fill = node.fill, fill != .clear {
      let area = frame.cells.intersection(clip)
      composite(Surface(area.size, filledWith: Cell(background: fill)), at: area.origin, eighths: eighths, clip: clip)
    }
    let inner = node.clip.map { $0.offset(x: frame.x, y: frame.y).cells.intersection(clip) } ?? clip
    guard !inner.isEmpty else { return }
    if let surface = node.surface {
      let corner = CellPoint(column: nearestCell(frame.x), row: nearestCell(frame.y))
      composite(surface, at: corner, eighths: eighths, clip: inner)
    }
    for child in node.children { draw(child, at: frame.origin, clip: inner) }
  }

  private mutating func drawTransformed(_ node: RenderNode, in frame: Rect, eighths: Int, clip: CellRect) {
    let cells = frame.cells
    guard !cells.isEmpty, cells.columns <= 4 * size.columns, cells.rows <= 4 * size.rows else { return }
    var flat = Flattener(size: cells.size)
    let local = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    flat.drawContents(of: node, in: local, eighths: 8, clip: CellRect(cells.size))
    func projected(_ surface: Surface) -> Surface {
      var result = Surface(size)
      result.project(surface, from: Rect(cells), through: node.transform, clippedTo: clip)
      return result
    }
    var group = Flattener(size: size)
    group.opaque = projected(flat.opaque)
    group.partial = flat.partial.mapValues(projected)
    composite(group, eighths: eighths, clip: clip)
  }

  private mutating func drawDissolving(_ node: RenderNode, at origin: Point, clip: CellRect) {
    let frame = node.frame.offset(
      x: origin.x + node.transform.translation.x, y: origin.y + node.transform.translation.y
    ).cells
    let area = frame.intersection(clip).intersection(CellRect(size))
    guard !area.isEmpty, var dissolve = node.dissolve else { return }
    dissolve.fraction = 1 - (1 - dissolve.fraction) * node.opacity
    var plain = node
    (plain.dissolve, plain.opacity) = (nil, 1)
    var outgoing = Flattener(size: size)
    outgoing.opaque.fill(area, with: .blank)
    outgoing.draw(plain, at: origin, clip: area)
    let incoming = self
    for row in area.row..<area.endRow {
      let opacities = dissolve.opacities(ofRow: row - frame.row, of: frame.rows)
      let isGone = opacities.going == 0
      let eighths = max(1, Self.eighths(of: max(opacities.going, opacities.coming)))
      if isGone, eighths == 8 { continue }
      let line = CellRect(column: area.column, row: row, columns: area.columns, rows: 1)
      opaque.fill(line, with: .blank)
      for key in partial.keys { partial[key]?.fill(line, with: .clear) }
      let (visible, other) = isGone ? (incoming, outgoing) : (outgoing, incoming)
      composite(visible, eighths: eighths, clip: line)
      guard eighths < 8 else { continue }
      opaque.restoreSharedText(of: visible.opaque, sharedWith: other.opaque, in: area, row: row)
      for key in partial.keys { partial[key]?.clearCells(withInkIn: opaque, clippedTo: line) }
    }
  }

  // MARK: - Surfaces

  private mutating func composite(_ surface: Surface, at point: CellPoint, eighths: Int, clip: CellRect) {
    for key in partial.keys where key != eighths {
      partial[key]?.clearCells(under: surface, at: point, clippedTo: clip)
    }
    if eighths == 8 {
      opaque.overlay(surface, at: point, clippedTo: clip)
    } else {
      partial[eighths, default: Surface(size)].overlay(surface, at: point, clippedTo: clip)
    }
  }

  /// Draws all surfaces of a group over this one, with a common opacity.
  private mutating func composite(_ group: Flattener, eighths: Int, clip: CellRect) {
    composite(group.opaque, at: .zero, eighths: eighths, clip: clip)
    for (opacity, surface) in group.partial.sorted(by: { $0.key < $1.key }) {
      var surface = surface
      // A cell has only one opacity from here on, so it also gets the background that is below it in the group.
      if eighths < 8 { surface.copyBackgrounds(of: group.opaque) }
      composite(surface, at: .zero, eighths: max(1, (opacity * eighths + 4) / 8), clip: clip)
    }
  }

  private static func eighths(of opacity: Double) -> Int {
    opacity == opacity ? nearestCell(max(0, min(1, opacity)) * 8) : 8
  }
}

extension Surface {
  /// Clears the cells that another surface covers.
  fileprivate mutating func clearCells(under source: Surface, at point: CellPoint, clippedTo clip: CellRect) {
    isOpaque = false
    transfer(source, at: point, clippedTo: clip) { below, above, count in
      for offset in 0..<count where !above[offset].isClear { below[offset] = .clear }
    }
  }

  /// Clears the cells that are visible in another surface of the same size.
  fileprivate mutating func clearCells(withInkIn source: Surface, clippedTo clip: CellRect) {
    isOpaque = false
    transfer(source, at: .zero, clippedTo: clip) { below, above, count in
      for offset in 0..<count where above[offset].isVisible { below[offset] = .clear }
    }
  }

  /// Gives cells without a background the background of another surface of the same size.
  fileprivate mutating func copyBackgrounds(of source: Surface) {
    transfer(source, at: .zero, clippedTo: nil) { below, above, count in
      for offset in 0..<count where !below[offset].isClear && below[offset].background == .clear {
        below[offset].background = above[offset].background
      }
    }
  }
}
