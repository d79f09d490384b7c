/// Draws trees of render nodes as frames: one for a screen, used for frame after frame.
///
/// ```swift
/// var compositor = Compositor(fading: .blend(page: page), levels: .four)
/// var frame = Frame(surface: Surface(size))
/// compositor.compose(tree, into: &frame)
/// ```
///
/// Positions are rounded to the nearest cell only here, from the sum of all frames above a node, so that what moves
/// together rounds together. The page below everything is blank, in the terminal's own colours.
public struct Compositor: Sendable {
  /// How what is half seen is drawn.
  public var fading: Fading { didSet { latest = nil } }
  /// The opacities that are drawn.
  public var levels: OpacityLevels { didSet { latest = nil } }
  /// Whether edges of fills that lie between cells are drawn in eighths of a cell, where the colours allow it.
  public var drawsSoftEdges: Bool { didSet { latest = nil } }

  private var finder = ShiftFinder()
  private var spare: [Surface] = []
  /// The tree that was drawn last, where it still looks as it did then, and the size of its frame.
  private var latest: (root: RenderNode, size: CellSize)?

  /// Makes a compositor.
  public init(fading: Fading = .ramp(.faint), levels: OpacityLevels = .eighths, drawsSoftEdges: Bool = true) {
    self.fading = fading
    self.levels = levels
    self.drawsSoftEdges = drawsSoftEdges
  }

  /// Draws a tree into a frame of the size of the frame's surface, and finds what moved since the tree before.
  ///
  /// The frame's buffer is used again when it has no other owner.
  public mutating func compose(_ root: RenderNode, into frame: inout Frame) {
    latest = nil
    frame.surface.fill(with: .blank)
    draw(root, at: .zero, clip: frame.surface.bounds, into: &frame.surface)
    finder.find(root, in: frame.surface.size, levels: levels, into: &frame.shifts)
  }

  /// Draws a tree as ``compose(_:into:)`` does, unless it is the one that was drawn last; then the frame is left alone.
  ///
  /// With two frames, each drawn while the other is still being shown, no frame's buffer is ever copied.
  ///
  /// - Returns: Whether it was drawn.
  public mutating func composeIfChanged(_ root: RenderNode, into frame: inout Frame) -> Bool {
    if let latest, latest.size == frame.surface.size, latest.root == root { return false }
    compose(root, into: &frame)
    latest = (root, frame.surface.size)
    return true
  }

  /// Draws a tree as a frame of a size of its own.
  public mutating func compose(_ root: RenderNode, size: CellSize) -> Frame {
    var frame = Frame(surface: Surface(size))
    compose(root, into: &frame)
    return frame
  }

  /// Forgets the tree before, so that the next frame has no shifts: after something else wrote on the screen.
  public mutating func forgetPrevious() {
    finder.forget()
    latest = nil
  }

  // MARK: - One node

  /// Draws a node whose parent's corner lies at a place of the target.
  private mutating func draw(_ node: RenderNode, at origin: Point, clip: CellRect, into target: inout Surface) {
    guard node.dissolve == nil else { return drawDissolving(node, at: origin, clip: clip, into: &target) }
    let opacity = levels.nearest(to: node.opacity)
    guard opacity > 0, !clip.isEmpty else { return }
    let frame = node.frame.offset(
      x: origin.x + node.transform.translation.x, y: origin.y + node.transform.translation.y)
    guard node.transform.isTranslation else {
      drawTransformed(node, frame: frame, opacity: opacity, clip: clip, into: &target)
      return
    }
    let isGroup = !node.children.isEmpty || node.fill != nil && node.surface != nil
    guard opacity < 1, isGroup else {
      drawContents(node, frame: frame, opacity: opacity, clip: clip, into: &target)
      return
    }
    var group = takeSpare(target.size)
    group.fill(clip, with: .clear)
    drawContents(node, frame: frame, opacity: 1, clip: clip, into: &group)
    target.blend(group, at: .zero, clippedTo: clip, opacity: opacity, fading: fading)
    spare.append(group)
  }

