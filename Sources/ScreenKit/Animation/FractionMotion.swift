/// The change of an animation's fraction over the time of the stage.
enum FractionMotion {
  /// A timing curve, or a spring that continues a given velocity.
  case tween(Tween)
  /// The rest of an interactive transition after its gesture has ended, and its start time.
  case completion(PercentDrivenCompletion, begin: Double)

  /// The start time, in the stage's seconds.
  var start: Double {
    switch self {
    case .tween(let tween): tween.begin
    case .completion(_, let begin): begin
    }
  }

  /// The end time, in the stage's seconds.
  var end: Double {
    switch self {
    case .tween(let tween): tween.end
    case .completion(let completion, let begin): begin + completion.duration
    }
  }

  /// The final fraction.
  var target: Double {
    switch self {
    case .tween(let tween): tween.target
    case .completion(let completion, _): completion.target
    }
  }

  func fraction(at time: Double) -> Double {
    switch self {
    case .tween(let tween): tween.value(at: time)
    case .completion(let completion, _) where time >= end: completion.target
    case .completion(let completion, let begin): completion.fractionComplete(at: time - begin)
    }
  }

  /// In fractions per second.
  func velocity(at time: Double) -> Double {
    switch self {
    case .tween(let tween): tween.velocity(at: time)
    case .completion where time >= end: 0
    case .completion(let completion, let begin): completion.velocity(at: time - begin)
    }
  }
}

extension FractionMotion {
  /// Returns a motion along a timing curve. Springs determine their own duration.
  static func along(
    _ curve: TimingCurve, from: Double, to: Double, start: Double, duration: Double
  ) -> FractionMotion {
    .tween(Tween(from: from, to: to, curve: curve, duration: duration, begin: start))
  }

  /// Returns the motion of a spring that continues a velocity and ends when less than a thousandth of the distance
  /// remains.
  static func thrown(
    _ spring: Spring, from: Double, to: Double, velocity: Double, start: Double
  ) -> FractionMotion {
    .tween(Tween(from: from, to: to, spring: spring, velocity: velocity, begin: start, tolerance: 1e-3))
  }

  /// Returns a motion that continues a velocity, never overshoots its target, and moves at most a tenth of the whole
  /// fraction away from it. It is a critically damped spring, which is stiffened if the velocity would otherwise
  /// violate these limits.
  static func settled(
    from: Double, to: Double, velocity: Double, start: Double, within duration: Double
  ) -> FractionMotion {
    let distance = to - from
    guard abs(distance) > 1e-9 else { return along(.linear, from: to, to: to, start: start, duration: 0) }
    // A critically damped spring overshoots if its initial velocity exceeds ω times the distance. If its initial
    // velocity points away from the target, it first moves velocity / (e · ω) in the wrong direction.
    let calm = Spring(settlingDuration: max(0.02, duration))
    let away = velocity * distance < 0 ? abs(velocity) / (2.718281828459045 * 0.1) : 0
    let frequency = max(calm.angularFrequency, velocity / distance, away)
    let spring = Spring(duration: 2 * .pi / frequency, bounce: 0)
    return thrown(spring, from: from, to: to, velocity: velocity, start: start)
  }

  /// Returns the motion after the end of a gesture. Without a velocity, the rest follows the completion curve for the
  /// remaining time. With a velocity, or if a spring was beyond an end at that moment, the rest is a spring.
  ///
  /// An invalid speed is reported, and 1 is used instead.
  @MainActor static func released(
    _ ending: PercentDrivenCompletion.Ending, from fraction: Double, velocity: Double, duration: Double, speed: Double,
    curve: TimingCurve, at time: Double, reportingTo stage: StageClock?
  ) -> FractionMotion {
    do {
      let completion = try PercentDrivenCompletion(
        ending, from: fraction, duration: duration, speed: speed, curve: curve)
      if velocity == 0, completion.percentComplete == fraction {
        return .completion(completion, begin: time - (stage?.timeline.headStart ?? 0))
      }
      return settled(from: fraction, to: completion.target, velocity: velocity, start: time, within: duration / speed)
    } catch {
      ScreenIssue.badCompletionSpeed(speed).report(on: stage)
      return released(
        ending, from: fraction, velocity: velocity, duration: duration, speed: 1, curve: curve, at: time,
        reportingTo: stage)
    }
  }
}
