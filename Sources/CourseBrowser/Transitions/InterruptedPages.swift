import LearningModel
import ScreenKit
import TextCanvas

/// What of the pages was on its way when something else began: what the next transition may go on with.
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
  /// What was on its way when it was cut short; `nil` before that, and where nobody can go on with it.
  var interruptedPages: InterruptedPages? { get }
}

extension TransitionContext {
  /// What of the pages was on its way when this transition began.
  var interruptedPages: InterruptedPages? { (interrupted as? any PageTransition)?.interruptedPages }
}
