/// The next content of the terminal, with hints about the changes.
public struct Frame: Hashable, Sendable {
  /// All cells of the screen. None of them is clear.
  public var surface: Surface
  /// The regions that have moved since the previous frame, the largest first. They are hints: the result does not
  /// depend on them.
  public var shifts: [RegionShift]

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - surface: All cells of the screen.
  ///   - shifts: The regions that have moved since the previous frame.
  public init(surface: Surface, shifts: [RegionShift] = []) {
    self.surface = surface
    self.shifts = shifts
  }
}

/// A region whose content has moved within it.
///
/// A cell at (c, r) of the region has moved to (c + columns, r + rows), provided that this is also in the region. Cells
/// that have left the region are lost, and cells that have entered it are new.
public struct RegionShift: Hashable, Sendable {
  /// The region, which includes both the old and the new position of the content.
  public var rect: CellRect
  /// The number of columns to the right, negative to the left.
  public var columns: Int
  /// The number of rows down, negative up.
  public var rows: Int

  /// Creates a shift.
  ///
  /// - Parameters:
  ///   - rect: The region, which includes both the old and the new position of the content.
  ///   - columns: The number of columns to the right, negative to the left.
  ///   - rows: The number of rows down, negative up.
  public init(rect: CellRect, columns: Int = 0, rows: Int = 0) {
    self.rect = rect
    self.columns = columns
    self.rows = rows
  }
}

/// Finds unchanged nodes that have moved between two trees.
///
/// A node has moved if both trees contain it with the same content and opacity, at a distance of whole cells. The
/// content of a surface that has not moved may have scrolled: then most of its rows are equal to old ones that were
/// above or below. Adjacent regions with the same movement are combined.
struct ShiftFinder: Sendable {
  private var latest: [RenderNode.ID: Placed] = [:]
  private var earlier: [RenderNode.ID: Placed] = [:]
  private var latestSize = CellSize.zero

  /// Remembers a tree, and returns the shifts since the previous one in an array, the largest region first.
  mutating func find(_ root: RenderNode, in size: CellSize, levels: OpacityLevels, into shifts: inout [RegionShift]) {
    shifts.removeAll(keepingCapacity: true)
    if size != latestSize { reset() }
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

  /// Forgets the previous tree.
  mutating func reset() {
    latest.removeAll(keepingCapacity: true)
  }
}

extension RegionShift {
  fileprivate var area: Int { rect.columns * rect.rows }

  /// Adds a shift, combined with adjacent shifts of the same movement.
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

/// The position and visible content of a node.
private struct Placed {
  let bounds: CellRect
  let visible: CellRect
  let opacity: Double
  let fill: Colour?
  let surface: Surface?

  /// Returns the movement of the node since an earlier frame, or `nil` if it has not moved or has changed.
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

  /// Visits all nodes that draw something and are neither scaled nor flipped, parents first.
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
