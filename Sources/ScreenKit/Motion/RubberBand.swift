/// The resistance of a view that is dragged beyond its edge: the farther the pointer moves, the less the view follows,
/// and never more than its own length.
///
/// Laws: the offset is 0 without a pull; an opposite pull has the opposite offset; ``pull(for:)`` is the inverse of
/// ``offset(for:)``.
///
/// Source: the formula of `UIScrollView` as it is generally known: (1 − 1/(x·c/d + 1))·d with c = 0.55.
public struct RubberBand: Hashable, Sendable {
  /// The length of the view in the direction of the pull, in cells. The offset never reaches it.
  public let dimension: Double

  /// The ratio of offset to pull for small pulls, greater than 0.
  public let constant: Double

  /// Creates a rubber band.
  ///
  /// - Parameters:
  ///   - dimension: The length of the view in the direction of the pull, greater than 0. At 0 or less, the offset is
  ///     always 0.
  ///   - constant: The ratio of offset to pull for small pulls, greater than 0.
  public init(dimension: Double, constant: Double = 0.55) {
    self.dimension = max(0, dimension)
    self.constant = max(.leastNormalMagnitude, constant)
  }

  /// Returns the offset of the view for a pull.
  ///
  /// - Parameter pull: The distance of the pointer beyond the edge, positive or negative.
  public func offset(for pull: Double) -> Double {
    guard dimension > 0 else { return 0 }
    let offset = (1 - 1 / (abs(pull) * constant / dimension + 1)) * dimension
    return pull < 0 ? -offset : offset
  }

  /// Returns the pull that results in an offset. Use it if a drag begins while the view is beyond its edge.
  ///
  /// - Parameter offset: Less than ``dimension``, positive or negative. For larger offsets, the result is infinite.
  public func pull(for offset: Double) -> Double {
    guard dimension > 0, offset != 0 else { return 0 }
    let remaining = 1 - abs(offset) / dimension
    let pull = remaining > 0 ? (1 / remaining - 1) * dimension / constant : .infinity
    return offset < 0 ? -pull : pull
  }
}
