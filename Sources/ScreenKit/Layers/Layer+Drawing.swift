import TextCanvas

extension Layer {
  /// Returns the render tree of the layer and everything in it as presented now.
  ///
  /// Draws changed contents, and places the sublayers of layers that place them by their presentation.
  ///
  /// - Parameter flattensSnapshots: Whether snapshots in the tree are flattened, because the result becomes a snapshot
  ///   itself. Otherwise snapshots of snapshots would grow with each one.
  func renderNode(flattensSnapshots: Bool = false) -> RenderNode {
    if needsLayout {
      needsLayout = false
      withoutAnimation { layOutSublayers() }
    }
    let state = presentation
    if laidOutState != state {
      laidOutState = state
      withoutAnimation { layOutSublayers(presented: state) }
    }
    let size = state.cells.size
    if needsDrawing || drawnState?.cells.size != size || drawnState?.values != state.values {
      needsDrawing = false
      drawnState = state
      drawn = draw(state)
    }
    var node = RenderNode(
      id: RenderNode.ID(UInt64(id)), frame: state.frame, opacity: state.opacity, transform: state.transform)
    if clipsToBounds { node.clip = Rect(origin: .zero, size: state.size) }
    node.fill = fill
    node.dissolve = dissolve.map { Dissolve(state.dissolved, share: $0.share, turn: $0.turn) }
    node.surface = drawn
    if let still { node.children.append(flattensSnapshots && !still.isFlat ? still.flattened() : still) }
    for layer in inOrder where !layer.isHidden && !layer.isUnseen {
      node.children.append(layer.renderNode(flattensSnapshots: flattensSnapshots))
    }
    return node
  }

  /// The sublayers from back to front.
  var inOrder: [Layer] {
    guard sublayers.contains(where: { $0.zPosition != 0 }) else { return sublayers }
    return sublayers.enumerated()
      .sorted { ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset) }
      .map(\.element)
  }

  private var isUnseen: Bool { !isAnimating && model.opacity <= 0 }

  /// Returns a copy that looks as the layer and everything in it look now, in the same place, and never changes.
  ///
  /// Snapshots in the layer become a bounded number of surfaces in the copy, so the cost of a snapshot does not depend
  /// on how many were taken before.
  public func snapshot() -> Layer {
    let state = presentation
    let copy = Layer()
    copy.model = state
    copy.name = name
    copy.clipsToBounds = true
    copy.dissolve = dissolve
    var node = renderNode(flattensSnapshots: true)
    node.frame = Rect(origin: .zero, size: state.size)
    node.opacity = 1
    node.transform = .identity
    node.dissolve = nil
    copy.still = node.renamed()
    return copy
  }

  /// Returns one flat snapshot of several sublayers of one layer.
  ///
  /// - Parameters:
  ///   - layers: From back to front.
  ///   - bounds: The frame of the snapshot, in the coordinates of their superlayer.
  static func snapshot(of layers: [Layer], in bounds: Rect) -> Layer {
    let copy = Layer(frame: bounds)
    copy.isUserInteractionEnabled = false
    var node = RenderNode(id: RenderNode.ID(UInt64(copy.id)), frame: Rect(origin: .zero, size: bounds.size))
    node.children = layers.filter { !$0.isHidden }.map { layer in
      var child = layer.renderNode(flattensSnapshots: true)
      (child.frame.x, child.frame.y) = (child.frame.x - bounds.x, child.frame.y - bounds.y)
      return child
    }
    copy.still = node.flattened().renamed()
    return copy
  }
}

extension RenderNode {
  /// The same picture under other names, for a tree that has the original too.
  @MainActor func renamed() -> RenderNode {
    Layer.lastID += 1
    var node = self
    node.id = ID(UInt64(Layer.lastID))
    node.children = children.map { $0.renamed() }
    return node
  }
}
