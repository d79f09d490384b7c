import CoursePages
import ScreenKit
import TextCanvas

/// A slide that something else interrupts: what it was about to bring is the page that leaves now.
@MainActor struct SlideInFlight {
  /// Where that page is, in columns from its place, and how fast it goes, in columns a second.
  let column: Double
  let velocity: Double
  /// The page that was still leaving, and the one that stays.
  let leaving: any SlidingPage
  let staying: any SlidingPage
  /// What showed the page that leaves, and a picture of it as it lies beside the other one.
  let layers: [Layer]
  let neighbour: Layer
  /// What is seen in the trail, where that was about to change, and the seconds for which it was to be seen still.
  let trail: Layer?
  let trailTime: Double

  /// Continues as a part of another transition.
  ///
  /// - Returns: What slides along beside the page that stays; `nil` where the other one comes back.
  func goOn(in context: any TransitionContext) -> Layer? {
    let comesBack = context.to === leaving
    for page in [leaving, staying] { context.takeOver(page.trailLayer) }
    if let trail { staying.keepTrail(trail, for: comesBack ? PageSlideTransition.duration : trailTime) }
    guard !comesBack else { return nil }
    layers.forEach(context.takeOver)
    return neighbour
  }
}

extension SlidingPage {
  /// A picture of what is seen in the trail, where a slide that is cut short was about to change that. The page's own trail
  /// would have to appear from nothing, since what is seen leaves with the other page.
  ///
  /// - Parameter trails: What the other page shows there.
  /// - Returns: `nil` where its own is seen already.
  func trail(of trails: [Layer]) -> Layer? {
    let seen = trails.filter { !$0.isHidden && $0.presentation.opacity > 0.5 }
    guard trailLayer.presentation.opacity <= 0.5, !seen.isEmpty else { return nil }
    let picture = Layer(frame: trailLayer.bounds)
    picture.fill = .default
    for trail in seen {
      let (copy, place) = (trail.snapshot(), trail.presentedFrame(in: layer.superlayer))
      copy.frame.x = place.x - trailLayer.frame.x
      copy.frame.y = place.y
      picture.add(copy)
    }
    return picture
  }
}
