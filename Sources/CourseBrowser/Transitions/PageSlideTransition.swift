import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// A page gives way to the one beside it, in reading order; the trail stays where it is.
@MainActor final class PageSlideTransition: AnimatedTransitioning {
  /// Seconds.
  static let duration = 0.26
  static let dampingRatio = 0.85
  /// Seconds for which a trail that was about to change stays as it is seen where something else begins: about as long as
  /// the slide would have taken to half of its way.
  static let trailTime = 0.05

  /// A slide that another one interrupts: what it was about to bring is the page that leaves now.
  struct Interrupted {
    /// Where that page is, in columns from its place, and how fast it goes, in columns a second.
    var column: Double
    var velocity: Double
    /// What was still leaving, as it lies beside that page; `nil` where it comes back.
    var trace: Layer?
  }

  private let towardsRight: Bool
  private let interrupted: Interrupted?
  private let chain: OpeningChain?
  private let ride: SlideCarriage.Ride?
  private weak var oldSheet: Layer?
  private weak var newSheet: Layer?
  /// Of the terminal, in columns.
  private var width = 0.0

  /// - Parameters:
  ///   - towardsRight: Whether the new page comes from the right: it follows in reading order.
  ///   - interrupted: The slide that this one goes on from; `nil` where all stood still.
  ///   - chain: The cards that are still on their way on the page that leaves, and go on with it.
  ///   - ride: The slide that still carries those.
  init(
    towardsRight: Bool, interrupting interrupted: Interrupted? = nil, carrying chain: OpeningChain? = nil,
    taking ride: SlideCarriage.Ride? = nil
  ) {
    self.towardsRight = towardsRight
    self.interrupted = interrupted
    self.chain = chain
    self.ride = ride
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { Self.duration }

  /// The pages lie side by side as wide as the terminal is now, and are as far on their way as they were.
  func containerDidResize(using context: any TransitionContext) {
    let new = context.container.bounds.width
    guard width > 0, new != width else { return }
    let travel = new * (towardsRight ? 1 : -1)
    let column = (interrupted?.column ?? 0) * new / width
    width = new
    newSheet?.redirect(.translationX, from: column + travel, to: 0)
    oldSheet?.redirect(.translationX, from: column, to: -travel)
    ride?.fit(toWidth: new)
    if let trace = interrupted?.trace { trace.frame.x = trace.frame.x < 0 ? -new : new }
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let old = context.from as? any SlidingPage
    let new = context.to as? any SlidingPage
    let carriage = old.flatMap { old in
      chain?.makeLayer(size: context.container.bounds.size).map {
        SlideCarriage($0, taking: ride ?? SlideCarriage.Ride(frame: old.sheet.frame, identity: nil, trace: nil))
      }
    }
    if let carriage {
      context.container.add(carriage, above: context.from.layer)
      context.from.layer.isHidden = true
    }
    let oldSheet = carriage ?? old?.sheet ?? context.from.layer
    let newSheet = new?.sheet ?? context.to.layer
    (self.oldSheet, self.newSheet, width) = (oldSheet, newSheet, context.container.bounds.width)
    let travel = width * (towardsRight ? 1 : -1)
    // Both pages, and what is left of a third one, go as one piece.
    let column = interrupted?.column ?? 0
    let distance = -travel - column
    let velocity = abs(distance) < 1 ? 0 : (interrupted?.velocity ?? 0) / distance
    let trace = interrupted?.trace
    withoutAnimation {
      if let trace { oldSheet.add(trace) }
      oldSheet.transform.translation.x = column
      newSheet.transform.translation.x = column + travel
      old?.trailLayer.opacity = 1
      new?.trailLayer.opacity = old == nil ? 1 : 0
    }
    let duration = transitionDuration(using: context)
    // What is said of the place changes in one step, half way.
    let step = Keyframe(start: 0.499, duration: 0.001) {
      for layer in carriage?.trails ?? [] { layer.opacity = 0 }
      old?.trailLayer.opacity = 0
      new?.trailLayer.opacity = 1
    }
    let curve = TimingCurve.spring(
      duration: duration, dampingRatio: Self.dampingRatio, initialVelocity: velocity)
    animateKeyframes(duration: duration, curve: curve, [step])
    animate(duration: duration, curve: curve) {
      newSheet.transform.translation.x = 0
      oldSheet.transform.translation.x = -travel
    } completion: { _ in
      trace?.removeFromSuperlayer()
      carriage?.removeFromSuperlayer()
      context.from.layer.isHidden = false
      withoutAnimation {
        for sheet in [oldSheet, newSheet] { sheet.transform = .identity }
        for page in [old, new] { page?.trailLayer.opacity = 1 }
      }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
