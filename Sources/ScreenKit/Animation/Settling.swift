import Motion

/// What is left of an interrupted motion: a distance and a velocity that die away on top of whatever goes on.
@MainActor final class Settling: TimelineEntry {
  let property: LayerProperty
  private let motion: Tween
  private let timeline: Timeline
  private weak var layer: Layer?

  init(
    _ property: LayerProperty, of layer: Layer, distance: Double, velocity: Double, duration: Double,
    on timeline: Timeline
  ) {
    self.property = property
    self.layer = layer
    self.timeline = timeline
    // A spring without overshoot that has a thousandth of the distance left when the duration is over.
    motion = Tween(
      from: distance, to: 0, spring: Spring(settlingDuration: duration), velocity: velocity, begin: timeline.now)
    timeline.add(self)
  }

  var addition: Double { motion.value(at: timeline.now) }
  var velocity: Double { motion.velocity(at: timeline.now) }
  var eventTime: Double? { motion.end }
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
