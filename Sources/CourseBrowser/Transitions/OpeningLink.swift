import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A moving card with its two pages: the upper page shows it, the lower page is what it opens.
@MainActor struct OpeningLink {
  let node: NodeID
  let above: any OpeningPage
  let below: any OpeningPage
  /// Whether the card opens, rather than closes.
  var opens: Bool
  /// The fragments of both pages to show instead of the current ones. The list can select another card at the moment at
  /// which its page is left.
  var seen: (upper: PagePicture, lower: PagePicture)?

  init(node: NodeID, above: any OpeningPage, below: any OpeningPage, opens: Bool) {
    (self.node, self.above, self.below, self.opens) = (node, above, below, opens)
  }

  /// Returns a layer in its final state. If it is added to a container in which this card was interrupted, it continues
  /// from there, because it has the card's identity.
  ///
  /// - Returns: `nil` if the upper page no longer shows the card.
  func makeLayer(size: Size) -> OpeningLayer? {
    let layer = OpeningLayer(of: takePictures, node: node, size: size, isClosing: !opens)
    withoutAnimation { layer?.values[OpeningLayer.opened] = opens ? 1 : 0 }
    return layer
  }

  /// Whether the upper page shows the card. A page that was never visible will show it, because it selects the card
  /// left last.
  fileprivate var isSeen: Bool { !above.isLayerLoaded || above.picture.frames[node] != nil }

  /// Returns the fragments of both pages: the stored ones if the terminal still has the same size, otherwise the
  /// current ones.
  var takePictures: () -> (PagePicture, PagePicture)? {
    { [weak above, weak below, seen] in
      guard let above, let below else { return nil }
      if let seen, seen.upper.drawing.metrics == above.metrics { return seen }
      return (above.picture, below.picture)
    }
  }

  /// Returns a copy with the fragments that one of the layers shows. Running animations in them continue by themselves.
  func keeping(_ layers: [OpeningLayer]) -> OpeningLink {
    guard let layer = layers.first(where: { $0.node == node }) else { return self }
    var link = self
    var (upper, lower) = (layer.upper, layer.lower)
    (upper.lag, lower.lag, upper.choiceLag, lower.choiceLag) = (PagePicture.Lag(), PagePicture.Lag(), 0, 0)
    link.seen = (upper, lower)
    return link
  }
}

/// Nested moving cards, the outermost first. Each one opens the page on which the next one is.
@MainActor struct OpeningChain {
  let links: [OpeningLink]

  /// Orders cards by nesting. `nil` if they are not all nested, or one of them is not visible on its page.
  init?(_ links: [OpeningLink]) {
    var rest = links
    var chain: [OpeningLink] = []
    while let next = rest.firstIndex(where: { link in
      chain.last.map { $0.below === link.above } ?? !links.contains { $0.below === link.above }
    }) {
      chain.append(rest.remove(at: next))
    }
    guard rest.isEmpty, !chain.isEmpty, chain.allSatisfy(\.isSeen) else { return nil }
    self.links = chain
  }

  /// Whether a page is the upper or lower page of a card.
  func holds(_ page: any OpeningPage) -> Bool { links.contains { $0.above === page || $0.below === page } }

  /// Returns the layer of the outermost card, with the others nested in it.
  ///
  /// - Parameter known: A layer that exists already.
  func makeLayer(size: Size, known: OpeningLayer? = nil) -> OpeningLayer? {
    let layers = links.compactMap { link in
      known.flatMap { $0.node == link.node ? $0 : nil } ?? link.makeLayer(size: size)
    }
    for (outer, inner) in zip(layers, layers.dropFirst()) { outer.nest(inner) }
    return layers.first
  }
}

/// The cards that were moving when another transition began, which may continue them.
@MainActor struct InterruptedCards {
  /// The cards with their direction.
  let links: [OpeningLink]
  /// Their layers, the outermost first.
  let openings: [OpeningLayer]
}

/// A transition between pages. If it is interrupted, the next one can continue its cards.
@MainActor protocol PageTransition: AnimatedTransitioning {
  /// The cards that were moving at the interruption. `nil` before that, or if they cannot be continued.
  var interruptedCards: InterruptedCards? { get }
}

extension TransitionContext {
  /// The cards that were moving when this transition began.
  var interruptedCards: InterruptedCards? { (interrupted as? any PageTransition)?.interruptedCards }
}
