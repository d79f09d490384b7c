import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A moving card with its two pages. The upper page shows the card, and the card opens the lower page.
@MainActor struct OpeningLink {
  let node: NodeID
  let above: any OpeningPage
  let below: any OpeningPage
  /// Whether the card opens. If `false`, it closes.
  var opens: Bool
  /// The fragments of both pages to show in place of the current ones, or `nil` to show the current ones. They are
  /// needed because a list can select a different card when the learner leaves its page.
  var lastFragments: (upper: PageFragments, lower: PageFragments)?

  init(node: NodeID, above: any OpeningPage, below: any OpeningPage, opens: Bool) {
    (self.node, self.above, self.below, self.opens) = (node, above, below, opens)
  }

  /// Returns a layer of the card in its final state. If the layer is added to a container in which this card was
  /// interrupted, it continues from the interrupted state, because it has the same identity.
  ///
  /// - Returns: `nil` if the upper page no longer shows the card.
  func makeLayer(size: Size) -> OpeningLayer? {
    let layer = OpeningLayer(of: makeFragments, node: node, size: size, isClosing: !opens)
    withoutAnimation { layer?.values[OpeningLayer.opened] = opens ? 1 : 0 }
    return layer
  }

  /// Whether the upper page shows the card. A page that has never been visible will show the card, because it selects
  /// the card that was left last.
  fileprivate var isCardVisible: Bool { !above.isLayerLoaded || above.fragments.frames[node] != nil }

  /// Returns a function that provides the fragments of both pages: the stored ones while the terminal has the same
  /// size, otherwise the current ones.
  var makeFragments: () -> (PageFragments, PageFragments)? {
    { [weak above, weak below, lastFragments] in
      guard let above, let below else { return nil }
      if let lastFragments, lastFragments.upper.drawing.metrics == above.metrics { return lastFragments }
      return (above.fragments, below.fragments)
    }
  }

  /// Returns a copy with the fragments that one of the layers shows. Animations that are running in these layers
  /// continue.
  func keeping(_ layers: [OpeningLayer]) -> OpeningLink {
    guard let layer = layers.first(where: { $0.node == node }) else { return self }
    var link = self
    var (upper, lower) = (layer.upper, layer.lower)
    (upper.offsets, lower.offsets, upper.choiceOffset, lower.choiceOffset) = (
      PageFragments.Offsets(), PageFragments.Offsets(), 0, 0
    )
    link.lastFragments = (upper, lower)
    return link
  }
}

/// Nested moving cards, the outermost first. Each card opens the page that contains the next card.
@MainActor struct OpeningChain {
  let links: [OpeningLink]

  /// Orders cards by nesting. Returns `nil` if they are not all nested, or if one of them is not visible on its page.
  init?(_ links: [OpeningLink]) {
    var remaining = links
    var chain: [OpeningLink] = []
    while let next = remaining.firstIndex(where: { link in
      chain.last.map { $0.below === link.above } ?? !links.contains { $0.below === link.above }
    }) {
      chain.append(remaining.remove(at: next))
    }
    guard remaining.isEmpty, !chain.isEmpty, chain.allSatisfy(\.isCardVisible) else { return nil }
    self.links = chain
  }

  /// Returns whether a page is the upper or lower page of one of the cards.
  func holds(_ page: any OpeningPage) -> Bool { links.contains { $0.above === page || $0.below === page } }

  /// Returns the layer of the outermost card, with the others nested in it.
  ///
  /// - Parameter reusing: An existing layer of one of the cards, which is reused.
  func makeLayer(size: Size, reusing: OpeningLayer? = nil) -> OpeningLayer? {
    let layers = links.compactMap { link in
      reusing.flatMap { $0.node == link.node ? $0 : nil } ?? link.makeLayer(size: size)
    }
    for (outer, inner) in zip(layers, layers.dropFirst()) { outer.nest(inner) }
    return layers.first
  }
}

/// The cards that were moving when another transition began. That transition can continue them.
@MainActor struct InterruptedCards {
  /// The cards with their direction.
  let links: [OpeningLink]
  /// Their layers, the outermost first.
  let openings: [OpeningLayer]
}

/// A transition between pages. If it is interrupted, the next transition can continue its cards.
@MainActor protocol PageTransition: AnimatedTransitioning {
  /// The cards that were moving when this transition was interrupted. `nil` before an interruption, or if the cards
  /// cannot be continued.
  var interruptedCards: InterruptedCards? { get }
}

extension TransitionContext {
  /// The cards that were moving when this transition began.
  var interruptedCards: InterruptedCards? { (interrupted as? any PageTransition)?.interruptedCards }
}
