/// Every animator of this library, by name.
///
/// To add one: write `Transitions/<Name>Transition.swift`, add a row here, and draw its frames at 0, ¼, ½, ¾ and 1 in the
/// tests. Tests run each of them in every container, forward, backward, cancelled and interrupted.
public enum TransitionCatalog: String, CaseIterable, Sendable {
  /// Both screens fade in place.
  case crossFade
  /// Both screens move side by side.
  case slide
  /// Both screens move past each other on a spring, fading.
  case springSlide
  /// The old screen shrinks away.
  case zoom
  /// The screens are two sides of a card.
  case flip
  /// The new screen covers the old one from below.
  case cover
  /// One element moves from its place on one screen to its place on the other.
  case matched
  /// The items of a collection move from one layout to another.
  case layout

  /// Makes the animator for two screens; nil where the screens lack what it needs.
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
