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
    let known = layer.animations.firstIndex {
      $0.animator === animator && $0.property == property && $0.start == start && $0.length == length
    }
    if let known {
      layer.animations[known].change += change
    } else {
      layer.foldAnimations(of: property, except: animator)
      append(property, of: layer, change: change)
    }
    if property == .width || property == .height { resized.append(layer) }
  }

  private func append(_ property: LayerProperty, of layer: Layer, change: Double) {
    layer.animations.append(
      PropertyAnimation(property: property, change: change, start: start, length: length, animator: animator))
    animator.adopt(layer)
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

extension Layer {
  /// The number of animations of one property that are added up.
  private static let mostAnimations = 8

  /// Makes one residual motion of the animations of a property once there are as many as are added up: it has their
  /// value and velocity, so nothing jumps. Without it, a property that is changed again and again before it arrives
  /// would cost more with each change.
  ///
  /// Animations of a transition stay, because a gesture may take them back.
  fileprivate func foldAnimations(of property: LayerProperty, except recorded: Animator) {
    let free = animations.filter { animation in
      let animator = animation.animator
      return animation.property == property && animator !== recorded && animator.group == nil && animator.isRunning
    }
    guard free.count >= Self.mostAnimations, let timeline = stage?.timeline else { return }
    let rest = settlings.filter { $0.property == property }
    var (distance, velocity, end) = (0.0, 0.0, timeline.now)
    for animation in free {
      let fraction = animation.animator.fraction
      distance += animation.addition(at: fraction)
      if animation.moves(at: fraction) { velocity -= animation.change / animation.length * animation.animator.velocity }
      end = max(end, animation.animator.eventTime ?? end)
    }
    for settling in rest {
      distance += settling.addition
      velocity += settling.velocity
      end = max(end, settling.eventTime ?? end)
      settling.stop()
    }
    animations.removeAll { animation in
      animation.property == property && free.contains { $0.animator === animation.animator }
    }
    for animation in free where !animations.contains(where: { $0.animator === animation.animator }) {
      withoutEnclosingAnimation { animation.animator.forget(self) }
    }
    settlings.append(
      Settling(
        property, of: self, distance: distance, velocity: velocity, duration: max(end - timeline.now, 0.05), span: 0,
        on: timeline))
  }
}

/// Runs a block apart from any animation that is being recorded, so that its changes are not part of it.
@MainActor func withoutEnclosingAnimation<T>(_ body: () -> T) -> T {
  let outer = AnimationRecording.current
  AnimationRecording.current = nil
  defer { AnimationRecording.current = outer }
  return body()
}

/// Runs a block whose changes to layers are not animated, also within an animation block. Calls can be nested.
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
  /// Whether animation blocks animate; set it false, and their changes are made at once. Animations that run continue.
  public static var areAnimationsEnabled: Bool {
    get { AnimationRecording.isEnabled }
    set { AnimationRecording.isEnabled = newValue }
  }
}

/// One moving number of one layer: it adds to the model what is still missing of the change.
///
/// Several of one property add up, so that a change of plan bends the way instead of breaking it.
struct PropertyAnimation {
  let property: LayerProperty
  /// The value before, less the value after.
  var change: Double
  /// The part of the animator's fraction in which it runs, both within 0…1.
  let start: Double
  let length: Double
  let animator: Animator

  /// What it adds to the model at an animator's fraction.
  @MainActor func addition(at fraction: Double) -> Double {
    change * (1 - progress(at: fraction))
  }

  /// Whether it follows the animator at a fraction, and does not wait for its part or rest after it.
  func moves(at fraction: Double) -> Bool {
    guard length > 0 else { return false }
    return (start <= 0 || fraction >= start) && (start + length >= 1 || fraction <= start + length)
  }

  /// How far it has come; beyond 0…1 where the animator's curve goes beyond, but only past its own end of it.
  @MainActor func progress(at fraction: Double) -> Double {
    guard length > 0 else { return fraction >= start && fraction > 0 ? 1 : 0 }
    let progress = (fraction - start) / length
    let isFirst = start <= 0
    let isLast = start + length >= 1
    return max(isFirst ? -.infinity : 0, min(isLast ? .infinity : 1, progress))
  }
}
