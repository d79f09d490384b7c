import TextCanvas

/// Moves the items of one collection screen to the places they have on another; what only one of them has, fades.
///
/// The items that are seen to move are those of the upper screen: forward, they begin in the places of the lower one;
/// going back, they end there.
@MainActor public final class LayoutTransition: AnimatedTransitioning, HidingOriginals {
  private let duration: Double
  private let curve: TimingCurve
  private(set) var hidden: HiddenOriginals?

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds; springs keep their own time.
  ///   - curve: How it goes.
  public init(duration: Double = 0.35, curve: TimingCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Moves the items; screens that are no collections of the same items cross-fade.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    context.from.layer.layOutIfNeeded()
    let pairs = pairs(in: context)
    let ends = pairs.map(\.end.frame)
    for pair in pairs {
      pair.moving.frame = pair.start.frame
      pair.moving.layOutIfNeeded()
    }
    let (leaving, coming) = rest(of: context, besides: pairs)
    for layer in coming { layer.opacity = 0 }
    let hidden = HiddenOriginals(faded: leaving + coming, screens: [context.from, context.to])
    // A presenter that stays visible keeps its items.
    if context.movesFromLayer, context.movesToLayer { hidden.hide(pairs.map(\.still)) }
    self.hidden = hidden
    animate(duration: duration, curve: curve) {
      for (pair, end) in zip(pairs, ends) { pair.moving.frame = end }
      for layer in coming { layer.opacity = 1 }
      for layer in leaving { layer.opacity = 0 }
    } completion: { _ in
      hidden.show()
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Takes the places of both layouts again.
  public func containerDidResize(using context: any TransitionContext) {
    for pair in pairs(in: context) { pair.moving.redirectFrame(from: pair.start.frame, to: pair.end.frame) }
  }

  /// One item on both screens.
  private struct Pair {
    /// Its layers where it begins and ends.
    let start: Layer
    let end: Layer
    /// The one that is seen to move, and the one of the screen below.
    let moving: Layer
    let still: Layer
  }

  private func pairs(in context: any TransitionContext) -> [Pair] {
    guard let from = context.from as? CollectionScreen, let to = context.to as? CollectionScreen,
      from.items === to.items
    else { return [] }
    let goesOn = context.operation.isForward
    return to.items.ids.compactMap { id in
      guard let start = from.itemLayer(for: id), let end = to.itemLayer(for: id) else { return nil }
      return Pair(start: start, end: end, moving: goesOn ? end : start, still: goesOn ? start : end)
    }
  }

  /// What fades: everything but the items, and of screens without common items everything.
  private func rest(
    of context: any TransitionContext, besides pairs: [Pair]
  ) -> (leaving: [Layer], coming: [Layer]) {
    let items = pairs.flatMap { [$0.start, $0.end] }
    func rest(of layer: Layer) -> [Layer] {
      pairs.isEmpty ? [layer] : layer.sublayers.filter { layer in !items.contains { $0 === layer } }
    }
    return (
      context.movesFromLayer ? rest(of: context.from.layer) : [], context.movesToLayer ? rest(of: context.to.layer) : []
    )
  }
}
