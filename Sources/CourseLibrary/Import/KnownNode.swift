import LearningModel
import LearningStore

/// What the database has of one node of a draft: as little as a comparison needs, since a course has many.
struct KnownNode {
  let id: NodeID
  let parent: NodeID?
  let kind: ContentKind
  let position: Int
  let slug: String
  let isRemoved: Bool
  /// Whether its title is another one.
  let isRenamed: Bool
  /// Whether its summary or its estimate is another one.
  let saysOther: Bool

  /// - Parameter authorTitle: What its author called it, where a person gave it another name.
  init(_ node: ContentNode, authorTitle: String?, comparedWith draft: DraftNode) {
    id = node.id
    parent = node.parent
    kind = node.kind
    position = node.position
    slug = node.slug
    isRemoved = node.isRemoved
    isRenamed = (authorTitle ?? node.title) != draft.title
    saysOther = (node.summary, node.minutes) != (draft.summary, draft.minutes)
  }
}

extension CourseComparison.Known {
  /// Looks up what a database has of a draft. Each row is let go as soon as it is compared.
  init(of draft: CourseDraft, in snapshot: StoreSnapshot) throws {
    course = try snapshot.course(withKey: draft.nodes[0].key)
    let others = try snapshot.children(of: .root).filter { $0.id != course?.id }
    courseSlugs = Set(others.map(\.slug))
    nextPosition = (others.map(\.position).max() ?? -1) + 1
    nodes = Array(repeating: nil, count: draft.nodes.count)
    guard let course = course?.id else { return }

    formerSlugs = try snapshot.formerSlugs(in: course)
    var indices = [String: Int32](minimumCapacity: draft.nodes.count)
    for (index, node) in draft.nodes.enumerated() { indices[node.key] = Int32(index) }
    let authorTitles = try snapshot.authorTitles(in: course)
    try snapshot.forEachNode(of: course) { node in
      if !node.isRemoved { livingCount += 1 }
      if let index = indices[node.key].map(Int.init) {
        nodes[index] = KnownNode(node, authorTitle: authorTitles[node.id], comparedWith: draft.nodes[index])
      } else if !node.isRemoved {
        self.others.append(node)
      }
    }
  }
}
