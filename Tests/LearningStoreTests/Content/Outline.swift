import LearningModel

@testable import LearningStore

/// A course written as an indented outline, two spaces a level: each line is a node's key, which also makes its title
/// and its slug. Below the course stand goals, below goals lessons, below lessons whatever the first letter says: a
/// node whose key begins with `l` is a lesson, every other one an activity.
struct Outline {
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

  /// A course of those nodes.
  init(of nodes: [PlannedNode]) {
    self.nodes = nodes
  }

  /// Writes it as a new course.
  ///
  /// - Parameter key: What it is called, where that is another name than the outline's.
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
  static let atlas = Outline(
    "atlas\n  maps\n"
      + (1...12).map { lesson in
        "    l\(lesson)\n" + (1...100).map { "      map\(lesson)x\($0)\n" }.joined()
      }.joined())

  /// Two goals, a lesson in a lesson, five activities.
  static let sample = Outline(
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
  /// The node at that path; a test that names a wrong path traps.
  func node(at path: String) throws -> ContentNode {
    guard case .node(let id) = try place(at: PlacePath(path)), let node = try node(id) else {
      preconditionFailure("nothing at \(path)")
    }
    return node
  }

  /// The paths below a place in reading order, one a line, indented by depth.
  func drawing(of place: Place = .root, depth: Int? = nil) throws -> String {
    try subtree(from: place, depth: depth)
      .map { String(repeating: "  ", count: $0.depth) + $0.node.slug }.joined(separator: "\n")
  }
}
