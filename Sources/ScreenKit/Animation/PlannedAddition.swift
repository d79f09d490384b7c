/// What the animations of one property will add to its model, at any moment, if no hand interferes.
@MainActor struct PlannedAddition {
  private let parts: [(animation: PropertyAnimation, motion: FractionMotion)]
  /// When the last of them arrives, in the stage's seconds.
  let end: Double
  private let first: Double

  /// Nil where nothing is planned: a hand drives, something runs on beyond an end, or the parts lead both ways.
  ///
  /// - Parameters:
  ///   - property: What moves.
  ///   - layer: Whose it is.
  ///   - now: The stage's time.
  ///   - end: Until when it must have arrived.
  init?(of property: LayerProperty, of layer: Layer, from now: Double, until end: Double) {
    var parts: [(animation: PropertyAnimation, motion: FractionMotion)] = []
    for animation in layer.animations where animation.property == property {
      let animator = animation.animator
      guard animator.isRunning, animator.group?.isDriving != true, let motion = animator.motion,
        motion.end <= end + 1e-9
      else { return nil }
      parts.append((animation, motion))
    }
    let additions = parts.map { $0.animation.addition(at: $0.motion.fraction(at: now)) }
    first = additions.reduce(0, +)
    guard abs(first) > 1e-6, additions.reduce(0, { $0 + abs($1) }) <= abs(first) * 1.001 else { return nil }
    self.parts = parts
    self.end = parts.map(\.motion.end).max() ?? now
  }

  /// The share of it that is left: 1 at the beginning, 0 at the end.
  func share(at time: Double) -> Double {
    if time >= end { return 0 }
    return parts.reduce(0) { $0 + $1.animation.addition(at: $1.motion.fraction(at: time)) } / first
  }

  /// How fast the share changes, a second.
  func velocity(at time: Double) -> Double {
    if time >= end { return 0 }
    var sum = 0.0
    for (animation, motion) in parts where animation.moves(at: motion.fraction(at: time)) {
      sum -= animation.change / animation.length * motion.velocity(at: time)
    }
    return sum / first
  }
}
