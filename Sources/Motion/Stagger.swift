/// Siblings that start one after another, evenly, and are all done when the whole animation is.
///
/// Law: the first starts at 0 and the last ends at 1.
public struct Stagger: Hashable, Sendable {
  /// How many siblings there are, 1 or more.
  public let count: Int

  /// The part of the whole that each of them takes, 0…1; at 1 all move together.
  public let share: Double

  /// Creates a stagger.
  ///
  /// - Parameters:
  ///   - count: How many siblings there are; less than 1 counts as 1.
  ///   - share: The part of the whole that each takes, 0…1. Their starts share out the rest.
  public init(count: Int, share: Double) {
    self.count = max(1, count)
    self.share = share.limited(to: 0...1)
  }

  /// Returns the part of the whole in which one sibling moves.
  ///
  /// - Parameter index: The sibling, from 0; beyond the ends the nearest counts.
  public func interval(of index: Int) -> RelativeInterval {
    guard count > 1 else { return RelativeInterval(within: 0, duration: 1) }
    let place = Double(min(max(0, index), count - 1)) / Double(count - 1)
    return RelativeInterval(within: place.between(0, 1 - share), duration: share)
  }
}
