import TextCanvas

/// Captures the presented position and velocity of each layer of a container when a transition is interrupted.
///
/// The next transition starts from these values. Their difference from the values of the next transition decays to zero
/// while that transition runs, so that both position and velocity are continuous. Layers that leave because of the
/// interruption fade out as snapshots.
@MainActor struct CapturedMotion {
  fileprivate struct PresentedLayer {
    let layer: Layer
    /// Whether the layer belongs to a screen or was moving. Other layers are used only if the next transition moves
    /// them.
    let counts: Bool
    let state: LayerState
    let velocities: [LayerProperty: Double]
    /// The total distance of the current movement of each property.
    let spans: [LayerProperty: Double]
  }

  /// The captured layers whose motion continues in the next transition.
  private struct Continued {
    var layers: Set<ObjectIdentifier> = []
    /// The captured layers whose motion continues in a layer of the next animator. A screen continues from its own
    /// position only, not from that of a layer that represented it.
    var continuedByAnimator: Set<ObjectIdentifier> = []
  }

  private var layers: [ObjectIdentifier: PresentedLayer] = [:]
  private var identities: [TransitionID: PresentedLayer] = [:]
  /// The hidden originals of a matched element. They fade in with the next transition unless they continue the element.
  private var originals: [ObjectIdentifier: PresentedLayer] = [:]
  private let container: Layer
  private let departingSnapshots: DepartingSnapshots
  /// A snapshot of the container. It dissolves over the next transition if that does not continue all moving layers.
  private let containerSnapshot: Layer
  /// The dissolving snapshot of an earlier interruption, in front of all other layers. ``containerSnapshot`` includes
  /// it.
  private let previousSnapshot: Layer?
  /// The layers that an animator shows instead of the screens. Empty if the screens themselves are visible.
  private let substitutes: [Layer]
  /// The moving layers, grouped by the sublayer of the container that contains them.
  private var movingIdentities: [(layer: Layer, identifiers: [ObjectIdentifier])] = []
  /// The layer group that the interrupted transition moved.
  private let interruptedGroup: InterruptedLayerGroup?
  /// The layer group that the next transition moves.
  private var groupLayers: [Layer] = []
  /// Whether ``containerSnapshot`` must be shown because the next transition is a cross-fade. A cross-fade cannot
  /// continue a movement, and a clipped screen would cover the other one.
  private var dissolves = false
  /// The presenter that stays below the next screen. Its moving layers continue both in themselves and in layers above
  /// it.
  private var presenter: Layer?

  /// - Parameter run: The transition that is about to be interrupted.
  init(of run: TransitionRun) {
    let snapshots = DepartingSnapshots(
      of: run.layersLeaving, in: run.plan.container, reversedBy: run.cancelsWhenInterrupted ? run.group : nil)
    self.init(
      in: run.plan.container, departingSnapshots: snapshots, shown: run.leftoverLayers, leaving: run.departingSnapshots,
      groupLayers: run.layerGroup)
    for layer in (run.animator as? any HidingOriginals)?.continuedOriginals ?? [] {
      originals[ObjectIdentifier(layer)] = PresentedLayer(hidden: layer)
    }
  }

  /// - Parameter detached: The detached animation that is about to be interrupted. Its transition has already ended.
  init?(of detached: DetachedAnimation?) {
    guard let detached, let container = detached.container else { return nil }
    let snapshots = DepartingSnapshots(
      of: detached.departingSnapshots, in: container, reversedBy: detached.reversedGroup)
    self.init(
      in: container, departingSnapshots: snapshots, shown: detached.departingSnapshots, leaving: [],
      groupLayers: detached.layerGroup)
  }

