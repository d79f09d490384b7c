import CoursePages
import LearningModel
import Motion
import ScreenKit
import TextCanvas

/// A card opens and becomes the page; the way back is the same, backwards.
///
/// Both pages are looked up when the transition begins, never before: after scrolling, resizing or another import the
/// card is found where it is now, and where it is not to be found the pages fade.
@MainActor final class OpenCardTransition: AnimatedTransitioning {
  enum Direction { case down, up }

  /// Seconds down and up.
  static let downDuration = 0.28
  static let upDuration = 0.24

  private let direction: Direction
  private let node: NodeID
  private let fallback = CrossFadeTransition()
  /// The page that shows the card, and the one that the card becomes.
  private weak var above: (any OpeningPage)?
  private weak var below: (any OpeningPage)?
  private weak var opening: OpeningLayer?
  private let chain: OpeningChain?
  private let ride: SlideCarriage.Ride?
  private let before: OpeningLayer?

  /// Makes one, where the screens match: both are pages that can be taken apart, and the card is on the one above.
  /// Otherwise `nil`.
  ///
  /// - Parameters:
  ///   - direction: Whether the card opens, or is gone back to.
  ///   - node: What the card stands for.
  ///   - from: The screen that is there.
  ///   - to: The screen that will be there.
  ///   - chain: The cards that are still on their way, this one among them; `nil` where no other is.
  ///   - ride: The slide of the page that it begins on, which goes on to its place; `nil` where that stands still.
  ///   - before: What stood for the same card until now, on its way; `nil` where nothing did.
  init?(
    _ direction: Direction, of node: NodeID, from: Screen, to: Screen, among chain: OpeningChain? = nil,
    taking ride: SlideCarriage.Ride? = nil, after before: OpeningLayer? = nil
  ) {
    guard let source = transitionSource(in: from) as? any OpeningPage,
      let target = transitionTarget(in: to) as? any OpeningPage
    else { return nil }
    let (above, below) = direction == .down ? (source, target) : (target, source)
    guard above.nodesOfCards.contains(node) else { return nil }
    self.direction = direction
    self.node = node
    self.above = above
    self.below = below
    self.chain = chain
    self.ride = ride
    self.before = before
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double {
    direction == .down ? Self.downDuration : Self.upDuration
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let takePictures = { [weak above, weak below] in
      (above?.picture).flatMap { upper in (below?.picture).map { (upper, $0) } }
    }
    let size = context.container.bounds.size
    guard
      let opening = OpeningLayer(of: takePictures, node: node, size: size, isClosing: direction == .up)
    else {
      fallback.animateTransition(using: context)
      return
    }

    self.opening = opening
    before.map(opening.takeWords)
    let pages = [context.from.layer, context.to.layer]
    for page in pages { page.isHidden = true }
    withoutAnimation { opening.values[OpeningLayer.opened] = direction == .down ? 0 : 1 }
    let whole = chain?.makeLayer(size: size, known: opening) ?? opening
    if opening.outer != nil, direction == .down { opening.fadeFrameIn() }
    let shown = ride.map { SlideCarriage(whole, taking: $0) } ?? whole
    context.container.add(shown)
    let duration = transitionDuration(using: context)
    animate(duration: duration, curve: .spring(duration: duration, bounce: 0)) {
      opening.values[OpeningLayer.opened] = direction == .down ? 1 : 0
    } completion: { _ in
      shown.removeFromSuperlayer()
      for page in pages { page.isHidden = false }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// Looks all pages up again, as they are in the new size; the fraction stays.
  func containerDidResize(using context: any TransitionContext) {
    let place = Rect(origin: .zero, size: context.container.bounds.size)
    ride?.fit(toWidth: place.width)
    for page in chain?.links.flatMap({ [$0.above, $0.below] }) ?? [] where page.isLayerLoaded {
      page.layer.frame = place
      page.layer.layOutIfNeeded()
    }
    guard let opening else { return }
    for layer in opening.outermost.nested {
      layer.retake()
      layer.frame = place
    }
  }

  /// On the way back the frame is the card's, and stays.
  func animationEnded(_ completed: Bool) {
    if completed, direction == .down { below?.didEndTargetAnimation() }
  }
}
