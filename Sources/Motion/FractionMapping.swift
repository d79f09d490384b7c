/// The way between a quantity a hand moves, such as a column, and `fractionComplete`.
///
/// Law: `m.fractionComplete(at: m.value(at: f)) == f` for f within 0…1, to the precision of the numbers.
public struct FractionMapping: Hashable, Sendable {
  /// The quantity at fraction 0.
  public let start: Double

  /// The quantity at fraction 1.
  public let end: Double

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - start: The quantity at fraction 0.
  ///   - end: The quantity at fraction 1; may be less than `start`.
  public init(from start: Double, to end: Double) {
    self.start = start
    self.end = end
  }

  /// Returns the fraction complete at a value, 0…1; beyond the ends the nearest counts, and over no distance it is 0.
  public func fractionComplete(at value: Double) -> Double {
    start == end ? 0 : ((value - start) / (end - start)).limited(to: 0...1)
  }

  /// Returns the velocity of the fraction, per second, for a velocity of the quantity; over no distance it is 0.
  public func fractionVelocity(of velocity: Double) -> Double {
    start == end ? 0 : velocity / (end - start)
  }

  /// Returns the value at a fraction; exactly ``end`` at 1. Fractions beyond 0…1 go on along the line.
  public func value(at fraction: Double) -> Double { fraction.between(start, end) }
}