  /// - Parameters:
  ///   - container: The container of the interrupted transition.
  ///   - departingSnapshots: The snapshots of the layers that leave.
  ///   - layers: The layers that an animator has added.
  ///   - snapshots: The snapshots of an earlier interruption.
  ///   - groupLayers: The layer group that the interrupted transition moved.
  private init(
    in container: Layer, departingSnapshots: DepartingSnapshots, shown layers: [Layer], leaving snapshots: [Layer],
    groupLayers: LayerGroup?
  ) {
    interruptedGroup = groupLayers.map { InterruptedLayerGroup(of: $0, in: container) }
    self.container = container
    self.departingSnapshots = departingSnapshots
    let visible = layers.filter { layer in !layer.isHidden && !snapshots.contains { $0 === layer } }
    let screens = container.sublayers.filter { layer in !(layers + snapshots).contains { $0 === layer } }
    substitutes = screens.allSatisfy(\.isHidden) ? visible : []
    containerSnapshot = container.visibleSnapshot()
    previousSnapshot = container.sublayers.last { $0.isDissolvingSnapshot && $0.remainingDissolveTime != nil }
    for layer in container.sublayers {
      var identifiers: [ObjectIdentifier] = []
      capture(at: layer, isAtTheTop: true, moving: &identifiers)
      if !identifiers.isEmpty { movingIdentities.append((layer, identifiers)) }
    }
  }

  /// Captures a layer and its sublayers. Layers at rest are captured too, because the next transition may start them at
  /// another position.
  private mutating func capture(at layer: Layer, isAtTheTop: Bool = false, moving identifiers: inout [ObjectIdentifier])
  {
    if layer.isHidden { return }
    if layer.isAnimating { identifiers.append(ObjectIdentifier(layer)) }
    var velocities: [LayerProperty: Double] = [:]
    var spans: [LayerProperty: Double] = [:]
    for property in layer.movingProperties {
      velocities[property] = layer.velocity(of: property)
      spans[property] = layer.span(of: property)
    }
    let counts = isAtTheTop || layer.isAnimating
    let presented = PresentedLayer(
      layer: layer, counts: counts, state: layer.presentation, velocities: velocities, spans: spans)
    layers[ObjectIdentifier(layer)] = presented
    if counts, let identity = layer.identity { identities[identity] = presented }
    for sublayer in layer.sublayers { capture(at: sublayer, moving: &identifiers) }
  }

  /// Lets the differences decay during the transition that has started.
  mutating func apply(into run: TransitionRun) {
    guard run.phase == .running, let stage = run.stage else { return }
    presenter = run.plan.keepsFromLayer ? run.plan.from.loadedLayer : nil
    groupLayers = run.layerGroup?.layers ?? []
    dissolves = run.animator is CrossFadeTransition && !movingIdentities.isEmpty
    let duration = run.group.map { $0.animators.isEmpty ? run.duration : $0.duration } ?? run.duration
    let screens = [run.plan.from, run.plan.to].compactMap(\.loadedLayer)
    let (springs, snapshots, attachedSnapshots) = apply(
      in: run.plan.container, of: screens, for: max(duration, 0.05), on: stage.timeline)
    run.residualAnimations += springs
    run.departingSnapshots += snapshots
    run.layerGroup?.attachedSnapshots = attachedSnapshots
    run.departingSnapshots += attachedSnapshots.map(\.snapshot)
    if let dissolving = [containerSnapshot, previousSnapshot].compactMap({ $0 }).first(where: { $0.superlayer != nil })
    {
      run.departingSnapshots.append(dissolving)
    }
  }

  /// Lets the differences decay without a transition. Used if the interruption has already led to the requested state.
  func makeDetachedAnimation() -> DetachedAnimation? {
    guard let stage = container.stage else { return nil }
    let (springs, snapshots, _) = apply(
      in: container, of: container.sublayers, for: DetachedAnimation.duration, on: stage.timeline)
    return DetachedAnimation(springs, snapshots, in: container, on: stage.timeline)
  }

