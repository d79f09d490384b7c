/// What is left of an interrupted motion: a distance and a velocity that die away on top of what runs.
///
/// The distance dies away as the new motion of that property proceeds, so that their sum leads straight to the end; alone
/// where there is none. What the velocity carries on top of that is at most a tenth of the way.
@MainActor final class Settling: TimelineEntry {
  let property: LayerProperty
  /// How long the way is that is under way, in units of the property.
  let span: Double
  private let distance: Double
  private let duration: Double
  private let impetus: Double
  /// By how much its container was stretched since it began.
  private var scale = 1.0
  private let plan: PlannedAddition?
  private let calm: Tween
  private let impulse: Tween
  private let timeline: Timeline
  private weak var layer: Layer?

  /// - Parameters:
  ///   - distance: From where the new motion would show the property to where it is seen.
  ///   - velocity: How much faster it is seen to move than the new motion would show it.
  ///   - duration: Seconds until nothing is left.
  ///   - span: The length of the way, where that is more than the distance.
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
    impetus = velocity
    self.span = max(span, abs(distance))
    plan = PlannedAddition(of: property, of: layer, from: now, until: now + duration)
    // A spring without overshoot that has a thousandth of the distance left when the duration is over.
    let spring = Spring(settlingDuration: duration)
    calm = Tween(from: distance, to: 0, spring: spring, velocity: 0, begin: now)
    let rest = velocity - (plan.map { distance * $0.velocity(at: now) } ?? 0)
    impulse = .impulse(rest, within: self.span / 10, by: spring, begin: now)
    timeline.add(self)
  }

  /// The same for another layer that moves as this one does.
  func alike(of other: Layer) -> Settling {
    let settling = Settling(
      property, of: other, distance: distance, velocity: impetus, duration: duration, span: span, on: timeline)
    other.settlings.append(settling)
    return settling
  }

  var addition: Double {
    let now = timeline.now
    return scale * ((plan.map { distance * $0.share(at: now) } ?? calm.value(at: now)) + impulse.value(at: now))
  }

  var velocity: Double {
    let now = timeline.now
    return scale
      * ((plan.map { distance * $0.velocity(at: now) } ?? calm.velocity(at: now)) + impulse.velocity(at: now))
  }

  /// Keeps its share of the way when its container is stretched.
  func stretch(columns: Double, rows: Double) { scale *= property.stretch(columns: columns, rows: rows) }

  var eventTime: Double? { max(plan?.end ?? calm.end, impulse.end) }
  func nextChange(from time: Double) -> Double? { layer?.stage == nil ? nil : time }

  func eventReached() {
    stop()
  }

  func timelineEnds() {
    stop()
  }

  func stop() {
    timeline.remove(self)
    layer?.settlings.removeAll { $0 === self }
    layer?.setNeedsFrame()
  }
}

extension Tween {
  /// A velocity that dies away and comes back to where it began, on a critically damped spring that is made stiffer where
  /// it would lead farther than a reach: without a distance such a spring goes velocity / (e · ω) far.
  fileprivate static func impulse(_ velocity: Double, within reach: Double, by calm: Spring, begin: Double) -> Tween {
    let frequency = max(calm.angularFrequency, abs(velocity) / (2.718281828459045 * max(reach, 1e-3)))
    return Tween(
      from: 0, to: 0, spring: Spring(duration: 2 * .pi / frequency, bounce: 0), velocity: velocity, begin: begin)
  }
}

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
