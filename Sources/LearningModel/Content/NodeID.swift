/// Which node of the database. Never used again after its node is gone.
public struct NodeID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The row's number, from 1.
  public let rawValue: Int64

  /// Names the node of that row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Whether the left node came into the database first.
  public static func < (left: NodeID, right: NodeID) -> Bool {
    left.rawValue < right.rawValue
  }
}
