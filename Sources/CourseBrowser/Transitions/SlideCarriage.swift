import CoursePages
import ScreenKit
import TextCanvas

/// Carries a page that slides while a card on it opens or closes: both continue.
@MainActor final class SlideCarriage: Layer {
  /// A slide that still moves, for the carriage that takes it over.
  struct Slide {
    /// Where what slides lies when it has arrived, and what tells that the carriage starts where it was.
    let frame: Rect
    let identity: TransitionID?
    /// What slides beside it.
    let neighbour: Layer?

    /// Keeps what slides beside it as far beside it as the terminal is wide now.
    @MainActor func fit(toWidth width: Double) {
      guard let neighbour else { return }
      neighbour.frame.x = neighbour.frame.x < 0 ? -width : width
    }
  }

  /// What slides beside what is carried.
  private let neighbour: Layer?

  /// - Parameters:
  ///   - opening: The card's way.
  ///   - slide: The slide that it takes over.
  init(_ opening: OpeningLayer, taking slide: Slide) {
    neighbour = slide.neighbour
    super.init(frame: slide.frame)
    identity = slide.identity
    if let neighbour { add(neighbour) }
    add(opening)
  }

  /// What is said of the place is in what is carried, and does not slide.
  override func layOutSublayers(presented state: LayerState) {
    guard let opening else { return }
    opening.layOutSublayers(presented: opening.presentation)
  }

  /// The slide as the next carriage takes it over.
  var slide: Slide { Slide(frame: frame, identity: identity, neighbour: neighbour) }

  /// What it carries.
  var opening: OpeningLayer? { sublayers.lazy.compactMap { $0 as? OpeningLayer }.first }

  /// What is said of the place, which stays while everything else slides.
  var trails: [Layer] { (opening?.nested ?? []).flatMap { [$0.trail, $0.oldTitle] } }
}
