import CoursePages
import ScreenKit
import TextCanvas

/// The cards that leave after they were answered.
@MainActor final class LeavingCards {
  /// The duration, in seconds, of the motion in which a card leaves.
  private static let duration = 0.2
  /// The maximum number of cards that leave at the same time. If another card leaves, the first one is removed.
  private static let maximumCount = 3

  private var cards: [Layer] = []

  /// The card or page that becomes visible when a card leaves.
  enum Next {
    /// The next card, which is already visible below the card that leaves.
    case card(Layer)
    /// The text after the last card. It fades in only when the card has left.
    case text(Layer)
  }

  /// Moves a card away: up if it was known, otherwise down. With reduced motion, it fades out and the next card fades
  /// in.
  ///
  /// - Parameters:
  ///   - old: A snapshot of the card, in the coordinates of the body.
  ///   - body: The layer in which the card leaves.
  func animate(_ old: Layer, wasKnown isKnown: Bool, in body: Layer, motion: MotionPreference, next: Next) {
    let leaving = Layer(frame: old.frame)
    withoutAnimation { old.frame.origin = .zero }
    leaving.fill = .default
    leaving.add(old)
    cards.removeAll { $0.superlayer == nil }
    if cards.count == Self.maximumCount {
      let first = cards.removeFirst()
      first.removeAllAnimations()
      first.removeFromSuperlayer()
    }
    cards.append(leaving)
    body.add(leaving)
    let distance = body.frame.height * (isKnown ? -1 : 1)
    let isFull = motion == .full
    let arriving: Layer? =
      switch next {
      case .text(let layer): layer
      case .card(let layer): isFull ? nil : layer
      }
    withoutAnimation { arriving?.opacity = 0 }
    let leave = Keyframe(start: 0, duration: arriving == nil ? 1 : 0.5) {
      if isFull { leaving.offset.y = distance } else { leaving.opacity = 0 }
    }
    let arrive = Keyframe(start: 0.5, duration: 0.5) { arriving?.opacity = 1 }
    animateKeyframes(
      duration: isFull ? Self.duration : CardLayer.fadeTime,
      curve: isFull && arriving == nil ? .easeIn : .linear,
      [leave, arrive]
    ) { _ in leaving.removeFromSuperlayer() }
  }
}
