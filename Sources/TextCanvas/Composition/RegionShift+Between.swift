extension RegionShift {
  /// Returns what moved from one tree of render nodes to the next without changing, the largest region first.
  ///
  /// A node counts as moved when both trees have it, it draws the same, equally strong, and stands elsewhere by whole
  /// cells. Nodes that moved alike and whose regions touch are one shift.
  static func between(_ before: RenderNode, _ after: RenderNode, in size: CellSize) -> [RegionShift] {
    var old: [RenderNode.ID: Placed] = [:]
    Placed.visit(before, at: .zero, opacity: 1, clip: CellRect(size)) { node, placed in
      old[node.id] = placed
    }
    var shifts: [RegionShift] = []
    Placed.visit(after, at: .zero, opacity: 1, clip: CellRect(size)) { node, placed in
      guard let earlier = old.removeValue(forKey: node.id) else { return }
      let columns = placed.bounds.column - earlier.bounds.column
      let rows = placed.bounds.row - earlier.bounds.row
      guard columns != 0 || rows != 0, placed.opacity == earlier.opacity, placed.drawsLike(earlier) else { return }
      let region = placed.visible.union(earlier.visible)
      guard !region.isEmpty, abs(columns) < region.columns || columns == 0, abs(rows) < region.rows || rows == 0
      else { return }
      merge(RegionShift(rect: region, columns: columns, rows: rows), into: &shifts)
    }
    return shifts.sorted { $0.area > $1.area }
  }

  private var area: Int { rect.columns * rect.rows }

  /// Adds a shift, joined to those that move alike and touch it.
  private static func merge(_ shift: RegionShift, into shifts: inout [RegionShift]) {
    var shift = shift
    while let index = shifts.firstIndex(where: { $0.joins(shift) }) {
      shift.rect = shift.rect.union(shifts.remove(at: index).rect)
    }
    shifts.append(shift)
  }

  private func joins(_ other: RegionShift) -> Bool {
    columns == other.columns && rows == other.rows
      && !rect.inset(columns: -1, rows: -1).intersection(other.rect).isEmpty
  }
}

/// Where a node of a tree is drawn, and what of it.
private struct Placed {
  let bounds: CellRect
  let visible: CellRect
  let opacity: Double
  let fill: Colour?
  let surface: Surface?

  func drawsLike(_ other: Placed) -> Bool {
    fill == other.fill && bounds.size == other.bounds.size && surface == other.surface
  }

  /// Goes through all nodes that draw something and only move, the parents first.
  static func visit(
    _ node: RenderNode, at origin: Point, opacity: Double, clip: CellRect, _ body: (RenderNode, Placed) -> Void
  ) {
    guard node.opacity > 0, node.transform.isTranslation, !clip.isEmpty else { return }
    let frame = node.frame.offset(
      x: origin.x + node.transform.translation.x, y: origin.y + node.transform.translation.y)
    let inner = node.clip.map { $0.offset(x: frame.x, y: frame.y).cells.intersection(clip) } ?? clip
    let strength = opacity * node.opacity
    if node.fill != nil || node.surface != nil {
      let corner = frame.cells.origin
      let written = CellRect(node.surface?.size ?? .zero).offset(columns: corner.column, rows: corner.row)
      let bounds = node.fill == nil ? written : frame.cells
      let visible = (node.fill == nil ? CellRect.zero : frame.cells.intersection(clip)).union(
        written.intersection(inner))
      body(
        node,
        Placed(bounds: bounds, visible: visible, opacity: strength, fill: node.fill, surface: node.surface))
    }
    for child in node.children { visit(child, at: frame.origin, opacity: strength, clip: inner, body) }
  }
}