  /// Draws a node that gives way to what is drawn already.
  private mutating func drawDissolving(
    _ node: RenderNode, at origin: Point, clip: CellRect, into target: inout Surface
  ) {
    var plain = node
    plain.dissolve = nil
    plain.opacity = 1
    let frame = node.frame.offset(
      x: origin.x + node.transform.translation.x, y: origin.y + node.transform.translation.y
    ).cells
    let area = frame.intersection(clip)
    guard !area.isEmpty, var dissolve = node.dissolve else { return }
    dissolve.fraction = 1 - (1 - dissolve.fraction) * node.opacity
    var going = takeSpare(target.size)
    going.fill(area, with: .blank)
    draw(plain, at: origin, clip: area, into: &going)
    var coming = takeSpare(target.size)
    coming.copy(target, clippedTo: area)
    for row in area.row..<area.endRow {
      let opacities = dissolve.opacities(ofRow: row - frame.row, of: frame.rows)
      let opacity = levels.nearest(to: max(opacities.going, opacities.coming))
      let isGone = opacities.going == 0
      if isGone, opacity == 1 { continue }
      let line = CellRect(column: area.column, row: row, columns: area.columns, rows: 1)
      target.fill(line, with: .blank)
      target.blend(isGone ? coming : going, clippedTo: line, opacity: opacity, fading: fading)
      guard opacity < 1 else { continue }
      target.keepWords(of: isGone ? coming : going, alikeOn: isGone ? going : coming, in: area, row: row)
    }
    spare.append(going)
    spare.append(coming)
  }

  /// Draws fill, surface and children of a node that only moves.
  private mutating func drawContents(
    _ node: RenderNode, frame: Rect, opacity: Double, clip: CellRect, into target: inout Surface
  ) {
    if let fill = node.fill, fill != .clear {
      drawFill(fill, frame: frame, opacity: opacity, clip: clip, into: &target)
    }
    let inner = node.clip.map { $0.offset(x: frame.x, y: frame.y).cells.intersection(clip) } ?? clip
    guard !inner.isEmpty else { return }
    if let surface = node.surface {
      let corner = CellPoint(column: nearestCell(frame.x), row: nearestCell(frame.y))
      if opacity < 1 {
        target.blend(surface, at: corner, clippedTo: inner, opacity: opacity, fading: fading)
      } else {
        target.overlay(surface, at: corner, clippedTo: inner)
      }
    }
    for child in node.children { draw(child, at: frame.origin, clip: inner, into: &target) }
  }

  private mutating func drawFill(
    _ fill: Colour, frame: Rect, opacity: Double, clip: CellRect, into target: inout Surface
  ) {
    var soft: PageColours?
    if drawsSoftEdges, case .blend(let page) = fading { soft = page }
    let area = frame.cells.intersection(clip)
    guard opacity < 1 else {
      if let soft {
        target.fillSoftly(frame, with: fill, page: soft, clippedTo: clip)
      } else {
        target.fill(area, with: Cell(background: fill))
      }
      return
    }
    let panel = Surface(area.size, filledWith: Cell(background: fill))
    target.blend(panel, at: area.origin, clippedTo: clip, opacity: opacity, fading: fading)
  }

  /// Draws a node that is scaled or turned: flat first, then cell by cell from where each comes.
  private mutating func drawTransformed(
    _ node: RenderNode, frame: Rect, opacity: Double, clip: CellRect, into target: inout Surface
  ) {
    let cells = frame.cells
    guard !cells.isEmpty, cells.columns <= 4 * target.columns, cells.rows <= 4 * target.rows else { return }
    var flat = takeSpare(cells.size)
    flat.fill(with: .clear)
    let local = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    drawContents(node, frame: local, opacity: 1, clip: flat.bounds, into: &flat)
    var turned = takeSpare(target.size)
    turned.fill(clip, with: .clear)
    turned.project(flat, from: Rect(cells), through: node.transform, clippedTo: clip)
    target.blend(turned, at: .zero, clippedTo: clip, opacity: opacity, fading: fading)
    spare.append(turned)
    spare.append(flat)
  }

  /// A surface of a size, from an earlier frame where there is one; its cells are whatever they were.
  private mutating func takeSpare(_ size: CellSize) -> Surface {
    if let index = spare.lastIndex(where: { $0.size == size }) { return spare.remove(at: index) }
    if spare.count > 8 { spare.removeFirst() }
    return Surface(size)
  }
}
