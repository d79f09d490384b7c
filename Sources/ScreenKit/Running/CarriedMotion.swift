import TextCanvas

/// What is seen of the layers of a container at the moment a transition is interrupted, so that the next one goes on
/// from there: every layer keeps its place and velocity, and the difference to what the next transition shows dies away
/// while that runs.
@MainActor struct CarriedMotion {
  private struct Seen {
    let layer: Layer
    let state: LayerState
    let velocities: [LayerProperty: Double]
  }

  private var layers: [ObjectIdentifier: Seen] = [:]
  private var identities: [TransitionID: Seen] = [:]

  init(in container: Layer) {
    for layer in container.sublayers { look(at: layer, isAtTheTop: true) }
  }

  /// What stands still in the container is seen as well: the next transition may want to begin it elsewhere.
  private mutating func look(at layer: Layer, isAtTheTop: Bool = false) {
    if layer.isHidden { return }
    if isAtTheTop || layer.isAnimating {
      var velocities: [LayerProperty: Double] = [:]
      for property in layer.movingProperties { velocities[property] = layer.velocity(of: property) }
      let seen = Seen(layer: layer, state: layer.presentation, velocities: velocities)
      layers[ObjectIdentifier(layer)] = seen
      if let identity = layer.identity { identities[identity] = seen }
    }
    for sublayer in layer.sublayers { look(at: sublayer) }
  }

  /// Lets the differences die away in the time of the transition that has begun.
  func settle(into run: TransitionRun) {
    guard run.phase == .running, let stage = run.stage else { return }
    let duration = max(run.duration, 0.05)
    for layer in run.plan.container.sublayers { run.carried += settlings(of: layer, for: duration, on: stage.timeline) }
  }

  private func settlings(of layer: Layer, for duration: Double, on timeline: Timeline) -> [Settling] {
    var settlings: [Settling] = []
    if let seen = seen(of: layer) {
      let now = layer.presentation
      var properties = LayerState.fixedProperties
      properties += Set(seen.state.values.keys).union(now.values.keys).sorted { $0.name < $1.name }.map { .value($0) }
      for property in properties {
        let distance = seen.state[property] - now[property]
        let velocity = (seen.velocities[property] ?? 0) - layer.velocity(of: property)
        guard abs(distance) > 1e-9 || abs(velocity) > 1e-6 else { continue }
        settlings.append(
          Settling(property, of: layer, distance: distance, velocity: velocity, duration: duration, on: timeline))
      }
    }
    layer.settlings += settlings
    return settlings + layer.sublayers.flatMap { self.settlings(of: $0, for: duration, on: timeline) }
  }
}

extension CarriedMotion {
  /// What was seen of a layer that moved, or of another one of its identity that is seen no more.
  private func seen(of layer: Layer) -> Seen? {
    if let seen = layers[ObjectIdentifier(layer)] { return seen }
    guard let other = layer.identity.flatMap({ identities[$0] }) else { return nil }
    return other.layer.isHidden || other.layer.stage == nil ? other : nil
  }
}

extension Layer {
  var movingProperties: Set<LayerProperty> {
    Set(animations.map(\.property)).union(settlings.map(\.property))
  }
}
