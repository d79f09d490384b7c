import LearningModel
import ScreenKit
import TextCanvas

/// A card opens and becomes the page; the way back is the same, backwards.
///
/// Both pages are looked up when the transition begins, never before: after scrolling, resizing or another import the
/// card is found where it is now, and where it is not to be found the pages fade.
@MainActor final class OpenCardTransition: PageTransition {
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
  private(set) var interruptedCards: InterruptedCards?
  /// The cards that still move, this one among them; `nil` where no other is.
  private var chain: OpeningChain?

  /// Makes one, where the screens match: both are pages that can be taken apart, and the card is on the one above.
  /// Otherwise `nil`.
  ///
  /// - Parameters:
  ///   - direction: Whether the card opens, or is gone back to.
  ///   - node: What the card stands for.
  ///   - from: The screen that is there.
  ///   - to: The screen that will be there.
  init?(_ direction: Direction, of node: NodeID, from: Screen, to: Screen) {
    guard let source = transitionSource(in: from) as? any OpeningPage,
      let target = transitionTarget(in: to) as? any OpeningPage
    else { return nil }
    let (above, below) = direction == .down ? (source, target) : (target, source)
    guard above.nodesOfCards.contains(node) else { return nil }
    self.direction = direction
    self.node = node
    self.above = above
    self.below = below
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double {
    direction == .down ? Self.downDuration : Self.upDuration
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let before = takeOver(context)
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
    before.first { $0.identity == opening.identity }.map(opening.takeWords)
    let pages = [context.from.layer, context.to.layer]
    for page in pages { page.isHidden = true }
    withoutAnimation { opening.values[OpeningLayer.opened] = direction == .down ? 0 : 1 }
    let whole = chain?.makeLayer(size: size, known: opening) ?? opening
    if opening.outer != nil, direction == .down { opening.fadeFrameIn() }
    context.container.add(whole)
    // The page that the card lies on, or that goes back into its card, may slide still.
    if let page = context.from as? any SlidingPage { context.moveTogether([whole, page.sheet]) }
    let duration = transitionDuration(using: context)
    animate(duration: duration, curve: .spring(duration: duration, bounce: 0)) {
      opening.values[OpeningLayer.opened] = direction == .down ? 1 : 0
    } completion: { _ in
      whole.removeFromSuperlayer()
      for page in pages { page.isHidden = false }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// The card, as it moves to where it ends.
  private var link: OpeningLink? {
    guard let above, let below else { return nil }
    return OpeningLink(node: node, above: above, below: below, opens: direction == .down)
  }

  /// Continues what moved, where both can be seen together: other cards lie one inside the other with this one.
  /// Anything else gives way.
  ///
  /// - Returns: What has shown those cards until now.
  private func takeOver(_ context: any TransitionContext) -> [OpeningLayer] {
    // A card that opens to another page than the one it goes back from shows something else at once.
    guard let cards = context.interruptedCards, let link,
      cards.links.allSatisfy({ $0.node != node || $0.below === link.below && $0.above === link.above })
    else { return [] }
    chain = OpeningChain(cards.links.filter { $0.node != node } + [link])
    return chain == nil ? [] : cards.openings
  }

  func willBeInterrupted(goingBack: Bool) {
    guard let opening, var link else { return }
    if goingBack { link.opens.toggle() }
    let others = chain?.links.filter { $0.node != node } ?? []
    interruptedCards = InterruptedCards(links: others + [link], openings: opening.outermost.nested)
  }

  /// Looks all pages up again, as they are in the new size; the fraction stays.
  func containerDidResize(using context: any TransitionContext) {
    let place = Rect(origin: .zero, size: context.container.bounds.size)
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