  private func apply(
    in container: Layer, of screens: [Layer], for duration: Double, on timeline: Timeline
  ) -> (springs: [ResidualAnimation], snapshots: [Layer], attachedSnapshots: [LayerGroup.AttachedSnapshot]) {
    var all: [ResidualAnimation] = []
    var continued = Continued()
    for layer in container.sublayers {
      var identifiers: Set<ObjectIdentifier> = []
      all += residualAnimations(of: layer, for: duration, on: timeline, continuing: &identifiers)
      continued.layers.formUnion(identifiers)
      if !screens.contains(where: { $0 === layer }) { continued.continuedByAnimator.formUnion(identifiers) }
    }
    if let mover = groupLayers.first(where: { presentedLayer(of: $0) != nil }) {
      let others = groupLayers.filter { presentedLayer(of: $0) == nil }
      let positionSprings = mover.residualAnimations.filter { LayerState.placeProperties.contains($0.property) }
      all += others.flatMap { other in positionSprings.map { $0.matching(of: other) } }
      continued.layers.insert(ObjectIdentifier(mover))
      continued.continuedByAnimator.insert(ObjectIdentifier(mover))
    }
    let attachment = interruptedGroup.map { $0.attach(with: groupLayers, besides: continued.layers) } ?? ([], [], [])
    all += attachment?.springs ?? []
    continued.layers.formUnion(attachment?.departed.map { ObjectIdentifier($0) } ?? [])
    if attachment == nil || hasUncontinuedLayers(continuing: continued) {
      previousSnapshot?.removeAllAnimations()
      container.cover(with: containerSnapshot)
      continued.layers.formUnion(substitutes.map { ObjectIdentifier($0) })
    }
    let departed = departingSnapshots.insert(into: container, besides: continued.layers)
    for (snapshot, original) in departed {
      let captured = layers[ObjectIdentifier(original)]
      guard let presented = snapshot === departingSnapshots.merged ? PresentedLayer(appearanceOf: snapshot) : captured
      else {
        continue
      }
      all += residualAnimations(of: snapshot, from: presented, for: duration, on: timeline)
    }
    // The old snapshot continues to dissolve if no new one was needed.
    if let previousSnapshot, containerSnapshot.superlayer == nil { container.add(previousSnapshot) }
    return (all, departed.map(\.snapshot), attachment?.attachedSnapshots ?? [])
  }

  private func residualAnimations(
    of layer: Layer, for duration: Double, on timeline: Timeline, hidden isHidden: Bool = false,
    continuing: inout Set<ObjectIdentifier>
  ) -> [ResidualAnimation] {
    let isHidden = isHidden || layer.isHidden
    var springs: [ResidualAnimation] = []
    if let presented = presentedLayer(of: layer) {
      if !isHidden { continuing.insert(ObjectIdentifier(presented.layer)) }
      springs = self.residualAnimations(of: layer, from: presented, for: duration, on: timeline)
    }
    for sublayer in layer.sublayers {
      springs += self.residualAnimations(
        of: sublayer, for: duration, on: timeline, hidden: isHidden, continuing: &continuing)
    }
    return springs
  }

  /// Returns the residual springs that move a layer from its captured state to its current one.
  private func residualAnimations(
    of layer: Layer, from presented: PresentedLayer, for duration: Double, on timeline: Timeline
  ) -> [ResidualAnimation] {
    let now = layer.presentation
    var properties = LayerState.fixedProperties
    properties += Set(presented.state.values.keys).union(now.values.keys).sorted { $0.name < $1.name }.map {
      .value($0)
    }
    var springs: [ResidualAnimation] = []
    for property in properties {
      let distance = presented.state[property] - now[property]
      let velocity = (presented.velocities[property] ?? 0) - layer.velocity(of: property)
      guard abs(distance) > 1e-9 || abs(velocity) > 1e-6 else { continue }
      let span = max(presented.spans[property] ?? 0, layer.span(of: property))
      springs.append(
        ResidualAnimation(
          property, of: layer, distance: distance, velocity: velocity, duration: duration, span: span, on: timeline))
    }
    layer.residualAnimations += springs
    return springs
  }
}

@MainActor extension CapturedMotion.PresentedLayer {
  /// Creates the state of a layer that was hidden and fades in at its position.
  fileprivate init(hidden layer: Layer) {
    var state = layer.presentation
    state.opacity = 0
    self.init(layer: layer, counts: true, state: state, velocities: [:], spans: [:])
  }

  /// Creates the state of a snapshot that keeps its position and fades out.
  fileprivate init(appearanceOf snapshot: Layer) {
    var state = snapshot.model
    state.opacity = 1
    self.init(layer: snapshot, counts: false, state: state, velocities: [:], spans: [:])
  }
}

extension CapturedMotion {
  /// Returns whether something visible was neither kept nor continued: a layer that represented screens which are
  /// visible again, or a moving screen that another layer now represents.
  private func hasUncontinuedLayers(continuing continued: Continued) -> Bool {
    dissolves || substitutes.contains { !continued.continuedByAnimator.contains(ObjectIdentifier($0)) }
      || movingIdentities.contains { layer, identifiers in
        layer.isHidden && !identifiers.contains(where: continued.layers.contains)
      }
  }

