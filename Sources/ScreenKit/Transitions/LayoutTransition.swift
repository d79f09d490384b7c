public import Motion
import TextCanvas

/// Moves the items of one collection screen to the places they have on another; what only one of them has, fades.
@MainActor public final class LayoutTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

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
    let pairs = pairs(from: context.from, to: context.to)
    let ends = pairs.map(\.to.frame)
    for pair in pairs {
      pair.to.frame = pair.from.frame
      pair.to.layOutIfNeeded()
      pair.from.isHidden = true
    }
    let rest = rest(of: context, besides: pairs)
    for layer in rest.coming { layer.opacity = 0 }
    animate(duration: duration, curve: curve) {
      for (pair, end) in zip(pairs, ends) { pair.to.frame = end }
      for layer in rest.coming { layer.opacity = 1 }
      for layer in rest.leaving { layer.opacity = 0 }
    } completion: { _ in
      for pair in pairs { pair.from.isHidden = false }
      for layer in rest.leaving + rest.coming { layer.opacity = 1 }
      context.to.layer.setNeedsLayout()
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Takes the places of both layouts again.
  public func containerDidResize(using context: any TransitionContext) {
    for pair in pairs(from: context.from, to: context.to) {
      pair.to.redirectFrame(from: pair.from.frame, to: pair.to.frame)
    }
  }

  private func pairs(from: Screen, to: Screen) -> [(from: Layer, to: Layer)] {
    guard let from = from as? CollectionScreen, let to = to as? CollectionScreen, from.items === to.items else {
      return []
    }
    return to.items.ids.compactMap { id in
      guard let old = from.itemLayer(for: id), let new = to.itemLayer(for: id) else { return nil }
      return (old, new)
    }
  }

  private func rest(
    of context: any TransitionContext, besides pairs: [(from: Layer, to: Layer)]
  ) -> (leaving: [Layer], coming: [Layer]) {
    guard !pairs.isEmpty else { return ([context.from.layer], [context.to.layer]) }
    return (
      context.from.layer.sublayers.filter { layer in !pairs.contains { $0.from === layer } },
      context.to.layer.sublayers.filter { layer in !pairs.contains { $0.to === layer } }
    )
  }
}
