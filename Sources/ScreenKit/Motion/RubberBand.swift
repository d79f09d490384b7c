/// The resistance a hand feels beyond an edge: the farther it pulls, the less it moves, and never more than the view's
/// own length.
///
/// Laws: no pull, no offset; pulling the other way mirrors the offset; ``pull(for:)`` undoes ``offset(for:)``.
///
/// Source: the formula of `UIScrollView` as it is generally known: (1 − 1/(x·c/d + 1))·d with c = 0.55.
public struct RubberBand: Hashable, Sendable {
  /// The length of the view along the pull, in cells; the offset never reaches it.
  public let dimension: Double

  /// How far the band gives at first: the offset's share of a small pull, above 0.
  public let constant: Double

  /// Creates a rubber band.
  ///
  /// - Parameters:
  ///   - dimension: The length of the view along the pull, above 0; at 0 or less nothing moves.
  ///   - constant: The offset's share of a small pull, above 0.
  public init(dimension: Double, constant: Double = 0.55) {
    self.dimension = max(0, dimension)
    self.constant = max(.leastNormalMagnitude, constant)
  }

  /// Returns how far the view gives way to a pull.
  ///
  /// - Parameter pull: How far the hand is beyond the edge, either way.
  public func offset(for pull: Double) -> Double {
    guard dimension > 0 else { return 0 }
    let offset = (1 - 1 / (abs(pull) * constant / dimension + 1)) * dimension
    return pull < 0 ? -offset : offset
  }

  /// Returns how far a hand has to be beyond the edge for the view to give way so far: where a view that is grabbed
  /// beyond its edge is held.
  ///
  /// - Parameter offset: Less than the dimension, either way; from there on the answer is infinite.
  public func pull(for offset: Double) -> Double {
    guard dimension > 0, offset != 0 else { return 0 }
    let left = 1 - abs(offset) / dimension
    let pull = left > 0 ? (1 / left - 1) * dimension / constant : .infinity
    return offset < 0 ? -pull : pull
  }
}
