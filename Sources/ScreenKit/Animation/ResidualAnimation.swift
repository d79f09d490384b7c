/// The residual spring of an interrupted animation: an offset and a velocity that decay to zero and are added to the
/// running animations of a property.
///
/// If an animation of the property is running, the offset decays in proportion to its remaining distance, so that their
/// sum moves straight to the target. Otherwise the offset decays by itself. The velocity adds at most a tenth of the
/// distance.
@MainActor final class ResidualAnimation: TimelineEntry {
  let property: LayerProperty
  /// The total distance of the current movement, in units of the property.
  let span: Double
  private let distance: Double
  private let duration: Double
  private let initialVelocity: Double
  /// The factor by which the container was resized since the start.
  private var scale = 1.0
  private let plan: PlannedAddition?
  private let decay: Tween
  private let velocityDecay: Tween
  private let timeline: Timeline
  private weak var layer: Layer?

  /// Creates a residual spring and adds it to the timeline.
  ///
  /// - Parameters:
  ///   - property: The property that moves.
  ///   - layer: The layer that moves.
  ///   - distance: The presented value of the property minus the value that the new animations would present.
  ///   - velocity: The presented velocity minus the velocity of the new animations, in units per second.
  ///   - duration: Seconds until the offset has decayed.
  ///   - span: The total distance of the movement. Has no effect if less than the offset.
  ///   - timeline: The timeline of the stage.
  init(
    _ property: LayerProperty, of layer: Layer, distance: Double, velocity: Double, duration: Double, span: Double,
    on timeline: Timeline
  ) {
    let now = timeline.now
    self.property = property
    self.layer = layer
    self.timeline = timeline
    self.distance = distance
    self.duration = duration
    initialVelocity = velocity
    self.span = max(span, abs(distance))
    plan = PlannedAddition(of: property, of: layer, from: now, until: now + duration)
    // A critically damped spring, of whose distance one thousandth remains at the end of the duration.
    let spring = Spring(settlingDuration: duration)
    decay = Tween(from: distance, to: 0, spring: spring, velocity: 0, begin: now)
    let remainingVelocity = velocity - (plan.map { distance * $0.velocity(at: now) } ?? 0)
    velocityDecay = .velocityDecay(remainingVelocity, within: self.span / 10, by: spring, begin: now)
    timeline.add(self)
  }

  /// Adds an equal residual spring to another layer and returns it.
  func matching(of other: Layer) -> ResidualAnimation {
    let spring = ResidualAnimation(
      property, of: other, distance: distance, velocity: initialVelocity, duration: duration, span: span, on: timeline)
    other.residualAnimations.append(spring)
    return spring
  }

  var addition: Double {
    let now = timeline.now
    return scale
      * ((plan.map { distance * $0.remainingFraction(at: now) } ?? decay.value(at: now)) + velocityDecay.value(at: now))
  }

  var velocity: Double {
    let now = timeline.now
    return scale
      * ((plan.map { distance * $0.velocity(at: now) } ?? decay.velocity(at: now)) + velocityDecay.velocity(at: now))
  }

  /// Scales the remaining offset when the container is resized.
  func stretch(columns: Double, rows: Double) { scale *= property.stretch(columns: columns, rows: rows) }

  var eventTime: Double? { max(plan?.end ?? decay.end, velocityDecay.end) }
  func nextChange(from time: Double) -> Double? { layer?.stage == nil ? nil : time }

  func eventReached() {
    stop()
  }

  func timelineEnds() {
    stop()
  }

  func stop() {
    timeline.remove(self)
    layer?.residualAnimations.removeAll { $0 === self }
    layer?.setNeedsFrame()
  }
}

extension Tween {
  /// Returns a motion that starts at 0 with a velocity and returns to 0, as a critically damped spring. Such a spring
  /// moves velocity / (e · ω) away; it is stiffened if that would exceed `reach`.
  fileprivate static func velocityDecay(_ velocity: Double, within reach: Double, by calm: Spring, begin: Double)
    -> Tween
  {
    let frequency = max(calm.angularFrequency, abs(velocity) / (2.718281828459045 * max(reach, 1e-3)))
    return Tween(
      from: 0, to: 0, spring: Spring(duration: 2 * .pi / frequency, bounce: 0), velocity: velocity, begin: begin)
  }
}

/// The value that the running animations of one property will add to its model at each time, provided that no gesture
/// interferes.
@MainActor struct PlannedAddition {
  private let animations: [(animation: PropertyAnimation, motion: FractionMotion)]
  /// The end of the last animation, in the stage's seconds.
  let end: Double
  private let first: Double

  /// Creates the plan. Returns `nil` if the values cannot be predicted, because a gesture drives an animation or an
  /// animation ends after `end`. Also returns `nil` if there is no distance or the animations move in opposite
  /// directions.
  ///
  /// - Parameters:
  ///   - property: The property that moves.
  ///   - layer: The layer that moves.
  ///   - now: The stage's time.
  ///   - end: The time at which all animations must have ended.
  init?(of property: LayerProperty, of layer: Layer, from now: Double, until end: Double) {
    var runningAnimations: [(animation: PropertyAnimation, motion: FractionMotion)] = []
    for animation in layer.animations where animation.property == property {
      let animator = animation.animator
      guard animator.isRunning, animator.group?.isDriving != true, let motion = animator.motion,
        motion.end <= end + 1e-9
      else { return nil }
      runningAnimations.append((animation, motion))
    }
    let additions = runningAnimations.map { $0.animation.addition(at: $0.motion.fraction(at: now)) }
    first = additions.reduce(0, +)
    guard abs(first) > 1e-6, additions.reduce(0, { $0 + abs($1) }) <= abs(first) * 1.001 else { return nil }
    self.animations = runningAnimations
    self.end = runningAnimations.map(\.motion.end).max() ?? now
  }

  /// Returns the remaining share of the distance: 1 at the beginning, 0 at the end.
  func remainingFraction(at time: Double) -> Double {
    if time >= end { return 0 }
    return animations.reduce(0) { $0 + $1.animation.addition(at: $1.motion.fraction(at: time)) } / first
  }

  /// Returns the rate of change of the share, per second.
  func velocity(at time: Double) -> Double {
    if time >= end { return 0 }
    var sum = 0.0
    for (animation, motion) in animations where animation.moves(at: motion.fraction(at: time)) {
      sum -= animation.change / animation.length * motion.velocity(at: time)
    }
    return sum / first
  }
}
