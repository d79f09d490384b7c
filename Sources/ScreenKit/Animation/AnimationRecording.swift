/// Converts the changes that are made to layers while it is current into animations of one animator.
@MainActor final class AnimationRecording {
  /// The active recording, or `nil` if changes apply immediately.
  static var current: AnimationRecording?
  /// Whether animation blocks animate their changes.
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
    let existing = layer.animations.firstIndex {
      $0.animator === animator && $0.property == property && $0.start == start && $0.length == length
    }
    if let existing {
      layer.animations[existing].change += change
    } else {
      layer.combineAnimations(of: property, except: animator)
      append(property, of: layer, change: change)
    }
    if property == .width || property == .height { resized.append(layer) }
  }

  private func append(_ property: LayerProperty, of layer: Layer, change: Double) {
    layer.animations.append(
      PropertyAnimation(property: property, change: change, start: start, length: length, animator: animator))
    animator.adopt(layer)
  }

  /// Runs a block, and then lays out the layers whose size it changed.
  func record(_ changes: () -> Void) {
    let outer = AnimationRecording.current
    AnimationRecording.current = self
    defer { AnimationRecording.current = outer }
    changes()
    while let layer = resized.popLast() { layer.layOutIfNeeded() }
  }
}

extension Layer {
  /// The maximum number of concurrent animations of one property of a layer.
  private static let maximumAnimations = 8

  /// Replaces the animations of a property by one residual spring once there are ``maximumAnimations`` of them. The
  /// spring has their summed value and velocity, so nothing jumps. Without this limit, a property that is changed
  /// repeatedly before it reaches its value would cost more with each change.
  ///
  /// Animations of a transition are kept, because a gesture may reverse them.
  fileprivate func combineAnimations(of property: LayerProperty, except recorded: Animator) {
    let free = animations.filter { animation in
      let animator = animation.animator
      return animation.property == property && animator !== recorded && animator.group == nil && animator.isRunning
    }
    guard free.count >= Self.maximumAnimations, let timeline = stage?.timeline else { return }
    let springs = residualAnimations.filter { $0.property == property }
    var (distance, velocity, end) = (0.0, 0.0, timeline.now)
    for animation in free {
      let fraction = animation.animator.fraction
      distance += animation.addition(at: fraction)
      if animation.moves(at: fraction) { velocity -= animation.change / animation.length * animation.animator.velocity }
      end = max(end, animation.animator.eventTime ?? end)
    }
    for spring in springs {
      distance += spring.addition
      velocity += spring.velocity
      end = max(end, spring.eventTime ?? end)
      spring.stop()
    }
    animations.removeAll { animation in
      animation.property == property && free.contains { $0.animator === animation.animator }
    }
    for animation in free where !animations.contains(where: { $0.animator === animation.animator }) {
      withoutEnclosingAnimation { animation.animator.removeLayer(self) }
    }
    residualAnimations.append(
      ResidualAnimation(
        property, of: self, distance: distance, velocity: velocity, duration: max(end - timeline.now, 0.05), span: 0,
        on: timeline))
  }
}

/// Runs a block outside the current recording: changes to layers in the block apply immediately, but animations that it
/// starts run as usual.
@MainActor func withoutEnclosingAnimation<T>(_ body: () -> T) -> T {
  let outer = AnimationRecording.current
  AnimationRecording.current = nil
  defer { AnimationRecording.current = outer }
  return body()
}

/// Runs a block whose changes to layers are not animated, even inside an animation block. Calls can be nested.
///
/// - Parameter body: Changes to layers.
/// - Returns: The result of the block.
/// - Throws: The error of the block.
@MainActor public func withoutAnimation<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
  let outer = AnimationRecording.current
  AnimationRecording.current = nil
  defer { AnimationRecording.current = outer }
  let wasEnabled = AnimationRecording.isEnabled
  AnimationRecording.isEnabled = false
  defer { AnimationRecording.isEnabled = wasEnabled }
  return try body()
}

extension Layer {
  /// Whether animation blocks animate their changes. If `false`, their changes apply immediately. Animations that are
  /// already running continue.
  public static var areAnimationsEnabled: Bool {
    get { AnimationRecording.isEnabled }
    set { AnimationRecording.isEnabled = newValue }
  }
}

/// An additive animation of one property of one layer. It adds to the model value the part of the change that is not
/// yet visible.
///
/// Animations of the same property are summed, so a new change redirects the movement without a jump.
struct PropertyAnimation {
  let property: LayerProperty
  /// The model value before the change minus the value after it.
  var change: Double
  /// The start of the animation's interval, as a fraction of the animator's progress. Start and length are within 0…1.
  let start: Double
  let length: Double
  let animator: Animator

  /// Returns the value that the animation adds to the model at a fraction of the animator.
  @MainActor func addition(at fraction: Double) -> Double {
    change * (1 - progress(at: fraction))
  }

  /// Returns whether the property moves at a fraction of the animator. `false` before the interval starts and after it
  /// ends.
  func moves(at fraction: Double) -> Bool {
    guard length > 0 else { return false }
    return (start <= 0 || fraction >= start) && (start + length >= 1 || fraction <= start + length)
  }

  /// Returns the progress of the animation. It is beyond 0…1 only if the animator's curve is, and only at an end of the
  /// interval that is also an end of the animator.
  @MainActor func progress(at fraction: Double) -> Double {
    guard length > 0 else { return fraction >= start && fraction > 0 ? 1 : 0 }
    let progress = (fraction - start) / length
    let isFirst = start <= 0
    let isLast = start + length >= 1
    return max(isFirst ? -.infinity : 0, min(isLast ? .infinity : 1, progress))
  }
}
