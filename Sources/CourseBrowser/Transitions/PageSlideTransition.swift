import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// A page gives way to the one beside it, in reading order; the trail stays where it is.
@MainActor final class PageSlideTransition: PageTransition {
  /// Seconds.
  static let duration = 0.26
  static let dampingRatio = 0.85
  /// Seconds for which a trail that was about to change stays as it is seen where something else begins: about as long as
  /// the slide would have taken to half of its way.
  static let trailTime = 0.05

  private let towardsRight: Bool
  private(set) var interruptedPages: InterruptedPages?
  /// The column in which it has begun, and what slides beside both pages.
  private var start = 0.0
  private var neighbour: Layer?
  /// The cards that still move on the page that leaves, and stay with it, and the slide that carries those.
  private var chain: OpeningChain?
  private var carriedSlide: SlideCarriage.Slide?
  private weak var carriage: SlideCarriage?
  private weak var oldPage: (any SlidingPage)?
  private weak var newPage: (any SlidingPage)?
  private weak var oldSheet: Layer?
  private weak var newSheet: Layer?
  /// Of the terminal, in columns.
  private var width = 0.0

  /// - Parameter towardsRight: Whether the new page comes from the right: it follows in reading order.
  init(towardsRight: Bool) {
    self.towardsRight = towardsRight
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { Self.duration }

  /// The pages lie side by side as wide as the terminal is now, and have come as far as they had.
  func containerDidResize(using context: any TransitionContext) {
    let new = context.container.bounds.width
    guard width > 0, new != width else { return }
    let travel = new * (towardsRight ? 1 : -1)
    let column = start * new / width
    width = new
    newSheet?.redirect(.translationX, from: column + travel, to: 0)
    oldSheet?.redirect(.translationX, from: column, to: -travel)
    carriedSlide?.fit(toWidth: new)
    if let neighbour { neighbour.frame.x = neighbour.frame.x < 0 ? -new : new }
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let old = context.from as? any SlidingPage
    let new = context.to as? any SlidingPage
    let interrupted = takeOver(context)
    let carriage = old.flatMap { old in
      chain?.makeLayer(size: context.container.bounds.size).map {
        SlideCarriage(
          $0, taking: carriedSlide ?? SlideCarriage.Slide(frame: old.sheet.frame, identity: nil, neighbour: nil))
      }
    }
    if let carriage {
      context.container.add(carriage, above: context.from.layer)
      context.from.layer.isHidden = true
    }
    let oldSheet = carriage ?? old?.sheet ?? context.from.layer
    let newSheet = new?.sheet ?? context.to.layer
    (oldPage, newPage, self.carriage) = (old, new, carriage)
    (self.oldSheet, self.newSheet, width) = (oldSheet, newSheet, context.container.bounds.width)
    let travel = width * (towardsRight ? 1 : -1)
    // Both pages, and what is left of a third one, go as one piece.
    let column = start
    let distance = -travel - column
    let velocity = abs(distance) < 1 ? 0 : (interrupted?.velocity ?? 0) / distance
    let neighbour = neighbour
    withoutAnimation {
      if let neighbour { oldSheet.add(neighbour) }
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
      neighbour?.removeFromSuperlayer()
      carriage?.removeFromSuperlayer()
      context.from.layer.isHidden = false
      withoutAnimation {
        for sheet in [oldSheet, newSheet] { sheet.transform = .identity }
        for page in [old, new] { page?.trailLayer.opacity = 1 }
      }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Continues what moved, where both can be seen together; anything else gives way.
  ///
  /// - Returns: The slide that it continues; `nil` where none moved.
  private func takeOver(_ context: any TransitionContext) -> SlideInFlight? {
    guard let way = context.interruptedPages else { return nil }
    guard let slide = way.slide else {
      // A page that still leaves may lie where the neighbour comes from.
      guard way.carriage?.slide.neighbour == nil, let page = context.from as? any OpeningPage,
        let chain = OpeningChain(way.links.map { $0.keeping(way.openings) }), chain.holds(page)
      else { return nil }
      (self.chain, carriedSlide) = (chain, way.carriage?.slide)
      return nil
    }
    // Where cards on the page that comes back still move, nothing else can continue as they do.
    guard way.carriage == nil || context.to !== slide.leaving else { return nil }
    (neighbour, start) = (slide.goOn(in: context), slide.column)
    return slide
  }

  func willBeInterrupted(goingBack: Bool) {
    // Cards that still move on a page that comes back cannot be continued.
    guard let oldPage, let newPage, let oldSheet, let newSheet, carriage == nil || !goingBack else { return }
    let (leaving, staying) = goingBack ? (newPage, oldPage) : (oldPage, newPage)
    let (leavingSheet, stayingSheet) = goingBack ? (newSheet, oldSheet) : (oldSheet, newSheet)
    let column = stayingSheet.presentation.transform.translation.x
    let neighbour = leavingSheet.snapshot()
    withoutAnimation {
      neighbour.transform = .identity
      neighbour.frame.x = leavingSheet.presentation.transform.translation.x - column
    }
    interruptedPages = InterruptedPages(
      links: chain?.links ?? [], openings: carriage?.opening?.nested ?? [], carriage: carriage,
      slide: SlideInFlight(
        column: column, velocity: stayingSheet.velocity(of: .translationX), leaving: leaving, staying: staying,
        layers: [leaving.layer] + (carriage.map { [$0] } ?? []), neighbour: neighbour,
        trail: staying.trail(of: carriage?.trails ?? [leaving.trailLayer]),
        trailTime: leaving.trailTimeLeft ?? Self.trailTime))
  }
}
