/// What the terminal should show next, and what is known about how it came to be.
public struct Frame: Hashable, Sendable {
  /// Every cell of the screen; nothing in it is clear.
  public var surface: Surface
  /// Regions that moved since the frame before, the largest first. Hints: a picture never depends on one being right.
  public var shifts: [RegionShift]

  /// Makes a frame.
  public init(surface: Surface, shifts: [RegionShift] = []) {
    self.surface = surface
    self.shifts = shifts
  }
}

/// A region whose content moved within it.
///
/// What stood at (c, r) of the region stands now at (c + columns, r + rows), where that lies in the region too; what
/// left it is gone, and what came in is new.
public struct RegionShift: Hashable, Sendable {
  /// The cells within which something moved: where it was and where it is.
  public var rect: CellRect
  /// Columns to the right; negative to the left.
  public var columns: Int
  /// Rows down; negative up.
  public var rows: Int

  /// Makes a shift.
  public init(rect: CellRect, columns: Int = 0, rows: Int = 0) {
    self.rect = rect
    self.columns = columns
    self.rows = rows
  }
}

/// Finds what moved from one tree of render nodes to the next without changing.
///
/// A node counts as moved when both trees have it, it draws the same, equally strong, and stands elsewhere by whole
/// cells. A surface that stayed where it was may have scrolled in itself: most of its rows are the old ones, further
/// up or down. Nodes that moved alike and whose regions touch are one shift.
struct ShiftFinder: Sendable {
  private var latest: [RenderNode.ID: Placed] = [:]
  private var earlier: [RenderNode.ID: Placed] = [:]
  private var latestSize = CellSize.zero

  /// Notes a tree, and puts what moved since the one before into an array, the largest region first.
  mutating func find(_ root: RenderNode, in size: CellSize, levels: OpacityLevels, into shifts: inout [RegionShift]) {
    shifts.removeAll(keepingCapacity: true)
    if size != latestSize { forget() }
    latestSize = size
    swap(&latest, &earlier)
    latest.removeAll(keepingCapacity: true)
    Placed.visit(root, at: .zero, opacity: 1, clip: CellRect(size), levels) { id, placed in
      latest[id] = placed
      if let before = earlier[id], let shift = placed.shift(since: before) { RegionShift.merge(shift, into: &shifts) }
    }
    earlier.removeAll(keepingCapacity: true)
    if shifts.count > 1 { shifts.sort { $0.area > $1.area } }
  }

  /// Forgets the tree before.
  mutating func forget() {
    latest.removeAll(keepingCapacity: true)
  }
}

extension RegionShift {
  fileprivate var area: Int { rect.columns * rect.rows }

  /// Adds a shift, joined to those that move alike and touch it.
  fileprivate static func merge(_ shift: RegionShift, into shifts: inout [RegionShift]) {
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

  /// How this node moved since an earlier frame; `nil` where it did not, or changed otherwise.
  func shift(since earlier: Placed) -> RegionShift? {
    guard fill == earlier.fill, bounds.size == earlier.bounds.size, opacity == earlier.opacity else { return nil }
    let region = visible.union(earlier.visible)
    var columns = bounds.column - earlier.bounds.column
    var rows = bounds.row - earlier.bounds.row
    if surface != earlier.surface {
      guard columns == 0, rows == 0, let surface, let before = earlier.surface, surface.size == before.size,
        let scrolled = surface.rowsScrolled(since: before)
      else { return nil }
      (columns, rows) = (0, scrolled)
    }
    guard columns != 0 || rows != 0, columns.magnitude < region.columns, rows.magnitude < region.rows else {
      return nil
    }
    return RegionShift(rect: region, columns: columns, rows: rows)
  }

  /// Goes through all nodes that draw something and only move, the parents first.
  static func visit(
    _ node: RenderNode, at origin: Point, opacity: Double, clip: CellRect, _ levels: OpacityLevels,
    _ body: (RenderNode.ID, Placed) -> Void
  ) {
    let level = levels.nearest(to: node.opacity)
    guard level > 0, node.transform.isTranslation, !clip.isEmpty else { return }
    let frame = node.frame.offset(
      x: origin.x + node.transform.translation.x, y: origin.y + node.transform.translation.y)
    let inner = node.clip.map { $0.offset(x: frame.x, y: frame.y).cells.intersection(clip) } ?? clip
    let strength = opacity * level
    if node.fill != nil || node.surface != nil {
      let corner = frame.cells.origin
      let written = CellRect(node.surface?.size ?? .zero).offset(columns: corner.column, rows: corner.row)
      let bounds = node.fill == nil ? written : frame.cells
      let visible = (node.fill == nil ? CellRect.zero : frame.cells.intersection(clip)).union(
        written.intersection(inner))
      body(
        node.id,
        Placed(bounds: bounds, visible: visible, opacity: strength, fill: node.fill, surface: node.surface))
    }
    for child in node.children { visit(child, at: frame.origin, opacity: strength, clip: inner, levels, body) }
  }
}
