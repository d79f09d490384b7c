/// Draws trees of render nodes as frames. Use one compositor for each screen and all its frames.
///
/// ```swift
/// var compositor = Compositor(fading: .blend(page: page), levels: .four)
/// var frame = Frame(surface: Surface(size))
/// compositor.compose(tree, into: &frame)
/// ```
///
/// Positions are rounded to whole cells only here, from the sum of all frames above a node, so that nodes that move
/// together are rounded together. The background below all nodes is blank, in the colours of ``page``.
public struct Compositor: Sendable {
  /// How partially transparent content is drawn.
  public var fading: Fading { didSet { latest = nil } }
  /// The opacities that are drawn.
  public var levels: OpacityLevels { didSet { latest = nil } }
  /// Whether edges of fills that are inside cells are drawn in eighths of a cell, if the colours allow it.
  public var drawsSoftEdges: Bool { didSet { latest = nil } }

  /// The colours of cells that have no colours of their own. `nil` for the terminal's default colours.
  public var page: PageStyle? { didSet { latest = nil } }

  /// A foreground and a background that replace the terminal's default colours.
  public struct PageStyle: Hashable, Sendable {
    let foreground: Colour
    let background: Colour

    /// Creates a pair of colours, neither of which is ``Colour/default`` or ``Colour/clear``.
    public init(foreground: Colour, background: Colour) {
      (self.foreground, self.background) = (foreground, background)
    }
  }

  private var finder = ShiftFinder()
  private var spare: [Surface] = []
  /// The tree that was drawn last, if it would still look the same, and the size of its frame.
  private var latest: (root: RenderNode, size: CellSize)?

  /// Creates a compositor.
  ///
  /// - Parameters:
  ///   - fading: How partially transparent content is drawn.
  ///   - levels: The opacities that are drawn.
  ///   - drawsSoftEdges: Whether edges of fills that are inside cells are drawn in eighths of a cell, if the colours
  ///     allow it.
  public init(fading: Fading = .ramp(.faint), levels: OpacityLevels = .eighths, drawsSoftEdges: Bool = true) {
    self.fading = fading
    self.levels = levels
    self.drawsSoftEdges = drawsSoftEdges
  }

  /// Draws a tree into a frame, and finds the regions that have moved since the previous tree.
  ///
  /// The frame's memory is reused if it has no other owner.
  ///
  /// - Parameters:
  ///   - root: The tree.
  ///   - frame: The frame. The size of its surface is kept.
  public mutating func compose(_ root: RenderNode, into frame: inout Frame) {
    latest = nil
    frame.surface.fill(with: .blank)
    draw(root, at: .zero, clip: frame.surface.bounds, into: &frame.surface)
    if let page {
      frame.surface.mapStyles { style in
        var style = style
        if style.foreground == .default { style.foreground = page.foreground }
        if style.background == .default || style.background == .clear { style.background = page.background }
        return style
      }
    }
    finder.find(root, in: frame.surface.size, levels: levels, into: &frame.shifts)
  }

  /// Draws a tree as ``compose(_:into:)`` does, unless it equals the tree that was drawn last. The frame stays
  /// unchanged then.
  ///
  /// With two frames, each of which is drawn while the other one is shown, no memory is ever copied.
  ///
  /// - Parameters:
  ///   - root: The tree.
  ///   - frame: The frame. The size of its surface is kept.
  /// - Returns: Whether the tree was drawn.
  public mutating func composeIfChanged(_ root: RenderNode, into frame: inout Frame) -> Bool {
    if let latest, latest.size == frame.surface.size, latest.root == root { return false }
    compose(root, into: &frame)
    latest = (root, frame.surface.size)
    return true
  }

  /// Draws a tree as a new frame of the given size.
  public mutating func compose(_ root: RenderNode, size: CellSize) -> Frame {
    var frame = Frame(surface: Surface(size))
    compose(root, into: &frame)
    return frame
  }

  /// Forgets the previous tree, so that the next frame has no shifts. Call it after other output to the screen.
  public mutating func reset() {
    finder.reset()
    latest = nil
  }

  // MARK: - One node

  /// Draws a node. `origin` is the position of its parent in the target.
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
    var group = reuseSurface(target.size)
    group.fill(clip, with: .clear)
    drawContents(node, frame: frame, opacity: 1, clip: clip, into: &group)
    target.blend(group, at: .zero, clippedTo: clip, opacity: opacity, fading: fading)
    spare.append(group)
  }

  /// Draws a node that dissolves into the existing content.
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
    var outgoing = reuseSurface(target.size)
    outgoing.fill(area, with: .blank)
    draw(plain, at: origin, clip: area, into: &outgoing)
    var incoming = reuseSurface(target.size)
    incoming.copy(target, clippedTo: area)
    for row in area.row..<area.endRow {
      let opacities = dissolve.opacities(ofRow: row - frame.row, of: frame.rows)
      let opacity = levels.nearest(to: max(opacities.going, opacities.coming))
      let isGone = opacities.going == 0
      if isGone, opacity == 1 { continue }
      let line = CellRect(column: area.column, row: row, columns: area.columns, rows: 1)
      target.fill(line, with: .blank)
      target.blend(isGone ? incoming : outgoing, clippedTo: line, opacity: opacity, fading: fading)
      guard opacity < 1 else { continue }
      target.restoreSharedText(
        of: isGone ? incoming : outgoing, sharedWith: isGone ? outgoing : incoming, in: area, row: row)
    }
    spare.append(outgoing)
    spare.append(incoming)
  }

  /// Draws the fill, surface and children of a node without scaling or flipping.
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

  /// Draws a node that is scaled or flipped: draws its contents on a separate surface without the transform, and then
  /// looks up each cell of the target in that surface.
  private mutating func drawTransformed(
    _ node: RenderNode, frame: Rect, opacity: Double, clip: CellRect, into target: inout Surface
  ) {
    let cells = frame.cells
    guard !cells.isEmpty, cells.columns <= 4 * target.columns, cells.rows <= 4 * target.rows else { return }
    var flat = reuseSurface(cells.size)
    flat.fill(with: .clear)
    let local = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    drawContents(node, frame: local, opacity: 1, clip: flat.bounds, into: &flat)
    var rotated = reuseSurface(target.size)
    rotated.fill(clip, with: .clear)
    rotated.project(flat, from: Rect(cells), through: node.transform, clippedTo: clip)
    target.blend(rotated, at: .zero, clippedTo: clip, opacity: opacity, fading: fading)
    spare.append(rotated)
    spare.append(flat)
  }

  /// Returns a surface of the given size. Reuses a surface that is no longer needed, if one has this size. The contents
  /// of its cells are undefined.
  private mutating func reuseSurface(_ size: CellSize) -> Surface {
    if let index = spare.lastIndex(where: { $0.size == size }) { return spare.remove(at: index) }
    if spare.count > 8 { spare.removeFirst() }
    return Surface(size)
  }
}
