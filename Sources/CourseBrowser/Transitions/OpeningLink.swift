import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// A card between two pages, while it moves: the page above shows it, the page below is what it opens.
@MainActor struct OpeningLink {
  let node: NodeID
  let above: any OpeningPage
  let below: any OpeningPage
  /// Whether it opens to be the page, and does not go back among its siblings.
  var opens: Bool
  /// Both pages as they are seen meanwhile, where they are not looked up again: the list above may choose another card
  /// in the moment in which its page is left for the one beside it.
  var seen: (upper: PagePicture, lower: PagePicture)?

  init(node: NodeID, above: any OpeningPage, below: any OpeningPage, opens: Bool) {
    (self.node, self.above, self.below, self.opens) = (node, above, below, opens)
  }

  /// A layer that stands where the way ends. Put into a container where this card moved when that was
  /// interrupted, it starts from there: it has the card's identity.
  ///
  /// - Returns: `nil` where the page above shows the card no more.
  func makeLayer(size: Size) -> OpeningLayer? {
    let layer = OpeningLayer(of: takePictures, node: node, size: size, isClosing: !opens)
    withoutAnimation { layer?.values[OpeningLayer.opened] = opens ? 1 : 0 }
    return layer
  }

  /// Whether the page above shows the card; one that was never shown yet will, as it chooses what is left.
  fileprivate var isSeen: Bool { !above.isLayerLoaded || above.picture.frames[node] != nil }

  /// Takes both pages apart; those that were seen are, as long as the terminal has the size they were seen in.
  var takePictures: () -> (PagePicture, PagePicture)? {
    { [weak above, weak below, seen] in
      guard let above, let below else { return nil }
      if let seen, seen.upper.drawing.metrics == above.metrics { return seen }
      return (above.picture, below.picture)
    }
  }

  /// The same with the pages as one of the layers shows them; what moves in that continues by itself.
  func keeping(_ layers: [OpeningLayer]) -> OpeningLink {
    guard let layer = layers.first(where: { $0.node == node }) else { return self }
    var link = self
    var (upper, lower) = (layer.upper, layer.lower)
    (upper.lag, lower.lag, upper.choiceLag, lower.choiceLag) = (PagePicture.Lag(), PagePicture.Lag(), 0, 0)
    link.seen = (upper, lower)
    return link
  }
}

/// Cards one inside the other, each moving, from the outermost: what opens is the page on which the next one lies.
@MainActor struct OpeningChain {
  let links: [OpeningLink]

  /// Puts cards in their order; `nil` where they do not all lie one inside the other, or one of them is not to be seen
  /// on its page.
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

  /// Whether a page is one of those that the cards lead from and to.
  func holds(_ page: any OpeningPage) -> Bool { links.contains { $0.above === page || $0.below === page } }

  /// One layer for all of them, with the others inside it.
  ///
  /// - Parameter known: The layer of a card that was made already.
  func makeLayer(size: Size, known: OpeningLayer? = nil) -> OpeningLayer? {
    let layers = links.compactMap { link in
      known.flatMap { $0.node == link.node ? $0 : nil } ?? link.makeLayer(size: size)
    }
    for (outer, inner) in zip(layers, layers.dropFirst()) { outer.nest(inner) }
    return layers.first
  }
}

/// The cards that moved when something else began: what the next transition may continue.
@MainActor struct InterruptedCards {
  /// Each to where it ends.
  let links: [OpeningLink]
  /// What showed them, from the outermost.
  let openings: [OpeningLayer]
}

/// A transition between pages. Cut short, it leaves what it showed to the next one.
@MainActor protocol PageTransition: AnimatedTransitioning {
  /// What moved when it was cut short; `nil` before that, and where it cannot be continued.
  var interruptedCards: InterruptedCards? { get }
}

extension TransitionContext {
  /// What of the cards moved when this transition began.
  var interruptedCards: InterruptedCards? { (interrupted as? any PageTransition)?.interruptedCards }
}
