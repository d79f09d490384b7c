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

/// Where somebody can be: the list of courses, or a node.
public enum Place: Hashable, Sendable {
  /// The list of all courses.
  case root
  /// A course, goal, lesson or activity.
  case node(NodeID)

  /// The node, where the place is one.
  public var node: NodeID? {
    if case .node(let id) = self { id } else { nil }
  }

  /// The place of that node; the root where there is none.
  public init(_ node: NodeID?) {
    self = node.map(Place.node) ?? .root
  }
}
