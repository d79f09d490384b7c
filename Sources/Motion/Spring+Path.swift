extension Spring {
  /// Returns where the spring is, and how fast it moves.
  ///
  /// Closed form in elapsed time, so the path is the same at any frame rate. Laws: at 0 seconds it returns `start` and
  /// `velocity`; from the state at one moment, the rest of the path is the path of a spring released there.
  ///
  /// - Parameters:
  ///   - start: Value at release.
  ///   - target: Value at rest.
  ///   - velocity: Velocity at release, in units of the value per second.
  ///   - elapsed: Seconds since release. Negative values count as 0.
  /// - Returns: The value, and its velocity in units per second. From ``cutoff`` on: the target and 0.
  ///
  /// Source: the damped harmonic oscillator m·y″ + c·y′ + k·y = 0 for the displacement y from the target; see
  /// Juckett, "Damped Springs", for the three regimes.
  public func value(
    from start: Double, to target: Double, velocity: Double = 0, at elapsed: Double
  ) -> (value: Double, velocity: Double) {
    if let cutoff, elapsed >= cutoff { return (target, 0) }
    guard elapsed > 0 else { return (start, velocity) }

    let displacement = start - target
    let decay = damping / (2 * mass)
    let basis = basis(at: elapsed)
    let pull = decay * velocity + stiffness / mass * displacement
    return (
      target + displacement * basis.even + (velocity + decay * displacement) * basis.odd,
      velocity * basis.even - pull * basis.odd
    )
  }

  /// The two shapes that every path of this spring is made of, decay included: `even` starts at 1, `odd` at 0 with
  /// slope 1.
  ///
  /// Written so that each regime runs into the next without a jump: no threshold says what counts as critical.
  func basis(at elapsed: Double) -> (even: Double, odd: Double) {
    let decay = damping / (2 * mass)
    let discriminant = decay * decay - stiffness / mass
    if discriminant < 0 {
      let frequency = (-discriminant).squareRoot()
      let envelope = exponential(-decay * elapsed)
      return (envelope * cosine(frequency * elapsed), envelope * sine(frequency * elapsed) / frequency)
    }
    if discriminant > 0 {
      // The slow root as k/m over the fast one: the difference decay − spread would lose its digits.
      let spread = discriminant.squareRoot()
      let slow = exponential(-stiffness / mass / (decay + spread) * elapsed)
      let ratio = exponentialLessOne(-2 * spread * elapsed)
      return (slow * (2 + ratio) / 2, slow * -ratio / (2 * spread))
    }
    let envelope = exponential(-decay * elapsed)
    return (envelope, envelope * elapsed)
  }
}
