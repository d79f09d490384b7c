import ScreenKit

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
