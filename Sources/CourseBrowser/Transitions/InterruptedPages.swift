import LearningModel
import ScreenKit
import TextCanvas

/// What of the pages moved when something else began: what the next transition may continue.
@MainActor struct InterruptedPages {
  /// The cards, each to where it ends.
  var links: [OpeningLink] = []
  /// What showed them, from the outermost.
  var openings: [OpeningLayer] = []
  /// What carried those while their page slid.
  var carriage: SlideCarriage?
  /// The slide; `nil` where no page slid by itself.
  var slide: SlideInFlight?
}

/// A transition between pages. Cut short, it leaves what it showed to the next one.
@MainActor protocol PageTransition: AnimatedTransitioning {
  /// What moved when it was cut short; `nil` before that, and where it cannot be continued.
  var interruptedPages: InterruptedPages? { get }
}

extension TransitionContext {
  /// What of the pages moved when this transition began.
  var interruptedPages: InterruptedPages? { (interrupted as? any PageTransition)?.interruptedPages }
}
