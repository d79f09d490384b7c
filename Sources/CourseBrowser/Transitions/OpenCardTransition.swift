import LearningModel
import ScreenKit
import TextCanvas

/// The transition in which a card opens and becomes the page, and its reverse.
///
/// The card is looked up on both pages when the transition begins, so the list may have been scrolled, resized or
/// changed by an import before. If the card is not found, the pages cross-fade.
@MainActor final class OpenCardTransition: PageTransition {
  enum Direction { case down, up }

  /// The duration of opening, in seconds.
  static let downDuration = 0.28
  static let upDuration = 0.24

  let direction: Direction
  private let node: NodeID
  private let fallback = CrossFadeTransition()
  /// The page that shows the card, and the page that the card becomes.
  private weak var parentPage: (any OpeningPage)?
  private weak var openedPage: (any OpeningPage)?
  private weak var opening: OpeningLayer?
  private(set) var interruptedCards: InterruptedCards?
  /// This card with all other moving cards, or `nil` if no other card is moving.
  private var chain: OpeningChain?

  /// Creates the transition. Returns `nil` unless both screens are pages with fragments and the upper page shows the
  /// card.
  ///
  /// - Parameters:
  ///   - direction: Whether the card opens (`down`) or closes (`up`).
  ///   - node: The node of the card.
  ///   - from: The current screen.
  ///   - to: The new screen.
  init?(_ direction: Direction, of node: NodeID, from: Screen, to: Screen) {
    guard let source = transitionSource(in: from) as? any OpeningPage,
      let target = transitionTarget(in: to) as? any OpeningPage
    else { return nil }
    let (upperPage, lowerPage) = direction == .down ? (source, target) : (target, source)
    guard upperPage.nodesOfCards.contains(node) else { return nil }
    self.direction = direction
    self.node = node
    self.parentPage = upperPage
    self.openedPage = lowerPage
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double {
    direction == .down ? Self.downDuration : Self.upDuration
  }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let interrupted = adoptInterrupted(context)
    let makeFragments = { [weak parentPage, weak openedPage] in
      (parentPage?.fragments).flatMap { upper in (openedPage?.fragments).map { (upper, $0) } }
    }
    let size = context.container.bounds.size
    guard
      let opening = OpeningLayer(of: makeFragments, node: node, size: size, isClosing: direction == .up)
    else {
      fallback.animateTransition(using: context)
      return
    }

    self.opening = opening
    interrupted.first { $0.identity == opening.identity }.map(opening.adoptHeaderTexts)
    let pages = [context.from.layer, context.to.layer]
    for page in pages { page.isHidden = true }
    withoutAnimation { opening.values[OpeningLayer.opened] = direction == .down ? 0 : 1 }
    let rootLayer = chain?.makeLayer(size: size, reusing: opening) ?? opening
    for layer in rootLayer.nested {
      interrupted.first { $0.identity == layer.identity }.map(layer.adoptPreviewTravel)
    }
    if opening.outer != nil, direction == .down { opening.fadeFrameIn() }
    context.container.add(rootLayer)
    // The sheet of the page may still be sliding, so the card moves with it.
    if let page = context.from as? any SlidingPage { context.moveTogether([rootLayer, page.sheet]) }
    let duration = transitionDuration(using: context)
    animate(duration: duration, curve: .spring(duration: duration, bounce: 0)) {
      opening.values[OpeningLayer.opened] = direction == .down ? 1 : 0
    } completion: { _ in
      rootLayer.removeFromSuperlayer()
      for page in pages { page.isHidden = false }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }

  /// The moving card: both pages, the node and the direction.
  private var link: OpeningLink? {
    guard let parentPage, let openedPage else { return nil }
    return OpeningLink(node: node, above: parentPage, below: openedPage, opens: direction == .down)
  }

  /// Continues the interrupted cards if they are nested with this card. Otherwise, lets them fade out.
  ///
  /// - Returns: The layers of the interrupted cards.
  private func adoptInterrupted(_ context: any TransitionContext) -> [OpeningLayer] {
    // A closing card can continue only towards the page from which it came.
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

  /// Lays out all pages again in the new size. The progress does not change.
  func containerDidResize(using context: any TransitionContext) {
    let bounds = Rect(origin: .zero, size: context.container.bounds.size)
    for page in chain?.links.flatMap({ [$0.above, $0.below] }) ?? [] where page.isLayerLoaded {
      page.layer.frame = bounds
      page.layer.layOutIfNeeded()
    }
    guard let opening else { return }
    for layer in opening.outermost.nested {
      layer.updateFragments()
      layer.frame = bounds
    }
  }

  /// When a card has closed, the frame around the page has become the frame around the card, and stays visible.
  func animationEnded(_ completed: Bool) {
    if completed, direction == .down { openedPage?.didEndTargetAnimation(for: TransitionID(node)) }
  }
}
