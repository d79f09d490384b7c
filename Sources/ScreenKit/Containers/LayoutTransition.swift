import TextCanvas

/// An animator that moves the items of one collection screen to their frames on another. Layers that exist on only one
/// of the screens fade.
///
/// The layers that move are those of the upper screen. A push moves them from the frames on the lower screen to their
/// own frames, and a pop moves them back.
@MainActor public final class LayoutTransition: AnimatedTransitioning, HidingOriginals {
  private let duration: Double
  private let curve: TimingCurve
  private(set) var hidden: HiddenOriginals?

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds. Springs determine their own duration.
  ///   - curve: The timing curve.
  public init(duration: Double = 0.35, curve: TimingCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration with which the animator was created, or the duration of its spring.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Moves the items. If the screens do not show the same items, they cross-fade.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    context.from.layer.layOutIfNeeded()
    let pairs = pairs(in: context)
    let ends = pairs.map(\.end.frame)
    for pair in pairs {
      pair.moving.frame = pair.start.frame
      pair.moving.layOutIfNeeded()
    }
    let (leaving, arriving) = fadingLayers(of: context, besides: pairs)
    for layer in arriving { layer.opacity = 0 }
    let hidden = HiddenOriginals(faded: leaving + arriving, arranged: [context.from.layer, context.to.layer])
    // A presenter that stays visible keeps its items.
    if context.movesFromLayer, context.movesToLayer { hidden.hide(pairs.map(\.snapshot)) }
    self.hidden = hidden
    animate(duration: duration, curve: curve) {
      for (pair, end) in zip(pairs, ends) { pair.moving.frame = end }
      for layer in arriving { layer.opacity = 1 }
      for layer in leaving { layer.opacity = 0 }
    } completion: { _ in
      hidden.show()
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Redirects the moving items to their frames after the resize.
  public func containerDidResize(using context: any TransitionContext) {
    for pair in pairs(in: context) { pair.moving.redirectFrame(from: pair.start.frame, to: pair.end.frame) }
  }

  /// The layers of one item on both screens.
  private struct Pair {
    /// The layers at the start and at the end of the movement.
    let start: Layer
    let end: Layer
    /// The layer that moves, which belongs to the upper screen, and the layer on the lower screen.
    let moving: Layer
    let snapshot: Layer
  }

  private func pairs(in context: any TransitionContext) -> [Pair] {
    guard let from = context.from as? CollectionScreen, let to = context.to as? CollectionScreen,
      from.items === to.items
    else { return [] }
    let isForward = context.operation.isForward
    return to.items.ids.compactMap { id in
      guard let start = from.itemLayer(for: id), let end = to.itemLayer(for: id) else { return nil }
      return Pair(start: start, end: end, moving: isForward ? end : start, snapshot: isForward ? start : end)
    }
  }

  /// Returns the layers that fade: all except the items, or whole screens if they have no items in common.
  private func fadingLayers(
    of context: any TransitionContext, besides pairs: [Pair]
  ) -> (leaving: [Layer], arriving: [Layer]) {
    let items = pairs.flatMap { [$0.start, $0.end] }
    func rest(of layer: Layer) -> [Layer] {
      pairs.isEmpty ? [layer] : layer.sublayers.filter { layer in !items.contains { $0 === layer } }
    }
    return (
      context.movesFromLayer ? rest(of: context.from.layer) : [], context.movesToLayer ? rest(of: context.to.layer) : []
    )
  }
}
