import TextCanvas

/// Moves one element from its frame on the old screen to its frame on the new screen, while the old screen fades out
/// and then the new one fades in.
///
/// The old screen describes the element as a ``TransitionSource``, the new one as a ``TransitionTarget``. A container
/// is represented by the screen that it shows, which must fill the container. Two screens need only conform to these
/// protocols.
///
/// The element is drawn once: the transition hides the layers that both screens return from
/// ``TransitionEndpoint/originalLayer(for:)``, and shows them again when it is finished, cancelled or interrupted. If
/// the target has a ``TransitionTarget/targetLayer(for:)``, the look of the element on the source fades into the look
/// on the target.
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

  /// Creates the animator if the screens match: the old one is a source, the new one a target, and the source's element
  /// is among the target's. Otherwise returns `nil`. A provider that returns `nil` leaves the transition to the
  /// container.
  ///
  /// - Parameters:
  ///   - from: The visible screen.
  ///   - to: The screen to show.
  ///   - duration: The duration in seconds if the source does not specify one.
  ///   - curve: The timing curve.
  ///   - fallback: The animator that is used if the element is not visible on one of the screens when the transition
  ///     starts. If `nil`, a ``SlideTransition``.
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

  /// Returns the duration of the source or, if that is `nil`, the one with which the animator was created.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: source?.transitionDuration ?? duration)
  }

  /// Moves the element.
  public func animateTransition(using context: any TransitionContext) {
    guard let source, let target, isUnambiguous(source, target, in: context),
      let sourceLook = source.sourceLayer(for: id), let start = frameInContainer(of: source, in: context),
      let end = frameInContainer(of: target, in: context)
    else {
      fallback.animateTransition(using: context)
      return
    }
    if sourceLook.superlayer != nil {
      ScreenIssue.sourceLayerInUse(screen: context.from.label).report(on: context.container.stage)
      fallback.animateTransition(using: context)
      return
    }
    let targetLook = unusedTargetLayer(of: target, in: context)
    source.willStartSourceAnimation(for: id)
    target.willStartTargetAnimation(for: id)
    context.addToLayer()
    let crossFade = targetLook.map { CrossFadingLayer(from: sourceLook, to: $0, of: id, source, target) }
    let moving = crossFade ?? sourceLook
    context.container.add(moving)
    moving.identity = id
    moving.frame = start
    moving.layOutIfNeeded()
    crossFade?.fitLooks()
    self.moving = moving
    let hidden = HiddenOriginals { [weak source, weak target, id] in
      source?.didEndSourceAnimation(for: id)
      target?.didEndTargetAnimation(for: id)
    }
    self.hidden = hidden
    hideOriginals(of: source, target)
    let from = context.from
    let to = context.to
    let duration = transitionDuration(using: context)
    source.prepareAnimation(of: sourceLook, for: id, from: from, to: to)
    if context.movesToLayer { to.layer.opacity = 0 }
    let movement = Keyframe(start: 0, duration: 1) { [id] in
      source.finalizeAnimation(of: sourceLook, for: id, from: from, to: to)
      moving.frame = end
      crossFade?.fadeToTarget()
    }
    let fades = context.halfFrames {
      from.layer.opacity = 0
    } arriving: {
      to.layer.opacity = 1
    }
    animateKeyframes(duration: duration, curve: curve, [movement] + fades) { _ in
      hidden.show()
      moving.removeFromSuperlayer()
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Looks up both frames and the originals again for the new size.
  public func containerDidResize(using context: any TransitionContext) {
    guard let moving, let source, let target, let start = frameInContainer(of: source, in: context),
      let end = frameInContainer(of: target, in: context)
    else { return }
    moving.redirectFrame(from: start, to: end)
    hideOriginals(of: source, target)
  }

  var continuedOriginals: [Layer] { hidden?.hiddenLayers ?? [] }

  /// Resizes both looks of the element to its presented size.
  func motionWasContinued() { (moving as? CrossFadingLayer)?.fitLooks() }

  private func hideOriginals(of source: any TransitionSource, _ target: any TransitionTarget) {
    hidden?.hide([source.originalLayer(for: id), target.originalLayer(for: id)].compactMap { $0 })
  }

  private func unusedTargetLayer(of target: any TransitionTarget, in context: any TransitionContext) -> Layer? {
    let layer = target.targetLayer(for: id)
    guard layer?.superlayer != nil else { return layer }
    ScreenIssue.targetLayerInUse(screen: context.to.label).report(on: context.container.stage)
    return nil
  }

  private func frameInContainer(of source: any TransitionSource, in context: any TransitionContext) -> Rect? {
    let origin = context.initialFrame(for: context.from)
    return source.sourceFrame(for: id)?.moved(columns: origin.x, rows: origin.y)
  }

  private func frameInContainer(of target: any TransitionTarget, in context: any TransitionContext) -> Rect? {
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

/// The moving element with its looks on both screens. One fades into the other.
///
/// Both looks are as large as the presented element. If a transition between the same screens interrupts this one, each
/// look keeps its opacity. After any other interruption, the look on the new source is opaque.
@MainActor private final class CrossFadingLayer: Layer {
  private struct Pair: Hashable {
    let id: TransitionID
    let screens: Set<ObjectIdentifier>
  }

  /// Stores the opacities of both looks as animatable values, one for each screen.
  private let fade = Layer()
  private let looks: [(key: LayerKey, layer: Layer)]

  init(
    from sourceLook: Layer, to targetLook: Layer, of id: TransitionID, _ source: any TransitionSource,
    _ target: any TransitionTarget
  ) {
    looks = [(Self.key(of: source), sourceLook), (Self.key(of: target), targetLook)]
    super.init()
    fade.identity = TransitionID(Pair(id: id, screens: [ObjectIdentifier(source), ObjectIdentifier(target)]))
    fade.values[looks[0].key] = 1
    fade.presentedLayout = { [looks] _, state in
      for look in looks { look.layer.opacity = state[.value(look.key)] }
    }
    for look in looks { fade.add(look.layer) }
    add(fade)
  }

  private static func key(of screen: Screen) -> LayerKey { LayerKey("look on layer \(screen.layer.id)") }

  override func layOutSublayers(presented state: LayerState) { fitLooks() }

  func fitLooks() {
    let size = presentation.size
    withoutAnimation { for look in looks { look.layer.frame = Rect(origin: .zero, size: size) } }
  }

  /// Shows the look on the target. Called within an animation.
  func fadeToTarget() {
    fade.values[looks[0].key] = 0
    fade.values[looks[1].key] = 1
  }
}
