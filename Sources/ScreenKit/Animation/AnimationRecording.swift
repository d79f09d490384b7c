/// Turns the changes that are made to layers while it is current into animations of one animator.
@MainActor final class AnimationRecording {
  /// The one that records now; nil where changes are made at once.
  static var current: AnimationRecording?
  /// Whether animation blocks animate at all.
  static var isEnabled = true

  private let animator: Animator
  private let start: Double
  private let length: Double
  private var resized: [Layer] = []

  init(_ animator: Animator, start: Double = 0, length: Double = 1) {
    self.animator = animator
    self.start = start
    self.length = length
  }

  func record(_ property: LayerProperty, of layer: Layer, change: Double) {
    layer.animations.append(
      PropertyAnimation(property: property, change: change, start: start, length: length, animator: animator))
    animator.adopt(layer)
    if property == .width || property == .height { resized.append(layer) }
  }

  /// Runs a block, and then the layout that its changes of size ask for.
  func record(_ changes: () -> Void) {
    let outer = AnimationRecording.current
    AnimationRecording.current = self
    defer { AnimationRecording.current = outer }
    changes()
    while let layer = resized.popLast() { layer.layOutIfNeeded() }
  }
}

/// Runs a block apart from any animation that is being recorded, so that its changes are not part of it.
@MainActor func withoutEnclosingAnimation<T>(_ body: () -> T) -> T {
  let outer = AnimationRecording.current
  AnimationRecording.current = nil
  defer { AnimationRecording.current = outer }
  return body()
}

/// Runs a block in which no change is animated, even within an animation block; may be nested, and what held before
/// holds afterwards.
@MainActor public func withoutAnimation<T>(_ body: () throws -> T) rethrows -> T {
  let outer = AnimationRecording.current
  AnimationRecording.current = nil
  defer { AnimationRecording.current = outer }
  let wasEnabled = AnimationRecording.isEnabled
  AnimationRecording.isEnabled = false
  defer { AnimationRecording.isEnabled = wasEnabled }
  return try body()
}

extension Layer {
  /// Whether animation blocks animate; set it false, and their changes are made at once. Animations that run continue.
  public static var areAnimationsEnabled: Bool {
    get { AnimationRecording.isEnabled }
    set { AnimationRecording.isEnabled = newValue }
  }
}
