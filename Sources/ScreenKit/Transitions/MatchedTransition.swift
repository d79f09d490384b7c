import TextCanvas

/// Moves one element from its place on the old screen to its place on the new one, while the old screen fades out and
/// then the new one in.
///
/// Both screens say what the element is: the old one as a ``TransitionSource``, the new one as a ``TransitionTarget``; a
/// container stands for the screen it shows, which fills it.
/// To make a new pair, let both conform; there is nothing else to write.
///
/// Source: the generic animator of Rosetta Stone's "Specializing View Controller Animated Transitions".
@MainActor public final class MatchedTransition: AnimatedTransitioning, HidingOriginals {
  /// The element that moves.
  public let id: TransitionID

  private weak var source: (any TransitionSource)?
  private weak var target: (any TransitionTarget)?
  private weak var moving: Layer?
  private(set) var hidden: HiddenOriginals?
  private let duration: Double
  private let curve: TimingCurve
  private let fallback: any AnimatedTransitioning

  /// Makes one, where the screens match: the old one is a source, the new one a target, and the source's element is
  /// among the target's. Otherwise nil, which leaves the transition to the container.
  ///
  /// - Parameters:
  ///   - from: The screen that is there.
  ///   - to: The screen that will be there.
  ///   - duration: Seconds, where the source does not say.
  ///   - curve: How it goes.
  ///   - fallback: What runs where the element cannot be seen at one of the ends when it begins.
  public init?(
    from: Screen, to: Screen, duration: Double = 0.35, curve: TimingCurve = .easeInOut,
    fallback: (any AnimatedTransitioning)? = nil
  ) {
    guard let source = transitionSource(in: from), let target = transitionTarget(in: to),
      let id = source.sourceID, target.targetIDs.contains(id)
    else { return nil }
    self.id = id
    self.source = source
    self.target = target
    self.duration = duration
    self.curve = curve
    self.fallback = fallback ?? SlideTransition()
  }

  /// The source's duration, else the one it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: source?.transitionDuration ?? duration)
  }

  /// Moves the element.
  public func animateTransition(using context: any TransitionContext) {
    guard let source, let target, isUnambiguous(source, target, in: context),
      let moving = source.sourceLayer(for: id), let start = place(of: source, in: context),
      let end = place(of: target, in: context)
    else {
      fallback.animateTransition(using: context)
      return
    }
    if moving.superlayer != nil {
      ScreenIssue.sourceLayerInUse(screen: context.from.label).report(on: context.container.stage)
      fallback.animateTransition(using: context)
      return
    }
    source.willStartSourceAnimation()
    target.willStartTargetAnimation()
    context.addToLayer()
    context.container.add(moving)
    moving.identity = id
    moving.frame = start
    moving.layOutIfNeeded()
    self.moving = moving
    let from = context.from
    let to = context.to
    let duration = transitionDuration(using: context)
    source.prepareAnimation(of: moving, from: from, to: to)
    if context.movesToLayer { to.layer.opacity = 0 }
    let whole = Keyframe(start: 0, duration: 1) {
      source.finalizeAnimation(of: moving, from: from, to: to)
      moving.frame = end
    }
    let fades = context.halves {
      from.layer.opacity = 0
    } coming: {
      to.layer.opacity = 1
    }
    hidden = HiddenOriginals { [weak source, weak target] in
      source?.didEndSourceAnimation()
      target?.didEndTargetAnimation()
    }
    animateKeyframes(duration: duration, curve: curve, [whole] + fades) { [hidden] _ in
      hidden?.show()
      moving.removeFromSuperlayer()
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Looks both ends up again.
  public func containerDidResize(using context: any TransitionContext) {
    guard let moving, let source, let target, let start = place(of: source, in: context),
      let end = place(of: target, in: context)
    else { return }
    moving.redirectFrame(from: start, to: end)
  }

  private func place(of source: any TransitionSource, in context: any TransitionContext) -> Rect? {
    let origin = context.initialFrame(for: context.from)
    return source.sourceFrame(for: id)?.moved(columns: origin.x, rows: origin.y)
  }

  private func place(of target: any TransitionTarget, in context: any TransitionContext) -> Rect? {
    let origin = context.finalFrame(for: context.to)
    target.layer.frame.size = origin.size
    target.layer.layOutIfNeeded()
    return target.targetFrame(for: id)?.moved(columns: origin.x, rows: origin.y)
  }

  private func isUnambiguous(
    _ source: any TransitionSource, _ target: any TransitionTarget, in context: any TransitionContext
  ) -> Bool {
    let isUnique = [source.sourceIDs, target.targetIDs].allSatisfy { ids in ids.filter { $0 == id }.count <= 1 }
    if !isUnique { ScreenIssue.ambiguousMatch(id: id.description).report(on: context.container.stage) }
    return isUnique
  }
}
