extension Tween {
  /// Returns a tween that takes over at a moment: it starts where this one is, as fast as this one moves, and lets a
  /// spring pull it to another target.
  ///
  /// What is seen is smooth in place and in velocity. To turn back, give this tween's start as the target.
  ///
  /// - Parameters:
  ///   - target: The new target.
  ///   - moment: The moment of the change, in seconds on the caller's timeline.
  ///   - spring: The spring that pulls from then on; one without a ``Spring/cutoff``, since the velocity that comes with
  ///     the value would not fit a stiffness chosen for another.
  /// - Returns: A tween that begins at `moment`.
  ///
  /// Source: the oscillator's path is fixed by its place and velocity at any one moment, so the closed form may start
  /// again from them; `UIViewPropertyAnimator.continueAnimation` hands over the velocity in the same way.
  public func retargeted(to target: Double, at moment: Double, spring: Spring) -> Tween {
    let now = state(at: moment)
    return Tween(from: now.value, to: target, spring: spring, velocity: now.velocity, begin: moment)
  }
}
