/// What tells the element that moves from one screen to another: the same value at both ends.
public struct TransitionID: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  /// Makes an identity of a value.
  public init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  /// Whether both are of equal values; those of different types are as equal as `AnyHashable` says.
  public static func == (one: TransitionID, other: TransitionID) -> Bool {
    AnyHashable(one.value) == AnyHashable(other.value)
  }

  /// Feeds the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(value))
  }

  /// The value, as text.
  public var description: String { String(describing: value) }
}
