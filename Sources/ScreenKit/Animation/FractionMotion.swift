/// How the fraction of an animation runs from one value to another in the stage's time.
enum FractionMotion {
  /// Along the animation's own curve, or on a spring that carries a velocity on.
  case tween(Tween)
  /// The rest of what a hand let go at a moment.
  case rest(PercentDrivenCompletion, begin: Double)

  /// When it starts, in the stage's seconds.
  var start: Double {
    switch self {
    case .tween(let tween): tween.begin
    case .rest(_, let begin): begin
    }
  }

  /// When it arrives, in the stage's seconds.
  var end: Double {
    switch self {
    case .tween(let tween): tween.end
    case .rest(let rest, let begin): begin + rest.duration
    }
  }

  /// Where it arrives.
  var target: Double {
    switch self {
    case .tween(let tween): tween.target
    case .rest(let rest, _): rest.target
    }
  }

  func fraction(at time: Double) -> Double {
    switch self {
    case .tween(let tween): tween.value(at: time)
    case .rest(let rest, _) where time >= end: rest.target
    case .rest(let rest, let begin): rest.fractionComplete(at: time - begin)
    }
  }

  /// Fractions a second.
  func velocity(at time: Double) -> Double {
    switch self {
    case .tween(let tween): tween.velocity(at: time)
    case .rest where time >= end: 0
    case .rest(let rest, let begin): rest.velocity(at: time - begin)
    }
  }
}

extension FractionMotion {
  /// A run along a curve; springs keep their own time.
  static func along(
    _ curve: TimingCurve, from: Double, to: Double, start: Double, duration: Double
  ) -> FractionMotion {
    .tween(Tween(from: from, to: to, curve: curve, duration: duration, begin: start))
  }

  /// A throw: a spring that takes over a velocity and moves until less than a thousandth is left.
  static func thrown(
    _ spring: Spring, from: Double, to: Double, velocity: Double, start: Double
  ) -> FractionMotion {
    .tween(Tween(from: from, to: to, spring: spring, velocity: velocity, begin: start, tolerance: 1e-3))
  }

  /// A way to an end that keeps a velocity, never runs past that end, and goes at most a tenth of the whole away from it: a
  /// critically damped response spring, made stiffer where the velocity is too high for that.
  static func settled(
    from: Double, to: Double, velocity: Double, start: Double, within duration: Double
  ) -> FractionMotion {
    let distance = to - from
    guard abs(distance) > 1e-9 else { return along(.linear, from: to, to: to, start: start, duration: 0) }
    // A critically damped spring overshoots when it is released faster than ω times the distance; released away from its
    // end, it goes up to velocity / (e · ω) the wrong way, which shall be a tenth of the whole at most.
    let calm = Spring(settlingDuration: max(0.02, duration))
    let away = velocity * distance < 0 ? abs(velocity) / (2.718281828459045 * 0.1) : 0
    let frequency = max(calm.angularFrequency, velocity / distance, away)
    let spring = Spring(duration: 2 * .pi / frequency, bounce: 0)
    return thrown(spring, from: from, to: to, velocity: velocity, start: start)
  }

  /// What follows when a hand lets go: the rest of the time along the completion curve; a spring where the hand throws,
  /// or lets go of what a spring had carried beyond an end.
  ///
  /// A speed that leads nowhere is reported, and counts as 1.
  @MainActor static func released(
    _ ending: PercentDrivenCompletion.Ending, from fraction: Double, velocity: Double, duration: Double, speed: Double,
    curve: TimingCurve, at time: Double, reportingTo stage: StageClock?
  ) -> FractionMotion {
    do {
      let rest = try PercentDrivenCompletion(ending, from: fraction, duration: duration, speed: speed, curve: curve)
      if velocity == 0, rest.percentComplete == fraction {
        return .rest(rest, begin: time - (stage?.timeline.headStart ?? 0))
      }
      return settled(from: fraction, to: rest.target, velocity: velocity, start: time, within: duration / speed)
    } catch {
      ScreenIssue.badCompletionSpeed(speed).report(on: stage)
      return released(
        ending, from: fraction, velocity: velocity, duration: duration, speed: 1, curve: curve, at: time,
        reportingTo: stage)
    }
  }
}