  /// Returns the captured state from which a layer continues. A layer that was not visible continues from another layer
  /// with the same identity, if that is no longer visible.
  private func presentedLayer(of layer: Layer) -> PresentedLayer? {
    if let presented = layers[ObjectIdentifier(layer)] {
      return presented.counts || layer.isAnimating ? presented : nil
    }
    guard let other = layer.identity.flatMap({ identities[$0] }) else { return originals[ObjectIdentifier(layer)] }
    let isHidden = sequence(first: other.layer, next: \.superlayer).contains { $0.isHidden }
    let isNoLongerVisible = isHidden || other.layer.stage == nil
    return isNoLongerVisible || presenter?.contains(other.layer) == true ? other : originals[ObjectIdentifier(layer)]
  }
}

extension Layer {
  var movingProperties: Set<LayerProperty> {
    Set(animations.map(\.property)).union(residualAnimations.map(\.property))
  }

  /// Returns the total distance of the current movement of a property.
  fileprivate func span(of property: LayerProperty) -> Double {
    let animated = animations.filter { $0.property == property }.reduce(0) { $0 + abs($1.change) }
    return residualAnimations.filter { $0.property == property }.reduce(animated) { max($0, $1.span) }
  }
}

/// Layers that a transition moves as a group, such as two pages side by side, and the attached snapshots of layers that
/// have left.
@MainActor struct LayerGroup {
  /// A snapshot of a layer that has left. It moves with the first layer of the group.
  struct AttachedSnapshot {
    let snapshot: Layer
    let identity: TransitionID?
  }

  let layers: [Layer]
  var attachedSnapshots: [AttachedSnapshot] = []

}

/// The captured state of a layer group whose transition is interrupted.
@MainActor struct InterruptedLayerGroup {
  private struct Member {
    let layer: Layer
    /// The sublayer of the container that contains the layer.
    let top: Layer
    let attachedSnapshot: LayerGroup.AttachedSnapshot
    /// The presented frame in the container.
    let place: Rect

    @MainActor func continues(in other: Layer) -> Bool {
      other === layer || other.identity != nil && other.identity == attachedSnapshot.identity
    }
  }

  private let members: [Member]
  private let container: Layer

  /// - Parameters:
  ///   - group: The layer group.
  ///   - container: The container of the transition.
  init(of group: LayerGroup, in container: Layer) {
    self.container = container
    let layers =
      group.layers.map { ($0, nil as LayerGroup.AttachedSnapshot?) } + group.attachedSnapshots.map { ($0.snapshot, $0) }
    members = layers.compactMap { layer, attachedSnapshot in
      let path = Array(sequence(first: layer, next: \.superlayer).prefix { $0 !== container })
      let isVisible = !path.contains { $0.isHidden || $0.presentation.opacity <= 0 }
      guard isVisible, let top = path.last else { return nil }
      return Member(
        layer: layer, top: top,
        attachedSnapshot: attachedSnapshot
          ?? LayerGroup.AttachedSnapshot(snapshot: layer.snapshot(), identity: layer.identity),
        place: layer.presentedFrame(in: container))
    }
  }

  /// Attaches the snapshots of layers that have left to the group that moves now, if that group contains one of the
  /// captured layers.
  ///
  /// - Parameters:
  ///   - layers: The layers that move now, at their presented positions.
  ///   - continued: Layers whose motion continues in other layers.
  /// - Returns: The attached snapshots, the residual springs that lead them to their positions, and the sublayers of
  ///   the container that need no other snapshot. `nil` if a snapshot would cover one of the new layers, or if there
  ///   are too many snapshots.
  func attach(
    with layers: [Layer], besides continued: Set<ObjectIdentifier>
  ) -> (attachedSnapshots: [LayerGroup.AttachedSnapshot], springs: [ResidualAnimation], departed: [Layer])? {
    guard let carrier = layers.first, layers.contains(where: { layer in members.contains { $0.continues(in: layer) } })
    else { return ([], [], []) }
    let departed = members.filter { member in
      !continued.contains(ObjectIdentifier(member.layer)) && !layers.contains(where: member.continues)
    }
    let visible = departed.filter { !$0.place.cells.intersection(container.bounds.cells).isEmpty }
    let others = layers.dropFirst().map { $0.presentedFrame(in: container).cells }
    guard visible.count <= DepartingSnapshots.maximumSnapshots,
      !visible.contains(where: { member in others.contains { !$0.intersection(member.place.cells).isEmpty } })
    else { return nil }
    let springs = visible.flatMap { member in
      container.add(member.attachedSnapshot.snapshot)
      return member.attachedSnapshot.snapshot.follow(with: carrier, from: member.place)
    }
    return (visible.map(\.attachedSnapshot), springs, departed.map(\.top))
  }
}

