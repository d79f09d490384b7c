/// All animators of this library by name.
///
/// To add one, write `Transitions/<Name>Transition.swift`, add a case here, and draw its frames at 0, ¼, ½, ¾ and 1 in
/// the tests. The tests run each animator in each container: forward, backward, cancelled and interrupted.
public enum TransitionCatalog: String, CaseIterable, Sendable {
  /// The old screen dissolves into the new one in place.
  case crossFade
  /// Both screens move side by side.
  case slide
  /// Both screens slide past each other with a spring while they fade.
  case springSlide
  /// The old screen shrinks while the new one fades in.
  case zoom
  /// The screens are the two sides of a card.
  case flip
  /// The new screen covers the old one from below.
  case cover
  /// One element moves from its frame on one screen to its frame on the other.
  case matched
  /// The items of a collection move from one layout to another.
  case layout

  /// Creates the animator for two screens.
  ///
  /// - Parameters:
  ///   - from: The visible screen.
  ///   - to: The screen to show.
  /// - Returns: The animator, or `nil` if the screens do not have matching elements for ``matched``.
  @MainActor public func makeAnimator(from: Screen, to: Screen) -> (any AnimatedTransitioning)? {
    switch self {
    case .crossFade: CrossFadeTransition()
    case .slide: SlideTransition()
    case .springSlide: SpringSlideTransition()
    case .zoom: ZoomTransition()
    case .flip: FlipTransition()
    case .cover: CoverTransition()
    case .matched: MatchedTransition(from: from, to: to)
    case .layout: LayoutTransition()
    }
  }
}
