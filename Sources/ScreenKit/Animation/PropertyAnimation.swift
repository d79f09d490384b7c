import Motion

/// One number of one layer on its way: it adds to the model what is still missing of the change.
///
/// Several of one property add up, so that a change of plan bends the way instead of breaking it.
struct PropertyAnimation {
  let property: LayerProperty
  /// The value before, less the value after.
  var change: Double
  /// The part of the animator's fraction in which it runs, both within 0…1.
  let start: Double
  let length: Double
  let animator: Animator

  /// What it adds to the model at an animator's fraction.
  @MainActor func addition(at fraction: Double) -> Double {
    change * (1 - progress(at: fraction))
  }

  /// How far it has come; beyond 0…1 where the animator's curve goes beyond, but only past its own end of it.
  @MainActor func progress(at fraction: Double) -> Double {
    guard length > 0 else { return fraction >= start && fraction > 0 ? 1 : 0 }
    let progress = (fraction - start) / length
    let isFirst = start <= 0
    let isLast = start + length >= 1
    return max(isFirst ? -.infinity : 0, min(isLast ? .infinity : 1, progress))
  }
}

/// What is left of an interrupted motion: a distance and a velocity that die away on top of whatever goes on.
@MainActor final class Settling: TimelineEntry {
  let property: LayerProperty
  private let motion: FractionMotion
  private let timeline: Timeline
  private weak var layer: Layer?

  init(
    _ property: LayerProperty, of layer: Layer, distance: Double, velocity: Double, duration: Double,
    on timeline: Timeline
  ) {
    self.property = property
    self.layer = layer
    self.timeline = timeline
    // Cut off when less than a thousandth of the distance is left, as all springs here are.
    let spring = Spring(settlingDuration: duration)
    motion = FractionMotion(
      start: timeline.now, from: distance, to: 0, duration: duration, path: .spring(spring, velocity: velocity))
    timeline.add(self)
  }

  var addition: Double { motion.fraction(at: timeline.now) }
  var velocity: Double { motion.velocity(at: timeline.now) }
  var eventTime: Double? { motion.end }
  func nextChange(from time: Double) -> Double? { layer?.stage == nil ? nil : time }

  func eventReached() {
    stop()
    layer?.setNeedsFrame()
  }

  func stop() {
    timeline.remove(self)
    layer?.settlings.removeAll { $0 === self }
  }
}
