import LearningModel

@testable import LearningStore

/// A course drawn as an indented outline with two spaces per level. Each line is the key of a node, which is also its
/// slug and, capitalised, its title. The second level contains the goals. Below it, a key that begins with `l` is a
/// lesson, and any other key is an activity.
struct CourseOutlines {
  let nodes: [PlannedNode]

  init(_ text: String) {
    var nodes: [PlannedNode] = []
    var above: [Int] = []
    var counts: [Int: Int] = [:]
    for line in text.split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count / 2
      let key = String(line.drop { $0 == " " })
      above.removeLast(above.count - depth)
      let kind: ContentKind =
        switch depth {
        case 0: .course
        case 1: .goal
        default: key.hasPrefix("l") ? .lesson : .activity
        }
      nodes.append(
        PlannedNode(
          id: nil, parent: above.last, key: key, kind: kind, position: above.last.map { counts[$0, default: 0] } ?? 0,
          slug: key, title: key.prefix(1).uppercased() + key.dropFirst(), summary: "", minutes: nil, changes: []))
      if let parent = above.last { counts[parent, default: 0] += 1 }
      above.append(nodes.count - 1)
    }
    self.nodes = nodes
  }

  /// Creates a course of existing planned nodes.
  init(of nodes: [PlannedNode]) {
    self.nodes = nodes
  }

  /// Writes the outline as a new course.
  ///
  /// - Parameter key: The key of the course. If `nil`, the key in the outline is used.
  @discardableResult
  func write(to store: LearningStore, position: Int = 0, key: String? = nil) throws -> NodeID {
    var nodes = nodes
    nodes[0].position = position
    if let key { (nodes[0].key, nodes[0].slug) = (key, key) }
    let plan = CoursePlan(
      key: nodes[0].key, base: nil, format: "outline", sourceName: "outline", sourceDigest: "0", language: "en",
      nodes: nodes, removed: [], counts: DifferenceCounts(added: nodes.count))
    return try store.importing { writer in
      for (index, node) in nodes.enumerated() where node.kind == .activity {
        try writer.stage(StoredContent(.reading([.paragraph([.text("Read \(node.title).")])])), at: index)
      }
      return try writer.commit(plan, at: Timestamp(milliseconds: 1_000)).course
    }
  }

  /// A course of 1,214 nodes.
  static let large = CourseOutlines(
    "atlas\n  maps\n"
      + (1...12).map { lesson in
        "    l\(lesson)\n" + (1...100).map { "      map\(lesson)x\($0)\n" }.joined()
      }.joined())

  /// A course with two goals, a lesson inside a lesson, and five activities.
  static let sample = CourseOutlines(
    """
    english
      meetings
        lopening
          agenda
          greeting
        lclosing
          lnested
            minutes
          farewell
      negotiating
        loffers
          brief
    """)
}

extension StoreSnapshot {
  /// Returns the node at a path. Traps if the path leads nowhere.
  func node(at path: String) throws -> ContentNode {
    guard case .node(let id) = try place(at: PlacePath(path)), let node = try node(id) else {
      preconditionFailure("nothing at \(path)")
    }
    return node
  }

  /// Returns the slugs below a place in reading order, one per line and indented by depth.
  func drawing(of place: Place = .root, depth: Int? = nil) throws -> String {
    try subtree(from: place, depth: depth)
      .map { String(repeating: "  ", count: $0.depth) + $0.node.slug }.joined(separator: "\n")
  }
}
