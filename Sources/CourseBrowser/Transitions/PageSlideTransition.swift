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

  /// A slide that something else interrupts: what it was about to bring is the page that leaves now.
  @MainActor struct Interrupted {
    /// Where that page is, in columns from its place, and how fast it goes, in columns a second.
    let column: Double
    let velocity: Double
    /// The page that was still leaving, and the one that stays.
    let leaving: any SlidingPage
    fileprivate let staying: any SlidingPage
    /// What showed the page that leaves, and a picture of it as it lies beside the other one.
    fileprivate let layers: [Layer]
    fileprivate let trace: Layer
    /// What is seen in the trail, where that was about to change, and the seconds for which it was to be seen still.
    fileprivate let trail: Layer?
    fileprivate let trailTime: Double

    /// Goes on as a part of another transition.
    ///
    /// - Returns: What slides along beside the page that stays; `nil` where the other one comes back.
    func goOn(in context: any TransitionContext) -> Layer? {
      let comesBack = context.to === leaving
      for page in [leaving, staying] { context.takeOver(page.trailLayer) }
      if let trail { staying.keepTrail(trail, for: comesBack ? PageSlideTransition.duration : trailTime) }
      guard !comesBack else { return nil }
      layers.forEach(context.takeOver)
      return trace
    }
  }

  private let towardsRight: Bool
  private(set) var onTheirWay: PagesOnTheirWay?
  /// The column in which it has begun, and what slides beside both pages.
  private var start = 0.0
  private var trace: Layer?
  /// The cards that are still on their way on the page that leaves, and go on with it, and the slide that carries those.
  private var chain: OpeningChain?
  private var ride: SlideCarriage.Ride?
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

  /// The pages lie side by side as wide as the terminal is now, and are as far on their way as they were.
  func containerDidResize(using context: any TransitionContext) {
    let new = context.container.bounds.width
    guard width > 0, new != width else { return }
    let travel = new * (towardsRight ? 1 : -1)
    let column = start * new / width
    width = new
    newSheet?.redirect(.translationX, from: column + travel, to: 0)
    oldSheet?.redirect(.translationX, from: column, to: -travel)
    ride?.fit(toWidth: new)
    if let trace { trace.frame.x = trace.frame.x < 0 ? -new : new }
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let old = context.from as? any SlidingPage
    let new = context.to as? any SlidingPage
    let interrupted = takeOver(context)
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
    (oldPage, newPage, self.carriage) = (old, new, carriage)
    (self.oldSheet, self.newSheet, width) = (oldSheet, newSheet, context.container.bounds.width)
    let travel = width * (towardsRight ? 1 : -1)
    // Both pages, and what is left of a third one, go as one piece.
    let column = start
    let distance = -travel - column
    let velocity = abs(distance) < 1 ? 0 : (interrupted?.velocity ?? 0) / distance
    let trace = trace
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

  /// Goes on with what was on its way, where both can be seen together; anything else gives way.
  ///
  /// - Returns: The slide that it goes on from; `nil` where none was on its way.
  private func takeOver(_ context: any TransitionContext) -> Interrupted? {
    guard let way = context.pagesOnTheirWay else { return nil }
    guard let slide = way.slide else {
      // A page that still leaves may lie where the neighbour comes from.
      guard way.carriage?.ride.trace == nil, let page = context.from as? any OpeningPage,
        let chain = OpeningChain(way.links.map { $0.keeping(way.openings) }), chain.holds(page)
      else { return nil }
      (self.chain, ride) = (chain, way.carriage?.ride)
      return nil
    }
    // Where cards on the page that comes back are still on their way, nothing else can go on as they do.
    guard way.carriage == nil || context.to !== slide.leaving else { return nil }
    (trace, start) = (slide.goOn(in: context), slide.column)
    return slide
  }

  func willBeInterrupted(goingBack: Bool) {
    // Cards that stay on their way on a page that comes back are nobody's to go on with.
    guard let oldPage, let newPage, let oldSheet, let newSheet, carriage == nil || !goingBack else { return }
    let (leaving, staying) = goingBack ? (newPage, oldPage) : (oldPage, newPage)
    let (leavingSheet, stayingSheet) = goingBack ? (newSheet, oldSheet) : (oldSheet, newSheet)
    let column = stayingSheet.presentation.transform.translation.x
    let trace = leavingSheet.snapshot()
    withoutAnimation {
      trace.transform = .identity
      trace.frame.x = leavingSheet.presentation.transform.translation.x - column
    }
    onTheirWay = PagesOnTheirWay(
      links: chain?.links ?? [], openings: carriage?.opening?.nested ?? [], carriage: carriage,
      slide: Interrupted(
        column: column, velocity: stayingSheet.velocity(of: .translationX), leaving: leaving, staying: staying,
        layers: [leaving.layer] + (carriage.map { [$0] } ?? []), trace: trace,
        trail: staying.trail(of: carriage?.trails ?? [leaving.trailLayer]),
        trailTime: leaving.trailTimeLeft ?? Self.trailTime))
  }
}

extension SlidingPage {
  /// A picture of what is seen in the trail, where a slide that is cut short was about to change that. The page's own trail
  /// would have to appear from nothing, since what is seen leaves with the other page.
  ///
  /// - Parameter trails: What the other page shows there.
  /// - Returns: `nil` where its own is seen already.
  fileprivate func trail(of trails: [Layer]) -> Layer? {
    let seen = trails.filter { !$0.isHidden && $0.presentation.opacity > 0.5 }
    guard trailLayer.presentation.opacity <= 0.5, !seen.isEmpty else { return nil }
    let picture = Layer(frame: trailLayer.bounds)
    picture.fill = .default
    for trail in seen {
      let (copy, place) = (trail.snapshot(), trail.presentedFrame(in: layer.superlayer))
      copy.frame.x = place.x - trailLayer.frame.x
      copy.frame.y = place.y
      picture.add(copy)
    }
    return picture
  }
}
