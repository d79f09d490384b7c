import ScreenKit
import TextCanvas

/// Slides from a page to its neighbour in reading order. The breadcrumb does not move.
@MainActor final class PageSlideTransition: PageTransition {
  /// The duration in seconds.
  static let duration = 0.26
  static let dampingRatio = 0.85
  /// The number of seconds for which the visible breadcrumb stays if the slide is interrupted before its middle, where
  /// the breadcrumb changes. The slide would have taken about this time to reach its middle.
  static let breadcrumbHoldTime = 0.05

  private let towardsRight: Bool
  private(set) var interruptedCards: InterruptedCards?
  /// The moving cards on the page that leaves, with their layer. They slide together with the page.
  private var chain: OpeningChain?
  private weak var opening: OpeningLayer?
  private weak var oldPage: (any SlidingPage)?
  private weak var newPage: (any SlidingPage)?
  private weak var oldSheet: Layer?
  private weak var newSheet: Layer?

  /// Creates the transition.
  ///
  /// - Parameter towardsRight: Whether the new page comes from the right, because it is the next one in reading order.
  init(towardsRight: Bool) {
    self.towardsRight = towardsRight
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { Self.duration }

  /// Adjusts the distance to the new width. The progress does not change.
  func containerDidResize(using context: any TransitionContext) {
    let travel = travel(context)
    newSheet?.redirect(.translationX, from: travel, to: 0)
    oldSheet?.redirect(.translationX, from: 0, to: -travel)
  }

  /// Returns the distance by which both pages slide, in columns to the left.
  private func travel(_ context: any TransitionContext) -> Double {
    context.container.bounds.width * (towardsRight ? 1 : -1)
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let old = context.from as? any SlidingPage
    let new = context.to as? any SlidingPage
    let opening = adoptInterrupted(context)
    if let opening {
      context.container.add(opening, above: context.from.layer)
      context.from.layer.isHidden = true
    }
    let oldSheet: Layer = opening ?? old?.sheet ?? context.from.layer
    let newSheet = new?.sheet ?? context.to.layer
    (oldPage, newPage, self.opening) = (old, new, opening)
    (self.oldSheet, self.newSheet) = (oldSheet, newSheet)
    context.moveTogether([oldSheet, newSheet])
    let travel = travel(context)
    withoutAnimation {
      newSheet.transform.translation.x = travel
      old?.breadcrumbLayer.opacity = 1
      new?.breadcrumbLayer.opacity = old == nil ? 1 : 0
    }
    let duration = transitionDuration(using: context)
    // The breadcrumb changes in a single step, in the middle of the slide.
    let step = Keyframe(start: 0.499, duration: 0.001) {
      for layer in opening?.breadcrumbLayers ?? [] { layer.opacity = 0 }
      old?.breadcrumbLayer.opacity = 0
      new?.breadcrumbLayer.opacity = 1
    }
    let curve = TimingCurve.spring(duration: duration, dampingRatio: Self.dampingRatio, initialVelocity: 0)
    animateKeyframes(duration: duration, curve: curve, [step])
    animate(duration: duration, curve: curve) {
      newSheet.transform.translation.x = 0
      oldSheet.transform.translation.x = -travel
    } completion: { _ in
      opening?.removeFromSuperlayer()
      context.from.layer.isHidden = false
      withoutAnimation {
        for sheet in [oldSheet, newSheet] { sheet.transform = .identity }
        for page in [old, new] { page?.breadcrumbLayer.opacity = 1 }
      }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Continues an interrupted transition. If the new page returns after an interrupted slide, its breadcrumb stays
  /// visible until the page has arrived. Cards that are moving on the page that leaves slide together with it.
  ///
  /// - Returns: The layer of these cards, or `nil` if no card is moving.
  private func adoptInterrupted(_ context: any TransitionContext) -> OpeningLayer? {
    guard let page = context.from as? any OpeningPage & SlidingPage else { return nil }
    if let slide = context.interrupted as? PageSlideTransition, slide.oldPage === context.to {
      page.holdBreadcrumb(for: Self.duration)
    }
    guard let cards = context.interruptedCards,
      let chain = OpeningChain(cards.links.map { $0.keeping(cards.openings) }), chain.holds(page)
    else { return nil }
    self.chain = chain
    return chain.makeLayer(size: context.container.bounds.size)
  }

  func willBeInterrupted(goingBack: Bool) {
    guard let oldPage, let newPage else { return }
    let (leaving, staying) = goingBack ? (newPage, oldPage) : (oldPage, newPage)
    staying.adoptBreadcrumb(
      from: opening?.breadcrumbLayers ?? [leaving.breadcrumbLayer],
      for: leaving.remainingBreadcrumbTime ?? Self.breadcrumbHoldTime)
    guard let chain, let opening, !goingBack else { return }
    interruptedCards = InterruptedCards(links: chain.links, openings: opening.nested)
  }
}

extension SlidingPage {
  /// Keeps the visible breadcrumb if an interrupted slide had not changed it yet. If it were not kept, the page's own
  /// breadcrumb would appear abruptly, because the visible one leaves with the other page.
  ///
  /// - Parameters:
  ///   - breadcrumbLayers: The breadcrumb layers of the other page.
  ///   - seconds: The number of seconds for which the breadcrumb is kept, unless the page already shows its own.
  fileprivate func adoptBreadcrumb(from breadcrumbLayers: [Layer], for seconds: Double) {
    let visibleLayers = breadcrumbLayers.filter { !$0.isHidden && $0.presentation.opacity > 0.5 }
    guard breadcrumbLayer.presentation.opacity <= 0.5, !visibleLayers.isEmpty else { return }
    let snapshot = Layer(frame: breadcrumbLayer.bounds)
    snapshot.fill = .default
    for visibleLayer in visibleLayers {
      let (copy, frame) = (visibleLayer.snapshot(), visibleLayer.presentedFrame(in: layer.superlayer))
      copy.frame.x = frame.x - breadcrumbLayer.frame.x
      copy.frame.y = frame.y
      snapshot.add(copy)
    }
    holdBreadcrumb(snapshot, for: seconds)
    breadcrumbLayer.removeAllAnimations()
    withoutAnimation { breadcrumbLayer.opacity = 1 }
  }
}
