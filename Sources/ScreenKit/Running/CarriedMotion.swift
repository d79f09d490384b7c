import TextCanvas

/// What is seen of the layers of a container at the moment a transition is interrupted, so that the next one goes on
/// from there: every layer keeps its place and velocity, and the difference to what the next transition shows dies away
/// while that runs. What the interruption sends away goes on as a still picture.
@MainActor struct CarriedMotion {
  private struct Seen {
    let layer: Layer
    /// Whether it was a screen's layer, or moved: what only stood in one counts where the next transition moves it.
    let counts: Bool
    let state: LayerState
    let velocities: [LayerProperty: Double]
    /// How long the ways are that it is on.
    let spans: [LayerProperty: Double]
  }

  private var layers: [ObjectIdentifier: Seen] = [:]
  private var identities: [TransitionID: Seen] = [:]
  private let container: Layer
  private let stills: DepartingStills
  /// What stays under the screen that comes now; its moving layers go on, and so do those that come over them.
  private var presenter: Layer?

  /// - Parameter run: The transition that is about to be interrupted.
  init(of run: TransitionRun) {
    let stills = DepartingStills(
      of: run.layersLeaving, in: run.plan.container, takenBackBy: run.goesBackWhenInterrupted ? run.group : nil)
    self.init(in: run.plan.container, stills: stills)
  }

  /// - Parameter loose: What is about to be interrupted after its transition is over.
  init?(of loose: LooseMotion?) {
    guard let loose, let container = loose.container else { return nil }
    self.init(in: container, stills: DepartingStills(of: loose.stills, in: container, takenBackBy: loose.takenBack))
  }

  private init(in container: Layer, stills: DepartingStills) {
    self.container = container
    self.stills = stills
    for layer in container.sublayers { look(at: layer, isAtTheTop: true) }
  }

  /// What stands still in the container is seen as well: the next transition may want to begin it elsewhere.
  private mutating func look(at layer: Layer, isAtTheTop: Bool = false) {
    if layer.isHidden { return }
    var velocities: [LayerProperty: Double] = [:]
    var spans: [LayerProperty: Double] = [:]
    for property in layer.movingProperties {
      velocities[property] = layer.velocity(of: property)
      spans[property] = layer.span(of: property)
    }
    let counts = isAtTheTop || layer.isAnimating
    let seen = Seen(layer: layer, counts: counts, state: layer.presentation, velocities: velocities, spans: spans)
    layers[ObjectIdentifier(layer)] = seen
    if counts, let identity = layer.identity { identities[identity] = seen }
    for sublayer in layer.sublayers { look(at: sublayer) }
  }

  /// Lets the differences die away in the time of the transition that has begun.
  mutating func settle(into run: TransitionRun) {
    guard run.phase == .running, let stage = run.stage else { return }
    presenter = run.plan.keepsFromLayer ? run.plan.from.loadedLayer : nil
    let duration = run.group.map { $0.animators.isEmpty ? run.duration : $0.duration } ?? run.duration
    let (settlings, stills) = settle(in: run.plan.container, for: max(duration, 0.05), on: stage.timeline)
    run.carried += settlings
    run.stills += stills
  }

  /// Lets the differences die away by themselves: what interrupted came to nothing, since the interruption alone has led
  /// where it wanted to go.
  func settleAlone() -> LooseMotion? {
    guard let stage = container.stage else { return nil }
    let (settlings, stills) = settle(in: container, for: LooseMotion.duration, on: stage.timeline)
    return LooseMotion(settlings, stills, in: container, on: stage.timeline)
  }

  private func settle(
    in container: Layer, for duration: Double, on timeline: Timeline
  ) -> (settlings: [Settling], stills: [Layer]) {
    var all: [Settling] = []
    var continued: Set<ObjectIdentifier> = []
    for layer in container.sublayers {
      all += settlings(of: layer, for: duration, on: timeline, continuing: &continued)
    }
    let departed = stills.insert(into: container, besides: continued)
    for (still, original) in departed {
      guard let seen = layers[ObjectIdentifier(original)] else { continue }
      all += settlings(of: still, from: seen, for: duration, on: timeline)
    }
    return (all, departed.map(\.still))
  }

  private func settlings(
    of layer: Layer, for duration: Double, on timeline: Timeline, continuing: inout Set<ObjectIdentifier>
  ) -> [Settling] {
    var settlings: [Settling] = []
    if let seen = seen(of: layer) {
      continuing.insert(ObjectIdentifier(seen.layer))
      settlings = self.settlings(of: layer, from: seen, for: duration, on: timeline)
    }
    for sublayer in layer.sublayers {
      settlings += self.settlings(of: sublayer, for: duration, on: timeline, continuing: &continuing)
    }
    return settlings
  }

  /// What leads one layer from what was seen to where it is now.
  private func settlings(
    of layer: Layer, from seen: Seen, for duration: Double, on timeline: Timeline
  ) -> [Settling] {
    let now = layer.presentation
    var properties = LayerState.fixedProperties
    properties += Set(seen.state.values.keys).union(now.values.keys).sorted { $0.name < $1.name }.map { .value($0) }
    var settlings: [Settling] = []
    for property in properties {
      let distance = seen.state[property] - now[property]
      let velocity = (seen.velocities[property] ?? 0) - layer.velocity(of: property)
      guard abs(distance) > 1e-9 || abs(velocity) > 1e-6 else { continue }
      let span = max(seen.spans[property] ?? 0, layer.span(of: property))
      settlings.append(
        Settling(
          property, of: layer, distance: distance, velocity: velocity, duration: duration, span: span, on: timeline))
    }
    layer.settlings += settlings
    return settlings
  }
}

extension CarriedMotion {
  /// What was seen of a layer that moved. One that was not seen at all goes on where another one of its identity was,
  /// which is seen no more.
  private func seen(of layer: Layer) -> Seen? {
    if let seen = layers[ObjectIdentifier(layer)] { return seen.counts || layer.isAnimating ? seen : nil }
    guard let other = layer.identity.flatMap({ identities[$0] }) else { return nil }
    let isHidden = sequence(first: other.layer, next: \.superlayer).contains { $0.isHidden }
    let isSeenNoMore = isHidden || other.layer.stage == nil
    return isSeenNoMore || presenter?.contains(other.layer) == true ? other : nil
  }
}

extension Layer {
  var movingProperties: Set<LayerProperty> {
    Set(animations.map(\.property)).union(settlings.map(\.property))
  }

  /// How long the way is that a property is on.
  fileprivate func span(of property: LayerProperty) -> Double {
    let animated = animations.filter { $0.property == property }.reduce(0) { $0 + abs($1.change) }
    return settlings.filter { $0.property == property }.reduce(animated) { max($0, $1.span) }
  }
}