extension Layer {
  /// Moves the layer with another layer, starting at its presented frame. Returns its residual springs.
  fileprivate func follow(with carrier: Layer, from start: Rect) -> [ResidualAnimation] {
    removeAllAnimations()
    isUserInteractionEnabled = false
    animations = carrier.animations.filter { LayerState.placeProperties.contains($0.property) }
    for animation in animations { animation.animator.adopt(self) }
    let springs = carrier.residualAnimations.filter { LayerState.placeProperties.contains($0.property) }
    let matchingSprings = springs.map { $0.matching(of: self) }
    withoutAnimation {
      (frame, transform) = (start, .identity)
      let presented = presentation
      frame.x -= presented.frame.x + presented.transform.translation.x - start.x
      frame.y -= presented.frame.y + presented.transform.translation.y - start.y
    }
    return matchingSprings
  }
}

/// The animations of an ended transition that are still visible. They continue to their ends, unless a new transition
/// takes them over.
@MainActor final class DetachedAnimation {
  /// Seconds for which residual springs without a duration of their own decay.
  static let duration = 0.25

  private(set) weak var container: Layer?
  /// The snapshots that are removed from the container at the end.
  private(set) var departingSnapshots: [Layer]
  /// The animations that return to their start, or `nil` if all continue to their ends.
  let reversedGroup: AnimationGroup?
  /// The layers that move as a group.
  let layerGroup: LayerGroup?
  private let size: Size
  private var finish: (@MainActor () -> Void)?
  private var timer: TimelineTimer?

  /// Creates a detached animation.
  ///
  /// - Parameters:
  ///   - time: The end, in the stage's seconds.
  ///   - container: The container of the transition.
  ///   - timeline: The timeline of the stage.
  ///   - snapshots: The snapshots that are removed at the end.
  ///   - reversedGroup: The animations that return to their start, or `nil` if all continue to their ends.
  ///   - layerGroup: The layers that move as a group.
  ///   - finish: Jumps to the end and removes the snapshots.
  init(
    until time: Double, in container: Layer, on timeline: Timeline, snapshots: [Layer],
    reversedGroup: AnimationGroup? = nil, layerGroup: LayerGroup? = nil, finish: @escaping @MainActor () -> Void
  ) {
    self.container = container
    size = container.bounds.size
    departingSnapshots = snapshots
    self.reversedGroup = reversedGroup
    self.layerGroup = layerGroup
    self.finish = finish
    timer = TimelineTimer(at: time, on: timeline) { [weak self] in self?.end() }
  }

  /// Lets residual springs decay. If there are none, removes the snapshots and returns `nil`.
  convenience init?(_ springs: [ResidualAnimation], _ snapshots: [Layer], in container: Layer, on timeline: Timeline) {
    let finish: @MainActor () -> Void = {
      for spring in springs { spring.stop() }
      for snapshot in snapshots { snapshot.removeFromSuperlayer() }
    }
    guard let end = springs.compactMap(\.eventTime).max() else {
      finish()
      return nil
    }
    self.init(until: end, in: container, on: timeline, snapshots: snapshots, finish: finish)
  }

  /// Whether the animation is still running.
  var isMoving: Bool { finish != nil }

  /// Jumps to the end.
  func end() {
    timer?.cancel()
    timer = nil
    let finish = finish
    self.finish = nil
    finish?()
    departingSnapshots = []
  }

  /// Jumps to the end if the size of the container has changed, because the animation was moving towards outdated
  /// positions.
  func containerWasLaidOut() {
    if container?.bounds.size != size { end() }
  }
}
