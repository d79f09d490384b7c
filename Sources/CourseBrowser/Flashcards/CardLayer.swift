internal import Motion
internal import ScreenKit
internal import TextCanvas

/// A card with two sides that turns over about its vertical middle.
@MainActor final class CardLayer: Layer {
  /// Seconds of a turn, and of the cross-fade that stands for it.
  static let turnTime = 0.32
  static let fadeTime = 0.12
  /// 0 where the front is seen, 1 where the back is.
  static let turned: LayerKey = "turned"

  let front = Layer()
  let back = Layer()
  /// The card without words: what stays while one side fades into the other.
  let blank = Layer()
  private var turns = true

  init() {
    super.init()
    for side in [blank, front, back] { add(side) }
    blank.isHidden = true
    layOutSides(0)
  }

  /// Shows one side.
  ///
  /// - Parameter motion: The card turns over, or fades into its other side, or is there at once; `nil` for at once.
  func show(back isTurned: Bool, motion: MotionPreference?) {
    let value = isTurned ? 1.0 : 0
    guard let motion, motion != .none, values[Self.turned] ?? 0 != value else {
      removeAllAnimations()
      withoutAnimation { values[Self.turned] = value }
      return
    }
    turns = motion == .full
    animate(duration: turns ? Self.turnTime : Self.fadeTime, curve: turns ? .easeInOut : .linear) {
      values[Self.turned] = value
    }
  }

  override func layOutSublayers(presented state: LayerState) {
    layOutSides(state.values[Self.turned] ?? 0)
  }

  private func layOutSides(_ turned: Double) {
    let isBack = turned >= 0.5
    (front.isHidden, back.isHidden) = (isBack, !isBack)
    blank.isHidden = turns || turned <= 0 || turned >= 1
    if turns {
      (front.opacity, back.opacity) = (1, 1)
      (front.transform.flip, back.transform.flip) = (turned * .pi, (turned - 1) * .pi)
    } else {
      // One side fades out before the other fades in: two texts are never seen on top of each other.
      (front.transform, back.transform) = (.identity, .identity)
      (front.opacity, back.opacity) = (max(0, 1 - 2 * turned), max(0, 2 * turned - 1))
    }
  }
}
